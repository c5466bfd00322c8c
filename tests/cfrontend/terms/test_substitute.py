"""Values in the place of variables: what is left means the same."""

import random

import pytest

from cfrontend.terms import VAR, Terms
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.terms.substitute import decide_choices, substitute_values
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
            decided = decide_choices(terms, node.term, given)
            assert evaluate_terms(terms, [decided], assignment)[decided] == value


def counted(terms: Terms, reads: int) -> list[int]:
    """Numbers of inputs read before each of so many reads, each of which is only made where an input says so."""
    numbers = [terms.const(0, 32)]
    for n in range(reads):
        is_read = terms.slt(terms.const(0, 32), terms.var(f"input{n}", 32))
        numbers.append(terms.ite(is_read, terms.add(numbers[-1], terms.const(1, 32)), numbers[-1]))
    return numbers


def test_choices_are_decided_by_conditions_of_few_terms() -> None:
    terms = Terms()
    number = counted(terms, 40)[-1]
    given = {terms.var(f"input{n}", 32): n % 2 for n in range(40)}
    assert terms.value[decide_choices(terms, number, given)] == 20
    sums = terms.var("sum0", 32)
    for n in range(1, 300):
        sums = terms.bxor(terms.mul(sums, terms.const(3, 32)), terms.var(f"sum{n}", 32))
    hard = terms.ite(terms.eq(sums, terms.const(7, 32)), number, terms.const(0, 32))
    decided = decide_choices(terms, hard, {**given, terms.var("sum1", 32): 1})
    is_seven = terms.eq(sums, terms.const(7, 32))
    assert decided == terms.ite(is_seven, terms.const(20, 32), terms.const(0, 32))
