"""``printf`` formats: which conversions they hold, and the text they give."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CONVERSION = re.compile(rb"%([-+ #0]*)(\d*|\*)(?:\.(\d*|\*))?(hh|h|ll|l|j|z|t|L|q)?([a-zA-Z%])")
_BITS = {"hh": 8, "h": 16, "": 32, "l": 64, "ll": 64, "q": 64, "j": 64, "z": 64, "t": 64}


def conversions(template: bytes) -> list[str]:
    """The conversion letters of a format in order, ``%%`` left out; raises ValueError for what is not modelled."""
    letters: list[str] = []
    rest = _CONVERSION.sub(b"", template)
    if b"%" in rest:
        raise ValueError("a malformed conversion")
    for match in _CONVERSION.finditer(template):
        letter = match[5].decode()
        if letter == "%":
            continue
        if letter not in "diuxXocsp" or b"*" in (match[2], match[3]) or match[4] == b"L":
            raise ValueError(f"'{match[0].decode()}'")
        letters.append(letter)
    return letters


def render(template: bytes, arguments: Sequence[int | bytes]) -> bytes:
    """The bytes printed: integers are given as unsigned words of at least the converted width."""
    values = iter(arguments)

    def one(match: re.Match[bytes]) -> bytes:
        letter = match[5].decode()
        if letter == "%":
            return b"%"
        flags, field = match[1].decode(), match[2].decode()
        precision = None if match[3] is None else int(match[3] or b"0")
        value = next(values)
        return _padded(
            _text(letter, flags, precision, (match[4] or b"").decode(), value),
            flags,
            field,
            letter,
            precision,
        )

    return _CONVERSION.sub(one, template)


def _text(letter: str, flags: str, precision: int | None, length: str, value: int | bytes) -> bytes:
    if isinstance(value, bytes):
        return value if precision is None else value[:precision]
    if letter == "c":
        return bytes([value & 255])
    bits = 64 if letter == "p" else _BITS[length]
    value &= (1 << bits) - 1
    sign = ""
    if letter in "di":
        if value >> (bits - 1):
            value = (1 << bits) - value
            sign = "-"
        else:
            sign = "+" if "+" in flags else " " if " " in flags else ""
    digits = {"x": f"{value:x}", "p": f"{value:x}", "X": f"{value:X}", "o": f"{value:o}"}.get(
        letter, str(value)
    )
    if precision is not None:
        digits = "" if precision == 0 and value == 0 else digits.rjust(precision, "0")
    prefix = ""
    if letter == "p" or ("#" in flags and value and letter in "xX"):
        prefix = "0X" if letter == "X" else "0x"
    elif "#" in flags and letter == "o" and not digits.startswith("0"):
        prefix = "0"
    return (sign + prefix + digits).encode()


def _padded(text: bytes, flags: str, field: str, letter: str, precision: int | None) -> bytes:
    width = int(field or 0)
    if "-" in flags:
        return text.ljust(width)
    if "0" in flags and letter in "diuxXo" and precision is None:
        head = 1 if text[:1] in (b"-", b"+", b" ") else 0
        head += 2 if text[head : head + 2] in (b"0x", b"0X") else 0
        return text[:head] + text[head:].rjust(width - head, b"0")
    return text.rjust(width)
