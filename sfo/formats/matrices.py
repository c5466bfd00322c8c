"""Reading coverage matrices. Each form is a reader in ``READERS``; a file goes to the first one that accepts it.

    sfo rank matrix.csv       id,outcome,property,C1,C2 / 1,fail,main.assertion.1,1,0
    sfo rank dataset.json     what ``sfo generate`` and ``--format json`` write

A new form is a function from a path to a ``CoverageMatrix`` and one more line in ``READERS``.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

import numpy as np
from scipy.sparse import csr_array

from cfrontend.errors import UsageError
from sfo.matrix import CoverageMatrix, MatrixUnit, make_matrix

_LEADING: Final = ("id", "outcome", "property")
"""Columns of a CSV matrix that are not units; ``outcome`` has to be there."""

_OUTCOMES: Final = {"fail": True, "failed": True, "1": True, "pass": False, "passed": False, "0": False}
"""Outcomes as they are written, and whether the run failed."""

_NO_CRASH: Final = frozenset({"assert", "reach"})
"""Classes of properties whose violation is not a crash of the program."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixReader:
    """One form: its name, whether a path looks like it, and how it is read."""

    name: str
    accepts: Callable[[Path], bool]
    read: Callable[[Path], CoverageMatrix]


def read_matrix(path: Path, form: str | None = None) -> CoverageMatrix:
    """The matrix in the file or directory ``path``; ``form`` names the reader instead of the file's name.

    Raises UsageError when there is no such file, no reader for it, or the content is malformed.
    """
    if form is not None:
        for reader in READERS:
            if reader.name == form:
                return reader.read(path)
        raise UsageError(f"unknown form {form!r}: choose one of {', '.join(r.name for r in READERS)}")
    for reader in READERS:
        if reader.accepts(path):
            return reader.read(path)
    known = ", ".join(reader.name for reader in READERS)
    raise UsageError(f"{path}: not recognised as a coverage matrix ({known})")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not a text file (UTF-8)") from error


# -- CSV ---------------------------------------------------------------------------------------------------------


def read_csv(path: Path) -> CoverageMatrix:
    """The matrix as ``sfo generate`` writes it; ``id`` and ``property`` may be missing, rows without outcome are skipped."""
    lines = [(number, line) for number, line in enumerate(_text(path).splitlines(), start=1) if line.strip()]
    if not lines:
        raise UsageError(f"{path}: no matrix in this file")
    header = next(csv.reader([lines[0][1]]))
    leading = 0
    while leading < len(header) and header[leading].strip() in _LEADING:
        leading += 1
    if "outcome" not in (name.strip() for name in header[:leading]):
        raise UsageError(
            f"{path}:1: a matrix begins with the columns {', '.join(_LEADING)}; outcome is needed"
        )
    outcome_at = [name.strip() for name in header[:leading]].index("outcome")
    names = header[leading:]
    rows, failed = [], []
    for number, line in lines[1:]:
        start, cells = _row(line, leading, len(names), f"{path}:{number}")
        outcome = start[outcome_at].strip().lower()
        if not outcome:
            continue
        if outcome not in _OUTCOMES:
            raise UsageError(f"{path}:{number}: outcome {start[outcome_at]!r} is neither pass nor fail")
        rows.append(cells)
        failed.append(_OUTCOMES[outcome])
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
    columns = np.concatenate(rows) if rows else np.zeros(0, dtype=np.int64)
    return CoverageMatrix(
        units=tuple(MatrixUnit(name=name.strip()) for name in names),
        covered=csr_array(
            (np.ones(len(columns), dtype=np.bool_), columns, starts), shape=(len(rows), len(names))
        ),
        failed=np.array(failed, dtype=np.bool_),
        crashed=np.zeros(len(rows), dtype=np.bool_),
    )


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


def read_json(path: Path) -> CoverageMatrix:
    """The matrix of a JSON result; a run crashed when what it violates is not an assertion."""
    try:
        data = json.loads(_text(path))
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from error
    try:
        return _from_json(data)
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{path}: not a dataset of sfo: {error!r}") from error


def _from_json(data: dict[str, Any]) -> CoverageMatrix:
    if data["format"] != 1:
        raise UsageError(f"format {data['format']!r} of the dataset is not known; 1 is")
    columns = {unit["id"]: column for column, unit in enumerate(data["units"])}
    classes = {item["id"]: item["class"] for item in data["properties"]}
    runs = [run for run in data["executions"] if run["outcome"] is not None]
    return make_matrix(
        [
            MatrixUnit(
                name=unit["label"] or str(unit["id"]),
                function=unit["function"],
                file=unit["file"],
                line=unit["line"],
                end_line=unit.get("end_line", unit["line"]),
                text=unit["text"],
            )
            for unit in data["units"]
        ],
        [[columns[unit] for unit in run["covered"]] for run in runs],
        [run["outcome"] == "fail" for run in runs],
        [
            run["outcome"] == "fail" and classes.get(run["property"], "assert") not in _NO_CRASH
            for run in runs
        ],
    )


READERS: Final = (
    MatrixReader(name="csv", accepts=lambda path: path.suffix == ".csv", read=read_csv),
    MatrixReader(name="sfo-json", accepts=lambda path: path.suffix == ".json", read=read_json),
)
"""Every form there is; the first that accepts a path reads it."""
