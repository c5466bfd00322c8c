"""Rows as the paper's Table 1: aligned text for a terminal, Markdown for RESULTS.md, JSON for programs.

program  version  lines  units  1f  sfo  sfo_p  ...
minmax   fault1      15     11   7    3      0  ...
AVG                  15     11   7    3      0  ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias, final

from benchmarks.run import Row
from benchmarks.scoring import Score

Value: TypeAlias = float | str | None
"""What a cell shows; None where there is nothing to show."""

SHOWN_AS_NOTHING: Final = "-"
"""In a cell without a value."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its ``title``, how a row's cell gets its value, and with how many ``decimals``."""

    title: str
    value: Callable[[Row], Value]
    decimals: int = 0


def verdict(row: Row) -> str:
    """Whether a faulty unit is covered by all failing executions: yes, no, or unproved (yes so far)."""
    if not row.covered_by_all:
        return "no"
    return "yes" if row.optimal else "unproved"


def finding(row: Row) -> str:
    """What is to be said of a row beside its line in the table; empty when the fault is located without trouble."""
    parts = [row.problem] if row.problem else []
    if row.failing and not row.covered_by_all:
        parts.append("no faulty unit is covered by all failing executions")
    elif row.failing and not row.optimal:
        parts.append("not proved that all failing executions cover a faulty unit")
    return "; ".join(parts)


def agrees(row: Row) -> bool:
    """Whether no execution of the row disagrees with its native execution, as far as it was replayed."""
    return row.native is None or not row.native.get("disagrees")


def replay_summary(rows: Sequence[Row]) -> str:
    """How many executions of how many versions do natively what sfo says, in one sentence."""
    total: Counter[str] = Counter()
    for row in rows:
        total.update(row.native or {})
    wrong = ", ".join(f"{row.program}/{row.version}" for row in rows if not agrees(row))
    missing = ", ".join(f"{row.program}/{row.version}" for row in rows if row.native is None)
    parts = [
        f"native replay: {total['agrees']} of {total.total()} executions of {len(rows)} versions agree",
        f"{total['disagrees']} disagree{f' ({wrong})' if wrong else ''}",
        f"the violation of {total['unobserved']} cannot be observed natively",
        f"{total['impossible']} could not be replayed",
    ]
    return "; ".join(parts) + (f"; nothing was replayed of {missing}" if missing else "")


def _score(
    strategy: Literal["one_failing", "failing", "failing_and_passing", "full"],
    measured_in: Literal["units", "lines"],
) -> Callable[[Row], Value]:
    def value(row: Row) -> Value:
        if row.scores is None:
            return None
        found: Score | None = getattr(row.scores, strategy)
        if found is None:
            return None
        return found.units if measured_in == "units" else found.lines

    return value


def _full_seconds(row: Row) -> Value:
    return None if row.scores is None or row.scores.full is None else row.seconds_full


COLUMNS: Final = (
    Column(title="program", value=lambda row: row.program),
    Column(title="version", value=lambda row: row.version),
    Column(title="lines", value=lambda row: row.lines),
    Column(title="units", value=lambda row: row.units),
    Column(title="1f units", value=_score("one_failing", "units")),
    Column(title="sfo units", value=_score("failing", "units")),
    Column(title="sfo_p units", value=_score("failing_and_passing", "units")),
    Column(title="full units", value=_score("full", "units")),
    Column(title="1f lines", value=_score("one_failing", "lines")),
    Column(title="sfo lines", value=_score("failing", "lines")),
    Column(title="sfo_p lines", value=_score("failing_and_passing", "lines")),
    Column(title="full lines", value=_score("full", "lines")),
    Column(title="|E|", value=lambda row: row.failing),
    Column(title="passing", value=lambda row: row.passing),
    Column(title="calls", value=lambda row: row.calls),
    Column(title="unwind", value=lambda row: row.unwind),
    Column(title="1f s", value=lambda row: row.seconds_one_failing, decimals=2),
    Column(title="sfo_p s", value=lambda row: row.seconds, decimals=2),
    Column(title="full s", value=_full_seconds, decimals=2),
    Column(title="fault in ∩E", value=verdict),
)
"""Table 1, with each score in units and in lines of code."""


def text_table(rows: Sequence[Row]) -> str:
    """The table in columns of equal width, one line per row, the averages last."""
    cells = _cells(rows)
    left = _text_places(len(cells[0]))
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    )


def markdown_table(rows: Sequence[Row]) -> str:
    """The averages of each program, and of all, as GitHub renders them."""
    columns = _columns(rows)
    titles = [column.title.replace("|", r"\|") for column in columns[2:]]
    rule = ["---", *["---:"] * (len(columns) - 2), "---"]
    lines = [["program", "versions", *titles], rule]
    for name in dict.fromkeys(row.program for row in rows):
        mine = [row for row in rows if row.program == name]
        lines.append([name, str(len(mine)), *_average_cells(mine, columns)[2:]])
    lines.append(["all", str(len(rows)), *_average_cells(rows, columns)[2:]])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def as_json(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The rows as JSON values, with whether each fault was located."""
    return [{**asdict(row), "located": row.located} for row in rows]


def average(values: Iterable[Value]) -> float | None:
    """The mean of the numbers among ``values``; None when there is none."""
    numbers = [value for value in values if isinstance(value, int | float)]
    return sum(numbers) / len(numbers) if numbers else None


def _text_places(columns: int) -> tuple[int, ...]:
    """Columns that are aligned to the left."""
    return 0, 1, columns - 1


def _columns(rows: Sequence[Row]) -> list[Column]:
    """The columns that have something to show of some row."""
    return [c for c in COLUMNS if not rows or any(c.value(row) is not None for row in rows)]


def _cells(rows: Sequence[Row]) -> list[list[str]]:
    """Titles, rows and averages."""
    columns = _columns(rows)
    lines = [[_cell(column.value(row), column.decimals) for column in columns] for row in rows]
    return [[column.title for column in columns], *lines, _average_cells(rows, columns)]


def _average_cells(rows: Sequence[Row], columns: Sequence[Column]) -> list[str]:
    covered, located = sum(row.covered_by_all for row in rows), sum(row.located for row in rows)
    middle = [_cell(average(column.value(row) for row in rows), 2) for column in columns[2:-1]]
    return ["AVG", "", *middle, f"{covered} of {len(rows)}, {located} proved"]


def _cell(value: Value, decimals: int) -> str:
    if value is None:
        return SHOWN_AS_NOTHING
    return value if isinstance(value, str) else f"{value:.{decimals}f}"
