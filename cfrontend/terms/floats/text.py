"""Floating values as text: constants of C and cells of input vectors into bits, and bits into what reads back.

parse(BINARY64, "0x1.8p1")   ->   bits of 3.0        show(BINARY64, bits of 0.1)   ->   "0.1"
show(BINARY32, 0x7f800001)   ->   "nan(0x1)"
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from cfrontend.terms.floats import exact
from cfrontend.terms.floats.format import FloatFormat

_DECIMAL: Final = re.compile(r"(?=\.?[0-9])([0-9]*)\.?([0-9]*)(?:[eE]([-+]?[0-9]+))?")
_HEXADECIMAL: Final = re.compile(
    r"0[xX](?=\.?[0-9a-fA-F])([0-9a-fA-F]*)\.?([0-9a-fA-F]*)(?:[pP]([-+]?[0-9]+))?"
)
_NAN: Final = re.compile(r"nan(?:\((0[xX][0-9a-fA-F]+)\))?", re.IGNORECASE)
_INFINITY: Final = re.compile(r"inf(?:inity)?", re.IGNORECASE)

_MOST_DIGITS: Final = 1 << 16
"""Largest decimal exponent that is computed; one beyond this decides the value alone."""

_PLAIN: Final = 16
"""Power of ten below which values are written without an exponent."""


def parse_float_text(f: FloatFormat, text: str) -> int | None:
    """The bits of a number, rounded to nearest, of ``inf``, ``nan`` or ``nan(0x…)`` (the fraction); None for others."""
    sign = int(text.startswith("-"))
    magnitude = _magnitude(f, text[1:] if text[:1] in ("-", "+") else text)
    return None if magnitude is None else magnitude | (sign << (f.width - 1))


def _magnitude(f: FloatFormat, text: str) -> int | None:
    if found := _HEXADECIMAL.fullmatch(text):
        whole, fraction, power = found.groups()
        exponent = max(-_MOST_DIGITS, min(_MOST_DIGITS, int(power or 0))) - 4 * len(fraction)
        return exact.exact_rounding(f, 0, int(whole + fraction, 16), exponent)
    if found := _DECIMAL.fullmatch(text):
        whole, fraction, power = found.groups()
        return _from_decimal(f, int(Decimal(whole + fraction)), int(power or 0) - len(fraction))
    if _INFINITY.fullmatch(text):
        return f.infinity(negative=False)
    if found := _NAN.fullmatch(text):
        fraction = int(found[1], 16) if found[1] else f.quiet_bit
        return f.assemble(0, f.top_exponent, fraction) if 0 < fraction < 2 * f.quiet_bit else None
    return None


def _from_decimal(f: FloatFormat, digits: int, power: int) -> int:
    """``digits * 10**power``, not negative, rounded to nearest."""
    if not digits or digits.bit_length() // 4 + power < -_MOST_DIGITS:
        return 0
    if power >= 0:
        return (
            f.infinity(negative=False)
            if power > _MOST_DIGITS
            else exact.exact_rounding(f, 0, digits * 10**power, 0)
        )
    divisor = 10**-power
    up = max(0, divisor.bit_length() - digits.bit_length() + f.precision + 2)
    quotient, rest = divmod(digits << up, divisor)
    return exact.exact_rounding(f, 0, quotient, -up, sticky=rest != 0)


def show_float_text(f: FloatFormat, bits: int) -> str:
    """The shortest text that ``parse`` turns into these bits again."""
    value = exact.decode_exact_float(f, bits)
    sign = "-" if value.sign else ""
    if value.kind == "nan":
        fraction = bits & ((1 << f.fraction_bits) - 1)
        return f"{sign}nan" if fraction == f.quiet_bit else f"{sign}nan({fraction:#x})"
    if value.kind == "infinite":
        return f"{sign}inf"
    if not value.significand:
        return f"{sign}0.0"
    magnitude = bits & (f.sign_bit - 1)
    count = 1
    while True:
        digits, power = float_text_digits(value, count)
        if _from_decimal(f, digits, power - count + 1) == magnitude:
            return sign + _decimal(str(digits), power)
        count += 1


def _decimal(digits: str, power: int) -> str:
    """``d.ddd * 10**power`` as Python writes it."""
    digits = digits.rstrip("0") or "0"
    if not -5 < power < _PLAIN:
        return f"{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{power:+03}"
    if power < 0:
        return f"0.{'0' * (-power - 1)}{digits}"
    return f"{digits[: power + 1].ljust(power + 1, '0')}.{digits[power + 1 :] or '0'}"


def float_text_scaled(value: exact.ExactNumber, power: int) -> int:
    """The magnitude of a finite value times ``10**power``, rounded to an integer, to even in a tie."""
    numerator, denominator = value.significand, 1
    if value.exponent >= 0:
        numerator <<= value.exponent
    else:
        denominator <<= -value.exponent
    if power >= 0:
        numerator *= 10**power
    else:
        denominator *= 10**-power
    quotient, rest = divmod(numerator, denominator)
    return quotient + (2 * rest > denominator or (2 * rest == denominator and quotient & 1))


def float_text_digits(value: exact.ExactNumber, count: int) -> tuple[int, int]:
    """``count`` significant decimal digits of a finite value other than zero, and the power of ten of the first."""
    bits = value.exponent + value.significand.bit_length()
    # The estimate of the power is at most one too small.
    power = ((bits - 1) * 30103) // 100000 if bits > 0 else -((-(bits - 1) * 30103) // 100000) - 1
    power -= 1
    while True:
        digits = float_text_scaled(value, count - 1 - power)
        if digits < 10**count:
            return digits, power
        power += 1
