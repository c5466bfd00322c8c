"""``printf`` and its kin recorded as output, ``scanf`` as inputs.

scanf("%d %d", &a, &b)   ->   input a; input b; the value is 2
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cfrontend import goto, tree
from cfrontend.ctext import text_of
from cfrontend.lower import calls
from cfrontend.printf import REALS
from cfrontend.tree import Expression
from cfrontend.types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    LONG,
    LONG_DOUBLE,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    ULLONG,
    ULONG,
    USHORT,
    FloatType,
    IntType,
    PointerType,
)

if TYPE_CHECKING:
    from cfrontend.lower.expressions import Expressions

_TO_FILE = {"fprintf": 0, "fputs": 1, "fputc": 1, "putc": 1}
"""Which argument of these names the file."""

_SIGNED = {
    "hh": SCHAR,
    "h": SHORT,
    "": INT,
    "l": LONG,
    "ll": LLONG,
    "j": LONG,
    "z": LONG,
    "t": LONG,
    "q": LLONG,
}
_UNSIGNED = {
    "hh": UCHAR, "h": USHORT, "": UINT, "l": ULONG, "ll": ULLONG, "j": ULONG, "z": ULONG, "t": ULONG, "q": ULLONG,
}  # fmt: skip
_REAL: Mapping[str, FloatType] = {"": FLOAT, "l": DOUBLE, "L": LONG_DOUBLE}
_SCAN = re.compile(r"%(\*?)(\d*)(hh|h|ll|l|j|z|t|L|q)?([a-zA-Z\[%])")


def output(x: Expressions, e: tree.Call, name: str, *, wanted: bool) -> Expression | None:
    """Output to stdout is recorded; what goes to another file is evaluated only."""
    arguments = calls.right_to_left(x, e.arguments)
    given = list(e.arguments)
    if name in _TO_FILE:
        file = given.pop(_TO_FILE[name])
        del arguments[_TO_FILE[name]]
        if not _is_stdout(file):
            return calls.placeholder(e)
    template: bytes | None
    match name:
        case "printf" | "fprintf":
            template = _literal(given[0]) if given else None
            arguments = arguments[1:]
        case "puts":
            template = b"%s\n"
        case "fputs":
            template = b"%s"
        case _:
            template = b"%c"
    if template is None:
        x.emit.refuse(f"{name} with a format that is not a string literal is not supported yet", e.location)
        return calls.placeholder(e)
    x.emit.code.append(
        goto.Output(location=e.location, unit=x.emit.unit, format=template, arguments=tuple(arguments))
    )
    if name in ("putchar", "fputc", "putc"):
        return arguments[0]
    if wanted and name in ("printf", "fprintf"):
        x.emit.refuse(f"the value of {name} is not supported yet", e.location)
    return calls.placeholder(e)


def _is_stdout(e: Expression) -> bool:
    while isinstance(e, tree.Cast):
        e = e.operand
    return isinstance(e, tree.VariableRef) and e.symbol.name == "stdout"


def _literal(e: Expression) -> bytes | None:
    while isinstance(e, tree.Cast | tree.Decay):
        e = e.operand
    return e.data[:-1] if isinstance(e, tree.StringLiteral) else None


def scan(x: Expressions, e: tree.Call) -> Expression:
    """Each conversion reads one input of its type; the input always fits the format."""
    template = _literal(e.arguments[0]) if e.arguments else None
    pointers = calls.right_to_left(x, e.arguments[1:])
    types = None if template is None else _scanned(template.decode("latin-1"))
    if types is None or len(types) != len(pointers):
        x.emit.refuse("scanf with this format is not supported yet", e.location)
        return calls.placeholder(e)
    for ctype, pointer, source in zip(types, pointers, e.arguments[1:], strict=True):
        typed = tree.Cast(type=PointerType(ctype), location=source.location, operand=pointer, implicit=True)
        place = tree.Deref(type=ctype, location=source.location, pointer=typed)
        x.access_checks(place, write=True)
        site = calls.input_site(_name(source), ctype, source)
        x.emit.code.append(goto.Input(location=source.location, unit=x.emit.unit, target=place, site=site))
    return tree.IntConstant(type=INT, location=e.location, value=len(types))


def _scanned(template: str) -> list[IntType | FloatType] | None:
    """The types that a scanf format stores; None for what is not modelled."""
    types: list[IntType | FloatType] = []
    if "%" in _SCAN.sub("", template):
        return None
    for skipped, width, length, letter in _SCAN.findall(template):
        if letter == "%":
            continue
        if skipped or (width and letter != "c"):
            return None
        if letter in REALS:
            if length not in _REAL:
                return None
            types.append(_REAL[length])
            continue
        if letter not in "diuxXoc" or length == "L":
            return None
        if letter == "c":
            if width not in ("", "1"):
                return None
            types.append(CHAR)
        else:
            types.append((_SIGNED if letter in "di" else _UNSIGNED)[length])
    return types


def _name(source: Expression) -> str:
    while isinstance(source, tree.Cast):
        source = source.operand
    return text_of(source.operand) if isinstance(source, tree.AddressOf) else f"*{text_of(source)}"
