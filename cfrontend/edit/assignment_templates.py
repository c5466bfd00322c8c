"""Templates for assignments and steps.

s = a[i]              ->   s += a[i],  s -= a[i]
s += x                ->   s -= x,  s = x
i++                   ->   i--,  ++i
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cfrontend.edit.expression_templates import GROUPS
from cfrontend.edit.template import (
    SMALL,
    TemplateChange,
    TemplateSite,
    template,
)
from cfrontend.syntax import queries, tree
from cfrontend.syntax.types import FloatType, IntType, PointerType, is_integer_type_but_bool


@template(
    "another operator of an assignment",
    example="x += i; -> x -= i;",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=tree.CompoundAssign,
)
def _another_assignment_operator(site: TemplateSite[tree.CompoundAssign]) -> Iterator[TemplateChange]:
    """Another operator of the same kind before ``=``."""
    e = site.node
    one, two = site.text_of(e.target), site.text_of(e.value)
    if one is None or two is None:
        return
    group: Sequence[str] = next((g for g in GROUPS if e.op in g), ())
    if isinstance(e.target.type, PointerType):
        group = ("+", "-")
    if isinstance(e.target.type, FloatType) or isinstance(e.value.type, FloatType):
        group = tuple(other for other in group if other != "%")
    for other in group:
        if other != e.op:
            yield TemplateChange(f"{one} {other}= {two}")


@template(
    "assignment without its operator",
    example="x += i; -> x = i;",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=tree.CompoundAssign,
)
def _plain_assignment(site: TemplateSite[tree.CompoundAssign]) -> Iterator[TemplateChange]:
    """The value itself is assigned."""
    e = site.node
    one, two = site.text_of(e.target), site.text_of(e.value)
    if one is None or two is None:
        return
    if e.target.type == e.value.type or is_integer_type_but_bool(e.target.type):
        yield TemplateChange(f"{one} = {two}")


@template(
    "step in the other direction",
    example="i++; -> i--;",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=tree.IncDec,
)
def _other_direction(site: TemplateSite[tree.IncDec]) -> Iterator[TemplateChange]:
    """Up for down, and down for up."""
    e = site.node
    text = site.text_of(e.target)
    if text is not None:
        other = "--" if e.op == "+" else "++"
        yield TemplateChange(f"{other}{text}" if e.is_prefix else f"{text}{other}")


@template(
    "step on the other side",
    example="x = i++; -> x = ++i;",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=tree.IncDec,
)
def _other_side(site: TemplateSite[tree.IncDec]) -> Iterator[TemplateChange]:
    """Before for behind what is used, and the other way round."""
    e = site.node
    text = site.text_of(e.target)
    if text is not None and not site.is_unused:
        own = "++" if e.op == "+" else "--"
        yield TemplateChange(f"{text}{own}" if e.is_prefix else f"{own}{text}")


@template(
    "missing operator of an assignment",
    example="x = a[i]; -> x += a[i];",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=tree.Assign,
)
def _accumulated_assignment(site: TemplateSite[tree.Assign]) -> Iterator[TemplateChange]:
    """The value is added to the target, or taken from it: no constant, and not where it does so already."""
    if (texts := _new_number(site)) is not None:
        target, value = texts
        for op in ("+", "-"):
            yield TemplateChange(f"{target} {op}= {value}")


def _new_number(site: TemplateSite[tree.Assign]) -> tuple[str, str] | None:
    """The texts of both sides where a number is assigned that is no constant and has nothing to do with the target."""
    e = site.node
    target, value = site.text_of(e.target), site.text_of(e.value)
    are_numbers = all(isinstance(side.type, IntType | FloatType) for side in (e.target, e.value))
    is_constant = isinstance(
        queries.syntax_below_implicit_conversions(e.value), tree.IntConstant | tree.FloatConstant
    )
    if target is None or value is None or not are_numbers or is_constant or _stands_in(target, value):
        return None
    return target, value


def _stands_in(target: str, value: str) -> bool:
    """True if the text of a value names what it is assigned to."""
    return re.search(rf"(?<!\w){re.escape(target)}(?!\w)", value) is not None
