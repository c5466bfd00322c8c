"""The fewest failing executions with the same common units, against all subsets; the command on matrices, tests."""

import json
import subprocess
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfo.cli import main
from sfo.spectra.formats.matrices import read_matrix_in_any_format
from sfo.spectra.matrix import CoverageMatrix, MatrixUnit, coverage_matrix_from_dense, make_coverage_matrix
from sfo.spectra.set_cover import fewest_cover
from sfo.spectra.suite_reduction import reduce_suite, reduce_suite_for_goals
from tests.conftest import require_tool

PROGRAM = """\
#include <assert.h>
int nondet_int(void);
int main(void)
{
    int a = nondet_int(), b = 0, c = 0;
    if (a > 0)
        b = 1;
    else
        c = 1;
    if (a > 5)
        b = 2;
    assert(a == 100);
    return b + c;
}
"""


def common(rows: list[tuple[int, ...]], runs: tuple[int, ...]) -> set[int]:
    return {unit for unit in range(len(rows[0])) if all(rows[run][unit] for run in runs)}


def fewest(rows: list[tuple[int, ...]], failed: list[bool]) -> int:
    """By looking at all subsets."""
    failing = tuple(run for run, fails in enumerate(failed) if fails)
    wanted = common(rows, failing)
    return next(
        size
        for size in range(1, len(failing) + 1)
        if any(common(rows, runs) == wanted for runs in combinations(failing, size))
    )


@st.composite
def matrices(draw: st.DrawFn) -> tuple[list[tuple[int, ...]], list[bool]]:
    units, runs = draw(st.integers(1, 8)), draw(st.integers(1, 8))
    likely = draw(st.sampled_from([[0, 1], [0, 1, 1, 1], [0, 0, 1]]))
    rows = [tuple(draw(st.sampled_from(likely)) for _ in range(units)) for _ in range(runs)]
    return rows, [draw(st.booleans()) for _ in range(runs)]


@given(matrices())
def test_no_smaller_set_of_failing_runs_has_the_same_units_in_common(
    made: tuple[list[tuple[int, ...]], list[bool]],
) -> None:
    rows, failed = made
    kept = reduce_suite(coverage_matrix_from_dense(rows, failed))
    assert all(failed[run] for run in kept.failing)
    assert {rows[run] for run in kept.passing} == {
        row for row, fails in zip(rows, failed, strict=True) if not fails
    }
    assert len({rows[run] for run in kept.passing}) == len(kept.passing)
    if not any(failed):
        assert kept.failing == ()
        return
    assert kept.minimal
    assert len(kept.failing) == fewest(rows, failed)
    failing = tuple(run for run, fails in enumerate(failed) if fails)
    assert common(rows, kept.failing) == common(rows, failing)


@given(matrices())
def test_the_greedy_set_has_the_same_units_in_common_and_says_what_it_is(
    made: tuple[list[tuple[int, ...]], list[bool]],
) -> None:
    rows, failed = made
    kept = reduce_suite(coverage_matrix_from_dense(rows, failed), exact_cells=0)
    failing = tuple(run for run, fails in enumerate(failed) if fails)
    if failing:
        assert common(rows, kept.failing) == common(rows, failing)
        assert kept.at_least <= fewest(rows, failed) <= len(kept.failing)
        assert not kept.minimal or len(kept.failing) == fewest(rows, failed)


def test_greedy_is_not_always_the_fewest() -> None:
    misses = [{0, 1, 5}, {1, 2, 4}, {1, 4, 5, 6}, {0, 1, 3, 4, 5}, {0, 2, 4, 5, 6}, {0, 2, 3, 4, 5}]
    rows = [tuple(int(unit not in missed) for unit in range(7)) for missed in misses]
    matrix = coverage_matrix_from_dense(rows, [True] * 6)
    assert reduce_suite(matrix).failing == (2, 5)
    assert reduce_suite(matrix, exact_cells=0).failing == (1, 2, 3)
    assert not reduce_suite(matrix, exact_cells=0).minimal


def large(units: int, runs: int) -> CoverageMatrix:
    chosen = np.random.default_rng(1)
    rows = [np.flatnonzero(chosen.random(units) < 0.7).tolist() for _ in range(runs)]
    return make_coverage_matrix(
        [MatrixUnit(name=str(n)) for n in range(units)], rows, [run % 2 == 0 for run in range(runs)]
    )


