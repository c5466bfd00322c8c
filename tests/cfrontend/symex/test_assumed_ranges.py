"""The ranges that conditions give to variables."""

from __future__ import annotations

from cfrontend.symex.paths import assumed_ranges_of
from cfrontend.terms import Terms

LEAST, MOST = -128, 127


def test_each_part_of_a_condition_bounds_what_it_compares_with_a_constant() -> None:
    t = Terms()
    x, y = t.var("x", 8), t.var("y", 8)
    two, nine = t.const(2, 8), t.const(9, 8)
    table = (
        (t.slt(x, nine), [(x, LEAST, 8)]),
        (t.not_(t.slt(x, nine)), [(x, 9, MOST)]),
        (t.slt(two, x), [(x, 3, MOST)]),
        (t.not_(t.slt(two, x)), [(x, LEAST, 2)]),
        (t.ult(x, nine), [(x, 0, 8)]),
        (t.not_(t.ult(nine, x)), [(x, 0, 9)]),
        (t.eq(x, two), [(x, 2, 2)]),
        (t.not_(t.eq(x, two)), []),
        (t.slt(x, y), []),
        (t.or_(t.slt(x, two), t.slt(nine, x)), []),
        (t.and_(t.slt(two, x), t.slt(y, nine)), [(x, 3, MOST), (y, LEAST, 8)]),
    )
    assert [sorted(assumed_ranges_of(t, condition)) for condition, _ in table] == [
        found for _, found in table
    ]
