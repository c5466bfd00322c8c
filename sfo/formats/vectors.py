"""Input vectors as CSV: one row per execution, one number per input, in evaluation order.

    input1,input2,input3      optional: a row of names
    # the paper's test 1      blank lines and comments are skipped
    1,0,0x2
    'a',-1                    rows may differ in length
    0.1,-0x1.8p3,inf          floating-point inputs, rounded to their type
    ()                        the vector of a program that reads nothing

Integers are decimal or hexadecimal; a character in single quotes, with C's escapes, is its code. What is written
for floating-point inputs reads back as the same bits; a NaN other than the usual one shows its fraction, nan(0x1).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final, final

from cfrontend.errors import Location, UsageError
from cfrontend.host.regular_files import read_regular_file_text
from cfrontend.record import dataclass
from cfrontend.terms.floats.format import BINARY64
from cfrontend.terms.floats.text import parse_float_text
from cfrontend.units import InputNumber
from sfo.core.executions import Execution

_CELL: Final = re.compile(r"\s*((?:'(?:\\.|[^'\\])*'|[^',])*)")
_INTEGER: Final = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)")
_CHARACTER: Final = re.compile(
    r"'(?:\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|([abfnrtv'\"?\\]))|([ -&(-\[\]-~]))'"
)
_NAME: Final = re.compile(r"[A-Za-z_][^']*")
_ESCAPES: Final = dict(zip("abfnrtv'\"?\\", b"\a\b\f\n\r\t\v'\"?\\", strict=True))
NO_INPUTS: Final = "()"
"""The row of an execution that reads nothing."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InputVector:
    """Input vector, one row of a table; ``columns`` are the places of its cells in the line, from 1."""

    values: tuple[InputNumber, ...]
    location: Location
    columns: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class VectorTable:
    """The rows of a file; ``names`` is its header, empty when it has none."""

    file: str
    names: tuple[str, ...]
    vectors: tuple[InputVector, ...]

    def column_name(self, index: int) -> str:
        """The name of a column (from 0) for messages: its number, and its name where the header has one."""
        number = f"column {index + 1}"
        return f"{number} ({self.names[index]})" if index < len(self.names) else number


NO_VECTOR: Final = VectorTable(
    file="", names=(), vectors=(InputVector(values=(), location=Location("", 0), columns=()),)
)
"""One empty vector, of no file: the vector of a program without inputs."""


def read_vectors(path: str) -> VectorTable:
    """The vectors in the file ``path``. Raises UsageError when it cannot be read or is malformed."""
    return parse_vectors(read_regular_file_text(path), path)


def parse_vectors(text: str, file: str) -> VectorTable:
    """The vectors in ``text``. Raises UsageError at the cell that is no integer, and when there is no row."""
    names: tuple[str, ...] | None = None
    vectors: list[InputVector] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells = tuple(_cells(line))
        if names is None and not vectors and all(_is_name(cell) for _, cell in cells):
            names = tuple(cell for _, cell in cells)
            continue
        vectors.append(_vector(cells, file, number))
    if not vectors:
        raise UsageError(f"{file}: no input vectors in this file")
    return VectorTable(file=file, names=names or (), vectors=tuple(vectors))


def _is_name(cell: str) -> bool:
    """True if a cell can stand in a header: ``inf`` and ``nan`` are numbers."""
    return _NAME.fullmatch(cell) is not None and parse_float_text(BINARY64, cell) is None


def _cells(line: str) -> Iterator[tuple[int, str]]:
    """Column and text of each cell; a comma between single quotes is part of its cell."""
    position = 0
    while position <= len(line):
        match = _CELL.match(line, position)
        text = match[1].rstrip() if match else ""
        start, end = match.span(1) if match else (position, position)
        if end < len(line) and line[end] != ",":  # a quote without its partner: the rest of the line
            text, end = line[start:].rstrip(), len(line)
        yield start + 1, text
        position = end + 1


def _vector(cells: Sequence[tuple[int, str]], file: str, line: int) -> InputVector:
    if len(cells) == 1 and cells[0][1] == NO_INPUTS:
        cells = ()
    return InputVector(
        values=tuple(_value(cell, Location(file, line, column)) for column, cell in cells),
        location=Location(file, line, 1),
        columns=tuple(column for column, _ in cells),
    )


def _value(cell: str, location: Location) -> InputNumber:
    if _INTEGER.fullmatch(cell):
        return int(cell, 0)
    if parse_float_text(BINARY64, cell) is not None and not cell.lstrip("+-").isdigit():
        return cell
    character = _CHARACTER.fullmatch(cell)
    if character is None:
        what = f"{cell!r} is not a number" if cell else "empty cell"
        raise UsageError(f"{what}: write 10, -10, 0x1f, 'c' or 0.5", location)
    hexadecimal, octal, escape, plain = character.groups()
    if hexadecimal:
        return int(hexadecimal, 16)
    if octal:
        return int(octal, 8)
    return _ESCAPES[escape] if escape else ord(plain)


def write_vectors(executions: Iterable[Execution]) -> str:
    """The input vectors of ``executions`` as CSV, in order; a header where they agree on the names."""
    vectors = [execution.inputs for execution in executions]
    lines = [",".join(str(value.value) for value in vector) or NO_INPUTS for vector in vectors]
    header = _header([[value.name for value in vector] for vector in vectors])
    return "".join(f"{line}\n" for line in (header, *lines) if line)


def _header(names: Sequence[Sequence[str]]) -> str:
    """One name per column, or nothing when two vectors name a column differently."""
    columns = [set(column) - {None} for column in zip_longest(*names)]
    if any(len(column) != 1 for column in columns):
        return ""
    header = [str(name) for column in columns for name in column]
    plain = all(_is_name(name) and "," not in name for name in header)
    return ",".join(header) if plain else ""
