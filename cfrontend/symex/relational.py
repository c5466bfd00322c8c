"""A program executed beside its reference, on the same inputs: what both print and how they end has to agree.

    reference:  printf("%d", x)      program:  printf("%d", y)
    ->  violation of the property at the program's printf:  x != y

The reference is executed first, on the machine that executes the program afterwards, so that one formula holds both:
that of the product program. What it prints is kept as a list of tokens, each with its condition and its position in
the output; a token of the program has to be the one at its position. Of one execution, on given inputs, the text is
compared, character by character. Positions are cells of the state, as are the
counts of inputs (``cfrontend.symex.shared_inputs``), so they join as all others do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, final

from cfrontend.encoded_program import EndDifference
from cfrontend.events import InputEvent, OutputEvent
from cfrontend.goto import ExitInstruction, GotoFunction, ObserveInstruction
from cfrontend.goto.product_program import CALLS, PREFIX, ProductReference
from cfrontend.record import dataclass
from cfrontend.symex.final_state import ABORTED, BESIDE, FinalState, HeapShapes, differing_ends
from cfrontend.symex.functions import World
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.observer import Observer, goes_on_anywhere
from cfrontend.symex.shared_inputs import (
    EFFECTS,
    ENDED,
    OBSERVED,
    PRINTED,
    RESULT,
    STATUS,
    ProgressCounters,
    SharedInputs,
)
from cfrontend.symex.state import ParkedState
from cfrontend.symex.tokens import (
    CHARACTER,
    INTEGER,
    KnownOutputText,
    LiteralDigits,
    Piece,
    Token,
    integer_readings,
    is_same_token,
    pieces_of,
    split_at_numbers,
    tokens_of,
    tokens_of_piece,
    tokens_of_text,
)
from cfrontend.symex.unwritten import written_bits_differ
from cfrontend.syntax.types import PointerType, VoidType
from cfrontend.terms import FALSE, TRUE, Term, Terms

_FIRST_OF_RESULT: Final = len((PRINTED, ENDED, STATUS))
"""Index of the first word of the result among what is known of the end."""

_POINTERS: Final = -1
"""Number of the sequence of what is known of the pointers that undefined functions are given; no cell counts it."""

_OTHER_EFFECTS: Final = "other side effects than the reference has"
"""What an execution ends with that differs outside of the process."""

_READ_ON: Final = (
    "more or less of the input read than by the reference, so that later calls read on elsewhere"
)
_KEPT: Final = (
    "something else kept by the library for later calls (ungetc, strtok, rand …) than in the reference"
)
"""What an execution ends with that only later calls see."""

_UNKNOWN_EFFECTS: Final = "side effects that are not compared"
"""What an execution ends with of which nothing is known."""


@final
@dataclass(frozen=True, slots=True)
class _Logged:
    """Output token that the reference prints at ``position``."""

    token: Token
    position: Term


@final
class RelationalCheck(Observer):
    """Relational observer of the product program: the program's output and end have to agree with its reference's.

    ``outputs`` is what the reference prints, ``ended`` are the states in which it has come to its end. ``endless``
    holds where the program goes on behind it, ``uncompared`` where the two cannot be compared, by the reason, ``alike``
    where nothing that is compared differs, ``effects`` where side effects may, by what they are.
    """

    compares_output = True

    def __init__(
        self,
        reference: ProductReference,
        world: World,
        entry: GotoFunction,
        counters: ProgressCounters,
        inputs: SharedInputs,
    ) -> None:
        self.reference: Final = reference
        self.terms: Final = world.terms
        self.inputs: Final = inputs
        self.outputs: Final[list[OutputEvent]] = []
        self.ended: Final[list[ParkedState]] = []
        self.uncompared: Final[dict[str, Term]] = {}
        self.endless: Final[list[Term]] = []
        self.alike: Term = FALSE
        self._open: Final[dict[str, Term]] = {}
        self.effects: Final[dict[str, Term]] = {}
        self._unlike_effects: Final[dict[str, Term]] = {}
        self._effect_count: Term | None = None
        self._position: Term | None = None
        self._affected: Final[list[str]] = []
        self._counters: Final = counters
        self._cell: Final = counters.cell
        self._final: Final = FinalState(world, reference)
        has_result = entry.name != "main" and not isinstance(entry.result, VoidType)  # of main it is a status
        self._cells: Final = tuple(world.layouts.of(entry.result).scalars()) if has_result else ()
        self._widths: Final = tuple(8 * cell.size for cell in self._cells)
        self._pointers: Final = {
            n: cell.type for n, cell in enumerate(self._cells) if isinstance(cell.type, PointerType)
        }
        self.differences: Final[list[EndDifference]] = []
        self._at: Final[dict[tuple[int, int], list[_Logged]]] = {}
        self._anywhere: Final[dict[int, list[_Logged]]] = {}
        self._digits: Final[dict[int | None, list[LiteralDigits]]] = {}
        self._text: Final = KnownOutputText()
        self._stopped: int | None = None
        self._end: tuple[Term, ...] = ()

    # -- the two executions ----------------------------------------------------------------------------------

    def begin(self, m: SymbolicMachine) -> None:
        """Begin the reference: allocate the progress counters."""
        self._counters.begin(m)
        m.follow_reference()

    def note_globals(self, m: SymbolicMachine) -> None:
        """Keep the initial values of global variables, before the entry function begins."""
        self._final.note_globals(m, of_reference=m.is_reference)

    def go_on(self, m: SymbolicMachine) -> None:
        """Begin the program, with the same inputs: the reference has ended."""
        self._end = self._result(m)
        self._effect_count = m.read(self._cell(EFFECTS))
        self._position = self.inputs.position(m)
        for cell in (PRINTED, ENDED, STATUS, EFFECTS, *self._counters.observed()):
            m.writes[self._cell(cell)] = self.terms.const(0, 32)
        self.inputs.go_on(m)
        m.follow_program()

    @property
    def unread(self) -> tuple[InputEvent, ...]:
        """Inputs that the reference has read, and the program has not, before what they print first differs."""
        return self.inputs.unread(self._stopped)

    # -- output ----------------------------------------------------------------------------------------------

    def prints(self, m: SymbolicMachine, event: OutputEvent) -> bool:
        """Compare what the current state prints: False when no execution goes on."""
        if m.is_reference:
            self.outputs.append(event)
        elif m.relax and (frame := m.caller()) is not None and frame.instruction().unit in m.relax:
            return self._anything(m)
        if m.is_fixed:
            return all(self._piece(m, piece) for piece in pieces_of(self.terms, event))
        if self.reference.by_call:
            tokens = tokens_of(self.terms, event, by_call=True)
            return all(self._token(m, token, PRINTED) for token in tokens)
        return all(self._printed(m, piece) for piece in pieces_of(self.terms, event))

    def observes(self, m: SymbolicMachine, words: Sequence[Term]) -> bool:
        """Compare values that the current state shows: False when no execution goes on."""
        site = self.reference.sites[m.activation().function.source.name, m.activation().pc]
        widths = tuple(self.terms.width[word] for word in words)
        return self._token(m, Token(TRUE, ("observed", widths), tuple(words)), OBSERVED + site)

    def calls(
        self,
        m: SymbolicMachine,
        call: ObserveInstruction,
        words: Sequence[Term],
        pointers: Sequence[Term],
    ) -> bool:
        """Compare the next call of a function that nobody defines: False when no execution goes on.

        Of pointers, null is compared, and what they lead to where that is constant: nobody writes to it before the
        other version calls. Where others lead somewhere, or arguments are left out, the end of the execution says
        nothing.
        """
        t, site = self.terms, OBSERVED + self.reference.sites[CALLS]
        widths = tuple(t.width[word] for word in words)
        given = Token(TRUE, ("pointers", call.called, len(pointers)), tuple(pointers))
        position = m.read(self._cell(site))
        unlike = FALSE
        if m.is_reference:
            self._log(m, given, _POINTERS, position)
        elif pointers:
            unlike, unknown = self._unlike_pointers(m, call, given, position)
            self._note(m, self._open, f"what pointers lead to where {call.called} is called", unknown)
        if call.left_out and not m.is_reference:
            self._note(m, self._open, f"{call.left_out} where {call.called} is called", TRUE)
        null = tuple(null_as_word(t, pointer) for pointer in pointers)
        token = Token(TRUE, ("called", call.called, widths), (*words, *null))
        place = self._place_here(m, self.reference.calls)
        return self._token(m, token, site, place) and (
            m.is_reference or self._differs_where(m, unlike, place)
        )

    def _unlike_pointers(
        self, m: SymbolicMachine, call: ObserveInstruction, given: Token, position: Term
    ) -> tuple[Term, Term]:
        """Where the pointers of a call lead to other constants than in the reference, and where that is not known."""
        t = self.terms
        types = [e.type.target for e in call.arguments if isinstance(e.type, PointerType)]
        unlike = unknown = FALSE
        for item in self._logged(m, _POINTERS, position):
            here = t.and_(item.token.condition, t.eq(item.position, position))
            if here == FALSE or item.token.tag != given.tag:
                continue
            for ctype, theirs, mine in zip(types, item.token.words, given.words, strict=True):
                shapes = self._final.shapes(m)
                is_known = shapes.lead_to_constants(theirs, mine)
                others = t.any_of((shapes.pointers(theirs, mine, ctype), *shapes.differences()))
                beside = t.any_of((t.not_(is_known), shapes.beside, *shapes.unknown.values()))
                unlike = t.or_(unlike, t.all_of((here, is_known, others)))
                unknown = t.or_(unknown, t.and_(here, beside))
        return unlike, unknown

    def affects(self, m: SymbolicMachine, event: OutputEvent | None, what: str) -> None:
        """Compare the next side effect outside of the process: executions that differ in it may agree in all else."""
        t, key = self.terms, self._cell(EFFECTS)
        if event is None:
            self._note(m, self._unlike_effects, f"{_UNKNOWN_EFFECTS} ({what})", TRUE)
            return
        if m.is_reference and what not in self._affected:
            self._affected.append(what)
        for token in tokens_of(t, event, by_call=False):
            position = m.read(key)
            if m.is_reference:
                self._log(m, token, EFFECTS, position)
            else:
                unlike = t.not_(self._agrees(m, token, EFFECTS, position))
                self._note(
                    m, self._unlike_effects, f"{_OTHER_EFFECTS} ({what})", t.and_(token.condition, unlike)
                )
            m.writes[key] = t.ite(token.condition, t.add(position, t.const(1, 32)), position)

    def _keep_unlike_effects(self, m: SymbolicMachine) -> None:
        """Keep when executions of the current path, which have ended alike, differ in side effects."""
        t = self.terms
        if self._effect_count is not None and self._affected:
            fewer = t.not_(t.eq(m.read(self._cell(EFFECTS)), self._effect_count))
            self._note(m, self._unlike_effects, f"{_OTHER_EFFECTS} ({' or '.join(self._affected)})", fewer)
        for what, condition in self._unlike_effects.items():
            self._note(m, self.effects, what, condition)

    def _note(self, m: SymbolicMachine, into: dict[str, Term], why: str, condition: Term) -> None:
        """Note by its reason that executions of the current path may not agree where ``condition`` holds."""
        t = self.terms
        if (here := t.and_(m.path.term, condition)) != FALSE:
            into[why] = t.or_(into.get(why, FALSE), here)

    def _anything(self, m: SymbolicMachine) -> bool:
        """Match an angelic output: a relaxed unit prints whatever the reference prints here, however much."""
        return goes_on_anywhere(m, self._cell(PRINTED), self._end[0])

    def _printed(self, m: SymbolicMachine, piece: Piece) -> bool:
        """Compare a piece of the output of all executions: False when no execution goes on."""
        tokens = tokens_of_piece(self.terms, piece)
        if piece.known is None or any(token.tag != CHARACTER for token in tokens):
            return all(
                self._integer(m, token) if token.tag[:1] == INTEGER else self._token(m, token, PRINTED)
                for token in tokens
            )
        return all(self._literal_part(m, part) for part in split_at_numbers(piece.known))

    def _literal_part(self, m: SymbolicMachine, part: bytes) -> bool:
        """Compare plain text, which may be a number that the other version prints as such."""
        t, key = self.terms, self._cell(PRINTED)
        tokens = tokens_of_text(t, part)
        if not part[-1:].isdigit():
            return all(self._token(m, token, PRINTED) for token in tokens)
        position = m.read(key)
        places = [position]
        places += [t.add(position, t.const(n, 32)) for n in range(1, len(part) + 1)]
        if m.is_reference:
            for n, place in enumerate(places[:-1]):
                digits = LiteralDigits(m.path.term, place, part[n:])
                for at in m.values.of(place) or (None,):
                    self._digits.setdefault(at, []).append(digits)
            return all(self._token(m, token, PRINTED) for token in tokens)
        alike = [self._agrees(m, token, PRINTED, place) for token, place in zip(tokens, places, strict=False)]
        found = [(t.all_of(alike), places[-1])]
        for n, place in enumerate(places[:-1]):
            before = t.all_of(alike[:n])
            if before == FALSE:
                break
            for item in self._logged(m, PRINTED, place):
                for same, length in integer_readings(t, item.token, part[n:]):
                    here = t.all_of((before, item.token.condition, t.eq(item.position, place), same))
                    if length == len(part) - n and here != FALSE:
                        found.append((here, t.add(place, t.const(1, 32))))
        return self._moves(m, position, TRUE, found)

    def _integer(self, m: SymbolicMachine, token: Token) -> bool:
        """Compare a number, which the reference may print as plain text."""
        if m.is_reference:
            return self._token(m, token, PRINTED)
        t, position = self.terms, m.read(self._cell(PRINTED))
        places = m.values.of(position)
        found = [(self._agrees(m, token, PRINTED, position), t.add(position, t.const(1, 32)))]
        there = (
            sorted(place for place in self._digits if place is not None) if places is None else sorted(places)
        )
        for digits in dict.fromkeys(one for place in (*there, None) for one in self._digits.get(place, ())):
            here = t.and_(digits.condition, t.eq(digits.position, position))
            readings = integer_readings(t, token, digits.text)
            found += [(t.and_(here, same), t.add(position, t.const(n, 32))) for same, n in readings if n]
        return self._moves(m, position, token.condition, found)

    def _moves(
        self, m: SymbolicMachine, position: Term, condition: Term, found: Sequence[tuple[Term, Term]]
    ) -> bool:
        """Go on at the position of the way in which the outputs agree; where there is none, they differ."""
        t = self.terms
        differs = t.and_(condition, t.not_(t.any_of(same for same, _ in found)))
        if not self._differs_where(m, differs):
            return False
        moved = position
        for same, there in found:
            moved = t.ite(same, there, moved)
        m.writes[self._cell(PRINTED)] = t.ite(condition, moved, position)
        return True

    def _piece(self, m: SymbolicMachine, piece: Piece) -> bool:
        """Compare a piece of the output of one execution, character by character: False when nothing goes on.

        The position counts characters here, but for what the reference prints in a way that is not known.
        """
        t, key = self.terms, self._cell(PRINTED)
        place = t.value[m.read(key)]
        if piece.known is None or place is None or (m.is_reference and m.path.term != TRUE):
            return self._unknown_piece(m, piece)
        if m.is_reference:
            self._text.note(place, piece)
            m.writes[key] = t.const(place + len(piece.known), 32)
            return True
        alike = self._text.common(place, piece.known)
        m.checked[self._property_here(m)].add(m.path.term)
        m.writes[key] = t.const(place + alike, 32)
        if alike == len(piece.known):
            return True
        if self._at or self._anywhere:
            m.writes[key] = t.const(place, 32)
            return self._unknown_piece(m, piece)
        return self._differs_where(m, TRUE)

    def _unknown_piece(self, m: SymbolicMachine, piece: Piece) -> bool:
        """Compare a piece where it or the reference's output is not known."""
        tokens = tokens_of_piece(self.terms, piece)
        if m.is_reference or all(token.tag == CHARACTER for token in tokens):
            return all(self._token(m, token, PRINTED) for token in tokens)
        (token,) = tokens
        return self._number_in_text(m, token, piece)

    def _number_in_text(self, m: SymbolicMachine, token: Token, piece: Piece) -> bool:
        """Compare a number with the text of the reference: it is one that stands there."""
        t, key = self.terms, self._cell(PRINTED)
        position = m.read(key)
        places = m.values.of(position)
        one = t.const(1, 32)
        found = [(self._agrees(m, token, PRINTED, position), t.add(position, one))]
        for place in self._text.places() if places is None else sorted(places):
            here = t.eq(position, t.const(place, 32))
            for same, length in self._text.readings(t, place, token, piece):
                found.append((t.and_(here, same), t.const(place + length, 32)))
        return self._moves(m, position, token.condition, found)

    def _differs_where(self, m: SymbolicMachine, differs: Term, name: str = "") -> bool:
        """Violate a property, of what is printed here, where ``differs`` holds: False when no execution goes on."""
        t = self.terms
        name = name or self._property_here(m)
        m.checked[name].add(m.path.term)
        m.violate(name, differs)
        if differs == TRUE:
            self._stopped = t.value[m.read(self._cell(PRINTED))]
        return differs != TRUE and m.assume(t.not_(differs))

    def _token(self, m: SymbolicMachine, token: Token, counted: int, name: str = "") -> bool:
        """Compare the next token of the sequence that is ``counted`` in this cell."""
        t = self.terms
        key = self._cell(counted)
        position = m.read(key)
        if m.is_reference:
            self._log(m, token, counted, position)
        else:
            differs = t.and_(token.condition, t.not_(self._agrees(m, token, counted, position)))
            if not self._differs_where(m, differs, name):
                return False
        m.writes[key] = t.ite(token.condition, t.add(position, t.const(1, 32)), position)
        return True

    def _log(self, m: SymbolicMachine, token: Token, counted: int, position: Term) -> None:
        """Keep a token of the reference."""
        here = Token(self.terms.and_(m.path.term, token.condition), token.tag, token.words, token.text)
        logged = _Logged(here, position)
        found = m.values.of(position)
        for place in found or ():
            self._at.setdefault((counted, place), []).append(logged)
        if found is None:
            self._anywhere.setdefault(counted, []).append(logged)

    def _agrees(self, m: SymbolicMachine, token: Token, counted: int, position: Term) -> Term:
        """The condition under which the reference prints ``token`` at ``position``."""
        t = self.terms
        found = FALSE
        for item in self._logged(m, counted, position):
            same = is_same_token(t, item.token, token)
            if same != FALSE:
                here = t.eq(item.position, position)
                found = t.or_(found, t.all_of((item.token.condition, here, same)))
        if counted == PRINTED and token.tag == CHARACTER:
            places = m.values.of(position)
            for place in self._text.places() if places is None else sorted(places):
                found = t.or_(found, self._text.has(t, place, position, token.words[0]))
        return found

    def _logged(self, m: SymbolicMachine, counted: int, position: Term) -> Iterable[_Logged]:
        """The tokens of the reference that may stand at ``position``."""
        places = m.values.of(position)
        if places is None:
            logged = [item for (cell, _), items in self._at.items() if cell == counted for item in items]
        else:
            logged = [item for place in sorted(places) for item in self._at.get((counted, place), ())]
        # One that may stand at several places is one object, and equal ones do no harm.
        return {id(item): item for item in (*logged, *self._anywhere.get(counted, ()))}.values()

    def _property_here(self, m: SymbolicMachine) -> str:
        return self._place_here(m, self.reference.places)

    def _place_here(self, m: SymbolicMachine, places: Mapping[tuple[str, int], str]) -> str:
        frame = m.caller()
        assert frame is not None
        return places.get((frame.function.source.name, frame.pc), self.reference.end)

    # -- the end ---------------------------------------------------------------------------------------------

    def ends(self, m: SymbolicMachine, *, exits: bool, value: Sequence[Term]) -> bool:
        """Compare the end of the program with that of the reference; a state in which the reference ends is kept."""
        self._note_end(m, exits=exits, value=value)
        if m.is_reference:
            self.ended.append(m.take())
            return False
        if not self._differs_where(m, self._is_aborted(), self.reference.end):
            m.drop()
            return False
        pairs = [*zip(self._end, self._result(m), strict=True)][_FIRST_OF_RESULT:]
        returned = ((ctype, *pairs[n]) for n, ctype in self._pointers.items())
        differences, shapes = self._final.differences(m, returned)
        if self._ends_alike(m, differences, shapes):
            return True
        m.drop()
        return False

    def aborts(self, m: SymbolicMachine) -> bool:
        """Leave out executions of the program that end by ``abort`` as those of the reference do."""
        return m.is_reference or m.assume(self.terms.not_(self._is_aborted()))

    def _is_aborted(self) -> Term:
        """The condition under which the reference ends by ``abort``."""
        return self.terms.eq(self._end[1], self.terms.const(ABORTED, 32))

    def goes_on_too_long(self, m: SymbolicMachine) -> bool:
        """Note non-termination: the program goes on, as far as it is followed, where the reference has ended."""
        if m.patience is None:
            return False
        m.checked[self.reference.end].add(m.path.term)
        m.violate(self.reference.end, TRUE)
        self.endless.append(m.path.term)
        return True

    def _note_end(self, m: SymbolicMachine, *, exits: bool, value: Sequence[Term]) -> None:
        """Keep how the current state ends: whether by ``exit``, and the status or result.

        Of ``main`` both are the status of the program, of which eight bits can be seen.
        """
        t = self.terms
        is_main = self.reference.entry == f"{PREFIX}main"
        last = m.frame.instruction() if exits and m.frame is not None else None
        aborts = isinstance(last, ExitInstruction) and last.aborts
        m.writes[self._cell(ENDED)] = t.const(ABORTED if aborts else exits and not is_main, 32)
        seen = t.const(0, 32)
        if value and (exits or is_main):
            seen = t.extract(value[0], 7, 0)
        m.writes[self._cell(STATUS)] = t.zext(seen, 32) if t.width[seen] < 32 else seen
        for n, width in enumerate(self._widths):
            given = t.const(0, width) if exits else value[n]
            m.writes[self._cell(RESULT + n)] = given

    def _result(self, m: SymbolicMachine) -> tuple[Term, ...]:
        """The words of the result that ``_note_end`` kept."""
        results = range(RESULT, RESULT + len(self._widths))
        cells = (PRINTED, ENDED, STATUS, *results, *self._counters.observed())
        return tuple([m.read(self._cell(cell)) for cell in cells])

    def _ends_alike(self, m: SymbolicMachine, others: Iterable[Term], shapes: HeapShapes) -> bool:
        """Compare the ends of both versions: False when no execution ends as the reference does.

        ``others`` hold where something else differs than what is printed and the numbers in the result; ``shapes`` say
        where that is not known.
        """
        t = self.terms
        if not self._leave_uncompared(m, shapes.unknown):
            return False
        words = zip(self._end, self._result(m), strict=True)
        pairs = [pair for n, pair in enumerate(words) if n - _FIRST_OF_RESULT not in self._pointers]
        differs = t.any_of((*(written_bits_differ(m, one, two) for one, two in pairs), *others))
        if m.is_fixed and differs == TRUE:
            self.differences.extend(self._seen_differences(m))
        m.checked[self.reference.end].add(m.path.term)
        m.violate(self.reference.end, differs)
        if not m.assume(t.not_(differs)):
            return False
        self.alike = t.or_(self.alike, m.path.term)
        self._note(m, self._open, BESIDE, shapes.beside)
        if self.reference.entry != f"{PREFIX}main" and self._position is not None:
            moved = written_bits_differ(m, self._position, self.inputs.position(m))
            self._note(m, self._open, _READ_ON, moved)
            self._note(m, self._open, _KEPT, self._final.library_differs(m))
        if not self._leave_uncompared(m, self._open):
            return False
        self._keep_unlike_effects(m)
        return True

    def _seen_differences(self, m: SymbolicMachine) -> Iterator[EndDifference]:
        """Differences of the final states of this execution on fixed inputs, without the output."""
        mine, theirs = self._result(m), self._end
        results = [
            (cell, mine[_FIRST_OF_RESULT + n], theirs[_FIRST_OF_RESULT + n])
            for n, cell in enumerate(self._cells)
            if n not in self._pointers
        ]
        yield from differing_ends(m, (mine[1], theirs[1]), (mine[2], theirs[2]), results)
        yield from self._final.seen

    def _leave_uncompared(self, m: SymbolicMachine, uncompared: Mapping[str, Term]) -> bool:
        """Cut executions that could not be compared, by the reason: False when no other ends here."""
        t = self.terms
        entry = self.reference.program.functions[self.reference.entry.removeprefix(PREFIX)]
        for why, condition in uncompared.items():
            self.uncompared[why] = t.or_(self.uncompared.get(why, FALSE), t.and_(m.path.term, condition))
            if not m.cut_where(condition, entry.location):
                return False
        return True


def null_as_word(t: Terms, pointer: Term) -> Term:
    """Nullness of a pointer as a word of one bit: all that is compared of it directly."""
    return t.ite(t.eq(pointer, t.const(0, t.width[pointer])), t.const(1, 1), t.const(0, 1))
