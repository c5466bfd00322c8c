"""Ingredients for edits from the same file: assignments, counts, elements and members, named constants.

if (n > most) most = n;   a->left--;   ->   the assignments  most = n,  a->left--   and the place  a->left
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, final

from cfrontend import goto
from cfrontend.edit.text import SourceText
from cfrontend.elaborate.constants import constant_value
from cfrontend.lower.dialect import is_specification_in_dialect
from cfrontend.record import dataclass
from cfrontend.settings import HOLE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.complex_types import is_complex_key
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CType, IntType, PointerType, is_integer_type_but_bool

COMPARISONS: Final = ("<", "<=", ">", ">=", "==", "!=")
"""Operators whose value is a truth value."""


_OPPOSITES: Final[Mapping[str, str]] = {"+": "-", "-": "+"}
"""Operators of sums and counts, and those that undo them."""


@final
@dataclass(frozen=True, slots=True)
class Ingredient:
    """A statement that only assigns, or a place that is read: where it begins, its text, and its type.

    ``names`` are the variables in it with their types; the first one is what it writes or reads, or writes or reads
    into. ``calls`` are the functions that it calls.
    """

    start: int
    text: str
    type: CType
    names: tuple[tuple[str, CType], ...]
    calls: frozenset[str] = frozenset()


@final
class Ingredients:
    """Index of the ingredients of a file, to be found from any place in it."""

    def __init__(self, items: Iterable[Ingredient]) -> None:
        self._items = tuple(items)
        numbers = range(len(self._items))
        self._onwards = sorted(numbers, key=lambda n: self._items[n].start)
        self._backwards = sorted(numbers, key=lambda n: -self._items[n].start)
        self._starts = [self._items[n].start for n in self._onwards]
        kinds: dict[object, int] = {}
        self._kinds = [kinds.setdefault((i.text, i.type, i.names), len(kinds)) for i in self._items]

    def texts(
        self, offset: int, most: int, fits: Callable[[Ingredient], bool], but: int | None = None
    ) -> Sequence[str]:
        """Texts of the ingredients that fit and are nearest to ``offset``, each once.

        The one that begins at ``but`` is left out. Whether one fits must not depend on where it stands: it is asked of
        the nearest of those that are alike.
        """
        found: dict[str, None] = {}
        asked: set[int] = set()
        for number in self._around(offset):
            kind = self._kinds[number]
            item = self._items[number]
            if kind in asked or item.start == but:
                continue
            asked.add(kind)
            if fits(item):
                found[item.text] = None
                if len(found) == most:
                    break
        return tuple(found)

    def _around(self, offset: int) -> Iterator[int]:
        """Numbers of the ingredients, the nearest first; of two that are as near, the one that was given first."""
        items, count = self._items, len(self._items)
        onwards, backwards = self._onwards, self._backwards
        above = bisect_left(self._starts, offset)
        before = count - above
        while above < count and before < count:
            one, other = onwards[above], backwards[before]
            if (items[one].start - offset, one) < (offset - items[other].start, other):
                yield one
                above += 1
            else:
                yield other
                before += 1
        yield from onwards[above:]
        yield from backwards[before:]


def ingredient_assignments(
    program: tree.TranslationUnit, path: str, source: SourceText
) -> Iterator[Ingredient]:
    """The assignments, increments and decrements of a file that call nothing, as statements of their own."""
    for s in ingredient_statements(program, path):
        if isinstance(s, tree.ExpressionStatement) and isinstance(
            s.expression, tree.Assign | tree.CompoundAssign | tree.IncDec
        ):
            span = source.span(s.expression.location)
            names = ingredient_names(s.expression)
            if span is not None and names is not None:
                text = _with_any_constant(s.expression, source)
                yield Ingredient(span[0], text, s.expression.type, names)


def ingredient_mirrored_assignments(
    program: tree.TranslationUnit, path: str, source: SourceText
) -> Iterator[Ingredient]:
    """Assignments of pointers the other way round: what puts an element into a list tells how it is taken out.

    node->next = first;  first = node;   ->   first = node->next,  node = first
    """
    for e in ingredient_expressions(program, path):
        if not isinstance(e, tree.Assign) or not isinstance(e.type, PointerType):
            continue
        value = queries.syntax_below_implicit_conversions(e.value)
        spans, names = (
            [source.span(side.location) for side in (value, e.target)],
            [ingredient_names(value), ingredient_names(e.target)],
        )
        is_place = isinstance(value, tree.VariableRef | tree.MemberAccess | tree.Index | tree.Deref)
        if not is_place or value.type != e.type or ingredient_writes(value) or ingredient_writes(e.target):
            continue
        if spans[0] is not None and spans[1] is not None and names[0] is not None and names[1] is not None:
            texts = [source.text[slice(*span)] for span in spans if span is not None]
            yield Ingredient(spans[1][0], " = ".join(texts), e.type, (*names[0], *names[1]))


def ingredient_opposite_assignments(
    program: tree.TranslationUnit, path: str, source: SourceText
) -> Iterator[Ingredient]:
    """The sums and counts of a file the other way round: what takes from a place tells how it is added to.

    p->left -= n;   p->used++;   ->   p->left += n,  p->used--
    """
    for s in ingredient_statements(program, path):
        e = s.expression if isinstance(s, tree.ExpressionStatement) else None
        if not isinstance(e, tree.CompoundAssign | tree.IncDec) or e.op not in _OPPOSITES:
            continue
        target, whole, names = source.span(e.target.location), source.span(e.location), ingredient_names(e)
        if target is None or whole is None or not names or ingredient_writes(e.target):
            continue
        place, op = source.text[slice(*target)], _OPPOSITES[e.op]
        if isinstance(e, tree.IncDec):
            yield Ingredient(whole[0], f"{place}{op}{op}", e.type, names)
        elif (value := source.span(queries.syntax_below_implicit_conversions(e.value).location)) is not None:
            yield Ingredient(whole[0], f"{place} {op}= {source.text[slice(*value)]}", e.type, names)


def ingredient_counters(
    program: tree.TranslationUnit, path: str, source: SourceText, of: tuple[type[Expression], ...]
) -> Iterator[Ingredient]:
    """Integer places ``of`` these kinds that a file names, as what counts them up, and down."""
    for e in ingredient_expressions(program, path):
        if not isinstance(e, of) or not is_integer_type_but_bool(e.type):
            continue
        span, names = source.span(e.location), ingredient_names(e)
        if span is None or names is None or ingredient_writes(e):
            continue
        text = source.text[span[0] : span[1]]
        for step in ("++", "--"):
            yield Ingredient(span[0], text + step, e.type, names)


def ingredient_places(program: tree.TranslationUnit, path: str, source: SourceText) -> Iterator[Ingredient]:
    """The elements and members that a file names, and what its pointers point to, where naming them changes nothing."""
    for e in ingredient_expressions(program, path):
        if not isinstance(e, tree.MemberAccess | tree.Index | tree.Deref):
            continue
        span, names = source.span(e.location), ingredient_names(e)
        if span is None or not names or ingredient_writes(e):
            continue
        text = source.text[slice(*span)]
        if not isinstance(e, tree.Deref) or text.startswith(
            "*"
        ):  # not what an arrow leads to, whose text is the pointer
            yield Ingredient(span[0], text, e.type, names)


def ingredient_conditions(
    program: tree.TranslationUnit, path: str, source: SourceText
) -> Iterator[Ingredient]:
    """The conditions of a file's branches that only read."""
    for s in ingredient_statements(program, path):
        if not isinstance(s, tree.If):
            continue
        e = queries.syntax_below_implicit_conversions(s.condition)
        span, names = source.span(e.location), ingredient_names(e)
        if span is not None and names and not ingredient_writes(e):
            yield Ingredient(span[0], source.text[span[0] : span[1]], e.type, names)


