"""Executions near to one that is known are what they are said to be, and the same each time."""

from __future__ import annotations

import pytest

from benchmarks.growing import FAMILIES
from cfrontend.program import ProgramOptions
from cfrontend.terms import FALSE, TRUE, Terms
from sfo.core.decode_model import decode_model_failing_condition
from sfo.core.executions import Execution
from sfo.core.result import Result
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.local_search import LocalSearch
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from tests.sfo.models import encoded, minmax, oracle_for, run
from tests.tuning import Tune


def test_mutants_are_executions_with_the_coverage_they_are_said_to_have() -> None:
    program = minmax(Terms(), 8)
    failing = decode_model_failing_condition(program, None)
    explored = LocalSearch(program, failing).explore({}, program.coverage)
    assert explored.failing[0].covered == {1, 4}
    assert len({m.covered for m in explored.passing}) == len(explored.passing) > 4
    for outcome, mutants in (("fail", explored.failing), ("pass", explored.passing)):
        for mutant in mutants:
            execution = run(program, [mutant.inputs[event.value] for event in program.inputs])
            assert (execution.outcome, execution.covered) == (outcome, mutant.covered)


def test_what_covers_least_comes_first_and_equal_seeds_give_equal_mutants() -> None:
    t = Terms()
    x, y = t.var("x", 16), t.var("y", 16)
    coverage = {n: t.ult(t.const(100 * n, 16), x) for n in range(1, 40)}
    program = encoded(t, coverage, t.not_(t.eq(y, t.const(7, 16))), inputs=[x, y])
    start = {x: 65_000, y: 1}
    one, two = (
        LocalSearch(program, decode_model_failing_condition(program, None)).explore(start, coverage)
        for _ in range(2)
    )
    assert one == two
    sizes = [len(m.covered) for m in one.failing]
    assert sizes == sorted(sizes)
    assert sizes[0] == 0
    assert one.passing, "the constant 7 is tried because y is compared with it"


def test_inputs_stay_within_what_the_program_assumes() -> None:
    t = Terms()
    x = t.var("x", 8)
    t.ranges[x] = (-3, 4)
    program = encoded(t, {1: TRUE, 2: t.slt(x, t.const(0, 8))}, FALSE, inputs=[x])
    explored = LocalSearch(program, t.slt(x, t.const(2, 8))).explore({x: 3}, ())
    seen = {Terms.signed(m.inputs[x], 8) for m in (*explored.failing, *explored.passing)}
    assert seen
    assert all(-3 <= value <= 4 for value in seen)


def test_words_that_are_too_wide_make_it_impossible() -> None:
    t = Terms()
    x = t.var("x", 65)
    assert not LocalSearch(encoded(t, {1: TRUE}, TRUE, inputs=[x]), t.eq(x, t.const(1, 65))).possible
    assert not LocalSearch(encoded(t, {1: TRUE}, TRUE), TRUE).possible


@pytest.fixture
def many_rounds(tmp_path: object) -> str:
    path = f"{tmp_path}/ifs.c"
    with open(path, "w", encoding="ascii") as file:  # noqa: PTH123 - a path as text
        file.write(FAMILIES["ifs"].text(200))
    return path


def localized(path: str, *, solver_only: bool = False) -> Result:
    options = PipelineOptions(
        program=ProgramOptions(checks=frozenset({"assert"})), passing=20, unwind=1, solver_only=solver_only
    )
    return run_localize_pipeline([path], options)


def test_with_and_without_it_the_certificate_is_the_same(many_rounds: str, tune: Tune) -> None:
    """From the first round on, so that a small program shows it."""
    tune(questions={"rounds": 0, "large": 0})
    found, again = localized(many_rounds), localized(many_rounds)
    plain = localized(many_rounds, solver_only=True)
    assert found.optimal
    assert plain.optimal
    assert found.intersection == plain.intersection
    assert len(found.dataset.failing) < len(plain.dataset.failing)
    assert found.statistics.calls < plain.statistics.calls
    assert found.dataset == again.dataset
    assert len({e.covered for e in found.dataset.passing}) == len(found.dataset.passing) == 20


def test_solver_only_asks_one_question_for_each_execution() -> None:
    program = minmax(Terms())
    plain = BmcOracle(program, oracle_for(program).loop, solver_only=True)
    first = plain.failing()
    assert isinstance(first, Execution)
    assert plain.loop.solver.statistics.calls == 1
    assert plain.failing(not_all_of={1, 4}) is None
    assert plain.loop.solver.statistics.calls == 2
