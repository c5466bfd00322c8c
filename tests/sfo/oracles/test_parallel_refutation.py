"""One question about many ends in several processes: what each refutes, and that Algorithm 1 finds what it found."""

from __future__ import annotations

import multiprocessing
import random
import sys

import pytest

from cfrontend.effort import spent_effort
from cfrontend.encoded_program import EncodedProgram
from cfrontend.terms import Term, Terms
from sfo.core.executions import Execution, covered_by_all_executions
from sfo.core.parallel import ParallelWorkerProcess
from sfo.oracles import splitting as sharing_module
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.oracles.splitting import ParallelRefutation
from sfo.solvers import make_solver
from sfo.test_generation.algorithm1 import algorithm1_failing_executions
from tests.sfo.models import encoded, every_execution, oracle_for
from tests.tuning import Tune


@pytest.fixture(autouse=True)
def never_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much other tests have left in this process, copies are made of it."""
    monkeypatch.setattr(sharing_module, "LARGE", sys.maxsize)


def shared(terms: Terms, ends: list[Term], also: Term, processes: int) -> ParallelRefutation:
    loop = SolverQueryLoop(make_solver("auto", terms))
    return ParallelRefutation(loop, terms, ends, (also,), processes=processes, together=4, share=0.5)


def numbers_below(terms: Terms, most: int, count: int) -> tuple[list[Term], Term]:
    """That a word is 0, 1, … as ends, and that it is below ``most``."""
    x = terms.var("x", 8)
    return [terms.eq(x, terms.const(n, 8)) for n in range(count)], terms.ult(x, terms.const(most, 8))


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_of_the_second_half_what_has_no_model_is_refuted_and_nothing_else(processes: int) -> None:
    t = Terms()
    ends, below = numbers_below(t, 22, 40)
    sharing = shared(t, ends, below, processes)
    try:
        assert sharing.open(ends[:20]) == ends[:20]
        # the third group of the second half has numbers on both sides
        assert sharing.open(ends[20:24]) == ends[20:24]
        assert sharing.open(ends[24:]) == []
        assert sharing.open(ends) == ends[:24]
    finally:
        sharing.close()
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("processes", [1, 2])
def test_its_effort_counts_when_it_is_asked_for(processes: int) -> None:
    t = Terms()
    x = t.var("x", 12)
    # no square is 2 modulo 4
    ends = [t.eq(t.mul(x, x), t.const(4 * n + 2, 12)) for n in range(16)]
    sharing = shared(t, ends, t.ult(t.const(5, 12), x), processes)
    try:
        before = spent_effort()
        assert sharing.open(ends[:8]) == ends[:8]
        assert spent_effort() == before
        assert sharing.open(ends[8:12]) == []
        once = spent_effort() - before
        assert once > 0
        assert sharing.open(ends[8:12]) == []
        assert spent_effort() == before + once
    finally:
        sharing.close()


def test_what_it_refutes_does_not_depend_on_how_many_processes_work_at_once() -> None:
    def answers(processes: int) -> tuple[list[Term], int]:
        t = Terms()
        ends, below = numbers_below(t, 25, 40)
        sharing = shared(t, ends, below, processes)
        begin = spent_effort()
        try:
            return [
                end for n in range(0, 40, 3) for end in sharing.open(ends[n : n + 3])
            ], spent_effort() - begin
        finally:
            sharing.close()

    assert answers(1) == answers(2) == answers(3)


def test_where_it_is_lost_nothing_more_is_refuted() -> None:
    t = Terms()
    ends, below = numbers_below(t, 0, 16)
    sharing = shared(t, ends, below, 1)
    (worker,) = multiprocessing.active_children()
    worker.kill()
    worker.join()
    assert sharing.open(ends) == ends
    assert multiprocessing.active_children() == []


def test_a_copy_makes_no_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    t = Terms()
    ends, below = numbers_below(t, 2, 8)
    monkeypatch.setattr(ParallelWorkerProcess, "is_here", True)
    sharing = shared(t, ends, below, 2)
    assert multiprocessing.active_children() == []
    assert sharing.open(ends) == ends
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
@pytest.mark.parametrize("processes", [1, 2])
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