def test_a_large_matrix_is_reduced() -> None:
    matrix = large(20_000, 300)
    kept = reduce_suite(matrix)
    alone = matrix.runs(np.array(kept.failing))
    everything = matrix.runs(matrix.failed)
    assert np.array_equal(alone.ef == alone.failing, everything.ef == everything.failing)
    assert len(kept.failing) < 60
    assert kept.at_least <= len(kept.failing)


@st.composite
def incidences(draw: st.DrawFn) -> list[list[bool]]:
    rows, columns = draw(st.integers(1, 9)), draw(st.integers(1, 8))
    likely = draw(st.sampled_from([[False, True], [False, False, True], [False, True, True]]))
    made = [[draw(st.sampled_from(likely)) for _ in range(columns)] for _ in range(rows)]
    for row in made:
        row[draw(st.integers(0, columns - 1))] = True
    return made


@given(incidences())
def test_no_cover_has_fewer_columns(made: list[list[bool]]) -> None:
    def covers_all(columns: Sequence[int]) -> bool:
        return all(any(row[column] for column in columns) for row in made)

    sizes = range(1, len(made[0]) + 1)
    least = next(n for n in sizes if any(map(covers_all, combinations(range(len(made[0])), n))))
    found = fewest_cover(np.array(made))
    assert covers_all(found.chosen)
    assert len(found.chosen) == found.at_least == least
    greedy = fewest_cover(np.array(made), cells=0)
    assert covers_all(greedy.chosen)
    assert greedy.at_least <= least <= len(greedy.chosen)


@given(matrices(), st.data())
def test_no_fewer_executions_keep_goals_and_the_units_in_common(
    made: tuple[list[tuple[int, ...]], list[bool]], data: st.DataObject
) -> None:
    rows, failed = made
    reached = [data.draw(st.frozensets(st.integers(0, 5), max_size=4)) for _ in rows]
    failing = tuple(run for run, fails in enumerate(failed) if fails)
    every = frozenset[int]().union(*reached)

    def is_as_good(runs: Sequence[int]) -> bool:
        kept = tuple(run for run in runs if failed[run])
        if frozenset[int]().union(*(reached[run] for run in runs)) != every or bool(kept) != bool(failing):
            return False
        return not failing or common(rows, kept) == common(rows, failing)

    found = reduce_suite_for_goals(coverage_matrix_from_dense(rows, failed), reached)
    chosen = (*found.failing, *found.passing)
    assert is_as_good(chosen)
    sizes = range(len(rows) + 1)
    assert len(chosen) == next(n for n in sizes if any(map(is_as_good, combinations(range(len(rows)), n))))
    assert found.minimal


# -- the command -------------------------------------------------------------------------------------------------

MATRIX = "id,outcome,property,a,b,c\nt1,fail,,1,1,0\nt2,fail,,1,1,0\nt3,fail,,1,0,1\nt4,pass,,1,0,0\nt5,pass,,1,0,0\n"


