"""A coverage matrix of any origin and any size: executions times units, the outcomes, and the units' names.

Datasets that sfo generated keep whole executions; here only what ranking needs is left, in a sparse matrix, so
that 100,000 units times 1,000 executions fit. Imported matrices have names only, so everything else about a unit may be
missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from cfrontend.errors import UsageError
from cfrontend.units import Unit, UnitId
from sfo.core.dataset import Dataset

Booleans: TypeAlias = NDArray[np.bool_]
Integers: TypeAlias = NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixUnit:
    """A column of the matrix: the unit's name, and its place as far as that is known (``line`` 0: unknown).

    ``faults`` are the known faults that it belongs to (ground truth), each by its number or another name.
    """

    name: str
    function: str = ""
    file: str = ""
    line: int = 0
    end_line: int = 0
    text: str = ""
    faults: tuple[str, ...] = ()


@final
@dataclass(frozen=True, kw_only=True)
class CoverageMatrix:
    """Coverage matrix with outcomes: executions times units.

    ``covered`` is a Boolean sparse matrix with a row for each execution and a column for each of ``units``; ``failed``
    says of each execution whether it failed, ``crashed`` whether it ended in a crash. ``execution_names`` are empty
    when the executions have none, and so are ``properties``, what each execution violates ("": nothing, or unknown).
    ``notes`` say in words how something was read that could be read otherwise.
    """

    units: tuple[MatrixUnit, ...]
    covered: csr_array
    failed: Booleans
    crashed: Booleans
    execution_names: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.covered.shape != (len(self.failed), len(self.units)) or len(self.crashed) != len(self.failed):
            raise UsageError(
                f"a matrix of {self.covered.shape[0]} executions and {self.covered.shape[1]} units does not fit "
                f"{len(self.failed)} outcomes and {len(self.units)} unit names"
            )

    @property
    def failing(self) -> int:
        """F, the number of failing executions."""
        return int(np.count_nonzero(self.failed))

    @property
    def passing(self) -> int:
        """P, the number of passing executions."""
        return len(self.failed) - self.failing

    @property
    def has_known_faults(self) -> bool:
        """True if some unit belongs to a known fault."""
        return any(unit.faults for unit in self.units)

    @cached_property
    def ef(self) -> Integers:
        """Number of failing executions that cover each unit, of shape (units,)."""
        return self._count(self.failed)

    @cached_property
    def ep(self) -> Integers:
        """Number of passing executions that cover each unit, of shape (units,)."""
        return self._count(~self.failed)

    def _count(self, chosen: Booleans) -> Integers:
        lengths = np.diff(self.covered.indptr)
        kept = np.repeat(chosen, lengths)
        return np.bincount(self.covered.indices[kept], minlength=len(self.units)).astype(np.int64)

    def runs(self, chosen: Booleans | Integers) -> CoverageMatrix:
        """The matrix of these executions only."""
        return CoverageMatrix(
            units=self.units,
            covered=self.covered[chosen],
            failed=self.failed[chosen],
            crashed=self.crashed[chosen],
            execution_names=_chosen(self.execution_names, chosen),
            properties=_chosen(self.properties, chosen),
            notes=self.notes,
        )

    def row(self, execution: int) -> Integers:
        """The columns that an execution covers, ascending."""
        start, end = self.covered.indptr[execution : execution + 2]
        return np.sort(self.covered.indices[start:end]).astype(np.int64)

    def names(self) -> tuple[str, ...]:
        """The names of the executions; run-1, run-2, ... where they have none."""
        return self.execution_names or tuple(f"run-{number}" for number in range(1, len(self.failed) + 1))

    def violated(self, execution: int) -> str:
        """The property that an execution violates; empty where it violates none, or that is not known."""
        return self.properties[execution] if self.properties else ""

    def outcome(self, execution: int, passed: str, failed: str, crashed: str) -> str:
        """The word for how an execution ended."""
        if self.crashed[execution]:
            return crashed
        return failed if self.failed[execution] else passed


def _chosen(texts: tuple[str, ...], chosen: Booleans | Integers) -> tuple[str, ...]:
    """Those of some executions, where there are any."""
    return tuple(np.array(texts, dtype=object)[chosen]) if texts else ()


@final
class MatrixBuilder:
    """Builder of a matrix that is read row by row; it takes four bytes for each unit that an execution covers."""

    def __init__(self, units: Sequence[MatrixUnit]) -> None:
        self._units = tuple(units)
        self._rows: list[NDArray[np.int32]] = []
        self._names: list[str] = []
        self._failed: list[bool] = []
        self._crashed: list[bool] = []
        self._properties: list[str] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(
        self,
        covered: NDArray[np.integer[Any]],
        *,
        name: str,
        failed: bool,
        crashed: bool,
        property_: str = "",
    ) -> None:
        """Add an execution, which violates ``property_``; ``covered`` are column numbers from 0, each once."""
        self._rows.append(covered.astype(np.int32))
        self._names.append(name)
        self._failed.append(failed)
        self._crashed.append(crashed)
        self._properties.append(property_)

    def matrix(self) -> CoverageMatrix:
        """The matrix of all executions so far."""
        return make_coverage_matrix(
            self._units, self._rows, self._failed, self._crashed, self._names, self._properties
        )


def make_coverage_matrix(
    units: Sequence[MatrixUnit],
    rows: Sequence[Sequence[int] | NDArray[np.int32]],
    failed: Sequence[bool],
    crashed: Sequence[bool] | None = None,
    execution_names: Sequence[str] = (),
    properties: Sequence[str] = (),
) -> CoverageMatrix:
    """The matrix whose execution ``k`` covers the columns ``rows[k]``, from 0, and violates ``properties[k]``.

    An empty property is none, or one that is not known.
    """
    columns = np.concatenate([np.zeros(0, np.int32), *(np.asarray(row, dtype=np.int32) for row in rows)])
    starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    covered = csr_array(
        (np.ones(len(columns), dtype=np.bool_), columns, starts), shape=(len(rows), len(units))
    )
    covered.sum_duplicates()
    return CoverageMatrix(
        units=tuple(units),
        covered=covered,
        failed=np.array(failed, dtype=np.bool_),
        crashed=np.array(crashed if crashed is not None else [False] * len(rows), dtype=np.bool_),
        execution_names=tuple(execution_names),
        properties=tuple(properties) if any(properties) else (),
    )


def coverage_matrix_from_dense(
    table: Sequence[Sequence[int]], failed: Sequence[bool], names: Sequence[str] = ()
) -> CoverageMatrix:
    """The matrix of a small table of 0 and 1, one row for each execution."""
    width = len(table[0]) if table else len(names)
    units = [MatrixUnit(name=name) for name in names or [str(number + 1) for number in range(width)]]
    return make_coverage_matrix(units, [[i for i, cell in enumerate(row) if cell] for row in table], failed)


def coverage_matrix_from_dataset(dataset: Dataset) -> CoverageMatrix:
    """The matrix of a generated dataset; rows without an outcome are left out."""
    columns = {unit.id: column for column, unit in enumerate(dataset.units)}
    names = coverage_matrix_unit_names({unit.id: unit.label for unit in dataset.units})
    executions = [execution for execution in dataset.executions if execution.outcome is not None]
    return make_coverage_matrix(
        [_matrix_unit(unit, names[unit.id]) for unit in dataset.units],
        [sorted(columns[unit] for unit in execution.covered) for execution in executions],
        [execution.outcome == "fail" for execution in executions],
        execution_names=[f"{execution.id}{'-cut' * execution.is_cut}" for execution in executions],
        properties=[execution.property or "" for execution in executions],
    )


def coverage_matrix_unit_names(labels: Mapping[UnitId, str | None]) -> dict[UnitId, str]:
    """Names of the units: the label, or the id of a unit that has none or shares it."""
    given = Counter(labels.values())
    return {unit: label if label and given[label] == 1 else str(unit) for unit, label in labels.items()}


def _matrix_unit(unit: Unit, name: str) -> MatrixUnit:
    """A unit of a C program as a column."""
    return MatrixUnit(
        name=name,
        function=unit.function,
        file=unit.location.file,
        line=unit.location.line,
        end_line=max(unit.location.line, unit.location.end_line),
        text=unit.text,
    )
