"""Templates for assignments and steps.

s = a[i]              ->   s += a[i],  s -= a[i],  s = a[i] > s ? a[i] : s
s += x                ->   s -= x,  s = x
i++                   ->   i--,  ++i
x = 1                 ->   x++
x = 1                 ->   y = 1
p->value = n          ->   p->count = n
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from cfrontend import goto
from cfrontend.edit.expression_templates import GROUPS
from cfrontend.edit.template import (
    LARGE,
    LARGE_SELDOM,
    SMALL,
    SMALL_SELDOM,
    TemplateChange,
    TemplateSite,
    TemplateSurvey,
    template,
)
from cfrontend.edit.text import operand_text
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import FloatType, IntType, PointerType, is_integer_type_but_bool

_MOST_STEPS: Final = 4
"""Numbers of the function that are added in the place of one."""

_MOST_BOUNDS: Final = 2
"""Places, and variables, that a value is no larger or smaller than: the nearest ones of each."""


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
    "one counted for a variable",
    example="x = n; g++; -> x = n; g += n;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("value", "place"),
    of=tree.IncDec,
)
def _counted_variable(site: TemplateSite[tree.IncDec]) -> Iterator[TemplateChange]:
    """A variable of the type is added, or taken away, where one is; or another number of the function.

    A pointer goes on by a number.
    """
    e, target = site.node, site.text_of(site.node.target)
    if target is None or not site.is_unused or not isinstance(e.target, tree.VariableRef):
        return
    near = site.around.nameable.inner_words(site.scope, target)[:_MOST_STEPS]
    alike = (
        []
        if isinstance(e.target.type, PointerType)
        else [symbol.name for symbol in site.around.nameable.alike(e.target.symbol, site.scope)]
    )
    for name in dict.fromkeys((*alike, *near)):
        yield TemplateChange(f"{target} {e.op}= {name}")


@template(
    "another variable written",
    example="x = n; g = x + y; -> y = n; g = x + y;",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=(tree.CompoundAssign, tree.Assign, tree.IncDec),
)
def _another_target(
    site: TemplateSite[tree.CompoundAssign | tree.Assign | tree.IncDec],
) -> Iterator[TemplateChange]:
    """Another variable is written, one that is read afterwards."""
    e, text = site.node, site.around.source.text
    whole, place = site.span, site.around.source.span(e.target.location)
    if whole is None or place is None or not isinstance(e.target, tree.VariableRef):
        return
    for symbol in site.around.nameable.writable_alike(e.target.symbol, site.scope):
        new = text[whole[0] : place[0]] + symbol.name + text[place[1] : whole[1]]
        is_itself = isinstance(e, tree.Assign) and site.text_of(e.value) == symbol.name
        if _is_read_after(symbol, whole[1], site.around.survey) and not is_itself:
            yield TemplateChange(new, aims=True)


@template(
    "another place written",
    example="x = p->count; p->value = n; -> x = p->count; p->count = n;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at=("value", "place"),
    of=(tree.CompoundAssign, tree.Assign),
)
def _another_place(site: TemplateSite[tree.CompoundAssign | tree.Assign]) -> Iterator[TemplateChange]:
    """Another element, member or place that a pointer points to is written, one that is named near by."""
    e, text = site.node, site.around.source.text
    whole, place = site.span, site.span_of(e.target)
    if whole is None or place is None or isinstance(e.target, tree.VariableRef):
        return
    own = text[place[0] : place[1]]
    for other in site.around.nameable.places(whole[0], site.scope, own, e.target.type):
        if site.text_of(e.value) != other:
            new = text[whole[0] : place[0]] + other + text[place[1] : whole[1]]
            yield TemplateChange(new, aims=True)


def _is_read_after(symbol: SyntaxSymbol, offset: int, survey: TemplateSurvey) -> bool:
    """True if what a variable is given at ``offset`` may be read, later in the text or in the next round."""
    if symbol.function is None or symbol.storage != "auto":
        return True
    reads = survey.reads.get(symbol.key, ())
    loops = [(start, end) for start, end in survey.loops if start <= offset <= end]
    return any(at >= offset or any(start <= at <= end for start, end in loops) for at in reads)


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


@template(
    "one assigned for counted",
    example="x = 1; -> x++;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at=("value", "place"),
    of=tree.Assign,
)
def _counted(site: TemplateSite[tree.Assign]) -> Iterator[TemplateChange]:
    """The target is counted up, where it is said to be 1."""
    e, target = site.node, site.text_of(site.node.target)
    constant = queries.syntax_below_implicit_conversions(e.value)
    is_one = isinstance(constant, tree.IntConstant) and constant.value == 1 and site.text_of(e.value) == "1"
    if target is not None and is_one and site.is_unused and is_integer_type_but_bool(e.target.type):
        yield TemplateChange(f"{target}++")


@template(
    "constant assigned for applied",
    example="x = 2; -> x /= 2;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("value", "place"),
    of=tree.Assign,
)
def _applied(site: TemplateSite[tree.Assign]) -> Iterator[TemplateChange]:
    """The target is changed by the constant that it is given: by 1 only up or down, by 0 not at all."""
    e, target, value = site.node, site.text_of(site.node.target), site.text_of(site.node.value)
    constant = queries.syntax_below_implicit_conversions(e.value)
    if target is None or value is None or not isinstance(constant, tree.IntConstant):
        return
    if constant.value != 0 and isinstance(e.target.type, IntType | FloatType) and site.is_unused:
        for op in ("+", "-") if constant.value in (1, -1) else ("+", "-", "*", "/"):
            yield TemplateChange(f"{target} {op}= {value}")


@template(
    "larger or smaller of two",
    example="x = a[i]; -> x = a[i] > x ? a[i] : x;",
    kind="replacement",
    cost=LARGE,
    at=("value", "place"),
    of=tree.Assign,
)
def _assignment_of_extreme(site: TemplateSite[tree.Assign]) -> Iterator[TemplateChange]:
    """The larger, or the smaller, of the value and what is there, where to evaluate it twice does nothing."""
    e = site.node
    acts = (tree.Assign, tree.CompoundAssign, tree.IncDec, tree.Call, tree.StatementExpression)
    if (texts := _new_number(site)) is None or any(
        isinstance(part, acts) for side in (e.target, e.value) for part in goto.goto_subexpressions(side)
    ):
        return
    target, value = texts
    for op in (">", "<"):
        yield TemplateChange(f"{operand_text(value)} {op} {target} ? {value} : {target}", at=e.value)


@template(
    "larger or smaller of a variable and another value",
    example="x = n; -> x = (n < LEAST ? n : LEAST);",
    kind="replacement",
    cost=LARGE_SELDOM,
    at="given",
    of=tree.VariableRef,
)
def _bounded_value(site: TemplateSite[tree.VariableRef]) -> Iterator[TemplateChange]:
    """A variable no larger, or no smaller, than another variable, element or member near by."""
    if site.span is None or site.text is None or not is_integer_type_but_bool(site.node.type):
        return
    name, nameable = site.text, site.around.nameable
    near = [*nameable.operands(site.node, site.span[0], site.scope, name)[:_MOST_BOUNDS]]
    near += nameable.words(site.span[0], site.scope, name)[:_MOST_BOUNDS]
    for one in dict.fromkeys(near):
        for op in ("<", ">"):
            yield TemplateChange(f"({name} {op} {operand_text(one)} ? {name} : {operand_text(one)})")


@template(
    "larger or smaller of two summands",
    example="x = 1 + n + i; -> x = 1 + (n > i ? n : i);",
    kind="replacement",
    cost=LARGE,
    at=("value", "place"),
    of=tree.Binary,
)
def _extreme_of_summands(site: TemplateSite[tree.Binary]) -> Iterator[TemplateChange]:
    """The larger, or the smaller, of two numbers that are added, where to evaluate them twice does nothing."""
    e = site.node
    if e.op != "+" or not is_integer_type_but_bool(e.type) or site.span is None:
        return
    inner = queries.syntax_below_implicit_conversions(e.left)
    left = inner.right if isinstance(inner, tree.Binary) and inner.op == "+" else e.left
    sides = (left, e.right)
    one, two = (site.text_of(side) for side in sides)
    begin = site.span_of(left)
    plain = (tree.VariableRef, tree.MemberAccess, tree.Index)
    if one is None or two is None or begin is None or site.text is None:
        return
    before = site.text[: begin[0] - site.span[0]]
    if before.count("(") != before.count(")"):
        return
    if all(isinstance(queries.syntax_below_implicit_conversions(side), plain) for side in sides):
        for op in (">", "<"):
            yield TemplateChange(f"{before}({one} {op} {two} ? {one} : {two})", binds=True)


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
