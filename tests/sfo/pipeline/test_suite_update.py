"""Suites that are updated after a change: what is kept, what is left out and why, and what is added."""

import csv
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import sfo
from sfo.cli import main
from tests.conftest import require_tool

CORRECT = """\
int nondet_int(void);
int twice(int y)
{
    if (y > 100)
        return 1;
    return 0;
}
int main(void)
{
    int x = nondet_int();
    int y = nondet_int();
    int r = 0;
    if (x > 10 && y != 7)
        r = 1;
    if (x < 0)
        if (x > 5)
            r = 2;
    switch (y) {
    case 3:
        return twice(x);
    case 1000:
        return 2;
    }
    return r;
}
"""

FAULTY = CORRECT.replace("int nondet_int(void);", "int nondet_int(void);\n#include <assert.h>").replace(
    "    return r;", "    assert(r == 0 || x != 50);\n    return r;"
)

CHANGES = {
    "the same": lambda text: text,
    "lines moved": lambda text: "/* what\n it does */\n\n" + text,
    "another case": lambda text: text.replace("case 1000", "case 78"),
    "a new branch": lambda text: text.replace("int r = 0;", "int r = 0; if (x == 4711) r = 5;"),
    "a branch less": lambda text: text.replace("    case 1000:\n        return 2;\n", ""),
    "a negated condition": lambda text: text.replace("x > 10 && y != 7", "!(x <= 10 || y == 7)"),
    "another input": lambda text: text.replace("int r = 0;", "int r = 0; int z = nondet_int(); if (z == 1) r = 0;"),
    "an assumption": lambda text: text.replace(
        "int r = 0;", "int r = 0; if (x < 0) return 9; if (y == 1000 && x > 5) r = 3;"
    ),
}  # fmt: skip


def generated(path: Path, directory: Path, *words: str) -> dict[str, Any]:
    """What ``sfo generate`` writes to ``directory``."""
    assert main(["generate", str(path), "-o", str(directory), "-q", "--no-replay", *words]) in {0, 10}
    found: dict[str, Any] = json.loads((directory / "dataset.json").read_text())
    return found


def suite_rows(directory: Path) -> dict[int, tuple[str, str]]:
    """Row of vectors.csv and outcome of each test, by its id."""
    rows = [line for line in (directory / "vectors.csv").read_text().splitlines() if not line[0].isalpha()]
    outcomes = list(csv.DictReader((directory / "outcomes.csv").read_text().splitlines()))
    assert len(rows) == len(outcomes)
    return {int(o["id"]): (row, o["outcome"]) for row, o in zip(rows, outcomes, strict=True)}


def covered(found: dict[str, Any]) -> set[tuple[int, str, str]]:
    return {
        (goal["line"], goal["text"], goal["outcome"])
        for goal in found["coverage"]["goals"]
        if goal["status"] == "covered"
    }


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("text", [CORRECT, FAULTY], ids=["correct", "faulty"])
def test_an_updated_suite_reaches_what_a_fresh_one_does_and_keeps_its_tests(
    tmp_path: Path, text: str, change: str
) -> None:
    path = tmp_path / "p.c"
    path.write_text(text)
    generated(path, tmp_path / "old")
    path.write_text(CHANGES[change](text))
    fresh = generated(path, tmp_path / "fresh")
    updated = generated(path, tmp_path / "new", "--update", str(tmp_path / "old"))
    assert covered(updated) == covered(fresh)
    assert len(updated["executions"]) <= 1.5 * len(fresh["executions"])
    said, old, new = updated["coverage"]["update"], suite_rows(tmp_path / "old"), suite_rows(tmp_path / "new")
    invalid = [item["execution"] for item in said["invalid"]]
    assert sorted([*said["kept"], *said["redundant"], *invalid]) == sorted(old)
    assert sorted([*said["kept"], *said["added"]]) == sorted(new)
    assert min(said["added"], default=99) > max(old)
    for test in said["kept"]:
        assert new[test][0] == old[test][0]
        assert (new[test][1] != old[test][1]) == (test in said["turned"])
    again = generated(path, tmp_path / "again", "--update", str(tmp_path / "new"))
    for name in ("vectors.csv", "outcomes.csv", "matrix.csv"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "new" / name).read_bytes()
    assert (again["coverage"]["update"]["kept"], again["coverage"]["update"]["added"]) == (sorted(new), [])


