"""One question about many ends in several processes: what each refutes, and that Algorithm 1 finds what it found."""

from __future__ import annotations

import multiprocessing
import random
import sys
import time

import pytest

from cfrontend.encoded_program import EncodedProgram
from cfrontend.terms import Term, Terms
from sfo.core.executions import Execution, covered_by_all_executions
from sfo.core.parallel import ParallelWorkerProcess
from sfo.oracles import parallel_refutation as sharing_module
from sfo.oracles.parallel_refutation import ParallelRefutation, parallel_refutation_order
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.solvers import make_solver
from sfo.test_generation.algorithm1 import algorithm1_failing_executions
from tests.sfo.models import encoded, every_execution, oracle_for
from tests.tuning import Tune

SECONDS = 60
"""After which what has not happened does not happen."""


@pytest.fixture(autouse=True)
def never_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much other tests have left in this process, copies are made of it."""
    monkeypatch.setattr(sharing_module, "LARGE", sys.maxsize)


@pytest.mark.parametrize("count", [0, 1, 5, 8, 13])
@pytest.mark.parametrize("parts", [1, 2, 3, 4])
def test_each_process_goes_through_all_pieces(count: int, parts: int) -> None:
    assert all(
        sorted(parallel_refutation_order(count, part, parts)) == list(range(count)) for part in range(parts)
    )


def test_neighbours_go_towards_each_other() -> None:
    first, second, third, fourth = (parallel_refutation_order(8, part, 4) for part in range(4))
    assert (first[:4], second[:4], third[:4], fourth[:4]) == (
        [0, 1, 2, 3], [3, 2, 1, 0], [4, 5, 6, 7], [7, 6, 5, 4],
    )  # fmt: skip


def shared(terms: Terms, ends: list[Term], also: Term, processes: int) -> ParallelRefutation:
    loop = SolverQueryLoop(make_solver("auto", terms))
    return ParallelRefutation(loop, terms, ends, (also,), processes=processes, together=4, share=0.5)


@pytest.mark.parametrize("processes", [2, 3])
def test_copies_refute_what_has_no_model_and_nothing_else(processes: int) -> None:
    t = Terms()
    x = t.var("x", 8)
    ends = [t.eq(x, t.const(n, 8)) for n in range(40)]
    sharing = shared(t, ends, t.ult(x, t.const(8, 8)), processes)
    try:
        until = time.monotonic() + SECONDS
        while len(sharing.open(ends)) > 8 and time.monotonic() < until:
            time.sleep(0.01)
        assert sharing.open(ends) == ends[:8]
    finally:
        sharing.close()
    assert multiprocessing.active_children() == []


def test_what_this_process_has_left_no_copy_asks_about(monkeypatch: pytest.MonkeyPatch) -> None:
    t = Terms()
    x = t.var("x", 8)
    ends = [t.eq(x, t.const(n, 8)) for n in range(12)]
    # the copy works only after what is left was said
    begun = multiprocessing.get_context("fork").Event()
    asked = SolverQueryLoop.ask
    monkeypatch.setattr(SolverQueryLoop, "ask", lambda *a, **k: (begun.wait(SECONDS), asked(*a, **k))[1])
    sharing = shared(t, ends, t.ult(x, t.const(0, 8)), 2)
    try:
        sharing.leave(ends[2:6])
        begun.set()
        until = time.monotonic() + SECONDS
        while sharing.open(ends[:1]) and time.monotonic() < until:
            time.sleep(0.01)
        assert sharing.open(ends) == ends[2:6]
    finally:
        sharing.close()


def test_a_copy_makes_no_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    t = Terms()
    x = t.var("x", 8)
    monkeypatch.setattr(ParallelWorkerProcess, "is_here", True)
    sharing = shared(t, [t.eq(x, t.const(3, 8))], t.ult(x, t.const(2, 8)), 2)
    assert multiprocessing.active_children() == []
    sharing.close()


def program_of_many_ends(seed: int) -> EncodedProgram:
    """Failing where two words of four bits are one of many pairs; units cover parts of the square."""
    chance, t = random.Random(seed), Terms()
    words = [t.var(f"x{i}", 4) for i in range(2)]

    def const(value: int) -> Term:
        return t.const(value, 4)

    def below() -> Term:
        word = chance.choice(words)
        return t.not_(t.ult(word, const(chance.randrange(1, 5))))

    total = t.add(*words)
    within = [t.ult(word, const(8)) for word in words]
    # one end for each sum of the words, so that no execution fails twice
    ends = {
        f"main.assertion.{n}": t.all_of((*within, t.eq(total, const(n))))
        for n in range(chance.randrange(3, 8), 15)
    }
    coverage = {n: below() for n in range(1, 9)}
    return encoded(t, coverage, ends, inputs=words)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("processes", [2, 3])
@pytest.mark.sample(8)
def test_the_intersection_is_that_of_all_failing_executions(seed: int, processes: int, tune: Tune) -> None:
    tune(questions={"large": 0, "shared": 1})
    program = program_of_many_ends(seed)
    failing = [e for e in every_execution(program) if e.outcome == "fail"]
    oracle = oracle_for(program)
    first = oracle.failing()
    assert isinstance(first, Execution)
    with oracle.sharing(processes):
        result = algorithm1_failing_executions(oracle, first)
    assert result.optimal
    assert covered_by_all_executions(result.executions) == covered_by_all_executions(failing)
    assert multiprocessing.active_children() == []
