"""Leaves of if-then-else trees: the terms that the nested ``ite`` of a term choose among.

ite(c, x, ite(d, y, 1))   ->   x when c,  y when not c and d,  1 when neither
"""

from __future__ import annotations

from collections.abc import Callable
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


def _is_leaf(t: Terms, value: Term, leaf: Term) -> bool:
    """True if the if-then-else tree ``value`` has ``leaf`` among its leaves; no term is made to find out."""
    seen = {value}
    waiting = [value]
    while waiting:
        a = waiting.pop()
        if a == leaf:
            return True
        if t.op[a] not in (T.ITE, T.CONCAT, T.EXTRACT):
            continue
        for branch in t.args[a][1:] if t.op[a] == T.ITE else t.operands(a):
            # An argument is older than its user.
            if branch >= leaf and branch not in seen:
                seen.add(branch)
                waiting.append(branch)
    return False


def condition_of_ite_leaf(t: Terms, value: Term, leaf: Term) -> Term:
    """The condition under which ``value`` is ``leaf``."""
    if not _is_leaf(t, value, leaf):
        return FALSE
    return conditions_of_ite_leaves(t, value, lambda a: a > leaf).get(leaf, FALSE)


def with_ite_leaf(t: Terms, value: Term, leaf: Term, new: Term) -> Term:
    """The if-then-else tree ``value`` with ``new`` in place of its leaf ``leaf``."""
    if not _is_leaf(t, value, leaf):
        return value
    replaced = {leaf: new}
    for a in sorted(conditions_of_ite_leaves(t, value, lambda a: a > leaf)):
        if a > leaf and t.op[a] == T.ITE:
            c, then, otherwise = t.args[a]
            replaced[a] = t.ite(c, replaced.get(then, then), replaced.get(otherwise, otherwise))
        elif a > leaf and t.op[a] == T.CONCAT:
            high, low = t.args[a]
            replaced[a] = t.concat(replaced.get(high, high), replaced.get(low, low))
        elif a > leaf and t.op[a] == T.EXTRACT:
            word, high, low = t.args[a]
            replaced[a] = t.extract(replaced.get(word, word), high, low)
    return replaced.get(value, value)
