"""Many programs as tables: CSV, JSON, text, and an index page that sorts, with a summary of common faults."""

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
from sfo.report.templates import rendered_page

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
        "counts": {status: count for status, count in _counts(rows) if count},
        "common": [asdict(fault) for fault in batch_page_common_faults(rows)],
        "programs": [asdict(row) for row in rows],
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def batch_page_text(rows: Sequence[ProgramRow]) -> str:
    """The table for a terminal."""
    wide = max((len(row.name) for row in rows), default=4)
    status = max((len(row.status) for row in rows), default=4)
    lines = [
        line
        for row in rows
        for line in (
            *layout.wrapped(
                f"{row.name:<{wide}}  {row.status:<{status}}  {row.said}", indent=2, hanging=wide + 2
            ),
            *layout.wrapped(_where_to_look(row), indent=wide + 4, hanging=2),
        )
    ]
    counts = [
        line
        for name, count in _counts(rows)
        if count
        for line in layout.wrapped(
            f"{count:>4}  {STATUSES[name]}: {', '.join(row.name for row in rows if row.status == name)}",
            indent=2,
            hanging=6,
        )
    ]
    common = [
        line
        for fault in batch_page_common_faults(rows)
        for line in layout.wrapped(
            f"{len(fault.names):>4}  {fault.what} {fault.shared}: {', '.join(fault.names)}",
            indent=2,
            hanging=6,
        )
    ]
    left_out = [
        line
        for what in dict.fromkeys(what for row in rows for what in row.left_out)
        for line in layout.wrapped(f"{what}{_of_some(what, rows)}", indent=2, hanging=2)
    ]
    guesses = [row.name for row in rows if row.remark == NO_EDIT]
    further = layout.wrapped(
        f"of {_counted(len(guesses))} no edit was found: {', '.join(guesses)}", indent=2, hanging=2
    )
    return layout.joined(
        layout.titled(_counted(len(rows)), lines),
        layout.titled("how many", counts),
        layout.titled("in common", common),
        layout.titled("not compared", left_out),
        layout.titled("further", further if guesses else []),
    )


def _of_some(what: str, rows: Sequence[ProgramRow]) -> str:
    """The names of the programs in which something was left out, where that is not so in most."""
    names = [row.name for row in rows if what in row.left_out]
    return f" ({', '.join(names)})" if 2 * len(names) < len(rows) else ""


def _counted(programs: int) -> str:
    return "1 program" if programs == 1 else f"{programs} programs"


def _where_to_look(row: ProgramRow) -> str:
    """The line to look at of a program, and the best edit; nothing where no execution fails."""
    if not row.suspects:
        return ""
    place, text, _ = row.suspects[0]
    after = f"{row.remark}: {row.edit}" if row.edit else row.remark
    if row.look not in {"", place}:
        return f"look at {row.look}; {after}; first suspect: {place}  {text}"
    return f"look at {place}  {text}" + (f"; {after}" if after else "")


def _counts(rows: Sequence[ProgramRow]) -> list[tuple[RowStatus, int]]:
    count = Counter(row.status for row in rows)
    return [(status, count[status]) for status in STATUSES]


def batch_index_page(rows: Sequence[ProgramRow], title: str) -> str:
    """The page that lists all programs; it sorts by each column, and leads to the page of each."""
    return rendered_batch_page(
        "batch.html",
        title=title,
        rows=rows,
        counts=[(name, count, STATUSES[name]) for name, count in _counts(rows) if count],
        common=batch_page_common_faults(rows),
    )


def batch_page_without_result(row: ProgramRow) -> str:
    """The page of a program of which nothing but the reason is known."""
    return rendered_batch_page("batch_row.html", title=row.name, row=row, meaning=STATUSES[row.status])


def rendered_batch_page(template: str, **given: object) -> str:
    """A page by one of our templates, with the style and the script that pages of many programs share."""
    return rendered_page(template, style="batch.css", script="batch.js", **given)
