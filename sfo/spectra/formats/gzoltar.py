"""GZoltar's text report: a directory with ``spectra.csv``, ``tests.csv`` and ``matrix.txt``.

    spectra.csv   name / minmax.c$main$unit=C4#main:18       package$class$inner#method:line
    tests.csv     name,outcome,runtime,stacktrace / run-1,FAIL,,
    matrix.txt    1 0 1 -                                    a row for each test; + passed, - failed

What sfo writes has the file as package, the function as class and method, and the name of the unit as inner class.
Further fields behind the line are the known faults that the unit belongs to, ``:0:1``, as flitsr has them.
GZoltar writes PASS and FAIL; ERROR, which
flitsr knows too, is a test that crashed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final

import numpy as np

from cfrontend.errors import Location, UsageError
from cfrontend.host.output_directory import write_file_below, write_text_below
from sfo.spectra.formats.names import decode_name, distinct_names, encode_name, name_without_distinct_number
from sfo.spectra.formats.text_lines import digits_of_row, row_of_digits, text_lines
from sfo.spectra.matrix import CoverageMatrix, MatrixBuilder, MatrixUnit

GZOLTAR_FILES: Final = ("spectra.csv", "tests.csv", "matrix.txt")
"""Files of a report, all of which have to be there."""

_UNIT: Final = re.compile(r"([^$]*)\$([^$#]+)(?:\$([^#]+))?#([^:]+):([0-9]+)((?::[^:]+)*)")
_TEST: Final = re.compile(r"([^,]+),(PASS|FAIL|ERROR)(?:,.*)?")
_FILE_OF_C: Final = re.compile(r"\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx)$", re.IGNORECASE)
_MARK: Final = "unit="
_NAME_AS_IT_IS: Final = re.compile(r"(?! )[ -$&-+\--~]+(?<! )")
"""Names of tests that need no encoding: printable ASCII without commas, percent signs and blanks at the ends."""


def is_gzoltar(path: Path) -> bool:
    """True if ``path`` is a directory with these three files."""
    return path.is_dir() and all((path / name).is_file() for name in GZOLTAR_FILES)


def missing_files_of_gzoltar(path: Path) -> tuple[str, ...]:
    """The files that a directory lacks which has some of a report; empty where it has none or all of them."""
    missing = tuple(name for name in GZOLTAR_FILES if not (path / name).is_file())
    return missing if 0 < len(missing) < len(GZOLTAR_FILES) else ()


def read_gzoltar(path: Path) -> CoverageMatrix:
    """The matrix in the directory ``path``. Raises UsageError at the line that does not fit."""
    units = tuple(_units(path / "spectra.csv"))
    tests = tuple(_tests(path / "tests.csv"))
    builder = MatrixBuilder(units)
    matrix = path / "matrix.txt"
    rows = (item for item in text_lines(matrix) if item[1].strip())
    for test, row in zip_longest(tests, rows):
        if row is None:
            raise UsageError(f"{matrix}: {len(builder)} rows where tests.csv has {len(tests)} tests")
        place = Location(str(matrix), row[0])
        if test is None:
            raise UsageError(f"a row more than tests.csv has tests ({len(tests)})", place)
        name, outcome = test
        covered, failed = _row(row[1], len(units), place)
        if failed != (outcome != "PASS"):
            raise UsageError(f"test {name} is {outcome} in tests.csv, which this row contradicts", place)
        builder.add(covered, name=name, failed=failed, crashed=outcome == "ERROR")
    return builder.matrix()


def _units(path: Path) -> Iterator[MatrixUnit]:
    for number, line in text_lines(path):
        if number == 1:
            if line.strip() != "name":
                raise UsageError("the first line is not the header 'name'", Location(str(path), 1))
            continue
        match = _UNIT.fullmatch(line.rstrip())
        if match is None:
            what = f"{line.rstrip()!r} is no unit of the form package$class#method:line"
            raise UsageError(what, Location(str(path), number))
        yield _unit(match)


def _unit(match: re.Match[str]) -> MatrixUnit:
    package, kind, inner, method, line, marks = match.groups()
    faults = tuple(decode_name(mark) for mark in marks.split(":")[1:])
    if inner and inner.startswith(_MARK):
        name = decode_name(name_without_distinct_number(inner.removeprefix(_MARK)))
        file, function = decode_name(package), decode_name(method)
    else:
        name = f"{match[1]}${kind}{f'${inner}' if inner else ''}#{method}:{line}"
        function = method
        file = package if _is_function_of_c(package, kind, method) else f"{package}.{kind}"
    return MatrixUnit(
        name=name, function=function, file=file, line=int(line), end_line=int(line), faults=faults
    )


def units_of_gzoltar_names(names: Sequence[str]) -> tuple[MatrixUnit, ...] | None:
    """The units that ``names`` are, where each is a name of GZoltar's form; None where some is not."""
    matches = [_UNIT.fullmatch(name) for name in names]
    return tuple(_unit(match) for match in matches if match) if names and all(matches) else None


