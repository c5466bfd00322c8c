"""Templates for how statements stand together: semicolons, braces, order, and jumps out of a ``switch``.

for (i = 0; i < n; i++);  s += i;       ->   without the semicolon
if (a) b();  c();                       ->   if (a) { b(); c(); }
if (a) { b(); c(); }                    ->   if (a) { b(); } c();
if (a) if (b) c(); else d();            ->   if (a) { if (b) c(); } else d();
    if (a) b(); if (c) d();                 ->   if (a) b(); else if (c) d();
x = y; y = x;                           ->   y = x; x = y;
if (a) return b; else return c;         ->   if (a) return b;
case 1: a();  case 2:                   ->   case 1: a(); break; case 2:
if (i < n) a(i++);                      ->   while (i < n) a(i++);
if (a) goto out;                        ->   if (a) goto again;
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final, TypeAlias

from cfrontend import goto
from cfrontend.edit.candidate import NOTHING
from cfrontend.edit.ingredients import ingredient_expressions_within
from cfrontend.edit.template import LARGE, SMALL, SMALL_SELDOM, Span, TemplateChange, TemplateSite, template
from cfrontend.syntax import queries, tree
from cfrontend.syntax.types import ArrayType, PointerType
from cfrontend.units import UnitId

Pair: TypeAlias = tuple[tree.Statement, tree.Statement]
"""Two statements of a block that follow each other."""

_SEMICOLON: Final = re.compile(r"\s*;")

_SIMPLE: Final = (tree.ExpressionStatement, tree.Return, tree.Break, tree.Continue, tree.Goto)
"""Statements whose span ends before their semicolon."""

_IF: Final = "if"

_FALLING: Final = re.compile(r"fall\w*[ _-]*thr|no break", re.IGNORECASE)
"""Pattern of a comment or an attribute that allows a fall-through to the next case."""

_LINES_OF_FALLING: Final = 2
"""Lines before a label, with its own, in which it is said."""

_JUMPS: Final = (tree.Return, tree.Break, tree.Continue, tree.Goto)


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


@template(
    "tests in the other order",
    example="if (x > 2) return i; if (x > 5) return n; -> if (x > 5) return n; if (x > 2) return i;",
    kind="restructuring",
    cost=SMALL_SELDOM,
    at="pair",
)
def _swapped_tests(site: TemplateSite[Pair]) -> Iterator[TemplateChange]:
    """Two branches in the other order, each of which ends with a jump, where both test the same variable."""
    one, two = site.node
    if not isinstance(one, tree.If) or not isinstance(two, tree.If) or not _leaves(one) or not _leaves(two):
        return
    if _named_in(one.condition) & _named_in(two.condition):
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


def _leaves(s: tree.If) -> bool:
    """True if a branch without ``else`` ends with a jump."""
    return s.otherwise is None and isinstance(_last_of(s.then), _JUMPS)


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
        is_likeliest = _is_the_only_one_without_break(site, two, span[0])
        yield TemplateChange(
            "break", at=(span[0], span[0]), form="before", unit=unit, is_likeliest=is_likeliest
        )


def _is_the_only_one_without_break(site: TemplateSite[Pair], label: tree.Statement, begin: int) -> bool:
    """True if all cases of a ``switch`` but that before ``label`` end with a jump, and no comment says it falls."""
    body = site.around.function.body
    for s in () if body is None else queries.syntax_statements_within(body):
        inner = s.body if isinstance(s, tree.Switch) else None
        if isinstance(inner, tree.Compound) and any(item is label for item in inner.items):
            others = [
                _ends_with_jump(one)
                for one, two in pairwise(inner.items)
                if isinstance(two, tree.Case | tree.Default) and two is not label
            ]
            lines = site.around.source.text[:begin].splitlines()[-_LINES_OF_FALLING:]
            return bool(others) and all(others) and not any(map(_FALLING.search, lines))
    return False


def _ends_with_jump(s: tree.Statement) -> bool:
    """True if a statement below labels is a jump, or a block that ends with one."""
    while isinstance(s, tree.Case | tree.Default):
        s = s.body
    return isinstance(_last_of(s), _JUMPS)


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
    "else of the outer if",
    example="if (i) if (n) x = 1; else x = 2; -> if (i) { if (n) x = 1; } else x = 2;",
    kind="restructuring",
    cost=SMALL,
    at="statement",
    of=tree.If,
)
def _dangling_else(site: TemplateSite[tree.If]) -> Iterator[TemplateChange]:
    """An ``else`` belongs to the outer ``if``."""
    inner = site.node.then
    if site.node.otherwise is not None or not isinstance(inner, tree.If) or inner.otherwise is None:
        return
    begin, then, unit = (
        statement_span_at_site(site, inner),
        statement_span_at_site(site, inner.then),
        statement_unit_at_site(site, site.node),
    )
    if begin is not None and then is not None and unit is not None:
        text = site.around.source.text[begin[0] : then[1]]
        yield _restructured(unit, (begin[0], then[1]), f"{{ {text} }}")


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


@template(
    "jump too early",
    example="while (i < n) { if (a[i]) i++; else return 0; } -> while (i < n) { if (a[i]) i++; }",
    kind="restructuring",
    cost=LARGE,
    at="statement",
    of=tree.If,
)
def _without_jump(site: TemplateSite[tree.If]) -> Iterator[TemplateChange]:
    """An ``else`` that only jumps is taken out."""
    s = site.node
    if s.otherwise is None or not isinstance(jump := _only(s.otherwise), _JUMPS):
        return
    then, last, unit = (
        statement_span_at_site(site, s.then),
        statement_span_at_site(site, s.otherwise),
        statement_unit_at_site(site, jump) or statement_unit_at_site(site, s),
    )
    if then is not None and last is not None and unit is not None:
        # What follows stays in its lines, by which properties are known.
        lines = site.around.source.text.count("\n", then[1], last[1])
        yield _restructured(unit, (then[1], last[1]), "\n" * lines)


@template(
    "jump behind its loop",
    example="{ while (i < n) if (a[i]) i++; else return 0; } -> { while (i < n) if (a[i]) i++; return 0; }",
    kind="restructuring",
    cost=LARGE,
    at="statement",
    of=tree.Compound,
)
def _jump_behind_loop(site: TemplateSite[tree.Compound]) -> Iterator[TemplateChange]:
    """A ``return`` in an ``else`` within a loop belongs behind the loop, where there is none."""
    text = site.around.source.text
    for loop, following in pairwise((*site.node.items, None)):
        if not isinstance(loop, tree.While | tree.For) or isinstance(following, tree.Return):
            continue
        branch = _only(loop.body)
        otherwise = branch.otherwise if isinstance(branch, tree.If) else None
        if (
            not isinstance(branch, tree.If)
            or otherwise is None
            or not isinstance(jump := _only(otherwise), tree.Return)
        ):
            continue
        then, last, own, whole = (
            statement_span_at_site(site, s) for s in (branch.then, otherwise, jump, loop)
        )
        unit = statement_unit_at_site(site, jump)
        if (
            then is not None
            and last is not None
            and own is not None
            and whole is not None
            and unit is not None
        ):
            rest, end = text[last[1] : whole[1]], max(last[1], whole[1])
            lines = text.count("\n", then[1], end) - rest.count("\n")
            behind = "\n" + " " * (whole[0] - text.rfind("\n", 0, whole[0]) - 1) if lines else " "
            moved = "\n" * (lines - 1) + rest + behind + text[slice(*own)]
            yield _restructured(unit, (then[1], end), moved)


def _only(s: tree.Statement) -> tree.Statement:
    """The only statement of a block; any other statement is itself."""
    while isinstance(s, tree.Compound) and len(s.items) == 1:
        s = s.items[0]
    return s


@template(
    "another label of a jump",
    example="if (i < n) goto first; x = 1; first: x = 2; last: y = 2; -> if (i < n) goto last; x = 1; first: x = 2; last: y = 2;",
    kind="restructuring",
    cost=SMALL,
    at="statement",
    of=tree.If,
)
def _another_jump(site: TemplateSite[tree.If]) -> Iterator[TemplateChange]:
    """Another label of the function for a ``goto`` under a condition."""
    s = site.node
    for branch in (s.then, s.otherwise):
        last = _last_of(branch)
        unit = statement_unit_at_site(site, branch) if isinstance(branch, tree.Compound) else None
        span = None if last is None else site.around.source.span(last.location)
        unit = unit or statement_unit_at_site(site, s)
        if isinstance(last, tree.Goto) and span is not None and unit is not None:
            for name in _labels(site.around.function.body):
                if name != last.label:
                    yield _restructured(unit, span, f"goto {name}")


def _last_of(s: tree.Statement | None) -> tree.Statement | None:
    """The statement with which a branch ends."""
    while isinstance(s, tree.Compound) and s.items:
        s = s.items[-1]
    return s


def _labels(body: tree.Statement | None) -> list[str]:
    """Names of the labels in a function's body, in order."""
    found: list[str] = []
    stack = [] if body is None else [body]
    while stack:
        s = stack.pop()
        if isinstance(s, tree.Label):
            found.append(s.name)
        stack += reversed(queries.syntax_statements_in(s))
    return found


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
