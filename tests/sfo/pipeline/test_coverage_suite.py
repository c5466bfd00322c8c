"""Suites that reach coverage goals: against gcov, in their number, and what is said of goals that nothing reaches."""

import csv
import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sfo.cli import main
from sfo.core.halt import Halt
from sfo.pipeline import coverage_suite
from tests.conftest import require_tool

CORRECT = """\
int nondet_int(void);
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
    while (r > 0 && y > 3) {
        r--;
    }
    switch (y) {
    case 3:
        return 1;
    case 1000:
        return 2;
    }
    return r;
}
"""

FAULTY = CORRECT.replace("    return r;", '    __assert_fail("r", "p.c", 20, "main");').replace(
    "int nondet_int(void);", "int nondet_int(void);\n#include <assert.h>"
)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "p.c"
    path.write_text(text)
    return path


def suite(path: Path, *words: str, code: int = 0, name: str = "suite") -> dict[str, Any]:
    """The dataset of a generated suite."""
    directory = path.with_name(name)
    assert main(["generate", str(path), "-o", str(directory), "-q", "--no-replay", *words]) == code
    found: dict[str, Any] = json.loads((directory / "dataset.json").read_text())
    return found


def statuses(found: dict[str, Any]) -> dict[tuple[int, str], str]:
    return {(goal["line"], goal["outcome"]): goal["status"] for goal in found["coverage"]["goals"]}


def test_a_correct_program_gets_passing_executions_and_a_proof_of_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = suite(written(tmp_path, CORRECT))
    assert {e["outcome"] for e in found["executions"]} == {"pass"}
    assert {place for place, status in statuses(found).items() if status != "covered"} == {(10, "true")}
    assert statuses(found)[10, "true"] == "unreachable"
    coverage = found["coverage"]
    assert coverage["chosen"] == coverage["at_least"] == len(found["executions"])
    assert "coverage: 10 of 11 branches" in capsys.readouterr().out


def test_every_unit_operand_and_boundary_is_reached(tmp_path: Path) -> None:
    path = written(tmp_path, CORRECT)
    for goal, left in (("units", {(11, "evaluated")}), ("conditions", {(10, "true")})):
        found = suite(path, "--goal", goal)
        assert {place for place, status in statuses(found).items() if status != "covered"} == left
    around = statuses(suite(path, "--goal", "boundaries"))
    assert {around[7, side] for side in ("one below", "equal", "one above")} == {"covered"}
    assert {around[10, side] for side in ("one below", "equal", "one above")} == {"unreachable"}


def test_what_only_a_longer_execution_reaches_is_looked_for_in_larger_bounds(tmp_path: Path) -> None:
    text = "int nondet_int(void);\nint main(void)\n{\nint n = 0;\nwhile (nondet_int())\nn++;\nif (n == 5)\nreturn 1;\nif (n < 0)\nreturn 2;\nreturn 0;\n}\n"
    found = suite(written(tmp_path, text), "--max-unwind", "8")
    assert statuses(found)[7, "true"] == "covered"
    (dead,) = [goal for goal in found["coverage"]["goals"] if goal["status"] != "covered"]
    assert (dead["line"], dead["outcome"], dead["status"], dead["unwind"]) == (9, "true", "unreachable", 8)
    short = suite(written(tmp_path, text), "--unwind", "3")
    assert statuses(short)[7, "true"] == "unreachable"


