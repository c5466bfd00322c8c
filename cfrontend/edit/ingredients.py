"""Ingredients for edits from the same file: assignments, counts, elements and members, named constants.

if (n > most) most = n;   a->left--;   ->   the assignments  most = n,  a->left--   and the place  a->left
"""

from __future__ import annotations

import heapq
import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, final

from cfrontend import goto
from cfrontend.edit.text import SourceText
from cfrontend.elaborate.constants import constant_value
from cfrontend.lower.dialect import is_specification_in_dialect
from cfrontend.record import dataclass
from cfrontend.settings import HOLE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CType, IntType, PointerType, is_integer_type_but_bool

COMPARISONS: Final = ("<", "<=", ">", ">=", "==", "!=")
"""Operators whose value is a truth value."""


_WRITES: Final = (tree.Assign, tree.CompoundAssign, tree.IncDec)

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
        above = bisect_left(self._starts, offset)
        below = len(self._items) - above
        yield from heapq.merge(
            self._onwards[above:],
            self._backwards[below:],
            key=lambda number: (abs(self._items[number].start - offset), number),
        )


@final
class FileIngredients:
    """Grammar of ingredients: each method finds those of one kind in the file ``path``, in the order of its tree."""

    def __init__(self, program: tree.TranslationUnit, path: str, source: SourceText) -> None:
        self._program = program
        self._source = source
        self._parameters = [
            parameter.key
            for function in program.functions.values()
            if function.location.file == path
            for parameter in function.parameters
        ]
        self._statements = tuple(ingredient_statements(program, path))
        self._expressions = tuple(e for s in self._statements for e in _expressions(s))

    def assignments(self) -> Iterator[Ingredient]:
        """The assignments, increments and decrements that call nothing, as statements of their own."""
        for e in self._acting():
            span, names = self._source.span(e.location), _names(e)
            if isinstance(e, _WRITES) and span is not None and names is not None:
                yield Ingredient(span[0], self._with_any_constant(e, span), e.type, names)

    def mirrored_assignments(self) -> Iterator[Ingredient]:
        """Assignments of pointers the other way round: what puts an element into a list tells how it is taken out.

        node->next = first;  first = node;   ->   first = node->next,  node = first
        """
        for e in self._expressions:
            if isinstance(e, tree.Assign) and isinstance(e.type, PointerType):
                value = queries.syntax_below_implicit_conversions(e.value)
                one, other = self._read(value), self._read(e.target)
                is_place = isinstance(value, tree.VariableRef | tree.MemberAccess | tree.Index | tree.Deref)
                if is_place and value.type == e.type and one is not None and other is not None:
                    names = (*one.names, *other.names)
                    yield Ingredient(other.start, f"{one.text} = {other.text}", e.type, names)

    def opposite_assignments(self) -> Iterator[Ingredient]:
        """The sums and counts the other way round: what takes from a place tells how it is added to.

        p->left -= n;   p->used++;   ->   p->left += n,  p->used--
        """
        for e in self._acting():
            if isinstance(e, tree.CompoundAssign | tree.IncDec) and e.op in _OPPOSITES:
                place, whole, names = self._read(e.target), self._source.span(e.location), _names(e)
                if place is None or whole is None or not names:
                    continue
                op = _OPPOSITES[e.op]
                if isinstance(e, tree.IncDec):
                    yield Ingredient(whole[0], f"{place.text}{op}{op}", e.type, names)
                elif (value := self._source.text_of(e.value)) is not None:
                    yield Ingredient(whole[0], f"{place.text} {op}= {value}", e.type, names)

    def counters(self, of: tuple[type[Expression], ...]) -> Iterator[Ingredient]:
        """Integer places ``of`` these kinds, as what counts them up, and down."""
        for e in self._expressions:
            if (
                isinstance(e, of)
                and is_integer_type_but_bool(e.type)
                and (place := self._read(e)) is not None
            ):
                yield from (replace(place, text=place.text + step) for step in ("++", "--"))

    def places(self) -> Iterator[Ingredient]:
        """The elements and members, and what pointers point to, where naming them changes nothing."""
        for e in self._expressions:
            if isinstance(e, tree.MemberAccess | tree.Index | tree.Deref):
                place = self._read(e)
                # What an arrow leads to has the pointer for its text.
                is_written = not isinstance(e, tree.Deref) or (place is not None and place.text[:1] == "*")
                if place is not None and place.names and is_written:
                    yield place

    def conditions(self) -> Iterator[Ingredient]:
        """The conditions of branches that only read."""
        for s in self._statements:
            if isinstance(s, tree.If):
                read = self._read(queries.syntax_below_implicit_conversions(s.condition))
                if read is not None and read.names:
                    yield read

    def truth_parts(self) -> Iterator[Ingredient]:
        """The parts of conditions and truth values but for constants: comparisons, calls, variables, negations.

        What is asserted or assumed is left out: an edit that says it again fits the specification and means nothing.
        """
        for s in self._statements:
            if isinstance(s, tree.ExpressionStatement) and is_specification_in_dialect(s.expression):
                continue
            tested = isinstance(s, tree.If | tree.While | tree.DoWhile | tree.For)
            for top in _tops(s):
                is_condition = tested and top is getattr(s, "condition", None)
                for e in goto.goto_subexpressions(top):
                    parts: Sequence[Expression] = (top,) if is_condition and e is top else ()
                    if isinstance(e, tree.Logical):
                        parts = e.left, e.right
                    elif isinstance(e, tree.Binary) and e.op in COMPARISONS:
                        parts = (e,)
                    yield from filter(None, map(self._reading, parts))

    def resets(self) -> Iterator[Ingredient]:
        """The variables of functions that begin with a constant, are changed from what they are and never set anew.

        Each as what sets it to that constant.
        """
        every, statements = self._expressions, self._statements
        changed = {_variable_key(e.target) for e in every if isinstance(e, tree.CompoundAssign | tree.IncDec)}
        changed -= {_variable_key(e.target) for e in every if isinstance(e, tree.Assign)}
        counting = {id(start) for s in statements if isinstance(s, tree.For) for start in s.start}
        for s in statements:
            if not isinstance(s, tree.Declaration) or id(s) in counting or s.symbol.key not in changed:
                continue
            values = [queries.syntax_below_conversions(item.value) for item in _initial_items(s)]
            span = self._source.span(values[0].location) if len(values) == 1 else None
            if span is not None and isinstance(values[0], tree.IntConstant | tree.FloatConstant):
                text = f"{s.symbol.name} = {self._source.text[slice(*span)]}"
                yield Ingredient(span[0], text, s.symbol.type, ((s.symbol.name, s.symbol.type),))

    def constants(self) -> Iterator[Ingredient]:
        """The integer constants that are named, by macros or enumerators."""
        named = (ingredient_constant(e, self._program, self._source) for e in self._expressions)
        yield from filter(None, named)

    def forgotten_variables(self) -> frozenset[str]:
        """The keys of the variables that are assigned or given as parameters, and never read."""
        every = self._expressions
        targets = [e.target for e in every if isinstance(e, tree.Assign)]
        written = {target.symbol.key for target in targets if isinstance(target, tree.VariableRef)}
        declared = (s for s in self._statements if isinstance(s, tree.Declaration))
        written.update(s.symbol.key for s in declared if s.initializer is not None)
        only_written = {id(target) for target in targets}
        return frozenset(written.union(self._parameters)).difference(
            e.symbol.key for e in every if isinstance(e, tree.VariableRef) and id(e) not in only_written
        )

    def _acting(self) -> Iterator[Expression]:
        """The expressions that are statements."""
        return (s.expression for s in self._statements if isinstance(s, tree.ExpressionStatement))

    def _read(self, e: Expression) -> Ingredient | None:
        """An expression that writes and calls nothing, as an ingredient; None for another one."""
        span, names = self._source.span(e.location), _names(e)
        if span is None or names is None or _writes(e):
            return None
        return Ingredient(span[0], self._source.text[slice(*span)], e.type, names)

    def _reading(self, e: Expression) -> Ingredient | None:
        """A part of a condition that writes nothing but by functions of the program; None for another one."""
        e = queries.syntax_below_implicit_conversions(e)
        span = self._source.span(e.location)
        if span is None or isinstance(e, tree.Logical | tree.IntConstant) or _writes(e):
            return None
        calls = [part.callee for part in goto.goto_subexpressions(e) if isinstance(part, tree.Call)]
        called = frozenset(callee.name for callee in calls if isinstance(callee, tree.FunctionRef))
        functions = self._program.functions
        if any(not isinstance(callee, tree.FunctionRef) for callee in calls) or any(
            name not in functions or functions[name].body is None for name in called
        ):
            return None
        return Ingredient(span[0], self._source.text[slice(*span)], e.type, _variables(e), called)

    def _with_any_constant(self, e: Expression, whole: tuple[int, int]) -> str:
        """The text of an assignment, with a constant that is still to be found where it assigns one without a name."""
        text, end = self._source.text, None
        if isinstance(e, tree.Assign) and isinstance(
            queries.syntax_below_implicit_conversions(e.value), tree.IntConstant
        ):
            end = self._source.span_of(e.value)
        if end is None or text[slice(*end)].isidentifier():
            return text[slice(*whole)]
        return text[whole[0] : end[0]] + HOLE


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


