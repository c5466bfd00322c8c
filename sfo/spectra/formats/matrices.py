"""Reading coverage matrices. Each form is a reader in ``READERS``; a file goes to the first one that accepts it.

    sfo rank matrix.csv       id,outcome,property,C1,C2 / 1,fail,main.assertion.1,1,0
                              or test,C1,C2,outcome / t1,1,0,fail
    sfo rank dataset.json     what ``sfo generate`` and ``--format json`` write
    sfo rank report.tcm       flitsr's TCM; a directory of GZoltar's; coverage files of gcov, lcov and Cobertura

A new form is a function from a path to a ``CoverageMatrix`` and one more line in ``READERS``; one that is also
written has a line in ``WRITERS``.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, final

import numpy as np

from cfrontend.errors import UsageError
from cfrontend.host.regular_files import MOST_DATA
from cfrontend.host.regular_files import read_regular_file_json as read_json_file
from sfo.spectra.formats.coverage import advice_on_coverage, is_coverage, read_coverage
from sfo.spectra.formats.gzoltar import (
    GZOLTAR_FILES,
    is_gzoltar,
    missing_files_of_gzoltar,
    read_gzoltar,
    units_of_gzoltar_names,
    write_gzoltar,
)
from sfo.spectra.formats.matrix_csv import write_matrix_csv
from sfo.spectra.formats.matrix_json import matrix_of_json, write_matrix_json
from sfo.spectra.formats.tcm import is_tcm, read_tcm, write_tcm
from sfo.spectra.formats.text_lines import digits_of_row, text_lines
from sfo.spectra.matrix import (
    CoverageMatrix,
    MatrixBuilder,
    MatrixUnit,
    coverage_matrix_unit_names,
    make_coverage_matrix,
)

_COLUMNS: Final = {"id": "id", "test": "id", "outcome": "outcome", "property": "property"}
"""Columns of a CSV matrix that are not units, by their names; ``outcome`` has to be there."""

_AS_WRITTEN: Final = ("id", "outcome", "property")
"""Columns that a CSV of ``sfo`` begins with: all behind them are units, whatever their names."""

_OUTCOMES: Final = {
    "fail": True, "failed": True, "1": True, "pass": False, "passed": False, "0": False,
    "crash": True,
}  # fmt: skip
"""Outcomes as they are written, and whether the execution failed."""

_NUMBERS_AS_OUTCOMES: Final = "outcomes are given as numbers: 1 is read as fail, 0 as pass"

_NO_CRASH: Final = frozenset({"assert", "ensures", "reach", "reference", "observed", "example"})
"""Classes of properties whose violation is not a crash of the program."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MatricesReader:
    """One form: its name, whether a path looks like it, and how it is read."""

    name: str
    accepts: Callable[[Path], bool]
    read: Callable[[Path], CoverageMatrix]


def read_matrix_in_any_format(path: Path, form: str | None = None) -> CoverageMatrix:
    """The matrix in the file or directory ``path``; ``form`` names the reader instead of the file's name.

    Raises UsageError when there is no such file, no reader for it, or the content is malformed.
    """
    if form is not None and all(reader.name != form for reader in READERS):
        raise UsageError(f"unknown form {form!r}: choose one of {', '.join(r.name for r in READERS)}")
    if not path.exists():
        raise UsageError(f"cannot read {path}: No such file or directory")
    advice = None if form is not None or is_coverage(path) else advice_on_coverage(path)
    if advice is not None and not (path.is_dir() and any(reader.accepts(path) for reader in READERS)):
        raise UsageError(advice)
    for reader in READERS:
        if reader.name == form or (form is None and reader.accepts(path)):
            return reader.read(path)
    known = ", ".join(reader.name for reader in READERS)
    missing = missing_files_of_gzoltar(path)
    if missing:
        raise UsageError(f"{path}: a GZoltar report without {' and '.join(missing)}")
    raise UsageError(f"{path}: not recognised as a coverage matrix ({known}){_where_a_matrix_is(path)}")


def _where_a_matrix_is(path: Path) -> str:
    """Hint on the matrix of a suite or a report of GZoltar below a directory, and on that of a C program."""
    if path.suffix in {".c", ".i"}:
        return f": of a C program, 'sfo generate {path} -o DIR' makes DIR/matrix.csv"
    if not path.is_dir():
        return ""
    below = next((found for found in sorted(path.glob("*/")) if is_gzoltar(found)), None)
    if (path / "vectors.csv").is_file() and (path / "dataset.json").is_file():
        below = path / "dataset.json"
    named = f"{GZOLTAR_FILES[0]}, {GZOLTAR_FILES[1]} and {GZOLTAR_FILES[2]}"
    return f": the directory with {named} is asked for" if below is None else f": is {below} meant?"


# -- CSV ---------------------------------------------------------------------------------------------------------


