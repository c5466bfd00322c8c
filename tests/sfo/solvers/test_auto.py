import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfrontend.errors import InternalError
from cfrontend.terms import Term, Terms
from cfrontend.terms.evaluate import evaluate_terms
from sfo.core.policy import SolvingPolicyConstants, policy, using_policy
from sfo.solvers import UNLIMITED, SolverAnswer, SolverBudget, make_solver
from sfo.solvers.bitwuzla_solver import BitwuzlaSolver
from sfo.solvers.engine import SolverEngine
from tests.cfrontend.randomterms import Program, build
from tests.sfo.solvers.hard import AfterWork, factoring, variables
from tests.tuning import Tune


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int | None]]:
    """Who was asked, with how many conflicts."""
    seen: list[tuple[str, int | None]] = []
    check = SolverEngine.check

    def recording(self, assumptions=(), budget=UNLIMITED):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        seen.append((self.name, budget.conflicts))
        return check(self, assumptions, budget)

    monkeypatch.setattr(SolverEngine, "check", recording)
    return seen


@pytest.fixture
def small(tune: Tune) -> None:
    """Shares small enough for every question to change hands."""
    tune(solving={"first_conflicts": 20, "first_polls": 10})


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("auto", [("glucose", 20), ("bitwuzla", 10), ("glucose", 40), ("bitwuzla", 20), ("glucose", 80), ("bitwuzla", 30)]),
        ("bitwuzla", [("bitwuzla", 10), ("bitwuzla", 20), ("bitwuzla", 40), ("bitwuzla", 80), ("bitwuzla", 50)]),
    ],
)  # fmt: skip
def test_shares_grow(
    t: Terms, turns: list[tuple[str, int | None]], name: str, expected: list[tuple[str, int]]
) -> None:
    solver = make_solver(name, t)
    solver.add(factoring(t, 48).equation)
    assert solver.check(budget=SolverBudget(conflicts=200)) is SolverAnswer.UNKNOWN
    assert turns == expected


def test_the_second_engine_answers(t: Terms, tune: Tune, turns: list[tuple[str, int | None]]) -> None:  # fmt: skip
    tune(solving={"first_conflicts": 1})
    solver = make_solver("auto", t)
    problem = factoring(t, 14)
    solver.add(problem.equation)
    assert solver.check() is SolverAnswer.SAT
    assert turns == [("glucose", 1), ("bitwuzla", 20_000)]
    assert solver.values([problem.equation, t.eq(problem.x, problem.factor)]) == [1, 1]
    solver.add(t.not_(t.eq(problem.x, problem.factor)))
    with pytest.raises(InternalError, match="answered nothing yet, not sat"):
        solver.values([problem.x])
    assert solver.check() is SolverAnswer.UNSAT
    assert turns[2:] == [("glucose", 1), ("bitwuzla", 20_000)]
    assert solver.core() == ()
    assert solver.statistics.calls == 2


@pytest.mark.usefixtures("small")
def test_every_second_turn_of_bitwuzla_is_with_preprocessing(
    t: Terms, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []
    attempt = BitwuzlaSolver._attempt

    def recording(self):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        seen.append(self.preprocess)
        return attempt(self)

    monkeypatch.setattr(BitwuzlaSolver, "_attempt", recording)
    solver = make_solver("auto", t)
    solver.add(factoring(t, 48).equation)
    assert solver.check(budget=SolverBudget(conflicts=400)) is SolverAnswer.UNKNOWN
    assert seen == [False, True, False, True]


def test_an_instance_with_preprocessing_has_models_and_cores(t: Terms) -> None:
    problem = factoring(t, 14)
    other = t.not_(t.eq(problem.x, problem.factor))
    solver = BitwuzlaSolver(t)
    solver.add(problem.equation)
    for preprocess in (True, False):
        solver.preprocess = preprocess
        assert solver.check([t.ult(problem.y, problem.x)]) is SolverAnswer.SAT
        assert solver.values([problem.x, problem.y, problem.equation]) == [12_983, 10_007, 1]
        assert solver.check([t.var("p", 0), other]) is SolverAnswer.UNSAT
        assert solver.core() == (other,)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("after", [0.0, 0.6])
def test_interrupt_reaches_whoever_runs(t: Terms, after: float) -> None:
    solver = make_solver("auto", t)
    problem = factoring(t, 48)
    solver.add(problem.equation)
    timer = AfterWork(after, solver.interrupt)
    timer.start()
    assert solver.check(budget=SolverBudget(seconds=60)) is SolverAnswer.UNKNOWN
    timer.join()
    assert time.monotonic() - timer.acted < 20
    assert solver.check([t.eq(problem.x, problem.factor)], SolverBudget(seconds=60)) is SolverAnswer.SAT


@settings(max_examples=150, deadline=None)
@given(st.binary(min_size=8, max_size=120).map(build), st.integers(0, 2), st.data())
def test_agrees_whoever_answers(program: Program, conflicts: int, data: st.DataObject) -> None:
    t = program.terms
    literals = [x for node in program.booleans for x in (node.term, t.not_(node.term))]
    literals += [
        t.eq(node.term, t.const(data.draw(st.integers(0, 20)), node.width)) for node in program.words
    ]
    solver, reference = make_solver("auto", t), make_solver("bitwuzla", t)
    added: list[Term] = []
    with using_policy(replace(policy(), solving=SolvingPolicyConstants(first_conflicts=conflicts))):
        for _ in range(3):
            for term in data.draw(st.lists(st.sampled_from(literals), max_size=2)):
                solver.add(term)
                reference.add(term)
                added.append(term)
            assumed = data.draw(st.lists(st.sampled_from(literals), max_size=4))
            answer = solver.check(assumed)
            assert answer is reference.check(assumed)
            if answer is SolverAnswer.SAT:
                inputs = variables(t)
                meaning = evaluate_terms(
                    t, range(len(t)), dict(zip(inputs, solver.values(inputs), strict=True))
                )
                assert all(meaning[term] for term in (*added, *assumed))
                assert solver.values(range(len(t))) == [meaning[term] for term in range(len(t))]
            else:
                assert reference.check(solver.core()) is SolverAnswer.UNSAT


@pytest.fixture
def caught() -> Iterator[list[int]]:
    """Numbers of the alarm signals that a handler of the program got."""
    numbers: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _frame: numbers.append(number))
    yield numbers
    signal.signal(signal.SIGALRM, before)


def test_other_handlers_run_after_the_check(t: Terms, caught: list[int]) -> None:
    solver = BitwuzlaSolver(t)
    solver.add(factoring(t, 48).equation)
    timer = AfterWork(0.3, os.kill, (os.getpid(), signal.SIGALRM))
    timer.start()
    assert solver.check(budget=SolverBudget(seconds=60)) is SolverAnswer.UNKNOWN
    timer.join()
    assert caught == [signal.SIGALRM]
