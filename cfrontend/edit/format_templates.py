r"""Templates for formats whose conversions do not fit the arguments, which is undefined behaviour.

printf("%d\n", 2.5)        ->   printf("%f\n", 2.5),  printf("%.1f\n", 2.5),  printf("%d\n", (int)(2.5))
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from cfrontend.edit.template import SMALL, SMALL_SELDOM, Span, TemplateChange, TemplateSite, template
from cfrontend.goto.printf_arguments import printf_argument_mismatch
from cfrontend.stdio.scanf import ScanfConversion, scanf_directives
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CHAR, INT, CType, FloatType, IntType, PointerType

_PLACES: Final = {"printf": 0, "fprintf": 1}
"""Position of the format among the arguments, by function."""

_SCANNED_BITS: Final = {"d": 32, "i": 32, "u": 32, "o": 32, "x": 32, "X": 32, "c": 8, "s": 8}
"""Bits of the integers that ``scanf`` stores, by conversion without a length."""

_CONVERSION: Final = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d*)(?:\.\d+)?(?:hh|h|ll|l|j|z|t|L|q)?[a-zA-Z]"
)
"""A conversion that takes one argument; others are not edited."""


@template(
    "conversion that fits its argument",
    example='printf("%d", x / 2.0); -> printf("%f", x / 2.0);',
    kind="replacement",
    cost=SMALL,
    at="effect",
)
def _fitting_conversion(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A conversion of ``printf`` that prints a value of its argument's type."""
    for conversion, span, argument in _mismatches(site):
        for other in _fitting(argument.type):
            changed = f"%{conversion['flags']}{conversion['width']}{other}"
            yield _with_part(site, span, changed)


@template(
    "argument cast to what its conversion takes",
    example='printf("%d", x / 2.0); -> printf("%d", (int)(x / 2.0));',
    kind="replacement",
    cost=SMALL_SELDOM,
    at="effect",
)
def _cast_argument(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A number as an integer where an integer is printed, and the other way round."""
    for conversion, _, argument in _mismatches(site):
        span = site.span_of(argument)
        if span is None or not isinstance(argument.type, FloatType | IntType) or conversion[0][-1] == "s":
            continue
        cast = "int" if isinstance(argument.type, FloatType) else "double"
        text = site.around.source.text[span[0] : span[1]]
        yield _with_part(site, span, f"({cast})({text})")


def scanned_format_fits(text: str, given: Sequence[Expression]) -> bool:
    """Whether a ``scanf`` format, a literal as it is spelled, stores integers of the sizes that ``given`` lead to."""
    found = [one for one in scanf_directives(text[1:-1]) if isinstance(one, ScanfConversion) and one.stored]
    for one, argument in zip(found, given, strict=False):
        bits = None if one.length else _SCANNED_BITS.get(one.letter)
        target = argument.type.target if isinstance(argument.type, PointerType) else None
        if bits is not None and isinstance(target, IntType) and target.width != bits:
            return False
    return True


def _mismatches(site: TemplateSite[Expression]) -> Iterator[tuple[re.Match[str], Span, Expression]]:
    """Each conversion of a call that does not fit its argument, with its span in the file, and the argument."""
    call = queries.syntax_below_conversions(site.node)
    if site.span is None or not isinstance(call, tree.Call):
        return
    if not isinstance(call.callee, tree.FunctionRef):
        return
    place = _PLACES.get(call.callee.name)
    if place is None or len(call.arguments) <= place:
        return
    literal = queries.syntax_below_conversions(call.arguments[place])
    span = site.span_of(literal.operand if isinstance(literal, tree.Decay) else literal)
    if span is None:
        return
    text, given = site.around.source.text[span[0] : span[1]], call.arguments[place + 1 :]
    if not _is_mismatch(text, [argument.type for argument in given]):
        return
    found = _CONVERSION.finditer(text.replace("%%", "__"))
    for conversion, argument in zip(found, given, strict=False):
        if _is_mismatch(f'"{conversion[0]}"', [argument.type]):
            yield conversion, (span[0] + conversion.start(), span[0] + conversion.end()), argument


def _with_part(site: TemplateSite[Expression], span: Span, part: str) -> TemplateChange:
    """The statement with another text in ``span``, which is within it."""
    assert site.span is not None
    text, (begin, end) = site.around.source.text, site.span
    return TemplateChange(text[begin : span[0]] + part + text[span[1] : end], is_unused=True)


def _is_mismatch(literal: str, types: list[CType]) -> bool:
    """Whether the format, a literal as it is spelled, does not fit arguments of these types."""
    if not literal.startswith('"') or not literal.endswith('"') or "*" in literal:
        return False
    return printf_argument_mismatch(literal[1:-1].encode(), types) is not None


def _fitting(ctype: CType) -> tuple[str, ...]:
    """Conversions, with their precision, that print a value of a type, the likeliest first."""
    match ctype:
        case FloatType():
            return ("f", ".1f", ".2f", ".3f", "g")
        case PointerType(target=IntType(rank=rank)) if rank == CHAR.rank:
            return ("s",)
        case PointerType():
            return ("p",)
        case IntType(width=width, signed=signed) if width > INT.width:
            return ("ld" if signed else "lu",)
        case IntType(signed=signed):
            return ("d", "c") if signed else ("u",)
        case _:
            return ()
