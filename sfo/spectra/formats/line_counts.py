"""Execution counts of source lines, common to all formats of coverage files."""

from __future__ import annotations

import posixpath
from typing import TypeAlias

LineCounts: TypeAlias = dict[tuple[str, int], tuple[str, int]]
"""By file and line: the function that the line belongs to (empty: unknown) and how often the line was executed."""


def absolute_source(folder: object, file: str) -> str:
    """``file`` below the absolute path ``folder`` in which a compiler was called; as it stands where there is none."""
    if not isinstance(folder, str) or not folder.startswith("/"):
        return file
    return posixpath.normpath(posixpath.join(folder, file))


def add_line_count(counts: LineCounts, file: str, line: int, function: str, count: int) -> None:
    """Add ``count`` executions of a line, which files may list several times."""
    known, before = counts.get((file, line), ("", 0))
    counts[file, line] = (known or function, before + count)
