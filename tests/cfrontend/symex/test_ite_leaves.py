"""The leaves of nested choices."""

from __future__ import annotations

from cfrontend.symex.ite_leaves import (
    bit_slice_of_parts,
    condition_of_leaf,
    conditions_of_leaves,
    with_leaf,
)
from cfrontend.terms import FALSE, TRUE, Term, Terms


def _nested(t: Terms) -> tuple[Term, Term, Term, Term, Term]:
    """``ite(c, x, ite(d, x, y))``, and c, d, x and y."""
    x, y, c, d = t.var("x", 8), t.var("y", 8), t.var("c", 0), t.var("d", 0)
    return t.ite(c, x, t.ite(d, t.add(x, y), y)), c, d, x, y


def test_each_leaf_has_the_condition_of_being_chosen() -> None:
    t = Terms()
    value, c, d, x, y = _nested(t)
    found = conditions_of_leaves(t, value, lambda _: True)
    assert found[value] == TRUE
    assert found[x] == c
    assert found[y] == t.and_(t.not_(c), t.not_(d))
    assert found[t.add(x, y)] == t.and_(t.not_(c), d)
    assert conditions_of_leaves(t, value, lambda _: False) == {value: TRUE}


def test_what_is_not_chosen_is_nowhere() -> None:
    t = Terms()
    value, c, _, x, _ = _nested(t)
    assert condition_of_leaf(t, value, x) == c
    assert condition_of_leaf(t, x, x) == TRUE
    assert condition_of_leaf(t, value, t.var("z", 8)) == FALSE


def test_a_leaf_is_replaced_where_it_is_chosen_and_not_where_it_is_computed_with() -> None:
    t = Terms()
    value, c, d, x, y = _nested(t)
    new = t.const(7, 8)
    assert with_leaf(t, value, x, new) == t.ite(c, new, t.ite(d, t.add(x, y), y))
    halves = t.concat(t.ite(c, x, y), y)
    assert with_leaf(t, halves, x, new) == t.concat(t.ite(c, new, y), y)


def test_a_bit_slice_has_no_part_of_what_lies_in_other_bits() -> None:
    t = Terms()
    x, y, z, c = t.var("x", 8), t.var("y", 8), t.var("z", 16), t.var("c", 0)
    word = t.ite(c, t.concat(x, y), z)
    inside = {word, t.concat(x, y)}
    assert bit_slice_of_parts(t, word, 7, 0, inside) == t.ite(c, y, t.extract(z, 7, 0))
    across = t.concat(t.extract(x, 3, 0), t.extract(y, 7, 4))
    assert bit_slice_of_parts(t, word, 11, 4, inside) == t.ite(c, across, t.extract(z, 11, 4))
    assert bit_slice_of_parts(t, word, 7, 0, {}) == t.extract(word, 7, 0)
    inner = t.extract(z, 11, 2)
    assert bit_slice_of_parts(t, inner, 5, 1, {inner}) == t.extract(z, 7, 3)