def _read_csv(path: Path) -> CoverageMatrix:
    """The matrix as ``sfo generate`` writes it, or with the columns that are no units anywhere.

    ``id`` (or ``test``) and ``property`` may be missing, rows without outcome are skipped.
    """
    lines = ((number, line) for number, line in text_lines(path) if line.strip())
    first = next(lines, None)
    if first is None:
        raise UsageError(f"{path}: no matrix in this file")
    table = _table_of(next(csv.reader([first[1]])), f"{path}:{first[0]}")
    known = units_of_gzoltar_names(table.units)
    builder = MatrixBuilder(known or [MatrixUnit(name=name) for name in table.units])
    notes: tuple[str, ...] = ()
    for number, line in lines:
        said, covered = table.row(line, f"{path}:{number}")
        outcome = said["outcome"].strip().lower()
        if not outcome:
            continue
        if outcome not in _OUTCOMES:
            raise UsageError(
                f"{path}:{number}: outcome {said['outcome']!r} is none of pass, fail and crash (or 0 and 1)"
            )
        if outcome in {"0", "1"}:
            notes = (_NUMBERS_AS_OUTCOMES,)
        builder.add(
            covered,
            name=said.get("id", f"run-{len(builder) + 1}"),
            failed=_OUTCOMES[outcome],
            crashed=outcome == "crash",
            property_=said.get("property", "").strip(),
        )
    return replace(builder.matrix(), notes=notes)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """The columns of a CSV matrix: names of ``units``, and places of the others.

    Of these ``before`` stand before all units and ``behind`` behind them.
    """

    width: int
    units: tuple[str, ...]
    others: Mapping[str, int]
    before: int
    behind: int

    def row(self, line: str, place: str) -> tuple[dict[str, str], Any]:
        """What a row says besides units, by column, and the units that it covers."""
        if self.before + len(self.units) + self.behind == self.width and '"' not in line:
            *start, rest = line.split(",", self.before)
            middle, *end = rest.rsplit(",", self.behind)
            digits = digits_of_row(middle.strip(), ",", len(self.units))
            fits = (len(start), len(end)) == (self.before, self.behind)
            if fits and digits is not None and (digits <= 1).all():
                return self._others([*start, *[""] * len(self.units), *end]), np.flatnonzero(digits)
        cells = next(csv.reader([line]))
        if len(cells) != self.width:
            raise UsageError(f"{place}: {len(cells)} cells where the header has {self.width}")
        not_units = set(self.others.values())
        flags = [(column, cell.strip()) for column, cell in enumerate(cells) if column not in not_units]
        for column, cell in flags:
            if cell not in {"0", "1"}:
                raise UsageError(
                    f"{place}: cell {column + 1} is {cells[column]!r}: write 1 for covered, 0 for not covered"
                )
        covered = [unit for unit, (_, cell) in enumerate(flags) if cell == "1"]
        return self._others(cells), np.array(covered, dtype=np.int64)

    def _others(self, cells: Sequence[str]) -> dict[str, str]:
        return {name: cells[column] for name, column in self.others.items()}


def _table_of(header: Sequence[str], place: str) -> _Table:
    """The columns that a header names; raises UsageError where it says twice what is no unit, or no outcome."""
    names = tuple(name.strip() for name in header)
    end = len(_AS_WRITTEN) if names[: len(_AS_WRITTEN)] == _AS_WRITTEN else len(names)
    others: dict[str, int] = {}
    for column, name in enumerate(names[:end]):
        meant = _COLUMNS.get(name)
        if meant is None:
            continue
        if meant in others:
            first = names[others[meant]]
            said = f"two columns {name!r}" if first == name else f"columns {first!r} and {name!r}"
            raise UsageError(f"{place}: {said}: which of them is meant? Rename the other one")
        others[meant] = column
    if "outcome" not in others:
        raise UsageError(
            f"{place}: no column is called outcome: a matrix has one, and may have id (or test) and property; "
            "all others are units"
        )
    units = [column for column in range(len(names)) if column not in set(others.values())]
    return _Table(
        width=len(names),
        units=tuple(names[column] for column in units),
        others=others,
        before=units[0] if units else len(names),
        behind=len(names) - 1 - units[-1] if units else 0,
    )


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
        [execution["property"] or "" for execution in executions],
    )


READERS: Final = (
    MatricesReader(name="gzoltar", accepts=is_gzoltar, read=read_gzoltar),
    MatricesReader(name="coverage", accepts=is_coverage, read=read_coverage),
    MatricesReader(name="csv", accepts=lambda path: path.suffix == ".csv", read=_read_csv),
    MatricesReader(name="json", accepts=lambda path: path.suffix == ".json", read=_read_result_json),
    MatricesReader(name="tcm", accepts=is_tcm, read=read_tcm),
)
"""Every form there is; the first that accepts a path reads it."""


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


def matrix_parts_without_place(matrix: CoverageMatrix, form: str) -> tuple[str, ...]:
    """What of ``matrix`` is lost when it is written in ``form``, in words, each with what has no place there."""
    units, numbers = matrix.units, {"units": len(matrix.units), "executions": len(matrix.failed)}
    named = units_of_gzoltar_names([unit.name for unit in units]) is not None  # a CSV then knows all places
    placed = 0 if named else sum(bool(unit.line) for unit in units)
    told = sum(bool(unit.text) for unit in units)
    places = " and ".join(["places"] * bool(placed) + ["source texts"] * bool(told))
    parts = (
        ({"csv"}, "marks of known faults", sum(bool(unit.faults) for unit in units), "units"),
        ({"csv"}, places, max(placed, told), "units"),
        ({"gzoltar", "tcm"}, "source texts", told, "units"),
        ({"gzoltar", "tcm"}, "last lines", sum(unit.end_line > unit.line for unit in units), "units"),
        ({"gzoltar", "tcm"}, "violated properties", sum(map(bool, matrix.properties)), "executions"),
    )
    return tuple(
        f"the {what} of {count} of {numbers[of]} {of} are lost, as {form} has no place for them"
        for forms, what, count, of in parts
        if count and form in forms
    )


def write_matrix_in_any_format(matrix: CoverageMatrix, path: Path) -> None:
    """Write ``matrix`` in the form of the name (``matrix_format_to_write``).

    Raises UsageError where the file system refuses.
    """
    try:
        WRITERS[matrix_format_to_write(path)](matrix, path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
