"""Test suite reduction: the smallest part of a suite with the same single-fault optimality.

    t1 fails {1,2,3}  t2 fails {1,2,4}  t3 fails {1,3,4}     all three cover 1; t1 and t2 share 1,2
                                                             ->  all three are needed

A set of failing executions is as good as all of them when no unit is common to it that is not common to all (Landsberg
et al. 2018, Definition 7: what all of E cover decides). So each other unit has to be missed by an execution that is
kept, which is a set cover: executions cover the units that they miss. Passing ones are kept for their coverage, the
first of those that cover the same (section 5 asks for new coverage).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from sfo.core.suite_coverage import GoalsOfTests
from sfo.spectra.matrix import CoverageMatrix, Integers
from sfo.spectra.set_cover import EXACT_CELLS, EXACT_WORK, distinct_rows, fewest_cover


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteReduction:
    """A reduced test suite: the executions to keep, as row numbers in ascending order.

    ``at_least``: no set of fewer failing executions has the same common units; it is the number of ``failing`` when
    these are proved to be the fewest. Where goals are kept, too, it is of all executions, failing and passing.
    """

    failing: tuple[int, ...]
    passing: tuple[int, ...]
    at_least: int
    of_all: bool = False

    @property
    def minimal(self) -> bool:
        """True if no smaller set of failing executions, or ``of_all``, keeps as much."""
        return len(self.failing) + (len(self.passing) if self.of_all else 0) == self.at_least


def reduce_suite(
    matrix: CoverageMatrix, *, exact_cells: int = EXACT_CELLS, work: int = EXACT_WORK
) -> SuiteReduction:
    """Reduce a suite to executions that keep its single-fault optimality (Landsberg et al. 2018, Definition 7).

    The minimum is looked for among ``exact_cells`` of the set cover, as long as ``work`` says. The same matrix
    gives the same executions.
    """
    passing = _first_of_each(matrix, np.flatnonzero(~matrix.failed))
    failing = _first_of_each(matrix, np.flatnonzero(matrix.failed))
    if not failing:
        return SuiteReduction(failing=(), passing=passing, at_least=0)
    missed = _missed(matrix, failing)
    if missed.shape[0] == 0:
        return SuiteReduction(failing=failing[:1], passing=passing, at_least=1)
    cover = fewest_cover(missed, cells=exact_cells, work=work)
    return SuiteReduction(
        failing=tuple(failing[execution] for execution in cover.chosen),
        passing=passing,
        at_least=cover.at_least,
    )


def units_of_tests(matrix: CoverageMatrix) -> GoalsOfTests:
    """Goals of the executions of a matrix: each unit is one, and an execution reaches those that it covers."""
    rows = (matrix.row(execution) for execution in range(len(matrix.failed)))
    return GoalsOfTests(
        kind="units", number=len(matrix.units), reached=tuple(frozenset(row.tolist()) for row in rows)
    )


def reduce_suite_for_goals(matrix: CoverageMatrix, reached: Sequence[frozenset[int]]) -> SuiteReduction:
    """Reduce a suite to the fewest executions that keep its single-fault optimality and all goals that are ``reached``.

    ``reached`` has the goals of each execution of ``matrix``. Passing executions are kept for goals only.
    """
    goals = sorted(frozenset[int]().union(*reached))
    rows = [np.array([goal in of for of in reached], dtype=np.bool_) for goal in goals]
    failing = tuple(int(execution) for execution in np.flatnonzero(matrix.failed))
    if failing:
        rows.append(matrix.failed.astype(np.bool_))
        for missed in _missed(matrix, failing):
            row = np.zeros(len(reached), dtype=np.bool_)
            row[np.array(failing)] = missed
            rows.append(row)
    if not rows:
        return SuiteReduction(failing=(), passing=(), at_least=0, of_all=True)
    cover = fewest_cover(distinct_rows(np.array(rows, dtype=np.bool_)))
    return SuiteReduction(
        failing=tuple(execution for execution in cover.chosen if matrix.failed[execution]),
        passing=tuple(execution for execution in cover.chosen if not matrix.failed[execution]),
        at_least=cover.at_least,
        of_all=True,
    )


def _first_of_each(matrix: CoverageMatrix, executions: Integers) -> tuple[int, ...]:
    """First of the executions in ``executions`` with equal coverage, for each coverage."""
    first: dict[bytes, int] = {}
    for execution in executions:
        first.setdefault(matrix.row(int(execution)).tobytes(), int(execution))
    return tuple(first.values())


def _missed(matrix: CoverageMatrix, executions: tuple[int, ...]) -> NDArray[np.bool_]:
    """Incidence matrix, units times executions, of the set cover: true where the execution misses the unit.

    Only units that some of the executions cover and some do not have a row. Units that the same executions miss are one
    row.
    """
    columns: csc_array = csc_array(matrix.covered[np.array(executions)])
    lengths = np.diff(columns.indptr)
    missed: dict[bytes, NDArray[np.bool_]] = {}
    for unit in np.flatnonzero((lengths > 0) & (lengths < len(executions))):
        row = np.ones(len(executions), dtype=np.bool_)
        row[columns.indices[columns.indptr[unit] : columns.indptr[unit + 1]]] = False
        missed.setdefault(row.tobytes(), row)
    return np.array(list(missed.values()), dtype=np.bool_).reshape(len(missed), len(executions))
