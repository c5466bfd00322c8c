"""The state of a symbolic execution and what it has met so far.

A state is a path condition and an overlay of memory. The machine holds the current one; parked states wait in
the frames. Memory is one space of numbered cells: static scalars, then the scalars of the frames on the stack,
and from ``OBJECTS`` on the cells of objects that have an address or more than one cell.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Never, TypeAlias, final

from cfrontend import goto, tree
from cfrontend import terms as T  # noqa: N812 - opcode namespace
from cfrontend.balance import Balance
from cfrontend.ctext import text_of
from cfrontend.draw import MOST_OF_MANY, cells_drawn
from cfrontend.errors import InternalError, Location, ResourceError
from cfrontend.floats import FORMATS, Floats, exact, text
from cfrontend.floats.format import X87
from cfrontend.formula import BEYOND, Bound, InputEvent, OutputEvent, Violation
from cfrontend.slice.pointers import Place
from cfrontend.symex import paths, store
from cfrontend.symex.agreement import Agreement
from cfrontend.symex.expected import ExpectedText
from cfrontend.symex.layout import Layout, Layouts, cell_number
from cfrontend.symex.leaves import chosen_when, where_chosen, with_leaf
from cfrontend.symex.linear import Strides
from cfrontend.symex.ranges import ranges_of
from cfrontend.symex.relevance import WRITER, Relevance, cell_of_key
from cfrontend.symex.state import Default, Frame, MemoryObject, State
from cfrontend.symex.store import Overlay
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.termvalues import ValueSets
from cfrontend.tree import Expression, Symbol
from cfrontend.types import CType, IntType
from cfrontend.units import SCANNED, SCANS, InputNumber, InputSite, MemoryPlace, Reading, Supply, UnitId

if TYPE_CHECKING:
    from cfrontend.symex.trace import Recorder

OBJECTS = 1 << 40
"""First cell of objects; scalars that never need an address are below."""

POSITION = -1
"""The cell that counts inputs consumed, where the inputs are fixed."""

OFFSET_BITS: Mapping[int, int] = {64: 40, 32: 18}
"""By bits of a pointer: how many of them are the offset. The object's number stands above.

