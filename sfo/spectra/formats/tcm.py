"""TCM, the test coverage matrix of flitsr: one file with sections, each ended by an empty line.

    #tests                        NAME PASSED, FAILED or ERROR (a crash)
    run-1 FAILED

    #uuts                         name, path:method, path:line or path:method:line; each ' | n' names a known fault
    minmax.c:main:18:unit=C4

    #matrix                       a line for each test: pairs of the index of a covered unit, from 0, and a count
    0 1 2 1

What sfo writes has the name of the unit as a fourth field, which flitsr skips. ``#metadata`` and ``#groups`` are
skipped. A pair with count 0 counts as covered, as in flitsr.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from cfrontend.errors import Location, UsageError
from cfrontend.host.regular_files import MOST_DATA, opened_regular_file
from sfo.spectra.formats.names import decode_name, distinct_names, encode_name, name_without_distinct_number
from sfo.spectra.formats.text_lines import text_lines
from sfo.spectra.matrix import CoverageMatrix, MatrixBuilder, MatrixUnit

_TEST: Final = re.compile(r"([^ ]+) (PASSED|FAILED|ERROR)(?: .*)?")
_FAULT: Final = " | "
_MARK: Final = "unit="
_HEAD: Final = 65_536
"""Characters in which a file of this form shows its first section."""


def is_tcm(path: Path) -> bool:
    """True if the file ``path`` begins as one of this form does."""
    if not path.is_file():
        return False
    with opened_regular_file(path, most=MOST_DATA) as file:
        head = file.read(_HEAD)
    return head.lstrip(b"\xef\xbb\xbf").startswith((b"#tests", b"#uuts", b"#metadata")) and b"\0" not in head


def read_tcm(path: Path) -> CoverageMatrix:
    """The matrix in the file ``path``. Raises UsageError at the line that does not fit."""
    lines = text_lines(path)
    tests: list[tuple[str, str]] | None = None
    units: list[MatrixUnit] | None = None
    matrix: CoverageMatrix | None = None
    for number, line in lines:
        place = Location(str(path), number)
        if line.startswith("#tests"):
            tests = [_test(text, Location(str(path), n)) for n, text in _section(lines)]
        elif line.startswith("#uuts"):
            units = [_unit(text) for _, text in _section(lines)]
        elif line.startswith("#matrix"):
            if tests is None or units is None:
                raise UsageError("#matrix stands before #tests or #uuts", place)
            matrix = _matrix(lines, tests, tuple(units), path)
        elif line.startswith(("#metadata", "#groups")):
            list(_section(lines))
        elif line.strip():
            raise UsageError(
                f"{line[:40]!r} is no section: #tests, #uuts, #matrix, #groups or #metadata", place
            )
    if matrix is None:
        raise UsageError(f"{path}: no #matrix in this file")
    return matrix


def _section(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines up to the empty one."""
    for number, line in lines:
        if not line.strip():
            return
        yield number, line.rstrip()


def _test(line: str, place: Location) -> tuple[str, str]:
    match = _TEST.fullmatch(line)
    if match is None:
        raise UsageError(f"{line!r} is no test of the form NAME PASSED, FAILED or ERROR", place)
    return decode_name(match[1]), match[2]


def _unit(line: str) -> MatrixUnit:
    place, *marks = line.split(_FAULT)
    faults = tuple(decode_name(mark.strip()) for mark in marks)
    fields = place.split(":")
    if len(fields) == 4 and fields[2].isdecimal() and fields[3].startswith(_MARK):
        file, function, number_text, mark = fields
        name = decode_name(mark.removeprefix(_MARK))
        return MatrixUnit(
            name=name,
            file=decode_name(file),
            function=decode_name(name_without_distinct_number(function)),
            line=int(number_text),
            end_line=int(number_text),
            faults=faults,
        )
    function = fields[1] if len(fields) > 1 and not fields[1].isdecimal() else ""
    numbers = [int(field) for field in fields[1:3] if field.isdecimal()]
    number = numbers[0] if numbers else 0
    return MatrixUnit(
        name=":".join(fields),
        file=fields[0] if len(fields) > 1 else "",
        function=function,
        line=number,
        end_line=number,
        faults=faults,
    )


def _matrix(
    lines: Iterator[tuple[int, str]], tests: list[tuple[str, str]], units: tuple[MatrixUnit, ...], path: Path
) -> CoverageMatrix:
    builder = MatrixBuilder(units)
    for name, outcome in tests:
        number, line = next(lines, (0, ""))
        if not number or line.startswith("#"):
            raise UsageError(f"{path}: {len(builder)} rows in #matrix for {len(tests)} tests")
        covered = _row(line, len(units), Location(str(path), number))
        builder.add(covered, name=name, failed=outcome != "PASSED", crashed=outcome == "ERROR")
    for number, line in lines:
        if line.strip():
            if line.startswith("#"):
                list(_section(lines))
                continue
            raise UsageError(f"a row more than there are tests ({len(tests)})", Location(str(path), number))
    return builder.matrix()


def _row(line: str, width: int, place: Location) -> np.ndarray:
    words = line.split()
    if len(words) % 2:
        raise UsageError("an odd number of numbers: each unit is followed by its count", place)
    try:
        numbers = np.array(words, dtype=np.int64)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"not a row of numbers: {error}", place) from error
    covered = numbers[::2]
    wrong = covered[(covered < 0) | (covered >= width)]
    if len(wrong):
        raise UsageError(f"unit {wrong[0]} is not one of the {width} of #uuts, counted from 0", place)
    return np.unique(covered)


def write_tcm(matrix: CoverageMatrix, path: Path) -> None:
    """Write the file ``path``; end lines and source texts have no place in it."""
    places = _distinct_functions(matrix.units)
    with path.open("w", encoding="utf-8", errors="backslashreplace") as out:
        out.write("#tests\n")
        out.writelines(
            f"{name} {matrix.outcome(execution, 'PASSED', 'FAILED', 'ERROR')}\n"
            for execution, name in enumerate(distinct_names(encode_name(name) for name in matrix.names()))
        )
        out.write("\n#uuts\n")
        out.writelines(
            f"{place}:{unit.line}:{_MARK}{encode_name(unit.name)}"
            f"{''.join(f'{_FAULT}{encode_name(fault)}' for fault in unit.faults)}\n"
            for place, unit in zip(places, matrix.units, strict=True)
        )
        out.write("\n#matrix\n")
        for execution in range(len(matrix.failed)):
            out.write(" ".join(f"{unit} 1" for unit in matrix.row(execution).tolist()) + "\n")


def _distinct_functions(units: tuple[MatrixUnit, ...]) -> list[str]:
    """``path:method`` of each unit; of units on one line the later ones have a number behind the method."""
    keys = distinct_names(f"{encode_name(u.file)}:{encode_name(u.function)}:{u.line}" for u in units)
    return [
        f"{encode_name(u.file)}:{encode_name(u.function)}{key.partition('~')[1]}{key.partition('~')[2]}"
        for u, key in zip(units, keys, strict=True)
    ]
