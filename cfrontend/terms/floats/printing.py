"""Floating values as ``printf`` prints them (C11 7.21.6.1, in the details glibc's).

formatted(BINARY64, bits of 2.5, "f", flags="+", width=8, precision=1)   ->   "    +2.5"
formatted(BINARY64, bits of 1e-5, "g", flags="", width=0, precision=None)   ->   "1e-05"
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from cfrontend.terms.floats import exact
from cfrontend.terms.floats.format import FloatFormat
from cfrontend.terms.floats.text import float_text_digits, float_text_scaled


def print_float(
    f: FloatFormat, bits: int, kind: str, *, flags: str, width: int, precision: int | None
) -> str:
    """One conversion; ``kind`` is one of ``aAeEfFgG``, ``precision`` None where the format gives none."""
    value = exact.decode_exact_float(f, bits)
    sign = "-" if value.sign else "+" if "+" in flags else " " if " " in flags else ""
    prefix = ""
    if value.kind != "finite":
        body = "nan" if value.kind == "nan" else "inf"
    else:
        match kind.lower():
            case "f":
                body = _fixed(value, 6 if precision is None else precision, flags)
            case "e":
                body = _scientific(value, 6 if precision is None else precision, flags)
            case "g":
                body = _general(value, 6 if precision is None else max(1, precision), flags)
            case _:
                prefix, body = "0x", _hexadecimal(f, value, precision, flags)
    if kind.isupper():
        prefix, body = prefix.upper(), body.upper()
    room = width - len(sign + prefix)
    if "-" in flags:
        return (sign + prefix + body).ljust(width)
    if "0" in flags and value.kind == "finite":
        return sign + prefix + body.rjust(room, "0")
    return (sign + prefix + body).rjust(width)


FLAGS = "-0+ #"
"""Flags of a conversion as ``print_float_words`` takes them: the first is bit 0."""


@lru_cache(maxsize=256)
def print_float_words(
    f: FloatFormat, bits: int, letter: int, flags: int, width: int, precision: int
) -> bytes:
    """``print_float`` for words of 32 bits: the letter, a bit for each of ``FLAGS``, -1 for no precision."""
    chosen = "".join(flag for n, flag in enumerate(FLAGS) if flags >> n & 1)
    given = None if precision >> 31 else precision
    return print_float(f, bits, chr(letter), flags=chosen, width=width, precision=given).encode()


def _pointed(digits: str, places: int, flags: str) -> str:
    """Digits with a point before the last ``places``, which the ``#`` flag shows even where none follow."""
    if places:
        return f"{digits[:-places]}.{digits[-places:]}"
    return digits + ("." if "#" in flags else "")


def _fixed(value: exact.ExactNumber, precision: int, flags: str) -> str:
    # Python's own conversion of an int stops at 4300 digits.
    return _pointed(
        format(Decimal(float_text_scaled(value, precision)), "f").rjust(precision + 1, "0"), precision, flags
    )


def _scientific(value: exact.ExactNumber, precision: int, flags: str) -> str:
    digits, power = float_text_digits(value, precision + 1) if value.significand else (0, 0)
    return f"{_pointed(str(digits).rjust(precision + 1, '0'), precision, flags)}e{power:+03}"


def _general(value: exact.ExactNumber, precision: int, flags: str) -> str:
    power = float_text_digits(value, precision)[1] if value.significand else 0
    if -4 <= power < precision:
        body, exponent = _fixed(value, precision - 1 - power, flags), ""
    else:
        body, _, exponent = _scientific(value, precision - 1, flags).partition("e")
        exponent = "e" + exponent
    if "#" not in flags and "." in body:
        body = body.rstrip("0").rstrip(".")
    return body + exponent


def _hexadecimal(f: FloatFormat, value: exact.ExactNumber, precision: int | None, flags: str) -> str:
    """``h.hhhp±d``: one bit before the point, but four for the x87; subnormal numbers keep their exponent."""
    before = 4 if f.explicit_bit else 1
    digits = -(-(f.precision - before) // 4)
    significand = value.significand << (4 * digits - (f.precision - before))
    exponent = value.exponent + f.precision - before if significand else 0
    if precision is not None and precision < digits:
        drop = 4 * (digits - precision)
        rest, half = significand & ((1 << drop) - 1), 1 << (drop - 1)
        significand >>= drop
        significand += rest > half or (rest == half and significand & 1)
        digits = precision
        if significand >> (4 * digits + 4):
            significand, exponent = significand >> 4, exponent + 4
    text = f"{significand:x}".rjust(digits + 1, "0")
    shown = text[1:].ljust(precision, "0") if precision is not None else text[1:].rstrip("0")
    point = "." if shown or "#" in flags else ""
    return f"{text[0]}{point}{shown}p{exponent:+}"
