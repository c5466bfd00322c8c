"""The fewest failing executions with the same common units, against all subsets; the command on matrices, tests."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfo.cli import main
from sfo.spectra.formats.matrices import read_matrix_in_any_format
from sfo.spectra.matrix import CoverageMatrix, MatrixUnit, coverage_matrix_from_dense, make_coverage_matrix
from sfo.spectra.suite_reduction import reduce_suite

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
    misses = [{0, 3, 4}, {1}, {2, 3}, {0, 1, 4}]  # the first looks as good as any, and then it takes three
    rows = [tuple(int(unit not in missed) for unit in range(5)) for missed in misses]
    matrix = coverage_matrix_from_dense(rows, [True] * 4)
    assert reduce_suite(matrix).failing == (2, 3)
    assert reduce_suite(matrix, exact_cells=0).failing == (0, 1, 2)
    assert not reduce_suite(matrix, exact_cells=0).minimal


def large(units: int, runs: int) -> CoverageMatrix:
    chosen = np.random.default_rng(1)
    rows = [np.flatnonzero(chosen.random(units) < 0.7).tolist() for _ in range(runs)]
    return make_coverage_matrix(
        [MatrixUnit(name=str(n)) for n in range(units)], rows, [run % 2 == 0 for run in range(runs)]
    )


def test_a_large_matrix_is_reduced() -> None:
    matrix = large(20_000, 300)
    kept = reduce_suite(matrix, seconds=1)
    alone = matrix.runs(np.array(kept.failing))
    everything = matrix.runs(matrix.failed)
    assert np.array_equal(alone.ef == alone.failing, everything.ef == everything.failing)
    assert len(kept.failing) < 60
    assert kept.at_least <= len(kept.failing)


# -- the command -------------------------------------------------------------------------------------------------

MATRIX = "id,outcome,property,a,b,c\nt1,fail,,1,1,0\nt2,fail,,1,1,0\nt3,fail,,1,0,1\nt4,pass,,1,0,0\nt5,pass,,1,0,0\n"


def test_a_matrix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "m.csv", tmp_path / "kept.tcm"
    path.write_text(MATRIX)
    assert main(["reduce", str(path), "-o", str(out)]) == 0
    assert capsys.readouterr().out == (
        "2 of 3 failing executions have the same 1 units in common as all (no fewer will do):\n  t1\n  t3\n"
        "1 of 2 passing executions have different coverage:\n  t4\n"
    )
    kept = read_matrix_in_any_format(out)
    assert kept.names() == ("t1", "t3", "t4")
    assert kept.failing == 2
    assert main(["reduce", str(path), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "format": 1, "kind": "reduction", "failing": ["t1", "t3"], "passing": ["t4"], "minimal": True, "at_least": 2,
        "of_failing": 3, "of_passing": 2,
    }  # fmt: skip


def test_tests_of_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, tests = tmp_path / "p.c", tmp_path / "tests.csv"
    source.write_text(PROGRAM)
    tests.write_text("6\n-1\n7\n3\n100\n-2\n")
    assert main(["reduce", str(source), "--tests", str(tests), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [name.rsplit(":", 1)[1] for name in found["failing"]] == ["1", "2"]
    assert (found["of_failing"], found["of_passing"], found["minimal"]) == (5, 1, True)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["one.csv", "two.csv"], 2, "one matrix, or the files of a program with --tests"),
        (["m.csv", "--tests", "m.csv", "--from", "csv"], 2, "--from and --outcomes are for matrices"),
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
