"""Templates for constants: other numbers, and other names of numbers.

a[i] = 4;             ->   5,  3,  0,  1,  any other
x = 3;                ->   17,  where the reference has it and the program has not
x = MOST;             ->   LEAST
b = false;            ->   true
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from cfrontend.edit.ingredients import ingredient_constant, is_name_of_truth_value
from cfrontend.edit.template import LARGE, SMALL, Span, TemplateChange, TemplateSite, template
from cfrontend.edit.text import character_constant_text
from cfrontend.settings import HOLE
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import INT, CType, IntType, is_integer_type_but_bool

INTEGER: Final = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*|'(?:[^'\\]|\\.)'")
"""An integer constant as it is written."""


_SIGN: Final = re.compile(r"(?:[=(\[,?:{;&|<>]|\b(?:return|case))\s*(-)\s*\Z")
"""The end of a text behind which a number is negated."""

_ADDING: Final = re.compile(r"[\w)\]]\s*[-+]\s*\Z")
"""The end of a text behind which a number is added, or taken away."""

_MOST_BEFORE_SIGN: Final = 20
"""Characters before a number in which its sign is looked for."""


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
        signed = _span_with_sign(site)
        yield TemplateChange(hole_of_type(site.node.type), at=signed, binds=signed is not None)


def _span_with_sign(site: TemplateSite[tree.IntConstant]) -> Span | None:
    """The characters of a constant with the minus before it; None where there is none, or it subtracts."""
    if site.span is None:
        return None
    begin, end = site.span
    sign = _SIGN.search(site.around.source.text, max(0, begin - _MOST_BEFORE_SIGN), begin)
    return None if sign is None else (sign.start(1), end)


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


def hole_of_type(ctype: CType) -> str:
    """A constant of a type that is still to be found."""
    suffix = _suffix(ctype)
    return f"({HOLE} + 0{suffix})" if suffix else HOLE


def _suffix(ctype: CType) -> str:
    """Suffix of a constant of this type."""
    if not isinstance(ctype, IntType) or (ctype.rank <= INT.rank and ctype.signed):
        return ""
    return ("" if ctype.signed else "u") + "l" * (ctype.rank - INT.rank)
