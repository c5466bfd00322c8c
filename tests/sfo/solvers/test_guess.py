"""Guesses: what is found holds, is within the ranges, and is found where plain values do."""

import random

import pytest

from cfrontend.effort import spent_effort
from cfrontend.terms import Terms
from cfrontend.terms.evaluate import evaluate_terms
from sfo.solvers import guess
from sfo.solvers.guess import guess_model, guess_sampled_model
from tests.cfrontend.randomterms import build


@pytest.mark.parametrize("seed", range(60))
def test_a_guess_is_a_model(seed: int) -> None:
    program = build(random.Random(seed).randbytes(120))
    terms = program.terms
    guessed = [guess_model(terms, node.term) for node in program.booleans]
    for node, values in zip(program.booleans, guessed, strict=True):
        if values is not None:
            assert evaluate_terms(terms, [node.term], values)[node.term]
    assert any(values is not None for values in guessed) or not any(any(n.values) for n in program.booleans)


@pytest.mark.parametrize("seed", range(20))
def test_assignments_at_once_give_the_answer_and_the_effort_of_one_by_one(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = build(random.Random(seed).randbytes(120))
    goals = [node.term for node in program.booleans]

    def guessed() -> list[tuple[object, int]]:
        found = []
        for goal in goals:
            before = spent_effort()
            found.append((guess_model(program.terms, goal), spent_effort() - before))
        return found

    at_once = guessed()
    monkeypatch.setattr(guess, "_ALONE", 1_000)
    assert at_once == guessed()


def test_plain_values_and_those_of_the_question_are_tried() -> None:
    terms = Terms()
    x, y, b = terms.var("x", 32), terms.var("y", 32), terms.var("b", 0)
    plain = terms.and_(b, terms.slt(x, terms.const(0, 32)))
    near = terms.eq(terms.add(x, terms.const(5, 32)), terms.const(4711, 32))
    both = terms.and_(terms.eq(x, terms.const(99, 32)), terms.eq(y, terms.const(100, 32)))
    assert guess_model(terms, plain) is not None
    assert guess_model(terms, both) is not None
    assert (
        guess_model(terms, near) is None
        or evaluate_terms(terms, [near], guess_model(terms, near) or {})[near]
    )
    assert guess_model(terms, terms.and_(terms.not_(terms.eq(x, x)), b)) is None


def test_guesses_keep_to_the_ranges_of_variables() -> None:
    terms = Terms()
    x = terms.var("x", 8)
    terms.ranges[x] = (-3, 2)
    for goal in (terms.slt(x, terms.const(0, 8)), terms.slt(terms.const(0, 8), x)):
        values = guess_model(terms, goal)
        assert values is not None
        assert -3 <= Terms.signed(values[x], 8) <= 2
    assert guess_model(terms, terms.slt(terms.const(2, 8), x)) is None


def test_large_questions_are_evaluated_for_many_assignments_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = Terms()
    x, y, wide = terms.var("x", 16), terms.var("y", 16), terms.var("wide", 72)
    flag = terms.var("flag", 0)
    terms.ranges[y] = (-3, 4)
    total = x
    for n in range(2_000):
        total = terms.add(terms.mul(total, terms.const(2 * n + 3, 16)), y)
    negative = terms.slt(y, terms.const(0, 16))
    goal = terms.all_of(
        (flag, terms.ult(x, y), terms.not_(negative), terms.ult(total, terms.const(1 << 14, 16)))
    )
    monkeypatch.setattr("sfo.solvers.guess.evaluate_terms_in_order", None)
    values = guess_sampled_model(terms, goal)
    assert values is not None
    assert evaluate_terms(terms, [goal], values)[goal]
    assert values == guess_sampled_model(terms, goal)
    assert guess_sampled_model(terms, terms.and_(goal, terms.ult(terms.const(4, 16), y))) is None
    with pytest.raises(TypeError):
        guess_sampled_model(
            terms, terms.and_(goal, terms.eq(wide, terms.const(0, 72)))
        )  # too wide: one after the other


def test_small_numbers_are_drawn_for_products_that_no_solver_decides_soon() -> None:
    terms = Terms()
    a, b, c, d = (terms.var(name, 32) for name in "abcd")
    cubes = [terms.mul(terms.mul(x, x), x) for x in (a, b, c, d)]
    distinct = [terms.slt(x, y) for x, y in ((a, c), (c, d), (d, b))]
    taxi = terms.eq(terms.add(cubes[0], cubes[1]), terms.add(cubes[2], cubes[3]))
    near = terms.slt(cubes[0], terms.add(cubes[2], cubes[3]))
    goal = terms.all_of((near, *distinct))
    values = guess_sampled_model(terms, goal)
    assert values is not None
    assert evaluate_terms(terms, [goal], values)[goal]
    assert values == guess_sampled_model(terms, goal)
    assert guess_sampled_model(terms, terms.and_(taxi, terms.not_(taxi))) is None
    assert guess_sampled_model(terms, terms.const(0, 0)) is None
