import gc
import os
import signal
import time

import pytest

from cfrontend.terms import Terms
from sfo.solvers import SolverAnswer, SolverBudget, make_solver
from tests.sfo.solvers.hard import AfterWork, factoring


@pytest.mark.usefixtures("interruptible")
def test_control_c_comes_out_of_check() -> None:
    t = Terms()
    solver = make_solver("z3", t)
    problem = factoring(t, 48)
    solver.add(problem.equation)
    timer = AfterWork(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solver.check(budget=SolverBudget(seconds=60))
    timer.join()
    assert time.monotonic() - timer.acted < 30
    assert solver.check([t.eq(problem.x, problem.factor)]) is SolverAnswer.SAT


def test_limits_are_for_one_call() -> None:
    t = Terms()
    solver = make_solver("z3", t)
    solver.add(factoring(t, 14).equation)
    assert solver.check(budget=SolverBudget(conflicts=1)) is SolverAnswer.UNKNOWN
    assert solver.check() is SolverAnswer.SAT


def test_a_solver_of_deep_terms_goes_away_quickly() -> None:
    t = Terms()
    x, y = t.var("x", 8), t.var("y", 8)
    word = x
    for _ in range(8_000):
        word = t.sub(y, t.bxor(word, x))
    solver = make_solver("z3", t)
    solver.add(t.eq(word, y))
    start = time.monotonic()
    del solver
    gc.collect()
    assert time.monotonic() - start < 30
