"""``printf`` formats: which conversions they hold."""

from __future__ import annotations

import re

_CONVERSION = re.compile(rb"%([-+ #0]*)(\d*|\*)(?:\.(\d*|\*))?(hh|h|ll|l|j|z|t|L|q)?([a-zA-Z%])")


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
