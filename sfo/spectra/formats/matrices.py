"""Reading coverage matrices. Each form is a reader in ``READERS``; a file goes to the first one that accepts it.

    sfo rank matrix.csv       id,outcome,property,C1,C2 / 1,fail,main.assertion.1,1,0
    sfo rank dataset.json     what ``sfo generate`` and ``--format json`` write
    sfo rank report.tcm       flitsr's TCM; a directory of GZoltar's; coverage files of gcov, lcov and Cobertura

A new form is a function from a path to a ``CoverageMatrix`` and one more line in ``READERS``; one that is also
written has a line in ``WRITERS``.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

import numpy as np

from cfrontend.errors import UsageError
from cfrontend.host.regular_files import MOST_DATA
from cfrontend.host.regular_files import read_regular_file_json as read_json_file
from sfo.spectra.formats.coverage import is_coverage, read_coverage
from sfo.spectra.formats.gzoltar import is_gzoltar, missing_files_of_gzoltar, read_gzoltar, write_gzoltar
from sfo.spectra.formats.matrix_csv import write_matrix_csv
from sfo.spectra.formats.matrix_json import matrix_of_json, write_matrix_json
from sfo.spectra.formats.tcm import is_tcm, read_tcm, write_tcm
from sfo.spectra.formats.text_lines import text_lines
from sfo.spectra.matrix import (
    CoverageMatrix,
    MatrixBuilder,
    MatrixUnit,
    coverage_matrix_unit_names,
    make_coverage_matrix,
)

_LEADING: Final = ("id", "outcome", "property")
"""Columns of a CSV matrix that are not units; ``outcome`` has to be there."""

_OUTCOMES: Final = {
    "fail": True, "failed": True, "1": True, "pass": False, "passed": False, "0": False,
    "crash": True,
}  # fmt: skip
"""Outcomes as they are written, and whether the execution failed."""

_NO_CRASH: Final = frozenset({"assert", "ensures", "reach"})
"""Classes of properties whose violation is not a crash of the program."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MatricesReader:
    """One form: its name, whether a path looks like it, and how it is read."""

    name: str
    accepts: Callable[[Path], bool]
    read: Callable[[Path], CoverageMatrix]


def read_matrix_in_any_format(
    path: Path, form: str | None = None, outcomes: Path | None = None
) -> CoverageMatrix:
    """The matrix in the file or directory ``path``; ``form`` names the reader instead of the file's name.

    ``outcomes`` is the file with the outcomes for coverage files, which have none. Raises UsageError when there is
    no such file, no reader for it, or the content is malformed.
    """
    if form is not None and all(reader.name != form for reader in READERS):
        raise UsageError(f"unknown form {form!r}: choose one of {', '.join(r.name for r in READERS)}")
    if not path.exists():
        raise UsageError(f"cannot read {path}: No such file or directory")
    if outcomes is not None:
        if form not in {None, "coverage"} or (form is None and not is_coverage(path)):
            raise UsageError(f"{path} has outcomes of its own: --outcomes is for coverage files")
        return read_coverage(path, outcomes)
    for reader in READERS:
        if reader.name == form or (form is None and reader.accepts(path)):
            return reader.read(path)
    known = ", ".join(reader.name for reader in READERS)
    missing = missing_files_of_gzoltar(path)
    if missing:
        raise UsageError(f"{path}: a GZoltar report without {' and '.join(missing)}")
    raise UsageError(f"{path}: not recognised as a coverage matrix ({known})")


# -- CSV ---------------------------------------------------------------------------------------------------------


def _read_csv(path: Path) -> CoverageMatrix:
    """The matrix as ``sfo generate`` writes it.

    ``id`` and ``property`` may be missing, rows without outcome are skipped.
    """
    lines = ((number, line) for number, line in text_lines(path) if line.strip())
    first = next(lines, None)
    if first is None:
        raise UsageError(f"{path}: no matrix in this file")
    header = next(csv.reader([first[1]]))
    leading = 0
    while leading < len(header) and header[leading].strip() in set(_LEADING) - set(header[:leading]):
        leading += 1
    columns = [name.strip() for name in header[:leading]]
    if "outcome" not in columns:
        raise UsageError(
            f"{path}:{first[0]}: a matrix begins with the columns {', '.join(_LEADING)}; outcome is needed"
        )
    outcome_at = columns.index("outcome")
    name_at = columns.index("id") if "id" in columns else None
    names = header[leading:]
    builder = MatrixBuilder([MatrixUnit(name=name.strip()) for name in names])
    for number, line in lines:
        start, cells = _row(line, leading, len(names), f"{path}:{number}")
        outcome = start[outcome_at].strip().lower()
        if not outcome:
            continue
        if outcome not in _OUTCOMES:
            raise UsageError(
                f"{path}:{number}: outcome {start[outcome_at]!r} is none of pass, fail and crash"
            )
        name = f"run-{len(builder) + 1}" if name_at is None else start[name_at]
        builder.add(cells, name=name, failed=_OUTCOMES[outcome], crashed=outcome == "crash")
    return builder.matrix()


