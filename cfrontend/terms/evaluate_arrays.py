"""Vectorised evaluation on thousands of assignments at once: an array for each term, one entry for each assignment.

    Evaluation(terms, order, [x + 1]).values({x: array([3, 7])})   ->   {x + 1: array([4, 8])}

Words are of at most 64 bits. ``cfrontend.terms.evaluate`` is the meaning; what is found here is evaluated there again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, TypeAlias, final

import numpy as np

from cfrontend.effort import charge_effort
from cfrontend.terms import Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.operators import OPERATOR_VALUES

Array: TypeAlias = Any
"""Array of values: Booleans as ``bool``, words as ``uint64``; a constant has one entry."""

OPERATION: Final = 1_500
"""Effort of one term, however many assignments there are."""

CELL: Final = 2
"""Effort of one term under one assignment, beside others."""

WIDEST: Final = 64
"""Maximum bits of a word for vectorised evaluation."""


def fits_array_evaluation(terms: Terms, order: Sequence[Term]) -> bool:
    """Whether all words are narrow enough for vectorised evaluation."""
    return all(terms.width[term] <= WIDEST for term in order)


@final
class ArrayEvaluation:
    """Vectorised evaluation of the terms ``wanted``. ``fits`` must hold.

    They are in ``order``, which has arguments before their users.
    """

    def __init__(self, terms: Terms, order: Sequence[Term], wanted: Collection[Term]) -> None:
        self._terms = terms
        self._order = order
        self._wanted = wanted
        self._last = _last_uses(terms, order, wanted)

    def values(self, assignments: Mapping[Term, Array]) -> dict[Term, Array]:
        """The values of the wanted terms; variables not assigned are 0. An array is given up after its last use."""
        terms, last = self._terms, self._last
        columns = max((len(row) for row in assignments.values()), default=1)
        charge_effort((OPERATION + CELL * columns) * len(self._order))
        values: dict[Term, Array] = {}
        op, args, width, constant = terms.op, terms.args, terms.width, terms.value
        for place, t in enumerate(self._order):
            kind, a = op[t], args[t]
            if kind == T.CONST:
                values[t] = np.array([constant[t] or 0], dtype=np.uint64 if width[t] else np.bool_)
            elif kind == T.VAR:
                found = assignments.get(t)
                kept = np.zeros(1, dtype=np.uint64) if found is None else found
                values[t] = kept if width[t] else kept != 0
            elif kind == T.ITE:
                values[t] = np.where(values[a[0]], values[a[1]], values[a[2]])
            elif kind == T.AND:
                values[t] = values[a[0]] & values[a[1]]
            elif kind == T.OR:
                values[t] = values[a[0]] | values[a[1]]
            elif kind == T.NOT:
                values[t] = ~values[a[0]]
            elif kind == T.EQ:
                values[t] = values[a[0]] == values[a[1]]
            else:
                values[t] = _word(terms, t, values)
            for below in last.get(place, ()):
                del values[below]
        return {t: values[t] for t in self._wanted}


def _last_uses(terms: Terms, order: Sequence[Term], wanted: Collection[Term]) -> dict[int, list[Term]]:
    """Liveness: by place in ``order``, the terms that nobody behind it needs."""
    place_of: dict[Term, int] = {}
    for place, term in enumerate(order):
        place_of[term] = place
        for below in terms.operands(term):
            place_of[below] = place
    for term in wanted:
        place_of.pop(term, None)
    found: dict[int, list[Term]] = {}
    for term, place in place_of.items():
        found.setdefault(place, []).append(term)
    return found


def _word(terms: Terms, t: Term, values: Mapping[Term, Array]) -> Array:
    op, a, width = terms.op[t], terms.args[t], terms.width[t]
    x, y = values[a[0]], a[-1] if op >= T.EXTRACT else values[a[-1]]
    mask = np.uint64((1 << width) - 1)
    if op in (T.UDIV, T.UREM):
        return _divided(x, y, mask)[op == T.UREM]
    if op in (T.SDIV, T.SREM):
        return _signed_division(op, x, y, width)
    if op in (T.SHL, T.LSHR, T.ASHR):
        return _shifted(op, x, y, width)
    found = OPERATOR_VALUES[op](x, y, width, terms.width[a[0]])
    return found & mask if width else found


def _divided(x: Array, y: Array, mask: Any) -> tuple[Array, Array]:
    """Quotient and remainder, as SMT-LIB has them where the divisor is 0: all ones, and the dividend."""
    zero = y == 0
    divisor = np.where(zero, np.uint64(1), y)
    return np.where(zero, mask, x // divisor), np.where(zero, x, x % divisor)


def _signed_division(kind: int, x: Array, y: Array, width: int) -> Array:
    """Signed division by the absolute values; the sign of a remainder is that of the dividend."""
    mask, sign = np.uint64((1 << width) - 1), np.uint64(1 << (width - 1))
    below_x, below_y = x >= sign, y >= sign
    quotient, remainder = _divided(_absolute(x, below_x, mask), _absolute(y, below_y, mask), mask)
    if kind == T.SREM:
        return _absolute(remainder, below_x, mask)
    return _absolute(quotient, below_x != below_y, mask)


def _absolute(x: Array, negate: Array, mask: Any) -> Array:
    """The absolute value of ``x``, negated where that is said."""
    return np.where(negate, ~x + np.uint64(1) & mask, x)


def _shifted(kind: int, x: Array, y: Array, width: int) -> Array:
    """A shift by the width or more leaves zeros, or signs."""
    mask = np.uint64((1 << width) - 1)
    far = y >= np.uint64(width)
    by = np.where(far, np.uint64(0), y)
    if kind == T.SHL:
        return np.where(far, np.uint64(0), x << by & mask)
    shifted = x >> by
    if kind == T.LSHR:
        return np.where(far, np.uint64(0), shifted)
    negative = x >= np.uint64(1 << (width - 1))
    signs = mask ^ (mask >> by)
    return np.where(far, np.where(negative, mask, np.uint64(0)), np.where(negative, shifted | signs, shifted))
