"""A solver behind an abstraction of hard functions answers as one that is given the terms."""

from __future__ import annotations

import random
import struct
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfrontend.errors import InternalError
from cfrontend.terms import VAR, Term, Terms
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.terms.floats import FloatTerms
from cfrontend.terms.floats.format import BINARY32, BINARY64
from sfo.solvers import SolverAnswer, SolverBudget, make_solver
from sfo.solvers.abstracting_solver import AbstractingSolver
from tests.cfrontend.randomterms import build


def abstracting(terms: Terms) -> AbstractingSolver:
    return AbstractingSolver(lambda: make_solver("auto", terms), terms)


def agree(terms: Terms, questions: list[tuple[list[Term], list[Term]]]) -> list[SolverAnswer]:
    """The answers to questions, each what is added and what is assumed, beside those of a solver alone."""
    tried, plain = abstracting(terms), make_solver("auto", terms)
    added: list[Term] = []
    answers = []
    for new, assumed in questions:
        for term in new:
            tried.add(term)
            plain.add(term)
        added += new
        answer = tried.check(assumed)
        assert answer is plain.check(assumed)
        if answer is SolverAnswer.SAT:
            variables = [term for term in terms.cone((*added, *assumed)) if terms.op[term] == VAR]
            model = dict(zip(variables, tried.values(variables), strict=True))
            found = evaluate_terms(terms, (*added, *assumed), model)
            assert all(found[term] for term in (*added, *assumed))
            assert tried.values(assumed) == [1] * len(assumed)
        else:
            core = tried.core()
            assert set(core) <= set(assumed)
            assert plain.check(core) is SolverAnswer.UNSAT
        answers.append(answer)
    return answers


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=20, max_size=160), st.randoms(use_true_random=False))
def test_random_terms(code: bytes, draw: random.Random) -> None:
    program = build(code)
    booleans = [node.term for node in program.booleans]
    t = program.terms
    words = [node for node in program.words if t.value[node.term] is None]
    products = [
        t.eq(op(a.term, b.term), op(c.term, d.term))
        for a, b, c, d in zip(words, words[1:], words[2:], words[3:], strict=False)
        for op in (t.mul, t.udiv)
        if len({one.width for one in (a, b, c, d)}) == 1 and a.width <= 8
    ]
    terms = [t.not_(term) if draw.random() < 0.3 else term for term in (*booleans, *products)]
    if len(terms) < 2:
        return
    rounds = [
        (draw.sample(terms, draw.randint(0, 1)), draw.sample(terms, draw.randint(1, min(4, len(terms)))))
        for _ in range(3)
    ]
    agree(t, rounds)


def test_what_follows_from_equal_operands_is_answered_without_a_circuit() -> None:
    t = Terms()
    f = FloatTerms(t)
    x, y, n, m, other = (t.var(name, 32) for name in ("x", "y", "n", "m", "other"))
    one, two = (
        f.divide(BINARY64, f.from_integer(BINARY64, a, signed=True), f.from_integer(BINARY64, b, signed=True))
        for a, b in ((t.add(x, y), n), (t.sub(t.add(y, other), t.sub(other, x)), m))
    )
    solver = abstracting(t)
    solver.add(t.eq(n, m))
    assert solver.check((t.not_(t.eq(one, two)),)) is SolverAnswer.UNSAT
    assert solver._whole.statistics.calls == 0
    assert solver.check((t.eq(x, y), t.not_(t.eq(one, t.const(0, 64))))) is SolverAnswer.SAT


def test_values_are_gone_after_what_has_none() -> None:
    t = Terms()
    f = FloatTerms(t)
    x, y, u, v = (t.var(name, 64) for name in "xyuv")
    one, two = f.multiply(BINARY64, x, y), f.multiply(BINARY64, u, v)
    solver = abstracting(t)
    assert solver.check((t.eq(one, two),)) is SolverAnswer.SAT
    assert solver.values([t.eq(one, two)]) == [1]
    assert solver.check((t.eq(x, u), t.eq(y, v), t.not_(t.eq(one, two)))) is SolverAnswer.UNSAT
    with pytest.raises(InternalError):
        solver.values([x])
    assert solver.check((t.eq(one, two),)) is SolverAnswer.SAT
    solver.add(t.eq(x, y))
    with pytest.raises(InternalError):
        solver.values([x])