def _expressions(s: tree.Statement) -> Iterator[Expression]:
    """The expressions of a statement itself, with what they are made of."""
    yield from itertools.chain.from_iterable(map(goto.goto_subexpressions, _tops(s)))


def _tops(s: tree.Statement) -> list[Expression]:
    """The expressions that a statement itself has, those of an initializer behind the others."""
    parts = ingredient_node_parts(s)
    own: list[Expression] = [part for part in parts if isinstance(part, tree.SyntaxTreeNode)]  # type: ignore[misc]
    return own + [item.value for item in _initial_items(s)]


def _initial_items(s: tree.Statement) -> Sequence[tree.InitItem]:
    """The items of the initializer of a declaration."""
    return s.initializer.items if isinstance(s, tree.Declaration) and s.initializer is not None else ()


def _variable_key(e: Expression) -> str | None:
    """The key of the variable that an expression is."""
    return e.symbol.key if isinstance(e, tree.VariableRef) else None


def _variables(e: Expression) -> tuple[tuple[str, CType], ...]:
    """The variables in an expression with their types."""
    refs = (part.symbol for part in goto.goto_subexpressions(e) if isinstance(part, tree.VariableRef))
    return tuple(dict.fromkeys((symbol.name, symbol.type) for symbol in refs))


def _names(e: Expression) -> tuple[tuple[str, CType], ...] | None:
    """The variables in an expression with their types; None where it calls something."""
    calls = any(isinstance(part, tree.Call) for part in goto.goto_subexpressions(e))
    return None if calls else _variables(e)


def _writes(e: Expression) -> bool:
    """True if some part of an expression writes."""
    return any(isinstance(part, _WRITES) for part in goto.goto_subexpressions(e))
