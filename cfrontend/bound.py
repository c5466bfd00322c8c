"""Unwinding bound: how far loops and recursion are followed, and how far they were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, final

from cfrontend.errors import Location
from cfrontend.record import dataclass

SMALL: Final = 100
"""Largest absolute value of numbers that are read where it counts whether a program ends."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """Unwinding bound of loops and recursion, counted as CBMC counts.

    ``unwind`` bounds every loop instance and every recursion (None: only those of ``unwindset``); a loop that
    ``unwindset`` names by ``function.n``, or a recursion it names by ``function``, has its own bound. With
    ``free`` set, a loop whose condition folds to a constant runs up to ``free_limit`` iterations whatever
    ``unwind`` says (fewer where another test may leave it); the limit
    is no shorter than 100 000 in functions of the library. What ``least`` names is followed at least as far whatever
    ``unwind`` says, as a loop that ran free before an edit. ``patience`` is how much further than its reference a
    program is followed where that has ended: what goes on does not end as the reference does, a failure. Numbers that
    are read are small then. None: as far, and what goes on leaves the bound.
    """

    unwind: int | None
    unwindset: Mapping[str, int] = field(default_factory=dict)
    free: bool = False
    free_limit: int = 200_000
    least: Mapping[str, int] = field(default_factory=dict)
    patience: int | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class UnrolledBound:
    """The bound that was effectively used, and where executions leave it.

    ``unwindset`` has it loop by loop, so that it can be repeated with another tool; ``library_unwindset`` has the loops
    of library models, ``deepest`` how many activations of a recursive function were below another one. Executions are
    cut at the places ``cut_at``. A larger unwinding follows more only where the program ``grows``, a larger
    ``free_limit`` only where it ``tires``. ``stack`` is the largest number of bytes that automatic objects take at one
    time, and what takes the last of them.
    """

    unwindset: Mapping[str, int] = field(default_factory=dict)
    library_unwindset: Mapping[str, int] = field(default_factory=dict)
    deepest: Mapping[str, int] = field(default_factory=dict)
    cut_at: tuple[Location, ...] = ()
    grows: bool = True
    tires: bool = False
    stack: tuple[int, Location] = (0, Location("", 0))


def larger_bounds(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int]:
    """Bounds, loop by loop, within which is what is within either of two."""
    return {loop: max(first.get(loop, 0), second.get(loop, 0)) for loop in (*first, *second)}
