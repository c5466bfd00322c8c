"""``scanf`` and its kin read as inputs: formatted input.

scanf("%d %d", &a, &b)   ->   input a; input b; the value is 2
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias, final

from cfrontend import goto
from cfrontend.errors import Location
from cfrontend.lower import calls, checks, dialect, evaluation_order, pure
from cfrontend.lower.context import Lowering
from cfrontend.lower.domain_assumptions import (
    compare_with,
    either,
    keep_character_in_domain,
    keep_number_in_domain,
    keep_out_white_space,
    keep_scan_result_in_domain,
)
from cfrontend.lower.intrinsic_registry import CallSite, intrinsic
from cfrontend.lower.intrinsics import inputs
from cfrontend.lower.intrinsics.formatted import format_literal
from cfrontend.record import dataclass
from cfrontend.stdio import scanf
from cfrontend.stdio.printf import REALS
from cfrontend.syntax import queries, tree
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    LONG_DOUBLE,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    ULLONG,
    USHORT,
    ArrayType,
    DataModelOfTypes,
    FloatType,
    IntType,
    PointerType,
)
from cfrontend.units import SCANNED, InputReading


def _integer_types(letter: str, model: DataModelOfTypes) -> Mapping[str, IntType]:
    """Types that ``scanf`` stores, by length modifier."""
    if letter in "di":
        largest = LLONG if model.long.width < LLONG.width else model.long
        types = (SCHAR, SHORT, INT, model.long, LLONG, largest, model.difference, model.difference, LLONG)
    else:
        largest = ULLONG if model.ulong.width < ULLONG.width else model.ulong
        types = (UCHAR, USHORT, UINT, model.ulong, ULLONG, largest, model.size, model.size, ULLONG)
    return dict(zip(("hh", "h", "", "l", "ll", "j", "z", "t", "q"), types, strict=True))


_REAL: Mapping[str, FloatType] = {"": FLOAT, "l": DOUBLE, "L": LONG_DOUBLE}

_WORD = "__sfo_scan_word"
_CHARACTERS = "__sfo_scan_characters"
STORED = "__sfo_scanned"
"""The model of how many conversions succeed."""

STORED_IN = "__sfo_scanned_in"
"""The model of how many conversions succeed in reading a file that may not be the standard input."""

_ALL_STORED = "__sfo_scanned_all"
"""The model of a file all of whose conversions succeed."""

_IS_TEXT = "__sfo_is_text"
"""The model of whether ``fscanf`` finds a file all of which is known ..."""

_SCANNED_TEXT = "__sfo_fscanf"
"""... and of what it makes of that."""


_SCANNED_STDIN = "__sfo_scan_stdin"
_SCANNED_FILE = "__sfo_scan_file"
TEXT_SCANNERS: Final = frozenset({_SCANNED_STDIN, _SCANNED_FILE})
"""The models of ``scanf`` and ``fscanf`` where each character that is read is an input."""


@final
@dataclass(frozen=True, slots=True)
class _Conversion:
    """One conversion of a ``scanf`` format that stores something: what, and in how many characters (0: any).

    ``format`` is its part of the format, see ``InputReading``.
    """

    letter: str
    length: str
    width: int
    format: str


_ALWAYS_MATCHES: Final = re.compile(r"\s*%(c|\d*s)")
"""Format whose first conversion any text matches: where it stores nothing there is EOF, and not 0."""

_SKIPPED_BEFORE: Final = re.compile(r"\s%1?c")
"""Format whose character is the first one that is no white space."""

_Part: TypeAlias = tuple[_Conversion, Expression, Expression]
"""A conversion, the pointer through which it stores, and that argument as it is written."""


def formatted_input_models(
    e: tree.Call, name: str, program: tree.TranslationUnit, *, wanted: bool
) -> frozenset[str]:
    """The models that reading by this call of ``INPUTS`` needs."""
    if program.reads_text:
        return frozenset({_SCANNED_STDIN if name == "scanf" else _SCANNED_FILE})
    arguments = e.arguments[1:] if name == "fscanf" else e.arguments
    template = format_literal(arguments[0]) if arguments else None
    conversions = _conversions(template.decode("latin-1")) if template is not None else None
    needed: set[str] = set()
    of_file = bool(name == "fscanf" and e.arguments and not _is_stdin(e.arguments[0]))
    counted = _is_counted(program, conversions, wanted=wanted, of_file=of_file)
    if of_file:
        needed.add(STORED_IN if counted else _ALL_STORED)
        needed |= {_IS_TEXT, _SCANNED_TEXT} if program.keeps_files else set()
    elif counted:
        needed.add(STORED)
    for conversion in conversions or ():
        if conversion.letter[0] in "s[":
            needed.add(_WORD)
        elif conversion.letter == "c" and conversion.width > 1:
            needed.add(_CHARACTERS)
    return frozenset(needed)


def formatted_input_parts(e: tree.Call) -> tuple[str, ...] | None:
    """The parts of the format of a call of ``INPUTS`` (see ``InputReading``), or all of it; None if it is not known."""
    arguments = e.arguments[1:] if dialect.callee_name_in_dialect(e) == "fscanf" else e.arguments
    template = format_literal(arguments[0]) if arguments else None
    conversions = None if template is None else _conversions(template.decode("latin-1"))
    if template is None or conversions is None:
        return None
    return tuple(part.format for part in conversions) or (template.decode("latin-1"),)


def formatted_input_stores_nothing(e: tree.Call) -> bool:
    """True if the format of a call of ``INPUTS`` is known, and has no conversion that stores something."""
    parts = formatted_input_parts(e)
    return parts is not None and not any(_conversions(part) for part in parts)


def _is_counted(
    program: tree.TranslationUnit, conversions: Sequence[_Conversion] | None, *, wanted: bool, of_file: bool
) -> bool:
    """True if the number of conversions of a call that store something is an input.

    Beside another version that is so of a call that stores nothing, too, so that both are seen to read there; of a
    given text it is always so.
    """
    if wanted or program.asks_for_the_end or program.scans_fail or (program.counts_scans and not of_file):
        return True
    return program.counts_each and not conversions


@intrinsic("scanf", needs=1, instead_of="library")
@intrinsic("fscanf", needs=2, instead_of="library")
def _scan(c: CallSite) -> Expression:
    """Lower a call of ``scanf``: each conversion reads one input of its type, or the characters of a word.

    Where the program looks at the result, it is an input as well, and conversions beyond it store nothing. Where it
    does not, the input fits the format, and how much it stores is an input only where the program ``counts_scans``.
    What looks for the end of a file may also find it there without looking at the result. A file all of which is known
    is read by a model instead, and so is all input where the program ``reads_text``.
    """
    x, e, name, wanted = c.x, c.e, c.name, c.wanted
    given = list(e.arguments)
    source = given.pop(0) if name == "fscanf" and given else None
    pointers = evaluation_order.pure_arguments(x, given[1:])
    _check_number_of_arguments(x, e, given)
    if x.program.reads_text and given:
        return _scan_characters(x, e, given, pointers, source)
    file = None if source is None or _is_stdin(source) else x.value(source)
    if file is None or not given or not x.program.keeps_files:
        return _scan_inputs(x, e, given, pointers, file, wanted=wanted)
    file = x.emit.saved(file)
    inputs, end = x.emit.label(), x.emit.label()
    is_text, stored = (x.emit.variable(INT, e.location) for _ in range(2))
    calls.of_model(x, e, _IS_TEXT, (file,), is_text.symbol)
    x.emit.branch(is_text, inputs, when=False)
    calls.of_model(x, e, _SCANNED_TEXT, (file, x.value(given[0]), *pointers), stored.symbol)
    x.emit.jump(end)
    x.emit.place(inputs)
    x.emit.assign(stored, _scan_inputs(x, e, given, pointers, file, wanted=wanted))
    x.emit.place(end)
    return stored


def _check_number_of_arguments(x: Lowering, e: tree.Call, given: Sequence[Expression]) -> None:
    """Check that a ``scanf`` call, whose format and arguments are ``given``, has one for each value (C11 7.21.6.2)."""
    template = format_literal(given[0]) if given else None
    conversions = None if template is None else _conversions(template.decode("latin-1"))
    if conversions is not None and len(conversions) >= len(given):
        never = tree.IntConstant(type=INT, location=e.location, value=0)
        message = f"{dialect.callee_name_in_dialect(e)} has fewer arguments than its format"
        x.emit.check("format", never, message, e.location)


def _scan_characters(
    x: Lowering,
    e: tree.Call,
    given: Sequence[Expression],
    pointers: Sequence[Expression],
    source: Expression | None,
) -> Expression:
    """A model takes one character after the other, whatever the format is."""
    stored = x.emit.variable(INT, e.location)
    operands = [
        x.value(_format_in_domain(x, given[0])),
        *(_leading_nowhere(x, pointer) for pointer in pointers),
    ]
    if source is None:
        calls.of_model(x, e, _SCANNED_STDIN, operands, stored.symbol)
    else:
        calls.of_model(x, e, _SCANNED_FILE, (x.value(source), *operands), stored.symbol)
    if x.program.domain is not None and (source is None or _is_stdin(source)):
        _keep_text_in_domain(x, e, given, pointers, stored)
    return stored


def _format_in_domain(x: Lowering, e: Expression) -> Expression:
    """A literal format with the widths of the domain's longest numbers, a sign and one more; others are as they are."""
    template = format_literal(e)
    if x.program.domain is None or template is None:
        return e
    most, parts = x.program.domain.text.digits + 2, []
    for part in scanf.scanf_directives(template.decode("latin-1")):
        is_long = (
            isinstance(part, scanf.ScanfConversion) and part.letter in "diu" and not 0 < part.width < most
        )
        parts.append(re.sub(r"^(%\*?)\d*", rf"\g<1>{most}", part.text) if is_long else part.text)
    data = "".join(parts).encode("latin-1") + b"\0"
    literal = tree.StringLiteral(type=ArrayType(CHAR, len(data)), location=e.location, data=data)
    return tree.Decay(type=PointerType(CHAR), location=e.location, operand=literal)


