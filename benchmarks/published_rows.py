"""The first table of RESULTS.md made again, whole or in part: which rows differ, and in what.

    minmax/fault1: sfo_p units 0 -> 3, calls 12 -> 14
    3 of 3 rows made again, 1 differs

Seconds are left out. A row that ends by the time limit, then or now, is compared as well, and said to be one.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from benchmarks.publish import BEGIN, END
from benchmarks.run import Row
from benchmarks.table import markdown_table

Cells = Mapping[str, str]
"""The cells of a row by the titles of their columns."""

CLOCK: Final = "time limit"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTable:
    """The words of its command behind ``python -m benchmarks``, and its rows by ``program/version``."""

    command: tuple[str, ...]
    rows: Mapping[str, Cells]
    clocked: frozenset[str]


def read_published_table(text: str) -> PublishedTable:
    """The first table of RESULTS.md. Raises ValueError when it has no command or no row."""
    body = text.partition(BEGIN)[2].partition(END)[0]
    command = next(
        (line.strip() for line in body.splitlines() if line.startswith("    python -m benchmarks")), ""
    )
    rows = dict(_rows(body))
    if not command or not rows:
        raise ValueError("the table has no command or no row")
    said = (line[2:].partition(": ") for line in body.splitlines() if line.startswith("* "))
    clocked = frozenset(name for name, _, why in said if CLOCK in why)
    return PublishedTable(command=tuple(shlex.split(command)[3:]), rows=rows, clocked=clocked)


def _rows(text: str) -> Iterator[tuple[str, Cells]]:
    lines = [line.replace("\\|", "¦") for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip().replace("¦", "|") for cell in line.strip("|").split("|")] for line in lines]
    if not cells:
        return
    titles = cells[0]
    for row in cells[2:]:
        found = dict(zip(titles, row, strict=True))
        if found["version"] not in {"", "-"}:
            yield f"{found['program']}/{found['version']}", found


def sample_of_rows(names: Sequence[str], count: int | None) -> list[str]:
    """``count`` of the names, in their order: those with the least checksums, so that everybody has the same ones."""
    least = set(sorted(names, key=lambda name: hashlib.sha256(name.encode()).digest())[:count])
    return [name for name in names if name in least]


def differing_cells(published: Cells, now: Cells) -> list[str]:
    """Cells that differ between a published row and one made now, in the columns of both, without seconds."""
    return [
        f"{title} {cell} -> {now[title]}"
        for title, cell in published.items()
        if not title.endswith(" s") and title in now and now[title] != cell
    ]


def compare_rows(table: PublishedTable, rows: Sequence[Row], say: Callable[[str], None]) -> int:
    """Say which of ``rows`` differ from those of ``table``, and in what; the number of those that do."""
    differing = 0
    for row in rows:
        name = f"{row.program}/{row.version}"
        now = dict(_rows(markdown_table([row])))[name]
        if different := differing_cells(table.rows[name], now):
            differing += 1
            clock = " (ended by the clock)" if name in table.clocked or CLOCK in row.problem else ""
            say(f"{name}: {', '.join(different)}{clock}")
    say(
        f"{len(rows)} of {len(table.rows)} rows made again, {differing} {'differs' if differing == 1 else 'differ'}"
    )
    return differing
