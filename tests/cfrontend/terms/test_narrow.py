"""Narrowing keeps the meaning: every word is the sign extension of its narrow form, within the input ranges."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfrontend.terms import VAR, Term, Terms
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.terms.narrow import TermNarrower, narrow_width_for
from cfrontend.terms.operators import SDIV, SREM, UDIV, UREM, operator_value
from cfrontend.terms.value_sets import ValueSets
from tests.cfrontend.randomterms import build


def within(terms: Terms, assignment: dict[Term, int]) -> bool:
    return all(
        low <= terms.signed(assignment.get(v, 0), terms.width[v]) <= high
        for v, (low, high) in terms.ranges.items()
    )


def narrow_assignment(terms: Terms, narrower: TermNarrower, assignment: dict[Term, int]) -> dict[Term, int]:
    """The same inputs as values of the narrow variables."""
    result = dict(assignment)
    for v, value in assignment.items():
        if terms.op[v] == VAR and terms.width[v]:
            word = narrower.of(v)
            result[word] = value & ((1 << terms.width[word]) - 1)
    return result


@given(st.integers(0, 2**32))
def test_narrow_terms_have_the_same_values(seed: int) -> None:
    rng = random.Random(seed)
    program = build(rng.randbytes(120))
    terms = program.terms
    variables = [t for t in range(len(terms)) if terms.op[t] == VAR and terms.width[t]]
    for v in variables:
        if rng.random() < 0.7:
            width = terms.width[v]
            bounds = sorted(rng.randint(-(1 << (width - 1)), (1 << (width - 1)) - 1) for _ in range(2))
            if rng.random() < 0.5:
                bounds = sorted(
                    (rng.randint(-3, 3) % (1 << (width - 1)), rng.randint(0, (1 << (width - 1)) - 1))
                )
            terms.ranges[v] = (bounds[0], bounds[1])
    nodes = [n.term for n in program.nodes]
    narrower = TermNarrower(terms)
    narrower.narrow(nodes)
    for _ in range(6):
        assignment = {}
        for v in variables:
            low, high = terms.ranges.get(v, (-(1 << (terms.width[v] - 1)), (1 << (terms.width[v] - 1)) - 1))
            assignment[v] = rng.randint(low, high) & ((1 << terms.width[v]) - 1)
        for t in range(len(terms)):
            if terms.op[t] == VAR and not terms.width[t]:
                assignment[t] = rng.randint(0, 1)
        values = evaluate_terms(terms, nodes, assignment)
        narrow = evaluate_terms(
            terms,
            [narrower.of(t) for t in nodes] + narrower.constraints,
            narrow_assignment(terms, narrower, assignment),
        )
        assert all(narrow[c] for c in narrower.constraints)
        for t in nodes:
            word = narrower.of(t)
            if terms.width[t]:
                signed = terms.signed(narrow[word], terms.width[word])
                low, high = narrower.interval(t)
                assert low <= signed <= high
                assert signed & ((1 << terms.width[t]) - 1) == values[t], terms.show(t)
            else:
                assert narrow[word] == values[t], terms.show(t)


@given(st.integers(0, 2**32))
def test_value_sets_hold_every_value(seed: int) -> None:
    program = build(random.Random(seed).randbytes(120))
    sets = ValueSets(program.terms)
    for node in program.words:
        known = sets.of(node.term)
        if known is not None:
            assert set(node.values) <= known, program.terms.show(node.term)


def test_a_wrapping_counter_stays_in_its_range() -> None:
    t = Terms()
    position = t.const(0, 8)
    for n in range(40):
        stepped = t.ite(t.eq(position, t.const(7, 8)), t.const(0, 8), t.add(position, t.const(1, 8)))
        position = t.ite(t.var(f"c{n}", 0), stepped, position)
    assert ValueSets(t).of(position) == frozenset(range(8))


def test_ranges_outside_are_excluded_by_the_constraints() -> None:
    t = Terms()
    x = t.var("x", 32)
    t.ranges[x] = (0, 100)
    narrower = TermNarrower(t)
    word = narrower.of(x)
    assert t.width[word] == 8
    admitted = {
        t.signed(v, 8)
        for v in range(256)
        if all(evaluate_terms(t, [c], {word: v})[c] for c in narrower.constraints)
    }
    assert admitted == set(range(101))


@pytest.mark.parametrize("op", [UDIV, UREM, SDIV, SREM])
@pytest.mark.parametrize("divisor", [3, 5, 12])
def test_a_division_that_goes_at_most_once_needs_no_divider(op: int, divisor: int) -> None:
    for low in range(2 * divisor):
        for high in range(low, 2 * divisor + 1):
            t = Terms()
            x = t.var("x", 8)
            t.ranges[x] = (low, high)
            result = t.apply(op, x, t.const(divisor, 8))
            narrower = TermNarrower(t)
            word, narrow_x = narrower.of(result), narrower.of(x)
            assert any(t.op[node] == op for node in t.cone([word])) == (high == 2 * divisor)
            for value in range(low, high + 1):
                found = evaluate_terms(t, [word], {narrow_x: value})[word]
                assert t.signed(found, t.width[word]) == t.signed(operator_value(op, value, divisor, 8, 8), 8)
                assert (
                    narrower.interval(result)[0]
                    <= t.signed(operator_value(op, value, divisor, 8, 8), 8)
                    <= narrower.interval(result)[1]
                )


@pytest.mark.parametrize(
    ("low", "high", "bits"),
    [(0, 0, 1), (-1, 0, 1), (0, 1, 2), (-2, 1, 2), (-3, 1, 3), (0, 127, 8), (0, 128, 9)],
)
def test_bits_for(low: int, high: int, bits: int) -> None:
    assert narrow_width_for(low, high) == bits
