"""Templates for the conditions of branches and loops.

while (a[i] != x)     ->   while (!(a[i] != x)),  while (a[i] != x && i < HOLE),  while (a[i] != x || i == HOLE)
if (x = y)            ->   if (x == y)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cfrontend.edit.template import (
    LARGE_SELDOM,
    SMALL,
    SMALL_SELDOM,
    TemplateChange,
    TemplateSite,
    template,
)
from cfrontend.edit.text import negated_test_text, operand_text
from cfrontend.settings import HOLE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression

_PLAIN: Final = re.compile(r"(\w+)(?: [<>=!]+ \w+)?")
"""A variable, or one that is compared with another or with a constant."""

_BINDS_TIGHTER: Final = re.compile(r"[|&?,]|(?<![=!<>])=(?!=)")
"""Operators that bind no tighter than ``&&`` and ``||``, or look so."""


@template(
    "negated condition",
    example="if (i < n) x = 1; -> if (!(i < n)) x = 1;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at=("condition", "truth"),
)
def _negated_condition(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The opposite of the condition."""
    is_tested = site.role == "condition" and site.text is not None
    opposite = negated_test_text(site.text or "") if is_tested else f"!({site.text})"
    if not is_tested and (site.text or "").isidentifier():
        opposite = f"!{site.text}"
    yield TemplateChange(opposite, binds=True)


@template(
    "assignment that should compare",
    example="if (x = y) n = 1; -> if (x == y) n = 1;",
    kind="replacement",
    cost=SMALL,
    at="condition",
)
def _comparison_for_assignment(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """``==`` for ``=``, which reaches as far as its first part where what is assigned is a condition."""
    assigned = queries.syntax_below_conversions(site.node)
    if isinstance(assigned, tree.Assign):
        one, two = site.text_of(assigned.target), site.text_of(assigned.value)
        if one is None or two is None:
            return
        if isinstance(queries.syntax_below_conversions(assigned.value), tree.Logical | tree.Conditional):
            yield TemplateChange(f"{one} == {two}")
        yield TemplateChange(f"{one} == {operand_text(two)}")


@template(
    "missing part of a condition",
    example="if (i < n) x = 1; -> if (i < n && x > ?) x = 1;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("condition", "truth"),
)
def _condition_with_one_more_part(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A condition that asks for more, or that holds more often: by a test that stands elsewhere, or of what is near."""
    if site.span is None or site.text is None:
        return
    whole = site.text if _BINDS_TIGHTER.search(site.text) is None else f"({site.text})"
    for one in site.around.nameable.beside(site.span[0], site.scope, site.text, site.callable_names):
        part = f"({one})" if _BINDS_TIGHTER.search(one) else one
        if " == " not in one or HOLE not in one:
            yield TemplateChange(f"{part} && {whole}" if _leads(one, site.text) else f"{whole} && {part}")
        if " != " not in one or HOLE not in one:
            yield TemplateChange(f"{whole} || {part}")


def _leads(test: str, condition: str) -> bool:
    """True if a test is about an index or a pointer of a condition: it says whether that can be evaluated."""
    plain = _PLAIN.fullmatch(test)
    used = rf"\[[^]]*\b{plain[1]}\b|\b{plain[1]}\s*(?:->|\[)|\*\s*{plain[1]}\b" if plain else ""
    return plain is not None and re.search(used, condition) is not None
