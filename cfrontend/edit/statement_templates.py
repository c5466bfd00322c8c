r"""Templates for statements: how they stand together, and what is missing: tests, jumps, assignments and counts.

for (i = 0; i < n; i++);  s += i;       ->   without the semicolon
if (a) b();  c();                       ->   if (a) { b(); c(); }
if (a) { b(); c(); }                    ->   if (a) { b(); } c();
if (a) b(); if (c) d();                 ->   if (a) b(); else if (c) d();
x = y; y = x;                           ->   y = x; x = y;
if (a) x++;                             ->   if (a) x++; else x = HOLE;
case 1: a();  case 2:                   ->   case 1: a(); break; case 2:
if (i < n) a(i++);                      ->   while (i < n) a(i++);
p->left = a[i];                         ->   if (p) ...,  if (i < HOLE) ...;   i++, ...;   { ...; break; }
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from cfrontend import goto
from cfrontend.edit.candidate import NOTHING
from cfrontend.edit.template import (
    LARGE,
    LARGE_SELDOM,
    SMALL,
    SMALL_SELDOM,
    Span,
    TemplateChange,
    TemplateSite,
    template,
)
from cfrontend.edit.text import negated_test_text
from cfrontend.settings import HOLE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import VoidType, is_integer_type_but_bool
from cfrontend.units import UnitId

Pair: TypeAlias = tuple[tree.Statement, tree.Statement]
"""Two statements of a block that follow each other."""

_SEMICOLON: Final = re.compile(r"\s*;")

_SIMPLE: Final = (tree.ExpressionStatement, tree.Return, tree.Break, tree.Continue, tree.Goto)
"""Statements whose span ends before their semicolon."""

_IF: Final = "if"

_WRITES: Final = (tree.Assign, tree.CompoundAssign, tree.IncDec)

_GOING_ON: Final = (tree.Break, tree.Continue, tree.Goto)
"""Jumps before which an assignment is not lost."""


@template("statement taken out", example="x = 1; y = 2; -> ; y = 2;", cost=LARGE, at="effect")
def _taken_out(site: TemplateSite[tree.Expression]) -> Iterator[TemplateChange]:
    """Nothing in the place of a statement."""
    # No value of a call that yields none could save an execution: what it does can be too much.
    yield TemplateChange(
        NOTHING, use="nothing", aims=isinstance(queries.syntax_below_conversions(site.node), tree.Call)
    )


# -- statements that stand together otherwise --------------------------------------------------------------------


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
    body = _last_body(s) if isinstance(s, tree.If | tree.While | tree.For) else s
    if body is not s and isinstance(body, tree.Empty) and (span := _span(site, body)) is not None:
        yield _restructured(_unit(site, s), span, "")


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
    if not isinstance(body, tree.Compound | tree.Empty):
        for (begin, _), (_, end) in _spans(site, body, following):
            text = site.around.source.text[begin:end]
            yield _restructured(_unit(site, following) or _unit(site, s), (begin, end), f"{{ {text} }}")


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
    while isinstance(one, tree.Case | tree.Default):
        one = one.body
    falls = isinstance(two, tree.Case | tree.Default) and not isinstance(one, (tree.Return, *_GOING_ON))
    if falls and (span := _span(site, two)) is not None:
        yield TemplateChange("break", at=(span[0], span[0]), form="before", unit=_unit(site, one))


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
    while isinstance(one, tree.If) and isinstance(one.otherwise, tree.If):
        one = one.otherwise
    fits = isinstance(one, tree.If) and one.otherwise is None and isinstance(two, tree.If)
    if fits and (span := _span(site, two)) is not None:
        yield _restructured(_unit(site, two), (span[0], span[0]), "else ")


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
    body, text = _last_body(site.node), site.around.source.text
    if isinstance(body, tree.Compound) and len(body.items) > 1:
        for (begin, end), (_, closing) in _spans(site, body.items[-1], body):
            rest = text[end : closing - 1].rstrip()
            yield _restructured(_unit(site, body.items[-1]), (begin, closing), f"}} {text[begin:end]}{rest}")


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
    s, span = site.node, _span(site, site.node)
    if s.otherwise is None and span is not None and site.around.source.text.startswith(_IF, span[0]):
        inner = queries.syntax_statements_within(s.then)
        written = (_written(one) for one in inner if isinstance(one, tree.ExpressionStatement))
        if frozenset[str]().union(*written) & _names_in(s.condition):
            yield _restructured(_unit(site, s), (span[0], span[0] + len(_IF)), "while")


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
        for (_, begin), (end, _) in _spans(site, s.then, s.otherwise):
            between = site.around.source.text[begin:end]
            yield _restructured(_unit(site, s), (begin, end), between.replace("else", "", 1))


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
    s, then = site.node, _span(site, site.node.then)
    items = tuple(s.then.items) if isinstance(s.then, tree.Compound) else (s.then,)
    # What leaves the branch in another way needs none, and what follows it is only reached where it is not taken.
    is_left = not items or isinstance(items[-1], (*_GOING_ON, tree.Return))
    is_closed = isinstance(s.then, tree.Compound | tree.ExpressionStatement)
    if s.otherwise is not None or not is_closed or then is None or is_left:
        return
    own = {item.symbol.key for item in items if isinstance(item, tree.Declaration)}
    for item in items:
        e = item.expression if isinstance(item, tree.ExpressionStatement) else None
        if isinstance(e, tree.Assign | tree.IncDec) and is_integer_type_but_bool(e.type):
            place = site.text_of(e.target)
            acts = any(isinstance(p, (*_WRITES, tree.Call)) for p in goto.goto_subexpressions(e.target))
            if place is not None and not acts and _names_in(e.target).isdisjoint(own):
                text = f"{site.around.source.text[slice(*then)]} else {place} = {HOLE};"
                yield _restructured(_unit(site, s), then, text)


def _restructured(unit: UnitId | None, span: Span, text: str) -> TemplateChange:
    """Statements that stand together in another way."""
    return TemplateChange(text, at=span, form="statement", unit=unit)


def _unit(site: TemplateSite[Any], s: tree.Statement) -> UnitId | None:
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
            return _unit(site, s.items[-1])
        case _:
            return units.of(s)


def _span(site: TemplateSite[Any], s: tree.Statement) -> Span | None:
    """The characters of a statement with its semicolon; None where that is within a macro."""
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


def _spans(site: TemplateSite[Any], one: tree.Statement, two: tree.Statement) -> Iterator[tuple[Span, Span]]:
    """The characters of two statements; none where either is within a macro."""
    first, second = _span(site, one), _span(site, two)
    if first is not None and second is not None:
        yield first, second


def _last_body(s: tree.If | tree.While | tree.For) -> tree.Statement:
    """Last body of a statement: behind the condition, or behind ``else``."""
    if isinstance(s, tree.If):
        return s.then if s.otherwise is None else s.otherwise
    return s.body


def _names_in(e: Expression) -> frozenset[str]:
    """The keys of the variables that an expression names."""
    parts = goto.goto_subexpressions(e)
    return frozenset(part.symbol.key for part in parts if isinstance(part, tree.VariableRef))


def _written(s: tree.ExpressionStatement) -> frozenset[str]:
    """The keys of the variables in what a statement writes to."""
    parts = goto.goto_subexpressions(s.expression)
    return frozenset[str]().union(*(_names_in(part.target) for part in parts if isinstance(part, _WRITES)))


# -- what is missing ---------------------------------------------------------------------------------------------


@template(
    "missing test of a variable",
    example="x = n; -> if (n > ?) x = n;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="effect",
)
def _guarded_statement(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A statement only where a test holds that stands elsewhere, or one of what it names or what is near."""
    if site.may_be_guarded:
        near = site.around.nameable
        standing = near.tested(site.span[0], site.scope)
        tests = (test for one in standing for test in (one, negated_test_text(one)))
        for one in (*tests, *near.beside(site.span[0], site.scope, site.text, site.callable_names)):
            yield TemplateChange(site.text, guard=one, use="nothing")


