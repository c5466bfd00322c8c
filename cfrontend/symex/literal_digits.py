r"""Literal digits: numbers that one version prints as plain text, where the other one may print them as such.

printf("0\n")  beside  printf("%d\n", n)   ->   the same where n = 0
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, final

from cfrontend.record import dataclass
from cfrontend.symex.integer_layouts import IntegerLayout, integer_layouts_in_text
from cfrontend.symex.tokens import INTEGER, OutputToken
from cfrontend.terms import Term, Terms

_NUMBER: Final = re.compile(rb"( *[-+]?[0-9]+)")


@final
@dataclass(frozen=True, slots=True)
class LiteralDigits:
    """Plain text with a number at its end, which the reference prints at ``position`` where ``condition`` holds."""

    condition: Term
    position: Term
    text: bytes

    def readings(self, t: Terms, token: OutputToken) -> Iterator[tuple[Term, int]]:
        """The lengths of what an integer can print here, each with its condition."""
        layout = _layout_of(token)
        if layout is None:
            return
        word = token.words[-1]
        width = t.width[word]
        for length, value in integer_layouts_in_text(layout, self.text):
            if length:
                yield t.eq(word, t.const(value % (1 << width), width)), length


def split_at_numbers(text: bytes) -> list[bytes]:
    """The parts of a text: those that end with a digit are numbers, with the blanks and the sign before them."""
    return [part for part in _NUMBER.split(text) if part]


def integers_at_end(token: OutputToken, text: bytes) -> Iterator[tuple[Term, int]]:
    """The word of an integer that can print all of ``text``, with the value that it has then."""
    layout = _layout_of(token)
    if layout is None:
        return
    for length, value in integer_layouts_in_text(layout, text):
        if length == len(text):
            yield token.words[-1], value


def _layout_of(token: OutputToken) -> IntegerLayout | None:
    """The layout of an integer whose width and precision are known."""
    layout = token.tag[1] if token.tag[:1] == INTEGER else None
    if not isinstance(layout, IntegerLayout) or "*" in {layout.width, layout.precision}:
        return None
    return layout
