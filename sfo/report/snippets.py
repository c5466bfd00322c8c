"""Source lines as reports in plain text show them: with a caret under a place, and with an edit in its place.

18 |     most = input2;          18 -     most = input2;
   |     ^^^^^^^^^^^^^^             +     least = input2;
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, takewhile
from pathlib import Path
from typing import Final

from cfrontend.errors import Location
from sfo.report.layout import WIDTH, clipped
from sfo.report.unified_diff import DiffLine, read_diff_hunks

_BEFORE: Final = 20
"""Columns of a long line that are shown before the place in it."""

_HUGE: Final = 1 << 20
"""Bytes of a file of which no line is shown beside an error."""


def source_snippet(lines: Sequence[str], place: Location) -> list[str]:
    """The line of a place with carets under it; nothing where the line is not at hand."""
    if not 0 < place.line <= len(lines):
        return []
    whole = lines[place.line - 1].rstrip("\r\n")
    head = f"  {place.line:>4} | "
    column = place.column
    if column is None:
        return [clipped(head + whole.expandtabs())]
    begin = len(whole[: column - 1].expandtabs())
    is_one_line = place.end_line in {0, place.line} and place.end_column is not None
    end = len(whole[: place.end_column].expandtabs()) if is_one_line else begin + 1
    shown = whole.expandtabs()
    if begin >= WIDTH - len(head) - _BEFORE:
        cut = begin - _BEFORE
        begin, end, shown = _BEFORE, end - cut, f"…{shown[cut + 1 :]}"
    carets = "^" * max(1, min(end, WIDTH - len(head)) - begin)
    return [clipped(head + shown), f"       | {' ' * begin}{carets}"]


def snippet_of_file(place: Location) -> list[str]:
    """The line of a place in a file, with carets; nothing where the file cannot be read as text."""
    try:
        path = Path(place.file)
        if not path.is_file() or path.stat().st_size > _HUGE:
            return []
        return source_snippet(path.read_text(encoding="utf-8").split("\n"), place)
    except (OSError, ValueError):
        return []


def edited_lines(diff: str) -> Iterator[str]:
    """The lines that a unified diff takes out and puts in, each row of them with the number of its first line.

    Of long lines, what is shown begins a little before where the rows differ.
    """
    for hunk in read_diff_hunks(diff):
        number = hunk.line
        for is_kept, row in groupby(hunk.lines, lambda line: line.kind == "kept"):
            lines = [replace(line, text=line.text[0] + line.code.expandtabs()) for line in row]
            if not is_kept:
                yield from _edited_row(number, lines)
            number += sum(line.kind != "added" for line in lines)


def _edited_row(number: int, lines: Sequence[DiffLine]) -> Iterator[str]:
    head = f"  {number:>4} "
    cut, codes = 0, [line.code for line in lines]
    if any(len(head) + len(line.text) > WIDTH for line in lines):
        cut = max(0, len([*takewhile(lambda ones: len({*ones}) == 1, zip(*codes, strict=False))]) - _BEFORE)
    for line in lines:
        yield clipped(f"{head}{line.text[0]} {'…' if cut else ''}{line.code[cut:]}")
        head = " " * len(head)
