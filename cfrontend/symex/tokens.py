"""Output tokens: parts of a program's output that are equal only where what they print is.

printf("%d.", x)   ->   Token(tag=("decimal", ...), words=(x,))   Token(tag=("character",), words=(".",))
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, TypeAlias, final

from cfrontend.events import OutputEvent, OutputEventArgument
from cfrontend.record import dataclass
from cfrontend.stdio import printf
from cfrontend.terms import FALSE, TRUE, Term, Terms

Tag: TypeAlias = tuple[object, ...]
"""Kind of a token: what has to be the same of two tokens besides their words."""

_LENGTH_BITS: Final = {"hh": 8, "h": 16, "": 32}
"""Bits of a printed integer, by the length in its conversion; 64 of all others."""

_WIDE: Final = 72
"""Bits in which every integer that is printed keeps its value."""


@final
@dataclass(frozen=True, slots=True)
class OutputToken:
    """Output token, printed where ``condition`` holds: equal tokens print the same."""

    condition: Term
    tag: Tag
    words: tuple[Term, ...] = ()
    text: tuple[Term, ...] | None = None


def output_tokens_of(t: Terms, event: OutputEvent, *, by_call: bool) -> list[OutputToken]:
    """The tokens of one printf; ``by_call``: as one token."""
    if not event.format:
        return []
    if by_call:
        return [OutputToken(TRUE, (event.format,), tuple(a.value for a in event.arguments))]
    tokens: list[OutputToken] = []
    left = list(event.arguments)
    for piece in printf.parse_printf_format(event.format):
        if isinstance(piece, bytes):
            tokens += _text(t, piece)
            continue
        count = len(piece.arguments())
        tokens += _converted(t, piece, left[:count])
        left = left[count:]
    return tokens


def _text(t: Terms, text: bytes) -> list[OutputToken]:
    return [OutputToken(TRUE, ("character",), (t.const(byte, 8),)) for byte in text]


def _converted(
    t: Terms, piece: printf.PrintfConversion, arguments: Sequence[OutputEventArgument]
) -> list[OutputToken]:
    """The tokens of one conversion: characters one by one, a number as a whole.

    A number is no sequence of digits here, so one program that prints the digits of what another one prints as a
    number counts as different; whoever finds an execution looks at the text (``OutputEvent``) as well.
    """
    last = arguments[-1]
    if piece.kind == "c" and piece.width is None:
        return [OutputToken(TRUE, ("character",), (t.extract(last.value, 7, 0),))]
    if piece.kind == "s" and piece.width is None and piece.precision is None:
        return _characters(t, last.characters or ())
    tag = (piece.kind, piece.flags, piece.width, piece.precision)
    words = [argument.value for argument in arguments[:-1]]
    if piece.kind == "s":
        return [OutputToken(TRUE, tag, tuple(words), last.characters)]
    word = last.value
    if piece.kind in printf.INTEGERS:
        bits = min(_LENGTH_BITS.get(piece.length, 64), t.width[word])
        word = t.extract(word, bits - 1, 0)
        word = t.sext(word, _WIDE) if piece.kind in "di" else t.zext(word, _WIDE)
        tag = ("decimal" if piece.kind in "diu" else piece.kind, *tag[1:])
    return [OutputToken(TRUE, (*tag, t.width[word]), (*words, word))]


def _characters(t: Terms, characters: Sequence[Term]) -> list[OutputToken]:
    """The tokens of a string, one for each character up to its end."""
    tokens: list[OutputToken] = []
    inside = TRUE
    for character in characters:
        inside = t.and_(inside, t.not_(t.eq(character, t.const(0, 8))))
        if inside == FALSE:
            break
        tokens.append(OutputToken(inside, ("character",), (character,)))
    return tokens


def is_same_output_token(t: Terms, one: OutputToken, two: OutputToken) -> Term:
    """The condition under which two tokens with the same tag print the same."""
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
