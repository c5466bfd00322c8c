"""Input kinds: what a read of an input expects, and what one text gives to two reads of different types.

reference: scanf("%lld", &a)      program: scanf("%d", &b)      ->  b is the low half of a
reference: scanf("%lf", &x)       program: scanf("%f", &y)      ->  y is x, rounded
reference: scanf("%lf", &x)       program: scanf("%d", &b)      ->  b is x, where x is an integer of its range
reference: c = getchar()          program: scanf("%c", &d)      ->  d is c, and not the end of the input
"""

from __future__ import annotations

import re
from typing import Final, final

from cfrontend.record import dataclass
from cfrontend.terms import Term
from cfrontend.terms.floats import FORMATS, FloatTerms
from cfrontend.units import FLOATING_TYPES, NEXT_CHARACTER, InputSite

_KIND: Final = re.compile(r"(?P<type>.+) of (?P<width>\d+)(?: in %(?P<base>[xo]))?")


_LETTER: Final = re.compile(r"(?:(?:un)?signed )?char of 8")
"""Pattern of the input kind of ``%c``."""

_CHARACTER_BITS: Final = 32
"""Bits of the result of ``getchar``."""


@final
@dataclass(frozen=True, slots=True)
class _Number:
    """Numeric input kind of ``width`` bits; ``base`` is the letter of a conversion that reads no decimal digits."""

    width: int
    real: bool
    signed: bool
    base: str | None


def input_kind_of(site: InputSite, width: int) -> str:
    """The input kind of a read; equal kinds have equal values for equal texts."""
    letter = "" if site.reading is None else site.reading.format[-1:].lower()
    return f"{site.type} of {width}" + (f" in %{letter}" if letter in ("x", "o") else "")


def input_of_converted_kind(floats: FloatTerms, source: str, value: Term, target: str) -> Term | None:
    """The value as kind ``target`` of a text that gives ``value`` as kind ``source``.

    None where they are neither both numbers nor both one character.
    """
    if input_kinds_of_one_character(source, target):
        t = floats.t
        return t.zext(value, _CHARACTER_BITS) if target == NEXT_CHARACTER else t.extract(value, 7, 0)
    one, two = _number(source), _number(target)
    if one is None or two is None or one.base != two.base:
        return None
    t = floats.t
    if one.real and two.real:
        return floats.convert(FORMATS[one.width], FORMATS[two.width], value)
    if two.real:
        return floats.from_integer(FORMATS[two.width], value, signed=one.signed)
    if one.real:
        return floats.to_word(FORMATS[one.width], value, two.width)
    if two.width <= one.width:
        return t.extract(value, two.width - 1, 0)
    return t.sext(value, two.width) if one.signed else t.zext(value, two.width)


def input_kinds_of_one_text(
    floats: FloatTerms, one: str, first: Term, two: str, second: Term
) -> tuple[Term, bool] | None:
    """(possible, certain): whether a text, or every text, gives ``first`` as kind ``one`` and ``second`` as ``two``.

    None where they are neither both numbers nor both one character. Of an integer and a real number only integers are
    followed.
    """
    if input_kinds_of_one_character(one, two):
        whole, letter = (first, second) if one == NEXT_CHARACTER else (second, first)
        return floats.t.eq(whole, floats.t.zext(letter, _CHARACTER_BITS)), True
    mine, theirs = _number(one), _number(two)
    if mine is None or theirs is None:
        return None
    from_first = mine.width >= theirs.width if mine.real == theirs.real else theirs.real
    given = (
        input_of_converted_kind(floats, one, first, two)
        if from_first
        else input_of_converted_kind(floats, two, second, one)
    )
    if given is None:
        return None
    return floats.t.eq(given, second if from_first else first), mine.real == theirs.real


def input_kinds_of_one_character(one: str, two: str) -> bool:
    """Whether these are two ways to read a character, by ``getchar`` and by ``%c``."""
    return NEXT_CHARACTER in (one, two) and any(_LETTER.fullmatch(kind) for kind in (one, two))


def _number(kind: str) -> _Number | None:
    """The numeric kind of an input kind; None for characters and for what models of the library read."""
    found = _KIND.fullmatch(kind)
    if found is None or found["type"] in ("char", "_Bool"):
        return None
    width, ctype = int(found["width"]), found["type"]
    real = ctype in FLOATING_TYPES
    if real and width not in FORMATS:
        return None
    return _Number(width, real, not ctype.startswith("unsigned"), found["base"])
