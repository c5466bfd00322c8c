"""Effort is counted, limits of it nest, and what works ends at them."""

from __future__ import annotations

import math
import threading
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.effort import SECOND, apart, charge, is_exhausted, left, spent, within
from cfrontend.errors import ResourceError
from cfrontend.program import ProgramOptions, encode, load
from cfrontend.terms import Terms
from sfo.solvers import SOLVERS, Budget, SolverAnswer, make_solver
from tests.sfo.solvers.hard import factoring


def test_without_a_limit_there_is_none() -> None:
    before = spent()
    charge(SECOND)
    assert (spent() - before, left(), is_exhausted()) == (SECOND, None, False)
    with within(math.inf):
        assert left() is None


def test_the_narrowest_limit_counts() -> None:
    with within(100):
        with within(1000):
            assert left() == 100
        with within(10):
            charge(10)
            assert is_exhausted()
            assert left() == 0
        assert (left(), is_exhausted()) == (90, False)
        with pytest.raises(ResourceError), within(5):
            raise ResourceError("ended")
        assert left() == 90
    assert left() is None


def test_each_thread_has_its_own() -> None:
    seen: list[int | None] = []
    with within(100):
        thread = threading.Thread(target=lambda: seen.append(left()))
        thread.start()
        thread.join()
    assert seen == [None]


LOOP = """
int nondet_int(void);
int main(void)
{
    int n = nondet_int(), s = 0;
    for (int i = 0; i < 1000; i++)
        if (nondet_int())
            s += n * i;
    return s;
}
"""


def test_symbolic_execution_ends_where_its_effort_does_and_equal_work_costs_equally_much(
    tmp_path: Path,
) -> None:
    path = tmp_path / "loop.c"
    path.write_text(LOOP)
    program = load([str(path)], ProgramOptions())

    def cost(rounds: int) -> int:
        before = spent()
        encode(program, Bound(unwind=rounds), terms=Terms())
        return spent() - before

    assert cost(20) == cost(20) < cost(40)
    whole = cost(300)
    before = spent()
    with pytest.raises(ResourceError, match="--effort"), within(whole // 2):
        encode(program, Bound(unwind=300), terms=Terms())
    assert whole // 2 <= spent() - before < whole


@pytest.mark.parametrize("name", sorted({*SOLVERS} - {"sat"}))
def test_a_solver_ends_where_its_effort_does_at_the_same_point_each_time(name: str) -> None:
    if name == "cvc5":
        pytest.importorskip("cvc5")

    def ended() -> tuple[SolverAnswer, int]:
        terms = Terms()
        solver = make_solver(name, terms)
        solver.add(factoring(terms, 48).equation)
        before = spent()
        answer = solver.check(budget=Budget(effort=SECOND // 4))
        return answer, spent() - before

    first, second = ended(), ended()
    assert first == second
    assert first[0] is SolverAnswer.UNKNOWN
    assert first[1] >= SECOND // 8


def test_what_is_counted_apart_costs_nothing_and_has_no_limit() -> None:
    with within(100):
        charge(60)
        before = spent()
        with apart():
            charge(1_000)
            assert not is_exhausted()
            assert left() is None
            with within(10):
                charge(10)
                assert is_exhausted()
        assert (spent(), left()) == (before, 40)
