r"""Constants as they are spelled into values and types.

The suffix and the base choose the type as in C11 6.4.4; characters keep the bytes of the source.

    0xFFFFFFFF -> 4294967295, unsigned int      'ab' -> 24930, int      "a\x41" "b" -> b"aAb\0"
"""

from __future__ import annotations

import re
import struct
from typing import Final

from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.syntax.tree import Cast, Expression, FloatConstant, IntConstant, StringLiteral
from cfrontend.syntax.types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    LONG_DOUBLE,
    LP64,
    UINT,
    ULLONG,
    USHORT,
    VOID,
    ArrayType,
    DataModelOfTypes,
    IntType,
    PointerType,
)

COMPLEX: Final = "complex numbers are not supported yet"
"""The refusal of complex types, constants and operators."""

_INTEGER = re.compile(
    r"(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<binary>[01]+)|(?P<octal>0[0-7]*)|(?P<decimal>[1-9][0-9]*))"
    r"(?P<suffix>[uU]?(?:l|L|ll|LL)?|(?:l|L|ll|LL)[uU])"
)
_FLOATING = re.compile(
    r"(?P<text>0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?[0-9]+|[0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]+)?)"
    r"(?P<suffix>[fFlL]?)"
)
_STRING_PART = re.compile(r'(u8|[LuU])?"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|([^\\]+)")
_SIMPLE_ESCAPES: Final = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "E": 27}

_WIDE: Final = {"u": USHORT, "U": UINT, "u8": CHAR}
"""Element types of literals by their prefix, but for ``L``."""

_LONGEST_NUMBER: Final = 200
"""Characters of an integer constant that fits a type; zeros in front count too."""

_TYPES: Final[tuple[str, ...]] = ("", "u", "l", "lu", "ll", "llu")
"""Suffixes whose letters are sorted, by rising rank of the type they ask for at least."""


