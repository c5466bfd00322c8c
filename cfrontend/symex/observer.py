r"""Output specification: an observer that checks the output of a program against a given text.

    expected b"sum 7", printed printf("sum %d", x)   ->   violated where  x != 7

The state counts how far into the text the output has come. Characters are compared one by one; a number that is not
known has to be the one that stands in the text. White space at the end of lines and of the text does not count; where
all of it is ignored, a row of it is one blank, and none at the beginning and the end:

    expected b"1 2\n3\n"   ->   printf("1  2 3") is right, printf("12 3") is not
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias, final

from cfrontend.errors import Location
from cfrontend.events import OutputEvent, OutputEventArgument
from cfrontend.stdio import printf
from cfrontend.stdio.printed import render_printed
from cfrontend.symex.machine import Observer, SymbolicMachine
from cfrontend.symex.state import MemoryObject
from cfrontend.symex.tokens import known_argument
from cfrontend.symex.unwritten import read_cell
from cfrontend.syntax.types import UINT
from cfrontend.terms import FALSE, Term, Terms
from cfrontend.terms.floats import FORMATS
from cfrontend.terms.floats.text import parse_float_text as real

_INTEGER: Final = re.compile(rb" *([-+]?\d+)")
_REAL: Final = re.compile(rb" *([-+]?\d+(?:\.\d*)?(?:[eE][-+]\d+)?)")
_BLANKS: Final = b" \t\r\v\f"
_SPACES: Final = _BLANKS + b"\n"
_BLANK: Final = ord(" ")

Step: TypeAlias = Callable[[int], Iterable[tuple[Term, int]]]
"""Transition function of the match: from a place in the text to the next places, with conditions.

