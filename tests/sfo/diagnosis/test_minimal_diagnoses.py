"""Sets of units for several faults: against brute force, on two faults of the paper's example, and in the reports."""

import json
import random
import subprocess
from collections.abc import Collection
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from benchmarks.manifest import PROGRAMS
from cfrontend.edit.candidate import Candidate
from cfrontend.program import ProgramOptions
from sfo import cli
from sfo.core.executions import Execution
from sfo.core.halt import Halt
from sfo.core.policy import policy
from sfo.core.repairs import RepairOfSeveralUnits, RepairOfUnit
from sfo.core.savings import Saving
from sfo.diagnosis.minimal_diagnoses import minimal_diagnosis_likelihood, search_minimal_diagnoses
from sfo.pipeline import refinement
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.program_repair import multi_edit
from sfo.program_repair.candidates import repair_search_candidates
from sfo.solvers.hitting_sets import HittingSets
from tests.conftest import require_tool
from tests.tuning import Tune

pytestmark = pytest.mark.usefixtures("patience")


@pytest.fixture(autouse=True)
def more_patience(tune: Tune) -> None:
    """What the search for sets finds on a quick machine it finds on a slow one."""
    tune(refinement={"sets_seconds": 20.0})


def run(number: int, covered: Collection[int]) -> Execution:
    return Execution(id=number, outcome="fail", property="p", inputs=(), covered=frozenset(covered))


def minimal(sets: Collection[frozenset[int]]) -> set[frozenset[int]]:
    return {s for s in sets if not any(other < s for other in sets)}


@pytest.mark.parametrize("seed", range(60))
def test_sets_are_those_of_brute_force(seed: int) -> None:
    chance = random.Random(seed)
    units = list(range(1, 8))
    runs = [run(n, units) for n in range(chance.randrange(1, 5))]
    # A run passes when one of these sets is free, as a whole or as part of more.
    enough = [
        [frozenset(chance.sample(units, chance.randrange(1, 4))) for _ in range(chance.randrange(1, 4))]
        for _ in runs
    ]
    asked: list[tuple[int, ...]] = []

    def saves(chosen: Collection[int], one: Execution) -> Saving:
        asked.append((one.id, *sorted(chosen)))
        return "saved" if any(needed <= set(chosen) for needed in enough[one.id]) else "lost"

    every = [
        frozenset(s) for size in range(1, policy().diagnoses.largest + 1) for s in combinations(units, size)
    ]
    expected = minimal([s for s in every if all(saves(s, one) == "saved" for one in runs)])
    asked.clear()
    found = search_minimal_diagnoses(runs, [], {}, {unit: unit for unit in units}, saves, lambda: False)
    assert {frozenset(s) for s in found.sets} == {s for s in expected if len(s) > 1}
    assert [len(s) for s in found.sets] == sorted(len(s) for s in found.sets)
    assert len(asked) == len(set(asked))


def test_hitting_sets_are_minimal_and_the_smallest_come_first() -> None:
    hitting = HittingSets()
    assert hitting.smallest() == frozenset()
    hitting.demand({1, 2, 3})
    hitting.demand({3, 4})
    found = []
    while (numbers := hitting.smallest()) is not None:
        found.append(set(numbers))
        hitting.exclude(numbers)
    assert found[0] == {3}
    assert sorted(map(sorted, found[1:])) == [[1, 4], [2, 4]]


def test_units_that_passing_runs_cover_too_explain_less() -> None:
    failing = [run(1, {1, 3}), run(2, {2, 3})]
    passing = [run(n, {3}) for n in range(3, 9)]
    assert minimal_diagnosis_likelihood((1, 2), failing, passing) > minimal_diagnosis_likelihood(
        (1, 3), failing, passing
    )
    assert minimal_diagnosis_likelihood((1, 3), failing, passing) > minimal_diagnosis_likelihood(
        (1,), failing, passing
    )


def pair(
    units: tuple[int, int], *, kept: int, prints_alike: bool, reach: tuple[int, int] = (0, 0)
) -> RepairOfSeveralUnits:
    edits = tuple(RepairOfUnit(unit=u, file="f.c", line=u, column=1, before="a", after="b") for u in units)
    return RepairOfSeveralUnits(
        edits=edits, diff="", size="small", kept=kept, prints_alike=prints_alike, reach=reach
    )


