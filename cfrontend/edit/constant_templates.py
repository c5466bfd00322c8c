"""Templates for constants: other numbers, and other names of numbers.

a[i] = 4;             ->   5,  3,  0,  1,  -4,  any other
x = 0x3f;             ->   0x7f,  0x1f
x = MOST;             ->   LEAST,  MOST + 1,  MOST - 1
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cfrontend.edit.ingredients import ingredient_constant
from cfrontend.edit.template import LARGE, SMALL, SMALL_SELDOM, TemplateChange, TemplateSite, template
from cfrontend.edit.text import character_constant_text
from cfrontend.settings import HOLE
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import INT, CType, IntType, is_integer_type_but_bool

_TEN: Final = 10
"""The smallest number to which a zero may have been forgotten or added."""

INTEGER: Final = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*|'(?:[^'\\]|\\.)'")
"""An integer constant as it is written."""


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
            yield TemplateChange(other)


@template(
    "named constant off by one",
    example="x = MOST; -> x = MOST - 1;",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
)
def _named_constant_off_by_one(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """One more or less than a macro says."""
    program = site.around.program
    named = ingredient_constant(site.node, program, site.around.source)
    if named is not None and named.text not in program.enumerators:
        for op in ("+", "-"):
            yield TemplateChange(f"{named.text} {op} 1")


@template(
    "constant off by one",
    example="x = a[3]; -> x = a[4];",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=tree.IntConstant,
)
def _constant_off_by_one(site: TemplateSite[tree.IntConstant]) -> Iterator[TemplateChange]:
    """One more or less."""
    if _is_plain(site):
        is_character = site.text is not None and site.text.startswith("'")
        for other in (site.node.value + 1, site.node.value - 1):
            number = f"{other}{_suffix(site.node.type)}"
            yield TemplateChange(character_constant_text(other) if is_character else number)


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
    example="x = n & 0x7f; -> x = n & 0xff;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at=("value", "place"),
    of=tree.IntConstant,
)
def _another_magnitude(site: TemplateSite[tree.IntConstant]) -> Iterator[TemplateChange]:
    """A zero more or less; of a hexadecimal constant, a bit more or less."""
    value, text = site.node.value, site.text or ""
    if not _is_plain(site) or value < _TEN or not isinstance(site.node.type, IntType):
        return
    is_hexadecimal = text[:2] in ("0x", "0X")
    others = [10 * value, *([value // 10] if value % 10 == 0 else [])]
    if is_hexadecimal:
        others = [2 * value + (value & 1), value // 2]
    for other in others if text.isdecimal() or is_hexadecimal else ():
        if other < 1 << (site.node.type.width - 1):
            written = f"{other:#x}" if is_hexadecimal else str(other)
            yield TemplateChange(f"{written}{_suffix(site.node.type)}")


@template(
    "any other constant",
    example="x = 3; -> x = ?;",
    kind="replacement",
    cost=LARGE,
    at=("value", "place"),
    of=tree.IntConstant,
)
def _any_constant(site: TemplateSite[tree.IntConstant]) -> Iterator[TemplateChange]:
    """A constant that executions with the right result ask for."""
    if _is_plain(site) and is_integer_type_but_bool(site.node.type):
        suffix = _suffix(site.node.type)
        yield TemplateChange(f"({HOLE} + 0{suffix})" if suffix else HOLE)


def _is_plain(site: TemplateSite[tree.IntConstant]) -> bool:
    """True if a constant is written as a number or a character."""
    return site.text is not None and INTEGER.fullmatch(site.text) is not None


def _suffix(ctype: CType) -> str:
    """Suffix of a constant of this type."""
    if not isinstance(ctype, IntType) or (ctype.rank <= INT.rank and ctype.signed):
        return ""
    return ("" if ctype.signed else "u") + "l" * (ctype.rank - INT.rank)
