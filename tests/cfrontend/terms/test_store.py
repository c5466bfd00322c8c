import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.terms.operators import OP_NAMES
from tests.cfrontend.randomterms import build

COMMUTATIVE = {T.EQ, T.ADD, T.MUL, T.BAND, T.BOR, T.BXOR}
LONG = 3000
"""Far beyond the recursion limit."""


@pytest.fixture
def t() -> Terms:
    return Terms()


@pytest.fixture
def x(t: Terms) -> Term:
    return t.var("x", 8)


@pytest.fixture
def y(t: Terms) -> Term:
    return t.var("y", 8)


@pytest.fixture
def p(t: Terms) -> Term:
    return t.var("p", 0)


@pytest.fixture
def q(t: Terms) -> Term:
    return t.var("q", 0)


# -- the store -------------------------------------------------------------------------------------------------


def test_equal_terms_are_one_term(t: Terms, x: Term, y: Term) -> None:
    assert t.add(x, y) == t.add(y, x)
    assert t.var("x", 8) == x
    assert t.const(256 + 7, 8) == t.const(7, 8)


def test_variable_has_one_width(t: Terms, x: Term) -> None:
    assert t.width[x] == 8
    with pytest.raises(ValueError, match="'x' has width 8, asked for 9"):
        t.var("x", 9)


def test_cone_is_what_a_term_depends_on_in_order(t: Terms, x: Term, y: Term) -> None:
    t.mul(y, y)
    total = t.add(x, t.const(3, 8))
    assert t.cone([total]) == sorted([x, t.const(3, 8), total])


def test_operands_leave_out_numbers(t: Terms, x: Term, p: Term) -> None:
    assert t.operands(x) == ()
    assert t.operands(t.extract(x, 5, 2)) == (x,)
    assert t.operands(t.ite(p, x, t.const(1, 8))) == (p, x, t.const(1, 8))


def test_show(t: Terms, x: Term, p: Term) -> None:
    assert t.show(t.ite(p, t.zext(t.extract(x, 3, 0), 8), t.const(-1, 8))) == (
        "(ite p (zero_extend (extract x 3 0) 4) -1)"
    )
    assert t.show(TRUE) == "true"
    assert t.show(t.not_(t.eq(x, t.const(2, 8))), depth=1) == "(not ...)"


def test_there_is_a_name_for_each_operator() -> None:
    assert len(OP_NAMES) == T.SEXT + 1


@given(st.binary(max_size=160))
def test_same_calls_give_same_terms(data: bytes) -> None:
    one, two = build(data).terms, build(data).terms
    assert (one.op, one.args, one.width) == (two.op, two.args, two.width)


@given(st.binary(min_size=8, max_size=160))
def test_normal_form(data: bytes) -> None:
    t = build(data).terms
    for term, (op, args) in enumerate(zip(t.op, t.args, strict=True)):
        below = t.operands(term)
        assert all(a < term for a in below)
        constant = [t.value[a] is not None for a in below]
        if op > T.VAR and op != T.ITE:
            assert not all(constant), t.show(term)
        if op in COMMUTATIVE:
            assert not constant[0], t.show(term)
            assert constant[1] or args[0] <= args[1], t.show(term)
        if op in {T.AND, T.OR}:
            assert not any(constant), t.show(term)
        if op == T.NOT:
            assert t.op[args[0]] != T.NOT, t.show(term)
        if op == T.SUB:
            assert not constant[1], t.show(term)
        if op == T.ITE:
            assert not constant[0], t.show(term)
            assert t.op[args[0]] != T.NOT, t.show(term)
            assert args[1] != args[2], t.show(term)
            if t.width[term] == 0:
                assert not any(constant), t.show(term)


# -- folding ---------------------------------------------------------------------------------------------------


