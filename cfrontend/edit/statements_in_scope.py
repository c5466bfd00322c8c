"""Statements in scope: what may be missing at a place in a file, as it stands elsewhere or nearly so.

if (n > most) most = n;   a = pop(m);   p->left--;   ->   most = n,  a = pop(m),  p->left--,  p->left++
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, final

from cfrontend.edit.ingredients import (
    Ingredient,
    Ingredients,
    ingredient_assignments,
    ingredient_counters,
    ingredient_mirrored_assignments,
    ingredient_opposite_assignments,
    ingredient_resets,
)
from cfrontend.edit.names_in_scope import Scope, is_declared_constant, is_ingredient_in_scope
from cfrontend.edit.text import SourceText
from cfrontend.syntax import tree

_MOST_ADDED: Final = 8
"""Assignments that are added before an expression, the nearest ones."""

_MOST_STEPPED: Final = 4
"""Places that are counted up and down before or behind an expression, the nearest ones."""

_MOST_MIRRORED: Final = 4
"""Assignments the other way round that are tried at one place, the nearest ones."""

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

    def __init__(self, program: tree.TranslationUnit, path: str, source: SourceText) -> None:
        self._source = source
        self._assignments = Ingredients(ingredient_assignments(program, path, source))
        self._mirrored = Ingredients(ingredient_mirrored_assignments(program, path, source))
        self._opposites = Ingredients(ingredient_opposite_assignments(program, path, source))
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
