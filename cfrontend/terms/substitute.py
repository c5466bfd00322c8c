"""Substitution of values for variables, with constant folding.

with_values(x + y < 7, {x: 9})   ->   9 + y < 7
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from weakref import WeakKeyDictionary

from cfrontend.terms import Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace

_FEW: Final = 256
"""Maximum number of terms of a condition in which values are substituted, where only choices are decided."""

_VARIABLES: Final[WeakKeyDictionary[Terms, dict[Term, frozenset[Term]]]] = WeakKeyDictionary()
"""Variables of the conditions of each store that have few terms, and none of the others."""


def substitute_values(terms: Terms, root: Term, values: Mapping[Term, int]) -> Term:
    """Substitute the unsigned ``values`` of variables in ``root``; Booleans are 0 or 1."""
    new: dict[Term, Term] = {}
    op, args, width = terms.op, terms.args, terms.width
    for term in terms.cone((root,)):
        kind = op[term]
        if term in values:
            value = values[term]
            new[term] = terms.const(value, width[term]) if width[term] else terms.bool_const(bool(value))
        elif kind in (T.CONST, T.VAR):
            new[term] = term
        else:
            new[term] = rebuilt_term(terms, kind, args[term], width[term], new)
    return new[root]


def decide_choices(terms: Terms, root: Term, values: Mapping[Term, int]) -> Term:
    """Substitute ``values`` of variables in the conditions of the choices and sums that ``root`` is made of.

    Conditions of many terms stay as they are: what this costs does not grow with all that the conditions depend on.
    """
    op, args = terms.op, terms.args
    parts: set[Term] = set()
    stack = [root]
    while stack:
        term = stack.pop()
        if term not in parts and op[term] in (T.ITE, T.ADD):
            parts.add(term)
            stack += args[term][-2:]
    new: dict[Term, Term] = {}
    for term in sorted(parts):  # arguments before their users
        one, two = (new.get(part, part) for part in args[term][-2:])
        if op[term] == T.ADD:
            new[term] = terms.add(one, two)
            continue
        condition = args[term][0]
        if not values.keys().isdisjoint(_variables_of_few(terms, condition)):
            condition = substitute_values(terms, condition, values)
        new[term] = terms.ite(condition, one, two)
    return new.get(root, root)


def _variables_of_few(terms: Terms, condition: Term) -> frozenset[Term]:
    """The variables of a condition of few terms; none of a larger one."""
    known = _VARIABLES.setdefault(terms, {})
    if (found := known.get(condition)) is not None:
        return found
    seen: set[Term] = set()
    stack = [condition]
    while stack and len(seen) <= _FEW:
        term = stack.pop()
        if term not in seen:
            seen.add(term)
            stack.extend(terms.operands(term))
    variables = frozenset(() if stack else (term for term in seen if terms.op[term] == T.VAR))
    known[condition] = variables
    return variables


def rebuilt_term(
    terms: Terms, kind: int, args: tuple[int, ...], width: int, new: Mapping[Term, Term]
) -> Term:
    """The term of this operator and these arguments with the ``new`` ones in the place of its operands."""
    if kind == T.EXTRACT:
        return terms.extract(new[args[0]], args[1], args[2])
    if kind in (T.ZEXT, T.SEXT):
        return (terms.zext if kind == T.ZEXT else terms.sext)(new[args[0]], width)
    return terms.apply(kind, *[new[operand] for operand in args])
