"""Output tokens: parts of a program's output that are equal only where what they print is.

printf("%d.", x)   ->   Token(tag=("integer", ...), words=(x,))   Token(tag=("character",), words=(".",))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final, TypeAlias, final

from cfrontend.events import OutputEvent, OutputEventArgument
from cfrontend.record import dataclass
from cfrontend.stdio import printf
from cfrontend.stdio.printed import PrintedArgument, render_printed
from cfrontend.symex.integer_layouts import (
    IntegerLayout,
    integer_layout_of,
    integers_printed_alike,
    printed_integer_word,
    render_integer_layout,
)
from cfrontend.terms import FALSE, TRUE, Term, Terms

Tag: TypeAlias = tuple[object, ...]
"""Kind of a token: what has to be the same of two tokens besides their words."""

INTEGER: Final = ("integer",)
"""Beginning of the tag of every integer; its layout follows."""

CHARACTER: Final = ("character",)
"""The tag of every character."""


@final
@dataclass(frozen=True, slots=True)
class OutputToken:
    """Output token, printed where ``condition`` holds: equal tokens print the same."""

    condition: Term
    tag: Tag
    words: tuple[Term, ...] = ()
    text: tuple[Term, ...] | None = None


@final
@dataclass(frozen=True, slots=True)
class OutputPiece:
    """Piece of what one printf prints: plain text (``conversion`` is None), or a conversion with its arguments.

    ``known`` is its text, where no input decides that.
    """

    conversion: printf.PrintfConversion | None
    arguments: tuple[OutputEventArgument, ...]
    known: bytes | None


def output_pieces_of(t: Terms, event: OutputEvent) -> list[OutputPiece]:
    """The pieces of one printf, in order."""
    pieces: list[OutputPiece] = []
    left = event.arguments
    for piece in printf.parse_printf_format(event.format):
        if isinstance(piece, bytes):
            pieces.append(OutputPiece(None, (), piece))
            continue
        count = len(piece.arguments())
        given, left = left[:count], left[count:]
        known = [known_output_argument(t, argument) for argument in given]
        constants = [one for one in known if one is not None]
        text = render_printed(piece.text.encode(), constants) if len(constants) == count else None
        pieces.append(OutputPiece(_with_known_counts(t, piece, known), given, text))
    return pieces


def known_output_argument(t: Terms, argument: OutputEventArgument) -> PrintedArgument | None:
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


def output_tokens_of(t: Terms, event: OutputEvent, *, by_call: bool) -> list[OutputToken]:
    """The tokens of one printf; ``by_call``: as one token."""
    if not event.format:
        return []
    pieces = output_pieces_of(t, event)
    if by_call:
        words = tuple(word for piece in pieces for token in _converted(t, piece) for word in token.words)
        return [OutputToken(TRUE, (event.format,), words)]
    return [token for piece in pieces for token in output_tokens_of_piece(t, piece)]


def output_tokens_of_piece(t: Terms, piece: OutputPiece) -> list[OutputToken]:
    """The tokens of one piece: characters one by one, a number as a whole.

    A number is no sequence of digits here, so one program that prints the digits one by one of what another one prints
    as a number counts as different where the inputs are not those of one execution; whoever finds an execution looks
    at the text (``OutputEvent``) as well. Digits in plain text are looked at by ``literal_digits``.
    """
    return output_tokens_of_text(t, piece.known or b"") if piece.conversion is None else _converted(t, piece)


def output_tokens_of_text(t: Terms, text: bytes) -> list[OutputToken]:
    """The tokens of plain text: its characters."""
    return [OutputToken(TRUE, CHARACTER, (t.const(byte, 8),)) for byte in text]


def _converted(t: Terms, piece: OutputPiece) -> list[OutputToken]:
    """The tokens of one conversion; there are none of plain text."""
    conversion = piece.conversion
    if conversion is None:
        return []
    last = piece.arguments[-1]
    if conversion.kind == "c" and not conversion.width:
        return [OutputToken(TRUE, CHARACTER, (t.extract(last.value, 7, 0),))]
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
        return [OutputToken(_prints_something(t, layout, shown), (*INTEGER, layout), (*words, shown))]
    tag = (conversion.kind, conversion.flags, conversion.width, conversion.precision)
    if conversion.kind == "s":
        return [OutputToken(TRUE, tag, tuple(words), last.characters)]
    return [OutputToken(TRUE, (*tag, t.width[last.value]), (*words, last.value))]


def _counts(conversion: printf.PrintfConversion) -> list[printf.Count]:
    """What stands for the arguments before the last one of a conversion."""
    spelled = printf.printf_conversions(conversion.text.encode())[0]
    pairs = ((spelled.width, conversion.width), (spelled.precision, conversion.precision))
    return [now for before, now in pairs if before == "*"]


def _characters(t: Terms, characters: Sequence[Term]) -> list[OutputToken]:
    """The tokens of a string, one for each character up to its end."""
    tokens: list[OutputToken] = []
    inside = TRUE
    for character in characters:
        inside = t.and_(inside, t.not_(t.eq(character, t.const(0, 8))))
        if inside == FALSE:
            break
        tokens.append(OutputToken(inside, CHARACTER, (character,)))
    return tokens


def is_same_output_token(t: Terms, one: OutputToken, two: OutputToken) -> Term:
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


def _is_same_integer(t: Terms, one: OutputToken, two: OutputToken) -> Term:
    """The condition under which two conversions that are written otherwise print one integer as the same text."""
    if one.tag[:1] != INTEGER or two.tag[:1] != INTEGER:
        return FALSE
    mine, theirs = one.tag[1], two.tag[1]
    assert isinstance(mine, IntegerLayout)
    assert isinstance(theirs, IntegerLayout)
    if "*" in {mine.width, mine.precision, theirs.width, theirs.precision}:
        return FALSE
    a, b = one.words[-1], two.words[-1]
    return t.and_(t.eq(a, b), _within(t, a, integers_printed_alike(mine, theirs)))


def _prints_something(t: Terms, layout: IntegerLayout, word: Term) -> Term:
    """The condition under which an integer prints any character: ``%.0d`` prints no 0."""
    if "*" in {layout.width, layout.precision} or render_integer_layout(layout, 0):
        return TRUE
    return t.not_(t.eq(word, t.const(0, t.width[word])))


def _within(t: Terms, word: Term, ranges: Sequence[tuple[int, int]]) -> Term:
    """The condition that a signed word is in one of ``ranges``."""
    width = t.width[word]

    def bound(number: int) -> Term:
        return t.const(number % (1 << width), width)

    return t.any_of(t.and_(t.sle(bound(low), word), t.sle(word, bound(high))) for low, high in ranges)
