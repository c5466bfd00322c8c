from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfrontend.terms import Term, Terms
from cfrontend.terms.evaluate import evaluate_more_terms, evaluate_terms, lanes_where_term_holds
from cfrontend.terms.evaluate_arrays import ArrayEvaluation, fits_array_evaluation
from tests.cfrontend.randomterms import COMPARISONS, WORD_OPERATIONS, Program, build

programs = st.binary(min_size=8, max_size=160).map(build)


@settings(max_examples=2000)
@given(programs)
def test_folded_terms_keep_their_meaning(program: Program) -> None:
    roots = [node.term for node in program.nodes]
    for index, assignment in enumerate(program.assignments):
        values = evaluate_terms(program.terms, roots, assignment)
        for node in program.nodes:
            assert program.terms.width[node.term] == node.width
            assert values[node.term] == node.values[index], node.text


@settings(max_examples=1000)
@given(programs)
def test_what_decides_has_the_value_that_all_of_it_has(program: Program) -> None:
    roots = [node.term for node in program.nodes]
    for assignment in program.assignments:
        expected = evaluate_terms(program.terms, roots, assignment)
        values: dict[Term, int] = {}
        for root in reversed(roots):
            evaluate_more_terms(program.terms, [root], assignment, values)
            assert values[root] == expected[root]
        assert values.items() <= expected.items()


def test_what_decides_nothing_is_not_evaluated() -> None:
    t = Terms()
    c, d, x = t.var("c", 0), t.var("d", 0), t.var("x", 8)
    heavy = t.eq(t.mul(x, x), t.const(9, 8))
    for root, assignment in (
        (t.ite(c, d, heavy), {c: 1}),
        (t.and_(c, heavy), {c: 0}),
        (t.or_(c, heavy), {c: 1}),
    ):
        values: dict[Term, int] = {}
        evaluate_more_terms(t, [root], assignment, values)
        assert root in values
        assert heavy not in values
    evaluate_more_terms(t, [t.and_(c, heavy)], {c: 1, x: 3}, values := {})
    assert values[heavy] == 1


@pytest.mark.parametrize("operation", [*WORD_OPERATIONS, *COMPARISONS])
@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_operators_on_all_small_words(operation: str, width: int) -> None:
    meaning = (WORD_OPERATIONS | COMPARISONS)[operation]
    t = Terms()
    x, y = t.var("x", width), t.var("y", width)
    applied = getattr(t, operation)(x, y)
    for a in range(2**width):
        for b in range(2**width):
            constant = getattr(t, operation)(t.const(a, width), t.const(b, width))
            expected = meaning(a, b, width)
            assert t.value[constant] == expected
            assert evaluate_terms(t, [applied], {x: a, y: b})[applied] == expected


def test_variables_without_a_value_are_zero() -> None:
    t = Terms()
    x, p = t.var("x", 8), t.var("p", 0)
    root = t.ite(p, t.const(7, 8), t.add(x, t.const(1, 8)))
    assert evaluate_terms(t, [root], {})[root] == 1


def test_every_term_below_a_root_gets_a_value() -> None:
    t = Terms()
    x = t.var("x", 8)
    y = t.mul(x, x)
    assert evaluate_terms(t, [t.sub(y, x)], {x: 20}) == {x: 20, y: 144, t.sub(y, x): 124}


def test_deep_terms_are_evaluated() -> None:
    t = Terms()
    x, y = t.var("x", 8), t.var("y", 8)
    root = x
    for _ in range(50_000):
        root = t.sub(y, root)
    assert evaluate_terms(t, [root], {x: 3, y: 5})[root] == 3


@settings(max_examples=1000)
@given(programs)
def test_one_bit_for_each_assignment_says_what_the_values_say(program: Program) -> None:
    terms = program.terms
    for node in program.booleans:
        found = lanes_where_term_holds(terms, terms.cone((node.term,)), program.assignments, node.term)
        assert [found >> n & 1 for n in range(len(program.assignments))] == [*map(int, node.values)], (
            node.text
        )


# -- many assignments at once ------------------------------------------------------------------------------------


def arrays(program: Program) -> dict[Term, Any]:
    """The assignments of a program as arrays."""
    variables = {t for assignment in program.assignments for t in assignment}
    return {
        t: np.array([assignment.get(t, 0) for assignment in program.assignments], dtype=np.uint64)
        for t in variables
    }


@settings(max_examples=1000)
@given(programs)
def test_arrays_have_the_same_values(program: Program) -> None:
    roots = list(dict.fromkeys(node.term for node in program.nodes))
    order = program.terms.cone(roots)
    assert fits_array_evaluation(program.terms, order)
    found = ArrayEvaluation(program.terms, order, roots).values(arrays(program))
    count = len(program.assignments)
    for node in program.nodes:
        assert np.broadcast_to(found[node.term], count).tolist() == node.values, node.text


@pytest.mark.parametrize("operation", [*WORD_OPERATIONS, *COMPARISONS])
@pytest.mark.parametrize("width", [1, 3, 4, 31, 32, 33, 63, 64])
def test_arrays_of_all_widths(operation: str, width: int) -> None:
    t = Terms()
    x, y = t.var("x", width), t.var("y", width)
    root = getattr(t, operation)(x, y)
    top = 1 << width
    special = sorted(
        {v % top for v in (0, 1, 2, 3, 5, width - 1, width, top // 2 - 1, top // 2, top - 2, top - 1)}
    )
    pairs = [(a, b) for a in special for b in special]
    one, two = (np.array([pair[n] for pair in pairs], dtype=np.uint64) for n in (0, 1))
    found = ArrayEvaluation(t, t.cone([root]), [root]).values({x: one, y: two})[root]
    assert found.tolist() == [evaluate_terms(t, [root], {x: a, y: b})[root] for a, b in pairs]


def test_what_is_not_needed_any_more_is_given_up_and_wide_words_do_not_fit() -> None:
    t = Terms()
    x, y = t.var("x", 64), t.var("y", 8)
    deep = x
    for _ in range(1000):
        deep = t.sub(t.zext(y, 64), deep)
    assert ArrayEvaluation(t, t.cone([deep]), [deep]).values({x: np.array([3, 4], dtype=np.uint64)})[
        deep
    ].tolist() == [
        3,
        4,
    ]
    assert not fits_array_evaluation(t, t.cone([t.concat(x, y)]))
