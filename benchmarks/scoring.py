"""How much of a program somebody inspects before the fault (Landsberg et al. 2018, section 6.1).

    ranking C4 C1 C3 C5 C2, the fault in C1   ->   Score(units=1, lines=1): C4 was inspected for nothing

The three strategies of the paper's Table 1 are three datasets cut from one: the first failing execution (1f), all
failing ones (sfo), all executions (sfo_p).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from cfrontend.units import Unit, UnitId
from sfo.core.dataset import Dataset, RankedDatasetUnit
from sfo.spectra.measures import Measure
from sfo.spectra.ranking import rank_units

MEASURE: Final = "naish-i"
"""The measure of the paper's experiments."""

_NOT_CODE: Final = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(/\*.*?\*/|//[^\n]*)', re.DOTALL)
"""A string, a character, or (as group 1) a comment."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What is inspected before the first faulty unit: ``units``, and ``lines`` on which those units begin.

    A line counts once, and a line on which a faulty unit begins does not count.
    """

    units: int
    lines: int


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The scores of the three strategies, and of the full ranking where there is one."""

    one_failing: Score
    failing: Score
    failing_and_passing: Score
    full: Score | None = None


def faulty_units(units: Sequence[Unit], file: str, lines: Collection[int]) -> frozenset[UnitId]:
    """The units of ``file`` that reach over one of ``lines``."""
    return frozenset(
        unit.id
        for unit in units
        if unit.location.file == file and any(_begins(unit) <= line <= _ends(unit) for line in lines)
    )


def score(order: Sequence[Unit], faulty: Collection[UnitId]) -> Score | None:
    """The score of inspecting units in ``order``; None when no faulty unit is among them."""
    inspected: list[Unit] = []
    for unit in order:
        if unit.id in faulty:
            faulty_lines = {_begins(other) for other in order if other.id in faulty}
            lines = {_begins(other) for other in inspected} - faulty_lines
            return Score(units=len(inspected), lines=len(lines))
        inspected.append(unit)
    return None


def scores(
    dataset: Dataset, measure: Measure, faulty: Collection[UnitId], ranking: Sequence[RankedDatasetUnit] = ()
) -> Scores | None:
    """The scores of 1f, sfo and sfo_p, and of a full ``ranking``; None without a failing execution or a faulty unit."""
    if not dataset.failing:
        return None
    cuts = (dataset.failing[:1], dataset.failing, (*dataset.failing, *dataset.passing))
    found = [score(_order(replace(dataset, executions=executions), measure), faulty) for executions in cuts]
    one, failing, both = found
    if one is None or failing is None or both is None:
        return None
    units = {unit.id: unit for unit in dataset.units}
    full = score([units[line.unit] for line in ranking], faulty)
    return Scores(one_failing=one, failing=failing, failing_and_passing=both, full=full)


def lines_of_code(text: str) -> int:
    """Lines with something else than blanks and comments, as cloc counts them."""
    code = _NOT_CODE.sub(lambda match: _only_line_ends(match[1]) if match[1] else match[0], text)
    return sum(1 for line in code.splitlines() if line.strip())


def _order(dataset: Dataset, measure: Measure) -> list[Unit]:
    units = {unit.id: unit for unit in dataset.units}
    return [units[item.unit] for item in rank_units(dataset, measure)]


def _begins(unit: Unit) -> int:
    return unit.location.line


def _ends(unit: Unit) -> int:
    return max(unit.location.line, unit.location.end_line)


def _only_line_ends(comment: str) -> str:
    return " " + "\n" * comment.count("\n")
