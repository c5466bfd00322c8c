"""Interval constraints that an assumed condition puts on variables.

0 <= x && x < 9 && y == z   ->   x from 0 to the largest, x from the smallest to 8
"""

from __future__ import annotations

from collections.abc import Iterator

from cfrontend import terms as T  # noqa: N812 - opcode namespace
from cfrontend.terms import Term, Terms


def assumed_ranges_of(t: Terms, condition: Term) -> Iterator[tuple[Term, int, int]]:
    """(variable, smallest, largest) for each part of a condition that bounds a variable by a constant, signed."""
    stack = [condition]
    while stack:
        c = stack.pop()
        if t.op[c] == T.AND:
            stack += t.args[c]
        elif (found := _range_of(t, c)) is not None:
            yield found


def _range_of(t: Terms, condition: Term) -> tuple[Term, int, int] | None:
    """(variable, smallest, largest), signed, of a condition that is a single comparison with a constant."""
    negated = t.op[condition] == T.NOT
    if negated:
        condition = t.args[condition][0]
    op, args = t.op[condition], t.args[condition]
    if op not in (T.SLT, T.ULT, T.EQ) or not t.width[args[0]]:
        return None
    one, two = args
    width = t.width[one]
    least, most = -(1 << (width - 1)), (1 << (width - 1)) - 1
    on_left = t.op[one] == T.VAR
    variable, constant = (one, t.value[two]) if on_left else (two, t.value[one])
    if constant is None or t.op[variable] != T.VAR:
        return None
    bound = t.signed(constant, width)
    if op == T.EQ:
        return None if negated else (variable, bound, bound)
    if op == T.ULT:
        below = bound - 1 if not negated else bound
        return (variable, 0, below) if on_left != negated and below >= 0 else None
    if on_left != negated:
        return variable, least, (bound if negated else bound - 1)
    return variable, (bound if negated else bound + 1), most
