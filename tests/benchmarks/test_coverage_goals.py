"""Campaign on coverage goals: which programs count as decided, and what is told of a suite that was made."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.coverage_goals import is_decided, main, suite_questions, summary


def row(**more: Any) -> dict[str, Any]:
    plain = {"program": "p", "goal": "branches", "code": 0, "verdict": "safe", "covered": 8, "unreachable": 1}
    return plain | {"undecided": 0, "tests": 2, "at_least": 2, "unwind": 1, "seconds": 3.0} | more


@pytest.mark.parametrize(
    ("changed", "decided"),
    [({}, True), ({"undecided": 1}, False), ({"seconds": 61.0}, False), ({"covered": 0}, False)],
)
def test_a_program_is_decided_where_no_goal_is_open_in_time(changed: dict[str, Any], decided: bool) -> None:
    assert is_decided(row(**changed)) == decided


def test_the_summary_counts_programs_and_goals() -> None:
    said = summary([row(), row(program="q", undecided=2, tests=3), row(program="r", goal="units")])
    first, second = said.splitlines()
    assert first.startswith(
        "units: 1 of 1 programs decided within 60 s (100.0%); 8 goals covered, 1 proved unreachable"
    )
    assert "branches: 1 of 2 programs decided within 60 s (50.0%); 16 goals covered" in second
    assert "2 undecided; size to least size: median 1.25, at most 1.50" in second


def test_the_summary_of_mutants_has_their_score() -> None:
    rows = [row(goal="mutants"), row(program="q", goal="mutants", undecided=2)]
    assert "mutation score: at least 98% in 1, median 90.0%, least 80.0%" in summary(rows)


def test_large_programs_are_left_out() -> None:
    names = {question.program for question in suite_questions("branches")}
    assert "minmax" in names
    assert "building" not in names


def test_the_smallest_program_is_covered(tmp_path: Path) -> None:
    results = tmp_path / "goals.jsonl"
    done = CliRunner().invoke(main, ["--results", str(results), "--only", "minmax", "--jobs", "1"])
    assert done.exit_code == 0, done.output
    (found,) = [json.loads(line) for line in results.read_text().splitlines()]
    assert (found["covered"], found["unreachable"], found["undecided"]) == (8, 0, 0)
    assert found["tests"] == found["at_least"]
    assert done.output.startswith("minmax  8 covered, 0 proved, 0 undecided")
