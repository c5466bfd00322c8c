"""Functions that have a value of constants only, of integers that depend on inputs.

    pow(n, 2) with 0 <= n <= 2   ->   n == 0 ? 0.0 : n == 1 ? 1.0 : 4.0

An integer with few values is followed through all of them. Of any other one a window of small values is; executions in
which it has another value leave the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Final, TypeAlias, final

from cfrontend.errors import Location
from cfrontend.floats import Floats, Unknown
from cfrontend.record import dataclass
from cfrontend.symex.machine import Machine
from cfrontend.terms import Term, Terms

_FIRST: Final = -32
_WINDOW: Final = 128
"""The window begins at ``_FIRST``, or at the least value the integer can have, whichever is larger."""

_MOST: Final = 4096
"""Combinations of values that are told apart."""

Function: TypeAlias = Callable[..., Term]


@final
@dataclass(frozen=True, slots=True)
class _Choice:
    """An operand that is ``made`` of each of ``values`` of ``integer``."""

    integer: Term
    values: tuple[int, ...]
    made: tuple[Term, ...]


def of_few(m: Machine, floats: Floats, function: Function, given: Sequence[Term], where: Location) -> Term:
    """``function`` of the operands ``given``, at least one of which is an integer that is not constant.

    Raises Unknown where another one depends on inputs, and for too many combinations.
    """
    operands = [_choice(m, floats, operand, where) for operand in given]
    if prod(len(o.values) for o in operands if isinstance(o, _Choice)) > _MOST:
        raise Unknown
    return _chosen(m.t, function, operands, [])


def _choice(m: Machine, floats: Floats, operand: Term, where: Location) -> Term | _Choice:
    """A constant, or the values that are followed; the others leave the bound."""
    t = m.t
    if t.value[operand] is not None:
        return operand
    if operand not in floats.integers:
        raise Unknown
    integer, signed, make = floats.integers[operand]
    width = t.width[integer]
    known = m.values.of(integer)
    values = tuple(sorted(known)) if known is not None else _window(t, integer, signed=signed)
    if known is None:
        followed = t.any_of(t.eq(integer, t.const(value, width)) for value in values)
        m.cut_where(t.not_(followed), where)
        m.assume(followed)
    return _Choice(integer, values, tuple(make(t.const(value, width)) for value in values))


def _window(t: Terms, integer: Term, *, signed: bool) -> tuple[int, ...]:
    """Small values of an integer that has many, as words."""
    width = t.width[integer]
    least, largest = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    if integer in t.ranges and signed:
        least, largest = t.ranges[integer]
    first = max(least, _FIRST)
    return tuple(value & ((1 << width) - 1) for value in range(first, min(largest + 1, first + _WINDOW)))


def _chosen(t: Terms, function: Function, operands: Sequence[Term | _Choice], before: Sequence[Term]) -> Term:
    """The function of constants ``before`` and of what each choice among the other operands gives."""
    if len(before) == len(operands):
        return function(*before)
    operand = operands[len(before)]
    if not isinstance(operand, _Choice):
        return _chosen(t, function, operands, [*before, operand])
    width = t.width[operand.integer]
    results = [_chosen(t, function, operands, [*before, made]) for made in operand.made]
    found = results[-1]
    for value, result in zip(operand.values[:-1], results[:-1], strict=True):
        found = t.ite(t.eq(operand.integer, t.const(value, width)), result, found)
    return found
