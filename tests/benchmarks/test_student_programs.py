"""Student programs beside their references: one version ranked, and the table."""

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.manifest import load_manifest
from benchmarks.student_programs import (
    STUDENTS,
    FixedRow,
    StudentRow,
    all_rows,
    all_tables,
    examine_fixed_version,
    examine_student_version,
    fixed_table,
    main,
    student_programs,
    student_table,
)


@pytest.mark.parametrize("name", ["runs", "heating"])
def test_the_first_fault_is_first_and_repaired(name: str) -> None:
    program = next(one for one in load_manifest(STUDENTS) if one.name == name)
    row = examine_student_version(program, program.versions[0])
    assert row.before == 0
    assert row.repair
    correct = program.correct.read_text(encoding="utf-8")
    assert row.repair.partition(" -> ")[2] in correct


def test_the_table_counts_first_places_and_repairs() -> None:
    rows = [
        StudentRow(id="a/1", kind="wrong constant", units=9, before=0, repair="a || b -> a"),
        StudentRow(id="a/2", kind="missing call", units=9, before=4, repair="a || b -> a"),
        StudentRow(id="a/3", kind="missing call", units=9, before=None),
    ]
    text = student_table(rows)
    assert "a/1" not in text
    assert "| a/2 | missing call | 9 | 4 | `a \\|\\| b -> a` |" in text
    assert "| a/3 | missing call | 9 | - | - |" in text
    assert text.endswith(
        "3 versions: first in 1, among the first five in 2, a verified repair of the fault in 2."
    )


def test_no_input_tells_what_is_right_from_its_reference() -> None:
    program = next(one for one in load_manifest(STUDENTS) if one.name == "palindrome")
    path = STUDENTS / "palindrome" / "student1.c"
    assert path in program.fixed
    assert examine_fixed_version(program, path).verdict == "safe"


def test_what_is_kept_is_not_done_again(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    row = StudentRow(id="runs/fault2", kind="wrong operand", units=9, before=0, repair="a -> b")
    fixed = FixedRow(id="runs/correct", verdict="safe", refuted=8)
    results.write_text("".join(f"{json.dumps(asdict(one))}\n" for one in (row, fixed)))
    assert list(all_rows(["runs/fault2"], results)) == [row, fixed]


def test_a_fault_would_be_seen_where_there_should_be_none() -> None:
    program = next(one for one in load_manifest(STUDENTS) if one.name == "heating")
    row = examine_fixed_version(program, program.versions[-1].path)
    assert row == FixedRow(id="heating/fault4", verdict="violated", refuted=row.refuted)
    assert "inside the domain heating/fault4;" in fixed_table([row])


def test_what_is_not_decided_is_said_with_its_bound() -> None:
    rows = [
        FixedRow(id="a/correct", verdict="safe", refuted=8),
        FixedRow(id="a/student1", verdict="unknown", refuted=3),
    ]
    assert fixed_table(rows) == (
        "2 versions without a fault: violated inside the domain none; right in every execution within 8 rounds 1. "
        "Not decided (with the rounds within which they are right): a/student1 (3)."
    )


def done(path: Path) -> Path:
    """A file of results in which every version of both sets is done."""
    rows: list[StudentRow | FixedRow] = []
    for program in student_programs():
        rows += [StudentRow(id=one.id, kind="slip", units=9, before=0) for one in program.versions]
        rows += [
            FixedRow(id=f"{program.name}/{one.stem}", verdict="safe", refuted=8) for one in program.fixed
        ]
    path.write_text("".join(f"{json.dumps(asdict(one))}\n" for one in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("options", "titles", "counted"),
    [
        ([], ["The first set:", "The second set:", "All sets together:"], [40, 40, 80]),
        (["--set", "first"], ["The first set:"], [40]),
        (["--set", "second"], ["The second set:"], [40]),
        (["--only", "runs"], ["The first set:"], [3]),
        (["--set", "second", "--only", "stones/fault1"], ["The second set:"], [1]),
    ],
    ids=["both", "first", "second", "program", "version"],
)
def test_sets_are_counted_apart_and_together(
    options: list[str], titles: list[str], counted: list[int], tmp_path: Path
) -> None:
    results = done(tmp_path / "results.jsonl")
    result = CliRunner().invoke(main, [*options, "--results", str(results)], catch_exceptions=False)
    assert [line for line in result.stdout.splitlines() if line.endswith(":")] == titles
    assert [int(n) for n in re.findall(r"^(\d+) versions: first in", result.stdout, re.MULTILINE)] == counted
    assert result.stdout.count("\n| ") == (len(titles) - (len(titles) > 1)) + max(counted)


@pytest.mark.parametrize("options", [["--only", "nothing"], ["--set", "second", "--only", "runs"]])
def test_a_name_that_no_chosen_set_has_is_an_error(options: list[str]) -> None:
    result = CliRunner().invoke(main, options)
    assert result.exit_code == 1
    assert "no program or version" in result.output


def test_the_counts_of_one_set_are_not_said_twice() -> None:
    row = StudentRow(id="stones/fault1", kind="missing else", units=9, before=0)
    assert all_tables([row]) == f"The second set:\n\n{student_table([row])}\n\n{fixed_table([])}"
