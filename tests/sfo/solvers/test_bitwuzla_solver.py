import os
import signal
import time
from collections.abc import Iterator

import pytest

from cfrontend.effort import SECOND
from cfrontend.terms import Terms
from sfo.solvers import SolverAnswer, SolverBudget, SolverProtocol, bitwuzla_solver, make_solver
from tests.sfo.solvers.hard import AfterWork, factoring

NEVER = float("inf")


@pytest.fixture
def solver(t: Terms) -> SolverProtocol:
    return make_solver("bitwuzla", t)


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each stage that ran, whether it was one with preprocessing."""
    seen: list[bool] = []
    attempt = bitwuzla_solver.BitwuzlaSolver._attempt

    def recording(self, assumptions, stage):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        seen.append(stage.preprocess)
        return attempt(self, assumptions, stage)

    monkeypatch.setattr(bitwuzla_solver.BitwuzlaSolver, "_attempt", recording)
    return seen


@pytest.fixture
def caught() -> Iterator[list[int]]:
    """Numbers of the alarm signals that a handler of the program got."""
    numbers: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _frame: numbers.append(number))
    yield numbers
    signal.signal(signal.SIGALRM, before)


def stages(monkeypatch: pytest.MonkeyPatch, *polls: float) -> None:
    """Stages with these limits, every second one with preprocessing."""
    made = [bitwuzla_solver._Stage(preprocess=i % 2 == 1, polls=limit) for i, limit in enumerate(polls)]
    monkeypatch.setattr(bitwuzla_solver, "_stages", lambda _budget: made)


def test_easy_questions_need_one_stage(t: Terms, solver: SolverProtocol, recorded: list[bool]) -> None:
    solver.add(t.ult(t.var("x", 8), t.const(9, 8)))
    assert solver.check() is SolverAnswer.SAT
    assert recorded == [False]


def test_second_stage_gives_models(
    t: Terms, solver: SolverProtocol, recorded: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    stages(monkeypatch, 1, NEVER)
    problem = factoring(t, 14)
    solver.add(problem.equation)
    assert solver.check([t.ult(problem.y, problem.x)]) is SolverAnswer.SAT
    assert recorded == [False, True]
    assert solver.values([problem.x, problem.y, problem.equation]) == [12_983, 10_007, 1]
    stages(monkeypatch, NEVER)
    assert solver.check([t.eq(problem.x, problem.factor)]) is SolverAnswer.SAT
    assert recorded == [False, True, False]
    assert solver.values([problem.y]) == [10_007]


def test_second_stage_gives_cores(
    t: Terms, solver: SolverProtocol, recorded: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    stages(monkeypatch, 1, NEVER)
    problem = factoring(t, 14)
    other = t.not_(t.eq(problem.x, problem.factor))
    solver.add(problem.equation)
    assert solver.check([t.var("p", 0), other]) is SolverAnswer.UNSAT
    assert recorded == [False, True]
    assert solver.core() == (other,)


def test_third_stage_goes_on_without_limit(
    t: Terms, solver: SolverProtocol, recorded: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    stages(monkeypatch, 1, 1, NEVER)
    problem = factoring(t, 14)
    solver.add(problem.equation)
    assert solver.check() is SolverAnswer.SAT
    assert recorded == [False, True, False]
    assert solver.values([problem.x]) == [12_983]


def test_budgets_split_into_stages() -> None:
    without = [(stage.preprocess, stage.effort) for stage in bitwuzla_solver._stages(SolverBudget())]
    assert without == [(False, 10 * SECOND), (True, 30 * SECOND), (False, NEVER)]
    limited = [
        (stage.preprocess, stage.until, stage.polls, stage.effort)
        for stage in bitwuzla_solver._stages(SolverBudget(6, 70, 900))
    ]
    assert limited == [(False, 2, 70, 300), (True, 6, 70, pytest.approx(600))]


def test_seconds_are_for_both_stages(t: Terms, solver: SolverProtocol, recorded: list[bool]) -> None:
    solver.add(factoring(t, 48).equation)
    start = time.monotonic()
    assert solver.check(budget=SolverBudget(seconds=0.6)) is SolverAnswer.UNKNOWN
    assert 0.5 < time.monotonic() - start < 30
    assert recorded == [False, True]


def test_interrupt_ends_all_stages(
    t: Terms, solver: SolverProtocol, recorded: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    stages(monkeypatch, NEVER, NEVER, NEVER)
    solver.add(factoring(t, 48).equation)
    timer = AfterWork(0.2, solver.interrupt)
    timer.start()
    assert solver.check() is SolverAnswer.UNKNOWN
    timer.join()
    assert recorded == [False]


def test_other_handlers_run_after_the_check(t: Terms, solver: SolverProtocol, caught: list[int]) -> None:
    solver.add(factoring(t, 48).equation)
    timer = AfterWork(0.3, os.kill, (os.getpid(), signal.SIGALRM))
    timer.start()
    assert solver.check(budget=SolverBudget(seconds=60)) is SolverAnswer.UNKNOWN
    timer.join()
    assert caught == [signal.SIGALRM]
