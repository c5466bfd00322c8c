"""Many programs as tables: text, JSON, CSV, and an index page that sorts."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Final, final

from cfrontend.record import dataclass
from sfo.core.program_rows import STATUSES, ProgramRow, RowStatus
from sfo.report import layout
from sfo.report.templates import rendered_page, rendered_template

COLUMNS: Final = (
    "name", "status", "said", "fault", "property", "place", "input", "suspect", "suspect source", "edit", "kind",
    "remark", "bound", "files", "line", "typed",
)  # fmt: skip

NO_EDIT: Final = "a guess: no edit was found that mends it"
"""Remark on a suspect where edits were looked for."""

_COMMON: Final = 2
"""Programs that share a fault before it is called common."""


@final
@dataclass(frozen=True, slots=True)
class BatchPageCommonFault:
    """What several programs share: ``what`` (a fault, an edit, an input), and their names."""

    what: str
    shared: str
    names: tuple[str, ...]


def batch_page_common_faults(rows: Sequence[ProgramRow]) -> tuple[BatchPageCommonFault, ...]:
    """What at least two programs share, the most frequent first: what fails, what repairs it, for which input.

    What all failing programs violate is what they are to do, and says nothing, nor does that they print something else.
    """
    every = {row.fault for row in rows if row.status == "fails"}
    kinds: tuple[tuple[str, Callable[[ProgramRow], str]], ...] = (
        ("fails", lambda row: row.fault if len(every) > 1 and ".reference." not in row.property else ""),
        ("is repaired by", lambda row: row.kind),
        ("fails for", lambda row: row.input),
    )
    found = []
    for what, key in kinds:
        groups: dict[str, list[str]] = {}
        for row in rows:
            if row.status in {"fails", "does not end"} and key(row):
                groups.setdefault(key(row), []).append(row.name)
        found += [
            BatchPageCommonFault(what, shared, tuple(names))
            for shared, names in groups.items()
            if len(names) >= _COMMON
        ]
    return tuple(sorted(found, key=lambda fault: -len(fault.names)))


def batch_page_csv(rows: Sequence[ProgramRow]) -> str:
    """One line for each program."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        place, text, _ = row.suspects[0] if row.suspects else ("", "", "")
        writer.writerow(
            [row.name, row.status, row.said, row.fault, row.property, row.place, row.input, place, text, row.edit,
             row.kind, row.remark, row.bound, " ".join(row.files), (row.look or place).rpartition(":")[2], row.typed]
        )  # fmt: skip
    return out.getvalue()


def batch_page_json(rows: Sequence[ProgramRow]) -> str:
    """Rows, counts of each status, and common faults."""
    data = {
        "format": 1,
        "kind": "batch",
        "counts": {status: count for status, count, _ in _counts(rows)},
        "common": [asdict(fault) for fault in batch_page_common_faults(rows)],
        "programs": [asdict(row) for row in rows],
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def batch_page_text(rows: Sequence[ProgramRow]) -> str:
    """The table for a terminal."""
    left_out: dict[str, list[str]] = {}
    for row in rows:
        for what in row.left_out:
            left_out.setdefault(what, []).append(row.name)
    return rendered_template(
        "sfo.report",
        "batch.txt.jinja",
        rows=rows,
        wide=max((len(row.name) for row in rows), default=4),
        wide_status=max((len(row.status) for row in rows), default=4),
        counts=_counts(rows),
        common=batch_page_common_faults(rows),
        left_out=left_out,
        guesses=[row.name for row in rows if row.remark == NO_EDIT],
        wrap=layout.filled,
    )


def _counts(rows: Sequence[ProgramRow]) -> list[tuple[RowStatus, int, str]]:
    """Each status that there is, of how many programs, and its meaning."""
    count = Counter(row.status for row in rows)
    return [(status, count[status], meaning) for status, meaning in STATUSES.items() if count[status]]


def batch_index_page(rows: Sequence[ProgramRow], title: str) -> str:
    """The page that lists all programs; it sorts by each column, and leads to the page of each."""
    return _rendered(
        "batch.html",
        title=title,
        rows=rows,
        counts=_counts(rows),
        common=batch_page_common_faults(rows),
    )


def batch_page_without_result(row: ProgramRow) -> str:
    """The page of a program of which nothing but the reason is known."""
    return _rendered("batch_row.html", title=row.name, row=row, meaning=STATUSES[row.status])


def _rendered(template: str, **given: object) -> str:
    """A page by one of our templates, with the style and the script that pages of many programs share."""
    return rendered_page(template, style="batch.css", script="batch.js", **given)
