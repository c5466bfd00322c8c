"""Output tokens: parts of a program's output that are equal only where what they print is.

printf("%d.", x)   ->   Token(tag=("integer", ...), words=(x,))   Token(tag=("character",), words=(".",))
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest
from typing import Final, TypeAlias, final

from cfrontend.events import OutputEvent, OutputEventArgument
from cfrontend.record import dataclass
from cfrontend.stdio import printf
from cfrontend.stdio.printed import PrintedArgument, render_printed
from cfrontend.terms import FALSE, TRUE, Term, Terms

# -- integers: where two conversions print one integer as the same text --------------------------------------------

# How a conversion fills up its text depends on the sign and the number of digits alone, so one integer of each such
# class speaks for all: %d and %02d print the same from -9 to -1 and from 10 on (and below -9), but not from 0 to 9.

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


def render_integer(layout: IntegerLayout, value: int) -> bytes:
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


def integers_in_text(layout: IntegerLayout, text: bytes) -> Iterator[tuple[int, int]]:
    """Each integer that the layout prints as the beginning of ``text``, with the length of its text."""
    for length in range(len(text) + 1):
        digits = text[:length].decode("latin-1").strip(" ")
        try:
            value = int(digits, _BASES[layout.kind]) if digits else 0
        except ValueError:
            continue
        if not -(1 << (_LONGEST - 1)) <= value < 1 << _LONGEST or "_" in digits:
            continue
        if render_integer(layout, value) == text[:length]:
            yield length, value


def _is_alike(one: IntegerLayout, two: IntegerLayout, value: int) -> bool:
    return render_integer(one, value) == render_integer(two, value)


def _classes(base: int, *, signed: bool) -> list[tuple[int, int]]:
    """Ranges of the integers with one sign and one number of digits, in order; 0 is alone."""
    counts = range(1, len(_digits(1 << _LONGEST, base)) + 1)
    above = [(base ** (n - 1), base**n - 1) for n in counts if base ** (n - 1) < 1 << _LONGEST]
    below = [(-high, -low) for low, high in reversed(above) if low <= 1 << (_LONGEST - 1)] if signed else []
    return [*below, (0, 0), *above]


def _digits(value: int, base: int) -> str:
    return format(value, {8: "o", 10: "d", 16: "x"}[base])


# -- tokens --------------------------------------------------------------------------------------------------------

Tag: TypeAlias = tuple[object, ...]
"""Kind of a token: what has to be the same of two tokens besides their words."""

INTEGER: Final = ("integer",)
"""Beginning of the tag of every integer; its layout follows."""

CHARACTER: Final = ("character",)
"""The tag of every character."""


@final
@dataclass(frozen=True, slots=True)
class Token:
    """Output token, printed where ``condition`` holds: equal tokens print the same."""

    condition: Term
    tag: Tag
    words: tuple[Term, ...] = ()
    text: tuple[Term, ...] | None = None


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """Piece of what one printf prints: plain text (``conversion`` is None), or a conversion with its arguments.

    ``known`` is its text, where no input decides that.
    """

    conversion: printf.PrintfConversion | None
    arguments: tuple[OutputEventArgument, ...]
    known: bytes | None


def pieces_of(t: Terms, event: OutputEvent) -> list[Piece]:
    """The pieces of one printf, in order."""
    pieces: list[Piece] = []
    left = event.arguments
    for piece in printf.parse_printf_format(event.format):
        if isinstance(piece, bytes):
            pieces.append(Piece(None, (), piece))
            continue
        count = len(piece.arguments())
        given, left = left[:count], left[count:]
        known = [known_argument(t, argument) for argument in given]
        constants = [one for one in known if one is not None]
        text = render_printed(piece.text.encode(), constants) if len(constants) == count else None
        pieces.append(Piece(_with_known_counts(t, piece, known), given, text))
    return pieces


def known_argument(t: Terms, argument: OutputEventArgument) -> PrintedArgument | None:
    """The value of a constant argument."""
    value = t.value[argument.value]
    width = t.width[argument.value]
    if argument.characters is None:
        return None if value is None else PrintedArgument(value=value, width=width, signed=argument.signed)
    known = [character for c in argument.characters if (character := t.value[c]) is not None]
    if len(known) < len(argument.characters):
        return None
    return PrintedArgument(value=0, width=width, signed=False, characters=bytes(known).split(b"\0", 1)[0])


def _with_known_counts(
    t: Terms, piece: printf.PrintfConversion, known: Sequence[PrintedArgument | None]
) -> printf.PrintfConversion:
    """A conversion with the numbers for its ``*`` where these are known."""
    counts = iter(known[:-1])
    given: list[printf.Count] = []
    flags = piece.flags
    for count in (piece.width, piece.precision):
        number = next(counts) if count == "*" else None
        given.append(count if number is None else t.signed(number.value & 0xFFFF_FFFF, 32))
    width, precision = given
    if isinstance(width, int) and width < 0:
        flags, width = flags + "-", -width
    if isinstance(precision, int) and precision < 0:
        precision = None
    return replace(piece, flags=flags, width=width, precision=precision)


def tokens_of(t: Terms, event: OutputEvent, *, by_call: bool) -> list[Token]:
    """The tokens of one printf; ``by_call``: as one token."""
    if not event.format:
        return []
    pieces = pieces_of(t, event)
    if by_call:
        words = tuple(word for piece in pieces for token in _converted(t, piece) for word in token.words)
        return [Token(TRUE, (event.format,), words)]
    return [token for piece in pieces for token in tokens_of_piece(t, piece)]


def tokens_of_piece(t: Terms, piece: Piece) -> list[Token]:
    """The tokens of one piece: characters one by one, a number as a whole.

    A number is no sequence of digits here, so one program that prints the digits one by one of what another one prints
    as a number counts as different where the inputs are not those of one execution; whoever finds an execution looks
    at the text (``OutputEvent``) as well. Digits in plain text are looked at by ``LiteralDigits``.
    """
    return tokens_of_text(t, piece.known or b"") if piece.conversion is None else _converted(t, piece)


def tokens_of_text(t: Terms, text: bytes) -> list[Token]:
    """The tokens of plain text: its characters."""
    return [Token(TRUE, CHARACTER, (t.const(byte, 8),)) for byte in text]


def _converted(t: Terms, piece: Piece) -> list[Token]:
    """The tokens of one conversion; there are none of plain text."""
    conversion = piece.conversion
    if conversion is None:
        return []
    last = piece.arguments[-1]
    if conversion.kind == "c" and not conversion.width:
        return [Token(TRUE, CHARACTER, (t.extract(last.value, 7, 0),))]
    if conversion.kind == "s" and not conversion.width and conversion.precision != "*":
        return _characters(t, (last.characters or ())[: conversion.precision])
    words = [
        argument.value
        for argument, count in zip(piece.arguments, _counts(conversion), strict=False)
        if count == "*"
    ]
    if conversion.kind in printf.INTEGERS:
        layout = integer_layout_of(conversion)
        shown = printed_integer_word(t, conversion, last.value)
        return [Token(_prints_something(t, layout, shown), (*INTEGER, layout), (*words, shown))]
    tag = (conversion.kind, conversion.flags, conversion.width, conversion.precision)
    if conversion.kind == "s":
        return [Token(TRUE, tag, tuple(words), last.characters)]
    return [Token(TRUE, (*tag, t.width[last.value]), (*words, last.value))]


def _counts(conversion: printf.PrintfConversion) -> list[printf.Count]:
    """What stands for the arguments before the last one of a conversion."""
    spelled = printf.printf_conversions(conversion.text.encode())[0]
    pairs = ((spelled.width, conversion.width), (spelled.precision, conversion.precision))
    return [now for before, now in pairs if before == "*"]


def _characters(t: Terms, characters: Sequence[Term]) -> list[Token]:
    """The tokens of a string, one for each character up to its end."""
    tokens: list[Token] = []
    inside = TRUE
    for character in characters:
        inside = t.and_(inside, t.not_(t.eq(character, t.const(0, 8))))
        if inside == FALSE:
            break
        tokens.append(Token(inside, CHARACTER, (character,)))
    return tokens


def is_same_token(t: Terms, one: Token, two: Token) -> Term:
    """The condition under which two tokens print the same; FALSE for some pairs of kinds that may print the same."""
    if one.tag != two.tag:
        return _is_same_integer(t, one, two)
    widths = [t.width[word] for word in one.words] == [t.width[word] for word in two.words]
    if not widths or (one.text is None) != (two.text is None):
        return FALSE
    same = t.all_of(t.eq(a, b) for a, b in zip(one.words, two.words, strict=True))
    zero, inside = t.const(0, 8), TRUE
    for a, b in zip_longest(one.text or (), two.text or (), fillvalue=zero):
        same = t.and_(same, t.or_(t.not_(inside), t.eq(a, b)))
        inside = t.and_(inside, t.not_(t.eq(a, zero)))
        if inside == FALSE:
            break
    return same


def _is_same_integer(t: Terms, one: Token, two: Token) -> Term:
    """The condition under which two conversions that are written otherwise print one integer as the same text."""
    if not (is_known_integer(one) and is_known_integer(two)):
        return FALSE
    mine, theirs = one.tag[1], two.tag[1]
    assert isinstance(mine, IntegerLayout)
    assert isinstance(theirs, IntegerLayout)
    a, b = one.words[-1], two.words[-1]
    return t.and_(t.eq(a, b), _within(t, a, integers_printed_alike(mine, theirs)))


def _prints_something(t: Terms, layout: IntegerLayout, word: Term) -> Term:
    """The condition under which an integer prints any character: ``%.0d`` prints no 0."""
    if "*" in {layout.width, layout.precision} or render_integer(layout, 0):
        return TRUE
    return t.not_(t.eq(word, t.const(0, t.width[word])))


def _within(t: Terms, word: Term, ranges: Sequence[tuple[int, int]]) -> Term:
    """The condition that a signed word is in one of ``ranges``."""
    width = t.width[word]

    def bound(number: int) -> Term:
        return t.const(number % (1 << width), width)

    return t.any_of(t.and_(t.sle(bound(low), word), t.sle(word, bound(high))) for low, high in ranges)


# -- plain text beside numbers: printf("0\n") beside printf("%d\n", n) is the same where n = 0 ---------------------

_NUMBER: Final = re.compile(rb"( *[-+]?[0-9]+)")


@final
@dataclass(frozen=True, slots=True)
class LiteralDigits:
    """Plain text with a number at its end, which the reference prints at ``position`` where ``condition`` holds."""

    condition: Term
    position: Term
    text: bytes


def split_at_numbers(text: bytes) -> list[bytes]:
    """The parts of a text: those that end with a digit are numbers, with the blanks and the sign before them."""
    return [part for part in _NUMBER.split(text) if part]


def is_known_integer(token: Token) -> bool:
    """Whether a token is an integer whose width and precision are known."""
    layout = token.tag[1] if token.tag[:1] == INTEGER else None
    return isinstance(layout, IntegerLayout) and "*" not in {layout.width, layout.precision}


def integer_readings(t: Terms, token: Token, text: bytes) -> Iterator[tuple[Term, int]]:
    """The lengths of what an integer can print at the beginning of ``text``, each with its condition."""
    layout = token.tag[1] if is_known_integer(token) else None
    if isinstance(layout, IntegerLayout):
        word, width = token.words[-1], t.width[token.words[-1]]
        for length, value in integers_in_text(layout, text):
            yield t.eq(word, t.const(value % (1 << width), width)), length


# -- the known output of one execution -----------------------------------------------------------------------------

_LONGEST_INTEGER: Final = 24
"""Characters of the longest integer that is not filled up, with its sign and prefix."""


@final
class KnownOutputText:
    r"""The characters of a known output by their places, and the conversions that print some of them.

    text "12\n", a program that prints %d of x at 0   ->   x = 1, and the output goes on at 1, or x = 12, and at 2
    """

    def __init__(self) -> None:
        self._bytes: Final[dict[int, int]] = {}
        self._wholes: Final[dict[int, list[Piece]]] = {}

    def note(self, place: int, piece: Piece) -> None:
        """Note that ``piece``, whose text is known, is printed at ``place``."""
        for n, byte in enumerate(piece.known or b""):
            self._bytes[place + n] = byte
        if piece.conversion is not None:
            self._wholes.setdefault(place, []).append(piece)

    def places(self) -> Sequence[int]:
        """All places of characters that are known, and those behind them."""
        return sorted({place + n for place in self._bytes for n in (0, 1)})

    def common(self, place: int, text: bytes) -> int:
        """The number of characters from ``place`` on that are those of ``text``, up to the first other one."""
        return next((n for n, byte in enumerate(text) if self._bytes.get(place + n) != byte), len(text))

    def has(self, t: Terms, place: int, position: Term, character: Term) -> Term:
        """The condition that the character at ``place``, which is at ``position``, is this one."""
        byte = self._bytes.get(place)
        if byte is None:
            return FALSE
        return t.and_(t.eq(position, t.const(place, 32)), t.eq(character, t.const(byte, 8)))

    def readings(self, t: Terms, place: int, token: Token, piece: Piece) -> Iterator[tuple[Term, int]]:
        """The lengths of what ``token``, of ``piece``, can print at ``place``, each with its condition."""
        if piece.known is not None and self.common(place, piece.known) == len(piece.known):
            yield TRUE, len(piece.known)
            return
        if is_known_integer(token):
            yield from integer_readings(t, token, self._from(place, token))
            return
        for other in self._wholes.get(place, ()):
            for whole in tokens_of_piece(t, other):
                if (same := is_same_token(t, whole, token)) != FALSE:
                    yield same, len(other.known or b"")

    def _from(self, place: int, token: Token) -> bytes:
        """The text from ``place`` on, as long as an integer of this layout can be."""
        layout = token.tag[1]
        assert isinstance(layout, IntegerLayout)
        sizes = [size for size in (layout.width, layout.precision) if isinstance(size, int)]
        found: list[int] = []
        while len(found) < _LONGEST_INTEGER + max(sizes, default=0) and place + len(found) in self._bytes:
            found.append(self._bytes[place + len(found)])
        return bytes(found)
