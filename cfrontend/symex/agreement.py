"""A program executed beside its reference, on the same inputs: what both print and how they end has to agree.

    reference:  printf("%d", x)      program:  printf("%d", y)
    ->  violation of the property at the program's printf:  x != y

The reference runs first, on the machine that runs the program afterwards, so that one formula holds both. What it
prints is kept as a list of tokens, each with its condition and its position in the output; a token of the program has
to be the one at its position. Positions and counts of inputs are cells of the state, so they join as all others do.

The k-th input that the reference asks of a function is the k-th that the program asks of it; what is read from the
standard input is one sequence, whoever reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, final

from cfrontend import printf
from cfrontend.errors import Location, ResourceError
from cfrontend.formula import SMALL, InputEvent, OutputArgument, OutputEvent
from cfrontend.record import dataclass
from cfrontend.reference import PREFIX, Reference
from cfrontend.symex.kinds import converted, kind_of, of_one_text, reads_one_character
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.types import UINT, ArrayType
from cfrontend.units import (
    SAY_THE_END,
    SCANNED,
    SCANNED_CHARACTERS,
    SCANNED_WORD,
    SCANS,
    InputSite,
    Supply,
    UnitId,
)
from cfrontend.ways import Way, alike, way_of

if TYPE_CHECKING:
    from cfrontend.symex.machine import Machine
    from cfrontend.symex.state import MemoryObject, State

Phase: TypeAlias = Literal["alone", "reference", "program"]
"""Whose inputs are read: of the program without its reference, or of one of the two."""

Tag: TypeAlias = tuple[object, ...]
"""What has to be the same of two tokens besides their words."""

_PRINTED, _ENDED, _STATUS, _STREAMS = range(4)
"""Cells of the object that counts: the position in the output, how the run ended, then one for each stream, ..."""

_RESULT: Final = 1 << 11
_OBSERVED: Final = 1 << 12
"""... from here on those of the result, and from here on one for each place that is observed."""

STANDARD_INPUT: Final = "stdin"
"""The stream of what is read from the standard input."""

_READERS: Final = SAY_THE_END | {SCANNED_WORD, SCANNED_CHARACTERS}
"""Models of the library that read the standard input and files."""

_MOST_POSITIONS: Final = 512
"""Positions of one input that are told apart, where it depends on the path how many came before."""

_LENGTH_BITS: Final = {"hh": 8, "h": 16, "": 32}

_NUMBER: Final = 16
"""Bits of an input that is no character."""

_WIDE: Final = 72
"""Bits in which every integer that is printed keeps its value."""


@final
@dataclass(frozen=True, slots=True)
class Token:
    """A part of what is printed where ``condition`` holds: equal tokens print the same."""

    condition: Term
    tag: Tag
    words: tuple[Term, ...] = ()
    text: tuple[Term, ...] | None = None


@final
@dataclass(frozen=True, slots=True)
class _Logged:
    """A token that the reference prints at ``position``."""

    token: Token
    position: Term


@final
@dataclass(frozen=True, slots=True)
class _Read:
    """The value of an input where ``condition`` holds, which is where the reference reads it, first at ``place``."""

    condition: Term
    value: Term
    place: Location


@final
@dataclass(frozen=True, slots=True)
class _Ahead:
    """An input that the reference has read behind ``printed`` tokens of its output."""

    event: InputEvent
    printed: int


@final
@dataclass(slots=True)
class Agreement:
    """The comparison of one run.

    ``known`` are the values of inputs by name, None where they are not fixed, to which ``supply`` adds what only the
    reference reads; ``names`` are those of the inputs that the reference reads. ``outputs`` is what it prints.
    ``widths`` are the bits of the words of the result of a function other than main, ``pointers`` the numbers of those
    that are pointers; ``uncompared`` is where the two cannot be compared, by the reason. ``ended`` are the
    states in which the reference has come to its end, ``initial`` the scalars of global variables that were written
    before the entry function runs, by key and number.
    """

    reference: Reference
    terms: Terms
    phase: Phase
    known: dict[str, Term] | None = None
    supply: Supply | None = None
    outputs: list[OutputEvent] = field(default_factory=list)
    names: dict[str, Term] = field(default_factory=dict)
    widths: tuple[int, ...] = ()
    ended: list[State] = field(default_factory=list)
    initial: dict[str, dict[int, Term]] = field(default_factory=dict)
    differently_read: dict[Location, Term] = field(default_factory=dict)
    differently_typed: list[Location] = field(default_factory=list)
    pointers: frozenset[int] = frozenset()
    uncompared: dict[str, Term] = field(default_factory=dict)
    other_ways: dict[Location, str] = field(default_factory=dict)
    _cells: MemoryObject | None = None
    _streams: dict[str, int] = field(default_factory=dict)
    _reads: dict[str, int] = field(default_factory=dict)
    _at: dict[tuple[int, int], list[_Logged]] = field(default_factory=dict)
    _anywhere: dict[int, list[_Logged]] = field(default_factory=dict)
    _kinds: dict[tuple[str, int], dict[tuple[str, Way | None], _Read]] = field(default_factory=dict)
    _once: set[str] = field(default_factory=set)
    _unread: dict[tuple[str, int], _Ahead] = field(default_factory=dict)
    _stopped: int | None = None
    _end: tuple[Term, ...] = ()

    # -- the two runs ----------------------------------------------------------------------------------------

    def begin(self, m: Machine) -> None:
        """Make the cells that count."""
        cells = _OBSERVED + 1 + max(self.reference.sites.values(), default=0)
        layout = m.layouts.of(ArrayType(UINT, cells))
        self._cells = m.new_object(layout, "comparison", "comparison", "zero", Location("", 0))

    def go_on(self, m: Machine) -> None:
        """The reference has ended: the program begins, with the same inputs."""
        self._end = self.result(m)
        streams = range(_STREAMS, _STREAMS + len(self._streams))
        for cell in (_PRINTED, _ENDED, _STATUS, *streams, *self._observed()):
            m.writes[self._cell(cell)] = self.terms.const(0, 32)
        self._once.clear()
        self._reads.clear()
        m.forget_the_reference()
        self.phase = "program"

    def _cell(self, number: int) -> int:
        assert self._cells is not None
        return self._cells.base + number

    # -- inputs ----------------------------------------------------------------------------------------------

    def next_input(self, m: Machine, site: InputSite, width: int, fresh: str) -> Term:
        """The value of the next input of the stream that is read here."""
        stream, kind = _stream(m, site, width)
        number = self._streams.setdefault(stream, len(self._streams))
        if _STREAMS + number >= _RESULT:
            raise ResourceError("too many functions that read inputs", site.location)
        key = self._cell(_STREAMS + number)
        position = m.read(key)
        m.writes[key] = self.terms.add(position, self.terms.const(1, 32))
        reads = self._reads[stream] = self._reads.get(stream, 0) + 1
        places = self._positions(m, position, reads, site)
        if self.phase == "alone":
            value = m.next_of_vector(site, width, TRUE, fresh)
            assert self.known is not None
            for place in places:
                self.known[_name(stream, place, kind)] = value
            return value
        t = self.terms
        chosen: Term | None = None
        for place in places:
            here = TRUE if len(places) == 1 else t.eq(position, t.const(place, 32))
            if self.phase == "reference":
                self._derive(m, stream, place, kind)
            condition = t.and_(m.path.term, here)
            one = self.value(m, _name(stream, place, kind), width, site)
            self._note_order(m, (stream, place), InputEvent(site=site, value=one, condition=TRUE))
            if kind not in SAY_THE_END:
                self.keep_small(m, one, site)
            self._note_kind(m, (stream, place), kind, one, condition, site)
            chosen = one if chosen is None else t.ite(here, one, chosen)
        assert chosen is not None
        return chosen

    def value(self, m: Machine, name: str, width: int, site: InputSite) -> Term:
        """The value of the input ``name``: a variable, or what it is known to be."""
        if self.known is not None:
            known = self.known.get(name)
            if (
                known is None
                and self.supply is not None
                and (number := self.supply(_as_own(site))) is not None
            ):
                known = self.known[name] = m.as_word(number, site, width)
            if known is not None and self.terms.width[known] == width:
                self.names[name] = known
                return known
            if not m.is_free:
                m.miss(site)
        variable = m.variable(name, width)
        if self.phase == "reference":
            self.names[name] = variable
        if self.phase == "reference" and m.path.term == TRUE:
            m.born(variable)  # whoever runs reads it
        return variable

    def _note_order(self, m: Machine, place: tuple[str, int], event: InputEvent) -> None:
        """On fixed inputs, what the reference reads waits to be read by the program, too."""
        if m.vector is None:
            return
        if self.phase == "program":
            self._unread.pop(place, None)
        elif (printed := self.terms.value[m.read(self._cell(_PRINTED))]) is not None:
            self._unread[place] = _Ahead(replace(event, site=_as_own(event.site)), printed)

    @property
    def unread(self) -> tuple[InputEvent, ...]:
        """What the reference has read, and the program has not, before what they print first differs."""
        stopped = self._stopped
        return tuple(one.event for one in self._unread.values() if stopped is None or one.printed <= stopped)

    def keep_small(self, m: Machine, value: Term, site: InputSite) -> None:
        """Where it counts whether a program ends, what is read is a number with which none that does takes long."""
        t, width = self.terms, self.terms.width[value]
        if m.bound.patience is None or width < _NUMBER or site.floating or m.vector is not None:
            return
        least = t.const(-SMALL if site.signed else 0, width)
        compare = t.sle if site.signed else t.ule
        m.assume(t.and_(compare(least, value), compare(value, t.const(SMALL, width))))

    def _derive(self, m: Machine, stream: str, place: int, kind: str) -> None:
        """The value of an input that is known as what the program reads, and that the reference reads otherwise."""
        if self.known is None or _name(stream, place, kind) in self.known:
            return
        before = _name(stream, place, "")
        for name, known in self.known.items():
            if name.startswith(before):
                value = converted(m.floats, name.removeprefix(before), known, kind)
                if value is not None:
                    self.known[_name(stream, place, kind)] = value
                return

    def _note_kind(
        self, m: Machine, place: tuple[str, int], kind: str, value: Term, condition: Term, site: InputSite
    ) -> None:
        """What the program reads here is the text that the reference has read here.

        Executions in which they read what has no text in common, or none that is followed, are left out.
        """
        t, kinds = self.terms, self._kinds.setdefault(place, {})
        way = way_of(_as_own(site).reading)
        if self.phase == "reference":
            before = kinds.get((kind, way))
            read = condition if before is None else t.or_(before.condition, condition)
            kinds[kind, way] = _Read(
                read, value, m.place_of(site.location) if before is None else before.place
            )
            return
        apart = FALSE
        for (other, their_way), theirs in kinds.items():
            is_same_way = alike(way, their_way, with_spaces=self.reference.counts_spaces)
            both = FALSE if other == kind and is_same_way else t.and_(condition, theirs.condition)
            if both == FALSE:
                continue
            found = of_one_text(m.floats, kind, value, other, theirs.value) if is_same_way else None
            same, of_all = found or (FALSE, False)
            if of_all:
                m.assume(t.implies(both, same))
                if not reads_one_character(kind, other):
                    _add(self.differently_typed, m.place_of(site.location))
                continue
            apart = t.or_(apart, t.and_(both, t.not_(same)))
            if not is_same_way and way is not None and their_way is not None:
                how = f"by {way} what that reads by {their_way} at {theirs.place}"
                self.other_ways.setdefault(m.place_of(site.location), how)
        if apart != FALSE:
            m.cut_where(apart, site.location)
            where, here = m.place_of(site.location), t.and_(m.path.term, apart)
            if here != FALSE:
                self.differently_read[where] = t.or_(self.differently_read.get(where, FALSE), here)
            m.assume(t.not_(apart))

    def _positions(self, m: Machine, position: Term, reads: int, site: InputSite) -> Sequence[int]:
        """The positions that ``position`` can be at the read that is the ``reads``-th on whatever path."""
        found = m.values.of(position)
        if found is not None:
            return sorted(found)
        if reads > _MOST_POSITIONS:
            raise ResourceError("too many inputs to compare with those of the reference", site.location)
        return range(reads)

    def unwritten(self, m: Machine, key: str) -> str | None:
        """A name, the same in both versions, for what a variable of the entry function is before it is written."""
        frame = m.frame
        own = key.removeprefix(PREFIX)
        if (
            frame is None
            or frame.outer is not None
            or frame.function.loops_around[frame.pc]
            or own not in self.reference.locals
            or own in self._once
        ):
            return None
        self._once.add(own)
        return f"both {own}"

    def may_read_unwritten(self, name: str, value: Term) -> bool:
        """Whether memory that was never written may be read: not by the reference, unless both have it.

        Of a text, one of them may have stored what the other one could not read: nothing is expected then.
        """
        if self.phase != "reference":
            return True
        if self.known is None:
            self.names[name] = value
        return name.startswith("?both ") and not self.reference.reads_text

    # -- output ----------------------------------------------------------------------------------------------

    def prints(self, m: Machine, event: OutputEvent) -> bool:
        """The current state prints: False when no execution goes on."""
        if self.phase == "alone":
            return True
        if self.phase == "reference":
            self.outputs.append(event)
        elif m.relax and self._unit_here(m) in m.relax:
            return self._anything(m)
        return all(self._token(m, token, _PRINTED) for token in self._tokens(event))

    def observes(self, m: Machine, words: Sequence[Term]) -> bool:
        """The current state shows values: False when no execution goes on."""
        if self.phase == "alone":
            return True
        assert m.frame is not None
        site = self.reference.sites[m.frame.function.source.name, m.frame.pc]
        widths = tuple(self.terms.width[word] for word in words)
        return self._token(m, Token(TRUE, ("observed", widths), tuple(words)), _OBSERVED + site)

    def _observed(self) -> Sequence[int]:
        """The cells that count how often each place was observed."""
        return [_OBSERVED + site for site in sorted(set(self.reference.sites.values()))]

    def _unit_here(self, m: Machine) -> UnitId | None:
        frame = m.caller()
        return None if frame is None else frame.instruction().unit

    def _anything(self, m: Machine) -> bool:
        """A relaxed unit prints whatever the reference prints here, however much."""
        assert m.frame is not None
        t = self.terms
        key = self._cell(_PRINTED)
        position = t.var(m.fresh_name(f"anything printed@{m.frame.context()}"), 32)
        possible = t.and_(t.ule(m.read(key), position), t.ule(position, self._end[0]))
        m.writes[key] = position
        return m.assume(possible)

    def _token(self, m: Machine, token: Token, counted: int) -> bool:
        """The next token of the sequence that is ``counted`` in this cell."""
        t = self.terms
        key = self._cell(counted)
        position = m.read(key)
        if self.phase == "reference":
            here = Token(t.and_(m.path.term, token.condition), token.tag, token.words, token.text)
            found = m.values.of(position)
            for place in found or ():
                self._at.setdefault((counted, place), []).append(_Logged(here, position))
            if found is None:
                self._anywhere.setdefault(counted, []).append(_Logged(here, position))
        else:
            differs = t.and_(token.condition, t.not_(self._agrees(m, token, counted, position)))
            name = self._property_here(m)
            m.checked[name].add(m.path.term)
            m.violate(name, differs)
            if differs == TRUE:
                self._stopped = t.value[position]
            if differs == TRUE or not m.assume(t.not_(differs)):
                return False
        m.writes[key] = t.ite(token.condition, t.add(position, t.const(1, 32)), position)
        return True

    def _agrees(self, m: Machine, token: Token, counted: int, position: Term) -> Term:
        """The condition under which the reference prints ``token`` at ``position``."""
        t = self.terms
        places = m.values.of(position)
        if places is None:
            logged = [item for (cell, _), items in self._at.items() if cell == counted for item in items]
        else:
            logged = [item for place in sorted(places) for item in self._at.get((counted, place), ())]
        found = FALSE
        for item in dict.fromkeys((*logged, *self._anywhere.get(counted, ()))):
            if item.token.tag != token.tag:
                continue
            same = _same(t, item.token, token)
            if same != FALSE:
                here = t.eq(item.position, position)
                found = t.or_(found, t.all_of((item.token.condition, here, same)))
        return found

    def _property_here(self, m: Machine) -> str:
        frame = m.caller()
        assert frame is not None
        return self.reference.places.get((frame.function.source.name, frame.pc), self.reference.end)

    def _tokens(self, event: OutputEvent) -> list[Token]:
        """What a printf prints, in parts that are equal only where what they print is."""
        if not event.format:
            return []
        if self.reference.by_call:
            return [Token(TRUE, (event.format,), tuple(a.value for a in event.arguments))]
        tokens: list[Token] = []
        left = list(event.arguments)
        for piece in printf.parse(event.format):
            if isinstance(piece, bytes):
                tokens += self._text(piece)
                continue
            count = len(piece.arguments())
            tokens += self._converted(piece, left[:count])
            left = left[count:]
        return tokens

    def _text(self, text: bytes) -> list[Token]:
        return [Token(TRUE, ("character",), (self.terms.const(byte, 8),)) for byte in text]

    def _converted(self, piece: printf.Conversion, arguments: Sequence[OutputArgument]) -> list[Token]:
        """What one conversion prints: characters one by one, a number as a whole.

        A number is no sequence of digits here, so one program that prints the digits of what another one prints as a
        number counts as different; whoever finds an execution looks at the text (``OutputEvent``) as well.
        """
        t = self.terms
        last = arguments[-1]
        if piece.kind == "c" and piece.width is None:
            return [Token(TRUE, ("character",), (t.extract(last.value, 7, 0),))]
        if piece.kind == "s" and piece.width is None and piece.precision is None:
            return self._characters(last.characters or ())
        tag = (piece.kind, piece.flags, piece.width, piece.precision)
        words = [argument.value for argument in arguments[:-1]]
        if piece.kind == "s":
            return [Token(TRUE, tag, tuple(words), last.characters)]
        word = last.value
        if piece.kind in printf.INTEGERS:
            bits = min(_LENGTH_BITS.get(piece.length, 64), t.width[word])
            word = t.extract(word, bits - 1, 0)
            word = t.sext(word, _WIDE) if piece.kind in "di" else t.zext(word, _WIDE)
            tag = ("decimal" if piece.kind in "diu" else piece.kind, *tag[1:])
        return [Token(TRUE, (*tag, t.width[word]), (*words, word))]

    def _characters(self, characters: Sequence[Term]) -> list[Token]:
        """A string character by character, up to its end."""
        t = self.terms
        tokens: list[Token] = []
        inside = TRUE
        for character in characters:
            inside = t.and_(inside, t.not_(t.eq(character, t.const(0, 8))))
            if inside == FALSE:
                break
            tokens.append(Token(inside, ("character",), (character,)))
        return tokens

    # -- the end ---------------------------------------------------------------------------------------------

    def note_end(self, m: Machine, *, exits: bool, value: Sequence[Term]) -> None:
        """Keep how the current state ends: whether by ``exit``, and with which status or result.

        Of ``main`` both are the status of the program, of which eight bits can be seen.
        """
        t = self.terms
        is_main = self.reference.entry == f"{PREFIX}main"
        m.writes[self._cell(_ENDED)] = t.const(exits and not is_main, 32)
        seen = t.const(0, 32)
        if value and (exits or is_main):
            seen = t.extract(value[0], 7, 0)
        m.writes[self._cell(_STATUS)] = t.zext(seen, 32) if t.width[seen] < 32 else seen
        for n, width in enumerate(self.widths):
            given = t.const(0, width) if exits else value[n]
            m.writes[self._cell(_RESULT + n)] = given

    def result(self, m: Machine) -> tuple[Term, ...]:
        """What ``note_end`` kept."""
        results = range(_RESULT, _RESULT + len(self.widths))
        cells = (_PRINTED, _ENDED, _STATUS, *results, *self._observed())
        return tuple([m.read(self._cell(cell)) for cell in cells])

    def returned_pointers(self, m: Machine) -> Iterator[tuple[Term, Term]]:
        """The pointers in the result of both versions, that of the reference first."""
        first = len((_PRINTED, _ENDED, _STATUS))
        pairs = [*zip(self._end, self.result(m), strict=True)][first:]
        return (pairs[n] for n in range(len(self.widths)) if n in self.pointers)

    def ends(self, m: Machine, others: Iterable[Term], uncompared: Mapping[str, Term]) -> bool:
        """The program ends: False when no execution does so as the reference does.

        ``others`` hold where something else differs than what is printed and the numbers in the result,
        ``uncompared`` where that cannot be said.
        """
        t = self.terms
        for why, condition in uncompared.items():
            m.cut_where(
                condition,
                self.reference.program.functions[self.reference.entry.removeprefix(PREFIX)].location,
            )
            self.uncompared[why] = t.or_(self.uncompared.get(why, FALSE), t.and_(m.path.term, condition))
            if not m.assume(t.not_(condition)):
                return False
        first = len((_PRINTED, _ENDED, _STATUS))
        words = zip(self._end, self.result(m), strict=True)
        pairs = [pair for n, pair in enumerate(words) if n - first not in self.pointers]
        differs = t.any_of((*(t.not_(t.eq(one, two)) for one, two in pairs), *others))
        m.checked[self.reference.end].add(m.path.term)
        m.violate(self.reference.end, differs)
        return m.assume(t.not_(differs))


def is_changed(m: Machine, before: tuple[Term, Term], after: tuple[Term, Term]) -> Term:
    """Whether either version has given a word another value. What neither changes is no result: a table may differ."""
    return m.t.any_of(m.t.not_(m.t.eq(one, two)) for one, two in zip(before, after, strict=True))


def is_null(t: Terms, pointer: Term) -> Term:
    """All that is compared of a pointer, as a word of one bit."""
    return t.ite(t.eq(pointer, t.const(0, t.width[pointer])), t.const(1, 1), t.const(0, 1))


def _stream(m: Machine, site: InputSite, width: int) -> tuple[str, str]:
    """Which sequence of inputs is read here, and what is read: equal kinds have the same values.

    A function of the library that is no reader of the standard input has a sequence of its own, as has each
    function of the dialects.
    """
    kind = kind_of(site, width)
    frame = m.frame
    assert frame is not None
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
    function, name = site.reading.function.removeprefix(PREFIX), site.name.removeprefix(PREFIX)
    name = f"{SCANNED}()" if name.startswith(SCANS) else name
    return replace(site, name=name, reading=replace(site.reading, function=function))


def _add(places: list[Location], place: Location) -> None:
    """Note a place once."""
    if place not in places:
        places.append(place)


def _name(stream: str, place: int, kind: str) -> str:
    return f"{stream}<{place}> {kind}"


def _same(t: Terms, one: Token, two: Token) -> Term:
    """Whether two tokens with the same tag print the same."""
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
