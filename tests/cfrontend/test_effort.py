"""Effort is counted, limits of it nest, and what works ends at them."""

from __future__ import annotations

import math
import threading
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.effort import (
    CELL,
    SECOND,
    charge_effort,
    effort_apart,
    effort_left,
    is_effort_exhausted,
    spent_effort,
    within_effort,
)
from cfrontend.errors import ResourceError
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.terms import Terms
from sfo.solvers import SOLVERS, SolverAnswer, SolverBudget, make_solver
from tests.sfo.solvers.hard import factoring


def test_without_a_limit_there_is_none() -> None:
    before = spent_effort()
    charge_effort(SECOND)
    assert (spent_effort() - before, effort_left(), is_effort_exhausted()) == (SECOND, None, False)
    with within_effort(math.inf):
        assert effort_left() is None


def test_the_narrowest_limit_counts() -> None:
    with within_effort(100):
        with within_effort(1000):
            assert effort_left() == 100
        with within_effort(10):
            charge_effort(10)
            assert is_effort_exhausted()
            assert effort_left() == 0
        assert (effort_left(), is_effort_exhausted()) == (90, False)
        with pytest.raises(ResourceError), within_effort(5):
            raise ResourceError("ended")
        assert effort_left() == 90
    assert effort_left() is None


def test_each_thread_has_its_own() -> None:
    seen: list[int | None] = []
    with within_effort(100):
        thread = threading.Thread(target=lambda: seen.append(effort_left()))
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
    program = load_c_program([str(path)], ProgramOptions())

    def cost(rounds: int) -> int:
        before = spent_effort()
        encode_program(program, Bound(unwind=rounds), terms=Terms())
        return spent_effort() - before

    assert cost(20) == cost(20) < cost(40)
    whole = cost(300)
    before = spent_effort()
    with pytest.raises(ResourceError, match="--effort"), within_effort(whole // 2):
        encode_program(program, Bound(unwind=300), terms=Terms())
    assert whole // 2 <= spent_effort() - before < whole


@pytest.mark.parametrize("cells", [16, 64])
def test_a_read_at_an_unknown_offset_costs_by_the_cells_that_it_may_be_of(cells: int, tmp_path: Path) -> None:
    path = tmp_path / "table.c"
    path.write_text(
        f"extern unsigned nondet_uint(void); int table[{cells}];"
        f"int main(void) {{ unsigned i = nondet_uint(); table[1] = 1; return i < {cells} ? table[i] : 0; }}"
    )
    program = load_c_program([str(path)], ProgramOptions())
    before = spent_effort()
    encode_program(program, Bound(unwind=1), terms=Terms())
    assert spent_effort() - before >= CELL * cells


@pytest.mark.parametrize("name", sorted({*SOLVERS} - {"sat"}))
def test_a_solver_ends_where_its_effort_does_at_the_same_point_each_time(name: str) -> None:
    def ended() -> tuple[SolverAnswer, int]:
        terms = Terms()
        solver = make_solver(name, terms)
        solver.add(factoring(terms, 48).equation)
        before = spent_effort()
        answer = solver.check(budget=SolverBudget(effort=SECOND // 4))
        return answer, spent_effort() - before

    first, second = ended(), ended()
    assert first == second
    assert first[0] is SolverAnswer.UNKNOWN
    assert first[1] >= SECOND // 8


def test_what_is_counted_apart_costs_nothing_and_has_no_limit() -> None:
    with within_effort(100):
        charge_effort(60)
        before = spent_effort()
        with effort_apart():
            charge_effort(1_000)
            assert not is_effort_exhausted()
            assert effort_left() is None
            with within_effort(10):
                charge_effort(10)
                assert is_effort_exhausted()
        assert (spent_effort(), effort_left()) == (before, 40)
