"""The lines of a text file with their numbers, one at a time, so that files larger than memory can be read."""

from __future__ import annotations

from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path

from cfrontend.errors import UsageError
from cfrontend.host.regular_files import MOST_DATA, opened_regular_file


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Number, from 1, and text of each line, without its line break. Raises UsageError when it cannot be read."""
    with opened_regular_file(path, most=MOST_DATA) as data, TextIOWrapper(data, encoding="utf-8-sig") as file:
        try:
            for number, line in enumerate(file, start=1):
                yield number, line.rstrip("\n")
        except UnicodeDecodeError as error:
            raise UsageError(f"{path} is not a text file (UTF-8)") from error
