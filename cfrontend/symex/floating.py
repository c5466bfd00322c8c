"""Exactly computed functions of math.h, by name, as operations of ``FloatTerms``.

fmin(x, y)   ->   FUNCTIONS["fmin"](floats, format, width of the result, x, y)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from cfrontend.terms import Term
from cfrontend.terms.floats import FloatFormat, FloatTerms, Rounding

Test: TypeAlias = Callable[..., Term]
"""Floating predicate: a function of (floats, format, operands …) that gives a Boolean."""

Function: TypeAlias = Callable[..., Term]
"""Floating function: a function of (floats, format, width of the result in bits, operands …) that gives a word."""


def _unordered(x: FloatTerms, f: FloatFormat, a: Term, b: Term) -> Term:
    return x.t.or_(x.is_nan(f, a), x.is_nan(f, b))


def _less_or_greater(x: FloatTerms, f: FloatFormat, a: Term, b: Term) -> Term:
    return x.t.or_(x.less(f, a, b), x.less(f, b, a))


TESTS: Final[Mapping[str, Test]] = {
    "isnan": lambda x, f, a: x.is_nan(f, a),
    "isinf": lambda x, f, a: x.is_infinite(f, a),
    "isfinite": lambda x, f, a: x.is_finite(f, a),
    "isnormal": lambda x, f, a: x.is_normal(f, a),
    "signbit": lambda x, f, a: x.is_negative(f, a),
    "isless": lambda x, f, a, b: x.less(f, a, b),
    "islessequal": lambda x, f, a, b: x.less_equal(f, a, b),
    "isgreater": lambda x, f, a, b: x.less(f, b, a),
    "isgreaterequal": lambda x, f, a, b: x.less_equal(f, b, a),
    "islessgreater": _less_or_greater,
    "isunordered": _unordered,
}
"""Floating predicates of math.h, by name."""


def _to_long(rounding: Rounding) -> Function:
    """The functions ``lround`` and ``lrint``: rounding to an integer."""
    return lambda x, f, width, a: x.to_word(f, x.round_to_integral(f, a, rounding), width)


def _integral(rounding: Rounding) -> Function:
    return lambda x, f, width, a: x.round_to_integral(f, a, rounding)


def _logb(x: FloatTerms, f: FloatFormat, width: int, a: Term) -> Term:
    """The function ``logb``: the exponent as a floating value; minus infinity of zero, infinity of infinities."""
    t = x.t
    result = x.from_integer(f, x.exponent(f, a, 32), signed=True)
    result = t.ite(x.truth(f, a), result, t.const(f.infinity(negative=True), width))
    result = t.ite(x.is_infinite(f, a), t.const(f.infinity(negative=False), width), result)
    return t.ite(x.is_nan(f, a), x.quiet(f, a), result)


def _ilogb(x: FloatTerms, f: FloatFormat, width: int, a: Term) -> Term:
    """The function ``ilogb``: the exponent as an integer.

    It is the smallest integer of zero and NaNs, and the largest of infinities, as in glibc.
    """
    t = x.t
    least, most = t.const(1 << (width - 1), width), t.const((1 << (width - 1)) - 1, width)
    result = t.ite(x.truth(f, a), x.exponent(f, a, width), least)
    return t.ite(x.is_nan(f, a), least, t.ite(x.is_infinite(f, a), most, result))


def _mantissa(x: FloatTerms, f: FloatFormat, _: int, a: Term) -> Term:
    """The mantissa of ``frexp``: the value with the exponent that brings it into [0.5, 1)."""
    t = x.t
    plain = t.and_(x.is_finite(f, a), x.truth(f, a))
    kept = t.ite(x.is_nan(f, a), x.quiet(f, a), a)
    return t.ite(plain, x.mantissa(f, a), kept)


def _mantissa_exponent(x: FloatTerms, f: FloatFormat, width: int, a: Term) -> Term:
    """The exponent of ``frexp``: the power of two that is taken out; 0 of zeros, infinities and NaNs."""
    t = x.t
    plain = t.and_(x.is_finite(f, a), x.truth(f, a))
    return t.ite(plain, t.add(x.exponent(f, a, width), t.const(1, width)), t.const(0, width))


def _fraction(x: FloatTerms, f: FloatFormat, width: int, a: Term) -> Term:
    """The fraction of ``modf``: the part behind the point, with the sign of the operand."""
    t = x.t
    rest = x.subtract(f, a, x.round_to_integral(f, a, "zero"))
    rest = t.ite(x.is_infinite(f, a), t.const(0, width), rest)
    return t.ite(x.is_nan(f, a), x.quiet(f, a), x.copy_sign(f, rest, a))


FUNCTIONS: Final[Mapping[str, Function]] = {
    "sqrt": lambda x, f, width, a: x.square_root(f, a),
    "fabs": lambda x, f, width, a: x.absolute(f, a),
    "floor": _integral("down"),
    "ceil": _integral("up"),
    "trunc": _integral("zero"),
    "round": _integral("away"),
    "rint": _integral("even"),
    "nearbyint": _integral("even"),
    "roundeven": _integral("even"),
    "logb": _logb,
    "ilogb": _ilogb,
    "lround": _to_long("away"),
    "llround": _to_long("away"),
    "lrint": _to_long("even"),
    "llrint": _to_long("even"),
    "frexp": _mantissa,
    "frexp_exponent": _mantissa_exponent,
    "modf": _fraction,
    "fmod": lambda x, f, width, a, b: x.truncated_remainder(f, a, b),
    "remainder": lambda x, f, width, a, b: x.nearest_remainder(f, a, b),
    "copysign": lambda x, f, width, a, b: x.copy_sign(f, a, b),
    "nextafter": lambda x, f, width, a, b: x.next_towards(f, a, b),
    "fdim": lambda x, f, width, a, b: x.positive_difference(f, a, b),
    "fmax": lambda x, f, width, a, b: x.greatest(f, a, b),
    "fmin": lambda x, f, width, a, b: x.least(f, a, b),
    "fma": lambda x, f, width, a, b, c: x.fused(f, a, b, c),
    "ldexp": lambda x, f, width, a, n: x.scale(f, a, n),
    "scalbn": lambda x, f, width, a, n: x.scale(f, a, n),
    "scalbln": lambda x, f, width, a, n: x.scale(f, a, n),
    "printed_length": lambda x, f, width, a, *how: x.printed_length(f, a, *how),
    "printed_character": lambda x, f, width, a, *how: x.printed_character(f, a, *how),
}
"""Floating functions of math.h that give a number, by name."""
