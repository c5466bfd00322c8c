"""Templates for what is missing: tests before a statement, jumps, assignments and counts.

p->left = a[i] / d;            ->   if (p) ...,  if (i >= 0) ...,  if (i < HOLE) ...,  if (d) ...,  if (d < HOLE) ...
int f(const char *s, int n)    ->   if (!s) return HOLE;  if (n == HOLE) return 0;  if (n < HOLE) return -1;  ...
return x;                      ->   return n++, x;
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final, TypeAlias

from cfrontend import goto
from cfrontend.edit.ingredients import (
    ingredient_expressions_within,
    ingredient_names,
    ingredient_writes,
)
from cfrontend.edit.template import LARGE_SELDOM, TemplateChange, TemplateSite, template
from cfrontend.edit.text import negated_test_text
from cfrontend.settings import HOLE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    CHAR,
    ArrayType,
    IntType,
    PointerType,
    StructType,
    VoidType,
    is_integer_type_but_bool,
)

Loop: TypeAlias = tree.While | tree.DoWhile | tree.For

_MOST_VARIABLES: Final = 4
"""Variables of a statement that are compared."""

_MOST_STRINGS: Final = 2
"""Strings of which a character is stepped over, the first ones of the function."""

_MOST_PARAMETERS: Final = 3
"""Parameters of a function that are compared with a constant where it begins."""

_RESULTS: Final = ("0", "1", "-1")
"""Results that a function usually returns where there is nothing to do."""


@template(
    "missing test of a pointer",
    example="p->value = 1; -> if (p) p->value = 1;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="effect",
)
def _pointer_tested(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A statement only where the pointers that it dereferences are not null."""
    yield from _guarded(site, _pointers_in(site.node))


