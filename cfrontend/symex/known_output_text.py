r"""Known output text: what the reference prints in one execution, by its place, and which numbers stand there.

text "12\n", a program that prints %d of x at 0   ->   x = 1, and the output goes on at 1, or x = 12, and at 2
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, final

from cfrontend.symex.integer_layouts import IntegerLayout, integer_layouts_in_text
from cfrontend.symex.tokens import OutputPiece, OutputToken, is_same_output_token, output_tokens_of_piece
from cfrontend.terms import FALSE, TRUE, Term, Terms

_LONGEST: Final = 24
"""Characters of the longest integer that is not filled up, with its sign and prefix."""


@final
class KnownOutputText:
    """The characters of a known output by their places, and the conversions that print some of them."""

    def __init__(self) -> None:
        self._bytes: Final[dict[int, int]] = {}
        self._wholes: Final[dict[int, list[OutputPiece]]] = {}

    def note(self, place: int, piece: OutputPiece) -> None:
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

    def readings(
        self, t: Terms, place: int, token: OutputToken, piece: OutputPiece
    ) -> Iterator[tuple[Term, int]]:
        """The lengths of what ``token``, of ``piece``, can print at ``place``, each with its condition."""
        if piece.known is not None and self.common(place, piece.known) == len(piece.known):
            yield TRUE, len(piece.known)
            return
        layout = token.tag[1] if token.tag[:1] == ("integer",) else None
        if isinstance(layout, IntegerLayout) and "*" not in {layout.width, layout.precision}:
            word = token.words[-1]
            width = t.width[word]
            for length, value in integer_layouts_in_text(layout, self._from(place, layout)):
                yield t.eq(word, t.const(value % (1 << width), width)), length
            return
        for other in self._wholes.get(place, ()):
            for whole in output_tokens_of_piece(t, other):
                if (same := is_same_output_token(t, whole, token)) != FALSE:
                    yield same, len(other.known or b"")

    def _from(self, place: int, layout: IntegerLayout) -> bytes:
        """The text from ``place`` on, as long as an integer of this layout can be."""
        assert layout.width != "*"
        assert layout.precision != "*"
        longest = _LONGEST + max(layout.width or 0, layout.precision or 0)
        found: list[int] = []
        while len(found) < longest and (byte := self._bytes.get(place + len(found))) is not None:
            found.append(byte)
        return bytes(found)
