"""Value sets of expressions: intervals of integers with the few constants they consist of, pointers and their room.

    x % 4 with x >= 0   ->   Integers(0, 3);   a of int a[5]   ->   Pointer(is_never_null=True, room=20)

Each holds at least the values that an execution without undefined behaviour can give.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias, final

from cfrontend.record import dataclass
from cfrontend.syntax.types import INT, IntType

_MOST_VALUES: Final = 8
"""Maximum number of constants that are told apart; more are an interval."""

_FLIPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NEGATED: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


@final
@dataclass(frozen=True, slots=True)
class Integers:
    """Integers from ``low`` to ``high``; ``values`` are all of them where they are few and known."""

    low: int
    high: int
    values: frozenset[int] | None = None


@final
@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer; ``room`` is how many bytes there are from there on to the end of the object, if that is known."""

    is_never_null: bool = False
    room: int | None = None


ValueSet: TypeAlias = Integers | Pointer | None
"""The values of an expression; None: any."""


def constants(values: Iterable[int]) -> Integers:
    """The set of some constants, of one at least."""
    found = frozenset(values)
    return Integers(min(found), max(found), found if len(found) <= _MOST_VALUES else None)


def all_integers_of(ctype: IntType) -> Integers:
    """All values of a type."""
    if ctype.signed:
        return Integers(-(1 << (ctype.width - 1)), (1 << (ctype.width - 1)) - 1)
    return Integers(0, (1 << ctype.width) - 1)


def is_within(one: Integers, other: Integers) -> bool:
    """Whether an interval lies in another one."""
    return other.low <= one.low and one.high <= other.high


def converted_integers(given: Integers, ctype: IntType) -> Integers:
    """The values behind a conversion: any of the type where one does not fit."""
    every = all_integers_of(ctype)
    return given if is_within(given, every) else every


def joined_values(one: ValueSet, other: ValueSet) -> ValueSet:
    """The values of both sets."""
    match one, other:
        case Integers(), Integers():
            if one.values is not None and other.values is not None:
                return constants(one.values | other.values)
            return Integers(min(one.low, other.low), max(one.high, other.high))
        case Pointer(), Pointer():
            return Pointer(
                one.is_never_null and other.is_never_null, one.room if one.room == other.room else None
            )
        case _:
            return None


def computed_integers(op: str, left: Integers, right: Integers, ctype: IntType) -> Integers:
    """The values of an operator of arithmetic in a type: any of the type where one does not fit.

    A sum or difference of what is in part of a signed type does not overflow: that would be undefined.
    """
    every = all_integers_of(ctype)
    if left.values is not None and right.values is not None:
        found = [_computed(op, one, two) for one in left.values for two in right.values]
        known = [one for one in found if one is not None]
        if known and len(known) == len(found):
            return converted_integers(constants(known), ctype)
    result = _interval(op, left, right)
    if result is not None and ctype.signed and ctype.rank >= INT.rank and op in {"+", "-"} and left != every:
        result = limited_integers(limited_integers(result, ">=", every) or every, "<=", every)
    return every if result is None or not is_within(result, every) else result


def _computed(op: str, left: int, right: int) -> int | None:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "&" if left >= 0 and right >= 0:
            return left & right
        case "|" if left >= 0 and right >= 0:
            return left | right
        case "/" if left >= 0 and right > 0:
            return left // right
        case "%" if left >= 0 and right > 0:
            return left % right
        case "<<" if left >= 0 and 0 <= right < 64:
            return left << right
        case ">>" if left >= 0 and 0 <= right < 64:
            return left >> right
        case _:
            return None


def _interval(op: str, left: Integers, right: Integers) -> Integers | None:
    match op:
        case "+":
            return Integers(left.low + right.low, left.high + right.high)
        case "-":
            return Integers(left.low - right.high, left.high - right.low)
        case "*":
            ends = [one * two for one in (left.low, left.high) for two in (right.low, right.high)]
            return Integers(min(ends), max(ends))
        case "/" if left.low >= 0 and right.low > 0:
            return Integers(left.low // right.high, left.high // right.low)
        case "%" if right.low > 0:
            most = right.high - 1
            return Integers(max(-most, left.low) if left.low < 0 else 0, max(0, min(left.high, most)))
        case "&" if left.low >= 0 or right.low >= 0:
            return Integers(0, min(one.high for one in (left, right) if one.low >= 0))
        case ">>" if left.low >= 0 and right.low >= 0:
            return Integers(left.low >> min(right.high, 128), left.high >> min(right.low, 128))
        case "|" | "^" if left.low >= 0 and right.low >= 0:
            return Integers(0, (1 << max(left.high.bit_length(), right.high.bit_length())) - 1)
        case _:
            return None


def flipped_comparison(op: str) -> str:
    """The comparison with its sides exchanged."""
    return _FLIPPED[op]


def negated_comparison(op: str) -> str:
    """The comparison that holds where another one does not."""
    return _NEGATED[op]


def limited_integers(given: Integers, op: str, other: Integers) -> Integers | None:
    """The values that compare in a way with some of ``other``; None where there are none."""
    low, high = given.low, given.high
    match op:
        case "<":
            high = min(high, other.high - 1)
        case "<=":
            high = min(high, other.high)
        case ">":
            low = max(low, other.low + 1)
        case ">=":
            low = max(low, other.low)
        case "==":
            low, high = max(low, other.low), min(high, other.high)
        case "!=" if other.low == other.high:
            low, high = low + (low == other.low), high - (high == other.low)
    values = given.values
    if op == "==" and other.values is not None:
        values = other.values if values is None else values & other.values
    if op == "!=" and values is not None and other.low == other.high:
        values -= {other.low}
    if values is not None:
        kept = [one for one in values if low <= one <= high]
        return constants(kept) if kept else None
    return Integers(low, high) if low <= high else None
