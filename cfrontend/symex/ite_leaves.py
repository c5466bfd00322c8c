"""Leaves of if-then-else trees: the terms that the nested ``ite`` of a term choose among.

ite(c, x, ite(d, y, 1))   ->   x when c,  y when not c and d,  1 when neither
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush

from cfrontend import terms as T  # noqa: N812 - opcode namespace
from cfrontend.terms import FALSE, TRUE, Term, Terms


def conditions_of_ite_leaves(
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


def parts_of_ite_tree(
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
    branches = parts_of_ite_tree(t, value, lambda a: a > leaf)  # an argument is older than its user
    found = {leaf}
    for a in sorted(branches):
        if not found.isdisjoint(branches[a]):
            found.add(a)
    return sorted(found) if value in found else []


def condition_of_ite_leaf(t: Terms, value: Term, leaf: Term) -> Term:
    """The condition under which ``value`` is ``leaf``."""
    parts = frozenset(_parts_that_lead_to(t, value, leaf))
    if not parts:
        return FALSE
    return conditions_of_ite_leaves(t, value, lambda a: a > leaf, parts.__contains__).get(leaf, FALSE)


def with_ite_leaf(t: Terms, value: Term, leaf: Term, new: Term) -> Term:
    """The if-then-else tree ``value`` with ``new`` in place of its leaf ``leaf``."""
    parts = _parts_that_lead_to(t, value, leaf)
    if not parts:
        return value
    replaced = {leaf: new}
    for a in parts[1:]:
        if t.op[a] == T.ITE:
            c, then, otherwise = t.args[a]
            replaced[a] = t.ite(c, replaced.get(then, then), replaced.get(otherwise, otherwise))
        elif t.op[a] == T.CONCAT:
            high, low = t.args[a]
            replaced[a] = t.concat(replaced.get(high, high), replaced.get(low, low))
        else:
            word, high, low = t.args[a]
            replaced[a] = t.extract(replaced.get(word, word), high, low)
    return replaced[value]