def test_neutral_and_absorbing_constants(t: Terms, x: Term) -> None:
    zero, one, ones = t.const(0, 8), t.const(1, 8), t.const(-1, 8)
    assert t.add(zero, x) == t.sub(x, zero) == t.mul(one, x) == t.udiv(x, one) == t.sdiv(x, one) == x
    assert t.bor(x, zero) == t.bxor(x, zero) == t.band(ones, x) == t.shl(x, zero) == x
    assert t.mul(x, zero) == t.band(x, zero) == t.srem(x, one) == t.sub(x, x) == t.bxor(x, x) == zero
    assert t.bxor(x, ones) == t.bnot(x)


def test_constants_come_together(t: Terms, x: Term) -> None:
    assert t.add(t.add(x, t.const(3, 8)), t.const(250, 8)) == t.sub(x, t.const(3, 8))
    assert t.mul(t.mul(x, t.const(3, 8)), t.const(5, 8)) == t.mul(t.const(15, 8), x)
    assert t.eq(t.add(x, t.const(3, 8)), t.const(2, 8)) == t.eq(x, t.const(-1, 8))


def test_connectives(t: Terms, p: Term, q: Term) -> None:
    assert t.and_(p, t.not_(p)) == FALSE
    assert t.or_(t.and_(p, q), t.and_(p, t.not_(q))) == p
    assert t.and_(p, t.or_(t.not_(p), q)) == t.and_(p, q)
    assert t.implies(p, p) == t.all_of([]) == TRUE
    assert t.any_of([]) == FALSE
    assert t.eq(t.not_(p), q) == t.not_(t.eq(p, q))


def test_ite(t: Terms, x: Term, y: Term, p: Term, q: Term) -> None:
    assert t.ite(t.not_(p), x, y) == t.ite(p, y, x)
    assert t.ite(p, t.ite(p, x, y), y) == t.ite(p, x, y)
    assert t.ite(p, x, t.ite(p, y, x)) == x
    assert t.ite(p, TRUE, FALSE) == p
    assert t.ite(p, q, FALSE) == t.and_(p, q)


def test_operators_go_to_constant_leaves(t: Terms, p: Term) -> None:
    flag = t.ite(p, t.const(1, 8), t.const(0, 8))
    assert t.eq(flag, t.const(0, 8)) == t.not_(p)
    assert t.ult(flag, t.const(1, 8)) == t.not_(p)
    assert t.add(flag, t.const(2, 8)) == t.ite(p, t.const(3, 8), t.const(2, 8))
    assert t.eq(t.zext(flag, 32), t.const(300, 32)) == FALSE


def test_comparisons_with_limits(t: Terms, x: Term) -> None:
    lowest, highest = t.const(-128, 8), t.const(127, 8)
    assert (
        t.ult(x, t.const(0, 8)) == t.ult(t.const(255, 8), x) == t.slt(x, lowest) == t.slt(highest, x) == FALSE
    )
    assert t.ult(x, t.const(1, 8)) == t.eq(x, t.const(0, 8))
    assert t.ule(x, x) == t.sle(lowest, x) == TRUE


def test_comparisons_of_extended_words(t: Terms, x: Term, y: Term) -> None:
    assert t.slt(t.sext(x, 32), t.sext(y, 32)) == t.slt(x, y)
    assert t.slt(t.zext(x, 32), t.zext(y, 32)) == t.ult(x, y)
    assert t.slt(t.sext(x, 32), t.const(128, 32)) == TRUE
    assert t.slt(t.zext(x, 32), t.const(-1, 32)) == FALSE
    assert t.eq(t.sext(x, 32), t.const(-3, 32)) == t.eq(x, t.const(-3, 8))
    assert t.eq(t.zext(x, 32), t.const(-3, 32)) == FALSE


def test_slices(t: Terms, x: Term, y: Term) -> None:
    both = t.concat(x, y)
    assert t.extract(both, 15, 8) == x
    assert t.extract(both, 7, 0) == y
    assert t.concat(t.extract(x, 7, 4), t.extract(x, 3, 0)) == x
    assert t.extract(t.zext(x, 32), 31, 8) == t.const(0, 24)
    assert t.extract(t.sext(x, 32), 15, 0) == t.sext(x, 16)
    assert t.concat(t.const(0, 24), x) == t.zext(x, 32)