Half of its offsets are below zero. In 32 bits, where there are few, a large object has several numbers, and a
pointer that is computed to be further than 128 KiB outside its object may be one into another.
"""

_FIRST_BYTE: Mapping[int, int] = {64: 1 << 12}
"""By bits of a pointer: where in the middle of its offsets an object begins, so that no half of an address is null."""

_LARGEST_OBJECT = 1 << 39
"""Bytes of the largest object."""

_FORGOTTEN_ONE_BY_ONE = 4096
"""Cells of an object that has ended; those of a larger one, which may have few, are left where they are."""

Decider: TypeAlias = tuple[Term, int | None]
"""What decides whether an operand or a cell is evaluated at all: a Boolean, or a word that has this value then."""


class MissingInput(Exception):  # noqa: N818 - a signal between the machine and whoever runs it
    """A fixed input vector ended before the read of ``site``."""

    def __init__(self, site: InputSite) -> None:
        super().__init__(site.name)
        self.site = site


@final
class Machine:
    """The current state, and the events of all executions so far (see ``EncodedProgram``)."""

    def __init__(
        self,
        terms: Terms,
        layouts: Layouts,
        bound: Bound,
        *,
        static_cells: int,
        vector: Sequence[InputNumber | None] | None,
        places: Sequence[MemoryPlace | None] | None = None,
        relax: frozenset[UnitId] = frozenset(),
        misplace: frozenset[UnitId] = frozenset(),
        balance: Balance,
        deadline: float | None,
        unwanted: Callable[[], bool] | None = None,
        drawn: Sequence[int] | None = None,
        draws_much: bool = False,
        agreement: Agreement | None = None,
        expected: ExpectedText | None = None,
        supply: Supply | None = None,
        recorder: Recorder | None = None,
        relevance: Relevance | None = None,
    ) -> None:
        self.t = terms
        self.relevance = relevance
        self.balance = balance
        self.agreement = agreement
        self.expected = expected
        self.floats = Floats(terms)
        self.layouts = layouts
        self.word = layouts.structs.model.word
        self.offset_bits = OFFSET_BITS[self.word]
        self.bias = (1 << (self.offset_bits - 1)) + _FIRST_BYTE.get(self.word, 0)
        self.values = ValueSets(terms)
        self.strides = Strides(terms)
        self.bound = bound
        self._supply = supply
        self._places = places
        self.recorder = recorder
        self._supplied: list[InputNumber] = []
        self.vector = self._supplied if supply is not None else vector if drawn is None else drawn
        self.drawn: dict[str, int] | None = None if drawn is None else {}
        self._draws_much = draws_much
        self.undrawn: InputSite | None = None
        self.relax = relax
        self.misplaced = misplace
        self.is_free = bool(relax or misplace)
        self.static_objects: Sequence[Callable[[Machine], MemoryObject]] = ()
        self.deadline = deadline
        self._unwanted = unwanted
        self.path = paths.root()
        self.overlay = Overlay(None)
        self.writes = self.overlay.writes
        self.base = self.top = static_cells
        self.frame: Frame | None = None
        self.active: dict[str, list[Sequence[Sequence[Term]]]] = {}
        self.unknown: set[Term] = set()
        self.written: set[Term] = set()
        self.deciders: list[Decider] = []
        self.cover: dict[UnitId, dict[Term, int]] = {}
        self.flow: dict[tuple[UnitId | None, UnitId | None], int] = {}
        self.tests: dict[UnitId, tuple[int, int]] = {}
        self.checked: defaultdict[str, set[Term]] = defaultdict(set)
        self.violations: list[Violation] = []
        self.inputs: list[InputEvent] = []
        self.outputs: list[OutputEvent] = []
        self.passed: list[Term] = []
        self.passed_reading: list[Term] = []
        self.cut: list[Term] = []
        self.grows = self.tires = False
        self.endless: list[Term] = []
        self.cut_at: list[Location] = []
        self.most_rounds: dict[str, int] = {}
        self.deepest: dict[str, int] = {}
        self.shared: dict[str, MemoryObject] = {}
        self.functions: dict[int, str] = {}
        self._objects: list[MemoryObject] = []
        self._first_object = 0
        self._numbered_objects: list[MemoryObject] = []
        self._bases: list[int] = []
        self._next_base = OBJECTS
        self._sites: dict[Term, InputSite] = {}
        self._noted: dict[Term, set[Term]] = {}
        self._names: set[str] = set()
        self._numbered = 0
        self._instances: dict[str, int] = {}
        self._targets: dict[Term, tuple[tuple[Term, MemoryObject, Term], ...]] = {}
        self._compared: dict[Term, list[Term]] = {}
        self._epoch = 0
        self._born: dict[Term, int] = {}
        self._unread: list[Term] | None = None
        if self.vector is not None:
            self.writes[POSITION] = terms.const(0, 32)

    # -- what a run with fixed inputs does -------------------------------------------------------------------

    def note_step(self, unit: UnitId | None) -> None:
        """The current activation goes on to ``unit``, or ends (None)."""
        frame = self.frame
        assert frame is not None
        edge = (frame.last, unit)
        if edge != (None, None):
            self.flow[edge] = self.flow.get(edge, 0) + 1
        frame.last = unit
        if self._recording is not None and unit is not None:
            self._recording.step(self, unit)

    @property
    def _recording(self) -> Recorder | None:
        """Who takes down what the program does; nobody while the reference runs."""
        is_reference = self.agreement is not None and self.agreement.phase == "reference"
        return None if is_reference else self.recorder

    def note_write(
        self, unit: UnitId | None, target: Expression, pointer: Term | None, values: Sequence[Term]
    ) -> None:
        """``unit`` writes the scalars of ``target``, which stands at ``pointer`` unless it is a plain variable."""
        if self._recording is not None:
            self._recording.write(self, unit, target, pointer, values)

    def note_entry(self, parameters: Sequence[Symbol], values: Sequence[Term]) -> None:
        """A function is entered; the values are those of its scalar parameters."""
        if self._recording is not None:
            self._recording.enter(self, parameters, values)

    def note_test(self, unit: UnitId, outcome: bool) -> None:
        """The condition ``unit`` comes out true or false."""
        true, false = self.tests.get(unit, (0, 0))
        self.tests[unit] = (true + outcome, false + (not outcome))
        if self._recording is not None:
            self._recording.test(self, unit, outcome)

    # -- the current state -----------------------------------------------------------------------------------

    def assume(self, condition: Term) -> bool:
        """Restrict the current path; False when nothing is left of it."""
        if condition == TRUE:
            return True
        self.path = paths.extend(self.t, self.path, condition)
        return self.path.term != FALSE

    def fork(self) -> State:
        """Split the current state in two; returns the other one, on the same path."""
        self._epoch += 1
        mine, other = store.fork(self.overlay)
        self.overlay, self.writes = mine, mine.writes
        return State(self.path, other)

    def take(self) -> State:
        """The current state, to be parked."""
        return State(self.path, self.overlay)

    def resume(self, states: list[State]) -> None:
        """Continue with one state for all of ``states``, the later ones joined first."""
        self._epoch += 1
        last = states.pop()
        self.path, self.overlay = last.path, last.overlay
        while states:
            self.tick()
            self._join(states.pop())
        self.writes = self.overlay.writes

    def _join(self, other: State) -> None:
        path, choice = paths.join(self.t, other.path, self.path)
        merge = self._merger(choice)
        self.overlay = store.join(other.overlay, self.overlay, merge)
        self.path = path

    def _merger(self, choice: Term) -> Callable[[int, Term | None, Term | None, Overlay], Term | None]:
        t, top, unknown, relevance = self.t, self.top, self.unknown, self.relevance

        def merge(key: int, one: Term | None, two: Term | None, common: Overlay) -> Term | None:
            if key >= WRITER and relevance is not None:
                is_gone = top <= cell_of_key(key) < OBJECTS
                return None if is_gone else relevance.join(key, (one, two), common, choice)
            if top <= key and (key < OBJECTS or self._object_of(key).ended):
                return None
            if one is None:
                one = common.lookup(key)
                if one is None:
                    one = self._default_of(key)
            if two is None:
                two = common.lookup(key)
                if two is None:
                    two = self._default_of(key)
            if one is None or one == two:
                return two
            if two is None:
                return one
            result = t.ite(choice, one, two)
            if (one in unknown or two in unknown) and t.op[result] != T.CONST:
                unknown.add(result)
            return result

        return merge

    def assume_input_ranges(self, condition: Term) -> None:
        """Learn the ranges of inputs that are assumed right after they were read.

        Nothing has ended and no path has split since the input was read: every execution that reads it meets
        this assumption next, so values outside the range belong to no execution of interest.
        """
        t = self.t
        for variable, low, high in ranges_of(t, condition):
            if self._born.get(variable) == self._epoch:
                width = t.width[variable]
                least, most = t.ranges.get(variable, (-(1 << (width - 1)), (1 << (width - 1)) - 1))
                least, most = max(low, least), min(high, most)
                if least <= most:
                    t.ranges[variable] = (least, most)

    def root_overlay(self) -> Overlay:
        """The overlay below all states, for what is the same in each."""
        overlay = self.overlay
        while overlay.parent is not None:
            overlay = overlay.parent
        return overlay

    def drop(self) -> None:
        """The current state ends."""
        store.release(self.overlay)

    def tick(self) -> None:
        """Called now and then: raises ResourceError past the deadline, and where nobody wants the formula any more."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise ResourceError("time limit reached while the program was being unwound")
        if self._unwanted is not None and self._unwanted():
            raise ResourceError("the formula is not wanted any more")

    def caller(self) -> Frame | None:
        """The innermost activation of one of the program's own functions."""
        frame = self.frame
        while frame is not None and frame.function.source.foreign:
            frame = frame.outer
        return frame or self.frame

    def here(self) -> Location | None:
        """Where the program is: the instruction that is being executed, or the call of the library it is in."""
        frame = self.caller()
        return None if frame is None else frame.instruction().location

    def place_of(self, location: Location) -> Location:
        """``location``, or the call in the program's own code that led to it."""
        foreign = self.frame is not None and self.frame.function.source.foreign
        return self.here() or location if foreign else location

    # -- cells -----------------------------------------------------------------------------------------------

    def read(self, key: int) -> Term:
        """The value of a scalar cell."""
        if self.relevance is not None:
            self.relevance.read(self, key, self.place_at(key))
        value = self.writes.get(key)
        if value is None:
            value = self.overlay.lookup(key)
            if value is None:
                value = self._default_of(key)
                if value is None:
                    raise InternalError(f"cell {key} is read before it is declared")
        return self.note(value) if value in self.unknown else value

    def is_written(self, key: int) -> bool:
        """Whether a scalar cell has a value."""
        return self.writes.get(key) is not None or self.overlay.lookup(key) is not None

    def place_at(self, key: int) -> Place | None:
        """What the object of a cell is called; None for a plain variable."""
        if key < OBJECTS:
            return None
        return self._object_of(key).place

    def _object_of(self, key: int) -> MemoryObject:
        """The object of a cell that is no plain variable's."""
        return self._objects[bisect_right(self._bases, key) - 1]

    def _default_of(self, key: int) -> Term | None:
        if key < POSITION:
            return -2 - key
        if key < OBJECTS:
            return None
        obj = self._object_of(key)
        if key == obj.base - 1:
            return TRUE
        if key == obj.made:
            return FALSE
        return self.initial(obj, key - obj.base)

    def initial(self, obj: MemoryObject, number: int) -> Term:
        """The value of a cell of an object that was never written."""
        cell = cell_number(obj.layout, number)
        width = 8 * cell.size
        if obj.default == "zero":
            return self.t.const(0, width)
        place = MemoryPlace(object=obj.made_by, ordinal=obj.ordinal, offset=cell.offset, size=cell.size)
        return self.indeterminate(
            f"{obj.name}{cell.name}", cell.type, width, obj.context + cell.name, obj.location, place
        )

    def name_here(self, what: str) -> str:
        """A name for what comes to life here, the same in every run that comes here.

        A number will do for a single run.
        """
        assert self.frame is not None
        if self.agreement is not None:
            return self.agreement.unwritten(self, what) or self.fresh_name(f"{what}@{self.frame.context()}")
        if self.vector is None or self.is_free:
            return self.fresh_name(f"{what}@{self.frame.context()}")
        self._numbered += 1
        return f"{what}'{self._numbered}"

    def instance(self, name: str) -> int | None:
        """The number, from 0, of one more object of this name; None where several paths are one."""
        if self.vector is None:
            return None
        number = self._instances.get(name, 0)
        self._instances[name] = number + 1
        return number

    def allocator(self) -> str:
        """The library function that the program asked for the memory that is being allocated."""
        name = "malloc"
        frame = self.frame
        while frame is not None and frame.function.source.location.file.startswith("<"):
            name = frame.function.source.name
            frame = frame.outer
        return name

    def indeterminate(
        self,
        name: str,
        ctype: CType | None,
        width: int,
        context: str,
        where: Location,
        place: MemoryPlace,
    ) -> Term:
        """The value of a cell that was never written: a variable that becomes an input when it is read."""
        value = self.variable(f"?{context}", width)
        if value not in self._sites or self.agreement is not None:
            signed = isinstance(ctype, IntType) and ctype.signed
            self._sites[value] = InputSite(
                name=name,
                type=str(ctype or "unsigned char"),
                width=width,
                signed=signed,
                location=where,
                memory=place,
            )
        self.unknown.add(value)
        return value

    def born(self, variable: Term) -> None:
        """A variable that only the current state knows has come into being."""
        self._born[variable] = self._epoch

    # -- inputs ----------------------------------------------------------------------------------------------

    def fresh_name(self, name: str) -> str:
        """``name``, made unique within this run."""
        unique, n = name, 1
        while unique in self._names:
            n += 1
            unique = f"{name}'{n}"
        self._names.add(unique)
        return unique

    def variable(self, name: str, width: int) -> Term:
        """The variable ``name``: another one where it has another width in another run, as of an edited program."""
        if self.t.width_of(name) not in (None, width):
            name = f"{name} of {width} bits"
        return self.t.var(name, width)

    def input(self, site: InputSite, width: int) -> Term:
        """The next input value at the current place."""
        assert self.frame is not None
        context = self.fresh_name(f"{site.name}@{self.frame.context()}")
        site = self._site_in_program(site)
        if self.agreement is not None:
            value = self.agreement.next_input(self, site, width, context)
        elif self.vector is None:
            value = self.variable(context, width)
            self.born(value)
        else:
            value = self.next_of_vector(site, width, TRUE, context)
        self._read_here(InputEvent(site=site, value=value, condition=self.path.term))
        if site.is_finite and self.vector is None:
            number = X87 if site.type == "long double" else FORMATS[site.width]
            self.assume(self.floats.is_finite(number, value))
        return self.truth(site, value)

    def site_of(self, variable: Term) -> InputSite | None:
        """Which input a variable is; None for one that is none, or that was not read yet."""
        return next((event.site for event in self.inputs if event.value == variable), None)

    def _read_here(self, event: InputEvent) -> None:
        """An input is read, which counts where the program itself does it."""
        if self.agreement is not None and self.agreement.phase == "reference":
            return
        if self.agreement is not None and self.agreement.phase == "program" and self.vector is not None:
            self._move_on(event.condition)
        self.inputs.append(event)

    def _move_on(self, condition: Term) -> None:
        """One more input is read where ``condition``.

        Beside a reference inputs have names, and the vector only their number.
        """
        t = self.t
        position = self.overlay.lookup(POSITION)
        assert position is not None
        moved = t.add(position, t.const(1, 32))
        self.writes[POSITION] = moved if condition == self.path.term else t.ite(condition, moved, position)

    def parameter(self, site: InputSite, width: int, condition: Term) -> Term:
        """The value that executions begin with where ``condition`` holds: of the entry function or a command line."""
        name = f"parameter {site.name}"
        if self.agreement is not None and self.agreement.phase != "alone":
            value = self.agreement.value(self, name, width, site)
            self.agreement.keep_small(self, value, site)
        elif self.vector is None:
            value = self.variable(name, width)
        else:
            value = self.next_of_vector(site, width, condition, name)
        self._read_here(InputEvent(site=site, value=value, condition=condition))
        return self.truth(site, value)

    def _site_in_program(self, site: InputSite) -> InputSite:
        """An input that a library function reads, as one of the call in the program's own code."""
        if self.frame is None or not self.frame.function.source.foreign:
            return site
        frame = self.caller()
        call = None if frame is None else frame.instruction()
        name = site.name
        reading = Reading(function=self.frame.function.source.name)
        if isinstance(call, goto.Call) and isinstance(call.callee, tree.FunctionRef):
            reading = replace(reading, format=call.format)
            index = self._round_of_the_library() if call.filled else None
            name = call.result_name or f"{_called(call.callee)}()"
            name = name if index is None else f"{call.filled}[{index}]"
        return replace(site, name=name, location=self.place_of(site.location), reading=reading)

    def _round_of_the_library(self) -> int | None:
        """In which round, from 0, of its outermost loop the library function is that the program called.

        None: in none.
        """
        found: int | None = None
        frame = self.frame
        while frame is not None and frame.function.source.foreign:
            around = frame.function.loops_around[frame.pc]
            found = frame.rounds.get(around[0], 0) if around else found
            frame = frame.outer
        return found

    def truth(self, site: InputSite, value: Term) -> Term:
        """What the program sees of an input: 0 or 1 of a ``_Bool``; of a long double no spelling the x87 rejects."""
        if site.type == "long double":
            return self.floats.spelled(X87, value)
        if site.type != "_Bool":
            return value
        t, width = self.t, self.t.width[value]
        return t.ite(t.eq(value, t.const(0, width)), t.const(0, width), t.const(1, width))

    def given(self, site: InputSite, position: int, width: int) -> Term:
        """The value at a place of the fixed vector, as the word of the input's type."""
        assert self.vector is not None
        return self.as_word(self.vector[position], site, width)

    def as_word(self, number: InputNumber | None, site: InputSite, width: int) -> Term:
        """A value of an input as a word of its type; 0 for what is no integer there."""
        if number is None:
            number = site.at_end
        if site.floating and self.drawn is None:
            f = FORMATS[site.width]
            number = exact.from_integer(f, number) if isinstance(number, int) else text.parse(f, number) or 0
        return self.t.const(number if isinstance(number, int) else 0, width)

    def next_of_vector(self, site: InputSite, width: int, condition: Term, context: str) -> Term:
        """The value at the current position of the fixed vector; the position moves on where ``condition``."""
        assert self.vector is not None
        if self.agreement is not None and self.agreement.phase != "alone":
            return self.truth(site, self.agreement.value(self, context, width, site))
        value = self._next_of_vector(site, width, condition, context)
        if self.agreement is not None and self.agreement.known is not None:
            self.agreement.known[context] = value
        return value

    def miss(self, site: InputSite) -> Never:
        """A fixed vector has no value for ``site``."""
        raise MissingInput(site)

    def _next_of_vector(self, site: InputSite, width: int, condition: Term, context: str) -> Term:
        assert self.vector is not None
        t = self.t
        position = self.overlay.lookup(POSITION)
        assert position is not None
        if self._places is not None:
            return self._fitting_of_vector(site, position, width, condition, context)
        known = t.value[position]
        if self._supply is not None and known == len(self.vector) and condition != FALSE:
            number = self._supply(site)
            if number is not None:
                self._supplied.append(number)
        if known is not None and known < len(self.vector):
            value = self.truth(site, self.given(site, known, width))
        elif not self.is_free:
            raise MissingInput(site)
        else:
            value = self._beyond(context, width)
            for n in range(len(self.vector)):
                value = t.ite(t.eq(position, t.const(n, 32)), self.given(site, n, width), value)
            value = self.truth(site, value)
        moved = t.add(position, t.const(1, 32))
        self.writes[POSITION] = t.ite(condition, moved, position)
        return value

    def _beyond(self, context: str, width: int) -> Term:
        """A value behind the end of the vector."""
        return self.variable(BEYOND + context, width)

    def _fitting_of_vector(
        self, site: InputSite, position: Term, width: int, condition: Term, context: str
    ) -> Term:
        """The same where the places of values from memory are known: the next one that was read as ``site`` is."""
        assert self.vector is not None
        t, known = self.t, self.t.value[position]
        value, moved = t.const(0, width), position
        if site.memory is None:
            if known is not None and self._fitting(site, known) is None and not self.is_free:
                raise MissingInput(site)
            value, moved = self._beyond(context, width), t.add(position, t.const(1, 32))
        for n in range(len(self.vector)) if known is None else [known]:
            fitting = self._fitting(site, n)
            if fitting is not None:
                here = t.eq(position, t.const(n, 32))
                value = t.ite(here, self.truth(site, self.given(site, fitting, width)), value)
                moved = t.ite(here, t.const(fitting + 1, 32), moved)
        self.writes[POSITION] = t.ite(condition, moved, position)
        return value

    def _fitting(self, site: InputSite, position: int) -> int | None:
        """Where the value for ``site`` is from ``position`` on: values of memory that was not read are passed over."""
        assert self._places is not None
        for n in range(position, len(self._places)):
            place = self._places[n]
            if place is None:
                return n if site.memory is None else None
            if site.memory is not None and place.is_like(site.memory):
                return n
        return None

    def note(self, value: Term) -> Term:
        """An indeterminate value is read here: it becomes an input of the executions that read it."""
        if self._unread is not None:
            self._unread.append(self._indeterminate(value))
            return value
        t = self.t
        evaluated = self._evaluated() if self.deciders else TRUE
        for chosen, leaf in self._unknown_leaves(value):
            condition = t.and_(evaluated, chosen)
            if condition == FALSE:
                continue
            if self.agreement is not None and not self.agreement.may_read_unwritten(t.names[leaf], leaf):
                self.cut_where(condition, self._sites[leaf].location)
                self.assume(t.not_(condition))
                continue
            if self.vector is not None:
                # Which value of the vector a relaxed run would take here depends on all its choices; where that
                # is not certain the cell stays as free as the unit is.
                if not self.is_free or condition == TRUE:
                    value = self._resolve(value, leaf, condition)
                continue
            holds = t.and_(self.path.term, condition)
            noted = self._noted.setdefault(leaf, set())
            if holds not in noted and TRUE not in noted and holds != FALSE:
                noted.add(holds)
                self._read_here(InputEvent(site=self._sites[leaf], value=leaf, condition=holds))
                if self._sites[leaf].type == "_Bool":
                    is_bool = t.ult(leaf, t.const(2, t.width[leaf]))
                    self.assume(t.or_(t.not_(condition), is_bool))
                if self._sites[leaf].type == "long double":
                    self.assume(t.or_(t.not_(condition), self.floats.accepted(X87, leaf)))
        return value

    def forget_the_reference(self) -> None:
        """What was read so far counts as unread, and what was made so far is not the program's."""
        self._noted.clear()
        self._first_object = len(self._objects)

    def initialised(self, read: Callable[[Machine], Term]) -> Term:
        """Whether what ``read`` evaluates depends on no cell that was never written; nothing is read."""
        found: list[Term] = []
        self._unread = found
        read(self)
        self._unread = None
        return self.t.not_(self.t.any_of(found))

    def unread(self, read: Callable[[Machine], Term]) -> Term:
        """What ``read`` evaluates, without reading it: a part of it is kept, nothing depends on it."""
        before, self._unread = self._unread, []
        value = read(self)
        self._unread = before
        return value

    def _indeterminate(self, value: Term) -> Term:
        """The condition under which a value that is read here was never written."""
        evaluated = self._evaluated() if self.deciders else TRUE
        return self.t.and_(evaluated, self.never_written(value))

    def never_written(self, value: Term) -> Term:
        """The condition under which a value comes from memory that nobody has written."""
        if value not in self.unknown:
            return FALSE
        return self.t.any_of(chosen for chosen, _ in self._unknown_leaves(value))

    def draw(self, symbol: Symbol, context: str) -> None:
        """An uninitialised variable comes to life: with drawn values it takes some of them (``cfrontend.draw``)."""
        if self.drawn is None:
            return
        for path, ctype in cells_drawn(symbol, self.layouts.structs, much=self._draws_much):
            width = 8 * self.layouts.of(ctype).size
            site = InputSite(
                name=symbol.name + path, type=str(ctype), width=width, signed=False, location=symbol.location
            )
            value = self.t.value[self.next_of_vector(site, width, TRUE, context)]
            assert value is not None
            self.drawn[f"?{context}{path}"] = value

    def draw_allocated(self, obj: MemoryObject) -> None:
        """Memory is allocated: with drawn values its first bytes take some of them, where these have any."""
        if self.drawn is None or not self._draws_much or obj.default != "unknown":
            return
        count = min(obj.layout.size, MOST_OF_MANY)
        context, values = obj.context, bytearray()
        for number in range(count):
            site = InputSite(
                name=f"{obj.name}[{number}]",
                type="unsigned char",
                width=8,
                signed=False,
                location=obj.location,
            )
            value = self.t.value[self.next_of_vector(site, 8, TRUE, context)]
            assert value is not None
            values.append(value)
        offset = 0
        while offset < count:
            cell = obj.layout.cell(offset)
            offset = cell.offset + cell.size
            if offset <= count:
                self.drawn[f"?{context}{cell.name}"] = int.from_bytes(values[cell.offset : offset], "little")

    def _drawn_before(self, site: InputSite, name: str) -> int:
        """The drawn value of a never-written cell; 0 for one that was not drawn, which ``undrawn`` then names."""
        assert self.drawn is not None
        if name not in self.drawn:
            self.undrawn = self.undrawn or site
        return self.drawn.get(name, 0)

    def _evaluated(self) -> Term:
        """The condition, beside the path, under which what is being evaluated is evaluated."""
        t = self.t
        return t.all_of(
            decider if value is None else t.eq(decider, t.const(value, t.width[decider]))
            for decider, value in self.deciders
        )

    def _unknown_leaves(self, value: Term) -> list[tuple[Term, Term]]:
        """(condition, variable) for each never-written cell that ``value`` may come from."""
        chosen = chosen_when(self.t, value, lambda a: a in self.unknown and a not in self._sites)
        return [(condition, a) for a, condition in chosen.items() if a in self._sites and condition != FALSE]

    def _resolve(self, value: Term, leaf: Term, condition: Term) -> Term:
        """With fixed inputs: the vector's value for a never-written cell, the same at every later read."""
        self.tick()
        t = self.t
        key = -2 - leaf
        now = self.overlay.lookup(key)
        if now is None or now == leaf:
            unread = TRUE
        else:
            unread = FALSE if leaf not in t.cone([now]) else where_chosen(t, now, leaf)
        if unread != FALSE:
            site = self._sites[leaf]
            taken = t.and_(unread, condition)
            if self.drawn is None:
                given = self.next_of_vector(site, t.width[leaf], taken, t.names[leaf])
            else:
                given = self.truth(site, t.const(self._drawn_before(site, t.names[leaf]), t.width[leaf]))
            holds = t.and_(self.path.term, taken)
            if holds != FALSE and self._recording is not None:
                self._recording.read(self, site, given)
            if holds != FALSE:
                self._read_here(InputEvent(site=site, value=given, condition=holds))
            before = leaf if now is None else now
            now = given if taken == TRUE else t.ite(taken, given, before)
            self.writes[key] = now
        assert now is not None
        return with_leaf(t, value, leaf, now)

    # -- objects ---------------------------------------------------------------------------------------------

    def new_object(
        self,
        layout: Layout,
        name: str,
        context: str,
        default: Default,
        where: Location,
        *,
        writable: bool = True,
        made_by: str = "",
        place: Place = "",
    ) -> MemoryObject:
        """An object that lives from now on."""
        obj = MemoryObject(
            number=len(self._numbered_objects) + 1,
            base=self._next_base + 1,
            layout=layout,
            name=name,
            context=context,
            default=default,
            location=where,
            writable=writable,
            made_by=made_by,
            place=place,
            ordinal=self.instance(made_by) if default == "unknown" else None,
        )
        numbers = 1 + ((layout.size + self.bias) >> self.offset_bits)
        if layout.size >= _LARGEST_OBJECT:
            raise ResourceError(f"{name} is too large: {layout.size} bytes", where)
        if obj.number + numbers > 1 << (self.word - self.offset_bits):
            raise ResourceError(f"no room for {name} in {self.word}-bit addresses", where)
        self._objects.append(obj)
        self._numbered_objects += [obj] * numbers
        self._bases.append(obj.base - 1)
        obj.made = obj.base + layout.count
        self._next_base += layout.count + 2
        return obj

    def renewed(self, obj: MemoryObject, *, zero: bool) -> str:
        """A living local object gets zeros or new indeterminate values; returns the name under which it has them."""
        context = self.name_here(obj.made_by)
        default: Default = "zero" if zero else "unknown"
        ordinal = None if zero else self.instance(obj.made_by)
        fresh = replace(obj, default=default, context=context, ordinal=ordinal)
        for number in range(obj.layout.count):
            self.writes[obj.base + number] = self.initial(fresh, number)
            if self.relevance is not None:
                self.relevance.forget(self, obj.base + number)
        self.writes[obj.base - 1] = TRUE
        return context

    def objects(self) -> Iterator[MemoryObject]:
        """All objects so far, the youngest first."""
        return reversed(self._objects[self._first_object :])

    def alive(self, obj: MemoryObject) -> Term:
        """Whether the object still lives in the current state."""
        if obj.ended:
            return FALSE
        if self.relevance is not None and obj.allocated:
            self.relevance.read(self, obj.base - 1, None)
        found = self.overlay.lookup(obj.base - 1)
        return TRUE if found is None else found

    def alive_where(self, condition: Term, obj: MemoryObject) -> Term:
        """The same where it is only asked if ``condition`` holds."""
        self.deciders.append((condition, None))
        alive = self.alive(obj)
        self.deciders.pop()
        return alive

    def end_object(self, obj: MemoryObject) -> None:
        """The lifetime of the object ends in the current state."""
        if self.overlay.parent is None:
            self.end_for_good(obj)
        else:
            self.writes[obj.base - 1] = FALSE

    def end_for_good(self, obj: MemoryObject) -> None:
        """The lifetime of the object has ended in every state; where there is only one, its cells are given up."""
        obj.ended = True
        if self.overlay.parent is None:
            cells = range(obj.base - 1, obj.base + obj.layout.count)
            if len(cells) <= _FORGOTTEN_ONE_BY_ONE:
                for key in cells:
                    self.writes.pop(key, None)

    def all_freed(self) -> Term:
        """Whether every object that was allocated on the way to the current state has been freed."""
        t = self.t
        return t.all_of(
            t.not_(t.and_(made, self.alive_where(made, obj)))
            for obj in self._objects
            if obj.allocated and (made := self.overlay.lookup(obj.made)) is not None
        )

    def object_at(self, pointer: int) -> tuple[MemoryObject, int] | None:
        """The object and byte offset of a constant pointer; None for null and for plain numbers."""
        number = pointer >> self.offset_bits
        if not 0 < number <= len(self._numbered_objects):
            return None
        obj = self._numbered_objects[number - 1]
        return obj, pointer - self.address(obj)

    @property
    def object_count(self) -> int:
        """The number of the youngest object so far."""
        return len(self._numbered_objects)

    def is_allocated_after(self, number: int, pointer: int) -> bool:
        """Whether a constant pointer points into an allocated object that is younger than object ``number``.

        Of other objects nothing is said: they are made when they are first named.
        """
        found = self.object_at(pointer)
        return found is not None and found[0].allocated and found[0].number > number

    def address(self, obj: MemoryObject, offset: int = 0) -> int:
        """The pointer value of a byte of the object."""
        return ((obj.number << self.offset_bits) + self.bias + offset) & ((1 << self.word) - 1)

    # -- reports ---------------------------------------------------------------------------------------------

    def violated(self, name: str, condition: Term) -> None:
        """Executions of the current path in which ``condition`` holds end by violating a property.

        In a foreign function, ``name`` is the kind of the property at the program's call of the library; where that
        is not checked, nothing is violated.
        """
        known = self.property_here(name)
        if known is None:
            raise InternalError(f"no property of kind {name} for a call of the library", self.here())
        if known:
            self.violate(known, condition)

    def property_here(self, name: str) -> str | None:
        """The id of a property, of which a foreign function knows the kind only; empty where it is not checked."""
        if self.frame is None or not self.frame.function.source.foreign:
            return name
        frame = self.caller()
        call = None if frame is None else frame.instruction()
        return call.properties.get(name) if isinstance(call, goto.Call) else None

    def violate(self, name: str, condition: Term) -> None:
        """Executions of the current path in which ``condition`` holds end by violating the property ``name``."""
        here = self.t.and_(self.path.term, condition)
        if here != FALSE:
            self._epoch += 1
            self.violations.append(Violation(property=name, condition=here))

    def print(self, event: OutputEvent) -> bool:
        """The current path prints; False when none of its executions goes on."""
        if self.agreement is None or self.agreement.phase != "reference":
            self.outputs.append(event)
        if self.expected is not None:
            return self.expected.prints(self, event)
        return self.agreement is None or self.agreement.prints(self, event)

    def pass_here(self) -> None:
        """The current path ends normally."""
        self._epoch += 1
        self.passed.append(self.path.term)
        position = self.overlay.lookup(POSITION) if self.vector is not None else None
        if position is not None and self.vector is not None:
            all_read = self.t.not_(self.t.ult(position, self.t.const(len(self.vector), 32)))
            self.passed_reading.append(self.t.and_(self.path.term, all_read))

    def cut_here(self, where: Location) -> None:
        """The bound ends the current path."""
        self.cut_where(TRUE, where)

    @property
    def patience(self) -> int | None:
        """How much further a program is followed than its reference, which has ended; None: what goes on is cut."""
        is_behind = self.agreement is not None and self.agreement.phase == "program"
        return self.bound.patience if is_behind else None

    def end_of_unwinding(self, where: Location) -> None:
        """A loop or a recursion has its bound, which ends the current path; a larger one follows it further."""
        self.grows |= self._leaves_bound(where)

    def end_of_freedom(self, where: Location) -> None:
        """A loop has gone on for long without the solver, which ends the current path."""
        self.tires |= self._leaves_bound(where)

    def _leaves_bound(self, where: Location) -> bool:
        """End the current path; False where it does not end as its reference has, which is a failure."""
        if self.patience is None:
            self.cut_here(where)
            return True
        assert self.agreement is not None
        end = self.agreement.reference.end
        self.checked[end].add(self.path.term)
        self.violate(end, TRUE)
        self.endless.append(self.path.term)
        return False

    def cut_where(self, condition: Term, where: Location) -> None:
        """The bound ends the executions of the current path in which ``condition`` holds."""
        here = self.t.and_(self.path.term, condition)
        if here == FALSE:
            return
        self._epoch += 1
        self.cut.append(here)
        where = self.place_of(where)
        if where not in self.cut_at:
            self.cut_at.append(where)


def _called(callee: tree.Expression) -> str:
    """The name of a library function that is called, also where a model of its own does the reading."""
    name = text_of(callee)
    return SCANNED if name.startswith(SCANS) else name