def test_edits_that_leave_the_output_of_passing_runs_come_first() -> None:
    repairs = [
        pair((1, 2), kept=9, prints_alike=False),
        pair((1, 3), kept=4, prints_alike=True),
        pair((3, 4), kept=9, prints_alike=True),
    ]
    found = search_minimal_diagnoses(
        [run(1, {1, 2, 3, 4})],
        [],
        {},
        {unit: unit for unit in (1, 2, 3, 4)},
        lambda *_: "lost",
        lambda: False,
        repairs=repairs,
    )
    assert found.sets == ((3, 4), (1, 2), (1, 3))


def test_edits_after_which_executions_reach_more_come_before_those_that_keep_more() -> None:
    repairs = [
        pair((1, 2), kept=9, prints_alike=True, reach=(20, 9)),
        pair((1, 3), kept=1, prints_alike=False, reach=(21, 5)),
        pair((3, 4), kept=1, prints_alike=False, reach=(21, 6)),
    ]
    found = search_minimal_diagnoses(
        [run(1, {1, 2, 3, 4})],
        [],
        {},
        {unit: unit for unit in (1, 2, 3, 4)},
        lambda *_: "lost",
        lambda: False,
        repairs=repairs,
    )
    assert found.sets == ((3, 4), (1, 3), (1, 2))


@pytest.mark.parametrize(
    ("error", "stop"), [(KeyboardInterrupt(), "interrupt"), (Halt("timeout"), "timeout"), (None, None)]
)
def test_what_ends_the_search_keeps_the_sets_so_far(
    error: KeyboardInterrupt | None, stop: str | None
) -> None:
    times = iter(range(100))

    def is_over() -> bool:
        if next(times) < 7:
            return False
        if error is not None:
            raise error
        return True

    def saves(chosen: Collection[int], _: Execution) -> Saving:
        return "saved" if len(chosen) > 1 else "lost"

    found = search_minimal_diagnoses(
        [run(1, {1, 2, 3, 4})], [], {}, dict.fromkeys((1, 2, 3, 4), 1), saves, is_over
    )
    assert (found.complete, found.stop) == (False, stop)
    assert found.sets


@pytest.fixture
def both(tmp_path: Path) -> str:
    """minmax with the first and the third of its faults."""
    text = (PROGRAMS / "minmax" / "fault1.c").read_text()
    other = (PROGRAMS / "minmax" / "fault3.c").read_text()
    correct = (PROGRAMS / "minmax" / "correct.c").read_text()
    lines = zip(correct.splitlines(), text.splitlines(), other.splitlines(), strict=True)
    path = tmp_path / "both.c"
    path.write_text("\n".join(one if one != was else another for was, one, another in lines) + "\n")
    return str(path)


def test_two_faults_are_the_first_set(both: str) -> None:
    result = run_localize_pipeline([both], PipelineOptions(program=ProgramOptions(), rank="full", passing=20))
    assert result.repairs is not None
    assert not result.repairs.found
    assert result.diagnoses is not None
    lines = {unit.id: unit.location.line for unit in result.dataset.units}
    assert {lines[unit] for unit in result.diagnoses.sets[0]} == {16, 18}
    assert result.diagnoses.complete
    assert {edit.line for edit in result.diagnoses.repairs[0].edits} == {16, 18}


HIDDEN = """\
#include <assert.h>
int nondet_int(void);
void __VERIFIER_assume(int);
static int sum(int n)
{
    int i, s = 0;
    for (i = 1; i < n; i++)
        s += i;
    return s;
}
static int twice(int n)
{
    return 3 * n;
}
int main(void)
{
    int n = nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 4);
    assert(twice(sum(n)) == n * (n + 1));
    return 0;
}
"""
"""Lines 7 and 13: each failing execution needs both."""


def test_a_pair_is_found_where_each_run_fails_by_both(tmp_path: Path) -> None:
    require_tool("gcc")
    path = tmp_path / "hidden.c"
    path.write_text(HIDDEN)
    result = run_localize_pipeline(
        [str(path)], PipelineOptions(program=ProgramOptions(), rank="full", passing=20)
    )
    assert result.diagnoses is not None
    repairs = [{(edit.line, edit.after) for edit in repair.edits} for repair in result.diagnoses.repairs]
    assert {(7, "i <= n"), (13, "2")} in repairs
    lines = {unit.id: unit.location.line for unit in result.dataset.units}
    assert {7, 13} in [{lines[unit] for unit in units} for units in result.diagnoses.sets[:3]]


