"""Generated suites as text: what one covers, and the suites of all functions of a library, which are a page, too.

coverage: 12 of 14 branches, by 3 executions (no fewer of those found reach as many); 1 unreachable, 1 undecided
  unreachable  line 12  x > 3: true (no execution within unwind 4 that passes reaches it)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any, Final

from cfrontend.errors import UsageError
from sfo.core.function_suites import FunctionSuite, FunctionSuiteGoal, LibrarySuite
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
        said += f"; {count} {_named(coverage, status)}" if count else ""
    yield from layout.wrapped(said, hanging=2)
    shown = others[:limit]
    for item in shown:
        goal = item.goal
        called = _named(coverage, item.status)
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


def _named(coverage: SuiteCoverage, status: GoalStatus) -> str:
    return _STATUS_OF_MUTANT.get(status, status) if coverage.kind == "mutants" else status


def _percentage(score: Fraction) -> str:
    """A score in percent, rounded down, so that 100 % is all of them."""
    return f"{int(1000 * score) / 10:g} %"


def _how_few(coverage: SuiteCoverage) -> str:
    if coverage.chosen <= coverage.at_least:
        return "the fewest of those found"
    return f"at least {coverage.at_least} of those found are needed"


def function_suites_text(library: LibrarySuite) -> str:
    """A line for each function, and one for all."""
    wide = max((len(suite.function) for suite in library.functions), default=0)
    lines = [layout.clipped(f"{s.function:<{wide}}  {_said(library, s)}") for s in library.functions]
    tests = sum(suite.tests for suite in library.functions)
    total = (
        f"{len(library.functions)} functions: {library.number('covered')} of {library.goals} {library.kind} covered,"
        f" {library.number('unreachable')} proved unreachable, {library.open} open; {tests} tests"
    )
    return "".join(f"{line}\n" for line in [*lines, *([""] if lines else []), total])


def _said(library: LibrarySuite, suite: FunctionSuite) -> str:
    if suite.status != "suite":
        return f"{suite.status}: {suite.said}" if suite.said else suite.status
    said = f"{suite.covered} of {suite.goals} {library.kind}"
    if unreachable := suite.number("unreachable"):
        said += f", {unreachable} unreachable"
    if suite.open:
        said += f", {suite.open} open"
    said += f"; {suite.tests} test{'' if suite.tests == 1 else 's'}"
    return said + (f", {suite.failing} of them failing" if suite.failing else "")


def function_suites_page(library: LibrarySuite, title: str) -> str:
    """The page of all functions: what of each is covered, proved to be unreachable and open, and each such goal."""
    from sfo.report.batch_pages import rendered_batch_page

    return rendered_batch_page("function_suites.html", title=title, library=library)


def function_suites_json(library: LibrarySuite) -> str:
    """All of it, to be read by ``read_function_suites``."""
    data = {
        "format": 1,
        "kind": "functions",
        "goal": library.kind,
        "functions": [asdict(suite) for suite in library.functions],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def read_function_suites(data: Any, name: str) -> Mapping[str, FunctionSuite]:
    """The suites in JSON data from the file ``name``, by function. Raises UsageError where it is something else."""
    try:
        if data["format"] != 1 or data["kind"] != "functions":
            raise UsageError(f"{name}: not the suites of functions, in format 1")
        return {
            item["function"]: FunctionSuite(
                **{**item, "others": tuple(FunctionSuiteGoal(**goal) for goal in item["others"])}
            )
            for item in data["functions"]
        }
    except (KeyError, TypeError) as error:
        raise UsageError(f"{name}: not the suites of functions: {error}") from error
