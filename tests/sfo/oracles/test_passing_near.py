"""Passing executions near a failing one, against all coverages that passing executions of a program can have."""

from pathlib import Path

import pytest

from benchmarks.manifest import PROGRAMS
from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.terms import Terms
from sfo.core.executions import Execution
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.solvers import make_solver
from sfo.test_generation.algorithm1 import algorithm1_failing_executions, algorithm1_passing_executions

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
