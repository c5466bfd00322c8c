"""Leaves of if-then-else trees: the terms that the nested ``ite`` of a term choose among.

ite(c, x, ite(d, y, 1))   ->   x when c,  y when not c and d,  1 when neither
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from heapq import heappop, heappush
from typing import TypeAlias

from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace


def conditions_of_leaves(
    t: Terms, value: Term, inside: Callable[[Term], bool], wanted: Callable[[Term], bool] | None = None
) -> dict[Term, Term]:
    """The leaves of the if-then-else tree ``value``, each with the condition under which it is chosen.

    Only where ``inside`` holds of an ``ite`` are its branches looked at, and of a word put together from
    parts, the parts; a branch that is not ``wanted`` is left out. Each term is seen once, users before arguments:
    the nested ``ite`` share their parts.
    """
    conditions = {value: TRUE}
    waiting = [-value]
    while waiting:
        a = -heappop(waiting)
        if t.op[a] not in (T.ITE, T.CONCAT, T.EXTRACT) or not inside(a):
            continue
        if t.op[a] == T.ITE:
            c, then, otherwise = t.args[a]
            branches = [(then, c), (otherwise, t.not_(c))]
        else:
            branches = [(part, TRUE) for part in t.operands(a)]
        for branch, taken in branches:
            if wanted is not None and not wanted(branch):
                continue
            condition = t.and_(conditions[a], taken)
            before = conditions.get(branch)
            if before is None:
                heappush(waiting, -branch)
                conditions[branch] = condition
            else:
                conditions[branch] = t.or_(before, condition)
    return conditions


def parts_of_tree(
    t: Terms, value: Term, inside: Callable[[Term], bool] | None = None
) -> dict[Term, Sequence[Term]]:
    """The inner terms of the if-then-else tree ``value``, each with those that it chooses among or is made of.

    Only what holds ``inside`` is looked into. Each term is seen once, and none is made.
    """
    found: dict[Term, Sequence[Term]] = {}
    waiting = [value]
    while waiting:
        a = waiting.pop()
        if a in found or t.op[a] not in (T.ITE, T.CONCAT, T.EXTRACT) or not (inside is None or inside(a)):
            continue
        found[a] = t.args[a][1:] if t.op[a] == T.ITE else t.operands(a)
        waiting.extend(found[a])
    return found


def _parts_that_lead_to(t: Terms, value: Term, leaf: Term) -> list[Term]:
    """The parts of the if-then-else tree ``value`` that have ``leaf`` among their leaves, arguments before users.

    ``leaf`` itself is one, where ``value`` has it.
    """
    branches = parts_of_tree(t, value, lambda a: a > leaf)  # an argument is older than its user
    found = {leaf}
    for a in sorted(branches):
        if not found.isdisjoint(branches[a]):
            found.add(a)
    return sorted(found) if value in found else []


def condition_of_leaf(t: Terms, value: Term, leaf: Term) -> Term:
    """The condition under which ``value`` is ``leaf``."""
    parts = frozenset(_parts_that_lead_to(t, value, leaf))
    if not parts:
        return FALSE
    return conditions_of_leaves(t, value, lambda a: a > leaf, parts.__contains__).get(leaf, FALSE)


def with_leaf(t: Terms, value: Term, leaf: Term, new: Term) -> Term:
    """The if-then-else tree ``value`` with ``new`` in place of its leaf ``leaf``."""
    parts = frozenset(_parts_that_lead_to(t, value, leaf)) - {leaf}
    return rebuilt_tree(t, value, lambda a: new if a == leaf else a, parts.__contains__)


def rebuilt_tree(
    t: Terms, value: Term, made_of: Callable[[Term], Term], inside: Callable[[Term], bool] | None = None
) -> Term:
    """The if-then-else tree ``value`` with what is ``made_of`` each leaf in its place."""
    parts = parts_of_tree(t, value, inside)
    made: dict[Term, Term] = {}
    for a in sorted(parts):  # arguments before their users
        new = [made[part] if part in made else made_of(part) for part in parts[a]]
        if t.op[a] == T.ITE:
            made[a] = t.ite(t.args[a][0], *new)
        elif t.op[a] == T.CONCAT:
            made[a] = t.concat(*new)
        else:
            made[a] = t.extract(*new, *t.args[a][1:])
    return made[value] if value in made else made_of(value)


_Slice: TypeAlias = tuple[Term, int, int]
"""Bit slice: (word, highest bit, lowest bit)."""


def bit_slice_of_parts(t: Terms, value: Term, high: int, low: int, inside: Collection[Term]) -> Term:
    """A bit slice of the if-then-else tree ``value``: the tree of the slices of its leaves.

    ite(c, concat(x, y), z) of words of 16 bits, 7 to 0   ->   ite(c, y, extract(z, 7, 0))

    So what its leaves have in other bits is no part of it. Only words ``inside`` are looked into.
    """
    found: dict[_Slice, Term] = {}
    waiting: list[_Slice] = [(value, high, low)]
    while waiting:
        a, last, first = here = waiting[-1]
        parts = _parts_of_slice(t, here) if a in inside else []
        missing = [part for part in parts if part not in found]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        if not parts:
            found[here] = t.extract(a, last, first)
        elif t.op[a] == T.ITE:
            found[here] = t.ite(t.args[a][0], *(found[part] for part in parts))
        elif len(parts) == 2:
            found[here] = t.concat(*(found[part] for part in parts))
        else:
            found[here] = found[parts[0]]
    return found[value, high, low]


def _parts_of_slice(t: Terms, bits: _Slice) -> list[_Slice]:
    """The slices that a slice chooses between, or is put together of, high bits first; none where it is a leaf."""
    a, high, low = bits
    match t.op[a]:
        case T.ITE:
            return [(branch, high, low) for branch in t.args[a][1:]]
        case T.EXTRACT:
            word, _, begin = t.args[a]
            return [(word, high + begin, low + begin)]
        case T.CONCAT:
            upper, lower = t.args[a]
            width = t.width[lower]
            parts = [(upper, high - width, max(low - width, 0))] if high >= width else []
            return [*parts, (lower, min(high, width - 1), low)] if low < width else parts
        case _:
            return []
