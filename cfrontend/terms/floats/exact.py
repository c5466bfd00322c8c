"""Exact floating-point operations on constants: integer arithmetic, rounded once to nearest, ties to even.

Every function takes and gives bits of a ``FloatFormat``. NaNs are those of x86: an operand that is one comes back
quieted, any other NaN is the default one. Of two operands the x87 takes the NaN with the larger fraction, SSE the
one in the register that takes the result: the left one, but the right one where gcc exchanges operands (+ and *).

    add(BINARY64, bits of 0.1, bits of 0.2)   ->   bits of 0.30000000000000004
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Final, Literal, TypeAlias, final

from cfrontend.record import dataclass
from cfrontend.terms.floats.format import FloatFormat

Kind: TypeAlias = Literal["nan", "infinite", "finite"]
Rounding: TypeAlias = Literal["even", "away", "zero", "down", "up"]
"""Rounding mode: to nearest with ties to even or away; towards zero; towards minus or plus infinity."""

FAR: Final = 1 << 17
"""Exponent beyond every format: scaling by two to more than this changes nothing any more."""


@final
@dataclass(frozen=True, slots=True)
class ExactNumber:
    """Decoded bits: a finite value is ``significand * 2**exponent``, negative if ``sign``."""

    kind: Kind
    sign: int
    significand: int
    exponent: int


def decode_exact_float(f: FloatFormat, bits: int) -> ExactNumber:
    """The parts of a value. Encodings the x87 rejects (leading bit not set) are NaNs."""
    sign = bits >> (f.width - 1)
    exponent = (bits >> f.stored_bits) & f.top_exponent
    significand = bits & ((1 << f.stored_bits) - 1)
    leading = 1 << f.fraction_bits
    if f.explicit_bit:
        if exponent and not significand & leading:
            return ExactNumber("nan", sign, significand, 0)
    elif exponent:
        significand |= leading
    if exponent == f.top_exponent:
        return ExactNumber("infinite" if significand == leading else "nan", sign, significand, 0)
    return ExactNumber("finite", sign, significand, max(exponent, 1) - f.bias - f.fraction_bits)


def exact_x87_spelling(f: FloatFormat, bits: int) -> int:
    """The bits with the leading bit that the x87 would store."""
    if not f.explicit_bit:
        return bits
    exponent, fraction = (bits >> f.stored_bits) & f.top_exponent, bits & ((1 << f.fraction_bits) - 1)
    return f.assemble(bits >> (f.width - 1), exponent, fraction)


def exact_rounding(
    f: FloatFormat, sign: int, significand: int, exponent: int, *, sticky: bool = False
) -> int:
    """``significand * 2**exponent`` rounded to nearest, ties to even; ``sticky``: a little more than that.

    With ``sticky`` the significand must be longer than the precision.
    """
    if not significand:
        return sign << (f.width - 1)
    drop = max(significand.bit_length() - f.precision, f.least_exponent - exponent)
    if drop > 0:
        rest = significand & ((1 << drop) - 1)
        half = 1 << (drop - 1)
        significand >>= drop
        exponent += drop
        if rest > half or (rest == half and (sticky or significand & 1)):
            significand += 1
    if drop <= 0 or significand.bit_length() > f.precision:
        # Bring the leading one to its place; nothing is lost.
        shift = max(significand.bit_length() - f.precision, f.least_exponent - exponent)
        significand = significand >> shift if shift >= 0 else significand << -shift
        exponent += shift
    leading = 1 << f.fraction_bits
    if significand < leading:
        return f.assemble(sign, 0, significand)
    stored = exponent + f.fraction_bits + f.bias
    if stored >= f.top_exponent:
        return f.infinity(negative=bool(sign))
    return f.assemble(sign, stored, significand - leading)


# -- NaNs ----------------------------------------------------------------------------------------------------


def is_exact_nan(f: FloatFormat, a: int) -> bool:
    """Whether the bits are a NaN."""
    return decode_exact_float(f, a).kind == "nan"


def is_exact_number(f: FloatFormat, a: int) -> bool:
    """Whether the bits are a finite value other than zero."""
    x = decode_exact_float(f, a)
    return x.kind == "finite" and x.significand != 0


def exact_quiet_nan(f: FloatFormat, a: int) -> int:
    """A NaN made quiet; the x87 turns encodings it rejects into its default NaN."""
    if f.explicit_bit and not (a >> f.fraction_bits) & 1:
        return f.default_nan()
    return a | f.quiet_bit


def _propagated(f: FloatFormat, *operands: int) -> int | None:
    """The NaN that an operation gives because one of up to two operands is one, if so."""
    found = [a for a in operands if is_exact_nan(f, a)]
    if not found:
        return None
    if len(found) == 1 or not f.explicit_bit:
        return exact_quiet_nan(f, found[0])
    return _larger_nan(f, found[0], found[1])


def _larger_nan(f: FloatFormat, a: int, b: int) -> int:
    """The larger of two NaNs by the x87's rule.

    A quiet one comes before a signalling one, then the larger fraction, then the positive.
    """
    if not (a & b) >> f.fraction_bits & 1:
        return f.default_nan()
    if (a ^ b) & f.quiet_bit:
        return a if a & f.quiet_bit else b
    mask = f.sign_bit - 1
    if a & mask == b & mask:
        return exact_quiet_nan(f, a & b)
    return exact_quiet_nan(f, a if a & mask > b & mask else b)


# -- arithmetic ----------------------------------------------------------------------------------------------


def exact_negation(f: FloatFormat, a: int) -> int:
    """The sign flipped, of NaNs too."""
    return a ^ f.sign_bit


def exact_sum(f: FloatFormat, a: int, b: int) -> int:
    """``a + b``."""
    return _sum(f, a, b, flip=0)


def exact_difference(f: FloatFormat, a: int, b: int) -> int:
    """``a - b``."""
    return _sum(f, a, b, flip=1)


def _sum(f: FloatFormat, a: int, b: int, *, flip: int) -> int:
    nan = _propagated(f, a, b) if flip else _propagated(f, b, a)
    if nan is not None:
        return nan
    x, y = decode_exact_float(f, a), decode_exact_float(f, b)
    sign = y.sign ^ flip
    if x.kind == "infinite":
        return f.default_nan() if y.kind == "infinite" and sign != x.sign else a
    if y.kind == "infinite":
        return f.infinity(negative=bool(sign))
    return _exact_sum(f, x, ExactNumber("finite", sign, y.significand, y.exponent))


def _exact_sum(f: FloatFormat, x: ExactNumber, y: ExactNumber) -> int:
    exponent = min(x.exponent, y.exponent)
    one = x.significand << (x.exponent - exponent)
    two = y.significand << (y.exponent - exponent)
    total = (-one if x.sign else one) + (-two if y.sign else two)
    if not total:
        return (x.sign & y.sign) << (f.width - 1)
    return exact_rounding(f, int(total < 0), abs(total), exponent)


def exact_product(f: FloatFormat, a: int, b: int) -> int:
    """``a * b``."""
    nan = _propagated(f, b, a)
    if nan is not None:
        return nan
    x, y = decode_exact_float(f, a), decode_exact_float(f, b)
    sign = x.sign ^ y.sign
    if "infinite" in (x.kind, y.kind):
        is_zero = any(n.kind == "finite" and not n.significand for n in (x, y))
        return f.default_nan() if is_zero else f.infinity(negative=bool(sign))
    return exact_rounding(f, sign, x.significand * y.significand, x.exponent + y.exponent)


def exact_quotient(f: FloatFormat, a: int, b: int) -> int:
    """``a / b``."""
    nan = _propagated(f, a, b)
    if nan is not None:
        return nan
    x, y = decode_exact_float(f, a), decode_exact_float(f, b)
    sign = x.sign ^ y.sign
    if x.kind == "infinite" or y.kind == "infinite":
        if x.kind == y.kind:
            return f.default_nan()
        return f.infinity(negative=bool(sign)) if x.kind == "infinite" else sign << (f.width - 1)
    if not y.significand:
        return f.infinity(negative=bool(sign)) if x.significand else f.default_nan()
    up = max(0, f.precision + 2 + y.significand.bit_length() - x.significand.bit_length())
    quotient, rest = divmod(x.significand << up, y.significand)
    return exact_rounding(f, sign, quotient, x.exponent - y.exponent - up, sticky=rest != 0)


def exact_inverse(f: FloatFormat, a: int) -> int | None:
    """``1 / a`` where multiplying by it is the same as dividing by ``a``: for powers of two."""
    x = decode_exact_float(f, a)
    if x.kind != "finite" or x.significand.bit_count() != 1:
        return None
    stored = f.bias - exact_exponent(f, a)
    return f.assemble(x.sign, stored, 0) if 0 < stored < f.top_exponent else None


def exact_square_root(f: FloatFormat, a: int) -> int:
    """The square root; of a negative number the default NaN."""
    nan = _propagated(f, a)
    if nan is not None:
        return nan
    x = decode_exact_float(f, a)
    if x.kind == "finite" and not x.significand:
        return a
    if x.sign:
        return f.default_nan()
    if x.kind == "infinite":
        return a
    up = max(0, 2 * f.precision + 4 - x.significand.bit_length())
    up += (x.exponent - up) & 1
    radicand = x.significand << up
    root = isqrt(radicand)
    return exact_rounding(f, 0, root, (x.exponent - up) // 2, sticky=root * root != radicand)


def exact_fused_multiply_add(f: FloatFormat, a: int, b: int, c: int) -> int:
    """``a * b + c``, rounded once."""
    nan = _propagated(f, a, b)
    nan = _propagated(f, c) if nan is None else _propagated(f, nan, c)
    if nan is not None:
        return nan
    x, y, z = decode_exact_float(f, a), decode_exact_float(f, b), decode_exact_float(f, c)
    sign = x.sign ^ y.sign
    if "infinite" in (x.kind, y.kind):
        is_zero = any(n.kind == "finite" and not n.significand for n in (x, y))
        if is_zero or (z.kind == "infinite" and z.sign != sign):
            return f.default_nan()
        return f.infinity(negative=bool(sign))
    if z.kind == "infinite":
        return c
    product = ExactNumber("finite", sign, x.significand * y.significand, x.exponent + y.exponent)
    return _exact_sum(f, product, z)


def exact_truncated_remainder(f: FloatFormat, a: int, b: int) -> int:
    """``fmod``: the exact ``a - n*b`` with the sign of ``a`` and less than ``b`` in magnitude."""
    x, y, special = _divided(f, a, b)
    if special is not None:
        return special
    exponent = min(x.exponent, y.exponent)
    divisor = y.significand << (y.exponent - exponent)
    rest = x.significand * pow(2, x.exponent - exponent, divisor) % divisor
    return exact_rounding(f, x.sign, rest, exponent)


def exact_nearest_remainder(f: FloatFormat, a: int, b: int) -> int:
    """``remainder`` (IEEE 754-2019, 5.3.1): the exact ``a - n*b`` with n nearest to a/b, even in a tie."""
    x, y, special = _divided(f, a, b)
    if special is not None:
        return special
    exponent = min(x.exponent, y.exponent)
    divisor = y.significand << (y.exponent - exponent)
    rest = x.significand * pow(2, x.exponent - exponent, 2 * divisor) % (2 * divisor)
    sign = x.sign
    if 2 * rest >= 3 * divisor:
        rest, sign = 2 * divisor - rest, sign ^ 1
    elif 2 * rest > divisor:
        rest -= divisor
        if rest < 0:
            rest, sign = -rest, sign ^ 1
    if not rest:
        sign = x.sign
    return exact_rounding(f, sign, rest, exponent)


def _divided(f: FloatFormat, a: int, b: int) -> tuple[ExactNumber, ExactNumber, int | None]:
    """The operands of a remainder, and its value where that needs no division."""
    x, y = decode_exact_float(f, a), decode_exact_float(f, b)
    nan = _propagated(f, a, b)
    if nan is None and (x.kind == "infinite" or not (y.significand or y.kind == "infinite")):
        nan = f.default_nan()
    if nan is None and (y.kind == "infinite" or not x.significand):
        nan = a
    return x, y, nan


# -- comparison ----------------------------------------------------------------------------------------------


def _ordered(f: FloatFormat, a: int, b: int, test: Callable[[int, int], bool]) -> bool:
    if is_exact_nan(f, a) or is_exact_nan(f, b):
        return False
    return test(_position(f, a), _position(f, b))


def _position(f: FloatFormat, a: int) -> int:
    """Total order as an integer, which orders as the values do (both zeros are 0)."""
    magnitude = a & (f.sign_bit - 1)
    return -magnitude if a & f.sign_bit else magnitude


def exact_equal(f: FloatFormat, a: int, b: int) -> bool:
    """``a == b``: false where one is a NaN, true of both zeros."""
    return _ordered(f, a, b, int.__eq__)


def exact_less(f: FloatFormat, a: int, b: int) -> bool:
    """``a < b``: false where one is a NaN."""
    return _ordered(f, a, b, int.__lt__)


def exact_less_equal(f: FloatFormat, a: int, b: int) -> bool:
    """``a <= b``: false where one is a NaN."""
    return _ordered(f, a, b, int.__le__)


# -- conversion ----------------------------------------------------------------------------------------------


def exact_from_integer(f: FloatFormat, value: int) -> int:
    """An integer, rounded."""
    return exact_rounding(f, int(value < 0), abs(value), 0)


def exact_conversion(source: FloatFormat, target: FloatFormat, a: int) -> int:
    """A value of another format; a NaN keeps the top of its fraction and becomes quiet."""
    x = decode_exact_float(source, a)
    if x.kind == "nan":
        fraction = exact_quiet_nan(source, a) & ((1 << source.fraction_bits) - 1)
        sign = exact_quiet_nan(source, a) >> (source.width - 1)
        moved = source.fraction_bits - target.fraction_bits
        fraction = fraction >> moved if moved >= 0 else fraction << -moved
        return target.assemble(sign, target.top_exponent, fraction | target.quiet_bit)
    if x.kind == "infinite":
        return target.infinity(negative=bool(x.sign))
    return exact_rounding(target, x.sign, x.significand, x.exponent)


def exact_whole_part(f: FloatFormat, a: int, rounding: Rounding = "zero") -> int | None:
    """The value rounded to an integer, None for infinities and NaNs."""
    x = decode_exact_float(f, a)
    if x.kind != "finite":
        return None
    if x.exponent >= 0:
        whole = x.significand << x.exponent
    else:
        whole = x.significand >> -x.exponent
        rest = x.significand - (whole << -x.exponent)
        half = 1 << (-x.exponent - 1)
        match rounding:
            case "even":
                whole += rest > half or (rest == half and whole & 1)
            case "away":
                whole += rest >= half
            case "down":
                whole += rest > 0 and x.sign
            case "up":
                whole += rest > 0 and not x.sign
            case "zero":
                pass
    return -whole if x.sign else whole


def exact_to_integer(f: FloatFormat, a: int, width: int) -> int:
    """The integral part as a signed ``width``-bit word; x86's "integer indefinite" where it does not fit."""
    value = exact_whole_part(f, a)
    limit = 1 << (width - 1)
    if value is None or not -limit <= value < limit:
        value = -limit
    return value & ((1 << width) - 1)


