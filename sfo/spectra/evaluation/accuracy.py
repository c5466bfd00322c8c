"""Accuracy of measures on many test suites drawn from the executions of one version.

    accuracy = smallest rank of a faulty unit / number of units        Tang et al. 2017, section II.A; 0 is best

A suite is some of the executions, with at least one that fails and, where any does, one that passes. All suites of a
version and all units are scored in one array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cfrontend.errors import UsageError
from sfo.spectra.evaluation.corpus import CorpusVersion
from sfo.spectra.matrix import Booleans, CoverageMatrix
from sfo.spectra.measures import find_measure
from sfo.spectra.measures.arrays import equal_arrays_up_to_rounding, measure_array_scores

SCHEMES: Final = ("worst", "best", "average")
"""Rank schemes 1-3-3-4, 1-2-2-4 and 1-2.5-2.5-4."""

Accuracies: TypeAlias = NDArray[np.float64]
"""Measures times rank schemes times suites."""

SHARES: Final = (0.75, 0.5, 0.25)
"""Shares of the executions of which suites are drawn."""

_CELLS: Final = 4_000_000
"""Suites times units that are scored in one array."""


def draw_suites_for_accuracy(
    matrix: CoverageMatrix, count: int, share: float, random: np.random.Generator
) -> Booleans:
    """Draw ``count`` test suites: an array of shape (suites, executions), true where the suite has the execution.

    ``share`` of the executions are drawn without replacement. Raises UsageError without a failing execution.
    """
    executions = len(matrix.failed)
    if not matrix.failing:
        raise UsageError("a test suite needs a failing execution to draw from")
    outcomes = [matrix.failed, ~matrix.failed] if matrix.passing else [matrix.failed]
    suites = np.zeros((count, executions), dtype=np.bool_)
    size = max(len(outcomes), round(share * executions))
    for suite in suites:
        order = random.permutation(executions)
        suite[order[:size]] = True
        for wanted in outcomes:
            if not (suite & wanted).any():
                _swap_in(suite, order[wanted[order]][0], order[:size], wanted)
    return suites


def _swap_in(suite: Booleans, new: int, chosen: NDArray[np.intp], wanted: Booleans) -> None:
    """Put execution ``new`` into a suite; another one goes unless that is the last with its outcome."""
    others = chosen[~wanted[chosen]]
    if len(others) > 1:
        suite[others[-1]] = False
    suite[new] = True


def suite_accuracies(version: CorpusVersion, suites: Booleans, measures: Sequence[str]) -> Accuracies:
    """The accuracy of each measure on each suite of executions, under each rank scheme."""
    result = np.empty((len(measures), len(SCHEMES), len(suites)))
    units = len(version.matrix.units)
    step = max(1, _CELLS // max(units, 1))
    found = [find_measure(name) for name in measures]
    for begin in range(0, len(suites), step):
        part = slice(begin, begin + step)
        failing = suites[part] & version.matrix.failed
        passing = suites[part] & ~version.matrix.failed
        ef = _counts(failing, version.matrix)
        ep = _counts(passing, version.matrix)
        for row, measure in enumerate(found):
            values = measure_array_scores(
                measure, ef, ep, failing.sum(axis=1)[:, None], passing.sum(axis=1)[:, None]
            )
            best, worst = _best_and_worst_ranks(values, version.faulty)
            for column, rank in enumerate((worst, best, (best + worst) / 2)):
                result[row, column, part] = rank / units
    return result


def _counts(suites: Booleans, matrix: CoverageMatrix) -> NDArray[np.float64]:
    return np.asarray((matrix.covered.T.astype(np.float64) @ suites.T.astype(np.float64)).T)


def _best_and_worst_ranks(
    values: NDArray[np.float64], faulty: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Best and worst rank of the first faulty unit; ``values`` has a row for each suite and a column for each unit."""
    first = values[:, list(faulty)].max(axis=1)[:, None]
    tied = equal_arrays_up_to_rounding(values, first)
    above = ((values > first) & ~tied).sum(axis=1)
    return (above + 1).astype(float), (above + tied.sum(axis=1)).astype(float)
