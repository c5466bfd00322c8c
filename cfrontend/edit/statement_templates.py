"""Templates for how statements stand together: semicolons, braces, order, and jumps out of a ``switch``.

for (i = 0; i < n; i++);  s += i;       ->   without the semicolon
if (a) b();  c();                       ->   if (a) { b(); c(); }
if (a) { b(); c(); }                    ->   if (a) { b(); } c();
if (a) b(); if (c) d();                 ->   if (a) b(); else if (c) d();
x = y; y = x;                           ->   y = x; x = y;
if (a) x++;                             ->   if (a) x++; else x = HOLE;
case 1: a();  case 2:                   ->   if (a) x++;                             ->   if (a) x++; else x = HOLE;
case 1: a(); break; case 2:
if (i < n) a(i++);                      ->   while (i < n) a(i++);
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from cfrontend import goto
from cfrontend.edit.candidate import NOTHING
from cfrontend.edit.ingredients import ingredient_expressions_within
from cfrontend.edit.template import LARGE, SMALL, SMALL_SELDOM, Span, TemplateChange, TemplateSite, template
from cfrontend.settings import HOLE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import ArrayType, PointerType, is_integer_type_but_bool
from cfrontend.units import UnitId

Pair: TypeAlias = tuple[tree.Statement, tree.Statement]
"""Two statements of a block that follow each other."""

_SEMICOLON: Final = re.compile(r"\s*;")

_SIMPLE: Final = (tree.ExpressionStatement, tree.Return, tree.Break, tree.Continue, tree.Goto)
"""Statements whose span ends before their semicolon."""

_IF: Final = "if"

_GOING_ON: Final = (tree.Break, tree.Continue, tree.Goto)
"""Jumps before which an assignment is not lost."""

_JUMPS: Final = (tree.Return, *_GOING_ON)


@template(
    "statement taken out",
    example="x = 1; y = 2; -> ; y = 2;",
    kind="replacement",
    cost=LARGE,
    at="effect",
)
def _taken_out(site: TemplateSite[tree.Expression]) -> Iterator[TemplateChange]:
    """Nothing in the place of a statement."""
    # No value of a call that yields none could save an execution: what it does can be too much.
    yield TemplateChange(
        NOTHING, is_unused=True, aims=isinstance(queries.syntax_below_conversions(site.node), tree.Call)
    )


@template(
    "semicolon too much",
    example="for (i = 0; i < n; i++); x += i; -> for (i = 0; i < n; i++) x += i;",
    kind="restructuring",
    cost=SMALL,
    at="pair",
)
def _stray_semicolon(site: TemplateSite[Pair]) -> Iterator[TemplateChange]:
    """The statement that follows a semicolon too much, as the body."""
    s, _ = site.node
    if isinstance(s, tree.If | tree.While | tree.For) and isinstance(_last_body(s), tree.Empty):
        span, unit = statement_span_at_site(site, _last_body(s)), statement_unit_at_site(site, s)
        if span is not None and unit is not None:
            yield _restructured(unit, span, "")


@template(
    "missing braces",
    example="if (i < n) x = 1; y = 2; -> if (i < n) { x = 1; y = 2; }",
    kind="restructuring",
    cost=SMALL,
    at="pair",
)
def _missing_braces(site: TemplateSite[Pair]) -> Iterator[TemplateChange]:
    """The next statement belongs to the body, too."""
    s, following = site.node
    if not isinstance(s, tree.If | tree.While | tree.For) or not isinstance(following, _SIMPLE):
        return
    body = _last_body(s)
    if isinstance(body, tree.Compound | tree.Empty):
        return
    first, last, unit = (
        statement_span_at_site(site, body),
        statement_span_at_site(site, following),
        statement_unit_at_site(site, following) or statement_unit_at_site(site, s),
    )
    if first is not None and last is not None and unit is not None:
        text = site.around.source.text[first[0] : last[1]]
        yield _restructured(unit, (first[0], last[1]), f"{{ {text} }}")


@template(
    "statements in the other order",
    example="x = y; y = n; -> y = n; x = y;",
    kind="restructuring",
    cost=SMALL_SELDOM,
    at="pair",
)
def _swapped_statements(site: TemplateSite[Pair]) -> Iterator[TemplateChange]:
    """Two statements in the other order, one of which names what the other one writes or hands to a function."""
    one, two = site.node
    if not (isinstance(one, tree.ExpressionStatement) and isinstance(two, tree.ExpressionStatement)):
        return
    if (
        _written(one) & _named(two)
        or _written(two) & _named(one)
        or _handed_over(one) & _named(two)
        or _handed_over(two) & _named(one)
        or _changed_by_calls(one, site) & _named(two)
        or _changed_by_calls(two, site) & _named(one)
    ):
        yield from _exchanged(site, one, two)


def _exchanged(
    site: TemplateSite[Pair], one: tree.Statement, two: tree.Statement
) -> Iterator[TemplateChange]:
    """Two statements in the other order, which is an edit of either."""
    first, second = statement_span_at_site(site, one), statement_span_at_site(site, two)
    units = statement_unit_at_site(site, one), statement_unit_at_site(site, two)
    if first is None or second is None:
        return
    text = site.around.source.text
    exchanged = f"{text[slice(*second)]}{text[first[1] : second[0]]}{text[slice(*first)]}"
    for unit in units:
        if unit is not None and None not in units:
            yield _restructured(unit, (first[0], second[1]), exchanged)


@template(
    "missing break of a case",
    example="switch (n) { case 1: x = 1; case 2: x = 2; } -> switch (n) { case 1: x = 1; break; case 2: x = 2; }",
    kind="restructuring",
    cost=SMALL,
    at="pair",
)
def _fallen_through(site: TemplateSite[Pair]) -> Iterator[TemplateChange]:
    """A ``break`` before the next label of a ``switch``."""
    one, two = site.node
    if not isinstance(two, tree.Case | tree.Default):
        return
    while isinstance(one, tree.Case | tree.Default):
        one = one.body
    span, unit = statement_span_at_site(site, two), statement_unit_at_site(site, one)
    if span is not None and unit is not None and not isinstance(one, _JUMPS):
        yield TemplateChange("break", at=(span[0], span[0]), form="before", unit=unit)


@template(
    "missing else",
    example="if (i < n) x = 1; if (y) x = 2; -> if (i < n) x = 1; else if (y) x = 2;",
    kind="restructuring",
    cost=SMALL,
    at="pair",
)
def _missing_else(site: TemplateSite[Pair]) -> Iterator[TemplateChange]:
    """An ``else`` is missing before the second ``if``."""
    one, two = site.node
    if isinstance(one, tree.If) and isinstance(two, tree.If):
        while isinstance(one.otherwise, tree.If):
            one = one.otherwise
        span, unit = statement_span_at_site(site, two), statement_unit_at_site(site, two)
        if one.otherwise is None and span is not None and unit is not None:
            yield _restructured(unit, (span[0], span[0]), "else ")


@template(
    "statement behind its block",
    example="if (i < n) { x = 1; y = 2; } -> if (i < n) { x = 1; } y = 2;",
    kind="restructuring",
    cost=SMALL_SELDOM,
    at="statement",
    of=(tree.If, tree.While, tree.For),
)
def _last_outside(site: TemplateSite[tree.If | tree.While | tree.For]) -> Iterator[TemplateChange]:
    """The last statement of the body belongs behind it."""
    body = _last_body(site.node)
    if not isinstance(body, tree.Compound) or len(body.items) < 2:
        return
    last, whole, unit = (
        statement_span_at_site(site, body.items[-1]),
        statement_span_at_site(site, body),
        statement_unit_at_site(site, body.items[-1]),
    )
    if last is not None and whole is not None and unit is not None:
        text = site.around.source.text
        rest = text[last[1] : whole[1] - 1].rstrip()
        yield _restructured(unit, (last[0], whole[1]), f"}} {text[last[0] : last[1]]}{rest}")


@template(
    "loop for branch",
    example="if (i < n) i++; -> while (i < n) i++;",
    kind="restructuring",
    cost=SMALL_SELDOM,
    at="statement",
    of=tree.If,
)
def _taken_again(site: TemplateSite[tree.If]) -> Iterator[TemplateChange]:
    """A branch that is taken again as long as its condition holds."""
    s = site.node
    span, unit = statement_span_at_site(site, s), statement_unit_at_site(site, s)
    if s.otherwise is None and span is not None and unit is not None:
        end = span[0] + len(_IF)
        is_plain = site.around.source.text[span[0] : end] == _IF
        if is_plain and _written_in(s.then) & _named_in(s.condition):
            yield _restructured(unit, (span[0], end), "while")


@template(
    "else too much",
    example="if (i < n) x = 1; else if (y) x = 2; -> if (i < n) x = 1; if (y) x = 2;",
    kind="restructuring",
    cost=SMALL_SELDOM,
    at="statement",
    of=tree.If,
)
def _without_else(site: TemplateSite[tree.If]) -> Iterator[TemplateChange]:
    """An ``else`` too much before an ``if``: executions that fail by it take the branch before it."""
    s = site.node
    if isinstance(s.otherwise, tree.If):
        then, following = statement_span_at_site(site, s.then), statement_span_at_site(site, s.otherwise)
        unit = statement_unit_at_site(site, s)
        if then is not None and following is not None and unit is not None:
            between = site.around.source.text[then[1] : following[0]]
            yield _restructured(unit, (then[1], following[0]), between.replace("else", "", 1))


def _restructured(unit: UnitId, span: Span, text: str) -> TemplateChange:
    """Statements that stand together in another way."""
    return TemplateChange(text, at=span, form="statement", unit=unit)


def statement_unit_at_site(site: TemplateSite[Any], s: tree.Statement) -> UnitId | None:
    """The unit that a statement is, or begins with."""
    units = site.around.units
    match s:
        case tree.If() | tree.While() | tree.DoWhile():
            return units.of(s.condition)
        case tree.For():
            return None if s.condition is None else units.of(s.condition)
        case tree.Switch():
            return units.of(s.selector)
        case tree.ExpressionStatement():
            return units.of(s.expression) or units.of(s)
        case tree.Compound() if s.items:
            return statement_unit_at_site(site, s.items[-1])
        case _:
            return units.of(s)


def statement_span_at_site(site: TemplateSite[Any], s: tree.Statement) -> Span | None:
    """The characters of a statement with its semicolon."""
    source = site.around.source
    span = source.span(s.location)
    last: tree.Statement = s
    while isinstance(last, tree.If | tree.While | tree.For):
        last = _last_body(last)
    if span is None or not isinstance(last, _SIMPLE):
        return span
    end = source.span(last.location)
    behind = None if end is None else _SEMICOLON.match(source.text, end[1])
    return None if behind is None else (span[0], behind.end())


def _last_body(s: tree.If | tree.While | tree.For) -> tree.Statement:
    """Last body of a statement: behind the condition, or behind ``else``."""
    if isinstance(s, tree.If):
        return s.then if s.otherwise is None else s.otherwise
    return s.body


def _named(s: tree.ExpressionStatement) -> frozenset[str]:
    """The keys of the variables that a statement names."""
    return _named_in(s.expression)


def _handed_over(s: tree.ExpressionStatement) -> frozenset[str]:
    """The keys of the pointers that a statement hands to a function, which may write or free what they lead to."""
    call = queries.syntax_below_conversions(s.expression)
    arguments = call.arguments if isinstance(call, tree.Call) else ()
    given = map(queries.syntax_below_conversions, arguments)
    return frozenset(
        one.symbol.key
        for one in given
        if isinstance(one, tree.VariableRef) and isinstance(one.type, PointerType)
    )


def _changed_by_calls(s: tree.ExpressionStatement, site: TemplateSite[Pair]) -> frozenset[str]:
    """The keys of the variables of the program that functions which a statement calls write, or hand on as arrays."""
    found: set[str] = set()
    for call in goto.goto_subexpressions(s.expression):
        called = (
            call.callee.name
            if isinstance(call, tree.Call) and isinstance(call.callee, tree.FunctionRef)
            else ""
        )
        function = site.around.program.functions.get(called)
        if function is None or function.body is None:
            continue
        for e in ingredient_expressions_within(function.body):
            targets = [e.target] if isinstance(e, tree.Assign | tree.CompoundAssign | tree.IncDec) else []
            given = e.arguments if isinstance(e, tree.Call) else ()
            for part in (inner for one in (*targets, *given) for inner in goto.goto_subexpressions(one)):
                if isinstance(part, tree.VariableRef) and part.symbol.function is None:
                    found |= {part.symbol.key} if targets or isinstance(part.type, ArrayType) else set()
    return frozenset(found)


def _named_in(e: tree.Expression) -> frozenset[str]:
    """The keys of the variables that an expression names."""
    return frozenset(
        part.symbol.key for part in goto.goto_subexpressions(e) if isinstance(part, tree.VariableRef)
    )


def _written(s: tree.ExpressionStatement) -> frozenset[str]:
    """The keys of the variables in what a statement writes to."""
    return frozenset(
        inner.symbol.key
        for part in goto.goto_subexpressions(s.expression)
        if isinstance(part, tree.Assign | tree.CompoundAssign | tree.IncDec)
        for inner in goto.goto_subexpressions(part.target)
        if isinstance(inner, tree.VariableRef)
    )


def _written_in(s: tree.Statement) -> frozenset[str]:
    """The keys of the variables in what a statement, or one in it, writes to."""
    own = _written(s) if isinstance(s, tree.ExpressionStatement) else frozenset()
    return own.union(*(_written_in(inner) for inner in queries.syntax_statements_in(s)))


@template(
    "else branch missing",
    example="if (i < n) x++; -> if (i < n) x++; else x = ?;",
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
    for written in _written_by(s.then):
        place = site.text_of(written.target)
        if place is not None:
            yield TemplateChange(f"{text} else {place} = {HOLE};", at=then, form="statement", unit=unit)


def _written_by(branch: tree.Statement) -> Iterator[tree.Assign | tree.IncDec]:
    """Assignments and counts of numbers outside of a branch that it makes in any case."""
    for s in _items_of(branch):
        e = s.expression if isinstance(s, tree.ExpressionStatement) else None
        is_written = isinstance(e, tree.Assign | tree.IncDec) and is_integer_type_but_bool(e.type)
        if isinstance(e, tree.Assign | tree.IncDec) and is_written and _is_outside(e.target, branch):
            yield e


def _leaves(branch: tree.Statement) -> bool:
    """True if what follows is only reached where a branch is not taken."""
    items = branch.items if isinstance(branch, tree.Compound) else (branch,)
    return not items or isinstance(items[-1], (*_GOING_ON, tree.Return))


def _items_of(branch: tree.Statement) -> tuple[tree.Statement, ...]:
    """The statements of a branch, without the jump that it may end with, unless that leaves the function."""
    items = tuple(branch.items) if isinstance(branch, tree.Compound) else (branch,)
    return items[:-1] if items and isinstance(items[-1], _GOING_ON) else items


def _is_outside(place: Expression, branch: tree.Statement) -> bool:
    """True if a place is named without a variable of the branch, and without an effect."""
    own = {s.symbol.key for s in _items_of(branch) if isinstance(s, tree.Declaration)}
    parts = list(goto.goto_subexpressions(place))
    acts = (tree.Assign, tree.CompoundAssign, tree.IncDec, tree.Call)
    names = {part.symbol.key for part in parts if isinstance(part, tree.VariableRef)}
    return names.isdisjoint(own) and not any(isinstance(part, acts) for part in parts)
