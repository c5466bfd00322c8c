"""Names and statements in scope: what can stand at a place in a file and may be meant, as elsewhere or nearly so.

int n, most;  if (a[i] > most) most = a[i];   ->   in the place of n:  a[i],  most;   before it:  most = a[i]
a = pop(m);   p->left--;                      ->   a statement that may be missing:   p->left--,  p->left++
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias, final

from cfrontend.edit.file_definitions import file_definitions
from cfrontend.edit.ingredients import FileIngredients, Ingredient, Ingredients, are_of_one_enumeration
from cfrontend.edit.text import SourceText
from cfrontend.settings import HOLE
from cfrontend.syntax import tree
from cfrontend.syntax.queries import syntax_type_below_conversions
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.syntax.types import (
    INT,
    ArrayType,
    CType,
    FunctionType,
    IntType,
    PointerType,
    VoidType,
    is_integer_type_but_bool,
    promoted_computation_type,
)

_MOST_VARIABLES: Final = 12
"""Variables that are tried in the place of another."""


_NAMED: Final = re.compile(r"(?<!->)(?<!\.)\b[A-Za-z_]\w*")
"""Names in a text but those of members."""

_MOST_OPERANDS: Final = 5
"""Variables, and elements and members, that are tried in the place of another operand: the nearest ones of each."""

_MOST_POINTED: Final = 2
"""Members that are pointers and tested for null: the nearest ones."""

_MOST_TERMS: Final = 3
"""Named constants, and variables, that are added to a value or compared with an index: the nearest ones of each."""

_MOST_TESTS: Final = 6
"""Conditions that are put before a statement, the nearest ones."""

_MOST_ARRAYS: Final = 2
"""Arrays whose first element is tried in the place of a constant."""

_MOST_NAMED: Final = 3
"""Variables of a text that are compared beside it, the first ones."""

_MOST_COMPARED: Final = 2
"""Other variables that those are compared with, the nearest ones."""

_TESTS: Final = ("<", ">", "==", "!=")
"""Comparisons that a test may be; with some constant ``<=`` is ``<`` with another one."""

_MOST_ADDED: Final = 8
"""Assignments that are added before an expression, the nearest ones."""

_MOST_STEPPED: Final = 4
"""Places that are counted up and down before or behind an expression, the nearest ones."""

_MOST_MIRRORED: Final = 4
"""Assignments the other way round that are tried at one place, the nearest ones."""

_MOST_NEAR: Final = 3
"""Variables that are set anew at one place, the nearest ones."""

_MOST_ELEMENTS: Final = 2
"""Elements that are counted up and down before or behind an expression, the nearest ones."""

Scope: TypeAlias = dict[str, SyntaxSymbol]
"""The visible variables by name."""


@final
class NamesInScope:
    """Variables and ingredients that can be named at places in the file ``path``, the nearest first.

    Places are offsets, and scopes those of these places.
    """

    def __init__(self, program: tree.TranslationUnit, path: str, source: SourceText) -> None:
        self._source = source
        self._enumerations = program.enumerations
        file = FileIngredients(program, path, source)
        self._places = Ingredients(file.places())
        self._constants = Ingredients(file.constants())
        self._tests = Ingredients(file.conditions())
        self._truths = Ingredients(file.truth_parts())
        self._assignments = Ingredients(file.assignments())
        self._mirrored = Ingredients(file.mirrored_assignments())
        self._opposites = Ingredients(file.opposite_assignments())
        self._counters = Ingredients(file.counters((tree.VariableRef, tree.MemberAccess)))
        self._element_counters = Ingredients(file.counters((tree.Index,)))
        self._resets = Ingredients(file.resets())
        self._forgotten = file.forgotten_variables()
        self._unnamed = tuple(_unnamed(source, program.enumerators))

    def terms(self, at: int, scope: Scope, text: str, ctype: CType) -> Sequence[str]:
        """Named constants and integer variables that are not in ``text``, and are computed in this type."""

        def is_new(one: Ingredient) -> bool:
            return one.text not in text and promoted_computation_type(one.type) == ctype

        def fits(one: CType) -> bool:
            return is_integer_type_but_bool(one) and promoted_computation_type(one) == ctype

        constants = self._constants.texts(at, _MOST_TERMS, is_new)
        return (*constants, *self.words(at, scope, text, fits))

    def flags(self, at: int, scope: Scope, text: str) -> Sequence[str]:
        """Elements and members that are not in ``text`` and may say whether something is so."""
        return self._near_places(at, scope, text, IntType, _MOST_TERMS)

    def pointers(self, at: int, scope: Scope, text: str) -> Sequence[str]:
        """Pointers that are not in ``text`` and may be null: variables, then members."""
        unnamed = self._unnamed_variables(at, scope, text, lambda ctype: isinstance(ctype, PointerType))
        variables = [symbol.name for symbol in unnamed if symbol.key not in self._forgotten]
        return (
            *variables[:_MOST_TERMS],
            *self._near_places(at, scope, text, PointerType, _MOST_POINTED),
        )

    def _near_places(self, at: int, scope: Scope, text: str, of: type[CType], most: int) -> Sequence[str]:
        """Elements and members ``of`` a type that are not in ``text``."""

        def may_be_meant(place: Ingredient) -> bool:
            return (
                isinstance(place.type, of) and place.text not in text and is_ingredient_in_scope(place, scope)
            )

        return self._places.texts(at, most, may_be_meant)

    def words(self, at: int, scope: Scope, text: str, fits: Callable[[CType], bool]) -> Sequence[str]:
        """Variables of types that fit and that are not in ``text``."""
        return [s.name for s in self._unnamed_variables(at, scope, text, fits)[:_MOST_TERMS]]

    def _unnamed_variables(
        self, at: int, scope: Scope, text: str, fits: Callable[[CType], bool]
    ) -> list[SyntaxSymbol]:
        """Variables that ``text`` does not name: those that are never read before others, and the nearest first."""
        inside = set(_NAMED.findall(text))
        found = [s for n, s in scope.items() if n == s.name and fits(s.type) and n not in inside]
        return sorted(found, key=lambda s: (s.key not in self._forgotten, self._source.distance(s.name, at)))

    def operands(self, e: Expression, at: int, scope: Scope, text: str) -> Sequence[str]:
        """Other operands than ``e``, whose text is ``text``.

        A variable in the place of what is none, an element, a member or a named constant.
        """
        computed = syntax_type_below_conversions(e)
        variables = [] if isinstance(e, tree.VariableRef) else self._variables(computed, at, scope)

        def may_be_meant(place: Ingredient) -> bool:
            """True if ``place`` has another text, is computed with as the same type, and is in scope."""
            return (
                place.text != text
                and promoted_computation_type(place.type) == computed
                and is_ingredient_in_scope(place, scope)
            )

        near = self._places.texts(at, _MOST_OPERANDS, may_be_meant)
        if isinstance(e, tree.IntConstant):
            firsts = self._first_elements(computed, at, scope)
            return tuple(dict.fromkeys((*variables, *self._converted(e.type, scope), *firsts, *near)))
        named = self._constants.texts(at, _MOST_OPERANDS, may_be_meant)
        if text in self._enumerations:
            named = [one for one in named if are_of_one_enumeration(one, text, self._enumerations)]
        return tuple(dict.fromkeys((*variables, *near, *named)))

    def _variables(self, computed: CType, at: int, scope: Scope) -> list[str]:
        """The variables whose values are computed in this type.

        Those that the file sets and forgets come first, then those of the function.
        """
        found = [s for n, s in scope.items() if n == s.name and promoted_computation_type(s.type) == computed]
        found.sort(
            key=lambda s: (
                s.key not in self._forgotten,
                s.function is None,
                self._source.distance(s.name, at),
            )
        )
        return [s.name for s in found[:_MOST_OPERANDS]]

    def _converted(self, ctype: CType, scope: Scope) -> Sequence[str]:
        """Integer variables that are set and forgotten and computed in another type, converted to ``ctype``."""
        return [
            f"({ctype}){name}"
            for name, symbol in scope.items()
            if symbol.key in self._forgotten
            and name == symbol.name
            and is_integer_type_but_bool(symbol.type)
            and promoted_computation_type(symbol.type) != ctype
        ]

    def _first_elements(self, computed: CType, at: int, scope: Scope) -> Sequence[str]:
        """The first elements of the nearest arrays of values of this type, which a search may begin with."""
        found = [
            name
            for name, symbol in scope.items()
            if isinstance(symbol.type, ArrayType | PointerType)
            and not isinstance(of := _pointed_to(symbol.type), VoidType | FunctionType)
            and promoted_computation_type(of) == computed
        ]
        return [f"{name}[0]" for name in self.nearest(found, at)[:_MOST_ARRAYS]]

    def constants(self, named: Ingredient) -> Sequence[str]:
        """Other named constants of the kind and type of one, and those that the file defines and never names.

        An enumerator of an enumeration is meant for another one of that.
        """

        def may_be_meant(one: Ingredient) -> bool:
            alike = are_of_one_enumeration(one.text, named.text, self._enumerations)
            return one.text != named.text and one.type == named.type and alike

        forgotten = [one.text for one in self._unnamed if may_be_meant(one)]
        near = self._constants.texts(named.start, _MOST_OPERANDS, may_be_meant)
        return tuple(dict.fromkeys((*near, *forgotten[:_MOST_OPERANDS])))

    def alike(self, symbol: SyntaxSymbol, scope: Scope) -> Sequence[SyntaxSymbol]:
        """Other variables of the type of one: those that the file sets and forgets, then those of the function."""
        others = [
            s for n, s in scope.items() if n == s.name and s.key != symbol.key and s.type == symbol.type
        ]
        others.sort(key=lambda s: (s.key not in self._forgotten, s.function is None, s.name))
        return others[:_MOST_VARIABLES]

    def tested(self, at: int, scope: Scope) -> Sequence[str]:
        """Conditions that stand elsewhere, all of whose variables are in scope."""
        return self._tests.texts(at, _MOST_TESTS, lambda item: is_ingredient_in_scope(item, scope))

    def truths(self, at: int, scope: Scope, text: str, known: frozenset[str]) -> Sequence[str]:
        """Parts of conditions that stand elsewhere and not in ``text``; ``known`` functions can be called."""

        def may_be_meant(item: Ingredient) -> bool:
            return item.text not in text and item.calls <= known and is_ingredient_in_scope(item, scope)

        return self._truths.texts(at, _MOST_TESTS, may_be_meant)

    def beside(self, at: int, scope: Scope, text: str, known: frozenset[str]) -> Iterator[str]:
        """Tests that may be meant beside ``text``: parts of conditions elsewhere, and comparisons of what is near.

        Compared are the first variables of ``text``, the nearest others, elements and members: with some constant, and
        with each other. Of pointers it is asked whether they are null.
        """
        named = [scope[name] for name in dict.fromkeys(_NAMED.findall(text)) if name in scope]
        own = [one.name for one in named if is_integer_type_but_bool(one.type)][:_MOST_NAMED]
        others = self.words(at, scope, text, is_integer_type_but_bool)
        yield from (one.name for one in named if isinstance(one.type, PointerType))
        for one in (*own, *others, *self.flags(at, scope, text)):
            yield from (f"{one} {op} {HOLE}" for op in _TESTS)
        for one, two in itertools.combinations((*own, *others[:_MOST_COMPARED]), 2):
            yield from (f"{one} {op} {two}" for op in _TESTS)
        yield from self.truths(at, scope, text, known)
        yield from self.pointers(at, scope, text)

    def nearest(self, names: Sequence[str], at: int) -> Sequence[str]:
        """Sort names by the distance to their nearest occurrence."""
        return sorted(names, key=lambda name: self._source.distance(name, at))

    def resets(self, at: int, scope: Scope) -> Sequence[str]:
        """Variables that are changed and never set anew, as what sets them to what they begin with."""
        return self._resets.texts(at, _MOST_NEAR, lambda item: is_ingredient_in_scope(item, scope))

    def assigned(self, at: int, scope: Scope) -> Sequence[str]:
        """Assignments that stand elsewhere, whose variables are in scope and that can be written here."""
        return self._assignments.texts(at, _MOST_ADDED, lambda item: self._may_stand(item, scope))

    def added(self, at: int, scope: Scope) -> Sequence[str]:
        """Assignments as they stand elsewhere, pointers the other way round, and counts, that can be made here."""

        def may_stand(item: Ingredient) -> bool:
            return self._may_stand(item, scope)

        found = (
            *self._assignments.texts(at, _MOST_ADDED, may_stand, but=at),
            *self._mirrored.texts(at, _MOST_MIRRORED, may_stand),
            *self._counters.texts(at, 2 * _MOST_STEPPED, may_stand),
            *self._element_counters.texts(at, 2 * _MOST_ELEMENTS, may_stand),
            *self._opposites.texts(at, _MOST_MIRRORED, may_stand),
        )
        return tuple(dict.fromkeys(found))

    def _may_stand(self, item: Ingredient, scope: Scope) -> bool:
        """True if the variables of an ingredient are those of the scope, and it writes nothing that is const."""
        first = item.names[:1]
        return is_ingredient_in_scope(item, scope) and not any(
            is_declared_constant(scope[n], self._source, itself=_writes_itself(item.text, n))
            for n, _ in first
        )


def is_ingredient_in_scope(item: Ingredient, scope: Scope) -> bool:
    """True if all variables of ``item`` are those of ``scope``."""
    return all(name in scope and scope[name].type == ctype for name, ctype in item.names)


def _unnamed(source: SourceText, enumerators: Iterable[str]) -> Iterator[Ingredient]:
    """The integer constants that a file defines, by macros or enumerators, and names nowhere but in cases."""
    counts = Counter(re.findall(r"\w+", source.text)) - Counter(re.findall(r"\bcase\s+(\w+)", source.text))
    names = set(enumerators)
    for macro in file_definitions(source.text).macros:
        if macro.parameters is None and len(macro.body) == 1 and macro.body[0].text.isdecimal():
            names.add(macro.name)
    seen: set[str] = set()
    for found in re.finditer(r"\w+", source.text):
        name = found[0]
        if counts[name] == 1 and name in names and name not in seen:
            seen.add(name)
            yield Ingredient(found.start(), name, INT, ())


def is_declared_constant(symbol: SyntaxSymbol, source: SourceText, *, itself: bool = False) -> bool:
    """True if ``const`` stands in the declaration of a variable: it, or what it points to, is not written.

    ``itself``: what it points to does not matter, as it may be written while that may not.
    """
    span = source.span(symbol.location)
    if span is None:
        return True
    begin = max(source.text.rfind(end, 0, span[0]) for end in (";{}(,*" if itself else ";{}(,"))
    return re.search(r"\bconst\b", source.text[begin + 1 : span[0]]) is not None


def _pointed_to(ctype: ArrayType | PointerType) -> CType:
    """The type of an element."""
    return ctype.element if isinstance(ctype, ArrayType) else ctype.target


def _writes_itself(text: str, name: str) -> bool:
    """True if a statement writes a variable and no member of it, element, or place that it points to."""
    return (
        re.match(rf"{re.escape(name)}\s*(?:[-+*/%&|^]|<<|>>)?=|{re.escape(name)}\s*(?:\+\+|--)$", text)
        is not None
    )
