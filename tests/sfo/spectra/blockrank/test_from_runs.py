"""Edge profiles of C programs that sfo runs on given inputs."""

import csv
import json
from pathlib import Path

import pytest

from cfrontend.errors import UsageError
from cfrontend.program import ProgramOptions
from sfo import cli
from sfo.core.dataset import Dataset
from sfo.formats.vectors import parse_vectors
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.run_vectors import run_vectors
from sfo.spectra.blockrank.from_executions import blockrank_from_executions
from sfo.spectra.formats.edge_profiles import read_edge_profiles, write_edge_profiles

PROGRAM = """#include <assert.h>
int __VERIFIER_nondet_int(void);
int twice(int x) { int r = x + x; if (x > 3) r = r + 1; return r; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  int s = 0;
  for (int i = 0; i < n; i++)
    if (i & 1) s += twice(i);
  int a[3];
  a[n % 4] = 1;
  if (n > 4 && s > 5) s = 0;
  return s;
}
"""
"""Units 1 to 4 in twice, 5 to 15 in main: n, s, i = 0, i < n, i++, i & 1, s += twice(i), a[...], &&, s = 0, return."""

VECTORS = "2\n3\n4\n5\n6\n0\n"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "loop.c"
    path.write_text(PROGRAM)
    return path


def dataset(program: Path, vectors: str = VECTORS) -> Dataset:
    return run_vectors(
        [str(program)], parse_vectors(vectors, "v"), PipelineOptions(program=ProgramOptions())
    ).dataset


def test_flow_of_a_run(program: Path) -> None:
    first = dataset(program).executions[0]
    assert first.flow == {
        (None, 1): 1, (1, 2): 1, (2, 4): 1, (4, None): 1,
        (None, 5): 1, (5, 6): 1, (6, 7): 1, (7, 8): 1, (8, 10): 2, (8, 12): 1, (9, 8): 2, (10, 9): 1, (10, 11): 1,
        (11, 9): 1, (12, 13): 1, (13, 15): 1, (15, None): 1,
    }  # fmt: skip
    assert first.tests[8] == (2, 1)
    assert first.tests[10] == (1, 1)


def test_what_flows_into_a_unit_is_how_often_it_was_evaluated(program: Path) -> None:
    for run in dataset(program).executions:
        entered: dict[int, int] = {}
        left: dict[int, int] = {}
        for (before, after), count in run.flow.items():
            if after is not None:
                entered[after] = entered.get(after, 0) + count
            if before is not None:
                left[before] = left.get(before, 0) + count
        assert entered == run.counts
        stuck = {
            unit: count - left.get(unit, 0)
            for unit, count in run.counts.items()
            if count != left.get(unit, 0)
        }
        assert stuck == ({12: 1} if run.outcome == "fail" else {})


def test_the_violation_is_where_a_run_ends(program: Path) -> None:
    profile = blockrank_from_executions(dataset(program))
    names = [block.name for block in profile.blocks]
    assert names[-2:] == ["exit of twice", "exit of main"]
    assert [p.name for p in profile.predicates] == ["2", "8", "10", "13"]
    assert profile.executions is not None
    stuck = profile.executions.sum(axis=0) - profile.out_of(profile.counts.sum(axis=0).astype(float))
    assert {names[block] for block in stuck[:-2].nonzero()[0]} == {"12"}
    assert profile.failed.tolist() == [True] + [False] * 5


def test_a_condition_of_several_branches_is_no_predicate(program: Path) -> None:
    program.write_text(PROGRAM.replace("n > 4 && s > 5", "twice(n) > 8 && twice(s) > 5"))
    profile = blockrank_from_executions(dataset(program))
    assert [p.name for p in profile.predicates] == ["2", "8", "10"]


def test_a_profile_is_read_back(program: Path, tmp_path: Path) -> None:
    profile = blockrank_from_executions(dataset(program))
    path = tmp_path / "p.json"
    path.write_text(write_edge_profiles(profile))
    again = read_edge_profiles(path)
    assert write_edge_profiles(again) == write_edge_profiles(profile)
    assert again.blocks == profile.blocks
    assert again.edges == profile.edges


def test_a_profile_needs_both_outcomes(program: Path) -> None:
    with pytest.raises(UsageError, match="a failing and a passing execution"):
        blockrank_from_executions(dataset(program, "2\n"))


def test_commands(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vectors, profile = tmp_path / "v.csv", tmp_path / "p.json"
    vectors.write_text(VECTORS)
    assert cli.main(["profile", str(program), "--inputs", str(vectors), "-o", str(profile), "-q"]) == 0
    capsys.readouterr()
    data = json.loads(profile.read_text())
    assert data["kind"] == "edges"
    assert data["dependences"]
    assert cli.main(["rank", str(profile), "--measure", "all", "--format", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [row["unit"] for row in rows] == [str(number) for number in range(1, 16)]
    assert {row["ef"] for row in rows} == {"0", "1"}
    matrix = tmp_path / "m.csv"
    matrix.write_text("outcome,C1\nfail,1\npass,0\n")
    assert cli.main(["rank", str(matrix), "--measure", "naish2,blockrank"]) == 2
    assert "blockrank needs an edge profile" in capsys.readouterr().err