def _row(line: str, leading: int, width: int, place: str) -> tuple[list[str], Any]:
    """The leading cells of a row, and the columns that are 1."""
    if '"' not in line:
        parts = line.split(",", leading)
        tail = parts[leading].strip() if len(parts) > leading else ""
        digits = np.frombuffer(tail.encode(), dtype=np.uint8)
        if len(digits) == 2 * width - 1 and not (digits[1::2] != ord(",")).any():
            flags = digits[::2]
            if not ((flags != ord("0")) & (flags != ord("1"))).any():
                return parts[:leading], np.flatnonzero(flags == ord("1"))
    cells = next(csv.reader([line]))
    if len(cells) != leading + width:
        raise UsageError(f"{place}: {len(cells)} cells where the header has {leading + width}")
    for column, cell in enumerate(cells[leading:], start=leading + 1):
        if cell.strip() not in {"0", "1"}:
            raise UsageError(f"{place}: cell {column} is {cell!r}: write 1 for covered, 0 for not covered")
    covered = [column for column, cell in enumerate(cells[leading:]) if cell.strip() == "1"]
    return cells[:leading], np.array(covered, dtype=np.int64)


# -- our JSON ----------------------------------------------------------------------------------------------------


def _read_result_json(path: Path) -> CoverageMatrix:
    """The matrix of a JSON result; an execution crashed when what it violates is not an assertion."""
    data = read_json_file(path, most=MOST_DATA)
    try:
        return _from_json(data)
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise UsageError(f"{path}: not a dataset of sfo: {error!r}") from error


def _from_json(data: dict[str, Any]) -> CoverageMatrix:
    if data["format"] != 1:
        raise UsageError(f"format {data['format']!r} of the dataset is not known; 1 is")
    if data.get("kind") == "matrix":
        return matrix_of_json(data)
    columns = {unit["id"]: column for column, unit in enumerate(data["units"])}
    names = coverage_matrix_unit_names({unit["id"]: unit["label"] for unit in data["units"]})
    classes = {item["id"]: item["class"] for item in data["properties"]}
    executions = [execution for execution in data["executions"] if execution["outcome"] is not None]
    return make_coverage_matrix(
        [
            MatrixUnit(
                name=names[unit["id"]],
                function=unit["function"],
                file=unit["file"],
                line=unit["line"],
                end_line=unit.get("end_line", unit["line"]),
                text=unit["text"],
            )
            for unit in data["units"]
        ],
        [[columns[unit] for unit in execution["covered"]] for execution in executions],
        [execution["outcome"] == "fail" for execution in executions],
        [
            execution["outcome"] == "fail" and classes.get(execution["property"], "assert") not in _NO_CRASH
            for execution in executions
        ],
        [str(execution["id"]) for execution in executions],
    )


READERS: Final = (
    MatricesReader(name="gzoltar", accepts=is_gzoltar, read=read_gzoltar),
    MatricesReader(name="coverage", accepts=is_coverage, read=read_coverage),
    MatricesReader(name="csv", accepts=lambda path: path.suffix == ".csv", read=_read_csv),
    MatricesReader(name="json", accepts=lambda path: path.suffix == ".json", read=_read_result_json),
    MatricesReader(name="tcm", accepts=is_tcm, read=read_tcm),
)
"""Every form there is; the first that accepts a path reads it."""


WITHOUT_FAULTS: Final = frozenset({"csv"})
"""Forms in which no unit can be marked as one of a known fault."""


WRITERS: Final[Mapping[str, Callable[[CoverageMatrix, Path], None]]] = {
    "gzoltar": write_gzoltar,
    "tcm": write_tcm,
    "csv": write_matrix_csv,
    "json": write_matrix_json,
}
"""By name of the form: what writes a matrix to a path."""


def matrix_format_to_write(path: Path) -> str:
    """The form that the name of a file says: .csv, .json, .tcm, else a GZoltar directory."""
    return path.suffix[1:] if path.suffix in {".csv", ".json", ".tcm"} else "gzoltar"


def write_matrix_in_any_format(matrix: CoverageMatrix, path: Path, form: str | None = None) -> None:
    """Write ``matrix`` in ``form``, by default in that of the name (``matrix_format_to_write``).

    Raises UsageError where the file system refuses.
    """
    try:
        WRITERS[form or matrix_format_to_write(path)](matrix, path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
