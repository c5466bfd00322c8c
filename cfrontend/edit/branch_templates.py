"""Templates for what one branch of an ``if`` does, and the one beside it does not.

if (s >= 10) { a(); carry = 1; } else b();   ->   else b(), carry = 0;
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cfrontend import goto
from cfrontend.edit.ingredients import ingredient_expressions_within
from cfrontend.edit.statement_templates import statement_span_at_site, statement_unit_at_site
from cfrontend.edit.template import SMALL, TemplateChange, TemplateSite, template
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
    own = {s.symbol.key for s in _items_of(branch) if isinstance(s, tree.Declaration)}
    for s in _items_of(branch):
        e = s.expression if isinstance(s, tree.ExpressionStatement) else None
        if not isinstance(e, tree.Assign) or not isinstance(e.type, IntType | PointerType):
            continue
        parts = list(goto.goto_subexpressions(e.target))
        acts = (tree.Assign, tree.CompoundAssign, tree.IncDec, tree.Call)
        names = {part.symbol.key for part in parts if isinstance(part, tree.VariableRef)}
        if names.isdisjoint(own) and not any(isinstance(part, acts) for part in parts):
            yield e


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


def _values(assigned: tree.Assign, target: str, site: TemplateSite[tree.If]) -> list[str]:
    """Constants that the other branch may assign to a place: never what the one branch assigns."""
    found: dict[str, None] = {}
    variable = assigned.target.symbol.key if isinstance(assigned.target, tree.VariableRef) else None
    body = site.around.function.body
    for s in () if body is None else queries.syntax_statements_within(body):
        items = s.initializer.items if isinstance(s, tree.Declaration) and s.initializer is not None else ()
        if len(items) == 1 and isinstance(s, tree.Declaration) and s.symbol.key == variable:
            found |= _constant(items[0].value, site)
    if isinstance(assigned.type, IntType):
        found["0"] = None
    for e in () if body is None else ingredient_expressions_within(body):
        if isinstance(e, tree.Assign) and e is not assigned and site.text_of(e.target) == target:
            found |= _constant(e.value, site)
    return [value for value in found if value != site.text_of(assigned.value)][:_MOST_VALUES]


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
