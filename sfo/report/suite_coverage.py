"""Coverage of a generated suite as text.

coverage: 12 of 14 branches, by 3 executions (no fewer of those found reach as many); 1 unreachable, 1 undecided
  unreachable  line 12  x > 3: true (no execution within unwind 4 that passes reaches it)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from cfrontend.units import GoalKind
from sfo.core.suite_coverage import GoalStatus, SuiteCoverage, SuiteUpdate
from sfo.report import layout

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
    """The lines on what became of the tests of a suite, on what it covers, and on each goal that it does not cover."""
    if coverage.update is not None:
        yield from _updated(coverage.update, limit)
    covered = coverage.of("covered")
    others = [item for item in coverage.goals if item.status != "covered"]
    said = f"coverage: {len(covered)} of {len(coverage.goals)} {_WORDS[coverage.kind]}"
    if (score := coverage.score) is not None:
        said = f"mutation score: {_percentage(score)}, {len(covered)} killed of {len(coverage.goals) - len(coverage.of('unreachable'))} mutants that are not proved equivalent"
    if said_of := [item for item in covered if item.reason]:
        said += f", {len(said_of)} of them {said_of[0].reason}"
    if coverage.chosen:
        plural = "" if coverage.chosen == 1 else "s"
        said += f"; {coverage.chosen} execution{plural} chosen for them, {_how_few(coverage)}"
    statuses: tuple[GoalStatus, ...] = ("unreachable", "undecided", "left out")
    for status in statuses:
        count = sum(item.status == status for item in others)
        said += f"; {count} {status_in_words(coverage.kind, status)}" if count else ""
    yield from layout.wrapped(said, hanging=2)
    shown = others[:limit]
    for item in shown:
        goal = item.goal
        called = status_in_words(coverage.kind, item.status)
        yield layout.clipped(
            f"  {called:<11} line {goal.location.line}  {goal.text}: {goal.outcome} ({item.reason})"
        )
    yield from layout.line_of_more(len(others) - len(shown))


def _updated(update: SuiteUpdate, limit: int | None) -> Iterator[str]:
    """The lines on the tests of a suite that was updated."""
    said = f"suite: {len(update.kept)} kept{_listed(update.kept)}"
    if update.turned:
        said += f", of them {len(update.turned)} that now end otherwise{_listed(update.turned)}"
    said += f"; {len(update.added)} added{_listed(update.added)}"
    if update.redundant:
        said += f"; {len(update.redundant)} redundant and left out{_listed(update.redundant)}"
    if update.invalid:
        said += f"; {len(update.invalid)} invalid and left out"
    if update.changed:
        said += f"; {len(update.changed)} expect{'s' if len(update.changed) == 1 else ''} another result now"
    yield from layout.wrapped(said, hanging=2)
    for change in update.changed[:limit]:
        yield layout.clipped(
            f"  expects another result now: {change.test}: {change.before} before, {change.now} now"
        )
    yield from layout.line_of_more(len(update.changed) - len(update.changed[:limit]))
    shown = list(update.invalid.items())[:limit]
    for test, reason in shown:
        yield layout.clipped(f"  invalid     test {test} ({reason})")
    yield from layout.line_of_more(len(update.invalid) - len(shown))


def _listed(tests: Sequence[int]) -> str:
    return f" ({', '.join(map(str, tests))})" if tests else ""


def status_in_words(kind: GoalKind, status: GoalStatus) -> str:
    """What a status is called of goals of a kind: a mutant is killed or equivalent."""
    return _STATUS_OF_MUTANT.get(status, status) if kind == "mutants" else status


def _percentage(score: Fraction) -> str:
    """A score in percent, rounded down, so that 100 % is all of them."""
    return f"{int(1000 * score) / 10:g} %"


def _how_few(coverage: SuiteCoverage) -> str:
    if coverage.chosen <= coverage.at_least:
        return "the fewest of those found"
    return f"at least {coverage.at_least} of those found are needed"
