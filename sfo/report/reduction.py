"""Report of ``sfo reduce``: the executions that are kept, whether fewer would do, and what is lost: nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from sfo.core.suite_coverage import GoalsOfTests
from sfo.spectra.matrix import CoverageMatrix
from sfo.spectra.suite_reduction import SuiteReduction

REDUCED_COUNTS: Final = "a ranking of it may differ, as measures count executions, and these are fewer"
"""What there is to know of a reduced matrix."""


def report_reduction_text(
    matrix: CoverageMatrix, kept: SuiteReduction, goals: Sequence[GoalsOfTests] = ()
) -> str:
    """The names of the executions, one a line; with ``goals`` what they reach, too."""
    names = matrix.names()
    lines = _lines_with_goals(matrix, kept, goals, names) if goals else _lines(matrix, kept, names)
    return "".join(f"{line}\n" for line in lines)


def reduction_json(
    matrix: CoverageMatrix, kept: SuiteReduction, goals: Sequence[GoalsOfTests] = ()
) -> dict[str, Any]:
    """The names of the executions that are kept, and of how many; with ``goals`` what they reach, too."""
    names = matrix.names()
    data: dict[str, Any] = {
        "format": 1,
        "kind": "reduction",
        "failing": [names[execution] for execution in kept.failing],
        "passing": [names[execution] for execution in kept.passing],
        "minimal": kept.minimal,
        "at_least": kept.at_least,
        "of_failing": matrix.failing,
        "of_passing": matrix.passing,
    }
    return data | _kept_goals_json(matrix, kept, goals) if goals else data


def _kept_goals_json(
    matrix: CoverageMatrix, kept: SuiteReduction, goals: Sequence[GoalsOfTests]
) -> dict[str, Any]:
    """What all executions reach, what of it the kept ones do not, and the same of the units in common."""
    everything, chosen = range(len(matrix.failed)), (*kept.failing, *kept.passing)
    return {
        "common_units": _common(matrix, np.flatnonzero(matrix.failed)),
        "common_units_of_kept": _common(matrix, np.array(kept.failing, dtype=np.int64)),
        "goals": [
            {
                "goal": of.kind,
                "all": of.number,
                "reached": len(of.reached_by(everything)),
                "lost": len(of.reached_by(everything) - of.reached_by(chosen)),
            }
            for of in goals
        ],
    }


def _common(matrix: CoverageMatrix, executions: np.ndarray[Any, np.dtype[np.int64]]) -> int:
    """How many units all ``executions`` cover; 0 where there are none."""
    some = matrix.runs(executions)
    return int(np.count_nonzero(some.ef == some.failing)) if some.failing else 0


def _lines(matrix: CoverageMatrix, kept: SuiteReduction, names: Sequence[str]) -> Iterator[str]:
    common = _common(matrix, np.flatnonzero(matrix.failed))
    if kept.failing:
        how = (
            "no fewer will do" if kept.minimal else f"found greedily; fewer than {kept.at_least} will not do"
        )
        units = f"{common} unit{'' if common == 1 else 's'}"
        yield f"{len(kept.failing)} of {matrix.failing} failing executions have the same {units} in common as all ({how}):"
        yield from (f"  {names[execution]}" for execution in kept.failing)
    if kept.passing:
        yield f"{len(kept.passing)} of {matrix.passing} passing executions have different coverage:"
        yield from (f"  {names[execution]}" for execution in kept.passing)


def _lines_with_goals(
    matrix: CoverageMatrix, kept: SuiteReduction, goals: Sequence[GoalsOfTests], names: Sequence[str]
) -> Iterator[str]:
    said = _kept_goals_json(matrix, kept, goals)
    chosen = (*kept.failing, *kept.passing)
    how = "no fewer will do" if kept.minimal else f"fewer than {kept.at_least} will not do"
    yield f"{len(chosen)} of {len(matrix.failed)} tests reach what all of them do ({how}):"
    yield from (f"  {names[execution]}" for execution in chosen)
    for of in said["goals"]:
        verb = "killed" if of["goal"] == "mutants" else "reached"
        yield f"{of['goal']}: {of['reached']} of {of['all']} {verb}, {of['lost']} lost"
    if matrix.failing:
        lost = said["common_units_of_kept"] - said["common_units"]
        yield f"units that all failing tests have in common: {said['common_units']}, {lost} more in those that are kept"