def test_what_is_left_out_is_named_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, suite = tmp_path / "p.c", tmp_path / "suite"
    path.write_text(CORRECT)
    generated(path, suite)
    (suite / "vectors.csv").write_text("1,2\n1,2,3\n1\n5,2\n99999999999,1\n")
    (suite / "outcomes.csv").write_text(
        "id,outcome,property,output,test\n4,pass\n7,pass\n9,pass\n2,fail\n5,pass\n"
    )
    said = generated(path, suite, "--update", str(suite))["coverage"]["update"]
    reasons = {item["execution"]: item["reason"] for item in said["invalid"]}
    assert set(reasons) == {7, 9, 5}
    assert "no value for the read of y" in reasons[9]
    assert sorted([*said["kept"], *said["redundant"]]) == [2, 4]  # of two that reach the same, one
    assert len(said["kept"]) == 1
    assert min(said["added"]) == 10
    out = capsys.readouterr().out
    assert "1 redundant and left out" in out
    assert "invalid     test 9 (no value for the read of y" in out


def test_a_test_that_now_fails_is_kept_and_said_to_end_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(CORRECT)
    generated(path, tmp_path / "suite")
    before = suite_rows(tmp_path / "suite")
    path.write_text(CORRECT.replace("    int r = 0;", '    int r = 0;\n    __CPROVER_assert(y != 3, "y");'))
    found = generated(path, tmp_path / "suite", "--update", str(tmp_path / "suite"))
    after = suite_rows(tmp_path / "suite")
    turned = found["coverage"]["update"]["turned"]
    assert turned
    assert all(before[test][1] == "pass" and after[test] == (before[test][0], "fail") for test in turned)


def test_files_of_forms_are_updated_and_those_of_tests_left_out_removed(tmp_path: Path) -> None:
    require_tool("gcc")
    path, suite = tmp_path / "p.c", tmp_path / "suite"
    path.write_text(CORRECT)
    generated(path, suite, "--as", "c")
    old = {file.name: file.read_bytes() for file in (suite / "c" / "vectors").iterdir()}
    path.write_text("/* moved */\n" + CHANGES["another case"](CORRECT))
    said = generated(path, suite, "--update", str(suite))["coverage"]["update"]
    new = {file.name: file.read_bytes() for file in (suite / "c" / "vectors").iterdir()}
    assert set(new) == {f"pass-{test}.txt" for test in (*said["kept"], *said["added"])}
    assert all(new[f"pass-{test}.txt"] == old[f"pass-{test}.txt"] for test in said["kept"])
    assert said["kept"]
    assert said["added"]
    subprocess.run(["make", "-C", suite / "c", "check"], check=True, capture_output=True)


def test_one_new_test_takes_the_place_of_many_that_reach_the_same(tmp_path: Path) -> None:
    path, suite = tmp_path / "p.c", tmp_path / "suite"
    path.write_text(
        "int nondet_int(void);\nint main(void)\n{\n    int n = 0;\n    for (int i = 0; i < 3; i++)\n"
        "        if (nondet_int() > 4)\n            n++;\n    return n;\n}\n"
    )
    assert len(generated(path, suite)["executions"]) == 1
    (suite / "vectors.csv").write_text("5,5,5\n0,0,0\n")
    (suite / "outcomes.csv").write_text("id,outcome,property,output,test\n3,pass\n6,pass\n")
    found = generated(path, suite, "--update", str(suite))
    assert len(found["executions"]) == 1
    assert found["coverage"]["update"]["redundant"] == [3, 6]
    assert {goal["status"] for goal in found["coverage"]["goals"]} == {"covered"}


def test_existing_tests_of_a_correct_program_count(tmp_path: Path) -> None:
    path, tests = tmp_path / "p.c", tmp_path / "tests.csv"
    path.write_text(CORRECT)
    tests.write_text("11,1000\n")
    found = generated(path, tmp_path / "suite", "--tests", str(tests))
    assert [bool(e["test"]) for e in found["executions"]].count(True) == 1
    assert found["coverage"]["chosen"] == len(found["executions"]) - 1


def test_the_library_updates_a_suite_as_the_command_does(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(CORRECT)
    generated(path, tmp_path / "old")
    path.write_text(CHANGES["a new branch"](CORRECT))
    generated(path, tmp_path / "new", "--update", str(tmp_path / "old"))
    sfo.generate(path, update=tmp_path / "old").write(tmp_path / "library")
    for name in ("vectors.csv", "outcomes.csv"):
        assert (tmp_path / "library" / name).read_bytes() == (tmp_path / "new" / name).read_bytes()


@pytest.mark.parametrize(
    ("files", "words", "message"),
    [
        ({}, ["--update", "suite"], "no suite of sfo generate here: there is no vectors.csv"),
        ({"vectors.csv": "1,2\n"}, ["--update", "suite"], "there is no outcomes.csv"),
        ({"vectors.csv": "1,2\n", "outcomes.csv": "id\n"}, ["--update", "suite"], "0 rows for the 1 vectors"),
        ({"vectors.csv": "1,2\n", "outcomes.csv": "id\nx\n"}, ["--update", "suite"], "'x' is no id of a test"),
        ({"vectors.csv": "1,2\n3,4\n", "outcomes.csv": "id\n1\n1\n"}, ["--update", "suite"], "two tests have the id 1"),
        ({}, ["--update", "suite", "--tests", "suite"], "give one of them"),
        ({}, [], "give one"),
    ],
)  # fmt: skip
def test_what_is_no_suite_is_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str],
    words: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(CORRECT)
    Path("suite").mkdir()
    for name, text in files.items():
        (Path("suite") / name).write_text(text)
    assert main(["generate", "p.c", *words]) == 2
    errors = capsys.readouterr().err.strip().splitlines()
    assert len(errors) == 1
    assert message in errors[0]


