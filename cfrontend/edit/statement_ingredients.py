"""Ingredients for missing statements: statements that stand elsewhere, as they are or but for a name or a sign.

a = pop(m);  p->left -= n;  t->right = key;   ->   a = pop(m),  p->left += n,  t->left = key
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from cfrontend import goto
from cfrontend.edit.ingredients import (
    Ingredient,
    ingredient_names,
    ingredient_statements,
    ingredient_writes,
)
from cfrontend.edit.text import SourceText
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CType

_Enumerations: TypeAlias = Mapping[str, Sequence[str]]
"""The enumerators of an enumeration by each of its names."""

_MOST_OTHERS: Final = 6
"""Members and enumerators that are tried in the place of one, those that stand nearest to it."""

_OPPOSITES: Final[Mapping[str, str]] = {"+": "-", "-": "+"}
"""Operators of sums and counts, and those that undo them."""


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


def ingredient_twins(program: tree.TranslationUnit, path: str, source: SourceText) -> Iterator[Ingredient]:
    """The assignments and counts of a file with another member of the same type, or another enumerator, in them.

    t->right = insert(t->right, key);   t->kind = NUMBER;   ->   t->left = insert(t->left, key),  t->kind = WORD
    """
    enumerations = _enumerators_by_name(program)
    for s in ingredient_statements(program, path):
        e = s.expression if isinstance(s, tree.ExpressionStatement) else None
        if not isinstance(e, tree.Assign | tree.CompoundAssign | tree.IncDec):
            continue
        inner, span = list(goto.goto_subexpressions(e)), source.span(e.location)
        found = _names_and_calls(inner, program)
        if span is None or found is None:
            continue
        text, (names, calls) = source.text[slice(*span)], found
        for changed in dict.fromkeys(
            (*_other_members(text, inner, program), *_others_named(text, inner, enumerations))
        ):
            yield Ingredient(span[0], changed, e.type, names, calls)


def _names_and_calls(
    inner: Sequence[Expression], program: tree.TranslationUnit
) -> tuple[tuple[tuple[str, CType], ...], frozenset[str]] | None:
    """The variables in an expression with their types, and the functions that it calls; None where one is unknown."""
    calls = [part for part in inner if isinstance(part, tree.Call)]
    called = {part.callee.name for part in calls if isinstance(part.callee, tree.FunctionRef)}
    if any(not isinstance(part.callee, tree.FunctionRef) for part in calls) or any(
        name not in program.functions or program.functions[name].body is None for name in called
    ):
        return None
    refs = [part.symbol for part in inner if isinstance(part, tree.VariableRef)]
    return tuple(dict.fromkeys((symbol.name, symbol.type) for symbol in refs)), frozenset(called)


def _other_members(text: str, inner: Sequence[Expression], program: tree.TranslationUnit) -> Iterator[str]:
    """The text with another member of the same structure and type in the place of one, the nearest ones.

    Where several structures have the one, all of them have the other.
    """
    alike: dict[str, list[str]] = {}
    for part in inner:
        if isinstance(part, tree.MemberAccess) and (layout := program.structs.get(part.struct_key)):
            own = [member.name for member in layout.members if member.name and member.type == part.type]
            alike[part.member] = [name for name in alike.get(part.member, own) if name in own]
    for member, names in alike.items():
        for other in _nearest(member, names):
            yield re.sub(rf"(\.|->)(\s*){member}\b", rf"\1\2{other}", text)


def _others_named(text: str, inner: Sequence[Expression], enumerations: _Enumerations) -> Iterator[str]:
    """The text with another enumerator of the same enumeration in the place of one, the nearest ones."""
    if any(isinstance(part, tree.IntConstant) for part in inner):
        for name in dict.fromkeys(re.findall(r"[A-Za-z_]\w*", text)):
            for other in _nearest(name, enumerations.get(name, ())):
                yield re.sub(rf"\b{name}\b", other, text)


def _nearest(name: str, names: Sequence[str]) -> Sequence[str]:
    """The names that stand nearest to one among them, without it."""
    if name not in names:
        return ()
    own = names.index(name)
    near = sorted(range(len(names)), key=lambda n: abs(n - own))
    return [names[n] for n in near[1 : _MOST_OTHERS + 1]]


def _enumerators_by_name(program: tree.TranslationUnit) -> _Enumerations:
    """By enumerator: the enumerators of its enumeration."""
    groups: dict[str, list[str]] = {}
    for name, first in program.enumerations.items():
        groups.setdefault(first, []).append(name)
    return {name: groups[first] for name, first in program.enumerations.items()}
