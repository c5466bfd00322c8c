"""Findings for machines: one line for each suspicious unit and for each violated property.

    Finding(place=1, tie=1, likely=True, message="rank 1 of 11: most = input2; ...")

The formats that editors and servers read (SARIF, annotations, GNU lines) say the same things in the same order.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

from cfrontend.units import Property, Unit, UnitId
from sfo.core.dataset import RankedDatasetUnit
from sfo.core.executions import Execution
from sfo.core.repairs import Repair
from sfo.core.result import Result, ResultOfProperty
from sfo.report import inputs, summary, wording

INPUTS: int = 20
"""Inputs that a message shows; the JSON result has all."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A ranked unit that some failing execution covers.

    ``place`` is the best rank of its tie, ``tie`` how many units share it, ``of`` how many units there are.
    ``likely``: a repair of it was verified, or its values could save every failing execution; where there is no such
    unit, it is in the first tie. ``importance`` is from 0 to 100 and falls with the place.
    """

    unit: Unit
    ranked: RankedDatasetUnit
    place: int
    tie: int
    of: int
    likely: bool
    repairs: tuple[Repair, ...]
    message: str

    @property
    def importance(self) -> float:
        """100 for the first place, evenly down to more than 0 for the last."""
        return round(100 * (self.of - self.place + 1) / self.of, 3)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ViolationFinding:
    """A violated property with the failing executions that violate it, in order."""

    property: Property
    executions: tuple[Execution, ...]
    message: str


def suspects(result: Result) -> tuple[Finding, ...]:
    """The units of the ranking that some failing execution covers, first place first."""
    by_id = {unit.id: unit for unit in result.dataset.units}
    groups = list(ties(result.ranking))
    scored = _is_by_measure_alone(result.ranking)
    likely = _likely(result)
    if not likely and groups:
        likely = frozenset(line.unit for line in groups[0][1])
    return tuple(
        Finding(
            unit=by_id[line.unit],
            ranked=line,
            place=place,
            tie=len(group),
            of=len(result.ranking),
            likely=line.unit in likely,
            repairs=_repairs_of(result, line.unit),
            message=_message(result, by_id[line.unit], line, place, len(group), scored=scored),
        )
        for place, group in groups
        for line in group
        if line.spectrum.ef
    )


def violations(result: Result) -> tuple[ViolationFinding, ...]:
    """The violated properties, each with its failing executions."""
    return tuple(
        ViolationFinding(
            property=item.property, executions=executions, message=_breach_message(item, executions)
        )
        for item in result.properties
        if item.status == "violated"
        for executions in [
            tuple(execution for execution in result.dataset.failing if execution.property == item.property.id)
        ]
    )


def score_text(value: float) -> str:
    """A score to three digits after the point; infinities as ``inf``."""
    return f"{value:.3f}" if math.isfinite(value) else str(value)


def ties(ranking: Sequence[RankedDatasetUnit]) -> Iterator[tuple[int, list[RankedDatasetUnit]]]:
    """The best place and the lines of each group that is ranked alike."""
    for _, group in itertools.groupby(ranking, lambda line: (line.rank_keys, line.score)):
        lines = list(group)
        yield lines[0].rank, lines


def _is_by_measure_alone(ranking: Sequence[RankedDatasetUnit]) -> bool:
    """True if the order is that of the scores; otherwise they would contradict it."""
    return not any(line.rank_keys for line in ranking) and all(
        first.score >= second.score for first, second in itertools.pairwise(ranking)
    )


def _likely(result: Result) -> frozenset[UnitId]:
    found = {repair.unit for repair in _known_repairs(result)}
    angelic = result.angelic
    if angelic is not None:
        found |= {unit for unit in angelic.savings if angelic.saved(unit) and angelic.may_save_all(unit)}
    return frozenset(found)


def _repairs_of(result: Result, unit: UnitId) -> tuple[Repair, ...]:
    return tuple(repair for repair in _known_repairs(result) if repair.unit == unit)


def _known_repairs(result: Result) -> Sequence[Repair]:
    """The verified repairs, or else the plausible patches."""
    return () if result.repairs is None else result.repairs.found or result.repairs.undecided


def _message(
    result: Result, unit: Unit, line: RankedDatasetUnit, place: int, tie: int, *, scored: bool
) -> str:
    shared = f", shared by {tie}" if tie > 1 else ""
    by = f" by {result.measure} ({score_text(line.score)})" if scored else ""
    said = f"rank {place} of {len(result.ranking)}{shared}{by}: {unit.text}; {summary.reason(result, line)}"
    repairs = _repairs_of(result, unit.id)
    if not repairs:
        return said
    more = f" ({len(repairs) - 1} more)" if len(repairs) > 1 else ""
    return f"{said}: {wording.edit(repairs[0].before, repairs[0].after)}{more}"


def _breach_message(item: ResultOfProperty, executions: Sequence[Execution]) -> str:
    given = f"; for {inputs.failing(executions[0])}" if executions else ""
    return f"{wording.violation(item)}{given}"
