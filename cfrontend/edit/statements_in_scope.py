"""Statements in scope: what may be missing at a place in a file, as it stands elsewhere or nearly so.

if (n > most) most = n;   a = pop(m);   p->left--;   ->   most = n,  a = pop(m),  p->left--,  p->left++
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, final

from cfrontend.edit.ingredients import (
    Ingredient,
    Ingredients,
    ingredient_assignments,
    ingredient_counters,
    ingredient_mirrored_assignments,
    ingredient_resets,
)
from cfrontend.edit.names_in_scope import NamesInScope, Scope, is_declared_constant, is_ingredient_in_scope
from cfrontend.edit.statement_ingredients import (
    ingredient_opposite_assignments,
    ingredient_twins,
)
from cfrontend.edit.text import SourceText
from cfrontend.syntax import tree
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import (
    ArrayType,
    PointerType,
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


@final
class StatementsInScope:
    """Statements that may be missing at places in the file ``path``, the nearest first.

    Places are offsets, and scopes those of these places.
    """

    def __init__(
        self, program: tree.TranslationUnit, path: str, source: SourceText, names: NamesInScope
    ) -> None:
        self._source, self._names = source, names
        self._assignments = Ingredients(ingredient_assignments(program, path, source))
        self._mirrored = Ingredients(ingredient_mirrored_assignments(program, path, source))
        self._opposites = Ingredients(ingredient_opposite_assignments(program, path, source))
        self._twins = Ingredients(ingredient_twins(program, path, source))
        self._counters, self._element_counters = (
            Ingredients(ingredient_counters(program, path, source, of))
            for of in ((tree.VariableRef, tree.MemberAccess), (tree.Index,))
        )
        self._resets = Ingredients(ingredient_resets(program, path, source))

    def resets(self, at: int, scope: Scope) -> Sequence[str]:
        """Variables that are changed and never set anew, as what sets them to what they begin with."""
        return self._resets.texts(at, _MOST_NEAR, lambda item: is_ingredient_in_scope(item, scope))

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

    def alike(self, at: int, scope: Scope, known: frozenset[str]) -> Sequence[str]:
        """Statements as they stand elsewhere, but for a member or an enumerator, that can be made here."""
        may_stand = self._may_stand_with_calls(scope, known)
        return self._twins.texts(at, _MOST_TWINS, may_stand)

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
