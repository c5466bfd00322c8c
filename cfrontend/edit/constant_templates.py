"""Templates for constants: other numbers, and other names of numbers.

a[i] = 4;             ->   5,  3,  0,  1,  -4,  any other
x = 0x3f;             ->   0x7f,  0x1f
x &= 0xf0;            ->   0xf8,  0xe0,  0x70,  0x1f0,  0xf
x = 3;                ->   17,  where the reference has it and the program has not
x = MOST;             ->   LEAST,  MOST + 1,  MOST - 1
b = false;            ->   true
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from cfrontend.edit.ingredients import ingredient_constant, is_name_of_truth_value
from cfrontend.edit.template import LARGE, SMALL, SMALL_SELDOM, Span, TemplateChange, TemplateSite, template
from cfrontend.edit.text import character_constant_text, operand_text
from cfrontend.settings import HOLE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import INT, CType, IntType, is_integer_type_but_bool

_BITWISE: Final = ("&", "|", "^")

_ONES: Final = 0xF
"""A hexadecimal digit of ones."""

TEN: Final = 10
"""The smallest number to which a zero may have been forgotten or added."""

INTEGER: Final = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*|'(?:[^'\\]|\\.)'")
"""An integer constant as it is written."""

_MOST_OPPOSITE: Final = 3
"""Other constants that a value is compared with by the opposite operator."""

_SIGN: Final = re.compile(r"(?:[=(\[,?:{;&|<>]|\b(?:return|case))\s*(-)\s*\Z")
"""The end of a text behind which a number is negated."""

_ADDING: Final = re.compile(r"[\w)\]]\s*[-+]\s*\Z")
"""The end of a text behind which a number is added, or taken away."""

_MOST_BEFORE_SIGN: Final = 20
"""Characters before a number in which its sign is looked for."""

_OPPOSITE_TRUTHS: Final = {"true": "false", "false": "true", "TRUE": "FALSE", "FALSE": "TRUE"}

_WHOLE: Final = re.compile(r"([0-9]+)\.0*")
"""A whole number as a floating-point constant."""


@template(
    "floating-point constant as an integer",
    example="d = 100.0 * i / n; -> d = 100 * i / n;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at=("value", "place"),
    of=tree.FloatConstant,
)
def _integer_for_float(site: TemplateSite[tree.FloatConstant]) -> Iterator[TemplateChange]:
    """A whole number beside an operator: what is computed with it is rounded down then."""
    if site.is_operand and site.text is not None and (found := _WHOLE.fullmatch(site.text)) is not None:
        yield TemplateChange(found[1])


@template(
    "another named constant",
    example="if (i == MOST) x = 1; -> if (i == LEAST) x = 1;",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
)
def _another_named_constant(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """Another macro or enumerator that the file names."""
    around = site.around
    if (named := ingredient_constant(site.node, around.program, around.source)) is not None:
        for other in around.nameable.constants(named):
            if is_name_of_truth_value(other) == is_name_of_truth_value(named.text):
                yield TemplateChange(other)


@template(
    "another operator and another named constant",
    example="if (i == MOST) x = 1; -> if (i != LEAST) x = 1;",
    kind="replacement",
    cost=LARGE,
    at="value",
    of=tree.Binary,
)
def _opposite_named_constant(site: TemplateSite[tree.Binary]) -> Iterator[TemplateChange]:
    """Not another constant of its kind where one is meant, and the other way round."""
    e, around, left = site.node, site.around, site.text_of(site.node.left)
    if e.op not in ("==", "!=") or left is None:
        return
    right = queries.syntax_below_implicit_conversions(e.right)
    if (named := ingredient_constant(right, around.program, around.source)) is not None:
        for other in around.nameable.constants(named)[:_MOST_OPPOSITE]:
            yield TemplateChange(f"{operand_text(left)} {'!=' if e.op == '==' else '=='} {other}", binds=True)


@template(
    "named constant off by one",
    example="x = MOST; -> x = MOST - 1;",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
)
def _named_constant_off_by_one(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """One more or less than a macro says, where that is no truth value."""
    program = site.around.program
    named = ingredient_constant(site.node, program, site.around.source)
    if named is None or named.text in program.enumerators or is_name_of_truth_value(named.text):
        return
    for op in ("+", "-"):
        yield TemplateChange(f"{named.text} {op} 1")


@template(
    "constant off by one",
    example="x = a[3]; -> x = a[4];",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=(tree.IntConstant, tree.Binary),
)
def _constant_off_by_one(site: TemplateSite[tree.IntConstant | tree.Binary]) -> Iterator[TemplateChange]:
    """One more or less; nothing in the place of 1 that is added or taken away."""
    if isinstance(site.node, tree.Binary):
        left, right = site.text_of(site.node.left), site.text_of(site.node.right)
        if site.node.op in ("+", "-") and left is not None and right == "1":
            yield TemplateChange(left)
    elif _is_plain(site):
        is_character = site.text is not None and site.text.startswith("'")
        for other in (site.node.value + 1, site.node.value - 1):
            if other == 0 and site.text == "1" and _is_added(site):
                continue
            number = f"{other}{_suffix(site.node.type)}"
            yield TemplateChange(character_constant_text(other) if is_character else number)


@template(
    "constant of the reference",
    example="x = n * 3; -> x = n * 17;",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=(tree.IntConstant, tree.FloatConstant),
)
def _constant_of_reference(
    site: TemplateSite[tree.IntConstant | tree.FloatConstant],
) -> Iterator[TemplateChange]:
    """A number that stands in the reference more often than in the program."""
    if site.text is not None:
        for other in numbers_of_kind(site.text, site.around.numbers):
            yield TemplateChange(other)


@template(
    "constant becomes 0 or 1",
    example="x = a[3]; -> x = a[0];",
    kind="replacement",
    cost=LARGE,
    at=("value", "place"),
    of=tree.IntConstant,
)
def _zero_or_one(site: TemplateSite[tree.IntConstant]) -> Iterator[TemplateChange]:
    """0 or 1, where that is not one more or less."""
    if _is_plain(site):
        for other in (0, 1):
            if abs(other - site.node.value) != 1:
                yield TemplateChange(f"{other}{_suffix(site.node.type)}")


@template(
    "the other truth value",
    example="bool z = false; x = z; -> bool z = true; x = z;",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=tree.IntConstant,
)
def _other_truth_value(site: TemplateSite[tree.IntConstant]) -> Iterator[TemplateChange]:
    """`true` for `false`, and the other way round, also in capitals where the file has both."""
    text = site.text or ""
    other = _OPPOSITE_TRUTHS.get(text)
    words = site.around.source.text
    if other is not None and (other.islower() or re.search(rf"\b{other}\b", words) is not None):
        yield TemplateChange(other)


@template(
    "constant with the other sign",
    example="x = 3; -> x = -3;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at=("value", "place"),
    of=tree.IntConstant,
)
def _other_sign(site: TemplateSite[tree.IntConstant]) -> Iterator[TemplateChange]:
    """A minus sign."""
    if _is_plain(site) and site.node.value:
        yield TemplateChange(f"-{site.text}")


@template(
    "constant of another magnitude",
    example="x = 0x7f; -> x = 0xff;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at=("value", "place"),
    of=tree.IntConstant,
)
def _another_magnitude(site: TemplateSite[tree.IntConstant]) -> Iterator[TemplateChange]:
    """A zero more or less; of a hexadecimal constant, a bit more or less."""
    value, text = site.node.value, site.text or ""
    if not _is_plain(site) or value < TEN or not isinstance(site.node.type, IntType):
        return
    is_hexadecimal = text[:2] in ("0x", "0X")
    others = numbers_of_another_magnitude(value)
    if is_hexadecimal:
        others = [2 * value + (value & 1), value // 2]
    for other in others if text.isdecimal() or is_hexadecimal else ():
        if other < 1 << (site.node.type.width - 1):
            yield TemplateChange(f"{_written_like(text, other)}{_suffix(site.node.type)}")


@template(
    "another bit of a mask",
    example="x = n & 0xf0; -> x = n & 0xf8;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at=("value", "place"),
    of=(tree.Binary, tree.CompoundAssign),
)
def _another_bit(site: TemplateSite[tree.Binary | tree.CompoundAssign]) -> Iterator[TemplateChange]:
    """A mask with a bit more or less where a run of its bits ends, and all other bits of its bytes."""
    e = site.node
    for side in ((e.left, e.right) if isinstance(e, tree.Binary) else (e.value,)) if e.op in _BITWISE else ():
        mask, text = queries.syntax_below_implicit_conversions(side), site.text_of(side)
        if not isinstance(mask, tree.IntConstant) or not isinstance(mask.type, IntType) or text is None:
            continue
        if INTEGER.fullmatch(text) is not None and not text.startswith("'"):
            others = [*_masks_beside(mask.value, mask.type)]
            if _written_like(text, 1) == "0x1":
                others += _with_another_digit(mask.value, mask.type)
            for other in filter(None, dict.fromkeys(others)):
                yield TemplateChange(_written_like(text, other) + _suffix(mask.type), at=side, binds=True)


def _masks_beside(mask: int, ctype: IntType) -> Iterator[int]:
    """Masks with one bit more or less at the ends of the runs of bits, then the rest of the bytes that they are in."""
    width = ctype.width - 1 if ctype.signed else ctype.width
    for bit in range(min(width, mask.bit_length() + 1)):
        here = mask >> bit & 1
        if any((mask >> beside & 1) != here for beside in (bit - 1, bit + 1) if beside >= 0):
            yield mask ^ (1 << bit)
    whole = (1 << 8 * ((mask.bit_length() + 7) // 8)) - 1
    if whole < 1 << width:
        yield mask ^ whole


def _with_another_digit(mask: int, ctype: IntType) -> Iterator[int]:
    """Masks with a hexadecimal digit of ones more or less at the ends of the runs of such digits."""
    for digit in range((mask.bit_length() + 3) // 4 + 1):
        at = 4 * digit
        here = mask >> at & _ONES
        around = [mask >> beside & _ONES for beside in (at - 4, at + 4) if beside >= 0]
        if (
            here in (0, _ONES)
            and any(beside != here for beside in around)
            and at + 4 <= ctype.width - ctype.signed
        ):
            yield mask ^ (_ONES << at)


def _written_like(text: str, value: int) -> str:
    """A number in hexadecimal where ``text`` is, else in decimal."""
    return f"{value:#x}" if text[:2] in ("0x", "0X") else str(value)


@template(
    "any other constant",
    example="x = 3; -> x = ?;",
    kind="replacement",
    cost=LARGE,
    at=("value", "place"),
    of=tree.IntConstant,
)
def _any_constant(site: TemplateSite[tree.IntConstant]) -> Iterator[TemplateChange]:
    """A constant that executions with the right result ask for, also in the place of its sign."""
    if _is_plain(site) and is_integer_type_but_bool(site.node.type):
        suffix = _suffix(site.node.type)
        signed = _span_with_sign(site)
        hole = f"({HOLE} + 0{suffix})" if suffix else HOLE
        yield TemplateChange(hole, at=signed, binds=signed is not None)


def _span_with_sign(site: TemplateSite[tree.IntConstant]) -> Span | None:
    """The characters of a constant with the minus before it; None where there is none, or it subtracts."""
    if site.span is None:
        return None
    begin, end = site.span
    sign = _SIGN.search(site.around.source.text, max(0, begin - _MOST_BEFORE_SIGN), begin)
    return None if sign is None else (sign.start(1), end)


def numbers_of_another_magnitude(value: int) -> list[int]:
    """A number with a decimal zero more, and with one less where it ends with one."""
    return [10 * value, *([value // 10] if value % 10 == 0 else [])]


def numbers_of_kind(text: str, numbers: Sequence[str]) -> Iterator[str]:
    """Other integer constants of ``numbers`` for an integer constant, floating-point constants for one of these."""
    if text[:1].isdigit() or text[:1] == ".":
        is_whole = INTEGER.fullmatch(text) is not None
        for other in numbers:
            if other != text and (INTEGER.fullmatch(other) is not None) == is_whole:
                yield other


def _is_added(site: TemplateSite[Any]) -> bool:
    """True if a constant is the right operand of an addition or a subtraction."""
    begin, end = site.span or (0, 0)
    text = site.around.source.text
    is_factor = re.match(r"\s*[*/%]", text[end : end + _MOST_BEFORE_SIGN]) is not None
    return not is_factor and _ADDING.search(text, max(0, begin - _MOST_BEFORE_SIGN), begin) is not None


def _is_plain(site: TemplateSite[Any]) -> bool:
    """True if a constant is written as a number or a character."""
    return site.text is not None and INTEGER.fullmatch(site.text) is not None


def _suffix(ctype: CType) -> str:
    """Suffix of a constant of this type."""
    if not isinstance(ctype, IntType) or (ctype.rank <= INT.rank and ctype.signed):
        return ""
    return ("" if ctype.signed else "u") + "l" * (ctype.rank - INT.rank)