def test_a_matrix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "m.csv", tmp_path / "kept.tcm"
    path.write_text(MATRIX)
    assert main(["reduce", str(path), "-o", str(out)]) == 0
    assert capsys.readouterr().out == (
        "2 of 3 failing executions have the same 1 unit in common as all (no fewer will do):\n  t1\n  t3\n"
        "1 of 2 passing executions have different coverage:\n  t4\n"
        f"{out}: a ranking of it may differ, as measures count executions, and these are fewer\n"
    )
    kept = read_matrix_in_any_format(out)
    assert kept.names() == ("t1", "t3", "t4")
    assert kept.failing == 2
    assert main(["reduce", str(path), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "format": 1, "kind": "reduction", "failing": ["t1", "t3"], "passing": ["t4"], "minimal": True, "at_least": 2,
        "of_failing": 3, "of_passing": 2,
    }  # fmt: skip


def test_who_writes_all_executions_ranks_as_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "m.csv", str(tmp_path / "kept.csv")
    path.write_text(MATRIX)
    assert main(["reduce", str(path), "-o", out, "--format", "json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["kind"] == "reduction"
    assert "a ranking of it may differ" in said.err
    path.write_text("id,outcome,property,a,b\nt1,fail,,1,1\nt4,pass,,1,0\n")
    assert main(["reduce", str(path), "-o", out]) == 0
    said = capsys.readouterr()
    assert "may differ" not in said.out + said.err
    assert "1 of 1 failing executions have the same 2 units in common" in said.out


def test_tests_of_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, tests = tmp_path / "p.c", tmp_path / "tests.csv"
    source.write_text(PROGRAM)
    tests.write_text("6\n-1\n7\n3\n100\n-2\n")
    assert main(["reduce", str(source), "--tests", str(tests), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [name.rsplit(":", 1)[1] for name in found["failing"]] == ["2", "4"]
    assert (found["of_failing"], found["of_passing"], found["minimal"]) == (5, 1, True)


READS = """\
#include <stdio.h>
int main(void)
{
    int n, evens = 0, large = 0, last = 0;
    while (scanf("%d", &n) == 1) {
        if (n % 2 == 0)
            evens++;
        if (n > 50 && n < 60)
            large++;
        else if (n == last)
            large--;
        last = n;
    }
    printf("%d %d\\n", evens, large);
    return evens > 2;
}
"""


def branches_taken(folder: Path, texts: Sequence[bytes]) -> list[str]:
    """What gcov says of each branch: whether it is taken."""
    gcc, gcov = require_tool("gcc"), require_tool("gcov")
    folder.mkdir()
    (folder / "p.c").write_text(READS)
    subprocess.run([gcc, "-O0", "--coverage", "-c", "p.c"], cwd=folder, check=True)
    subprocess.run([gcc, "--coverage", "p.o", "-o", "p"], cwd=folder, check=True)
    for text in texts:
        subprocess.run(["./p"], cwd=folder, input=text, stdout=subprocess.DEVNULL, check=False)
    subprocess.run([gcov, "-b", "-c", "p.gcda"], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    lines = (folder / "p.c.gcov").read_text().splitlines()
    return [line.split("(")[0].replace("taken 0", "never") for line in lines if line.startswith("branch")]


def test_what_is_kept_takes_the_same_branches_by_gcov_and_loses_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = np.random.default_rng(2)
    texts = [" ".join(map(str, chosen.integers(48, 63, chosen.integers(0, 4)))).encode() for _ in range(30)]
    (tmp_path / "tests").mkdir()
    for number, text in enumerate(texts):
        (tmp_path / "tests" / f"{number:02}.in").write_bytes(text)
    (tmp_path / "p.c").write_text(READS)
    words = ["reduce", str(tmp_path / "p.c"), "--tests", str(tmp_path / "tests"), "--goal", "conditions"]
    assert main([*words, "--format", "json"]) == 0  # no test fails, and that is no question here
    said = capsys.readouterr()
    assert "no test of this suite fails" not in said.err
    found = json.loads(said.out)
    assert [of["lost"] for of in found["goals"]] == [0]
    kept = [(tmp_path / "tests" / Path(name).name).read_bytes() for name in found["passing"]]
    assert len(kept) == found["at_least"] < 8

    def taken(name: str, some: Sequence[bytes]) -> list[bool]:
        return ["never" not in line for line in branches_taken(tmp_path / name, some)]

    every = taken("all", texts)
    assert taken("kept", kept) == every
    assert taken("fewer", kept[:-1]) != every
    main([*words, "--goal", "mutants"])
    text = capsys.readouterr().out
    assert "killed, 0 lost" in text
    assert "(no fewer will do)" in text


def test_units_are_the_goals_of_a_matrix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """t1 and t3 cover what all do; without a goal each passing test with other coverage is kept."""
    path = tmp_path / "m.csv"
    path.write_text(
        "test,outcome,a,b,c,d\nt1,fail,1,1,0,0\nt2,pass,0,1,0,0\nt3,pass,0,1,1,0\nt4,pass,0,0,1,0\n"
    )
    assert main(["reduce", str(path), "--goal", "units", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["failing"] == ["t1"]
    assert found["passing"] in (["t3"], ["t4"])
    assert found["at_least"] == 2
    assert found["goals"] == [{"goal": "units", "all": 4, "reached": 3, "lost": 0}]
    assert main(["reduce", str(path), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["passing"] == ["t2", "t3", "t4"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["m.csv", "--goal", "branches"], 2, "a matrix knows of no goals but units"),
        (["one.csv", "two.csv"], 2, "one matrix, or the files of a program with --tests"),
        (["m.csv", "--tests", "m.csv", "--from", "csv"], 2, "--from is for matrices"),
        (["no.csv"], 2, "cannot read no.csv"),
        (["p.c", "--tests", "t.csv", "--property", "x"], 2, "no property 'x' in this program"),
        (["pass.csv"], 4, "no test of this suite fails"),
    ],
)
def test_bad_input(
    words: list[str], code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.csv").write_text(MATRIX)
    (tmp_path / "pass.csv").write_text("outcome,a\npass,1\n")
    (tmp_path / "p.c").write_text(PROGRAM)
    (tmp_path / "t.csv").write_text("1\n")
    assert main(["reduce", *words]) == code
    assert message in capsys.readouterr().err