def test_the_order_of_operands_decides_which_nan_is_the_result() -> None:
    t = Terms()
    f = FloatTerms(t)
    x, y, u, v = (t.var(name, 64) for name in "xyuv")
    for operation in (f.multiply, f.add):
        swapped = [t.eq(x, v), t.eq(y, u), t.not_(t.eq(operation(BINARY64, x, y), operation(BINARY64, u, v)))]
        assert agree(t, [([], swapped)]) == [SolverAnswer.SAT]


def test_both_searches_share_the_time() -> None:
    t = Terms()
    f = FloatTerms(t)
    x, y, z = (t.var(name, 64) for name in "xyz")
    one = f.multiply(BINARY64, f.multiply(BINARY64, x, y), z)
    two = f.multiply(BINARY64, x, f.multiply(BINARY64, y, z))
    tiny = [f.less(BINARY64, t.const(_bits(1.0), 64), n) for n in (x, y, z)]
    solver = abstracting(t)
    question = (*tiny, f.less(BINARY64, f.add(BINARY64, one, one), two))
    assert solver.check(question, SolverBudget(effort=0)) is SolverAnswer.UNKNOWN
    begin = time.monotonic()
    assert solver.check(question, SolverBudget(seconds=0)) is SolverAnswer.UNKNOWN
    assert time.monotonic() - begin < 30  # neither search has any


@pytest.mark.parametrize("seed", range(12))
def test_arithmetic_of_floats(seed: int) -> None:
    draw = random.Random(seed)
    t = Terms()
    f = FloatTerms(t)
    numbers = [t.var(name, 8) for name in "abc"]
    floats = [f.from_integer(BINARY32, t.sext(n, 32), signed=True) for n in numbers]
    for _ in range(4):
        operation = draw.choice([f.add, f.subtract, f.multiply, f.divide])
        floats.append(operation(BINARY32, draw.choice(floats), draw.choice(floats)))
    compared = [
        draw.choice([t.eq(one, two), f.less(BINARY32, one, two), t.not_(f.equal(BINARY32, one, two))])
        for one, two in (draw.sample(floats, 2) for _ in range(4))
    ]
    bounds = [t.not_(t.slt(t.const(6, 8), n)) for n in numbers] + [
        t.slt(t.const(-6 % 256, 8), n) for n in numbers
    ]
    agree(t, [(bounds, compared[:1]), ([], compared[:2]), ([compared[2]], compared[:1]), ([], compared)])


def test_a_value_is_refined_by_the_inputs_of_a_model() -> None:
    """A number that one program divides, where the other one has a table of the results."""
    t = Terms()
    f = FloatTerms(t)
    n, m, three = t.var("n", 32), t.var("m", 32), t.const(_bits(3.0), 64)
    divided, other = (f.divide(BINARY64, f.from_integer(BINARY64, one, signed=True), three) for one in (n, m))
    table = t.const(_bits(3 / 3.0), 64)
    for number in (1, 2):
        table = t.ite(t.eq(n, t.const(number, 32)), t.const(_bits(number / 3.0), 64), table)
    solver = abstracting(t)
    solver.add(t.and_(t.slt(t.const(0, 32), n), t.slt(n, t.const(4, 32))))
    solver.add(t.not_(t.eq(other, t.const(_bits(2.5), 64))))
    assert solver.check((t.not_(t.eq(divided, table)),)) is SolverAnswer.UNSAT
    assert solver._whole.statistics.calls == 0


def _bits(number: float) -> int:
    return int.from_bytes(struct.pack("<d", number), "little")
