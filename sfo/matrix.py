"""A coverage matrix of any origin and any size: runs times units, which run failed, what each unit is called.

Datasets that sfo generated keep whole executions; here only what ranking needs is left, in a sparse matrix, so
that 100,000 units times 1,000 runs fit. Imported matrices have names only, so everything else about a unit may be
missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from cfrontend.errors import UsageError
from cfrontend.units import Unit
from sfo.data import Dataset

Booleans: TypeAlias = NDArray[np.bool_]
Integers: TypeAlias = NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixUnit:
    """A column: what it is called, and where it is as far as that is known (``line`` 0: unknown)."""

    name: str
    function: str = ""
    file: str = ""
    line: int = 0
    end_line: int = 0
    text: str = ""


@final
@dataclass(frozen=True, kw_only=True)
class CoverageMatrix:
    """Runs times units.

    ``covered`` is a Boolean sparse matrix with a row for each run and a column for each of ``units``; ``failed``
    says of each run whether it failed, ``crashed`` whether it ended in a crash.
    """

    units: tuple[MatrixUnit, ...]
    covered: csr_array
    failed: Booleans
    crashed: Booleans

    def __post_init__(self) -> None:
        if self.covered.shape != (len(self.failed), len(self.units)) or len(self.crashed) != len(self.failed):
            raise UsageError(
                f"a matrix of {self.covered.shape[0]} runs and {self.covered.shape[1]} units does not fit "
                f"{len(self.failed)} outcomes and {len(self.units)} unit names"
            )

    @property
    def failing(self) -> int:
        """F, the number of failing runs."""
        return int(np.count_nonzero(self.failed))

    @property
    def passing(self) -> int:
        """P, the number of passing runs."""
        return len(self.failed) - self.failing

    @cached_property
    def ef(self) -> Integers:
        """Failing runs that cover each unit."""
        return self._count(self.failed)

    @cached_property
    def ep(self) -> Integers:
        """Passing runs that cover each unit."""
        return self._count(~self.failed)

    def _count(self, chosen: Booleans) -> Integers:
        lengths = np.diff(self.covered.indptr)
        kept = np.repeat(chosen, lengths)
        return np.bincount(self.covered.indices[kept], minlength=len(self.units)).astype(np.int64)

    def runs(self, chosen: Booleans | Integers) -> CoverageMatrix:
        """The matrix of these runs only."""
        return CoverageMatrix(
            units=self.units,
            covered=self.covered[chosen],
            failed=self.failed[chosen],
            crashed=self.crashed[chosen],
        )


def make_matrix(
    units: Sequence[MatrixUnit],
    rows: Sequence[Sequence[int]],
    failed: Sequence[bool],
    crashed: Sequence[bool] | None = None,
) -> CoverageMatrix:
    """The matrix whose run ``k`` covers the columns ``rows[k]``, counted from 0."""
    lengths = [len(row) for row in rows]
    columns = np.fromiter((column for row in rows for column in row), dtype=np.int64, count=sum(lengths))
    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    covered = csr_array(
        (np.ones(len(columns), dtype=np.bool_), columns, starts), shape=(len(rows), len(units))
    )
    covered.sum_duplicates()
    return CoverageMatrix(
        units=tuple(units),
        covered=covered,
        failed=np.array(failed, dtype=np.bool_),
        crashed=np.array(crashed if crashed is not None else [False] * len(rows), dtype=np.bool_),
    )


def from_dense(
    table: Sequence[Sequence[int]], failed: Sequence[bool], names: Sequence[str] = ()
) -> CoverageMatrix:
    """The matrix of a small table of 0 and 1, one row for each run."""
    width = len(table[0]) if table else len(names)
    units = [MatrixUnit(name=name) for name in names or [str(number + 1) for number in range(width)]]
    return make_matrix(units, [[i for i, cell in enumerate(row) if cell] for row in table], failed)


def from_dataset(dataset: Dataset) -> CoverageMatrix:
    """The matrix of a generated dataset; rows without an outcome are left out."""
    columns = {unit.id: column for column, unit in enumerate(dataset.units)}
    runs = [run for run in dataset.executions if run.outcome is not None]
    return make_matrix(
        [matrix_unit(unit) for unit in dataset.units],
        [sorted(columns[unit] for unit in run.covered) for run in runs],
        [run.outcome == "fail" for run in runs],
    )


def matrix_unit(unit: Unit) -> MatrixUnit:
    """A unit of a C program as a column."""
    return MatrixUnit(
        name=unit.label or str(unit.id),
        function=unit.function,
        file=unit.location.file,
        line=unit.location.line,
        end_line=max(unit.location.line, unit.location.end_line),
        text=unit.text,
    )


def without_units_that_no_failing_run_covers(matrix: CoverageMatrix) -> CoverageMatrix:
    """The columns of units that some failing run covers, as Landsberg and Barr 2018 cut their matrices (section 4.1)."""
    kept = np.flatnonzero(matrix.ef)
    return replace(matrix, units=tuple(matrix.units[i] for i in kept), covered=matrix.covered[:, kept])