def test_division_by_zero_follows_smtlib(t: Terms) -> None:
    seven, minus_seven, zero = t.const(7, 8), t.const(-7, 8), t.const(0, 8)
    assert t.udiv(seven, zero) == t.sdiv(seven, zero) == t.const(-1, 8)
    assert t.sdiv(minus_seven, zero) == t.const(1, 8)
    assert t.urem(seven, zero) == t.srem(seven, zero) == seven
    assert t.sdiv(t.const(-128, 8), t.const(-1, 8)) == t.const(-128, 8)


def test_division_by_a_power_of_two(t: Terms, x: Term) -> None:
    assert t.udiv(x, t.const(8, 8)) == t.lshr(x, t.const(3, 8))
    assert t.urem(x, t.const(8, 8)) == t.band(x, t.const(7, 8))


# -- depth: what a loop of the program makes -------------------------------------------------------------------


def guards(t: Terms) -> list[Term]:
    return [t.var(f"g{i}", 0) for i in range(LONG)]


def test_deep_choice_against_a_constant(t: Terms, x: Term) -> None:
    word = x
    for i, guard in enumerate(guards(t)):
        word = t.ite(guard, t.const(i, 8), word)
    root = t.eq(word, t.const(3, 8))
    assert evaluate_terms(t, [root], {t.var("g3", 0): 1})[root] == 1
    assert evaluate_terms(t, [root], {t.var("g4", 0): 1})[root] == 0


def test_deep_counter_against_a_constant(t: Terms, x: Term) -> None:
    word = x
    for guard in guards(t):
        word = t.ite(guard, t.const(0, 8), t.add(word, t.const(1, 8)))
    root = t.eq(word, t.const(2, 8))
    assert evaluate_terms(t, [root], {t.var(f"g{LONG - 3}", 0): 1})[root] == 1
    assert evaluate_terms(t, [root], {t.var(f"g{LONG - 2}", 0): 1})[root] == 0


@pytest.mark.parametrize("upwards", [True, False])
def test_deep_concatenation(t: Terms, x: Term, upwards: bool) -> None:
    word, parts = x, [t.var(f"b{i}", 8) for i in range(LONG)]
    for part in parts:
        word = t.concat(part, word) if upwards else t.concat(word, part)
    end = 8 * LONG
    assert t.extract(word, 7, 0) == (x if upwards else parts[-1])
    assert t.extract(word, end + 7, end) == (parts[-1] if upwards else x)
    root = t.eq(word, t.const(1, end + 8))
    assert evaluate_terms(t, [root], {x if upwards else parts[-1]: 1})[root] == 1
    assert evaluate_terms(t, [root], {parts[5]: 3})[root] == 0


def test_deep_conjunctions_that_share_their_ends(t: Terms, p: Term) -> None:
    one, two = p, t.not_(p)
    for guard in guards(t):
        one, two = t.and_(one, guard), t.and_(two, guard)
    root = t.or_(one, two)
    assert evaluate_terms(t, [root], dict.fromkeys(guards(t), 1))[root] == 1
    assert p not in t.cone([root])


def test_choices_that_share_their_parts_are_joined_once() -> None:
    """Two words that the same conditions choose, each choice built from the last one in both of its branches."""
    t = Terms()
    high, low = t.var("high", 8), t.var("low", 8)
    for n in range(200):
        c, d = t.var(f"c{n}", 0), t.var(f"d{n}", 0)
        high, low = (
            t.ite(c, t.ite(d, word, t.var(f"{name}{n}", 8)), t.ite(d, t.var(f"{name}'{n}", 8), word))
            for word, name in ((high, "h"), (low, "l"))
        )
    joined = t.concat(high, low)
    assert t.width[joined] == 16
    assert t.op[joined] == T.ITE
