"""Campaign on updated suites: how programs are changed, and which updates count as good."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.coverage_goals import suite_questions
from benchmarks.suite_updates import (
    REFACTORINGS,
    changes_of,
    is_good_update,
    main,
    moved_lines,
    negated_twice,
    renamed_variable,
    summary,
)
from tests.conftest import require_tool

PROGRAM = """\
#include <stdio.h>
#define BOTH(a, b) \\
    if (a) b

int main(void)
{
    int kinds = 0, number;
    while (scanf("%d", &number) == 1) {
        if (number > 3 && (number & 1))
            kinds += 1;
        else if (number == 2) {
            kinds += 10;
        }
        BOTH(number == 7, kinds += 100);
    }
    printf("%d\\n", kinds);
    return 0;
}
"""


def row(**more: Any) -> dict[str, Any]:
    plain = {
        "program": "p",
        "change": "renamed",
        "made": True,
        "old": 3,
        "kept": 2,
        "turned": 0,
        "redundant": 1,
    }
    plain |= {"invalid": 0, "added": 1, "updated": 3, "fresh": 2, "missed": 0, "more": 0, "same_rows": True}
    return plain | {"accounted": True, "same_files": True, "update_seconds": 1.0, "fresh_seconds": 2.0} | more


@pytest.mark.parametrize("name", REFACTORINGS)
def test_a_refactored_program_prints_what_it_printed(tmp_path: Path, name: str) -> None:
    require_tool("gcc")
    changed = REFACTORINGS[name](PROGRAM)
    assert changed != PROGRAM
    printed = []
    for number, text in enumerate((PROGRAM, changed)):
        (tmp_path / "p.c").write_text(text)
        binary = str(tmp_path / f"p{number}")
        subprocess.run(["gcc", "-w", "-o", binary, str(tmp_path / "p.c")], check=True)
        done = subprocess.run([binary], input=b"1 2 3 4 5 7 2", capture_output=True, check=True)
        printed.append(done.stdout)
    assert printed == [b"122\n", b"122\n"]


def test_what_a_refactoring_changes() -> None:
    assert moved_lines(PROGRAM).count("/* a choice */") == 1  # none within the macro
    assert "if (!(!(number > 3 && (number & 1))))" in negated_twice(PROGRAM)
    assert "else if (!(!(number == 2))) {" in negated_twice(PROGRAM)
    assert "kinds_renamed += 10" in renamed_variable(PROGRAM)


def test_changes_are_the_same_each_time() -> None:
    require_tool("gcc")
    (question,) = [q for q in suite_questions("branches") if q.program == "minmax"]
    changes = list(changes_of(question, 0))
    assert [change.name.partition(":")[0] for change in changes] == ["mutant"] * 3 + list(REFACTORINGS)[:2]
    assert changes == list(changes_of(question, 0))
    assert len({change.text for change in changes}) == 5


@pytest.mark.parametrize(
    ("changed", "good"),
    [
        ({}, True),
        ({"updated": 4}, False),
        ({"missed": 1}, False),
        ({"same_rows": False}, False),
        ({"same_files": False}, False),
        ({"accounted": False}, False),
        ({"made": False}, False),
    ],
)
def test_an_update_is_good_where_nothing_is_lost_and_it_stays_small(
    changed: dict[str, Any], good: bool
) -> None:
    assert is_good_update(row(**changed)) == good


def test_the_summary_counts_updates_and_tests() -> None:
    rows = [row(), row(missed=2, updated=2, added=0), row(made=False), row(updated=4, more=1)]
    said = summary(rows).splitlines()
    assert said[2] == "| p | renamed | 3 | 2 | 0 | 1 | 0 | 1 | 3 | 2 | 0 | 1.0 | 2.0 |"
    assert said[-1].startswith("1 of 3 updates keep")
    assert "at most 2.00; 6 of 9 tests kept, 2 added; seconds: 3, fresh 6. 1 further changes" in said[-1]
    assert said[-1].endswith(
        "1 updated suites are larger than that; 1 of these reach goals that the fresh ones do not"
    )


@pytest.mark.slow
def test_the_suite_of_the_smallest_program_is_updated(tmp_path: Path) -> None:
    require_tool("gcc")
    results = tmp_path / "updates.jsonl"
    words = ["--results", str(results), "--only", "minmax", "--within", "1000"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    assert len(rows) == 5
    assert all(map(is_good_update, rows)), rows
    assert "5 of 5 updates" in done.output
