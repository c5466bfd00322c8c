"""What the decisions of a path say of a value."""

from __future__ import annotations

from cfrontend.symex.paths import continues_path, extended_path, root_path, value_on_path
from cfrontend.terms import Terms


def test_a_choice_is_decided_by_what_a_variable_is_equal_to() -> None:
    t = Terms()
    found, other = t.var("found", 32), t.var("other", 32)
    is_read = t.slt(t.const(0, 32), found)
    position = t.ite(is_read, t.const(2, 32), t.const(1, 32))
    one = extended_path(t, root_path(), t.eq(found, t.const(1, 32)))
    assert value_on_path(t, one, position) == t.const(2, 32)
    both = extended_path(
        t, root_path(), t.and_(t.eq(found, t.const(0xFFFFFFFF, 32)), t.eq(other, t.const(3, 32)))
    )
    assert value_on_path(t, both, position) == t.const(1, 32)
    negative = t.slt(other, t.const(0, 32))
    returns = t.or_(t.not_(t.eq(found, t.const(1, 32))), negative)
    stays = extended_path(t, root_path(), t.not_(returns))
    assert value_on_path(t, stays, position) == t.const(2, 32)
    later = extended_path(t, one, t.slt(other, t.const(9, 32)))
    assert value_on_path(t, later, position) == t.const(2, 32)


def test_what_is_not_decided_stays() -> None:
    t = Terms()
    found = t.var("found", 32)
    position = t.ite(t.slt(t.const(0, 32), found), t.const(2, 32), t.const(1, 32))
    apart = extended_path(t, root_path(), t.not_(t.eq(found, t.const(1, 32))))
    assert value_on_path(t, root_path(), position) == position
    assert value_on_path(t, apart, position) == position


def test_a_path_continues_those_that_it_has_decided_more_than() -> None:
    terms = Terms()
    paths = [root_path()]
    for n in range(9):
        paths.append(extended_path(terms, paths[-1], terms.var(f"c{n}", 0)))
    beside = extended_path(terms, paths[4], terms.var("d", 0))
    for n, path in enumerate(paths):
        for k, before in enumerate(paths):
            assert continues_path(path, before, most=5) == (0 <= n - k <= 5)
        assert continues_path(beside, path, most=9) == (n <= 4)
        assert not continues_path(path, beside, most=9)
