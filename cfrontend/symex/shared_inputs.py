"""Shared inputs of a product program: the program reads what its reference has read at the same place.

The k-th input that the reference asks of a function is the k-th that the program asks of it; what is read from the
standard input is one sequence, whoever reads it. So inputs have names here, which both versions know.

On a vector, the program first executes alone, which says what the inputs of these names are (``SharedInputsAlone``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final, final

from cfrontend.bound import SMALL
from cfrontend.errors import Location, ResourceError, UnsupportedError
from cfrontend.events import InputEvent
from cfrontend.goto.product_program import PREFIX, ProductReference
from cfrontend.goto.reading_equivalence import (
    ReadingWay,
    is_same_reading,
    reading_way_of,
)
from cfrontend.record import dataclass
from cfrontend.source.contract import HARNESS_FILE
from cfrontend.stdio.scanf import ScanfConversion, scanf_directives
from cfrontend.symex.inputs import (
    FreeInputs,
    VectorInputs,
    input_as_word,
    input_place_name,
    miss_input,
    seen_input,
)
from cfrontend.symex.machine import InputSource, Observer, SymbolicMachine
from cfrontend.symex.paths import value_on_path
from cfrontend.symex.state import POSITION, MemoryObject
from cfrontend.symex.unwritten import read_cell
from cfrontend.syntax.input_domain import DIGITS, SPACES, TextDomain, intervals_of_codes
from cfrontend.syntax.types import UINT, ArrayType
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms.floats import FORMATS, FloatTerms
from cfrontend.terms.operators import CONST
from cfrontend.units import (
    FLOATING_TYPES,
    NEXT_CHARACTER,
    SAY_THE_END,
    SCANNED,
    SCANNED_CHARACTERS,
    SCANNED_WORD,
    SCANS,
    InputNumber,
    InputReading,
    InputSite,
    Supply,
)

# -- progress counters: cells that count the output, the inputs and the end of each version ------------------------

# They are part of the state, so they are merged where paths join, as all other cells are.

PRINTED: Final = 0
"""Number of the cell that counts the printed tokens: the position in the output."""

ENDED: Final = 1
"""Number of the cell that says how the execution ended."""

STATUS: Final = 2
"""Number of the cell with the exit status."""

STREAMS: Final = 3
"""Number of the first of the cells that count the inputs read, one for each input stream."""

RESULT: Final = 1 << 11
"""Number of the first of the cells that hold the words of the result."""

CALLED: Final = 1 << 12
"""Number of the cell that counts the calls of functions that nobody defines."""

EFFECTS: Final = CALLED - 1
"""Number of the cell that counts the side effects outside of the process, in characters and numbers of their text."""


@final
class ProgressCounters(Observer):
    """The object that holds the progress counters; an observer that begins with it, and compares nothing yet."""

    compares_output = True

    def __init__(self, reference: ProductReference) -> None:
        self.called: Final = (CALLED,) if reference.follows_calls else ()
        """The cell that counts the calls of functions that nobody defines, where either version makes some."""
        self._object: MemoryObject | None = None

    def begin(self, m: SymbolicMachine) -> None:
        """Allocate the cells."""
        layout = m.layouts.of(ArrayType(UINT, CALLED + 1))
        self._object = m.new_object(layout, "comparison", "comparison", "zero", Location("", 0))

    def cell(self, number: int) -> int:
        """The key of a cell."""
        assert self._object is not None
        return self._object.base + number


# -- shared inputs -------------------------------------------------------------------------------------------------

STANDARD_INPUT: Final = "stdin"
"""Name of the input stream of the standard input."""

_READERS: Final = SAY_THE_END | {SCANNED_WORD, SCANNED_CHARACTERS}
"""Names of the library models that read the standard input and files."""

_MOST_POSITIONS: Final = 512
"""Maximum number of positions of one input that are told apart, where paths read different numbers of inputs before it.
"""

_NUMBER: Final = 16
"""Bits of an input that is a number and no character."""


@final
@dataclass(frozen=True, slots=True)
class _Read:
    """Input read by the reference: its value where ``condition`` holds, first read at ``place``."""

    condition: Term
    value: Term
    place: Location


@final
@dataclass(frozen=True, slots=True)
class _Ahead:
    """Input that the reference has read after printing ``printed`` tokens, and that the program has yet to read."""

    event: InputEvent
    printed: int


@final
@dataclass(frozen=True, slots=True)
class _Turn:
    """Position of a read: an input of ``kind``, in a stream where ``position`` is one of ``places``."""

    stream: str
    kind: str
    position: Term
    places: Sequence[int]


class SharedStreamInputs(InputSource):
    """Stream inputs: an input source in which the state counts the position in each stream."""

    names_recur = True

    def __init__(self, reference: ProductReference, counters: ProgressCounters) -> None:
        self.reference: Final = reference
        self.counters: Final = counters
        self._streams: dict[str, int] = {}
        self._reads: dict[str, int] = {}
        self._once: set[str] = set()
        self._in_harness: dict[str, dict[Location, int]] = {}

    def at(self, m: SymbolicMachine, site: InputSite, width: int, context: str, turn: _Turn) -> Term:
        """The value of the input at a position."""
        raise NotImplementedError

    def next(self, m: SymbolicMachine, site: InputSite, width: int, context: str) -> Term:
        """The value of the next input of the stream that is read here."""
        t = m.t
        stream, kind = _stream(m, site, width)
        if self._is_in_harness(m, site):
            there = self._in_harness.setdefault(stream, {})
            place = there.setdefault(site.location, len(there))
            turn = _Turn(f"{HARNESS_FILE} {stream}", kind, t.const(place, 32), (place,))
            return self.at(m, site, width, context, turn)
        number = self._streams.setdefault(stream, len(self._streams))
        if STREAMS + number >= RESULT:
            raise ResourceError("too many functions that read inputs", site.location)
        key = self.counters.cell(STREAMS + number)
        position = value_on_path(t, m.path, read_cell(m, key))
        m.writes[key] = t.add(position, t.const(1, 32))
        reads = self._reads[stream] = self._reads.get(stream, 0) + 1
        turn = _Turn(stream, kind, position, _positions(m, position, reads, site))
        return self.at(m, site, width, context, turn)

    def position(self, m: SymbolicMachine) -> Term:
        """How many inputs of the standard input the current version has read."""
        number = self._streams.get(STANDARD_INPUT)
        return m.t.const(0, 32) if number is None else read_cell(m, self.counters.cell(STREAMS + number))

    def _is_in_harness(self, m: SymbolicMachine, site: InputSite) -> bool:
        """Whether the harness reads an input, which it does once: what other paths have read before does not matter."""
        frame = m.frame
        return (
            frame is not None
            and frame.outer is None
            and site.location.file == HARNESS_FILE
            and not frame.function.loops_around[frame.pc]
        )

    def name_here(self, m: SymbolicMachine, what: str) -> str:
        """The common name, in both versions, of a variable of the entry function before it is written."""
        frame = m.frame
        own = what.removeprefix(PREFIX)
        if (
            frame is None
            or frame.outer is not None
            or frame.function.loops_around[frame.pc]
            or own not in self.reference.locals
            or own in self._once
        ):
            return input_place_name(m, what)
        self._once.add(own)
        return f"both {own}"


@final
class SharedInputsAlone(SharedStreamInputs, VectorInputs):
    """Fixed inputs of the program executed alone; ``known`` are their values by name, out of ``source``.

    Where the vector of the source says nothing any more it is what the reference has read there, ``ahead``.
    """

    def __init__(
        self,
        reference: ProductReference,
        counters: ProgressCounters,
        source: VectorInputs,
        ahead: Mapping[str, tuple[int, int]],
    ) -> None:
        SharedStreamInputs.__init__(self, reference, counters)
        VectorInputs.__init__(self, source.vector)
        self._source: Final = source
        self._ahead: Final = ahead
        self.known: Final[dict[str, Term]] = {}

    def take(self, m: SymbolicMachine, site: InputSite, width: int, condition: Term, context: str) -> Term:
        """The next value of the vector, recorded under its context."""
        value = self.known[context] = self._source.take(m, site, width, condition, context)
        return value

    def at(self, m: SymbolicMachine, site: InputSite, width: int, context: str, turn: _Turn) -> Term:
        """The next value of the vector, recorded under each name that it can have."""
        value = self._read_ahead(m, width, turn)
        if value is None:
            value = self.take(m, site, width, TRUE, context)
        for place in turn.places:
            self.known[_name(turn.stream, place, turn.kind)] = value
        return value

    def _read_ahead(self, m: SymbolicMachine, width: int, turn: _Turn) -> Term | None:
        """What the reference has read of a stream where the vector says nothing of it; the position advances."""
        position = m.overlay.lookup(POSITION)
        assert position is not None
        number = m.t.value[position]
        if len(turn.places) != 1 or number is None or number >= len(self.vector):
            return None
        if self.vector[number] is not None:
            return None
        value, bits = self._ahead.get(_name(turn.stream, turn.places[0], turn.kind), (0, 0))
        if bits != width:
            return None
        m.writes[POSITION] = m.t.add(position, m.t.const(1, 32))
        return m.t.const(value, width)


class SharedInputs(SharedStreamInputs):
    """Shared input source: the program has the same inputs as the reference before it.

    ``names`` are those of the inputs that the reference reads. Where the two read another kind of input is
    ``differently_read``, and ``other_ways`` says how; at ``differently_typed`` they read one number as two types.
    """

    def __init__(self, reference: ProductReference, counters: ProgressCounters) -> None:
        super().__init__(reference, counters)
        self.names: Final[dict[str, Term]] = {}
        self.differently_read: Final[dict[Location, Term]] = {}
        self.differently_typed: Final[list[Location]] = []
        self.other_ways: Final[dict[Location, str]] = {}
        self._is_decimal: Final = reference.domain is not None and reference.domain.text.is_decimal
        self._end: Term | None = None
        self._characters: Final[dict[int, Term]] = {}
        self._widths: Final[dict[int, int]] = {}
        self._in_text: Final[dict[tuple[int | None, ...], Term]] = {}
        self._sites: Final[dict[Term, InputSite]] = {}
        self._kinds: Final[dict[tuple[str, int], dict[tuple[str, ReadingWay | None], _Read]]] = {}

    def go_on(self, m: SymbolicMachine) -> None:
        """Begin the program, with the same inputs: the reference has ended."""
        if self.reference.domain is not None and self.reference.domain.read_whole:
            self._end = self.position(m)
        for number in range(len(self._streams)):
            m.writes[self.counters.cell(STREAMS + number)] = m.t.const(0, 32)
        self._once.clear()
        self._reads.clear()
        self._in_harness.clear()

    def at(self, m: SymbolicMachine, site: InputSite, width: int, context: str, turn: _Turn) -> Term:
        """The value of the input of this kind, at each position that it can be at."""
        t, stream, kind = m.t, turn.stream, turn.kind
        chosen: Term | None = None
        for place in turn.places:
            here = TRUE if len(turn.places) == 1 else t.eq(turn.position, t.const(place, 32))
            if m.is_reference:
                self.derive(m, stream, place, kind)
            condition = t.and_(m.path.term, here)
            one = self.value(m, _name(stream, place, kind), width, site)
            self.note_order(m, (stream, place), InputEvent(site=site, value=one, condition=TRUE))
            if kind not in SAY_THE_END:
                self._keep_small(m, one, site)
            if self.reference.domain is not None and stream == STANDARD_INPUT:
                self._keep_in_text(m, self.reference.domain.text, place, one, site)
                self._keep_end(m, place, one, site)
            self._note_kind(m, (stream, place), kind, one, condition, site)
            chosen = one if chosen is None else t.ite(here, one, chosen)
        assert chosen is not None
        return chosen

    def parameter(self, m: SymbolicMachine, site: InputSite, width: int, name: str, condition: Term) -> Term:
        """The value of the input ``name``."""
        value = self.value(m, name, width, site)
        self._keep_small(m, value, site)
        return value

    def value(self, m: SymbolicMachine, name: str, width: int, site: InputSite) -> Term:
        """The value of the input ``name``: a variable."""
        variable = m.variable(name, width)
        if m.is_reference:
            self.names[name] = variable
        if m.is_reference and m.path.term == TRUE:
            m.born(variable)  # whoever executes reads it
        return variable

    def unwritten(self, m: SymbolicMachine, value: Term, leaf: Term, condition: Term) -> Term:
        """The input that a never-written cell is; the reference may read only one that both versions have."""
        if m.is_reference and not self.may_read_unwritten(m.t.names[leaf], leaf):
            m.cut_where(condition, m.sites[leaf].location)
            return value
        return super().unwritten(m, value, leaf, condition)

    def takes_certain_cells(self, m: SymbolicMachine) -> bool:
        """False in the reference, whose executions end where it may read a cell of its own."""
        return not m.is_reference and super().takes_certain_cells(m)

    def may_read_unwritten(self, name: str, value: Term) -> bool:
        """Whether the reference may read memory that was never written: only what both versions have.

        Of a text, one of them may have stored what the other one could not read: nothing is expected then.
        """
        return name.startswith("?both ") and not self.reference.reads_text

    def note(self, m: SymbolicMachine, event: InputEvent) -> None:
        """Note that an input is read, which counts where the program itself reads it."""
        if m.is_reference:
            self._sites[event.value] = event.site
        else:
            super().note(m, event)

    def site_of(self, m: SymbolicMachine, value: Term) -> InputSite | None:
        """The place where either version has read an input first."""
        return self._sites.get(value) or super().site_of(m, value)

    def note_order(self, m: SymbolicMachine, place: tuple[str, int], event: InputEvent) -> None:
        """Note the order: the input at ``place`` of a stream is read."""

    def derive(self, m: SymbolicMachine, stream: str, place: int, kind: str) -> None:
        """The value of the input at ``place`` of a stream, which the reference reads as one of this kind."""

    def unread(self, stopped: int | None) -> tuple[InputEvent, ...]:
        """Inputs that the reference has read, and the program has not, before their outputs differ at ``stopped``."""
        return ()

    def _keep_small(self, m: SymbolicMachine, value: Term, site: InputSite) -> None:
        """Assume small inputs where non-termination counts: numbers with which no program that ends takes long."""
        t, width = m.t, m.t.width[value]
        if m.bound.patience is None or width < _NUMBER or site.floating or self.is_fixed:
            return
        least = t.const(-SMALL if site.signed else 0, width)
        compare = t.sle if site.signed else t.ule
        m.assume(t.and_(compare(least, value), compare(value, t.const(SMALL, width))))

    def _keep_in_text(
        self, m: SymbolicMachine, text: TextDomain, place: int, value: Term, site: InputSite
    ) -> None:
        """Assume that a character is one of the domain, and stands behind the ones before as it has to."""
        reading = _reading_as_own(site)
        if reading is None or not reading.is_character:
            return
        end = -1 if reading.function == NEXT_CHARACTER else 0 if reading.function == SCANNED_WORD else None
        before = tuple(self._characters.get(place - n) for n in range(1, max(text.digits, 2) + 1))
        self._characters[place] = value
        asked = (place == 0, end, value, *before)
        if (constraint := self._in_text.get(asked)) is None:
            constraint = domain_constraint(m.t, text, value, before, is_first=place == 0, end=end)
            self._in_text[asked] = constraint
        m.assume(constraint)
        self._keep_short(m, text, place, value, reading)

    def _keep_short(
        self, m: SymbolicMachine, text: TextDomain, place: int, value: Term, reading: InputReading
    ) -> None:
        """Assume that a character makes no word and no line of the text too long."""
        if reading.function not in (NEXT_CHARACTER, SCANNED_WORD):
            return
        width = 0 if reading.function == NEXT_CHARACTER else _width_of_conversion(reading)
        self._widths[place] = width
        for longest, row_of in ((text.longest_word, OF_WORDS), (text.longest_line, OF_LINES)):
            if longest is None or place < longest:
                continue
            places = range(place, place - longest - 1, -1)
            if all(self._is_read_on(one, longest) for one in places):
                m.assume(length_constraint(m.t, [self._characters[one] for one in places], row_of))

    def _is_read_on(self, place: int, longest: int) -> bool:
        """Whether the character at a place is known, and what has read it goes on behind so many of them."""
        width = self._widths.get(place)
        return width is not None and (width == 0 or width > longest)

    def _keep_end(self, m: SymbolicMachine, place: int, value: Term, site: InputSite) -> None:
        """Assume that nothing but white space and the end stand behind what the reference reads."""
        t, reading = m.t, _reading_as_own(site)
        if m.is_reference or self._end is None or reading is None or reading.function not in SAY_THE_END:
            return
        nothing = t.eq(value, t.const(-1, t.width[value]))
        if reading.function == NEXT_CHARACTER:
            nothing = t.or_(nothing, is_space(t, value))
        m.assume(t.implies(t.ule(self._end, t.const(place, 32)), nothing))

    def _note_kind(
        self,
        m: SymbolicMachine,
        place: tuple[str, int],
        kind: str,
        value: Term,
        condition: Term,
        site: InputSite,
    ) -> None:
        """Assume that program and reference read the same text here.

        Executions in which they read what has no text in common, or none that is followed, are left out.
        """
        t, kinds = m.t, self._kinds.setdefault(place, {})
        way = reading_way_of(_reading_as_own(site))
        if m.is_reference:
            before = kinds.get((kind, way))
            read = condition if before is None else t.or_(before.condition, condition)
            kinds[kind, way] = _Read(
                read, value, m.place_of(site.location) if before is None else before.place
            )
            return
        apart = FALSE
        for (other, their_way), theirs in kinds.items():
            is_same_way = is_same_reading(
                way, their_way, with_spaces=self.reference.counts_spaces, is_decimal=self._is_decimal
            )
            both = FALSE if other == kind and is_same_way else t.and_(condition, theirs.condition)
            if both == FALSE:
                continue
            found = kinds_of_one_text(m.floats, kind, value, other, theirs.value) if is_same_way else None
            same, of_all = found or (FALSE, False)
            if of_all:
                m.assume(t.implies(both, same))
                if not kinds_of_one_character(kind, other):
                    _add(self.differently_typed, m.place_of(site.location))
                continue
            apart = t.or_(apart, t.and_(both, t.not_(same)))
            if not is_same_way and way is not None and their_way is not None:
                how = f"by {way} what that reads by {their_way} at {theirs.place}"
                self.other_ways.setdefault(m.place_of(site.location), how)
        if apart != FALSE:
            where, here = m.place_of(site.location), t.and_(m.path.term, apart)
            if here != FALSE:
                self.differently_read[where] = t.or_(self.differently_read.get(where, FALSE), here)
            m.cut_where(apart, site.location)


@final
class SharedFreeInputs(SharedInputs, FreeInputs):
    """Shared free inputs: each is a variable."""

    def __init__(self, reference: ProductReference, counters: ProgressCounters) -> None:
        SharedInputs.__init__(self, reference, counters)
        FreeInputs.__init__(self)

    def may_read_unwritten(self, name: str, value: Term) -> bool:
        """Whether the reference may read memory that was never written, which is an input of it then."""
        self.names[name] = value
        return super().may_read_unwritten(name, value)


@final
class SharedFixedInputs(SharedInputs, VectorInputs):
    """Shared fixed inputs, ``known`` by name; ``supply`` adds what only the reference reads.

    Of the ``vector`` from which they came only the length counts.
    """

    def __init__(
        self,
        reference: ProductReference,
        counters: ProgressCounters,
        vector: Sequence[InputNumber | None],
        known: Mapping[str, Term],
        supply: Supply | None,
    ) -> None:
        SharedInputs.__init__(self, reference, counters)
        VectorInputs.__init__(self, vector)
        self._known: Final = dict(known)
        self._supply: Final = supply
        self._unread: Final[dict[tuple[str, int], _Ahead]] = {}

    def take(self, m: SymbolicMachine, site: InputSite, width: int, condition: Term, context: str) -> Term:
        """The value of the input that is known as ``context``."""
        return seen_input(m, site, self.value(m, context, width, site))

    def value(self, m: SymbolicMachine, name: str, width: int, site: InputSite) -> Term:
        """The value of the input ``name``, as it is known; a variable where it is not and units are relaxed."""
        known = self._known.get(name)
        if known is None and self._supply is not None and (number := self._supply(_as_own(site))) is not None:
            known = self._known[name] = input_as_word(m, number, site, width)
        if known is not None and m.t.width[known] == width:
            self.names[name] = known
            return known
        if not m.relax:
            miss_input(site)
        return super().value(m, name, width, site)

    def note(self, m: SymbolicMachine, event: InputEvent) -> None:
        """Note that an input is read: the position advances.

        Beside a reference the vector says only how many inputs there are.
        """
        if not m.is_reference:
            t = m.t
            position = m.overlay.lookup(POSITION)
            assert position is not None
            moved = t.add(position, t.const(1, 32))
            is_whole_path = event.condition == m.path.term
            m.writes[POSITION] = moved if is_whole_path else t.ite(event.condition, moved, position)
        super().note(m, event)

    def note_order(self, m: SymbolicMachine, place: tuple[str, int], event: InputEvent) -> None:
        """Note the order: an input that the reference reads waits to be read by the program, too."""
        if not m.is_reference:
            self._unread.pop(place, None)
        elif (printed := m.t.value[read_cell(m, self.counters.cell(PRINTED))]) is not None:
            self._unread[place] = _Ahead(replace(event, site=_as_own(event.site)), printed)

    def unread(self, stopped: int | None) -> tuple[InputEvent, ...]:
        """Inputs that the reference has read, and the program has not, before their outputs differ at ``stopped``."""
        return tuple(one.event for one in self._unread.values() if stopped is None or one.printed <= stopped)

    def derive(self, m: SymbolicMachine, stream: str, place: int, kind: str) -> None:
        """The value of an input, known as what the program reads, that the reference reads as another kind."""
        if _name(stream, place, kind) in self._known:
            return
        before = _name(stream, place, "")
        for name, known in self._known.items():
            if name.startswith(before):
                value = converted_kind(m.floats, name.removeprefix(before), known, kind)
                if value is not None:
                    self._known[_name(stream, place, kind)] = value
                return


def _width_of_conversion(reading: InputReading) -> int:
    """The width of the conversion that a model of ``scanf`` reads characters for; 0: any."""
    parts = [part for part in scanf_directives(reading.format) if isinstance(part, ScanfConversion)]
    return parts[-1].width if parts else 0


def _positions(m: SymbolicMachine, position: Term, reads: int, site: InputSite) -> Sequence[int]:
    """The possible values of ``position`` at the read that is the ``reads``-th on whatever path.

    A path with more reads than can be compared is refused.
    """
    found = m.values.of(position)
    if found is not None:
        return sorted(found)
    if reads > _MOST_POSITIONS:
        many = UnsupportedError("too many inputs to compare with those of the reference", site.location)
        m.refused[many] = m.path.term
        m.cut_where(TRUE, site.location)
        return (0,)
    return range(reads)


def _stream(m: SymbolicMachine, site: InputSite, width: int) -> tuple[str, str]:
    """The input stream that is read here, and the kind of the read: equal kinds have the same values.

    A function of the library that is no reader of the standard input has a sequence of its own, as has each
    function of the dialects.
    """
    kind = input_kind_of(site, width)
    frame = m.activation()
    if not frame.function.source.foreign:
        return (site.function or STANDARD_INPUT), kind
    reader = frame.function.source.name.removeprefix(PREFIX)
    if reader in _READERS:
        return STANDARD_INPUT, reader
    while frame.outer is not None and frame.outer.function.source.foreign:
        frame = frame.outer
    return frame.function.source.name.removeprefix(PREFIX), kind


def _as_own(site: InputSite) -> InputSite:
    """An input of the reference, with the names that the library has in the program."""
    if site.reading is None:
        return site
    name = site.name.removeprefix(PREFIX)
    name = f"{SCANNED}()" if name.startswith(SCANS) else name
    return replace(site, name=name, reading=_reading_as_own(site))


def _reading_as_own(site: InputSite) -> InputReading | None:
    """How the library reads an input, by the name that its function has in the program."""
    reading = site.reading
    if reading is None or not reading.function.startswith(PREFIX):
        return reading
    return replace(reading, function=reading.function.removeprefix(PREFIX))


def _add(places: list[Location], place: Location) -> None:
    """Append a place unless it is there."""
    if place not in places:
        places.append(place)


def _name(stream: str, place: int, kind: str) -> str:
    return f"{stream}<{place}> {kind}"


# -- input kinds: what one text gives to two reads of different types ----------------------------------------------

# reference: scanf("%lld", &a)      program: scanf("%d", &b)      ->  b is the low half of a
# reference: scanf("%lf", &x)       program: scanf("%d", &b)      ->  b is x, where x is an integer of its range
# reference: c = getchar()          program: scanf("%c", &d)      ->  d is c, and not the end of the input

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


def converted_kind(floats: FloatTerms, source: str, value: Term, target: str) -> Term | None:
    """The value as kind ``target`` of a text that gives ``value`` as kind ``source``.

    None where they are neither both numbers nor both one character.
    """
    if kinds_of_one_character(source, target):
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


def kinds_of_one_text(
    floats: FloatTerms, one: str, first: Term, two: str, second: Term
) -> tuple[Term, bool] | None:
    """(possible, certain): whether a text, or every text, gives ``first`` as kind ``one`` and ``second`` as ``two``.

    None where they are neither both numbers nor both one character. Of an integer and a real number only integers are
    followed.
    """
    if kinds_of_one_character(one, two):
        whole, letter = (first, second) if one == NEXT_CHARACTER else (second, first)
        return floats.t.eq(whole, floats.t.zext(letter, _CHARACTER_BITS)), True
    mine, theirs = _number(one), _number(two)
    if mine is None or theirs is None:
        return None
    from_first = mine.width >= theirs.width if mine.real == theirs.real else theirs.real
    given = (
        converted_kind(floats, one, first, two) if from_first else converted_kind(floats, two, second, one)
    )
    if given is None:
        return None
    return floats.t.eq(given, second if from_first else first), mine.real == theirs.real


def kinds_of_one_character(one: str, two: str) -> bool:
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


# -- domain of a text, as constraints on its characters ------------------------------------------------------------

OF_WORDS: Final = frozenset(range(1, 256)) - SPACES
"""Codes of the characters of words."""

OF_LINES: Final = frozenset(range(1, 256)) - frozenset(b"\n\v\f\r")
"""Codes of the characters of lines."""

_OF_NUMBERS: Final = DIGITS | frozenset(b".")


def domain_constraint(
    t: Terms,
    text: TextDomain,
    character: Term,
    before: Sequence[Term | None],
    *,
    is_first: bool,
    end: int | None,
) -> Term:
    """Whether ``character`` may stand behind those ``before`` it, the last one first, where they are known.

    ``is_first``: it begins the text. ``end`` is what stands for the end of the text (-1), or of a word, which may be
    anywhere.
    """
    row = (character, *before)
    if all(one is None or t.op[one] == CONST for one in row):
        codes = tuple(None if one is None else (t.value[one] or 0, t.width[one]) for one in row)
        return TRUE if _is_in_text_domain(text, codes, is_first=is_first, end=end) else FALSE
    return _constraint(t, text, character, before, is_first=is_first, end=end)


@cache
def _is_in_text_domain(
    text: TextDomain, codes: tuple[tuple[int, int] | None, ...], *, is_first: bool, end: int | None
) -> bool:
    """Whether the first character may stand behind the others: codes and widths, as of an execution on a given text."""
    t = Terms()
    character, *before = (None if code is None else t.const(*code) for code in codes)
    assert character is not None
    return _constraint(t, text, character, before, is_first=is_first, end=end) == TRUE


def _constraint(
    t: Terms,
    text: TextDomain,
    character: Term,
    before: Sequence[Term | None],
    *,
    is_first: bool,
    end: int | None,
) -> Term:
    """The constraint of ``domain_constraint`` as a term, whether or not the characters are known."""
    last, second, *_ = before
    digit, ends = _is_one_of(t, character, DIGITS), FALSE if end is None else _is(t, character, end)
    parts = [t.or_(ends, _is_one_of(t, character, text.characters))]
    if is_first:
        parts.append(_may_follow(t, text, "", character, ends, is_end=end == -1))
    if last is not None:
        for kind, codes in text.kinds().items():
            follows = _may_follow(t, text, kind, character, ends, is_end=end == -1)
            parts.append(t.implies(_is_one_of(t, last, codes), follows))
        if not text.padded:
            inside = FALSE if second is None else _is_one_of(t, second, _OF_NUMBERS)
            parts.append(t.not_(t.all_of([_is(t, last, ord("0")), t.not_(inside), digit])))
    row = [one for one in before[: text.digits] if one is not None]
    if len(row) == text.digits:
        parts.append(t.not_(t.all_of([digit, *(_is_one_of(t, one, DIGITS) for one in row)])))
    return t.all_of(parts)


def length_constraint(t: Terms, row: Iterable[Term], row_of: frozenset[int]) -> Term:
    """Whether not all characters of a ``row`` are ``row_of``, one more than a word or a line may have."""
    row = list(row)
    if any(t.op[one] == CONST and t.value[one] not in row_of for one in row):
        return TRUE
    return t.not_(t.all_of([_is_one_of(t, one, row_of) for one in row]))


def _may_follow(t: Terms, text: TextDomain, kind: str, character: Term, ends: Term, *, is_end: bool) -> Term:
    """Whether a character, or the end, may stand behind a character of this kind."""
    allowed = _is_one_of(t, character, text.after(kind))
    return t.or_(allowed, ends) if not is_end or (kind, "") in text.pairs else allowed


def is_space(t: Terms, character: Term) -> Term:
    """Whether a character is white space."""
    return _is_one_of(t, character, SPACES)


def _is(t: Terms, character: Term, code: int) -> Term:
    return t.eq(character, t.const(code, t.width[character]))


def _is_one_of(t: Terms, character: Term, codes: Iterable[int]) -> Term:
    """Whether a character has one of these codes: a disjunction over intervals of them."""
    return t.any_of(
        _is_between(t, character, least, greatest) for least, greatest in intervals_of_codes(frozenset(codes))
    )


def _is_between(t: Terms, character: Term, least: int, greatest: int) -> Term:
    if least == greatest:
        return _is(t, character, least)
    width = t.width[character]
    above = t.ule(t.const(least, width), character)
    return t.and_(above, t.ule(character, t.const(greatest, width)))
