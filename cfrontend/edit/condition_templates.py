"""Templates for the conditions of branches and loops.

while (a[i] != x)     ->   while (!(a[i] != x)),  while (i < n && (a[i] != x)),  while ((a[i] != x) && x < HOLE)
if (x = y)            ->   if (x == y)
if (p->value > 9)     ->   if (!p->valid)
if (y < 0)            ->   if (y < 0 || y > n), as in  if (x < 0 || x > n)
if (i == n || n == x) ->   if (i == n || n == x || i == x)
while (scanf(f, &n))  ->   while (scanf(f, &n) == HOLE)
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from cfrontend import goto
from cfrontend.edit.ingredients import COMPARISONS
from cfrontend.edit.template import (
    LARGE,
    LARGE_SELDOM,
    SMALL,
    SMALL_SELDOM,
    TemplateChange,
    TemplateSite,
    template,
)
from cfrontend.edit.text import negated_test_text, operand_text
from cfrontend.settings import HOLE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CHAR, INT, IntType, is_integer_type_but_bool

_WORDS: Final = re.compile(r"[A-Za-z_]\w*|\d\w*|[^\w\s]")
"""Words and signs of an expression."""

_MOST_TOLD_APART: Final = 2
"""Variables of a condition, and others, that are compared with each other: the first ones, and the nearest ones."""

_MOST_PAIRS: Final = 3
"""Pairs of variables that a row of comparisons lacks: the first ones."""

_MOST_MEMBERS: Final = 4
"""Members of a structure that are tested in the place of another one: the first ones."""

_MOST_MIRRORED: Final = 4
"""Parts of a condition that one more may mirror: the last ones."""

_NAMED: Final = re.compile(r"(?<!->)(?<!\.)\b[A-Za-z_]\w*")
"""Names in a text but those of members."""

_LOOSE: Final = re.compile(r"[|&?,]|(?<![=!<>])=(?!=)")
"""Operators that bind no tighter than ``&&`` and ``||``, or look so."""


@template(
    "negated condition",
    example="if (i < n) x = 1; -> if (!(i < n)) x = 1;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at=("condition", "truth"),
)
def _negated_condition(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The opposite of the condition."""
    is_tested = site.role == "condition" and site.text is not None
    opposite = negated_test_text(site.text or "") if is_tested else f"!({site.text})"
    if not is_tested and (site.text or "").isidentifier():
        opposite = f"!{site.text}"
    yield TemplateChange(opposite, binds=True)


