import time
from threading import Thread

import pytest

from cfrontend.effort import within_effort
from cfrontend.terms import Terms
from sfo.solvers import SolverAnswer, SolverBudget, clause_search
from sfo.solvers.sat_solver import GlucoseSolver
from tests.sfo.solvers.hard import factoring


def test_conflicts_are_counted_and_limited(t: Terms) -> None:
    """A call goes past its limit by no more than one descent."""
    solver = GlucoseSolver(t)
    solver.add(factoring(t, 48).equation)
    assert solver.conflicts == 0
    for calls in range(1, 4):
        assert solver.check(budget=SolverBudget(conflicts=300)) is SolverAnswer.UNKNOWN
        assert 300 * calls <= solver.conflicts < 450 * calls


def lowered_terms(solver: GlucoseSolver) -> int:
    return sum(node is not None for node in solver._lowered)


def test_clauses_are_not_made_beyond_the_time(t: Terms) -> None:
    x = y = t.var("x", 32)
    for number in range(3000):
        y = t.add(t.mul(y, x), t.const(2 * number + 1, 32))
    hard = t.eq(y, t.const(7, 32))
    solver = GlucoseSolver(t)
    assert solver.check([hard], SolverBudget(seconds=0)) is SolverAnswer.UNKNOWN
    assert lowered_terms(solver) == 0
    assert solver.check([hard], SolverBudget(seconds=0.2)) is SolverAnswer.UNKNOWN
    some = lowered_terms(solver)
    assert 0 < some < len(t.cone([hard]))
    assert solver.check([hard], SolverBudget(seconds=0.2)) is SolverAnswer.UNKNOWN  # it goes on where it was
    assert lowered_terms(solver) > some
    assert solver.check([t.ult(x, t.const(3, 32))]) is SolverAnswer.SAT
    assert solver.values([x])[0] < 3


def test_a_search_survives_in_the_same_state(t: Terms) -> None:
    """Interrupted and limited calls leave a solver that still answers rightly."""
    solver = GlucoseSolver(t)
    problem = factoring(t, 14)
    solver.add(problem.equation)
    for _ in range(5):
        solver.interrupt()
        assert solver.check() is SolverAnswer.UNKNOWN
        assert solver.check(budget=SolverBudget(conflicts=20)) is not SolverAnswer.UNSAT
    assert solver.check() is SolverAnswer.SAT
    assert solver.values([problem.equation, t.eq(problem.x, problem.factor)]) == [1, 1]
    assert solver.check([t.not_(t.eq(problem.x, problem.factor))]) is SolverAnswer.UNSAT


def test_variables_in_no_clause_are_consistent(t: Terms) -> None:
    p, x = t.var("p", 0), t.var("x", 8)
    solver = GlucoseSolver(t)
    assert (
        solver.check([t.or_(t.not_(p), t.var("q", 0)), t.eq(t.extract(x, 3, 0), t.const(5, 4))])
        is SolverAnswer.SAT
    )
    values = dict(
        zip(("x", "inverse", "low"), solver.values([x, t.bnot(x), t.extract(x, 3, 0)]), strict=True)
    )
    assert values["low"] == 5
    assert values["x"] ^ values["inverse"] == 255
    assert values["x"] & 15 == 5


def test_core_names_each_literal_once(t: Terms) -> None:
    """Two terms that are one literal: the first stands for both."""
    x, y, p = t.var("x", 8), t.var("y", 8), t.var("p", 0)
    same = t.eq(t.extract(t.zext(x, 9), 8, 1), t.const(3, 8)), t.eq(t.lshr(x, t.const(1, 8)), t.const(3, 8))
    assert same[0] != same[1]
    solver = GlucoseSolver(t)
    solver.add(t.ult(x, t.const(6, 8)))
    assert solver.check([p, same[1], t.ult(y, x), same[0]]) is SolverAnswer.UNSAT
    assert solver.core() == (same[1],)


class _InterruptedAtItsStart(Thread):
    """A thread whose start is interrupted when it is already there."""

    def start(self) -> None:
        super().start()
        raise KeyboardInterrupt


def test_control_c_while_a_search_starts_leaves_none_behind(
    t: Terms, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two searches of one solver at a time would spoil its clauses."""
    solver = GlucoseSolver(t)
    problem = factoring(t, 48)
    solver.add(problem.equation)
    with monkeypatch.context() as patch:
        patch.setattr(clause_search, "Thread", _InterruptedAtItsStart)
        with pytest.raises(KeyboardInterrupt):
            solver.check()
    time.sleep(0.3)
    assert solver.conflicts == 0
    assert solver.check([t.eq(problem.x, problem.factor)]) is SolverAnswer.SAT


def test_without_effort_a_formula_is_not_even_looked_through(
    t: Terms, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that asks of many ends would look through a large formula once for each, and make nothing of it."""
    solver = GlucoseSolver(t)
    ends = [t.eq(t.var(f"x{n}", 8), t.const(n, 8)) for n in range(3)]
    with monkeypatch.context() as patched, within_effort(0):
        patched.setattr(t, "args", None)
        for end in ends:
            assert solver.check((end,)) is SolverAnswer.UNKNOWN
    assert solver.check(ends) is SolverAnswer.SAT
