r"""Templates for statements that are missing, where what is left of them says so.

struct list { int size; };  nothing writes size    ->   p->size++,  p->size = n
int n = 0;  n++;  nothing sets n anew              ->   n = 0
x = a[i];  y = x;                                  ->   y = x, x = a[i]
p->sum += a[i];  in a loop, nothing sets it before ->   p->sum = 0;
q->age = 0;  elsewhere, p->left++;  here           ->   p->age = 0, p->left++
p->top = 0;  nothing sets p->count here            ->   p->top = 0, p->count = 0
strncpy(t, s, 7);                                  ->   strncpy(t, s, 7), t[7] = '\0'
int same(struct a *p, struct a *q)                 ->   if (p->kind != q->kind) return HOLE;
return f(p->next);                                 ->   if (!p->next) return HOLE;
p->data = copy;                                    ->   free(p->data), p->data = copy;
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, Final, TypeAlias

from cfrontend import goto
from cfrontend.edit.ingredients import ingredient_base_variable, ingredient_expressions_within
from cfrontend.edit.template import LARGE_SELDOM, SMALL, TemplateChange, TemplateSite, template
from cfrontend.edit.text import operand_text
from cfrontend.settings import HOLE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    CHAR,
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    is_integer_type_but_bool,
)

Loop: TypeAlias = tree.While | tree.DoWhile | tree.For

_MOST_KEPT: Final = 3
"""Variables that are given what another one had, the nearest ones."""

_MOST_COMPARED: Final = 4
"""Members of two parameters that are compared where a function begins, the first ones."""

_MOST_BESIDE: Final = 4
"""Members that are given a constant as another one is, those that are declared next to it."""

_COPIES: Final = {"strncpy": 0, "memcpy": 0, "memmove": 0}
"""Functions that copy characters and may leave out the end: the argument that is the place; the last is the length."""

_SIZE: Final = re.compile(r"sizeof\b[^-+*/%]*")

_FREED: Final = re.compile(r"\bfree\s*\(")

_READS: Final = {"read": 1, "recv": 1, "fread": 0}
"""Functions that read characters, and say how many: the argument that is the place."""


@template(
    "member that is never written",
    example="y = p->count; x = i; -> y = p->count; p->count = i, x = i;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("effect", "block end", "result"),
)
def _unwritten_member(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A member that is read and that nothing writes is given a variable of its type, or is counted."""
    for place, ctype, near in (
        () if site.span is None else site.around.statements.unwritten_members(site.span[0], site.scope)
    ):
        steps = [f"{place} = {one}" for one in near]
        if is_integer_type_but_bool(ctype):
            steps += [f"{place}++", f"{place}--", *(f"{place} {op}= {one}" for one in near for op in "+-")]
        yield from _added(site, steps)


