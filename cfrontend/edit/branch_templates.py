"""Templates for what one branch of an ``if`` does, and the one beside it does not.

if (s >= 10) { a(); carry = 1; } else b();   ->   else b(), carry = 0;
if (x == y) n++;                             ->   if (x == y) n++; else n = 0;
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cfrontend import goto
from cfrontend.edit.ingredients import ingredient_expressions_within
from cfrontend.edit.statement_templates import statement_span_at_site, statement_unit_at_site
from cfrontend.edit.template import SMALL, SMALL_SELDOM, TemplateChange, TemplateSite, template
from cfrontend.settings import HOLE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import IntType, PointerType

_MOST_VALUES: Final = 3
"""Values that the other branch may assign: what the variable begins with, 0, and constants that it gets elsewhere."""

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