def test_the_same_bytes_whatever_the_jobs(tmp_path: Path) -> None:
    path = written(tmp_path, CORRECT)
    suite(path, name="one")
    suite(path, "--jobs", "2", name="two")
    for name in ("vectors.csv", "outcomes.csv", "matrix.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_failing_executions_come_first(tmp_path: Path) -> None:
    path = written(tmp_path, FAULTY)
    whole = suite(path)
    outcomes = [e["outcome"] for e in whole["executions"]]
    assert outcomes[0] == "fail"
    assert outcomes == sorted(outcomes)


def test_unreachable_goals_are_results_in_sarif(tmp_path: Path) -> None:
    path = written(tmp_path, CORRECT)
    file = tmp_path / "report.sarif"
    suite(path, "--report", f"sarif={file}")
    run = json.loads(file.read_text())["runs"][0]
    (result,) = [one for one in run["results"] if one["ruleId"] == "unreachable-goal"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 10
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "unreachable-goal"


# -- gcov --------------------------------------------------------------------------------------------------------


def random_function(seed: int) -> str:
    """A function of two characters with conditions of several operands, each in a line of its own."""
    chance = Random(seed)
    text = ["int f(signed char x, signed char y)", "{", "int v = 3;"]

    def condition() -> str:
        names = chance.sample(["x", "y", "v"], chance.randint(1, 3))
        atoms = [
            f"{name} {chance.choice(['<', '>', '==', '!='])} {chance.randint(-60, 60)}" for name in names
        ]
        whole = atoms[0]
        for atom in atoms[1:]:
            whole = f"({whole}) {chance.choice(['&&', '||'])} {atom}"
        return f"!({whole})" if chance.random() < 0.2 else whole

    def block(depth: int) -> None:
        for _ in range(chance.randint(1, 2)):
            if depth < 3 and chance.random() < 0.7:
                text.append(f"if ({condition()}) {{")
                block(depth + 1)
                text.append("} else {")
                block(depth + 1)
                text.append("}")
            else:
                text.append(f"v = {chance.choice(['x', 'y', 'v - x', 'v + 7', '-v'])} % 100;")

    for _ in range(3):
        block(0)
    text += ["while (v > 90 && x > 0) {", "v -= 5;", "}", "return v;", "}", ""]
    return "\n".join(text)


def branches_taken(path: Path, main_text: str) -> dict[int, int]:
    """How many ways of branches gcov counts as taken, by line."""
    gcc, gcov = require_tool("gcc"), require_tool("gcov")
    folder = path.parent
    (folder / "driver.c").write_text(f"int f(signed char x, signed char y);\n{main_text}")
    flags = ["-O0", "-fwrapv", "-w"]
    for data in folder.glob("*.gcda"):
        data.unlink()
    for command in (
        [gcc, *flags, "--coverage", "-c", path.name, "-o", "p.o"],
        [gcc, *flags, "--coverage", "p.o", "driver.c", "-o", "p"],
        ["./p"],
    ):
        subprocess.run(command, cwd=folder, check=True, timeout=60)
    said = subprocess.run(
        [gcov, "-t", "--json-format", "-b", "p.gcda"], cwd=folder, check=True, timeout=60, capture_output=True
    ).stdout
    found: dict[int, int] = {}
    for line in json.loads(said)["files"][0]["lines"]:
        if line["branches"]:
            found[line["line_number"]] = sum(branch["count"] > 0 for branch in line["branches"])
    return found


@pytest.mark.parametrize("seed", range(6))
def test_gcov_counts_what_a_suite_covers_and_nothing_takes_what_is_unreachable(
    tmp_path: Path, seed: int
) -> None:
    path = written(tmp_path, random_function(seed))
    found = suite(path, "--entry", "f", "--goal", "conditions")
    covered: dict[int, int] = {}
    for goal in found["coverage"]["goals"]:
        assert goal["status"] in ("covered", "unreachable")
        covered[goal["line"]] = covered.get(goal["line"], 0) + (goal["status"] == "covered")
    with (tmp_path / "suite" / "vectors.csv").open() as file:
        vectors = list(csv.reader(file))[1:]
    calls = "".join(f"f({x}, {y});" for x, y in vectors)
    suites = branches_taken(path, f"int main(void) {{ {calls} return 0; }}\n")
    everything = branches_taken(
        path,
        "int main(void) { for (int x = -128; x < 128; x++) for (int y = -128; y < 128; y++) f(x, y); return 0; }\n",
    )
    assert covered == suites
    assert covered == everything


def test_an_interrupted_search_for_goals_leaves_what_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("sfo.pipeline.coverage_suite.coverage_goals", interrupted)
    found = suite(written(tmp_path, FAULTY), code=130)
    assert found["executions"][0]["outcome"] == "fail"
    assert (found["coverage"], found["reason"]) == (None, "interrupted")


HARD = """\
#include <assert.h>
unsigned nondet_uint(void);
int main(void)
{
    unsigned x = nondet_uint(), y = nondet_uint();
    if (x > 1 && y > 1)
        assert((unsigned long)x * y != 4611686018427387847ul);
    if (x == 3)
        return 1;
    return 0;
}
"""


def test_a_time_limit_within_the_search_for_failing_executions_leaves_time_for_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = suite(written(tmp_path, HARD), "--timeout", "4", "--solver-only", code=5)
    assert (found["verdict"], found["reason"]) == ("unknown", "the time limit was reached")
    assert {e["outcome"] for e in found["executions"]} == {"pass"}
    assert statuses(found)[8, "true"] == statuses(found)[8, "false"] == "covered"
    assert "the time limit was reached" in capsys.readouterr().out


def test_executions_that_had_no_turn_before_the_limit_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, CORRECT)
    whole = suite(path)
    calls = 0
    reaching = coverage_suite.execution_reaching_goals

    def stopped(*given: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise Halt("timeout")
        return reaching(*given)

    monkeypatch.setattr(coverage_suite, "execution_reaching_goals", stopped)
    cut = suite(path, code=5, name="cut")
    assert cut["executions"] == whole["executions"]
    assert statuses(cut) == statuses(whole)
    assert cut["reason"] == "the time limit was reached"