def _candidates(suffix: str, model: DataModelOfTypes, *, decimal: bool) -> list[IntType]:
    """The types that a constant can have, in the order in which they are tried (C11 6.4.4.1)."""
    types = (INT, UINT, model.long, model.ulong, LLONG, ULLONG)
    wide = types[_TYPES.index(suffix) // 2 * 2 :]
    if "u" in suffix:
        return [t for t in wide if not t.signed]
    return [t for t in wide if t.signed or not decimal]


def integer(text: str, location: Location, model: DataModelOfTypes = LP64) -> IntConstant:
    """Value and type of an integer constant (C11 6.4.4.1). One too large for the largest signed type is unsigned."""
    text = text.replace("'", "")  # separators of C23
    if len(text) > _LONGEST_NUMBER:
        raise InputError(f"integer constant '{text[:20]}...' is too large for its type", location)
    found = _INTEGER.fullmatch(text)
    if found is None:
        raise InputError(f"invalid number '{text}'", location)
    suffix = "".join(sorted(found["suffix"].lower()))
    if found["decimal"] is not None:
        value, candidates = int(found["decimal"]), _candidates(suffix, model, decimal=True)
    else:
        digits, base = next(
            (found[n], b) for n, b in (("hex", 16), ("binary", 2), ("octal", 8)) if found[n] is not None
        )
        value, candidates = int(digits, base), _candidates(suffix, model, decimal=False)
    for candidate in candidates:
        if value <= _largest(candidate):
            return IntConstant(type=candidate, location=location, value=value)
    if value <= _largest(ULLONG):
        is_long = "ll" not in suffix and model.ulong.width == ULLONG.width
        return IntConstant(type=model.ulong if is_long else ULLONG, location=location, value=value)
    raise InputError(f"integer constant '{text}' is too large for its type", location)


def _largest(ctype: IntType) -> int:
    return int(2 ** (ctype.width - ctype.signed)) - 1


def refuse_imaginary(text: str, location: Location) -> None:
    """Raise UnsupportedError for a number with the GNU suffix that makes it imaginary."""
    if re.search(r"[iIjJ]", text) is not None:
        raise UnsupportedError(COMPLEX, location)


def floating(text: str, location: Location) -> FloatConstant:
    """A floating constant; its digits stay as they are spelled."""
    found = _FLOATING.fullmatch(text.replace("'", ""))
    if found is None or not any(c.isdigit() for c in found["text"]):
        raise InputError(f"invalid number '{text}'", location)
    ctype = {"": DOUBLE, "f": FLOAT, "l": LONG_DOUBLE}[found["suffix"].lower()]
    return FloatConstant(type=ctype, location=location, value=found["text"])


def character(text: str, location: Location, encoding: str, model: DataModelOfTypes = LP64) -> IntConstant:
    """A character constant of type int; several characters count base 256 as in gcc, of wide ones the last counts."""
    if not text.startswith("'"):
        prefix, _, contents = text.partition("'")
        ctype = _WIDE.get(prefix, model.wide_character)
        units = _units(contents[:-1], ctype, location)
        if not units:
            raise InputError("empty character constant", location)
        return IntConstant(type=ctype, location=location, value=units[-1])
    data = _decode(text[1:-1], location, encoding)
    if not data or len(data) > 4:
        raise InputError(f"character constant {text} has {len(data)} characters", location)
    value = int.from_bytes(data, "big")
    width = 8 if len(data) == 1 else 32
    signed = value - (1 << width) if value >> (width - 1) else value
    return IntConstant(type=INT, location=location, value=signed)


def string(text: str, location: Location, encoding: str, model: DataModelOfTypes = LP64) -> StringLiteral:
    """Adjacent literals joined after their escapes are read, with the closing zero."""
    parts = _STRING_PART.findall(text)
    prefixes = {prefix for prefix, _ in parts} - {"", "u8"}
    if len(prefixes) > 1:
        raise InputError("adjacent string literals are of different kinds", location)
    for prefix in prefixes:
        return _wide_string(
            [contents for _, contents in parts], _WIDE.get(prefix, model.wide_character), location
        )
    data = b"".join([_decode(contents, location, encoding) for _, contents in parts]) + b"\0"
    return StringLiteral(type=ArrayType(CHAR, len(data)), location=location, data=data)


def _wide_string(parts: list[str], ctype: IntType, location: Location) -> StringLiteral:
    """``L"..."``, ``u"..."`` or ``U"..."``; the data are the bytes of the characters in memory."""
    units = [unit for contents in parts for unit in _units(contents, ctype, location)] + [0]
    size = ctype.width // 8
    data = b"".join([(unit & ((1 << ctype.width) - 1)).to_bytes(size, "little") for unit in units])
    return StringLiteral(type=ArrayType(ctype, len(units)), location=location, data=data)


def _units(contents: str, ctype: IntType, location: Location) -> list[int]:
    """The values of wide characters between their quotes; what does not fit 16 bits becomes two of them."""
    units: list[int] = []
    for hexadecimal, octal, short, long, simple, plain in _ESCAPE.findall(contents):
        if hexadecimal or octal:
            value = int(hexadecimal, 16) if hexadecimal else int(octal, 8)
            if value >> ctype.width:
                raise InputError("escape sequence is out of range", location)
            units.append(value - (1 << ctype.width) if value > _largest(ctype) else value)
            continue
        if simple:
            plain = chr(_SIMPLE_ESCAPES[simple]) if simple in _SIMPLE_ESCAPES else simple  # noqa: PLW2901
        for character in chr(int(short or long, 16)) if short or long else plain:
            if ctype.width == 16:
                units += struct.unpack(
                    f"<{len(character.encode('utf-16-le')) // 2}H", character.encode("utf-16-le")
                )
            else:
                units.append(ord(character))
    return units


def _decode(contents: str, location: Location, encoding: str) -> bytes:
    """The bytes of a literal between its quotes."""
    data = bytearray()
    for hexadecimal, octal, short, long, simple, plain in _ESCAPE.findall(contents):
        if hexadecimal or octal:
            value = int(hexadecimal, 16) if hexadecimal else int(octal, 8)
            if value > 255:
                raise InputError("escape sequence is out of range", location)
            data.append(value)
        elif short or long:
            data += chr(int(short or long, 16)).encode("utf-8")
        elif simple:
            data += bytes([_SIMPLE_ESCAPES[simple]]) if simple in _SIMPLE_ESCAPES else simple.encode(encoding)
        else:
            data += plain.encode(encoding)
    return bytes(data)


def predefined(name: str, at: Location) -> Expression | None:
    """``true``, ``false`` and ``nullptr`` of C23, where the program declares nothing of the name; else None."""
    match name:
        case "true" | "false":
            return IntConstant(type=BOOL, location=at, value=int(name == "true"))
        case "nullptr":
            zero = IntConstant(type=INT, location=at, value=0)
            return Cast(type=PointerType(VOID), location=at, operand=zero, implicit=False)
        case _:
            return None
