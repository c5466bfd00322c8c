"""Statements in scope: what may be missing at a place in a file, as it stands elsewhere or nearly so.

if (n > most) most = n;   a = pop(m);   p->left--;   ->   most = n,  a = pop(m),  p->left--,  p->left++
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, final

from cfrontend.edit.ingredients import (
    Ingredient,
    Ingredients,
    ingredient_assignments,
    ingredient_counters,
    ingredient_member_resets,
    ingredient_mirrored_assignments,
    ingredient_places,
    ingredient_resets,
    ingredient_unwritten_members,
)
from cfrontend.edit.names_in_scope import NamesInScope, Scope, is_declared_constant, is_ingredient_in_scope
from cfrontend.edit.statement_ingredients import (
    ingredient_assigned_calls,
    ingredient_opposite_assignments,
    ingredient_twins,
    ingredient_uncalled_functions,
    ingredient_unchanged_variables,
    ingredient_written_places,
)
from cfrontend.edit.text import SourceText
from cfrontend.syntax import tree
from cfrontend.syntax.complex_types import is_record_type
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    PointerType,
    StructType,
    StructTypeLayout,
    promoted_computation_type,
)

_MOST_ADDED: Final = 8
"""Assignments that are added before an expression, the nearest ones."""

_MOST_STEPPED: Final = 4
"""Places that are counted up and down before or behind an expression, the nearest ones."""

_MOST_MIRRORED: Final = 4
"""Assignments the other way round that are tried at one place, the nearest ones."""

_MOST_TWINS: Final = 6
"""Statements but for a member or an enumerator that are tried at one place, the nearest ones."""

_MOST_NEAR: Final = 3
"""Calls that are made, places that are set, and variables that are given a value, at one place: the nearest ones."""

_MOST_ELEMENTS: Final = 2
"""Elements that are counted or moved, structures that are written, variables that a member is given, functions that
nothing calls: the nearest ones."""

_MOST_CALLED: Final = 12
"""Ways in which a function that nothing calls is called."""


_MOST_COMPARED: Final = 1000
"""Ways among which these are chosen, about."""


@final
class StatementsInScope:
    """Statements that may be missing at places in the file ``path``, the nearest first.

    Places are offsets, and scopes those of these places.
    """

    def __init__(
        self, program: tree.TranslationUnit, path: str, source: SourceText, names: NamesInScope
    ) -> None:
        self._source, self._names, self._structs = source, names, program.structs
        self._assignments = Ingredients(ingredient_assignments(program, path, source))
        self._mirrored = Ingredients(ingredient_mirrored_assignments(program, path, source))
        self._opposites = Ingredients(ingredient_opposite_assignments(program, path, source))
        self._assigned_calls = Ingredients(ingredient_assigned_calls(program, path, source))
        self._twins = Ingredients(ingredient_twins(program, path, source))
        self._written_places = Ingredients(ingredient_written_places(program, path, source))
        self._counters, self._element_counters = (
            Ingredients(ingredient_counters(program, path, source, of))
            for of in ((tree.VariableRef, tree.MemberAccess), (tree.Index,))
        )
        places = tuple(ingredient_places(program, path, source))
        self._places = Ingredients(places)
        self._structures = Ingredients(place for place in places if isinstance(place.type, StructType))
        self._elements = Ingredients(place for place in places if place.text.endswith("]"))
        self._resets = Ingredients(ingredient_resets(program, path, source))
        self._member_resets = Ingredients(ingredient_member_resets(program, path, source))
        self._unwritten_members = ingredient_unwritten_members(program, path)
        self._unchanged = ingredient_unchanged_variables(program, path)
        self._uncalled = ingredient_uncalled_functions(program, path)

    def resets(self, at: int, scope: Scope) -> Sequence[str]:
        """Variables that are changed and never set anew, as what sets them to what they begin with."""
        return self._resets.texts(at, _MOST_NEAR, lambda item: is_ingredient_in_scope(item, scope))

    def member_resets(self, at: int, scope: Scope, names: Collection[str]) -> Sequence[str]:
        """Resets of members, as they stand elsewhere for other variables, of those in scope with these ``names``."""
        found: dict[str, None] = {}
        for name in sorted(names & scope.keys()):
            symbol = scope[name]
            if not is_declared_constant(symbol, self._source):
                texts = self._member_resets.texts(
                    at,
                    _MOST_NEAR,
                    lambda item, t=symbol.type: item.type == t,  # type: ignore[misc]
                )
                found |= dict.fromkeys(f"{name}{text}" for text in texts)
        return [text for text in found if text not in self._source.text]

    def unwritten_members(self, at: int, scope: Scope) -> Iterator[tuple[str, CType, Sequence[str]]]:
        """Members that nothing writes, of structures in scope and behind pointers to them, with their types.

        With each the variables of its type, the nearest ones.
        """
        for base, layout in self._structures_at(at, scope):
            for member, ctype in self._unwritten_within(layout):
                alike = [n for n, s in scope.items() if n == s.name and s.type == ctype]
                yield f"{base}{member}", ctype, self._names.nearest(alike, at)[:_MOST_ELEMENTS]

    def unchanged_variables(self, at: int, scope: Scope) -> Sequence[str]:
        """Numbers that a function begins with 0, 1 or -1, or with nothing, and never changes, the nearest ones."""
        found = [name for name, s in scope.items() if s.key in self._unchanged and name == s.name]
        return self._names.nearest(found, at)[:_MOST_NEAR]

    def _structures_at(self, at: int, scope: Scope) -> Iterator[tuple[str, StructTypeLayout]]:
        """The structures that may be written, and what stands before a member: variables, and the nearest places."""
        for name, symbol in scope.items():
            layout, arrow = self._names.layout_of(symbol)
            if layout is not None and name == symbol.name and not is_declared_constant(symbol, self._source):
                yield f"{name}{arrow}", layout
        types: dict[str, CType] = {}

        def may_be_meant(item: Ingredient) -> bool:
            types[item.text] = item.type
            return self._may_stand(item, scope)

        near = self._structures.texts(at, _MOST_ELEMENTS, may_be_meant) if self._unwritten_members else ()
        for text in near:
            of = types[text]
            if is_record_type(of) and of.key in self._structs and not text.startswith("*"):
                yield f"{text}.", self._structs[of.key]

    def _unwritten_within(self, layout: StructTypeLayout) -> Iterator[tuple[str, CType]]:
        """The members of a structure, and of structures in it, that nothing writes: their names in it, their types.

        An array is none: nothing can be assigned to it.
        """
        for member in layout.members:
            if isinstance(member.type, ArrayType):
                continue
            if member.name and (layout.key, member.name) in self._unwritten_members:
                yield member.name, member.type
            inner = self._structs.get(member.type.key) if is_record_type(member.type) else None
            if member.name and inner is not None:
                yield from ((f"{member.name}.{name}", of) for name, of in self._unwritten_within(inner))

    def assigned(self, at: int, scope: Scope) -> Sequence[str]:
        """Assignments that stand elsewhere, whose variables are in scope and that can be written here."""
        return self._assignments.texts(at, _MOST_ADDED, lambda item: self._may_stand(item, scope))

    def added(self, at: int, scope: Scope) -> Sequence[str]:
        """Assignments as they stand elsewhere, pointers the other way round, and counts, that can be made here."""
        standing = self._assignments.texts(at, _MOST_ADDED, lambda item: self._may_stand(item, scope), but=at)
        counts = [
            *self._counters.texts(at, 2 * _MOST_STEPPED, lambda item: self._may_stand(item, scope)),
            *self._element_counters.texts(at, 2 * _MOST_ELEMENTS, lambda item: self._may_stand(item, scope)),
        ]
        mirrored = self._mirrored.texts(at, _MOST_MIRRORED, lambda item: self._may_stand(item, scope))
        opposites = self._opposites.texts(at, _MOST_MIRRORED, lambda item: self._may_stand(item, scope))
        return tuple(dict.fromkeys((*standing, *mirrored, *counts, *opposites)))

    def assigned_calls(self, at: int, scope: Scope, known: frozenset[str]) -> Sequence[str]:
        """Assignments of what ``known`` functions return, as they stand elsewhere, that can be made here."""
        may_stand = self._may_stand_with_calls(scope, known)
        return self._assigned_calls.texts(at, _MOST_NEAR, may_stand, but=at)

    def alike(self, at: int, scope: Scope, known: frozenset[str]) -> Sequence[str]:
        """Statements as they stand elsewhere, but for a member or an enumerator, that can be made here."""
        may_stand = self._may_stand_with_calls(scope, known)
        return self._twins.texts(at, _MOST_TWINS, may_stand)

    def moved_elements(self, index: str, at: int, scope: Scope) -> Sequence[str]:
        """Assignments of elements that are named near by to the element ``index`` of the same array."""

        def may_be_meant(item: Ingredient) -> bool:
            is_another = not item.text.endswith(f"[{index}]") and not isinstance(item.type, ArrayType)
            return is_another and self._may_stand(item, scope)

        near = self._elements.texts(at, _MOST_NEAR, may_be_meant)
        return [f"{one.rpartition('[')[0]}[{index}] = {one}" for one in near]

    def copied_places(self, at: int, scope: Scope) -> Sequence[str]:
        """Assignments of elements, members and what pointers lead to, to each other, that stand nearest."""
        types: dict[str, CType] = {}

        def may_be_meant(item: Ingredient) -> bool:
            types[item.text] = item.type
            return not isinstance(item.type, ArrayType) and self._may_stand(item, scope)

        near = self._places.texts(at, _MOST_NEAR, may_be_meant)
        pairs = itertools.permutations(near, 2)
        return [f"{one} = {other}" for one, other in pairs if types[one] == types[other]]

    def twins(self, symbol: SyntaxSymbol, at: int, scope: Scope, known: frozenset[str]) -> Iterator[str]:
        """Assignments to a variable, like those that stand elsewhere for another one of its type, and near by.

        One more of their variables may be another one of its type, too.
        """

        def is_of_another(item: Ingredient) -> bool:
            name, ctype = item.names[0] if item.names else ("", None)
            is_whole = re.match(rf"{name}\s*=(?!=)", item.text) is not None
            in_place = is_whole and ctype == symbol.type and name != symbol.name
            return in_place and item.calls <= known and is_ingredient_in_scope(item, scope)

        standing = (
            *self._assignments.texts(at, _MOST_NEAR, is_of_another),
            *self._assigned_calls.texts(at, _MOST_NEAR, is_of_another),
        )
        for text in dict.fromkeys(standing):
            value = text.partition("=")[2].strip()
            yield f"{symbol.name} = {value}"
            for name in dict.fromkeys(re.findall(r"[A-Za-z_]\w*", value)):
                if name in scope:
                    others = [other.name for other in self._names.alike(scope[name], scope)]
                    for other in self._names.nearest(others, at)[:_MOST_NEAR]:
                        renamed = re.sub(rf"\b{name}\b", other, value)
                        yield f"{symbol.name} = {renamed}"

    def written_places(self, at: int, scope: Scope) -> Iterator[tuple[str, Sequence[str]]]:
        """Places of numbers that are written elsewhere, each with the nearest variables that may be assigned to it."""
        for place in self._written_places.texts(
            at, _MOST_ELEMENTS, lambda item: self._may_stand(item, scope)
        ):
            yield place, self._names.words(at, scope, place)

    def forgotten_calls(self, at: int, scope: Scope, known: frozenset[str]) -> Iterator[tuple[str, CType]]:
        """Calls of the last ``known`` functions that nothing calls, with variables for arguments, and their types."""
        callable_here = [function for function in self._uncalled if function.name in known]
        for function in callable_here[-_MOST_ELEMENTS:]:
            for call in self._calls_of(function, at, scope, _MOST_CALLED):
                yield call, function.type.result

    def calls_with_variables(
        self, functions: Sequence[tree.Function], at: int, scope: Scope
    ) -> Iterator[str]:
        """Calls of functions with variables in scope for arguments, some of each."""
        for function in functions:
            yield from self._calls_of(function, at, scope, _MOST_MIRRORED)

    def _calls_of(self, function: tree.Function, at: int, scope: Scope, most: int) -> Iterator[str]:
        """Calls of a function with variables in scope for arguments: first those that give no variable twice."""
        each = int(_MOST_COMPARED ** (1 / max(1, len(function.parameters))))
        choices = [
            list(enumerate(self._arguments(parameter, at, scope)))[: max(1, each)]
            for parameter in function.parameters
        ]
        given = [tuple(zip(*one, strict=True)) or ((), ()) for one in itertools.product(*choices)]
        given.sort(key=lambda one: (len(one[1]) - len(set(one[1])), sum(one[0])))
        for _, arguments in given[:most]:
            yield f"{function.name}({', '.join(arguments)})"

    def _arguments(self, parameter: SyntaxSymbol, at: int, scope: Scope) -> Sequence[str]:
        """Variables in scope, their addresses, and places for a parameter: those of its name, then the nearest ones."""
        ctype = parameter.type
        found: dict[str, str] = {}
        for name, symbol in scope.items():
            of = symbol.type
            if name != symbol.name:
                continue
            is_array = (
                isinstance(of, ArrayType) and isinstance(ctype, PointerType) and of.element == ctype.target
            )
            if is_array or promoted_computation_type(of) == promoted_computation_type(ctype):
                found[name] = name
            elif isinstance(ctype, PointerType) and ctype.target == of:
                found[name] = f"&{name}"
        near = sorted(self._names.nearest(list(found), at), key=lambda name: name != parameter.name)
        places = self._names.places(at, scope, "", ctype)[:_MOST_ELEMENTS]
        return (*(found[name] for name in near[:_MOST_NEAR]), *places)

    def of_type(self, at: int, scope: Scope, ctype: CType, unwritten: Collection[str]) -> Sequence[str]:
        """Variables of a type that may be written: those that are ``unwritten``, by key, else the nearest ones."""
        found = [
            name
            for name, symbol in scope.items()
            if name == symbol.name and symbol.type == ctype and not is_declared_constant(symbol, self._source)
        ]
        missing = [name for name in found if tree.plain_syntax_symbol_key(scope[name].key) in unwritten]
        return self._names.nearest(missing or found, at)[:_MOST_NEAR]

    def kept_pointers(self, at: int, scope: Scope) -> Sequence[str]:
        """Assignments of local pointers, and of members and elements that are pointers, to local pointers.

        Both have the same type; the nearest ones.
        """
        pointers = [
            symbol
            for name, symbol in scope.items()
            if name == symbol.name and symbol.function is not None and isinstance(symbol.type, PointerType)
        ]
        near = self._names.nearest([symbol.name for symbol in pointers], at)
        types = {symbol.name: symbol.type for symbol in pointers}
        pairs = [
            f"{one} = {other}"
            for one in near
            for other in near
            if one != other
            and types[one] == types[other]
            and not is_declared_constant(scope[one], self._source, itself=True)
        ]
        reached = [
            f"{name} = {place}"
            for name in near[:_MOST_MIRRORED]
            for place in self._names.places(at, scope, "", types[name])
            if not is_declared_constant(scope[name], self._source)
        ]
        return (*pairs[: 2 * _MOST_MIRRORED], *reached[: 2 * _MOST_MIRRORED])

    def _may_stand_with_calls(self, scope: Scope, known: frozenset[str]) -> Callable[[Ingredient], bool]:
        """Whether an ingredient may stand in a scope, and calls ``known`` functions only."""
        return lambda item: item.calls <= known and self._may_stand(item, scope)

    def _may_stand(self, item: Ingredient, scope: Scope) -> bool:
        """True if the variables of an ingredient are those of the scope, and it writes nothing that is const."""
        first = item.names[:1]
        return is_ingredient_in_scope(item, scope) and not any(
            is_declared_constant(scope[n], self._source, itself=_writes_itself(item.text, n))
            for n, _ in first
        )


def _writes_itself(text: str, name: str) -> bool:
    """True if a statement writes a variable and no member of it, element, or place that it points to."""
    return (
        re.match(rf"{re.escape(name)}\s*(?:[-+*/%&|^]|<<|>>)?=|{re.escape(name)}\s*(?:\+\+|--)$", text)
        is not None
    )
