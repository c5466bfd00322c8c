"""Coverage campaign: what of correct programs generated suites cover, and what is proved to be unreachable.

    python -m benchmarks.coverage_goals --results goals.jsonl    ->  "triangle  24/26 +2 proved  5 tests (>= 5)  3.1 s"

``sfo generate`` makes a suite for each correct program of up to 700 lines. A program is *decided* where every goal is
covered or proved to be unreachable within the largest bound that was looked at. The number of tests stands beside the
least number that reaches as much, of all executions that were found. Seconds are those of the processor.
"""

from __future__ import annotations

import json
import resource
import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, final

import click

from benchmarks.campaign import FINDINGS, JOBS, ONLY, in_order, keep, kept
from benchmarks.manifest import load_manifest
from benchmarks.processes import silent_tool_process, usage_of_process
from benchmarks.record import MAX_LINES
from cfrontend.record import dataclass

GOALS: Final = ("units", "branches", "conditions", "mcdc", "boundaries", "mutants")
"""Goals that a campaign may ask for."""

SECONDS: Final = 60.0
"""Seconds of the processor within which a program counts."""

SCORE: Final = 0.98
"""Mutation score that a suite should have: killed, of those that are not proved equivalent."""

GIVEN_UP: Final = 2 * int(SECONDS)
"""Seconds of the processor after which a suite is no longer waited for; nothing is known of its program then."""

GIVEN_UP_MUTANTS: Final = 5 * int(SECONDS)
"""Seconds of the processor after which a suite for goal ``mutants`` is no longer waited for."""


@final
@dataclass(frozen=True, slots=True)
class SuiteQuestion:
    """A program whose suite has to reach a goal."""

    program: str
    path: str
    entry: str
    goal: str


def suite_questions(goal: str) -> Iterator[SuiteQuestion]:
    """The correct programs of up to 700 lines."""
    for program in load_manifest():
        if program.correct.exists() and len(program.correct.read_bytes().splitlines()) <= MAX_LINES:
            yield SuiteQuestion(program.name, str(program.correct), program.versions[0].entry, goal)


def coverage_of(question: SuiteQuestion) -> Mapping[str, Any]:
    """What ``sfo generate`` covers, by the status of each goal, and what that took."""
    with TemporaryDirectory() as scratch:
        directory = Path(scratch) / "suite"
        words = ["--entry", question.entry, "--goal", question.goal, "-q", "-o", str(directory)]
        if question.goal != "mutants":  # which native executions make quicker
            words.append("--no-replay")
        process = silent_tool_process(["generate", question.path, *words])
        limit = GIVEN_UP_MUTANTS if question.goal == "mutants" else GIVEN_UP
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (limit, limit))
        usage = usage_of_process(process)
        file = directory / "dataset.json"
        found = json.loads(file.read_text()) if file.exists() else None
    nothing: dict[str, Any] = {"goals": [], "chosen": 0, "at_least": 0, "unwind": 0}
    coverage = nothing if found is None else found["coverage"]
    statuses = [goal["status"] for goal in coverage["goals"]]
    return {
        "program": question.program,
        "goal": question.goal,
        "code": usage.code,
        "verdict": None if found is None else found["verdict"],
        **{status: statuses.count(status) for status in ("covered", "unreachable", "undecided")},
        "tests": coverage["chosen"],
        "at_least": coverage["at_least"],
        "unwind": coverage["unwind"],
        "seconds": round(usage.processor, 2),
    }


def is_decided(row: Mapping[str, Any]) -> bool:
    """Whether every goal is covered or proved to be unreachable, in time."""
    return bool(row["covered"]) and not row["undecided"] and row["seconds"] <= SECONDS


def summary(rows: Sequence[Mapping[str, Any]]) -> str:
    """What the campaign found."""
    lines = []
    for goal in GOALS:
        mine = [row for row in rows if row["goal"] == goal]
        if not mine:
            continue
        decided = sum(map(is_decided, mine))
        covered, unreachable, undecided = (
            sum(row[status] for row in mine) for status in ("covered", "unreachable", "undecided")
        )
        sizes = [row["tests"] / row["at_least"] for row in mine if row["at_least"]]
        lines.append(
            f"{goal}: {decided} of {len(mine)} programs decided within {SECONDS:.0f} s ({decided / len(mine):.1%});"
            f" {covered} goals covered, {unreachable} proved unreachable, {undecided} undecided;"
            f" size to least size: median {statistics.median(sizes or [0]):.2f}, at most {max(sizes or [0]):.2f};"
            f" seconds: median {statistics.median(row['seconds'] for row in mine):.1f},"
            f" at most {max(row['seconds'] for row in mine):.1f}"
        )
        if goal == "mutants":
            scores = [row["covered"] / (row["covered"] + row["undecided"]) for row in mine if row["covered"]]
            lines[-1] += (
                f"; mutation score: at least {SCORE:.0%} in {sum(score >= SCORE for score in scores)},"
                f" median {statistics.median(scores or [0]):.1%}, least {min(scores or [0]):.1%}"
            )
    return "\n".join(lines)


@click.command(help=(__doc__ or "").split("\n\n", maxsplit=1)[0])
@FINDINGS
@ONLY
@click.option("--goal", type=click.Choice(GOALS), default="branches", show_default=True)
@JOBS
def main(results: Path, only: tuple[str, ...], goal: str, jobs: int) -> None:
    """Make the suites that ``results`` does not have."""
    done = kept(results)
    known = {(row["program"], row["goal"]) for row in done}
    questions = [q for q in suite_questions(goal) if not only or q.program in only]
    waiting = [q for q in questions if (q.program, q.goal) not in known]
    for row in in_order(coverage_of, waiting, jobs):
        keep(results, row)
        done.append(dict(row))
        click.echo(
            f"{row['program']}  {row['covered']} covered, {row['unreachable']} proved, {row['undecided']} undecided"
            f"  {row['tests']} tests (>= {row['at_least']})  {row['seconds']} s"
        )
    click.echo(summary(done))


if __name__ == "__main__":
    main()
