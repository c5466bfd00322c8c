"""lcov's tracefiles: records for each source file, which name the test.

TN:t1
SF:a.c
FN:5,absval            line, name; from lcov 2 first and last line, name
DA:7,2                 line, count; a checksum may follow
end_of_record
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

from cfrontend.errors import Location, UsageError
from sfo.spectra.formats.line_counts import LineCounts, add_line_count
from sfo.spectra.formats.text_lines import text_lines


def read_lcov(path: Path) -> Iterator[tuple[str, LineCounts]]:
    """Test and lines of each record. Raises UsageError at the line that does not fit."""
    test, file = "", ""
    functions: list[tuple[int, str]] = []
    lines: list[tuple[int, int]] = []
    for number, line in text_lines(path):
        key, _, rest = line.strip().partition(":")
        try:
            if key == "TN":
                test = rest
            elif key == "SF":
                file, functions, lines = rest, [], []
            elif key == "FN":
                start, *_, name = rest.split(
                    ",", 2 if rest.count(",") > 1 and rest.split(",")[1].isdigit() else 1
                )
                functions.append((int(start), name))
            elif key == "DA":
                at, count = rest.split(",")[:2]
                lines.append((int(at), int(count)))
            elif key == "end_of_record":
                if not file:
                    raise UsageError("a record ends that has no SF: line", Location(str(path), number))
                yield test, _counts(file, functions, lines)
                file = ""
        except ValueError as error:
            raise UsageError(f"{line.strip()!r} is no {key} record", Location(str(path), number)) from error
    if file:
        raise UsageError(f"{path}: the record of {file} has no end_of_record")


def _counts(file: str, functions: list[tuple[int, str]], lines: list[tuple[int, int]]) -> LineCounts:
    """The lines, each in the last function that begins at or before it."""
    ordered = sorted(functions)
    starts = [start for start, _ in ordered]
    counts: LineCounts = {}
    for line, count in lines:
        place = bisect_right(starts, line)
        add_line_count(counts, file, line, ordered[place - 1][1] if place else "", count)
    return counts
