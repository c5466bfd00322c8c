"""Followed elements: of which elements of an array a symbolic index can mean executions are followed.

    a[i] = 1;    with char a[100000] and any i    ->    i < 4096, and what accesses others leaves the bound

Each element costs work in each access, so the accesses of an encoding share a number of elements; those that come
when it is used up follow fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final, TypeAlias

from cfrontend.errors import Location
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.terms import Term

Step: TypeAlias = tuple[Term, int, int | None]
"""Array index step of a path: (index as a word, bytes of an element, number of elements or None)."""

LISTED: Final = 64
"""Maximum number of constants that an offset may be one of, to be split into its if-then-else leaves."""

_LARGEST_ARRAY: Final = 1 << 16
"""Maximum number of elements of an array that a symbolic index ranges over; in larger arrays fewer are followed."""

_FOLLOWED: Final = 1 << 12
"""Number of first elements that a symbolic index follows in an array that is larger; those behind leave the bound."""

_ALL_ACCESSES: Final = 1 << 14
"""Number of elements that all symbolic indices of an encoding range over; those that come then follow fewer."""

_FOLLOWED_THEN: Final = 1 << 8
"""Number of first elements that a symbolic index follows then, while they all range over half as many more."""

_FOLLOWED_LAST: Final = 1 << 6
"""Number of first elements that a symbolic index follows when these are used up, too."""

_LARGEST_ROOM: Final = 1 << 12
"""Maximum bytes of an array of the library models that a symbolic index ranges over; only those of files are larger."""

_FOLLOWED_IN_ROOM: Final = 1 << 8
"""Number of first bytes that a symbolic index follows in a larger array of the library models."""

_ROUNDING: Final = 1e-9
"""Tolerance for the rounding error of a root of a number of elements."""


def followed_element_steps(m: SymbolicMachine, steps: Sequence[Step], condition: Term) -> Sequence[Step]:
    """The index steps limited to the followed elements: the first ones of large arrays, as many in each dimension."""
    t = m.t
    open_lengths = {
        n: length
        for n, (index, _, length) in enumerate(steps)
        if length is not None and t.value[index] is None and not 0 < t.choices(index) <= LISTED
    }
    total = prod(open_lengths.values())
    left = _followed_elements(m, total)
    if left == total:
        return steps
    limited = list(steps)
    for done, (n, length) in enumerate(sorted(open_lengths.items(), key=lambda item: item[1])):
        most = max(1, int(left ** (1 / (len(open_lengths) - done)) + _ROUNDING))
        left //= min(length, most)
        if length > most:
            index, stride, _ = steps[n]
            limited[n] = (index, stride, _least(m, index, most, condition))
    return limited


def _followed_elements(m: SymbolicMachine, count: int) -> int:
    """How many of the ``count`` elements that a symbolic index can mean it follows."""
    if count <= _FOLLOWED_THEN:
        return count
    if m.ranged_elements < _ALL_ACCESSES:
        followed = count if count <= _LARGEST_ARRAY else _FOLLOWED
        m.ranged_elements += followed
        m.fully_ranged_elements = m.ranged_elements
        return followed
    if m.ranged_elements >= m.fully_ranged_elements + _ALL_ACCESSES // 2:
        return _FOLLOWED_LAST
    m.ranged_elements += _FOLLOWED_THEN
    return _FOLLOWED_THEN


def _least(m: SymbolicMachine, index: Term, most: int, condition: Term) -> int:
    """The limit ``most``, where the bound cuts executions that access no element before that number."""
    t = m.t
    guards = [decider for decider, chosen in m.deciders if chosen is None]
    behind = t.all_of([condition, *guards, t.not_(t.ult(index, t.const(most, t.width[index])))])
    m.cut_where(behind, m.here() or Location("", 0))
    m.assume(t.not_(behind))
    return most


def followed_element_count(
    m: SymbolicMachine, index: Term, count: int, condition: Term, *, of_library: bool
) -> int:
    """How many of ``count`` elements ``index`` follows where ``condition`` holds; others are beyond the bound."""
    if of_library and count > _LARGEST_ROOM:
        return _least(m, index, _FOLLOWED_IN_ROOM, condition)
    followed = _followed_elements(m, count)
    return count if followed == count else _least(m, index, followed, condition)