def ingredient_truth_parts(
    program: tree.TranslationUnit, path: str, source: SourceText
) -> Iterator[Ingredient]:
    """The parts of a file's conditions and truth values but for constants: comparisons, calls, variables, negations.

    What is asserted or assumed is left out: an edit that says it again fits the specification and means nothing.
    """
    for s in ingredient_statements(program, path):
        if isinstance(s, tree.ExpressionStatement) and is_specification_in_dialect(s.expression):
            continue
        tops = [part for part in ingredient_node_parts(s) if isinstance(part, tree.SyntaxTreeNode)]
        tested = isinstance(s, tree.If | tree.While | tree.DoWhile | tree.For)
        if isinstance(s, tree.Declaration) and s.initializer is not None:
            tops += [item.value for item in s.initializer.items]
        for top in tops:
            is_condition = tested and top is getattr(s, "condition", None)
            for e in _written_within(top):  # type: ignore[arg-type]
                parts: list[Expression] = [top] if is_condition and e is top else []
                if isinstance(e, tree.Logical):
                    parts = [e.left, e.right]
                elif isinstance(e, tree.Binary) and e.op in COMPARISONS:
                    parts = [e]
                for part in parts:
                    if (
                        found := ingredient_reading(
                            queries.syntax_below_implicit_conversions(part), program, source
                        )
                    ) is not None:
                        yield found


