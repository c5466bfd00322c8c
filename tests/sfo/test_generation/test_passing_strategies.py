"""Strategies for passing executions, against all coverages that passing executions of a program can have."""

from collections.abc import Collection
from itertools import combinations
from pathlib import Path

import pytest

from benchmarks.manifest import PROGRAMS
from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.terms import Terms
from sfo import cli
from sfo.core.executions import Execution
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.solvers import make_solver
from sfo.test_generation.algorithm1 import algorithm1_failing_executions, algorithm1_passing_executions
from sfo.test_generation.passing_strategies import Guided, guided_passing_executions

pytestmark = pytest.mark.usefixtures("patience")

SOURCES = {
    "minmax": (PROGRAMS / "minmax" / "fault1.c").read_text(),
    "guarded": """#include <assert.h>
extern int nondet_int(void);
int main(void)
{
    int x = nondet_int(), y = 0, z = 0;
    if (x > 5) {
        y = 1;
        z = 2;
    }
    if (x > 9)
        z = 3;
    assert(y == 0);
    return z;
}
""",
}
"""The second has units that only failing executions cover."""


@pytest.fixture(params=sorted(SOURCES))
def oracle(request: pytest.FixtureRequest, tmp_path: Path) -> BmcOracle:
    path = tmp_path / "program.c"
    path.write_text(SOURCES[request.param])
    terms = Terms()
    encoded = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1), terms=terms)
    return BmcOracle(encoded, SolverQueryLoop(make_solver("auto", terms)))


def coverages(oracle: BmcOracle) -> set[frozenset[int]]:
    found = algorithm1_passing_executions(oracle.passing, 1000)
    assert found.exhausted
    return {run.covered for run in found.executions}


def failing(oracle: BmcOracle) -> tuple[Execution, ...]:
    seed = oracle.failing()
    assert isinstance(seed, Execution)
    return algorithm1_failing_executions(oracle, seed).executions


def covered(answer: object) -> frozenset[int] | None:
    assert answer is None or isinstance(answer, Execution)
    return None if answer is None else answer.covered


def test_questions_are_answered_as_all_coverages_say(oracle: BmcOracle) -> None:
    every = coverages(oracle)
    units = sorted(oracle.encoded.coverage)
    for size in (1, 2, 3):
        for group in combinations(units, size):
            splits = covered(oracle.passing_splitting(group))
            covers = covered(oracle.passing_covering(group))
            assert (splits is None) == (not any(0 < len(c.intersection(group)) < size for c in every))
            assert (covers is None) == all(c.isdisjoint(group) for c in every)
            assert {splits, covers} <= every | {None}


def test_the_nearest_agrees_on_as_much_as_can_be(oracle: BmcOracle) -> None:
    every = coverages(oracle)
    for run in failing(oracle):
        left: set[frozenset[int]] = set(every)
        while left:
            found = covered(oracle.passing_near(sorted(every - left, key=sorted), run.covered))
            assert found in left
            differs = found ^ run.covered
            assert not any(other ^ run.covered < differs for other in left)
            left.discard(found)
        assert oracle.passing_near(sorted(every, key=sorted), run.covered) is None


@pytest.mark.parametrize("strategy", ["split", "nearest", "mixed"])
def test_runs_are_different_and_never_is_true(oracle: BmcOracle, strategy: Guided) -> None:
    every = coverages(oracle)
    runs = failing(oracle)
    found = guided_passing_executions(oracle, runs, strategy, 1000)
    chosen = [run.covered for run in found.executions]
    assert len(chosen) == len(set(chosen))
    assert set(chosen) <= every
    common = frozenset.intersection(*(run.covered for run in runs))
    assert set(found.never) <= common - frozenset().union(*every)
    if strategy != "split":
        assert set(chosen) == every
        assert set(found.never) == common - frozenset().union(*every)


def separated(common: Collection[int], chosen: Collection[frozenset[int]]) -> set[tuple[int, int]]:
    return {(a, b) for a, b in combinations(sorted(common), 2) if any((a in c) != (b in c) for c in chosen)}


def test_split_separates_all_that_can_be(oracle: BmcOracle) -> None:
    every = coverages(oracle)
    runs = failing(oracle)
    common = frozenset.intersection(*(run.covered for run in runs))
    found = guided_passing_executions(oracle, runs, "split", 1000)
    assert separated(common, [run.covered for run in found.executions]) == separated(common, every)


def test_units_that_no_passing_run_covers_have_a_key(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(SOURCES["guarded"])
    options = PipelineOptions(program=ProgramOptions(), rank="full", passing=3, passing_strategy="mixed")
    result = run_localize_pipeline([str(path)], options)
    text = {unit.id: unit.text for unit in result.dataset.units}
    keys = {text[line.unit]: line.rank_keys[-2] for line in result.ranking}
    assert (keys["y = 1"], keys["z = 2"], keys["x > 5"]) == (1.0, 1.0, 0.0)


def test_cbmc_knows_one_strategy_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.c"
    path.write_text(SOURCES["guarded"])
    arguments = ["localize", str(path), "--backend", "cbmc", "--passing", "--passing-strategy", "split"]
    assert cli.main(arguments) == 2
    assert "--passing-strategy needs --backend sfo" in capsys.readouterr().err
