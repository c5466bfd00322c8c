import gc
import time

from cfrontend.terms import Terms
from sfo.solvers import make_solver


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