def ingredient_reading(e: Expression, program: tree.TranslationUnit, source: SourceText) -> Ingredient | None:
    """An expression that writes nothing but by functions of the program, as an ingredient; None for another one."""
    span = source.span(e.location)
    if span is None or isinstance(e, tree.Logical | tree.IntConstant) or ingredient_writes(e):
        return None
    inner = list(goto.goto_subexpressions(e))
    calls = [part.callee for part in inner if isinstance(part, tree.Call)]
    called = {callee.name for callee in calls if isinstance(callee, tree.FunctionRef)}
    if len(called) < len(set(map(id, calls))) and any(not isinstance(c, tree.FunctionRef) for c in calls):
        return None
    if any(name not in program.functions or program.functions[name].body is None for name in called):
        return None
    refs = [part.symbol for part in inner if isinstance(part, tree.VariableRef)]
    names = tuple(dict.fromkeys((symbol.name, symbol.type) for symbol in refs))
    return Ingredient(span[0], source.text[span[0] : span[1]], e.type, names, frozenset(called))


def ingredient_resets(program: tree.TranslationUnit, path: str, source: SourceText) -> Iterator[Ingredient]:
    """The variables of functions that begin with a constant, are changed from what they are and never set anew.

    Each as what sets it to that constant.
    """
    every = list(ingredient_expressions(program, path))
    changed = {_variable_key(e.target) for e in every if isinstance(e, tree.CompoundAssign | tree.IncDec)}
    changed -= {_variable_key(e.target) for e in every if isinstance(e, tree.Assign)}
    statements = list(ingredient_statements(program, path))
    counting = {id(start) for s in statements if isinstance(s, tree.For) for start in s.start}
    for s in statements:
        if not isinstance(s, tree.Declaration) or id(s) in counting:
            continue
        if s.initializer is not None and s.symbol.key in changed:
            values = [queries.syntax_below_conversions(item.value) for item in s.initializer.items]
            span = source.span(values[0].location) if len(values) == 1 else None
            if span is not None and isinstance(values[0], tree.IntConstant | tree.FloatConstant):
                text = f"{s.symbol.name} = {source.text[slice(*span)]}"
                yield Ingredient(span[0], text, s.symbol.type, ((s.symbol.name, s.symbol.type),))


def _variable_key(e: Expression) -> str | None:
    """The key of the variable that an expression is."""
    return e.symbol.key if isinstance(e, tree.VariableRef) else None


def ingredient_forgotten_variables(program: tree.TranslationUnit, path: str) -> frozenset[str]:
    """The keys of the variables that a file assigns or is given as parameters, and never reads."""
    every = list(ingredient_expressions(program, path))
    targets = [e.target for e in every if isinstance(e, tree.Assign)]
    written = {target.symbol.key for target in targets if isinstance(target, tree.VariableRef)}
    for function in program.functions.values():
        written.update(parameter.key for parameter in function.parameters if function.location.file == path)
    for s in ingredient_statements(program, path):
        if isinstance(s, tree.Declaration) and s.initializer is not None:
            written.add(s.symbol.key)
    only_written = {id(target) for target in targets}
    return frozenset(written).difference(
        e.symbol.key for e in every if isinstance(e, tree.VariableRef) and id(e) not in only_written
    )


def ingredient_constants(
    program: tree.TranslationUnit, path: str, source: SourceText
) -> Iterator[Ingredient]:
    """The integer constants that a file names, by macros or enumerators."""
    for e in ingredient_expressions(program, path):
        if (named := ingredient_constant(e, program, source)) is not None:
            yield named


def ingredient_constant(
    e: Expression, program: tree.TranslationUnit, source: SourceText
) -> Ingredient | None:
    """An integer constant that is written as a macro or an enumerator; None for all else."""
    span = source.span(e.location)
    if span is None or isinstance(e, tree.VariableRef):
        return None
    text = source.text[span[0] : span[1]]
    if not text.isidentifier() or constant_value(e, program.structs) is None:
        return None
    return Ingredient(span[0], text, e.type, ())


def are_of_one_enumeration(one: str, two: str, enumerations: Mapping[str, str]) -> bool:
    """True if two names of constants are enumerators of one enumeration, of two that have no other, or are none.

    ``enumerations`` gives the first enumerator of each one's enumeration.
    """
    counts = Counter(enumerations.values())
    first, second = (
        "" if of is not None and counts[of] == 1 else of for of in map(enumerations.get, (one, two))
    )
    return first == second


