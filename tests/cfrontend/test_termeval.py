import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfrontend.termeval import evaluate
from cfrontend.terms import Terms
from tests.cfrontend.randomterms import COMPARISONS, WORD_OPERATIONS, Program, build

programs = st.binary(min_size=8, max_size=160).map(build)


@settings(max_examples=2000)
@given(programs)
def test_folded_terms_keep_their_meaning(program: Program) -> None:
    roots = [node.term for node in program.nodes]
    for index, assignment in enumerate(program.assignments):
        values = evaluate(program.terms, roots, assignment)
        for node in program.nodes:
            assert program.terms.width[node.term] == node.width
            assert values[node.term] == node.values[index], node.text


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
            assert evaluate(t, [applied], {x: a, y: b})[applied] == expected


def test_variables_without_a_value_are_zero() -> None:
    t = Terms()
    x, p = t.var("x", 8), t.var("p", 0)
    root = t.ite(p, t.const(7, 8), t.add(x, t.const(1, 8)))
    assert evaluate(t, [root], {})[root] == 1


def test_every_term_below_a_root_gets_a_value() -> None:
    t = Terms()
    x = t.var("x", 8)
    y = t.mul(x, x)
    assert evaluate(t, [t.sub(y, x)], {x: 20}) == {x: 20, y: 144, t.sub(y, x): 124}


def test_deep_terms_are_evaluated() -> None:
    t = Terms()
    x, y = t.var("x", 8), t.var("y", 8)
    root = x
    for _ in range(50_000):
        root = t.sub(y, root)
    assert evaluate(t, [root], {x: 3, y: 5})[root] == 3