MINUTES = """\
#include <stdio.h>
int minutes(int h)
{
    if (h < 0)
        return -1;
    if (h == 24)
        return 60;
    return h;
}
#ifndef ALONE
int main(void)
{
    int h;
    if (scanf("%d", &h) != 1)
        return 2;
    printf("%d min\\n", minutes(h));
    return h == 24 ? 60 : 0;
}
#endif
"""


@pytest.mark.parametrize("form", ["cmocka", "unity", "googletest", "criterion"])
def test_a_recorded_result_that_is_another_one_now_is_named(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    require_tool("gcc")
    path, suite = tmp_path / "p.c", tmp_path / "suite"
    path.write_text(MINUTES)
    words = ["-D", "ALONE", "--entry", "minutes", "--as", form]
    assert generated(path, suite, *words)["coverage"]["update"] is None
    assert "24" in (suite / "vectors.csv").read_text()
    # Redundant now, as nothing tells it from others: what it expects is wrong all the same.
    path.write_text(
        MINUTES.replace(
            "    if (h == 24)\n        return 60;\n    return h;", "    return h + 37 * (h == 24);"
        )
    )
    capsys.readouterr()
    report = tmp_path / "r.txt"
    said = generated(path, suite, *words, "--update", str(suite), "--report", f"text={report}")["coverage"][
        "update"
    ]
    (changed,) = said["changed"]
    assert (changed["before"], changed["now"]) == ("60", "61")
    for text in (capsys.readouterr().out, report.read_text()):
        shown = " ".join(text.split())
        assert "1 expects another result now" in shown
        assert "expects another result now: when_h_equals_24_is_true: 60 before, 61 now" in shown
    again = generated(path, suite, *words, "--update", str(suite))["coverage"]["update"]
    assert again["changed"] == []


def test_printed_text_and_a_status_that_are_others_now_are_named(tmp_path: Path) -> None:
    require_tool("gcc")
    path, suite = tmp_path / "p.c", tmp_path / "suite"
    path.write_text(MINUTES)
    generated(path, suite, "--as", "cmocka", "--as", "stdin")
    path.write_text(MINUTES.replace("return 60;", "return 61;").replace("return 2;", "return 3;"))
    changed = generated(path, suite, "--update", str(suite))["coverage"]["update"]["changed"]
    found = {(item["before"], item["now"]) for item in changed}
    assert ('"60 min\\n"', '"61 min\\n"') in found
    assert ("2", "3") in found
    assert len(found) == 2


def test_a_redundant_test_that_fails_now_is_named(tmp_path: Path) -> None:
    path, suite = tmp_path / "p.c", tmp_path / "suite"
    path.write_text(CORRECT)
    generated(path, suite)
    path.write_text(
        "int nondet_int(void);\n#include <assert.h>\nint main(void) { int x = nondet_int(), y = nondet_int(); assert(x < y); return 0; }\n"
    )
    said = generated(path, suite, "--update", str(suite))["coverage"]["update"]
    assert said["redundant"]
    turned = {f"test {test}" for test in said["redundant"]} & {item["test"] for item in said["changed"]}
    assert turned
    assert all(item["before"] == "passes" for item in said["changed"])


def test_an_update_goes_on_with_the_goal_of_the_suite(tmp_path: Path) -> None:
    path, suite = tmp_path / "p.c", tmp_path / "suite"
    path.write_text(CORRECT)
    assert generated(path, suite, "--goal", "boundaries")["coverage"]["goal"] == "boundaries"
    assert generated(path, suite, "--update", str(suite))["coverage"]["goal"] == "boundaries"
    assert generated(path, suite, "--update", str(suite), "--goal", "units")["coverage"]["goal"] == "units"
    (suite / "dataset.json").unlink()
    assert generated(path, suite, "--update", str(suite))["coverage"]["goal"] == "branches"