def exact_fits_integer(f: FloatFormat, a: int, width: int, *, signed: bool) -> bool:
    """Whether the integral part is in the range of an integer type."""
    value = exact_whole_part(f, a)
    if value is None:
        return False
    return -(1 << (width - 1)) <= value < 1 << (width - 1) if signed else 0 <= value < 1 << width


def exact_round_to_integral(f: FloatFormat, a: int, rounding: Rounding) -> int:
    """``rint``, ``round``, ``trunc``, ``floor`` or ``ceil``; a zero keeps the sign of the operand."""
    if is_exact_nan(f, a):
        return exact_quiet_nan(f, a)
    value = exact_whole_part(f, a, rounding)
    return a if value is None else exact_rounding(f, a >> (f.width - 1), abs(value), 0)


# -- parts ---------------------------------------------------------------------------------------------------


def exact_scale(f: FloatFormat, a: int, power: int) -> int:
    """``ldexp``: ``a * 2**power``, rounded where it becomes subnormal."""
    if is_exact_nan(f, a):
        return exact_quiet_nan(f, a)
    x = decode_exact_float(f, a)
    if x.kind == "infinite":
        return a
    return exact_rounding(f, x.sign, x.significand, x.exponent + max(-FAR, min(FAR, power)))


def exact_exponent(f: FloatFormat, a: int) -> int:
    """The exponent e of a finite value other than zero: its magnitude is in [2**e, 2**(e+1))."""
    x = decode_exact_float(f, a)
    return x.exponent + x.significand.bit_length() - 1


def exact_next_towards(f: FloatFormat, a: int, b: int) -> int:
    """``nextafter``: the neighbour of ``a`` in the direction of ``b``."""
    if is_exact_nan(f, a) or is_exact_nan(f, b):
        return exact_sum(f, a, b)
    if exact_equal(f, a, b):
        return b
    if not decode_exact_float(f, a).significand:
        return (b & f.sign_bit) | 1
    away = exact_less(f, a, b) != bool(a & f.sign_bit)
    magnitude = _compact(f, a) + (1 if away else -1)
    return f.assemble(
        a >> (f.width - 1), magnitude >> f.fraction_bits, magnitude & ((1 << f.fraction_bits) - 1)
    )


def _compact(f: FloatFormat, a: int) -> int:
    """Exponent and fraction without sign and leading bit: neighbours differ by one."""
    exponent = (a >> f.stored_bits) & f.top_exponent
    fraction = a & ((1 << f.fraction_bits) - 1)
    if f.explicit_bit and not exponent:
        exponent = a >> f.fraction_bits & 1
    return exponent << f.fraction_bits | fraction
