"""Templates for what one branch of an ``if`` does, and the one beside it does not.

if (s >= 10) { a(); carry = 1; } else b();   ->   else b(), carry = 0;
if (x == y) n++;                             ->   if (x == y) n++; else n = 0;
if (x > 9) return 1;  if (x > 5) return 3;   ->   if (x > 9) return 1;  if (x > HOLE) return 2;  if (x > 5) return 3;
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from cfrontend import goto
from cfrontend.edit.ingredients import ingredient_expressions_within
from cfrontend.edit.statement_templates import statement_span_at_site, statement_unit_at_site
from cfrontend.edit.template import (
    LARGE,
    LARGE_SELDOM,
    SMALL,
    SMALL_SELDOM,
    TemplateChange,
    TemplateSite,
    template,
)
from cfrontend.edit.text import character_constant_text
from cfrontend.settings import HOLE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import IntType, PointerType

_MOST_VALUES: Final = 3
"""Values that the other branch may assign: what the variable begins with, 0, and constants that it gets elsewhere."""

_LETTER: Final = re.compile(r"'[^'\\]'")
"""A character as it is written."""

_GOING_ON: Final = (tree.Break, tree.Continue, tree.Goto)
"""Jumps before which an assignment is not lost."""


@template(
    "assignment missing in the other branch",
    example="if (i < n) x = 1; else y = 2; -> if (i < n) x = 1; else y = 2, x = 0;",
    kind="addition",
    cost=SMALL,
    at="statement",
    of=tree.If,
)
def _assigned_in_one_branch(site: TemplateSite[tree.If]) -> Iterator[TemplateChange]:
    """A place that one branch assigns gets another value in a branch beside it, which does not write to it."""
    branches = list(_branches(site.node))
    for one in branches:
        for assigned in _assignments_of(one):
            target = site.text_of(assigned.target)
            for other in branches:
                if target is not None and other is not one and not _writes_to(target, other, site):
                    for value in _values(assigned, target, site):
                        yield from _behind(other, f"{target} = {value}", site)


@template(
    "else branch missing",
    example="if (i < n) x++; -> if (i < n) x++; else x = 0;",
    kind="restructuring",
    cost=SMALL_SELDOM,
    at="statement",
    of=tree.If,
)
def _otherwise_assigned(site: TemplateSite[tree.If]) -> Iterator[TemplateChange]:
    """A place that the only branch assigns or counts gets another value where the condition does not hold."""
    s = site.node
    then, unit = statement_span_at_site(site, s.then), statement_unit_at_site(site, s)
    is_closed = isinstance(s.then, tree.Compound | tree.ExpressionStatement)
    if s.otherwise is not None or not is_closed or then is None or unit is None or _leaves(s.then):
        return
    text = site.around.source.text[then[0] : then[1]]
    steps: list[tree.Assign | tree.IncDec] = [*_assignments_of(s.then), *_counts_of(s.then)]
    for written in steps:
        place = site.text_of(written.target)
        values = [] if place is None else _values(written, place, site)
        if isinstance(written.type, IntType):
            values.append(HOLE)
        for value in values:
            yield TemplateChange(f"{text} else {place} = {value};", at=then, form="statement", unit=unit)


@template(
    "missing case that only steps",
    example="if (s[i] == '-') { x = 0; i++; } -> if (s[i] == '-') { x = 0; i++; } else if (s[i] == ?) i++;",
    kind="restructuring",
    cost=LARGE_SELDOM,
    at="statement",
    of=tree.If,
)
def _otherwise_stepped(site: TemplateSite[tree.If]) -> Iterator[TemplateChange]:
    """Where a branch for one character goes on to the next one, another one is passed over, too."""
    s = site.node
    condition = queries.syntax_below_implicit_conversions(s.condition)
    then, unit = statement_span_at_site(site, s.then), statement_unit_at_site(site, s)
    if s.otherwise is not None or then is None or unit is None or not isinstance(condition, tree.Binary):
        return
    place, is_constant = site.text_of(condition.left), _constant(condition.right, site)
    if condition.op == "==" and place is not None and is_constant:
        text = site.around.source.text[slice(*then)]
        for e in _statement_expressions_of(s.then):
            step = site.text_of(e)
            if isinstance(e, tree.IncDec) and step is not None and text.endswith(("}", ";")):
                whole = f"{text} else if ({place} == {HOLE}) {step};"
                yield TemplateChange(whole, at=then, form="statement", unit=unit)


@template(
    "missing rung of a ladder",
    example="if (n >= 9) return 1; if (n >= 5) return 3; -> if (n >= 9) return 1; if (n >= ?) return 2; if (n >= 5) return 3;",
    kind="restructuring",
    cost=LARGE,
    at="pair",
)
def _missing_rung(site: TemplateSite[tuple[tree.Statement, tree.Statement]]) -> Iterator[TemplateChange]:
    """Between two tests of one value that give constants, one more, for each constant left out between these."""
    one, two = site.node
    if isinstance(one, tree.If) and one.otherwise is None and _leaves(one.then):
        yield from _rungs_between(site, one, two)


@template(
    "missing rung of else and if",
    example="if (n > 9) x = 1; else if (n > 5) x = 3; -> if (n > 9) x = 1; else if (n > ?) x = 2; else if (n > 5) x = 3;",
    kind="restructuring",
    cost=LARGE,
    at="statement",
    of=tree.If,
)
def _missing_else_rung(site: TemplateSite[tree.If]) -> Iterator[TemplateChange]:
    """Likewise in a chain of ``else if``."""
    if site.node.otherwise is not None:
        yield from _rungs_between(site, site.node, site.node.otherwise, " else ")


def _rungs_between(
    site: TemplateSite[Any], rung: tree.If, following: tree.Statement, joint: str = " "
) -> Iterator[TemplateChange]:
    """Rungs like one with a constant between what it gives and what the ``following`` statement gives."""
    test = queries.syntax_below_implicit_conversions(rung.condition)
    begin, whole = statement_span_at_site(site, following), statement_span_at_site(site, rung.then)
    unit = statement_unit_at_site(site, following) or statement_unit_at_site(site, rung)
    is_compared = isinstance(test, tree.Binary) and isinstance(
        queries.syntax_below_conversions(test.right), tree.IntConstant
    )
    if not is_compared or not isinstance(test, tree.Binary) or begin is None or whole is None or unit is None:
        return
    one, two = (
        _result_of(rung.then),
        _result_of(following.then if isinstance(following, tree.If) else following),
    )
    left, span = site.text_of(test.left), None if one is None else site.span_of(one)
    if test.op in ("==", "!=") or one is None or two is None or left is None or span is None:
        return
    text = site.around.source.text
    for other in _between(text[slice(*span)], site.text_of(two) or "", site)[:_MOST_VALUES]:
        body = text[whole[0] : span[0]] + other + text[span[1] : whole[1]]
        rung_text = f"if ({left} {test.op} {HOLE}) {body}{joint}"
        yield TemplateChange(rung_text, at=(begin[0], begin[0]), form="statement", unit=unit)


def _result_of(branch: tree.Statement) -> Expression | None:
    """Value of a branch: what its only statement returns or assigns."""
    items = branch.items if isinstance(branch, tree.Compound) else (branch,)
    match items:
        case (tree.Return(value=value),):
            return value
        case (tree.ExpressionStatement(expression=tree.Assign(value=value)),):
            return value
        case _:
            return None


def _between(one: str, two: str, site: TemplateSite[Any]) -> list[str]:
    """The constants between two, as they are written: numbers, characters, enumerators; a text of the reference."""
    known = site.around.program.enumerators
    if one in known and two in known:
        values = {value: name for name, (value, _) in reversed(list(known.items()))}
        inner = _values_between(known[one][0], known[two][0])
        return [values[value] for value in inner if value in values]
    if one.isdecimal() and two.isdecimal():
        return [str(value) for value in _values_between(int(one), int(two))]
    if _LETTER.fullmatch(one) and _LETTER.fullmatch(two):
        return [character_constant_text(value) for value in _values_between(ord(one[1]), ord(two[1]))]
    if one.startswith('"') and two.startswith('"'):
        return [phrase for phrase in site.around.phrases if phrase not in site.around.source.text]
    return []


def _values_between(one: int, two: int) -> range:
    """The numbers from one to another, without these."""
    return range(one + 1, two) if one < two else range(one - 1, two, -1)


def _leaves(branch: tree.Statement) -> bool:
    """True if what follows is only reached where a branch is not taken."""
    items = branch.items if isinstance(branch, tree.Compound) else (branch,)
    return not items or isinstance(items[-1], (*_GOING_ON, tree.Return))


def _branches(s: tree.If) -> Iterator[tree.Statement]:
    """The branches of a chain of ``if`` and ``else if`` that ends with an ``else``; none of another one."""
    found = [s.then]
    while isinstance(s.otherwise, tree.If):
        s = s.otherwise
        found.append(s.then)
    if s.otherwise is not None:
        yield from (*found, s.otherwise)


def _items_of(branch: tree.Statement) -> tuple[tree.Statement, ...]:
    """The statements of a branch, without the jump that it may end with, unless that leaves the function."""
    items = tuple(branch.items) if isinstance(branch, tree.Compound) else (branch,)
    return items[:-1] if items and isinstance(items[-1], _GOING_ON) else items


def _assignments_of(branch: tree.Statement) -> Iterator[tree.Assign]:
    """Assignments of numbers and pointers to places outside of a branch that it makes in any case, and only once."""
    for e in _statement_expressions_of(branch):
        if (
            isinstance(e, tree.Assign)
            and isinstance(e.type, IntType | PointerType)
            and _is_outside(e.target, branch)
        ):
            yield e


def _counts_of(branch: tree.Statement) -> Iterator[tree.IncDec]:
    """Counts of numbers in places outside of a branch that it makes in any case."""
    for e in _statement_expressions_of(branch):
        if isinstance(e, tree.IncDec) and isinstance(e.type, IntType) and _is_outside(e.target, branch):
            yield e


def _statement_expressions_of(branch: tree.Statement) -> Iterator[Expression]:
    """The expressions that stand as statements of a branch."""
    for s in _items_of(branch):
        if isinstance(s, tree.ExpressionStatement):
            yield s.expression


def _is_outside(place: Expression, branch: tree.Statement) -> bool:
    """True if a place is named without a variable of the branch, and without an effect."""
    own = {s.symbol.key for s in _items_of(branch) if isinstance(s, tree.Declaration)}
    parts = list(goto.goto_subexpressions(place))
    acts = (tree.Assign, tree.CompoundAssign, tree.IncDec, tree.Call)
    names = {part.symbol.key for part in parts if isinstance(part, tree.VariableRef)}
    return names.isdisjoint(own) and not any(isinstance(part, acts) for part in parts)


def _writes_to(target: str, branch: tree.Statement, site: TemplateSite[tree.If]) -> bool:
    """True if a branch writes to a place with the text ``target``, hands out its address, or leaves the function."""
    if any(isinstance(s, tree.Return) for s in _items_of(branch)):
        return True
    for e in ingredient_expressions_within(branch):
        written = e.target if isinstance(e, tree.Assign | tree.CompoundAssign | tree.IncDec) else None
        written = e.operand if isinstance(e, tree.AddressOf) else written
        if written is not None and site.text_of(written) in (target, None):
            return True
    return False


def _values(written: tree.Assign | tree.IncDec, target: str, site: TemplateSite[tree.If]) -> list[str]:
    """Constants that the other branch may assign to a place: never what the one branch assigns."""
    found: dict[str, None] = {}
    variable = written.target.symbol.key if isinstance(written.target, tree.VariableRef) else None
    body = site.around.function.body
    for s in () if body is None else queries.syntax_statements_within(body):
        items = s.initializer.items if isinstance(s, tree.Declaration) and s.initializer is not None else ()
        if len(items) == 1 and isinstance(s, tree.Declaration) and s.symbol.key == variable:
            found |= _constant(items[0].value, site)
    if isinstance(written.type, IntType):
        found["0"] = None
    for e in () if body is None else ingredient_expressions_within(body):
        if isinstance(e, tree.Assign) and e is not written and site.text_of(e.target) == target:
            found |= _constant(e.value, site)
    own = site.text_of(written.value) if isinstance(written, tree.Assign) else None
    return [value for value in found if value != own][:_MOST_VALUES]


def _constant(e: Expression, site: TemplateSite[tree.If]) -> dict[str, None]:
    """The text of a constant, as the only key; none of another expression."""
    text = site.text_of(queries.syntax_below_implicit_conversions(e))
    is_constant = isinstance(queries.syntax_below_conversions(e), tree.IntConstant)
    return {text: None} if text is not None and is_constant else {}


def _behind(branch: tree.Statement, text: str, site: TemplateSite[tree.If]) -> Iterator[TemplateChange]:
    """The assignment ``text`` at the end of a branch, or at its beginning where another statement ends it."""
    items = _items_of(branch)
    last = items[-1] if items else None
    if isinstance(last, tree.ExpressionStatement):
        unit, own = statement_unit_at_site(site, last), site.text_of(last.expression)
        if unit is not None and own is not None:
            yield TemplateChange(f"{own}, {text}", at=last.expression, is_unused=True, binds=True, unit=unit)
    elif items and isinstance(branch, tree.Compound) and not isinstance(items[0], tree.Declaration):
        span, unit = statement_span_at_site(site, items[0]), statement_unit_at_site(site, items[0])
        if span is not None and unit is not None:
            yield TemplateChange(text, at=(span[0], span[0]), form="before", unit=unit)
