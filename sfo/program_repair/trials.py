"""Trials of the search for repairs: what is tried of a candidate, and in which order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Final, final

from cfrontend.edit.candidate import Candidate
from cfrontend.record import dataclass
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.core.repairs import part_kept_by_repair
from sfo.program_repair.native_validation import NativeValidationVerdicts


@final
class Evidence(IntEnum):
    """Kinds of native evidence for a plausible patch, the best first.

    All known executions go right, and many passing ones on their way; or nothing is known; or they go right, but few on
    their way; executions fail that read more inputs than are known; a constant is to be found, as the likely ones
    failed or nothing is known of them; an execution on other inputs fails, so that it is all but refuted.
    """

    PASSES = 0
    OPEN = 1
    STRAYS = 2
    FAILS_BEYOND = 3
    NEEDS_CONSTANT = 4
    REFUTED = 5


_WEIGHTS: Final[Mapping[Evidence, float]] = {
    Evidence.PASSES: 0.0,
    Evidence.OPEN: 2.0,
    Evidence.STRAYS: 3.0,
    Evidence.FAILS_BEYOND: 3.0,
    Evidence.NEEDS_CONSTANT: 4.0,
    Evidence.REFUTED: 6.0,
}
"""Logarithm of how much further back a trial stands for its evidence than by the likelihood of its edit."""


@final
@dataclass(frozen=True, slots=True)
class RepairTrial:
    """Trial of a candidate, which is at ``place`` in the order of likelihood.

    ``refuting`` is an execution with which it fails natively. ``passes_natively``: all known executions go right
    natively.
    """

    candidate: Candidate
    place: int
    evidence: Evidence = Evidence.OPEN
    refuting: Execution | None = None
    passes_natively: bool = False


def repair_search_trials(
    candidates: Sequence[Candidate], known: NativeValidationVerdicts
) -> Iterator[RepairTrial]:
    """The trials of ``candidates`` that are not rejected natively, in their order."""
    most = max((kept for kept in known.right.values() if kept is not None), default=0)
    part = {at: part_kept_by_repair(kept, most) for at, kept in known.right.items() if kept is not None}

    def evidence(place: int, candidate: Candidate, constant: int) -> Evidence:
        """Evidence for a candidate with a constant in its hole, or with none."""
        at = place, constant
        if place in known.beyond:
            return Evidence.FAILS_BEYOND
        # What changes statements may keep all executions where it does well: its units have no names natively.
        is_statement = candidate.form == "statement" and at in known.right
        if not is_statement and (place in known.straying or part.get(at) == "few"):
            return Evidence.STRAYS
        return Evidence.PASSES if at in known.right else Evidence.OPEN

    for place, candidate in enumerate(candidates):
        if place in known.rejected:
            continue
        for constant in known.constants.get(place, ())[: policy().repair.likely_constants]:
            filled = candidate.filled(constant)
            passes = (place, constant) in known.right
            yield RepairTrial(filled, place, evidence(place, candidate, constant), passes_natively=passes)
        own = evidence(place, candidate, 0)
        if place in known.refuting:
            own = Evidence.REFUTED
        elif candidate.has_hole and not candidate.initializes:  # a missing first value is mostly 0 or 1
            own = Evidence.NEEDS_CONSTANT
        passes = not candidate.has_hole and (place, 0) in known.right
        yield RepairTrial(candidate, place, own, known.refuting.get(place), passes)


def repair_trials_in_order(trials: Iterable[RepairTrial]) -> list[RepairTrial]:
    """Trials by their evidence and the place of their edit by likelihood."""
    return sorted(trials, key=lambda one: (_WEIGHTS[one.evidence] + math.log1p(one.place), one.evidence))