@template(
    "missing assignment",
    example="y = 0; x = 1; -> y = 0; y = ?, x = 1;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("condition", "effect", "result"),
)
def _assignment_before(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """An assignment as it stands elsewhere, or a count, before an expression."""
    for one in site.around.nameable.added(site.span[0], site.scope):
        yield TemplateChange(f"{one}, {site.text}", binds=True)


@template(
    "missing assignment at the end of a block",
    example="{ y = 0; } { x = 1; } -> { y = 0; } { x = 1, y = ?; }",
    kind="addition",
    cost=LARGE_SELDOM,
    at="block end",
)
def _assignment_behind(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """An assignment as it stands elsewhere, or a count, behind the last expression of a block."""
    for one in site.around.nameable.added(site.span[0], site.scope):
        yield TemplateChange(f"{site.text}, {one}", binds=True, use="nothing")


@template(
    "missing assignment before a loop",
    example="while (i < n) i++; -> i = ?; while (i < n) i++;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="loop",
)
def _assignment_before_loop(
    site: TemplateSite[tree.While | tree.DoWhile | tree.For],
) -> Iterator[TemplateChange]:
    """An assignment as it stands elsewhere, or to a variable of the condition."""
    around, condition = site.around, site.node.condition
    if condition is None:
        return
    tested = {
        f"{part.symbol.name} = {HOLE}": tree.plain_syntax_symbol_key(part.symbol.key) in around.unwritten
        for part in goto.goto_subexpressions(condition)
        if isinstance(part, tree.VariableRef)
        and is_integer_type_but_bool(part.type)
        and part.symbol.name in site.scope
    }
    near = around.nameable
    standing = (*near.assigned(site.span[0], site.scope), *near.resets(site.span[0], site.scope))
    for text, initializes in (dict.fromkeys(standing, False) | tested).items():
        yield TemplateChange(text, form="before", initializes=initializes)


@template(
    "missing jump at the end of a branch",
    example="while (i < n) if (a[i++]) x = i; -> while (i < n) if (a[i++]) { x = i; break; }",
    kind="addition",
    cost=LARGE_SELDOM,
    at="branch",
)
def _jump_behind_statement(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """``break``, ``continue`` or ``return`` behind a statement that goes on."""
    function = site.around.function
    result = function.type.result
    jumps = list(site.jumps)
    if function.name == "main":
        jumps.append("return 0")
    elif isinstance(result, VoidType):
        jumps.append("return")
    elif is_integer_type_but_bool(result):
        jumps.append(f"return {HOLE}")
    for one in jumps:
        yield TemplateChange(f"{{ {site.text}; {one}; }}", form="statement")