@template(
    "missing assignment of a call",
    example="if (y) x = least(n, i); y = 2; -> if (y) x = least(n, i); x = least(n, i), y = 2;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("condition", "effect", "block end", "result"),
)
def _assigned_call(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A variable or place is given what a function returns, as it stands elsewhere."""
    if site.span is not None:
        near = site.around.statements
        yield from _added(site, near.assigned_calls(site.span[0], site.scope, site.callable_again))


@template(
    "missing statement like one that stands elsewhere",
    example="if (y) p->value = n; x = 1; -> if (y) p->value = n; p->count = n, x = 1;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("effect", "block end", "result"),
)
def _like_another(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """An assignment or a count that stands elsewhere, for another member of its type, or with another enumerator."""
    if site.span is not None:
        near = site.around.statements
        yield from _added(site, near.alike(site.span[0], site.scope, site.callable_again))


@template(
    "missing copy of a place",
    example="x = a[n]; y = a[i]; -> x = a[n]; a[n] = a[i], y = a[i];",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("effect", "block end"),
)
def _copied_place(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """An element, a member, or what a pointer leads to is given another one of its type that stands near by."""
    if site.span is not None:
        yield from _added(site, site.around.statements.copied_places(site.span[0], site.scope))


@template(
    "missing move of an element",
    example="x = a[n]; i++; -> x = a[n]; a[i] = a[n], i++;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="effect",
    of=tree.IncDec,
)
def _element_moved(site: TemplateSite[tree.IncDec]) -> Iterator[TemplateChange]:
    """The element that a variable counts is given another one of its array before the variable goes on."""
    target = site.node.target
    if isinstance(target.type, PointerType):
        return
    if isinstance(target, tree.VariableRef) and site.span is not None:
        near = site.around.statements
        yield from _added(site, near.moved_elements(target.symbol.name, site.span[0], site.scope))


@template(
    "nothing done with what a pointer leads to",
    example="int *z = a; x = n; -> int *z = a; *z += n, x = n;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("effect", "block end", "result"),
)
def _written_through_pointer(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The number that a pointer leads to which nothing reads is set, or changed, or counted."""
    if site.span is None or site.text is None:
        return
    for name in site.around.nameable.forgotten_pointers(site.scope):
        steps = _changes_by_what_is_near(site, site.span[0], name, f"*{name}")
        yield from _added(site, (*steps, f"(*{name})++", f"(*{name})--"))


@template(
    "variable that is given nothing",
    example="y = twice(n); x = i; -> y = twice(n); i = twice(n), x = i;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("condition", "effect", "result"),
)
def _given_nothing(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A variable that failing executions read before it is written is given what another one is, or likewise."""
    if site.span is None:
        return
    near, at = site.around.statements, site.span[0]
    for name, symbol in site.scope.items() if site.around.unwritten else ():
        if name == symbol.name and tree.plain_syntax_symbol_key(symbol.key) in site.around.unwritten:
            for one in dict.fromkeys(near.twins(symbol, at, site.scope, site.callable_names)):
                text = f"{one}, {site.text}"
                yield TemplateChange(text, binds=True, is_unused=site.role == "effect", initializes=True)


@template(
    "call of a function that nothing calls",
    example="x = n; -> count(n), x = n;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("condition", "effect", "block end", "result"),
)
def _forgotten_call(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A function that is defined and never called is called, and a variable of its type is given the result."""
    if site.span is None:
        return
    near, at = site.around.statements, site.span[0]
    for call, result in near.forgotten_calls(at, site.scope, site.callable_names):
        names = near.of_type(at, site.scope, result, site.around.unwritten)
        yield from _added(site, (call, *(f"{name} = {call}" for name in names)))


@template(
    "another value for the same place",
    example="a[i] = n; x = y; -> a[i] = n; a[i] = y, x = y;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("effect", "block end"),
)
def _another_assigned(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A place that is written elsewhere is given a variable, or a variable and some constant."""
    if site.span is None:
        return
    near, at = site.around.statements, site.span[0]
    for place, names in near.written_places(at, site.scope):
        yield from _added(site, (f"{place} = {name}{more}" for name in names for more in ("", f" + {HOLE}")))


@template(
    "missing reset",
    example="int total = 0; total++; x = n; -> int total = 0; total++; total = 0, x = n;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("effect", "block end"),
)
def _reset(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A variable that is changed and never set anew is what it was at the beginning."""
    if site.span is not None:
        yield from _added(site, site.around.statements.resets(site.span[0], site.scope))


@template(
    "missing reset of another object",
    example="q->value = 0; p->count++; x = n; -> q->value = 0; p->value = 0, p->count++; x = n;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("effect", "block end"),
)
def _reset_of_another(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A member that is reset elsewhere is reset in the object whose other members a statement writes."""
    targets = (e.target for e in _writes(goto.goto_subexpressions(site.node)))
    bases = (ingredient_base_variable(e) for e in targets if isinstance(e, tree.MemberAccess))
    names = {symbol.name for symbol in bases if symbol is not None}
    if site.span is not None and names:
        yield from _added(site, site.around.statements.member_resets(site.span[0], site.scope, names))


@template(
    "missing assignment of another member",
    example="p->value = 0; x = n; -> p->value = 0, p->count = 0; x = n;",
    kind="addition",
    cost=SMALL,
    at="effect",
    of=tree.Assign,
)
def _member_beside(site: TemplateSite[tree.Assign]) -> Iterator[TemplateChange]:
    """Where one member gets a constant, another one of the object that the function does not write gets it, or 0."""
    target, value = site.node.target, site.text_of(site.node.value)
    is_constant = isinstance(queries.syntax_below_conversions(site.node.value), tree.IntConstant)
    place, written = site.text_of(target), site.around.survey.written
    if not isinstance(target, tree.MemberAccess) or not is_constant or place is None:
        return
    before = place.removesuffix(target.member)
    beside = site.around.nameable.scalars_beside(target)
    for member in [one for one in beside if f"{before}{one.name}" not in written][:_MOST_BESIDE]:
        constant = value if member.type == target.type and value is not None else "0"
        yield TemplateChange(f"{site.text}, {before}{member.name} = {constant}", binds=True, is_unused=True)


@template(
    "value that should be kept",
    example="x = n; -> y = x, x = n;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="effect",
    of=tree.Assign,
)
def _kept_value(site: TemplateSite[tree.Assign]) -> Iterator[TemplateChange]:
    """Another variable, which the assignment does not read, is given what that overwrites."""
    target = site.node.target
    if isinstance(target, tree.VariableRef) and site.span is not None:
        inner = goto.goto_subexpressions(site.node.value)
        read = {part.symbol.key for part in inner if isinstance(part, tree.VariableRef)}
        alike = site.around.nameable.writable_alike(target.symbol, site.scope)
        others = [s.name for s in alike if s.function is not None and s.key not in read]
        start, source = site.span[0], site.around.source
        near = sorted(others, key=lambda name: source.distance(name, start))
        for one in near[:_MOST_KEPT]:
            yield TemplateChange(f"{one} = {target.symbol.name}, {site.text}", binds=True, is_unused=True)


@template(
    "variable that is never changed",
    example="int z = 0; x = z; y = n; -> int z = 0; x = z; z += n, y = n;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("effect", "block end", "result"),
)
def _unchanged_variable(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A number that a function begins with 0 or 1 and never changes is counted, or given or added what is near by."""
    if site.span is None:
        return
    at = site.span[0]
    for name in site.around.statements.unchanged_variables(at, site.scope):
        steps = _changes_by_what_is_near(site, at, name, name)
        yield from _added(site, (f"{name}++", f"{name}--", *steps))


def _changes_by_what_is_near(site: TemplateSite[Any], at: int, name: str, place: str) -> Iterator[str]:
    """Assignments to a place, by ``+=`` and ``=``, of what may stand for the variable ``name`` near ``at``."""
    near = site.around.nameable
    values = (*near.words(at, site.scope, name), *near.flags(at, site.scope, name))
    return (f"{place} {op} {one}" for one in values for op in ("+=", "="))


def _added(site: TemplateSite[Any], steps: Iterable[str]) -> Iterator[TemplateChange]:
    """Each of some assignments before an expression, or behind the last one of a block."""
    for one in steps:
        if site.role == "block end":
            yield TemplateChange(f"{site.text}, {one}", binds=True, is_unused=True)
        else:
            yield TemplateChange(f"{one}, {site.text}", binds=True, is_unused=site.role == "effect")


@template(
    "missing base case of a recursion",
    example="x = p->next->value; -> if (!p->next) return ?; x = p->next->value;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="item",
)
def _base_case(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The function is left where all links that a statement follows are null."""
    links = [
        part
        for part in goto.goto_subexpressions(site.node)
        if isinstance(part, tree.MemberAccess)
        and isinstance(part.type, PointerType)
        and isinstance(part.type.target, StructType)
        and part.type.target.key == part.struct_key
    ]
    texts = list(dict.fromkeys(text for one in links if (text := site.text_of(one)) is not None))
    result = site.around.function.type.result
    if texts and is_integer_type_but_bool(result) and site.around.function.name != "main":
        guard = " && ".join(f"!{text}" for text in texts)
        yield TemplateChange(f"return {HOLE}", form="before", guard=guard)


@template(
    "missing start of a sum",
    example="while (i < n) p->value += a[i++]; -> p->value = 0; while (i < n) p->value += a[i++];",
    kind="addition",
    cost=LARGE_SELDOM,
    at="loop",
)
def _sum_started(site: TemplateSite[Loop]) -> Iterator[TemplateChange]:
    """A member or an element that a loop changes from what it is, and nothing in the function sets, is 0 before."""
    body = site.around.function.body
    if body is None:
        return
    changed: dict[str, None] = {}
    inside = list(ingredient_expressions_within(site.node))
    moving = {e.target.symbol.key for e in _writes(inside) if isinstance(e.target, tree.VariableRef)}
    for e in _writes(inside):
        text = site.text_of(e.target)
        read = [part for part in goto.goto_subexpressions(e.target) if isinstance(part, tree.VariableRef)]
        in_scope = all(part.symbol.name in site.scope and part.symbol.key not in moving for part in read)
        if text is not None and in_scope and _is_sum(e, text, site):
            changed[text] = None
    for e in _writes(ingredient_expressions_within(body)):
        if isinstance(e, tree.Assign) and not _reads(e.value, site.text_of(e.target), site):
            changed.pop(site.text_of(e.target) or "", None)
    for text in changed:
        yield TemplateChange(f"{text} = 0", form="before")


def _writes(
    expressions: Iterable[Expression],
) -> Iterator[tree.Assign | tree.CompoundAssign | tree.IncDec]:
    return (e for e in expressions if isinstance(e, tree.Assign | tree.CompoundAssign | tree.IncDec))


def _is_sum(e: tree.Assign | tree.CompoundAssign | tree.IncDec, text: str, site: TemplateSite[Loop]) -> bool:
    """True if an expression changes a number that is no variable from what it is."""
    if not isinstance(e.target, tree.MemberAccess | tree.Index | tree.Deref):
        return False
    is_number = isinstance(e.target.type, IntType | FloatType)
    return is_number and (not isinstance(e, tree.Assign) or _reads(e.value, text, site))


def _reads(value: Expression, text: str | None, site: TemplateSite[Loop]) -> bool:
    """True if ``text`` is a part of an expression."""
    return any(site.text_of(part) == text for part in goto.goto_subexpressions(value))


@template(
    "missing end of a copied string",
    example='strncpy(s, "no", 1); -> strncpy(s, "no", 1), s[1] = \'\\0\';',
    kind="addition",
    cost=LARGE_SELDOM,
    at="effect",
    of=(tree.Call, tree.Assign),
)
def _copy_ended(site: TemplateSite[tree.Call | tree.Assign]) -> Iterator[TemplateChange]:
    """The end of a string behind the characters that a call has copied, or read."""
    node = queries.syntax_below_implicit_conversions(site.node)
    call = queries.syntax_below_conversions(node.value) if isinstance(node, tree.Assign) else node
    if not isinstance(call, tree.Call) or not isinstance(call.callee, tree.FunctionRef):
        return
    place = (_READS if isinstance(node, tree.Assign) else _COPIES).get(call.callee.name)
    if place is None or len(call.arguments) <= place:
        return
    written = queries.syntax_below_conversions(call.arguments[place])
    written = written.operand if isinstance(written, tree.Decay) else written
    text = site.text_of(written)
    if isinstance(node, tree.Assign):
        count = site.text_of(node.target)
    else:
        count = _last_place(site, written, call.arguments[-1])
    if text is not None and count is not None and _has_characters(written):
        yield TemplateChange(
            f"{site.text}, {operand_text(text)}[{count}] = '\\0'", binds=True, is_unused=True
        )


def _last_place(
    site: TemplateSite[tree.Call | tree.Assign], written: Expression, length: Expression
) -> str | None:
    """The place behind ``length`` characters; the last one of an array that has no more."""
    text, size = site.text_of(length), queries.syntax_below_conversions(length)
    array = written.type.length if isinstance(written.type, ArrayType) else None
    is_whole = isinstance(size, tree.IntConstant) and size.value == array
    return text if text is None or not (is_whole or _SIZE.fullmatch(text)) else f"{text} - 1"


def _has_characters(e: Expression) -> bool:
    """True if an expression is an array of characters or points to them."""
    element = e.type.element if isinstance(e.type, ArrayType) else None
    target = e.type.target if isinstance(e.type, PointerType) else element
    return isinstance(target, IntType) and target.rank == CHAR.rank


@template(
    "memory that is never freed",
    example="free(s); p->next = q; -> free(s); free(p->next), p->next = q;",
    kind="addition",
    cost=SMALL,
    at="effect",
    of=(tree.Assign, tree.Call),
)
def _freed(site: TemplateSite[tree.Assign | tree.Call]) -> Iterator[TemplateChange]:
    """A missing ``free``: before a pointer is overwritten, and of the pointers of an object before that is freed.

    Such an edit hardly repairs anything but a leak, where it is the likeliest one.
    """
    if site.text is None or not _FREED.search(site.around.source.text):
        return
    if isinstance(site.node, tree.Assign):
        target = site.node.target
        text = site.text_of(target)
        if isinstance(target.type, PointerType) and text is not None:
            yield TemplateChange(f"free({text}), {site.text}", binds=True, is_unused=True)
        return
    callee, arguments = site.node.callee, site.node.arguments
    if isinstance(callee, tree.FunctionRef) and callee.name == "free" and len(arguments) == 1:
        freed = queries.syntax_below_conversions(arguments[0])
        for pointer in site.around.nameable.pointers_of(freed) if isinstance(freed, tree.VariableRef) else ():
            yield TemplateChange(f"free({pointer}), {site.text}", binds=True, is_unused=True)


@template(
    "missing return where members differ",
    example="x = 1; -> if (p->value != q->value) return ?; x = 1;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="opening",
)
def _left_on_difference(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The function is left where it begins if two objects that it is given differ in a number."""
    function = site.around.function
    if not is_integer_type_but_bool(function.type.result) or function.name == "main":
        return
    for one, two in combinations(function.parameters, 2):
        if one.type == two.type:
            for member in site.around.nameable.numbers_of(one)[:_MOST_COMPARED]:
                guard = f"{one.name}{member} != {two.name}{member}"
                yield TemplateChange(f"return {HOLE}", form="before", guard=guard)