def _keep_text_in_domain(
    x: Lowering,
    e: tree.Call,
    given: Sequence[Expression],
    pointers: Sequence[Expression],
    stored: Expression,
) -> None:
    """Assume results and numbers of the domain, where a model has read the characters of a ``scanf`` call."""
    template = format_literal(given[0])
    conversions = None if template is None else _conversions(template.decode("latin-1"))
    if conversions is None:
        return
    keep_scan_result_in_domain(x, e, stored, len(conversions))
    end = x.emit.label()
    for n, (conversion, pointer, source) in enumerate(zip(conversions, pointers, given[1:], strict=False)):
        if conversion.letter[0] in "s[" or (conversion.letter == "c" and conversion.width > 1):
            continue
        x.emit.branch(compare_with(stored, ">", n), end, when=False)
        place = _pointed(x, _stored_type(x, conversion), pointer, source.location)
        if conversion.letter == "c":
            keep_character_in_domain(x, place, source.location)
        else:
            keep_number_in_domain(x, place, source.location)
    x.emit.place(end)


def _scan_inputs(
    x: Lowering,
    e: tree.Call,
    given: Sequence[Expression],
    pointers: Sequence[Expression],
    file: Expression | None,
    *,
    wanted: bool,
) -> Expression:
    """Store inputs at ``pointers`` for a ``scanf`` call; returns how many conversions of ``given`` store one.

    ``given`` are the format and the arguments.
    """
    template = format_literal(given[0]) if given else None
    text = "" if template is None else template.decode("latin-1")
    conversions = None if template is None else _conversions(text)
    if conversions is None:
        x.emit.refuse(
            f"{dialect.callee_name_in_dialect(e)} with this format is not supported yet", e.location
        )
        return pure.placeholder(e)
    parts = list(zip(conversions, pointers, given[1:], strict=False))
    if _is_counted(x.program, conversions, wanted=wanted, of_file=file is not None):
        if len(parts) > 1 and x.program.counts_each:
            return _scan_each(x, e, parts, file, wanted=wanted)
        return _scan_counted(x, e, text, parts, file, wanted=wanted)
    if file is not None:
        calls.of_model(x, e, _ALL_STORED, (file,), None)
    for part in parts:
        _read(x, e, *part)
    return _number(len(parts), e.location)


