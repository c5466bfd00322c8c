"""Coverage files, one or more for each test, as a matrix whose units are the lines that a compiler instrumented.

    tests/                             sfo rank tests/ --measure ochiai
      outcomes.csv                     test,outcome / t1,fail / t2,pass
      t1.gcov.json  t2.gcov.json.gz    gcov --json-format
      t3.info                          lcov; one file may hold several tests, which TN: names
      t4.xml                           Cobertura
      t5/                              a directory with several of these files

Files are called by their paths, relative to the directory that all of them have in common: ``util.c`` of two
directories is two files, as gcov names the directory of the compiler, and Cobertura that of its sources.

A test is called as its file without the suffix, as its directory, or as ``TN:`` says. Coverage files have no
outcomes: ``outcomes.csv`` beside them has one for each test.
"""

from __future__ import annotations

import csv
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from cfrontend.errors import Location, UsageError
from cfrontend.host.regular_files import MOST_DATA, opened_regular_file, regular_files_below
from sfo.spectra.formats.line_coverage import (
    LineCounts,
    add_line_count,
    advice_on_json,
    read_cobertura,
    read_gcov_json,
    read_lcov,
)
from sfo.spectra.formats.text_lines import text_lines
from sfo.spectra.matrix import CoverageMatrix, MatrixBuilder, MatrixUnit

OUTCOMES: Final = "outcomes.csv"
"""Name of the file with the outcome of each execution, in the directory of the coverage files."""

_SYSTEM: Final = ("/usr/", "/opt/", "/nix/store/", "/gnu/store/", "/Library/")
"""Where headers of the system are, which have nothing in common with a program."""

_WORDS: Final = {
    "fail": (True, False), "failed": (True, False), "pass": (False, False), "passed": (False, False),
    "crash": (True, True), "error": (True, True),
}  # fmt: skip
"""Outcomes as they are written: whether the test failed, and whether it crashed."""

_READERS: Final[Mapping[str, Callable[[Path], Iterator[tuple[str, LineCounts]]]]] = {
    ".gcov.json": read_gcov_json,
    ".gcov.json.gz": read_gcov_json,
    ".info": read_lcov,
    ".xml": read_cobertura,
}
"""By the end of the file's name: what reads it. A reader gives the name of the test, if the file has one, and the
lines."""


def is_coverage(path: Path) -> bool:
    """True if ``path`` is a coverage file, or a directory that holds some."""
    if path.is_dir():
        return any(_suffix(file) for file in regular_files_below(path))
    return _suffix(path) is not None


def read_coverage(path: Path) -> CoverageMatrix:
    """The matrix of all coverage files in ``path``: units by file and line, tests by name.

    Raises UsageError for a malformed file, and for a test without an outcome or without a coverage file.
    """
    tests: dict[str, LineCounts] = {}
    for name, counts in _tests(path):
        merged = tests.setdefault(name, {})
        for line, (function, count) in counts.items():
            merged[line] = (function, count + merged.get(line, ("", 0))[1])
    given = _outcomes((path if path.is_dir() else path.parent) / OUTCOMES)
    for name in tests:
        if name not in given:
            raise UsageError(f"{path}: test {name} has no outcome")
    for name, (_, place) in given.items():
        if name not in tests:
            raise UsageError(f"there is no coverage of test {name}", place)
    tests = {name: _below_common_root(counts, _common_root(tests.values())) for name, counts in tests.items()}
    functions = {line: function for counts in tests.values() for line, (function, _) in counts.items()}
    lines = sorted(functions)
    columns = {line: column for column, line in enumerate(lines)}
    builder = MatrixBuilder(
        [
            MatrixUnit(
                name=f"{file}:{line}", function=functions[file, line], file=file, line=line, end_line=line
            )
            for file, line in lines
        ]
    )
    for name in sorted(tests):
        covered = sorted(columns[line] for line, (_, count) in tests[name].items() if count)
        failed, crashed = _WORDS[given[name][0]]
        builder.add(np.array(covered, dtype=np.int64), name=name, failed=failed, crashed=crashed)
    return builder.matrix()


def _common_root(tests: Iterable[LineCounts]) -> str:
    """The directory below which all files are that were named by absolute paths but those of the system."""
    files = {file for counts in tests for file, _ in counts if file.startswith("/")}
    own = {posixpath.dirname(file) for file in files if not file.startswith(_SYSTEM)}
    return posixpath.commonpath(own) if own else "/"


def _below_common_root(counts: LineCounts, root: str) -> LineCounts:
    """``counts`` with the names of files below ``root`` relative to it."""
    found: LineCounts = {}
    for (file, line), (function, count) in counts.items():
        add_line_count(found, file if root == "/" else file.removeprefix(f"{root}/"), line, function, count)
    return found


def _tests(path: Path) -> Iterator[tuple[str, LineCounts]]:
    files = [path] if path.is_file() else [file for file in regular_files_below(path) if _suffix(file)]
    for file in files:
        suffix = _suffix(file)
        if suffix is None:
            known = ", ".join(_READERS)
            raise UsageError(f"{file} is no coverage file: its name ends with none of {known}")
        inside = file.relative_to(path).parts if file != path else (file.name,)
        default = inside[0] if len(inside) > 1 else file.name.removesuffix(suffix)
        for name, counts in _READERS[suffix](file):
            yield name or default, counts


def advice_on_coverage(path: Path) -> str | None:
    """What to do with the coverage files of other forms in ``path``, in one line; None where there are none."""
    for file in [path] if path.is_file() else regular_files_below(path):
        if file.suffix in (".gcov", ".gcda"):
            what = "the text" if file.suffix == ".gcov" else "the counts"
            return f"{file} is {what} of gcov: 'gcov --json-format FILE.c' writes what is read here, after each test into its own directory"
        if file.suffix == ".profdata":
            return f"{file} is a profile of clang: 'llvm-cov export -format=lcov PROGRAM -instr-profile={file.name} > {file.stem}.info' writes what is read here"
        if file.suffix == ".json":
            with opened_regular_file(file, most=MOST_DATA) as opened:
                advice = advice_on_json(opened.read(4096))
            if advice is not None:
                return f"{file} is {advice}"
    return None


def _suffix(path: Path) -> str | None:
    return next((suffix for suffix in _READERS if path.name.endswith(suffix) and path.is_file()), None)


def _outcomes(path: Path) -> dict[str, tuple[str, Location]]:
    """By test: its outcome, and where that stands."""
    found: dict[str, tuple[str, Location]] = {}
    columns: list[str] = []
    name_at = outcome_at = 0
    for number, line in text_lines(path):
        if not line.strip():
            continue
        place = Location(str(path), number)
        cells = [cell.strip() for cell in next(csv.reader([line]))]
        if not columns:
            columns = cells
            if not {"test", "name", "id"} & set(columns) or "outcome" not in columns:
                raise UsageError("the header has to name the columns 'test' and 'outcome'", place)
            name_at = next(columns.index(key) for key in ("test", "name", "id") if key in columns)
            outcome_at = columns.index("outcome")
            continue
        if len(cells) != len(columns):
            raise UsageError(f"{len(cells)} cells where the header has {len(columns)}", place)
        name, outcome = cells[name_at], cells[outcome_at].lower()
        if outcome not in _WORDS:
            raise UsageError(f"outcome {cells[outcome_at]!r} is none of pass, fail and crash", place)
        if name in found:
            raise UsageError(f"test {name} has an outcome already", place)
        found[name] = (outcome, place)
    return found