def ingredient_node_parts(node: tree.SyntaxTreeNode | tree.SyntaxTreeStatement) -> Iterator[object]:
    """Values of the fields of a node, those that are sequences item by item."""
    for name in node.__dataclass_fields__:
        value = getattr(node, name)
        yield from value if isinstance(value, tuple) else (value,)


def is_name_of_truth_value(name: str) -> bool:
    """True for ``true`` and ``false`` of <stdbool.h>, and macros of these names in capitals that a program has."""
    return name.lower() in {"true", "false"}


def is_ingredient_truth_or_bool(e: Expression) -> bool:
    """True if the value of an expression is a truth value, also by its type."""
    inner = queries.syntax_below_implicit_conversions(e)
    is_bool = isinstance(inner.type, IntType) and not is_integer_type_but_bool(inner.type)
    return is_ingredient_truth(e) or (is_bool and not isinstance(inner, tree.IntConstant))


def is_ingredient_truth(e: Expression) -> bool:
    """True if the value of an expression is that of a comparison or of a logical operator."""
    e = queries.syntax_below_implicit_conversions(e)
    if isinstance(e, tree.Unary):
        return e.op == "!"
    return isinstance(e, tree.Logical) or (isinstance(e, tree.Binary) and e.op in COMPARISONS)


def ingredient_statements(program: tree.TranslationUnit, path: str) -> Iterator[tree.Statement]:
    """All statements of the functions of a file."""
    for function in program.functions.values():
        stack: list[tree.Statement] = []
        if function.body is not None and function.location.file == path:
            stack.append(function.body)
        while stack:
            s = stack.pop()
            yield s
            stack += queries.syntax_statements_in(s)


def ingredient_expressions(program: tree.TranslationUnit, path: str) -> Iterator[Expression]:
    """All expressions of the statements of a file, with what they are made of."""
    for s in ingredient_statements(program, path):
        yield from _expressions(s)


def ingredient_expressions_within(s: tree.Statement) -> Iterator[Expression]:
    """The expressions of a statement, and of those that stand in it, with what they are made of."""
    for one in queries.syntax_statements_within(s):
        yield from _expressions(one)


def _expressions(s: tree.Statement) -> Iterator[Expression]:
    """The expressions of a statement itself, with what they are made of."""
    parts = ingredient_node_parts(s)
    own: list[Expression] = [part for part in parts if isinstance(part, tree.SyntaxTreeNode)]  # type: ignore[misc]
    if isinstance(s, tree.Declaration) and s.initializer is not None:
        own += [item.value for item in s.initializer.items]
    yield from itertools.chain.from_iterable(map(_written_within, own))


def _written_within(e: Expression) -> Iterator[Expression]:
    """An expression with what it is made of, without the parts of complex numbers that its operators compute with."""
    return (part for part in goto.goto_subexpressions(e) if not _is_part_alone(part))


def _is_part_alone(e: Expression) -> bool:
    """True for one part of a complex number whose text is that of the number."""
    return isinstance(e, tree.MemberAccess) and is_complex_key(e.struct_key) and e.location == e.base.location


def ingredient_names(e: Expression) -> tuple[tuple[str, CType], ...] | None:
    """The variables in an expression with their types; None where it calls something."""
    inner = list(goto.goto_subexpressions(e))
    if any(isinstance(part, tree.Call) for part in inner):
        return None
    refs = [part.symbol for part in inner if isinstance(part, tree.VariableRef)]
    return tuple(dict.fromkeys((symbol.name, symbol.type) for symbol in refs))


def ingredient_writes(e: Expression) -> bool:
    """True if some part of an expression writes."""
    return any(
        isinstance(part, tree.Assign | tree.CompoundAssign | tree.IncDec)
        for part in goto.goto_subexpressions(e)
    )


def _with_any_constant(e: Expression, source: SourceText) -> str:
    """The text of an assignment, with a constant that is still to be found where it assigns one."""
    whole, end = source.span(e.location), None
    assert whole is not None
    if isinstance(e, tree.Assign) and isinstance(
        queries.syntax_below_implicit_conversions(e.value), tree.IntConstant
    ):
        end = source.span(queries.syntax_below_implicit_conversions(e.value).location)
        if end is not None and source.text[end[0] : end[1]].isidentifier():
            end = None  # what has a name is meant as it is
    return source.text[whole[0] : whole[1]] if end is None else source.text[whole[0] : end[0]] + HOLE
