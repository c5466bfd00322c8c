"""Layouts of printed integers: where two conversions of ``printf`` print one integer as the same text.

%d and %02d     ->   the same from -9 to -1 and from 10 on (and below -9), but not from 0 to 9
%5d and %-5d    ->   the same from 10000 on, and from -1000 down

How a conversion fills up its text depends on the sign and the number of digits alone, so one integer of each such
class speaks for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, final

from cfrontend.record import dataclass
from cfrontend.stdio import printf
from cfrontend.stdio.printed import PrintedArgument, render_printed
from cfrontend.terms import Term, Terms

_LENGTH_BITS: Final = {"hh": 8, "h": 16, "": 32}
"""Bits of a printed integer, by the length in its conversion; 64 of all others."""

_WIDE: Final = 72
"""Bits in which every integer that is printed keeps its value."""

_LONGEST: Final = 64
"""Bits of the longest integer that is printed."""

_BASES: Final = {"d": 10, "o": 8, "x": 16, "X": 16}
"""The base of a layout's digits, by its kind."""


@final
@dataclass(frozen=True, slots=True)
class IntegerLayout:
    """Layout of a printed integer: equal layouts print equal integers as the same text.

    ``kind`` is ``d`` for all decimal ones, signed and unsigned; what a conversion ignores is no part of ``flags``.
    """

    kind: str
    flags: str
    width: printf.Count
    precision: printf.Count


def integer_layout_of(conversion: printf.PrintfConversion) -> IntegerLayout:
    """The layout of an integer conversion."""
    flags = set(conversion.flags)
    if conversion.kind not in "di":
        flags -= {"+", " "}
    if conversion.kind in "diu":
        flags -= {"#"}
    if "+" in flags:
        flags -= {" "}
    if "-" in flags or isinstance(conversion.precision, int):
        flags -= {"0"}
    width = conversion.width or 0
    if width == 0:
        flags -= {"-", "0"}
    kind = "d" if conversion.kind in "diu" else conversion.kind
    return IntegerLayout(kind, "".join(sorted(flags)), width, conversion.precision)


def printed_integer_word(t: Terms, conversion: printf.PrintfConversion, word: Term) -> Term:
    """The integer that a conversion prints of its argument, as a word in which all of them keep their values."""
    bits = min(_LENGTH_BITS.get(conversion.length, _LONGEST), t.width[word])
    word = t.extract(word, bits - 1, 0)
    return t.sext(word, _WIDE) if conversion.kind in "di" else t.zext(word, _WIDE)


def render_integer_layout(layout: IntegerLayout, value: int) -> bytes:
    """The text of an integer; width and precision are numbers."""
    width = "" if layout.width in {0, None} else str(layout.width)
    precision = "" if layout.precision is None else f".{layout.precision}"
    kind = "u" if layout.kind == "d" and value >= 1 << (_LONGEST - 1) else layout.kind
    if kind == "u" and {"+", " "} & set(layout.flags):
        return b""  # no such integer has a sign
    template = f"%{layout.flags}{width}{precision}ll{kind}"
    argument = PrintedArgument(value=value % (1 << _LONGEST), width=_LONGEST, signed=kind == "d")
    return render_printed(template.encode(), [argument])


@lru_cache(maxsize=1024)
def integers_printed_alike(one: IntegerLayout, two: IntegerLayout) -> tuple[tuple[int, int], ...]:
    """Ranges of the integers that both layouts print as the same text; only some small ones where bases differ."""
    if _BASES[one.kind] != _BASES[two.kind]:
        alike = [(n, n) for n in range(8) if _is_alike(one, two, n)]
    elif one.kind != two.kind:  # letters of different case
        alike = [(n, n) for n in range(10) if _is_alike(one, two, n)]
    else:
        classes = _classes(_BASES[one.kind], signed=one.kind == "d")
        alike = [(low, high) for low, high in classes if _is_alike(one, two, min(low, high, key=abs))]
    ranges: list[tuple[int, int]] = []
    for low, high in alike:
        if ranges and ranges[-1][1] == low - 1:
            ranges[-1] = (ranges[-1][0], high)
        else:
            ranges.append((low, high))
    return tuple(ranges)


def integer_layouts_in_text(layout: IntegerLayout, text: bytes) -> Iterator[tuple[int, int]]:
    """Each integer that the layout prints as the beginning of ``text``, with the length of its text."""
    for length in range(len(text) + 1):
        digits = text[:length].decode("latin-1").strip(" ")
        try:
            value = int(digits, _BASES[layout.kind]) if digits else 0
        except ValueError:
            continue
        if not -(1 << (_LONGEST - 1)) <= value < 1 << _LONGEST or "_" in digits:
            continue
        if render_integer_layout(layout, value) == text[:length]:
            yield length, value


def _is_alike(one: IntegerLayout, two: IntegerLayout, value: int) -> bool:
    return render_integer_layout(one, value) == render_integer_layout(two, value)


def _classes(base: int, *, signed: bool) -> list[tuple[int, int]]:
    """Ranges of the integers with one sign and one number of digits, in order; 0 is alone."""
    counts = range(1, len(_digits(1 << _LONGEST, base)) + 1)
    above = [(base ** (n - 1), base**n - 1) for n in counts if base ** (n - 1) < 1 << _LONGEST]
    below = [(-high, -low) for low, high in reversed(above) if low <= 1 << (_LONGEST - 1)] if signed else []
    return [*below, (0, 0), *above]


def _digits(value: int, base: int) -> str:
    return format(value, {8: "o", 10: "d", 16: "x"}[base])
