"""Unified diffs as reports show them: their lines by what each does, and their hunks.

--- a/f.c                   DiffLine("place", "--- a/f.c")
+++ b/f.c                   DiffLine("place", "+++ b/f.c")
@@ -12,2 +12,2 @@           DiffLine("place", "@@ -12,2 +12,2 @@"), the beginning of DiffHunk(line=12, count=2)
 int i;                     DiffLine("kept", " int i;")
-i = 1;                     DiffLine("removed", "-i = 1;")
+i = 0;                     DiffLine("added", "+i = 0;")
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, final

from cfrontend.record import dataclass

_HEAD: Final = re.compile(r"@@ -(?P<line>\d+)(?:,(?P<old>\d+))? \+\d+(?:,(?P<new>\d+))? @@")

_KINDS: Final[dict[str, Literal["added", "removed", "kept"]]] = {"+": "added", "-": "removed", " ": "kept"}


@final
@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a diff, with its sign, and what it does; a ``place`` says where the next ones are."""

    kind: Literal["added", "removed", "kept", "place"]
    text: str

    @property
    def code(self) -> str:
        """The line of the file, without its sign."""
        return self.text[1:]


@final
@dataclass(frozen=True, slots=True)
class DiffHunk:
    """A hunk: ``count`` lines of the old file from ``line`` on, which counts from 1, and the ``lines`` of the diff.

    ``line`` is the one before the hunk where ``count`` is 0.
    """

    line: int
    count: int
    lines: tuple[DiffLine, ...]


def read_diff_lines(diff: str) -> Iterator[DiffLine]:
    """The lines of a unified diff; a removed ``-- i;`` is no name of a file, as the heads of hunks have counts."""
    old = new = 0
    for text in diff.removesuffix("\n").split("\n"):
        head = _HEAD.match(text)
        if head is not None:
            old, new = int(head["old"] or 1), int(head["new"] or 1)
        kind = _KINDS.get(text[:1]) if old > 0 or new > 0 else None
        yield DiffLine(kind or "place", text.removesuffix("\r"))
        old -= kind in {"removed", "kept"}
        new -= kind in {"added", "kept"}


def read_diff_hunks(diff: str) -> Iterator[DiffHunk]:
    """The hunks of a unified diff of one file, in its order."""
    head: re.Match[str] | None = None
    lines: list[DiffLine] = []
    for line in read_diff_lines(diff):
        found = _HEAD.match(line.text) if line.kind == "place" else None
        if found is not None:
            if head is not None:
                yield _hunk(head, lines)
            head, lines = found, []
        elif line.kind != "place":
            lines.append(line)
    if head is not None:
        yield _hunk(head, lines)


def _hunk(head: re.Match[str], lines: list[DiffLine]) -> DiffHunk:
    return DiffHunk(line=int(head["line"]), count=int(head["old"] or 1), lines=tuple(lines))