The conditions exclude each other.
"""


@final
class OutputSpec(Observer):
    """Observer that checks the output against a text; ``property`` is violated where they differ.

    ``text`` is without white space at the ends of lines; with ``ignores_space`` it is words with a blank between them.
    """

    compares_output = True

    def __init__(self, expected: bytes, property_: str, ignores_space: bool) -> None:
        self.text: Final = comparable_output_spec(expected, ignores_space=ignores_space)
        self.property: Final = property_
        self.ignores_space: Final = ignores_space
        self._cell: MemoryObject | None = None

    def begin(self, m: SymbolicMachine) -> None:
        """Allocate the cell that counts how far the text was printed."""
        self._cell = m.new_object(m.layouts.of(UINT), "comparison", "comparison", "zero", Location("", 0))
        m.forget_the_reference()

    def prints(self, m: SymbolicMachine, event: OutputEvent) -> bool:
        """Match what the current state prints: False when no execution goes on."""
        frame = m.caller()
        if m.relax and frame is not None and frame.instruction().unit in m.relax:
            return self._anything(m)
        return all(self._go(m, step) for step in self._steps(m.t, event))

    def ends(self, m: SymbolicMachine, *, exits: bool, value: Sequence[Term]) -> bool:
        """Check at the end that all of the text was printed: False when no execution has."""
        key = self._key()
        whole = m.t.eq(read_cell(m, key), m.t.const(len(self.text), 32))
        m.violate(self.property, m.t.not_(whole))
        if whole != FALSE and m.assume(whole):
            return True
        m.drop()
        return False

    def _key(self) -> int:
        assert self._cell is not None
        return self._cell.base

    def _anything(self, m: SymbolicMachine) -> bool:
        """Match an angelic output: a relaxed unit prints as much of the expected text as it likes."""
        return goes_on_anywhere(m, self._key(), m.t.const(len(self.text), 32))

    def _go(self, m: SymbolicMachine, step: Step) -> bool:
        t, key = m.t, self._key()
        place = read_cell(m, key)
        found = m.values.of(place)
        places = range(len(self.text) + 1) if found is None else sorted(found)
        ways: dict[int, list[Term]] = {}
        for here in places:
            m.tick()
            at = t.eq(place, t.const(here, 32))
            for condition, there in step(here) if here <= len(self.text) else ():
                ways.setdefault(there, []).append(t.and_(at, condition))
        # One of them is assumed below: the place before, kept where none fits, would make later ones long for nothing.
        fits = {there: t.any_of(taken) for there, taken in ways.items()}
        after = place
        for number, (there, taken) in enumerate(fits.items()):
            after = t.ite(taken, t.const(there, 32), after) if number else t.const(there, 32)
        fit = t.any_of(fits.values())
        m.violate(self.property, t.not_(fit))
        m.writes[key] = after
        return fit != FALSE and m.assume(fit)

    def _steps(self, t: Terms, event: OutputEvent) -> Iterable[Step]:
        """The transitions of one printf, part by part."""
        left = list(event.arguments)
        for piece in printf.parse_printf_format(event.format):
            if isinstance(piece, bytes):
                yield from self._text(t, piece)
                continue
            count = len(piece.arguments())
            yield from self._converted(t, piece, left[:count])
            left = left[count:]

    def _text(self, t: Terms, text: bytes) -> Iterable[Step]:
        return [self._character(t, t.const(byte, 8)) for byte in text]

    def _character(self, t: Terms, character: Term) -> Step:
        """The transitions of one character: the one in the text, or white space before the end of a line or of all."""

        def step(place: int) -> Iterable[tuple[Term, int]]:
            expected = self.text[place] if place < len(self.text) else None
            if expected is not None:
                yield t.eq(character, t.const(expected, 8)), place + 1
            if expected is None or expected == ord("\n"):
                blanks = _BLANKS if expected is not None else _SPACES
                yield t.any_of(t.eq(character, t.const(blank, 8)) for blank in blanks), place

        def step_of_word(place: int) -> Iterable[tuple[Term, int]]:
            if place < len(self.text) and self.text[place] != _BLANK:
                yield t.eq(character, t.const(self.text[place], 8)), place + 1
            behind = self._behind_space(place)
            if behind is not None:
                yield t.any_of(t.eq(character, t.const(blank, 8)) for blank in _SPACES), behind

        return step_of_word if self.ignores_space else step

    def _behind_space(self, place: int) -> int | None:
        """The place in the words behind white space that is printed at ``place``; None within a word."""
        if place < len(self.text) and self.text[place] == _BLANK:
            return place + 1
        is_between = place in {0, len(self.text)} or self.text[place - 1] == _BLANK
        return place if is_between else None

    def _converted(
        self, t: Terms, piece: printf.PrintfConversion, arguments: Sequence[OutputEventArgument]
    ) -> Iterable[Step]:
        known = [known_argument(t, argument) for argument in arguments]
        constants = [one for one in known if one is not None]
        if len(constants) == len(known):
            return self._text(t, render_printed(piece.text.encode(), constants))
        last = arguments[-1]
        if piece.kind == "c" and piece.width is None:
            return [self._character(t, t.extract(last.value, 7, 0))]
        if piece.kind == "s" and piece.width is None and piece.precision is None:
            return self._string(t, last.characters or ())
        return [self._number(t, piece, last)]

    def _string(self, t: Terms, characters: Sequence[Term]) -> Iterable[Step]:
        """The transitions of a string: its characters up to the first that is zero."""
        inside = t.bool_const(True)
        for character in characters:
            inside = t.and_(inside, t.not_(t.eq(character, t.const(0, 8))))
            yield self._where(t, inside, self._character(t, character))

    def _where(self, t: Terms, condition: Term, step: Step) -> Step:
        def guarded(place: int) -> Iterable[tuple[Term, int]]:
            yield t.not_(condition), place
            for fits, there in step(place):
                yield t.and_(condition, fits), there

        return guarded

    def _number(self, t: Terms, piece: printf.PrintfConversion, argument: OutputEventArgument) -> Step:
        """The transitions of a symbolic number: it equals the one that stands in the text."""
        width = t.width[argument.value]
        pattern = _REAL if piece.kind in printf.REALS else _INTEGER

        def step(place: int) -> Iterable[tuple[Term, int]]:
            found = pattern.match(self.text, place)
            if found is None or piece.kind not in f"diu{printf.REALS}":
                return
            is_real = piece.kind in printf.REALS
            value = real(FORMATS[width], found[1].decode()) if is_real else int(found[1])
            if value is not None and -(1 << width) // 2 <= value < 1 << width:
                end = self._behind_padded(piece, place, found.start(1), found.end())
                if end is not None:
                    yield t.eq(argument.value, t.const(value % (1 << width), width)), end

        return step

    def _behind_padded(self, piece: printf.PrintfConversion, place: int, start: int, end: int) -> int | None:
        """The place behind a number from ``start`` to ``end`` that is printed at ``place``, if its blanks fit."""
        if not self.ignores_space or piece.width == "*":
            return end
        is_padded = (piece.width or 0) > end - start
        trails = is_padded and "-" in piece.flags
        leads = " " in piece.flags or (is_padded and not trails and "0" not in piece.flags)
        if start != (self._behind_space(place) if leads else place):
            return None
        return self._behind_space(end) if trails else end


def goes_on_anywhere(m: SymbolicMachine, key: int, last: Term) -> bool:
    """Let a relaxed unit move the position in cell ``key`` to any one up to the ``last``: False if there is none."""
    t, place = m.t, m.t.var(m.fresh_name(f"anything printed@{m.activation().context()}"), 32)
    possible = t.and_(t.ule(read_cell(m, key), place), t.ule(place, last))
    m.writes[key] = place
    return m.assume(possible)


def comparable_output_spec(text: bytes, *, ignores_space: bool = False) -> bytes:
    """A text without the white space that does not count; with ``ignores_space`` its words, a blank between them."""
    if ignores_space:
        return b" ".join(text.split())
    return b"\n".join(line.rstrip(_BLANKS) for line in text.split(b"\n")).rstrip()
