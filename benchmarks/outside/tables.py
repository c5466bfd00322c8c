"""Tables of a set: counts and means with 95 % confidence intervals, then what is refused.

share(7, 20)   ->   "7 of 20 (18-57 %)"       Wilson's interval
mean([0, 3])   ->   "1.5 (0.0-3.0)"           bootstrap, seeded
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy import stats

from benchmarks.outside.judge import LEFT_OUT, OutsideRow

_PLACES: Final = 5
"""Lines that a reader looks at."""

_TABLE1: Final = {
    "cdaudio": (24, 22, 13), "floppy": (39, 33, 8), "S3": (35, 33, 3), "kundu2": (63, 63, 7), "tcas": (6, 5, 5),
    "rule57": (9, 9, 2), "rule60": (14, 14, 8), "merge": (1, 1, 1), "byte_add": (17, 15, 0), "alternating": (1, 1, 1),
    "eureka": (7, 7, 3), "string": (5, 2, 2), "insertion": (3, 3, 0),
}  # fmt: skip
"""Lines before the fault by 1f, sfo and sfo_p in Table 1 of Landsberg et al. 2018."""


def share(count: int, of: int) -> str:
    """A count with Wilson's interval of the share."""
    if not of:
        return "-"
    interval = stats.binomtest(count, of).proportion_ci(method="wilson")
    return f"{count} of {of} ({100 * interval.low:.0f}-{100 * interval.high:.0f} %)"


def mean(values: Sequence[float]) -> str:
    """A mean with the percentile bootstrap interval of 2,000 samples."""
    if not values:
        return "-"
    drawn = np.random.default_rng(0).choice(np.array(values), size=(2000, len(values))).mean(axis=1)
    low, high = np.percentile(drawn, [2.5, 97.5])
    return f"{statistics.fmean(values):.1f} ({low:.1f}-{high:.1f})"


def summary_table(name: str, rows: Sequence[OutsideRow]) -> str:
    """One row for a set: located, lines before the fault, edits, seconds of the processor, what is not answered."""
    rows = [row for row in rows if row.verdict != LEFT_OUT]
    located = [row.lines for row in rows if row.lines is not None]
    shown = [row for row in rows if row.edit]
    judged = [row for row in rows if row.heldout is not None]
    seconds = sorted(row.seconds for row in rows)
    missed = [row for row in rows if row.verdict in {"safe", "unknown"}]
    cells = {
        "set": name,
        "located": share(len(located), len(rows)),
        "mean lines before": mean(located),
        "first": share(sum(lines == 0 for lines in located), len(rows)),
        "first five": share(sum(lines < _PLACES for lines in located), len(rows)),
        "an edit shown": share(len(shown), len(rows)),
        "right on held-out tests": share(sum(row.right for row in judged), len(rows)) if judged else "-",
        "same as the fix": share(sum(row.same for row in rows), len(rows)) if name != "table1" else "-",
        "CPU s median, p90, max": " / ".join(f"{np.percentile(seconds, at):.1f}" for at in (50, 90, 100)),
        "no failure found": f"{sum(row.shows is not False for row in missed)} wrong, {sum(row.shows is False for row in missed)} right",
        "refused": str(sum(row.verdict in {"refused", "error"} for row in rows)),
    }
    lines = [" | ".join(cells), " | ".join(["---"] * len(cells)), " | ".join(cells.values())]
    refused = Counter(row.reason for row in rows if row.verdict in {"refused", "error"})
    reasons = [f"* refused: {reason} ({count})" for reason, count in sorted(refused.items())]
    return "\n".join([*(f"| {line} |" for line in lines), *([""] if reasons else []), *reasons])


def table1_table(rows: Sequence[OutsideRow]) -> str:
    """The paper's Table 1 beside ours: lines before the fault by the strategies, then by the default ranking."""
    lines = [
        "| program | paper 1f, sfo, sfo_p | ours 1f, sfo, sfo_p | default | CPU s coverage, default |",
        "|---|---|---|---:|---|",
    ]
    for row in rows:
        ours = "-" if row.strategies is None else ", ".join(map(str, row.strategies))
        paper = ", ".join(map(str, _TABLE1[row.id]))
        lines.append(
            f"| {row.id} | {paper} | {ours} | {'-' if row.lines is None else row.lines} | {row.strategy_seconds}, {row.seconds} |"
        )
    known = [row for row in rows if row.strategies is not None and row.lines is not None]
    if known:
        papers = [statistics.fmean(_TABLE1[row.id][at] for row in known) for at in range(3)]
        means = [statistics.fmean(row.strategies[at] for row in known if row.strategies) for at in range(3)]
        default = statistics.fmean(row.lines for row in known if row.lines is not None)
        shown = [", ".join(f"{value:.2f}" for value in values) for values in (papers, means)]
        lines.append(f"| **mean of {len(known)}** | {shown[0]} | {shown[1]} | {default:.2f} | |")
    return "\n".join(lines)


def case_table(rows: Sequence[OutsideRow]) -> str:
    """A row for each case, for a terminal: place, seconds, and what is said of an edit."""
    return "\n".join(
        f"{row.id:30} {row.verdict:9} {'-' if row.lines is None else row.lines:>4} {row.seconds:6.1f} s  "
        f"{row.edit[:40]}{f' {row.heldout[0]}/{row.heldout[1]}' if row.heldout else ''}{' same' if row.same else ''} {row.reason[:80]}"
        for row in rows
    )