def _scan_counted(
    x: Lowering,
    e: tree.Call,
    template: str,
    parts: Sequence[_Part],
    file: Expression | None,
    *,
    wanted: bool,
) -> Expression:
    """Store inputs for a ``scanf`` call, where the number of conversions that succeed is one input."""
    end = x.emit.label()
    stored = _stored(x, e, template, len(parts), file, wanted=wanted)
    skips = wanted or x.program.asks_for_the_end or x.program.scans_fail
    for n, part in enumerate(parts):
        if skips:
            x.emit.branch(compare_with(stored, ">", n), end, when=False)
        _read(x, e, *part)
    x.emit.place(end)
    return stored


def _scan_each(
    x: Lowering, e: tree.Call, parts: Sequence[_Part], file: Expression | None, *, wanted: bool
) -> Expression:
    """Store inputs for a ``scanf`` call as if each conversion had a call of its own.

    Whether a conversion succeeds is an input before the one that it stores.
    """
    end = x.emit.label()
    total = x.emit.variable(INT, e.location)
    for n, part in enumerate(parts):
        stored = _stored(x, e, part[0].format, 1, file, wanted=wanted, before=n)
        if n == 0:
            x.emit.assign(total, stored)
        x.emit.branch(compare_with(stored, ">", 0), end, when=False)
        _read(x, e, *part)
        x.emit.assign(total, _number(n + 1, e.location))
    x.emit.place(end)
    return total


