"""Products and quotients of complex constants, which gcc computes exactly and rounds once (with MPC).

    (1.1 + 2.2i) * (3.3 + 4.4i)   ->   both parts rounded to nearest, where the program itself would round thrice

What does not fit the type is left to the program, as gcc does.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from cfrontend.elaborate.constants import real_constant_bits
from cfrontend.errors import Location
from cfrontend.syntax import tree
from cfrontend.syntax.types import FloatType, StructTypeTable
from cfrontend.terms.floats import FORMATS, exact, text
from cfrontend.terms.floats.format import FloatFormat

_GUARD: Final = 3
"""Bits of a quotient beyond the precision, besides the one that tells whether there are more."""


def complex_constant_operation(
    op: str, operands: tuple[tree.Expression, ...], structs: StructTypeTable, at: Location
) -> tuple[tree.FloatConstant, tree.FloatConstant] | None:
    """Both parts of ``(a + bi) op (c + di)`` for ``*`` and ``/``; None where gcc leaves it to the program."""
    ctype = operands[0].type
    assert isinstance(ctype, FloatType)
    f = FORMATS[ctype.width]
    known = [real_constant_bits(operand, structs) for operand in operands]
    bits = [x for x in known if x is not None and exact.decode_exact_float(f, x).kind == "finite"]
    if len(bits) < len(operands):
        return None
    a, b, c, d = bits
    minus_a, minus_b = exact.exact_negation(f, a), exact.exact_negation(f, b)
    by = Fraction(1) if op == "*" else _value(f, c) ** 2 + _value(f, d) ** 2
    sums = (((a, c), (minus_b, d)), ((a, d), (b, c)))
    if op == "/":
        sums = (((a, c), (b, d)), ((b, c), (minus_a, d)))
    real, imaginary = (_of_products(f, *pair, by) if by else None for pair in sums)
    if real is None or imaginary is None:
        return None
    return _constant(f, ctype, real, at), _constant(f, ctype, imaginary, at)


def _constant(f: FloatFormat, ctype: FloatType, bits: int, at: Location) -> tree.FloatConstant:
    return tree.FloatConstant(type=ctype, location=at, value=text.show_float_text(f, bits))


def _of_products(f: FloatFormat, one: tuple[int, int], other: tuple[int, int], by: Fraction) -> int | None:
    """The sum of two products, divided, to nearest; None where the type cannot hold what its precision can."""
    value = (_value(f, one[0]) * _value(f, one[1]) + _value(f, other[0]) * _value(f, other[1])) / by
    if not value:
        are_negative = all((x ^ y) & f.sign_bit for x, y in (one, other))
        is_cancelled = any(_value(f, x) * _value(f, y) for x, y in (one, other))
        return f.sign_bit if are_negative and not is_cancelled else 0
    numerator, denominator = abs(value.numerator), value.denominator
    up = f.precision + _GUARD + denominator.bit_length() - numerator.bit_length()
    up = max(up, 0)
    quotient, rest = divmod(numerator << up, denominator)
    return _fitting(f, int(value < 0), quotient, -up, sticky=rest != 0)


def _fitting(f: FloatFormat, sign: int, significand: int, exponent: int, *, sticky: bool) -> int | None:
    """A number rounded to the precision of a format, whatever its exponent; None where the format lacks that."""
    extra = significand.bit_length() - f.precision
    if extra > 0:
        rest = significand & ((1 << extra) - 1)
        half = 1 << (extra - 1)
        significand >>= extra
        exponent += extra
        is_up = rest > half or (rest == half and (sticky or significand & 1))
        significand += is_up
    bits = exact.exact_rounding(f, sign, significand, exponent)
    is_held = (
        exact.decode_exact_float(f, bits).kind == "finite"
        and abs(_value(f, bits)) == Fraction(significand) * Fraction(2) ** exponent
    )
    return bits if is_held else None


def _value(f: FloatFormat, bits: int) -> Fraction:
    number = exact.decode_exact_float(f, bits)
    magnitude = Fraction(number.significand) * Fraction(2) ** number.exponent
    return -magnitude if number.sign else magnitude