def _is_function_of_c(package: str, kind: str, method: str) -> bool:
    """Whether a function stands for its class, as in C, where the package is its file; no constructor of Java does."""
    plain, has_parameters, _ = method.partition("(")
    return not package or (kind == plain and (not has_parameters or _FILE_OF_C.search(package) is not None))


def _tests(path: Path) -> Iterator[tuple[str, str]]:
    for number, line in text_lines(path):
        if number == 1:
            if not line.startswith("name,outcome"):
                raise UsageError(
                    "the first line is not the header 'name,outcome,...'", Location(str(path), 1)
                )
            continue
        match = _TEST.fullmatch(line.rstrip())
        if match is None:
            what = f"{line.rstrip()!r} is no test of the form name,PASS or name,FAIL"
            raise UsageError(what, Location(str(path), number))
        yield decode_name(match[1]), match[2]


def _row(line: str, width: int, place: Location) -> tuple[np.ndarray, bool]:
    """The covered columns of a row of the matrix, and whether its test failed."""
    text = line.strip()
    sign = text[-1:]
    if sign not in {"+", "-"}:
        raise UsageError("the row does not end with + or -", place)
    cells = text[:-1].rstrip()
    digits = digits_of_row(cells, " ", width)
    if digits is not None:
        return np.flatnonzero(digits), sign == "-"
    words = cells.split()
    if len(words) != width:
        raise UsageError(f"{len(words)} columns where spectra.csv has {width} units", place)
    for word in words:
        if not word.isdecimal():
            raise UsageError(f"{word!r} is not a count", place)
    return np.flatnonzero(np.array([int(word) for word in words])), sign == "-"


def has_gzoltar_test_details(path: Path) -> bool:
    """True if ``tests.csv`` of the report ``path`` has runtimes or stack traces, which a matrix has no place for."""
    lines = (line.rstrip() for number, line in text_lines(path / "tests.csv") if number > 1)
    return any("".join(line.split(",")[2:]) for line in lines)


def _written_units(units: tuple[MatrixUnit, ...]) -> Iterator[str]:
    """The lines of ``spectra.csv``: a unit that came from a report of GZoltar keeps its name, byte for byte."""
    foreign = [_is_name_of_gzoltar(unit) for unit in units]
    ours = iter(
        distinct_names(
            f"{encode_name(u.file)}${encode_name(u.function)}${_MARK}{encode_name(u.name)}"
            for u, kept in zip(units, foreign, strict=True)
            if not kept
        )
    )
    for unit, kept in zip(units, foreign, strict=True):
        name = unit.name if kept else f"{next(ours)}#{encode_name(unit.function)}:{unit.line}"
        yield f"{name}{''.join(f':{encode_name(fault)}' for fault in unit.faults)}\n"


def _is_name_of_gzoltar(unit: MatrixUnit) -> bool:
    """True if reading the name of the unit as a line of ``spectra.csv`` gives this unit again."""
    match = _UNIT.fullmatch(unit.name)
    if match is None or match[6] or not unit.name.isprintable():
        return False
    read = _unit(match)
    return (read.name, read.function, read.file, read.line) == (
        unit.name,
        unit.function,
        unit.file,
        unit.line,
    )


def _encoded_test(name: str) -> str:
    """The name of a test; one that can be read back as it stands is not encoded."""
    return name if name != "_" and _NAME_AS_IT_IS.fullmatch(name) else encode_name(name)


def write_gzoltar(matrix: CoverageMatrix, path: Path) -> None:
    """Write the three files into the directory ``path``; end lines and source texts have no place in them."""
    units = "".join(_written_units(tuple(matrix.units)))
    write_text_below(path, "spectra.csv", f"name\n{units}")
    tests = "".join(
        f"{name},{matrix.outcome(execution, 'PASS', 'FAIL', 'ERROR')},,\n"
        for execution, name in enumerate(distinct_names(_encoded_test(name) for name in matrix.names()))
    )
    write_text_below(path, "tests.csv", f"name,outcome,runtime,stacktrace\n{tests}")
    write_file_below(path, "matrix.txt", b"")  # a large one is written row by row
    with (path / "matrix.txt").open("w", encoding="ascii") as out:
        for execution, failed in enumerate(matrix.failed):
            out.write(f"{row_of_digits(matrix, execution, ' ')}{'-' if failed else '+'}\n")