def _stored(
    x: Lowering,
    e: tree.Call,
    template: str,
    most: int,
    file: Expression | None,
    *,
    wanted: bool,
    before: int = 0,
) -> Expression:
    """Number of conversions that store something: ``most`` where nobody looks, but for a given text.

    So many conversions of the call have succeeded ``before`` them.
    """
    symbol = x.emit.temporary(INT)
    count = _number(most, e.location)
    model, operands = (STORED, (count,)) if file is None else (STORED_IN, (count, file))
    calls.of_model(x, e, model, operands, symbol, template=template)
    stored = symbol.reference(e.location)
    if _ALWAYS_MATCHES.match(template):
        x.emit.assume(compare_with(stored, "!=", 0))
    if file is None:
        keep_scan_result_in_domain(x, e, stored, most, before)
    if not wanted and not x.program.scans_fail:
        fits = compare_with(stored, "==", most)
        if x.program.asks_for_the_end:
            fits = either(fits, compare_with(stored, "==", -1))
        x.emit.assume(fits)
    return stored


def _number(value: int, location: Location) -> Expression:
    return tree.IntConstant(type=INT, location=location, value=value)


def _leading_nowhere(x: Lowering, pointer: Expression) -> Expression:
    """A null pointer for a floating number, which stands where its address was meant: ``scanf("%lf", x)``."""
    if not isinstance(pointer.type, FloatType):
        return pointer
    return tree.IntConstant(type=x.structs.model.ulong, location=pointer.location, value=0)