STRAYING = """\
#include <assert.h>
int nondet_int(void);
void __VERIFIER_assume(int);
static int evens(int n)
{
    int i, c = 0;
    for (i = 0; i < n - 1; i++)
        c += 2;
    return c;
}
static int thrice(int n)
{
    return 4 * n;
}
int main(void)
{
    int n = nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 4);
    assert(n < 2 || evens(n) + thrice(n) == 5 * n);
    if (n < 2)
        assert(evens(n) < 4 && thrice(n) > 0);
    assert(n < 2 || thrice(n) == 3 * n);
    return 0;
}
"""
"""Lines 7 and 13. The only execution that passes has no round of the loop, and one where that is right."""


def test_a_pair_that_sends_the_only_passing_run_another_way_is_the_last_resort(
    tmp_path: Path, tune: Tune, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    require_tool("gcc")
    path = tmp_path / "straying.c"
    path.write_text(STRAYING)

    def replacements(*given: Any) -> list[Candidate]:
        return [c for c in repair_search_candidates(*given) if c.size == "small" and not c.is_odd]

    monkeypatch.setattr(refinement, "repair_search_candidates", replacements)
    options = PipelineOptions(program=ProgramOptions(), rank="full", passing=20)
    result = run_localize_pipeline([str(path)], options)
    assert result.diagnoses is not None
    found = {frozenset((e.line, e.after) for e in one.edits): one.kept for one in result.diagnoses.repairs}
    assert any({line for line, _ in edits} == {7, 13} and kept == 0 for edits, kept in found.items())
    assert cli.main(["localize", str(path), "--passing", "--no-replay", "-v"]) == 0
    assert "\n  likely overfitting: line 7:" in capsys.readouterr().out.replace("line 13:", "line 7:")
    tune(multi_edit={"few_passing": 0})
    result = run_localize_pipeline([str(path)], options)
    assert result.diagnoses is not None
    assert result.diagnoses.repairs == ()


def test_what_programmers_seldom_slip_by_stands_behind_the_other_candidates(tune: Tune) -> None:
    tune(multi_edit={"most_tried": 2, "most_seldom": 1})
    plain = Candidate(template="t", unit=0, file="f.c", start=0, end=1, text="x", size="small")
    made = [replace(plain, unit=n, start=n, end=n + 1, is_odd=n % 2 == 1) for n in range(1, 8)]
    assert [c.unit for c in multi_edit._tried(made)] == [2, 4, 1]
    reading = replace(made[0], text='scanf("%d ", &x)')
    assert [c.unit for c in multi_edit._tried([reading, *made[1:]])] == [2, 4, 3]


def test_each_pair_of_edits_leaves_nothing_that_fails(
    both: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    patch_command = require_tool("patch")
    patches = tmp_path / "patches"
    assert cli.main(["repair", both, "--patches", str(patches)]) == 0
    assert "edits of two units together after which no failing execution" in capsys.readouterr().out
    text = Path(both).read_text()
    found = sorted(patches.iterdir())
    assert found
    for patch in found:
        Path(both).write_text(text)
        run_patch = [patch_command, "-s", "-p1", "-d", "/", "-i", str(patch)]
        subprocess.run(run_patch, check=True)
        assert cli.main(["check", both, "-q"]) == 0  # nothing fails


def test_edits_that_only_one_run_needs_are_no_pair(tmp_path: Path) -> None:
    path = tmp_path / "f.c"
    path.write_text(
        "#include <assert.h>\nint nondet_int(void);\n"
        "int main(void) { int x = nondet_int(); int y = x + 1, z = x + 2; assert(y == x && z == x); return 0; }\n"
    )
    result = run_localize_pipeline(
        [str(path)], PipelineOptions(program=ProgramOptions(), rank="full", passing=20)
    )
    assert result.diagnoses is not None
    assert result.diagnoses.repairs == ()  # no execution passes


def test_the_sets_are_in_the_reports(both: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["localize", both, "--passing", "--no-replay", "-v"]) == 0
    shown = capsys.readouterr().out
    assert "several faults?" in shown
    assert "(line 18: most = input2)" in shown
    assert cli.main(["localize", both, "--passing", "--no-replay", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)["diagnoses"]
    assert told["complete"]
    assert all(len(units) > 1 for units in told["sets"])
    assert all(
        {e["unit"] for e in repair["edits"]} <= set(told["sets"][n])
        for n, repair in enumerate(told["repairs"])
    )
    assert told["repairs"]
    assert cli.main(["localize", both, "--passing", "--no-replay", "--format", "html"]) == 0
    assert "edits of two units together" in capsys.readouterr().out


def test_there_are_none_where_one_edit_repairs(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(PROGRAMS / "minmax" / "fault1.c")
    assert cli.main(["localize", path, "--no-replay", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["diagnoses"] is None
