"""Operations as words against the same operations on constants, and against z3's theory of floating point."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest
import z3

from cfrontend.terms import Term, Terms
from cfrontend.terms.evaluate import evaluate_terms_in_order
from cfrontend.terms.floats import FloatTerms, UnknownFloatTerm, exact, text
from cfrontend.terms.floats.exact import Rounding
from cfrontend.terms.floats.format import BINARY32, BINARY64, X87, FloatFormat
from sfo.solvers.smtlib import smtlib_script
from tests.cfrontend.terms.floats.native import operands, special_values

SMALL = FloatFormat(3, 4)
ROUNDINGS: tuple[Rounding, ...] = ("even", "away", "zero", "down", "up")


class Case:
    """One operation: its term over variables, and what it gives on constants."""

    def __init__(self, term: Term, expected: Callable[..., int | None]) -> None:
        self.term = term
        self.expected = expected


def cases(
    t: Terms, f: FloatFormat, others: tuple[FloatFormat, ...]
) -> tuple[dict[str, Term], dict[str, Case]]:
    floats = FloatTerms(t)
    v = {name: t.var(name, f.width) for name in "abc"}
    a, b = v["a"], v["b"]
    n = v["n"] = t.var("n", 16)
    found = {
        "add": Case(floats.add(f, a, b), lambda a, b, c, n: exact.exact_sum(f, a, b)),
        "subtract": Case(floats.subtract(f, a, b), lambda a, b, c, n: exact.exact_difference(f, a, b)),
        "multiply": Case(floats.multiply(f, a, b), lambda a, b, c, n: exact.exact_product(f, a, b)),
        "divide": Case(floats.divide(f, a, b), lambda a, b, c, n: exact.exact_quotient(f, a, b)),
        "root": Case(floats.square_root(f, a), lambda a, b, c, n: exact.exact_square_root(f, a)),
        "equal": Case(floats.equal(f, a, b), lambda a, b, c, n: exact.exact_equal(f, a, b)),
        "less": Case(floats.less(f, a, b), lambda a, b, c, n: exact.exact_less(f, a, b)),
        "less_equal": Case(floats.less_equal(f, a, b), lambda a, b, c, n: exact.exact_less_equal(f, a, b)),
        "scale": Case(
            floats.scale(f, a, n), lambda a, b, c, n: exact.exact_scale(f, a, Terms.signed(n, 16))
        ),
        "mantissa": Case(
            floats.mantissa(f, a),
            lambda a, b, c, n: exact.exact_scale(f, a, -1 - exact.exact_exponent(f, a)) if exact.is_exact_number(f, a) else None,
        ),
        "exponent": Case(
            floats.exponent(f, a, 32),
            lambda a, b, c, n: exact.exact_exponent(f, a) % (1 << 32) if exact.is_exact_number(f, a) else None,
        ),
        "is_nan": Case(floats.is_nan(f, a), lambda a, b, c, n: exact.is_exact_nan(f, a)),
        "own_difference": Case(floats.subtract(f, a, a), lambda a, b, c, n: exact.exact_difference(f, a, a)),
        "itself": Case(floats.equal(f, a, a), lambda a, b, c, n: exact.exact_equal(f, a, a)),
    }  # fmt: skip
    for rounding in ROUNDINGS:
        found[rounding] = Case(
            floats.round_to_integral(f, a, rounding),
            lambda a, b, c, n, r=rounding: exact.exact_round_to_integral(f, a, r),
        )
    for width in (5, 8, 16, 32, 64):
        found[f"to {width}"] = Case(
            floats.to_word(f, a, width), lambda a, b, c, n, w=width: exact.exact_to_integer(f, a, w)
        )
        for signed in (False, True):
            found[f"fits {width} {signed}"] = Case(
                floats.fits_integer(f, a, width, signed=signed),
                lambda a, b, c, n, w=width, s=signed: exact.exact_fits_integer(f, a, w, signed=s),
            )
            word = v[f"i{width}"] = t.var(f"i{width}", width)
            found[f"from {width} {signed}"] = Case(
                floats.from_integer(f, word, signed=signed),
                lambda a, b, c, n, w=width, s=signed: exact.exact_from_integer(f, _integer(a, w, signed=s)),
            )
    for g in others:
        found[f"in {g}"] = Case(
            floats.convert(f, g, a), lambda a, b, c, n, g=g: exact.exact_conversion(f, g, a)
        )
    return v, found


def _integer(bits: int, width: int, *, signed: bool) -> int:
    bits &= (1 << width) - 1
    return Terms.signed(bits, width) if signed else bits


def assert_agree(
    f: FloatFormat, others: tuple[FloatFormat, ...], records: list[tuple[int, ...]], seed: int
) -> None:
    t = Terms()
    v, found = cases(t, f, others)
    order = t.cone(case.term for case in found.values())
    generator = random.Random(seed)
    for a, b, c in records:
        n = generator.choice([0, 1, 3, 9, 30, 70, 200, 1100, 17000, 32767]) * generator.choice([-1, 1])
        values = {"a": a, "b": b, "c": c, "n": n & 0xFFFF}
        for width in (5, 8, 16, 32, 64):
            values[f"i{width}"] = a & ((1 << width) - 1)
        results = evaluate_terms_in_order(t, order, {v[name]: value for name, value in values.items()})
        for name, case in found.items():
            expected = case.expected(a, b, c, values["n"])
            assert expected is None or results[case.term] == expected, (name, f, hex(a), hex(b), hex(c), n)


def test_small_formats_on_all_pairs() -> None:
    for f in (SMALL, FloatFormat(4, 3), FloatFormat(3, 3, explicit_bit=True)):
        generator = random.Random(11)
        pairs = product(range(1 << f.width), repeat=2)
        records = [(a, b, generator.randrange(1 << f.width)) for a, b in pairs]
        if f.explicit_bit:
            records = [r for r in records if all(_accepted(f, a) for a in r)]
        assert_agree(
            f,
            (FloatFormat(4, 4), FloatFormat(5, 7), FloatFormat(3, 3)),
            records[:: len(records) // 2_000 + 1],
            12,
        )


def _accepted(f: FloatFormat, a: int) -> bool:
    """Whether the leading bit is as the x87 leaves it."""
    leading = a >> f.fraction_bits & 1
    return leading == int((a >> f.stored_bits) & f.top_exponent != 0)


@pytest.mark.parametrize("f", [BINARY32, BINARY64, X87], ids=["float", "double", "long double"])
def test_real_formats_on_random_and_special_values(f: FloatFormat) -> None:
    special = special_values(f)
    generator = random.Random(13)
    records = [
        (generator.choice(special), generator.choice(special), generator.choice(special)) for _ in range(250)
    ]
    records += [(r[0], r[1], r[2]) for r in operands(f, 250, 3, seed=14)]
    others = tuple(g for g in (BINARY32, BINARY64, X87) if g != f)
    assert_agree(f, others, records, 15)


@pytest.mark.parametrize("f", [FloatFormat(4, 5), BINARY32, BINARY64, X87], ids=str)
def test_remainders_by_constants(f: FloatFormat) -> None:
    t = Terms()
    floats = FloatTerms(t)
    a = t.var("a", f.width)
    divisors = [
        exact.exact_from_integer(f, n)
        for n in (1, -2, 3, 5, 7, 24, 360, 65537)
        if f.precision >= n.bit_length()
    ]
    divisors += [
        exact.exact_scale(f, exact.exact_from_integer(f, 3), n) for n in (-5, -2, 3, 9, f.bias - 1, -f.bias)
    ]
    divisors += [0, f.infinity(negative=False), f.default_nan()]
    results = {d: floats.truncated_remainder(f, a, t.const(d, f.width)) for d in divisors}
    order = t.cone(results.values())
    values = range(1 << f.width) if f.width < 12 else [r[0] for r in operands(f, 600, 1, seed=16)]
    for value in values:
        found = evaluate_terms_in_order(t, order, {a: value})
        for divisor, result in results.items():
            assert found[result] == exact.exact_truncated_remainder(f, value, divisor), (
                hex(value),
                hex(divisor),
            )


def test_a_remainder_by_a_long_constant_is_unknown() -> None:
    t = Terms()
    tenth = text.parse_float_text(BINARY64, "0.1")
    assert tenth is not None
    with pytest.raises(UnknownFloatTerm):
        FloatTerms(t).truncated_remainder(BINARY64, t.var("a", 64), t.const(tenth, 64))


def test_sums_and_products_share_all_but_nans_with_those_of_exchanged_operands() -> None:
    t = Terms()
    floats = FloatTerms(t)
    a, b = t.var("a", 64), t.var("b", 64)
    for operation in (floats.add, floats.multiply):
        operation(BINARY64, a, b)
        before = len(t)
        operation(BINARY64, b, a)
        assert len(t) - before < 8


def test_encodings_that_the_x87_rejects_are_nans() -> None:
    t = Terms()
    floats = FloatTerms(t)
    a = t.var("a", 80)
    one = t.const(X87.assemble(0, X87.bias, 0), 80)
    total, nan = floats.add(X87, a, one), floats.is_nan(X87, a)
    order = t.cone([total, nan])
    for bits in (0x3FFF << 64, 0x7FFF << 64, (0x7FFF << 64) | 5, (0x4001 << 64) | (1 << 62)):
        values = evaluate_terms_in_order(t, order, {a: bits})
        assert values[nan] == 1
        assert values[total] == exact.exact_sum(X87, bits, X87.assemble(0, X87.bias, 0)) == X87.default_nan()


def test_what_the_operands_decide_is_not_a_term() -> None:
    t = Terms()
    floats = FloatTerms(t)
    one = exact.exact_from_integer(BINARY64, 1)
    half, two = (t.const(exact.exact_scale(BINARY64, one, n), 64) for n in (-1, 1))
    chosen = t.ite(t.var("c", 0), half, two)
    assert t.choices(floats.multiply(BINARY64, chosen, two)) == 2
    x = t.var("x", 64)
    assert floats.less(BINARY64, x, x) == t.bool_const(False)
    assert floats.divide(BINARY64, x, two) == floats.multiply(BINARY64, x, half)


# -- z3's own theory -----------------------------------------------------------------------------------------

_MODES = {"even": z3.RNE(), "away": z3.RNA(), "zero": z3.RTZ(), "down": z3.RTN(), "up": z3.RTP()}


def prove(
    t: Terms,
    f: FloatFormat,
    result: Term,
    theirs: Callable[..., z3.ExprRef],
    target: FloatFormat | None = None,
) -> None:
    """z3 finds no operands a, b and c for which a term differs from a function of its theory (NaNs are one)."""
    variables = {name: t.var(name, f.width) for name in "abc"}
    width = t.width[result]
    same = t.eq(t.var("result", width), result)
    solver = z3.Solver()
    solver.set("timeout", 120_000)
    solver.add(z3.parse_smt2_string(smtlib_script(t, [same, *(t.eq(v, v) for v in variables.values())])))
    sort = z3.FPSort(f.exponent_bits, f.precision)
    expected = theirs(*(z3.fpBVToFP(z3.BitVec(name, f.width), sort) for name in variables))
    given = z3.Bool("result") if width == 0 else z3.BitVec("result", width)
    if z3.is_fp(expected):
        g = target or f
        given = z3.fpBVToFP(given, z3.FPSort(g.exponent_bits, g.precision))
    solver.add(given != expected)
    assert solver.check() == z3.unsat


_FP: dict[
    str, tuple[Callable[[FloatTerms, FloatFormat, Term, Term, Term], Term], Callable[..., z3.ExprRef]]
] = {
    "add": (lambda x, f, a, b, c: x.add(f, a, b), lambda a, b, c: z3.fpAdd(z3.RNE(), a, b)),
    "subtract": (lambda x, f, a, b, c: x.subtract(f, a, b), lambda a, b, c: z3.fpSub(z3.RNE(), a, b)),
    "multiply": (lambda x, f, a, b, c: x.multiply(f, a, b), lambda a, b, c: z3.fpMul(z3.RNE(), a, b)),
    "divide": (lambda x, f, a, b, c: x.divide(f, a, b), lambda a, b, c: z3.fpDiv(z3.RNE(), a, b)),
    "root": (lambda x, f, a, b, c: x.square_root(f, a), lambda a, b, c: z3.fpSqrt(z3.RNE(), a)),
    "equal": (lambda x, f, a, b, c: x.equal(f, a, b), lambda a, b, c: z3.fpEQ(a, b)),
    "less": (lambda x, f, a, b, c: x.less(f, a, b), lambda a, b, c: z3.fpLT(a, b)),
    "less_equal": (lambda x, f, a, b, c: x.less_equal(f, a, b), lambda a, b, c: z3.fpLEQ(a, b)),
    "is_normal": (lambda x, f, a, b, c: x.is_normal(f, a), lambda a, b, c: z3.fpIsNormal(a)),
    "is_infinite": (lambda x, f, a, b, c: x.is_infinite(f, a), lambda a, b, c: z3.fpIsInf(a)),
}


@pytest.mark.parametrize("name", _FP)
def test_operations_equal_those_of_z3(name: str) -> None:
    f = FloatFormat(3, 3) if name == "root" else FloatFormat(4, 5)
    t = Terms()
    ours, theirs = _FP[name]
    prove(t, f, ours(FloatTerms(t), f, *(t.var(v, f.width) for v in "abc")), theirs)


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_rounding_to_integers_equals_that_of_z3(rounding: Rounding) -> None:
    f, t = FloatFormat(5, 8), Terms()
    result = FloatTerms(t).round_to_integral(f, t.var("a", f.width), rounding)
    prove(t, f, result, lambda a, b, c: z3.fpRoundToIntegral(_MODES[rounding], a))


@pytest.mark.parametrize(
    "target", [FloatFormat(3, 4), FloatFormat(4, 4), FloatFormat(6, 12), FloatFormat(5, 6)]
)
def test_conversions_equal_those_of_z3(target: FloatFormat) -> None:
    f, t = FloatFormat(5, 8), Terms()
    sort = z3.FPSort(target.exponent_bits, target.precision)
    result = FloatTerms(t).convert(f, target, t.var("a", f.width))
    prove(t, f, result, lambda a, b, c: z3.fpFPToFP(z3.RNE(), a, sort), target)


def test_single_precision_addition_equals_that_of_z3_near_one() -> None:
    """The real width, with the operands held in a few binades so that the proof is short."""
    t = Terms()
    a = t.concat(t.const(0x3F8 >> 1, 10), t.var("low", 22))
    b = t.const(0x3F800001, 32)
    total = FloatTerms(t).add(BINARY32, a, b)
    solver = z3.Solver()
    solver.add(z3.parse_smt2_string(smtlib_script(t, [t.eq(t.var("result", 32), total)])))
    single = z3.FPSort(8, 24)
    one = z3.fpBVToFP(z3.Concat(z3.BitVecVal(0x3F8 >> 1, 10), z3.BitVec("low", 22)), single)
    two = z3.fpBVToFP(z3.BitVecVal(0x3F800001, 32), single)
    solver.add(z3.fpBVToFP(z3.BitVec("result", 32), single) != z3.fpAdd(z3.RNE(), one, two))
    assert solver.check() == z3.unsat
