"""Sums are divided by what divides them: the same value times the step is the sum again."""

from hypothesis import given
from hypothesis import strategies as st

from cfrontend.symex.linear_addresses import Strides, first_offset, linear_address
from cfrontend.terms import Term, Terms
from cfrontend.terms.evaluate import evaluate_terms

WIDTH = 64


@given(
    sizes=st.lists(st.sampled_from([1, 2, 4, 8, 12, 24]), min_size=1, max_size=4),
    constants=st.lists(st.integers(-20, 20), min_size=4, max_size=4),
    indices=st.lists(st.integers(-(2**20), 2**20), min_size=4, max_size=4),
    truths=st.lists(st.booleans(), min_size=4, max_size=4),
)
def test_a_sum_is_its_step_times_its_quotient(
    sizes: list[int], constants: list[int], indices: list[int], truths: list[bool]
) -> None:
    t = Terms()
    word: Term = t.const(0, WIDTH)
    values: dict[Term, int] = {}
    for n, size in enumerate(sizes):  # a pointer that is moved on in one branch, again and again
        index, chosen = t.var(f"i{n}", 32), t.var(f"c{n}", 1)
        values[index], values[chosen] = indices[n] & 0xFFFFFFFF, int(truths[n])
        moved = t.add(t.mul(t.sext(index, WIDTH), t.const(size, WIDTH)), word)
        word = t.ite(t.eq(chosen, t.const(1, 1)), moved, t.add(word, t.const(size * constants[n], WIDTH)))
    strides = Strides(t)
    total = linear_address(t, word)
    step = strides.common(total[1]) or 1
    first = first_offset(total, step, WIDTH)
    quotient = strides.scaled(total, first, step, WIDTH)
    found = evaluate_terms(t, [word, quotient], values)
    assert t.signed(found[quotient], WIDTH) * step + first == t.signed(found[word], WIDTH)


def test_a_choice_between_multiples_is_divided() -> None:
    t = Terms()
    index = t.sext(t.var("i", 32), WIDTH)
    word = t.ite(t.eq(t.var("c", 1), t.const(1, 1)), t.mul(index, t.const(8, WIDTH)), t.const(24, WIDTH))
    assert Strides(t).common(linear_address(t, word)[1]) == 8
