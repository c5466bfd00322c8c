"""Lines of text files, one at a time, so that files larger than memory can be read, and rows of digits in them."""

from __future__ import annotations

from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cfrontend.errors import UsageError
from cfrontend.host.regular_files import MOST_DATA, opened_regular_file
from sfo.spectra.matrix import CoverageMatrix


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Number, from 1, and text of each line, without its line break. Raises UsageError when it cannot be read."""
    with opened_regular_file(path, most=MOST_DATA) as data, TextIOWrapper(data, encoding="utf-8-sig") as file:
        try:
            for number, line in enumerate(file, start=1):
                yield number, line.rstrip("\n")
        except UnicodeDecodeError as error:
            raise UsageError(f"{path} is not a text file (UTF-8)") from error


def digits_of_row(text: str, separator: str, width: int) -> NDArray[np.uint8] | None:
    """The numbers of a row of ``width`` single digits with separators between them; None for any other text."""
    characters = np.frombuffer(text.encode(), dtype=np.uint8)
    if len(characters) != max(0, 2 * width - 1) or (characters[1::2] != ord(separator)).any():
        return None
    digits = characters[::2] - np.uint8(ord("0"))  # what comes before 0 is large now
    return digits if (digits <= 9).all() else None


def row_of_digits(matrix: CoverageMatrix, execution: int, separator: str) -> str:
    """The row of an execution, 1 for each unit that it covers and 0 for others, with a separator behind each."""
    row = np.full(2 * len(matrix.units), ord(separator), dtype=np.uint8)
    row[::2] = ord("0")
    row[2 * matrix.row(execution)] = ord("1")
    return row.tobytes().decode()