@template(
    "missing test of an index",
    example="a[i] = 1; -> if (i >= 0) a[i] = 1;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="effect",
)
def _index_tested(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A statement only where an index is not negative, or below the length."""
    for part in goto.goto_subexpressions(site.node):
        if isinstance(part, tree.Index) and isinstance(
            index := queries.syntax_below_implicit_conversions(part.index), tree.VariableRef
        ):
            name, above = index.symbol.name, f"{index.symbol.name} < {_length(part.base)}"
            yield from _guarded(site, (f"{name} >= 0", above, f"{name} >= 0 && {above}"))


def _length(base: Expression) -> str:
    """Number of elements of an array; a hole where that is not known."""
    array = queries.syntax_below_conversions(base).type
    return HOLE if not isinstance(array, ArrayType) or array.length is None else str(array.length)


@template(
    "missing test of a divisor",
    example="x = n / y; -> if (y) x = n / y;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="effect",
)
def _divisor_tested(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A statement only where what it divides by is not 0."""
    yield from _guarded(site, _divisors_in(site.node))


@template(
    "missing test of a variable",
    example="x = n; -> if (n > ?) x = n;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="effect",
)
def _variable_tested(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A statement only where a variable that it reads, or what it counts, compares to some constant."""
    e, counted = site.node, _counted_place(site)
    for name in (*_read_in(e), *(() if counted is None else (counted,))):
        yield from _guarded(site, (f"{name} {op} {HOLE}" for op in (">", "<", "!=")))


@template(
    "missing test of two variables",
    example="x = n - i; -> if (n > i) x = n - i;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="effect",
)
def _variables_compared(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A statement only where two variables that it reads compare to each other."""
    for one, two in combinations(_read_in(site.node), 2):
        yield from _guarded(site, (f"{one} {op} {two}" for op in (">", "<", "!=", "||", "&&")))


@template(
    "missing comparison with what is overwritten",
    example="x = a[i]; -> if (a[i] > x) x = a[i];",
    kind="addition",
    cost=LARGE_SELDOM,
    at="effect",
)
def _compared_with_overwritten(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """An assignment only where the value is greater than what it overwrites, or less: a maximum, or a minimum."""
    e = site.node
    if not isinstance(e, tree.Assign) or not is_integer_type_but_bool(e.target.type):
        return
    value = queries.syntax_below_implicit_conversions(e.value)
    plain = isinstance(value, tree.VariableRef | tree.Index | tree.MemberAccess | tree.Deref | tree.Binary)
    target, given = site.text_of(e.target), site.text_of(value)
    if plain and target is not None and given is not None and not _has_effect(e.target, value):
        if "\n" in target + given:
            return  # lines behind it would be others
        if isinstance(value, tree.Binary):
            given = f"({given})"
        yield from _guarded(site, (f"{given} {op} {target}" for op in (">", "<")))


def _has_effect(*parts: Expression) -> bool:
    """True if something is called or written in ``parts``."""
    return any(
        ingredient_writes(part) or any(isinstance(one, tree.Call) for one in goto.goto_subexpressions(part))
        for part in parts
    )


@template(
    "missing test that stands elsewhere",
    example="if (i < n) x = 1; y = 2; -> if (i < n) x = 1; if (i < n) y = 2;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="effect",
)
def _tested_elsewhere(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A statement only where a condition that the file tests near by holds, or does not."""
    if site.span is not None:
        near = site.around.nameable.tested(site.span[0], site.scope)
        yield from _guarded(site, (*near, *map(negated_test_text, near)))


def _guarded(site: TemplateSite[Expression], guards: Iterable[str]) -> Iterator[TemplateChange]:
    """The statement of a site behind each of ``guards``."""
    if site.text is not None and site.may_be_guarded:
        for guard in guards:
            yield TemplateChange(site.text, guard=guard, is_unused=True)


def _pointers_in(e: Expression) -> tuple[str, ...]:
    """The pointer variables that an expression dereferences."""
    read = (
        queries.syntax_below_implicit_conversions(part.pointer)
        for part in goto.goto_subexpressions(e)
        if isinstance(part, tree.Deref)
    )
    return tuple(dict.fromkeys(part.symbol.name for part in read if isinstance(part, tree.VariableRef)))


def _divisors_in(e: Expression) -> tuple[str, ...]:
    """The integer variables that an expression divides by."""
    divided = (
        queries.syntax_below_implicit_conversions(part.right if isinstance(part, tree.Binary) else part.value)
        for part in goto.goto_subexpressions(e)
        if isinstance(part, tree.Binary | tree.CompoundAssign) and part.op in ("/", "%")
    )
    found = (
        part.symbol.name
        for part in divided
        if isinstance(part, tree.VariableRef) and is_integer_type_but_bool(part.type)
    )
    return tuple(dict.fromkeys(found))


def _counted_place(site: TemplateSite[Expression]) -> str | None:
    """The member or element that a statement counts up or down, if naming it changes nothing."""
    e = site.node
    if not isinstance(e, tree.IncDec | tree.CompoundAssign) or isinstance(e.target, tree.VariableRef):
        return None
    if _has_effect(e.target) or not is_integer_type_but_bool(e.target.type):
        return None
    return site.text_of(e.target)


def _read_in(e: Expression) -> list[str]:
    """The first integer variables that an expression names, but for what it assigns to."""
    written = e.target if isinstance(e, tree.Assign | tree.CompoundAssign) else None
    words = (
        part.symbol.name
        for part in goto.goto_subexpressions(e)
        if isinstance(part, tree.VariableRef) and is_integer_type_but_bool(part.type) and part is not written
    )
    return list(dict.fromkeys(words))[:_MOST_VARIABLES]


@template(
    "missing assignment",
    example="y = 0; x = 1; -> y = 0; y = ?, x = 1;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("condition", "effect", "result"),
)
def _assignment_before(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """An assignment as it stands elsewhere, or a count, before an expression."""
    if site.span is not None:
        for one in site.around.statements.added(site.span[0], site.scope):
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
    if site.span is not None:
        for one in site.around.statements.added(site.span[0], site.scope):
            yield TemplateChange(f"{site.text}, {one}", binds=True, is_unused=True)


@template(
    "missing statement before a jump",
    example="while (i < n) { if (a[i] < 0) break; y = 0; i++; } -> while (i < n) { if (a[i] < 0) { y = ?; break; } y = 0; i++; }",
    kind="addition",
    cost=LARGE_SELDOM,
    at="jump",
)
def _statement_before_jump(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """An assignment or a call as it stands elsewhere, or a count, where a branch only leaves or does nothing."""
    if site.span is None or site.text is None:
        return
    near, at = site.around.statements, site.span[0]
    calls = site.around.nameable.calls(at, site.scope, VoidType(), site.callable_names)
    jump = site.text.lstrip(";")
    is_alone = not jump or site.around.source.text[:at].rstrip().endswith(("{", ":"))
    unwritten = (
        f"{place}++"
        for place, of, _ in near.unwritten_members(at, site.scope)
        if is_integer_type_but_bool(of)
    )
    given = (
        *unwritten,
        *near.resets(at, site.scope),
        *near.added(at, site.scope),
        *near.kept_pointers(at, site.scope),
        *near.assigned_calls(at, site.scope, site.callable_again),
        *near.alike(at, site.scope, site.callable_again),
    )
    for one in dict.fromkeys((*given, *calls)):
        whole = f"{one}; {jump}".rstrip()
        yield TemplateChange(whole if is_alone else f"{{ {whole} }}", form="statement")


@template(
    "missing assignment before a loop",
    example="while (i < n) i++; -> i = ?; while (i < n) i++;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="loop",
)
def _assignment_before_loop(site: TemplateSite[Loop]) -> Iterator[TemplateChange]:
    """An assignment as it stands elsewhere, or to a variable of the condition."""
    around, condition = site.around, site.node.condition
    if site.span is None or condition is None:
        return
    tested = {
        f"{part.symbol.name} = {HOLE}": tree.plain_syntax_symbol_key(part.symbol.key) in around.unwritten
        for part in goto.goto_subexpressions(condition)
        if isinstance(part, tree.VariableRef)
        and is_integer_type_but_bool(part.type)
        and part.symbol.name in site.scope
    }
    standing = around.statements.assigned(site.span[0], site.scope)
    for text, initializes in (dict.fromkeys(standing, False) | tested).items():
        yield TemplateChange(text, form="before", initializes=initializes)


@template(
    "missing step over a character",
    example="while (isalpha(s[i])) i++; x = i; -> while (isalpha(s[i])) i++; if (s[i] == ?) i++; x = i;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="item",
)
def _step_over_character(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A variable that goes along a string goes on where some character stands, before a statement."""
    if site.span is not None:
        for place, name in _characters_passed(site)[:_MOST_STRINGS]:
            yield TemplateChange(f"{name}++", form="before", guard=f"{place} == {HOLE}")


def _characters_passed(site: TemplateSite[Expression]) -> list[tuple[str, str]]:
    """Characters at which variables stand that the function counts up, and these, as far as the site knows them."""
    function, found = site.around.function, dict[tuple[str, str], None]()
    body = function.body
    above = site.node.location.line
    items = () if body is None else body.items
    own = {s.symbol.key for s in items if isinstance(s, tree.Declaration) and s.location.line < above}
    own |= {parameter.key for parameter in function.parameters}
    expressions = [] if body is None else list(ingredient_expressions_within(body))
    stepped = {
        e.target.symbol.key
        for e in expressions
        if isinstance(e, tree.IncDec) and e.op == "+" and isinstance(e.target, tree.VariableRef)
    }
    for e in expressions:
        if not isinstance(e, tree.Index | tree.Deref) or not isinstance(e.type, IntType) or _has_effect(e):
            continue
        at = queries.syntax_below_implicit_conversions(e.index if isinstance(e, tree.Index) else e.pointer)
        text, names = site.text_of(e), ingredient_names(e)
        if e.type.rank != CHAR.rank or not isinstance(at, tree.VariableRef) or text is None or not names:
            continue
        symbols = [p.symbol for p in goto.goto_subexpressions(e) if isinstance(p, tree.VariableRef)]
        if at.symbol.key in stepped and all(s.function is None or s.key in own for s in symbols):
            found[text, at.symbol.name] = None
    return list(found)


@template(
    "missing return where a statement cannot go on",
    example="x = n / y; -> if (!y) return ?; x = n / y;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="item",
)
def _left_before(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The function is left before a null pointer is dereferenced, or something divided by 0."""
    for name in (*_pointers_in(site.node), *_divisors_in(site.node)):
        for way in _ways_out(site):
            yield TemplateChange(way, form="before", guard=f"!{name}")


@template(
    "missing return on a null parameter",
    example="x = 1; -> if (!p) return ?; x = 1;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="opening",
)
def _left_on_null(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The function is left where it begins if a pointer that it is given is null."""
    for parameter in site.around.function.parameters:
        if isinstance(parameter.type, PointerType):
            for way in _ways_out(site):
                yield TemplateChange(way, form="before", guard=f"!{parameter.name}")


@template(
    "missing return on the value of a parameter",
    example="x = 1; -> if (n == ?) return -1; x = 1;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="opening",
)
def _return_guard_on_value(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The function is left where it begins if a number that it is given compares to some constant."""
    function = site.around.function
    result = function.type.result
    ways = [f"return {value}" for value in _RESULTS]
    if isinstance(result, VoidType):
        ways = ["return"]
    elif isinstance(result, StructType):
        ways = []
    elif function.name == "main" or not is_integer_type_but_bool(result):
        ways = ["return 0"]
    for name in [p.name for p in function.parameters if is_integer_type_but_bool(p.type)][:_MOST_PARAMETERS]:
        for op in ("==", "<", ">"):
            for way in ways:
                yield TemplateChange(way, form="before", guard=f"{name} {op} {HOLE}")


def _ways_out(site: TemplateSite[Expression]) -> Iterator[str]:
    """The statements that leave a function: with any value, or with that of a parameter.

    There is no value that may stand for any structure.
    """
    function = site.around.function
    result, is_main = function.type.result, function.name == "main"
    if isinstance(result, VoidType):
        yield "return"
        return
    if not isinstance(result, StructType):
        yield f"return {HOLE}" if is_integer_type_but_bool(result) and not is_main else "return 0"
    if not is_main:
        yield from (f"return {p.name}" for p in function.parameters if p.type == result)


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
