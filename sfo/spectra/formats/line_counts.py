"""Execution counts of source lines, common to all formats of coverage files."""

from __future__ import annotations

from typing import TypeAlias

LineCounts: TypeAlias = dict[tuple[str, int], tuple[str, int]]
"""By file and line: the function that the line belongs to (empty: unknown) and how often the line was executed."""


def add_line_count(counts: LineCounts, file: str, line: int, function: str, count: int) -> None:
    """Add ``count`` executions of a line, which files may list several times."""
    known, before = counts.get((file, line), ("", 0))
    counts[file, line] = (known or function, before + count)
