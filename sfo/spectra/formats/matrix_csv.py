"""The coverage matrix as CSV: one row per execution, one 0/1 column per unit (Landsberg et al. 2018, Definition 1).

    id,outcome,property,C1,C2,C3,C4,C5
    1,fail,main.assertion.1,1,0,1,1,0

A unit's column is headed by its label, or by its id.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from sfo.core.dataset import Dataset
from sfo.core.executions import Execution
from sfo.spectra.formats.text_lines import row_of_digits
from sfo.spectra.matrix import CoverageMatrix, coverage_matrix_unit_names


def write_dataset_matrix_csv(dataset: Dataset) -> str:
    """The matrix of every execution of ``dataset``, in order."""
    rows = (
        [
            f"{execution.id}{'-cut' * execution.is_cut}",
            execution.outcome or "",
            execution.property or "",
            *(int(unit.id in execution.covered) for unit in dataset.units),
        ]
        for execution in dataset.executions
    )
    names = coverage_matrix_unit_names({unit.id: unit.label for unit in dataset.units})
    return _table(["id", "outcome", "property", *names.values()], rows)


def write_matrix_csv(matrix: CoverageMatrix, path: Path) -> None:
    """Write any matrix with outcomes and violated properties; of its units only the names have a place in this form."""
    with path.open("w", encoding="utf-8", errors="replace", newline="") as out:
        out.write(_table(["id", "outcome", "property", *(_one_line(unit.name) for unit in matrix.units)], ()))
        for execution, name in enumerate(matrix.names()):
            outcome = matrix.outcome(execution, "pass", "fail", "crash")
            start = _table([_one_line(name), outcome, _one_line(matrix.violated(execution))], ())
            out.write(f"{start.removesuffix(chr(10))},{row_of_digits(matrix, execution, ',')}"[:-1] + "\n")


def _one_line(name: str) -> str:
    """``name`` with its line breaks as blanks: a row is a line."""
    return name.replace("\r", " ").replace("\n", " ")


def write_matrix_csv_outcomes(executions: Iterable[Execution]) -> str:
    """CSV table of the expected outcome, violated property, printed text and test of each execution."""
    rows = (
        [execution.id, execution.outcome or "", execution.property or "", execution.output, execution.test]
        for execution in executions
    )
    return _table(["id", "outcome", "property", "output", "test"], rows)


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()
