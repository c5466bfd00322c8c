"""Ends that are asked about a few at a time: Algorithm 1 finds what all executions say."""

from __future__ import annotations

import random

import pytest

from cfrontend.encoded_program import EncodedProgram
from cfrontend.terms import Term, Terms
from sfo.core.executions import Execution, covered_by_all_executions
from sfo.test_generation.algorithm1 import algorithm1_failing_executions
from tests.sfo.models import encoded, every_execution, oracle_for
from tests.tuning import Tune


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
@pytest.mark.sample(8)
def test_the_intersection_is_that_of_all_failing_executions(seed: int, tune: Tune) -> None:
    tune(questions={"large": 0})
    program = program_of_many_ends(seed)
    failing = [e for e in every_execution(program) if e.outcome == "fail"]
    oracle = oracle_for(program)
    first = oracle.failing()
    assert isinstance(first, Execution)
    result = algorithm1_failing_executions(oracle, first)
    assert result.optimal
    assert covered_by_all_executions(result.executions) == covered_by_all_executions(failing)