@template(
    "assignment that should compare",
    example="if (x = y) n = 1; -> if (x == y) n = 1;",
    kind="replacement",
    cost=SMALL,
    at="condition",
)
def _comparison_for_assignment(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """``==`` for ``=``, which reaches as far as its first part where what is assigned is a condition."""
    assigned = queries.syntax_below_conversions(site.node)
    if isinstance(assigned, tree.Assign):
        one, two = site.text_of(assigned.target), site.text_of(assigned.value)
        if one is None or two is None:
            return
        if isinstance(queries.syntax_below_conversions(assigned.value), tree.Logical | tree.Conditional):
            yield TemplateChange(f"{one} == {two}")
        yield TemplateChange(f"{one} == {operand_text(two)}")


@template(
    "pointer in the place of its member",
    example="while (p->next) p = p->next; -> while (p) p = p->next;",
    kind="replacement",
    cost=LARGE,
    at="condition",
)
def _pointer_itself(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """``while (p)`` for ``while (p->next)``."""
    tested = queries.syntax_below_conversions(site.node)
    if isinstance(tested, tree.MemberAccess) and isinstance(tested.base, tree.Deref):
        pointer = site.text_of(tested.base.pointer)
        if pointer is not None:
            yield TemplateChange(pointer)


@template(
    "condition that always holds",
    example="if (i < n) x = 1; -> if (1) x = 1;",
    kind="replacement",
    cost=LARGE,
    at="condition",
)
def _always_true_condition(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:  # noqa: ARG001
    """1 for the condition."""
    yield TemplateChange("1")


@template(
    "condition that never holds",
    example="if (i < n) x = 1; -> if (0) x = 1;",
    kind="replacement",
    cost=LARGE,
    at="condition",
)
def _always_false_condition(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:  # noqa: ARG001
    """0 for the condition."""
    yield TemplateChange("0")


@template(
    "member tested in the place of a compared one",
    example="if (p->value > 9) x = 1; -> if (!p->count) x = 1;",
    kind="replacement",
    cost=LARGE,
    at="condition",
)
def _member_tested(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A member of the structure of which another one is compared: whether it is set, or is not."""
    compared = queries.syntax_below_conversions(site.node)
    if not isinstance(compared, tree.Binary) or compared.op not in COMPARISONS:
        return
    members = map(queries.syntax_below_conversions, (compared.left, compared.right))
    for one in (member for member in members if isinstance(member, tree.MemberAccess)):
        text, layout = site.text_of(one), site.around.program.structs.get(one.struct_key)
        if text is None or layout is None or not text.endswith(one.member):
            continue
        others = [m.name for m in layout.members if m.name != one.member and isinstance(m.type, IntType)]
        for other in list(filter(None, others))[:_MOST_MEMBERS]:
            whole = text[: -len(one.member)] + other
            yield TemplateChange(f"!{whole}")
            yield TemplateChange(whole)


@template(
    "missing bound of a variable",
    example="while (a[i] != x) i++; -> while ((a[i] != x) && i < ?) i++;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("condition", "truth"),
)
def _bounded_condition(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A condition with a bound more, or with an exception, for each variable that it reads."""
    names = dict.fromkeys(
        part.symbol.name
        for part in goto.goto_subexpressions(site.node)
        if isinstance(part, tree.VariableRef) and is_integer_type_but_bool(part.type)
    )
    for name in names:
        for joint, operators in (("&&", ("<", ">", "!=")), ("||", ("<", ">", "=="))):
            for op in operators:
                yield TemplateChange(f"({site.text}) {joint} {name} {op} {HOLE}")


@template(
    "missing test of a remainder",
    example="y = x % 3; if (n % 4 == 0) x = 1; -> y = x % 3; if ((n % 4 == 0) && n % 3 != 0) x = 1;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("condition", "truth"),
)
def _remainder_tested(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A condition on a remainder, but for multiples of another number, or also for these."""
    divided = [
        part.left
        for part in goto.goto_subexpressions(site.node)
        if isinstance(part, tree.Binary) and part.op == "%" and is_integer_type_but_bool(part.type)
    ]
    near = () if site.span is None else site.around.nameable.divisors(site.span[0], site.scope)
    for text in dict.fromkeys(filter(None, map(site.text_of, divided))):
        for other in (*near, HOLE):
            rest = f"{operand_text(text)} % {operand_text(other)}"
            if rest not in (site.text or ""):
                yield TemplateChange(f"({site.text}) && {rest} != 0")
                yield TemplateChange(f"({site.text}) || {rest} == 0")


@template(
    "missing comparison of two variables",
    example="if (x > 2) x = 1; -> if ((x > 2) && x != n) x = 1;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("condition", "truth"),
)
def _told_apart(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A condition only where two variables differ, or also where they are equal: one that it reads, and one near by."""
    read = [
        part.symbol
        for part in goto.goto_subexpressions(site.node)
        if isinstance(part, tree.VariableRef) and is_integer_type_but_bool(part.type)
    ]
    for symbol in list(dict.fromkeys(read))[:_MOST_TOLD_APART]:
        others = [name for name in _words(site) if site.scope[name].type == symbol.type]
        for name in others[:_MOST_TOLD_APART]:
            yield TemplateChange(f"({site.text}) && {symbol.name} != {name}")
            yield TemplateChange(f"({site.text}) || {symbol.name} == {name}")


@template(
    "missing test of an index or a pointer",
    example="while (a[i] != x) i++; -> while (i < n && (a[i] != x)) i++;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("condition", "truth"),
)
def _guarded_condition(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A condition behind a test of an index, which may have a near variable for a bound, or of a pointer."""
    if site.text is None:
        return
    inner, words = list(goto.goto_subexpressions(site.node)), _words(site)
    guards = [f"{text} != '\\0'" for text in _characters(inner, site)]
    for index in (
        queries.syntax_below_implicit_conversions(part.index)
        for part in inner
        if isinstance(part, tree.Index)
    ):
        if isinstance(index, tree.VariableRef):
            name = index.symbol.name
            guards += [f"{name} >= 0", f"{name} < {HOLE}", *(f"{name} < {word}" for word in words)]
    for pointer in (
        queries.syntax_below_implicit_conversions(part.pointer)
        for part in inner
        if isinstance(part, tree.Deref)
    ):
        if isinstance(pointer, tree.VariableRef):
            guards.append(pointer.symbol.name)
    for guard in dict.fromkeys(guards):
        yield TemplateChange(f"{guard} && ({site.text})")


def _characters(parts: Iterable[Expression], site: TemplateSite[Expression]) -> Iterator[str]:
    """The characters of strings that a condition reads, where it may go on at the end of one."""
    for part in parts if "'\\0'" not in (site.text or "") else ():
        if isinstance(part, tree.Index | tree.Deref) and isinstance(part.type, IntType):
            text = site.text_of(part)
            if text is not None and part.type.rank == CHAR.rank and text != site.text:
                yield text


@template(
    "missing part of a condition",
    example="if (i < n) x = 1; -> if ((i < n) && !y) x = 1;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("condition", "truth"),
)
def _condition_with_one_more_part(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A condition with one more part: an element, a member or a variable near by, which is set or is not."""
    if site.span is None or site.text is None:
        return
    flags = site.around.nameable.flags(site.span[0], site.scope, site.text)
    for one in (*flags, *_words(site)):
        for joint, flag in itertools.product(("&&", "||"), (f"!{operand_text(one)}", operand_text(one))):
            yield TemplateChange(f"({site.text}) {joint} {flag}")


@template(
    "missing test for a null pointer",
    example="if (i == 0) x = 1; else x = p->count; -> if ((i == 0) || !p) x = 1; else x = p->count;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at="condition",
)
def _condition_with_null_test(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A condition that also asks whether a pointer near by is null, which it does not name."""
    if site.span is None or site.text is None:
        return
    for pointer in site.around.nameable.pointers(site.span[0], site.scope, site.text):
        yield TemplateChange(f"({site.text}) || !{operand_text(pointer)}")
        yield TemplateChange(f"({site.text}) && {operand_text(pointer)}")


@template(
    "missing part that stands elsewhere",
    example="if (i < n) x = 1; y = x > 3; -> if (i < n) x = 1; y = (x > 3) && i < n;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("condition", "truth"),
)
def _condition_with_part_of_elsewhere(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A condition, or a truth value, with a part more that a condition of the file near by has."""
    if site.span is None or site.text is None:
        return
    for one in site.around.nameable.truths(site.span[0], site.scope, site.text, site.callable_names):
        yield TemplateChange(
            f"({site.text}) && {operand_text(one)}" if "||" in one else f"({site.text}) && {one}"
        )
        yield TemplateChange(f"({site.text}) || {one}")


@template(
    "missing comparison with a constant",
    example="if (i < n) x = 1; -> if ((i < n) && x != ?) x = 1;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("condition", "truth"),
)
def _compared_with_constant(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A condition but for some value of a near variable, element or member, or also for that value."""
    if site.span is None or site.text is None or _is_constant(site.node):
        return
    flags = site.around.nameable.flags(site.span[0], site.scope, site.text)
    for one in (*flags[:_MOST_TOLD_APART], *_words(site)[:_MOST_TOLD_APART]):
        yield TemplateChange(f"({site.text}) && {one} != {HOLE}")
        yield TemplateChange(f"({site.text}) || {one} == {HOLE}")


@template(
    "comparison in the place of a constant condition",
    example="if (1) x = 1; -> if (n > ?) x = 1;",
    kind="replacement",
    cost=LARGE,
    at=("condition", "part"),
    of=(tree.Cast, tree.IntConstant),
)
def _comparison_for_constant(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A near variable, element or member is compared with some constant, or with another variable."""
    if site.span is None or site.text is None or not _is_constant(site.node):
        return
    names = site.around.nameable.words(site.span[0], site.scope, site.text)
    places = (*names, *site.around.nameable.flags(site.span[0], site.scope, site.text))
    for one in places:
        yield from (TemplateChange(f"{one} {op} {HOLE}") for op in ("<", ">", "==", "!="))
    yield from (TemplateChange(f"{one} % {HOLE} {op} 0") for one in names for op in ("==", "!="))
    calls = site.around.nameable.calls(site.span[0], site.scope, INT, site.callable_names)
    yield from (TemplateChange(f"{one} {op} {HOLE}") for one in calls for op in ("==", "!="))
    for one, two in itertools.combinations(places, 2):
        yield from (TemplateChange(f"{one} {op} {two}") for op in ("<", "<=", ">", ">=", "==", "!="))


def _is_constant(e: Expression) -> bool:
    """True if an expression is a number."""
    return isinstance(queries.syntax_below_conversions(e), tree.IntConstant)


@template(
    "missing part of a like condition",
    example="if (x > 2 && x < n) i = x; if (y > 2) i = y; -> if (x > 2 && x < n) i = x; if (y > 2 && y < n) i = y;",
    kind="replacement",
    cost=LARGE,
    at=("condition", "truth"),
)
def _condition_as_a_like_one(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """What another condition of the function, which is like this one but for the names, has besides."""
    if site.text is None:
        return
    found: dict[str, None] = {}
    for other in _logical_conditions(site.around.function):
        one, two = site.text_of(other.left), site.text_of(other.right)
        if one is None or two is None:
            continue
        for like, more, is_first in ((one, two, True), (two, one, False)):
            names = _renaming(like, site.text)
            renamed = "" if names is None else _renamed(more, names)
            words = [word for word in _WORDS.findall(renamed) if word in (names or {}).values()]
            words += _local_names(other.right if is_first else other.left).difference(names or {})
            if renamed and all(word in site.scope for word in words):
                parts = (site.text, renamed) if is_first else (renamed, site.text)
                loose = [operand_text(part) if _LOOSE.search(part) else part for part in parts]
                found[f" {other.op} ".join(loose)] = None
    yield from map(TemplateChange, found)


@template(
    "missing part of a row of like parts",
    example="if (i == n || n == x) y = 1; -> if (i == n || n == x || i == x) y = 1;",
    kind="replacement",
    cost=LARGE,
    at=("condition", "truth"),
)
def _row_with_a_part_more(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """Parts that are alike but for names: one more, with names of theirs or with a variable near by."""
    node = queries.syntax_below_implicit_conversions(site.node)
    if site.text is None or not isinstance(node, tree.Logical):
        return
    first, *others = _parts(node, node.op)
    parts = [_WORDS.findall(site.text_of(part) or "") for part in (first, *others)]
    places = _places_of_other_names(parts)
    if len(places) > 1:
        places = [place for place, word in enumerate(parts[0]) if word in site.scope]
    rows = [tuple(part[place] for place in places) for part in parts]
    names = list(dict.fromkeys(name for row in rows for name in row))
    if not names or not all(name in site.scope for name in names):
        return
    if len({site.scope[name].type for name in names}) > 1:
        return
    near = [name for name in _words(site) if site.scope[name].type == site.scope[names[0]].type]
    is_decided = (node.op, "".join(parts[0][1:-1])) not in {("||", "=="), ("&&", "!=")}
    for row in _further_rows(rows, names, near[:_MOST_TOLD_APART], is_decided=is_decided):
        words = list(parts[0])
        for place, name in zip(places, row, strict=True):
            words[place] = name
        yield TemplateChange(f"{site.text} {node.op} {_spelled(words, site.text_of(first) or '')}")


@template(
    "missing part with two names exchanged",
    example="if (y && p->value < q->value) x = 1; -> if (y && p->value < q->value && q->value < p->value) x = 1;",
    kind="replacement",
    cost=LARGE,
    at=("condition", "truth"),
)
def _mirrored_part(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """One more part, which is one that is there with the two variables of one type exchanged that it names."""
    node = queries.syntax_below_implicit_conversions(site.node)
    if site.text is None or not isinstance(node, tree.Logical):
        return
    texts = {" ".join((site.text_of(part) or "").split()) for part in _parts(node, node.op)}
    for part in _parts(node, node.op)[-_MOST_MIRRORED:]:
        text = site.text_of(part) or ""
        names = [name for name in dict.fromkeys(_NAMED.findall(text)) if name in site.scope]
        pairs = [
            p for p in itertools.combinations(names, 2) if site.scope[p[0]].type == site.scope[p[1]].type
        ]
        for one, other in pairs[:_MOST_TOLD_APART]:
            exchanged = {one: other, other: one}
            more = _NAMED.sub(lambda word, to=exchanged: to.get(word[0], word[0]), text)  # type: ignore[misc]
            if " ".join(more.split()) not in texts:
                yield TemplateChange(f"{site.text} {node.op} {more}")


def _parts(e: Expression, op: str) -> list[Expression]:
    """The parts of a chain of one logical operator."""
    inner = queries.syntax_below_implicit_conversions(e)
    if isinstance(inner, tree.Logical) and inner.op == op:
        return _parts(inner.left, op) + _parts(inner.right, op)
    return [e]


def _places_of_other_names(parts: Sequence[Sequence[str]]) -> list[int]:
    """Where the words of parts that are alike but for names differ; empty where they are not alike."""
    first = parts[0]
    if any(len(part) != len(first) for part in parts):
        return []
    places = [place for place, words in enumerate(zip(*parts, strict=True)) if len(set(words)) > 1]
    return places if all(part[place].isidentifier() for part in parts for place in places) else []


def _further_rows(
    rows: Sequence[tuple[str, ...]], names: Sequence[str], near: Sequence[str], *, is_decided: bool
) -> list[tuple[str, ...]]:
    """Names for one more part: another variable, a pair that is not there, or a last name that is not last yet.

    ``is_decided``: the pairs that are there decide all others, or may do so.
    """
    if len(rows[0]) == 1:
        return [(name,) for name in near]
    if len(rows[0]) == 2:
        known = {frozenset(row) for row in rows}
        pairs = [(one, other) for one, other in itertools.combinations(names, 2) if {one, other} not in known]
        return [] if is_decided else [*pairs[:_MOST_PAIRS]]
    if len(rows[0]) == len(names) == 3:
        lasts = {row[-1] for row in rows}
        return [(*(one for one in names if one != last), last) for last in names if last not in lasts]
    return []


def _spelled(words: Sequence[str], like: str) -> str:
    """``words`` with white space as in the text ``like``, which has as many."""
    return "".join(f"{gap}{word}" for gap, word in zip(_WORDS.split(like), words, strict=False))


def _local_names(e: Expression) -> frozenset[str]:
    """The names of the variables of a function that an expression is computed from."""
    nodes = queries.syntax_nodes_within(e)
    found = [node.symbol for node in nodes if isinstance(node, tree.VariableRef)]
    return frozenset([symbol.name for symbol in found if symbol.function is not None])


def _logical_conditions(function: tree.Function) -> Iterator[tree.Logical]:
    """The conditions of the branches and loops of a function that have two parts."""
    stack: list[tree.Statement] = [] if function.body is None else [function.body]
    while stack:
        s = stack.pop()
        stack += reversed(queries.syntax_statements_in(s))
        if isinstance(s, tree.If | tree.While | tree.DoWhile | tree.For) and s.condition is not None:
            condition = queries.syntax_below_implicit_conversions(s.condition)
            if isinstance(condition, tree.Logical):
                yield condition


def _renaming(old: str, new: str) -> Mapping[str, str] | None:
    """The names in ``old`` with those in ``new``, where they are the same text but for some names; else None.

    Two variables that change places do so everywhere: what is renamed to another name gives its own to that one.
    """
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    if len(before) != len(after) or before == after:
        return None
    names: dict[str, str] = {}
    for one, other in zip(before, after, strict=True):
        if one.isidentifier() and other.isidentifier():
            if names.setdefault(one, other) != other:
                return None
        elif one != other:
            return None
    if len(set(names.values())) < len(names):
        return None
    return {other: one for one, other in names.items() if other not in names} | names


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"[A-Za-z_]\w*", lambda word: names.get(word[0], word[0]), text)


@template(
    "another part that stands elsewhere",
    example="if (i < n) x = 1; if (x && y) x = 2; -> if (i < n) x = 1; if (i < n && y) x = 2;",
    kind="replacement",
    cost=LARGE,
    at="part",
)
def _part_from_elsewhere(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A part of a condition in the place of another one."""
    if site.span is not None and site.text is not None:
        for one in site.around.nameable.truths(site.span[0], site.scope, site.text, site.callable_names):
            yield TemplateChange(one)


def _words(site: TemplateSite[Expression]) -> tuple[str, ...]:
    """The nearest integer variables that the condition does not name; none for one that a macro writes."""
    if site.span is None or site.text is None:
        return ()
    return tuple(site.around.nameable.words(site.span[0], site.scope, site.text))


@template(
    "missing comparison of a call",
    example="while (twice(i)) i++; -> while (twice(i) == ?) i++;",
    kind="replacement",
    cost=LARGE,
    at="condition",
)
def _compared_call(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A test of a call that tells success from failure by another value than 0."""
    e = site.node
    if (
        site.text is not None
        and isinstance(queries.syntax_below_implicit_conversions(e), tree.Call)
        and isinstance(e.type, IntType)
    ):
        for op in ("==", ">"):
            yield TemplateChange(f"{operand_text(site.text)} {op} {HOLE}")