def _read(
    x: Lowering, e: tree.Call, conversion: _Conversion, pointer: Expression, source: Expression
) -> None:
    """Emit the reads of one conversion: what it stores is an input."""
    letter, where = conversion.letter, source.location
    if letter[0] in "s[" or (letter == "c" and conversion.width > 1):
        _read_text(x, e, conversion, _leading_nowhere(x, pointer), calls.array_text(source))
        return
    ctype = _stored_type(x, conversion)
    place = _pointed(x, ctype, pointer, where)
    checks.access(x, place, write=True)
    site = replace(
        inputs.input_site(_name(source), ctype, source, x.structs),
        reading=InputReading(function=SCANNED, format=conversion.format),
    )
    x.emit.add(goto.InputInstruction(location=where, target=place, site=site))
    if letter != "c":
        keep_number_in_domain(x, place, where)
    else:
        keep_character_in_domain(x, place, where)
        if _SKIPPED_BEFORE.search(conversion.format):
            keep_out_white_space(x, place)
    limit = {"x": 16, "X": 16, "o": 8}.get(letter, 10) ** conversion.width
    if (
        not conversion.width
        or letter == "c"
        or isinstance(ctype, FloatType)
        or limit > 1 << ctype.width - ctype.signed
    ):
        return
    bounds: list[tuple[tree.BinaryOp, int]] = [("<", limit)]
    if ctype.signed:
        bounds.append((">", -(limit // 10)))
    for op, bound in bounds:
        constant = tree.IntConstant(type=ctype, location=where, value=bound)
        x.emit.assume(tree.Binary(type=INT, location=where, op=op, left=place, right=constant))


def _stored_type(x: Lowering, conversion: _Conversion) -> IntType | FloatType:
    """The type of the number or character that a conversion stores."""
    if conversion.letter in REALS:
        return _REAL[conversion.length]
    if conversion.letter == "c":
        return CHAR
    return _integer_types(conversion.letter, x.structs.model)[conversion.length]


def _pointed(x: Lowering, ctype: IntType | FloatType, pointer: Expression, where: Location) -> Expression:
    """What the pointer of a conversion leads to."""
    leading = _leading_nowhere(x, pointer)
    typed = tree.Cast(type=PointerType(ctype), location=where, operand=leading, implicit=True)
    return tree.Deref(type=ctype, location=where, pointer=typed)


def _read_text(x: Lowering, e: tree.Call, conversion: _Conversion, pointer: Expression, filled: str) -> None:
    """The characters of ``%s``, of ``%[`` or of ``%c`` with a width, by a model."""
    at = e.location
    target = tree.Cast(type=PointerType(CHAR), location=at, operand=pointer, implicit=True)
    width = tree.IntConstant(type=x.structs.model.size, location=at, value=conversion.width)
    if conversion.letter == "c":
        calls.of_model(x, e, _CHARACTERS, (target, width), None, filled, conversion.format)
        return
    inside = conversion.letter[1:-1].encode("latin-1")
    length = tree.IntConstant(type=x.structs.model.size, location=at, value=len(inside))
    letters: Expression = tree.IntConstant(type=PointerType(CHAR), location=at, value=0)
    if conversion.letter != "s":
        literal = tree.StringLiteral(type=ArrayType(CHAR, len(inside) + 1), location=at, data=inside + b"\0")
        letters = tree.Decay(type=PointerType(CHAR), location=at, operand=literal)
    calls.of_model(x, e, _WORD, (target, width, letters, length), None, filled, conversion.format)


def _conversions(template: str) -> list[_Conversion] | None:
    """Conversions of a ``scanf`` format that store something; None for a format that is not modelled."""
    found: list[_Conversion] = []
    text = ""
    for part in scanf.scanf_directives(template):
        text += part.text
        match part:
            case scanf.ScanfConversion() if not _is_modelled(part):
                return None
            case scanf.ScanfConversion(stored=True):
                found.append(_Conversion(part.letter, part.length, part.width, text))
                text = ""
            case scanf.ScanfLiteral(is_malformed=True):
                return None
            case _:
                pass
    if found:
        found[-1] = replace(found[-1], format=found[-1].format + text)
    return found


def _is_modelled(conversion: scanf.ScanfConversion) -> bool:
    letter, length = conversion.letter, conversion.length
    if letter in REALS:
        return not conversion.width and length in _REAL
    return letter[0] in "diuxXocs[" and length != "L" and (length != "l" or letter[0] not in "cs[")


def _is_stdin(e: Expression) -> bool:
    e = queries.syntax_below_conversions(e)
    return isinstance(e, tree.VariableRef) and e.symbol.name == "stdin"


def _name(source: Expression) -> str:
    source = queries.syntax_below_conversions(source)
    return print_syntax(source.operand) if isinstance(source, tree.AddressOf) else f"*{print_syntax(source)}"
