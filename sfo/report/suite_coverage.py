"""Coverage of a generated suite as text.

coverage: 12 of 14 branches, by 3 executions (no fewer of those found reach as many); 1 unreachable, 1 undecided
  unreachable  line 12  x > 3: true (no execution within unwind 4 that passes reaches it)
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from sfo.core.suite_coverage import GoalStatus, SuiteCoverage
from sfo.report.layout import clip_layout_line, layout_line_of_more, wrapped_layout_text

_WORDS: Final = {
    "units": "units",
    "branches": "branches",
    "conditions": "outcomes of conditions",
    "mcdc": "outcomes of conditions that decide alone",
    "boundaries": "boundary values",
    "mutants": "mutants",
}

_STATUS_OF_MUTANT: Final = {"covered": "killed", "unreachable": "equivalent"}
"""What a status is called of a mutant."""


def suite_coverage(coverage: SuiteCoverage, limit: int | None) -> Iterator[str]:
    """The lines on what a suite covers, and on each goal that it does not cover."""
    covered = coverage.of("covered")
    others = [item for item in coverage.goals if item.status != "covered"]
    said = f"coverage: {len(covered)} of {len(coverage.goals)} {_WORDS[coverage.kind]}"
    if (score := coverage.score) is not None:
        said = f"mutation score: {_percentage(score)}, {len(covered)} killed of {len(coverage.goals) - len(coverage.of('unreachable'))} mutants that are not proved equivalent"
    if coverage.chosen:
        plural = "" if coverage.chosen == 1 else "s"
        said += f"; {coverage.chosen} execution{plural} chosen for them, {_how_few(coverage)}"
    statuses: tuple[GoalStatus, ...] = ("unreachable", "undecided", "left out")
    for status in statuses:
        count = sum(item.status == status for item in others)
        said += f"; {count} {_named(coverage, status)}" if count else ""
    yield from wrapped_layout_text(said, hanging=2)
    shown = others[:limit]
    for item in shown:
        goal = item.goal
        called = _named(coverage, item.status)
        yield clip_layout_line(
            f"  {called:<11} line {goal.location.line}  {goal.text}: {goal.outcome} ({item.reason})"
        )
    yield from layout_line_of_more(len(others) - len(shown))


def _named(coverage: SuiteCoverage, status: GoalStatus) -> str:
    return _STATUS_OF_MUTANT.get(status, status) if coverage.kind == "mutants" else status


def _percentage(score: Fraction) -> str:
    """A score in percent, rounded down, so that 100 % is all of them."""
    return f"{int(1000 * score) / 10:g} %"


def _how_few(coverage: SuiteCoverage) -> str:
    if coverage.chosen <= coverage.at_least:
        return "the fewest of those found"
    return f"at least {coverage.at_least} of those found are needed"
