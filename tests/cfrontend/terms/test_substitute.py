"""Values in the place of variables: what is left means the same."""

import random

import pytest

from cfrontend.terms import VAR
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.terms.substitute import substitute_values
from tests.cfrontend.randomterms import build


@pytest.mark.parametrize("seed", range(80))
def test_a_term_with_values_means_the_same(seed: int) -> None:
    chance = random.Random(seed)
    program = build(chance.randbytes(150))
    terms = program.terms
    for node in program.nodes:
        variables = [term for term in terms.cone((node.term,)) if terms.op[term] == VAR]
        fixed = set(chance.sample(variables, len(variables) // 2))
        for assignment, value in zip(program.assignments, node.values, strict=False):
            given = {v: assignment.get(v, 0) for v in fixed}
            left = substitute_values(terms, node.term, given)
            assert fixed.isdisjoint(terms.cone((left,)))
            assert evaluate_terms(terms, [left], assignment)[left] == value
