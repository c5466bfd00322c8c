"""Abstract machine of the symbolic execution: its current state, and the events of all executions so far.

A state is a path condition and an overlay of memory. The machine holds the current one; parked states wait in
the frames. Memory is one space of numbered cells: static scalars, then the scalars of the frames on the stack,
and from ``OBJECTS`` on the cells of objects that have an address or more than one cell.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from heapq import heappush
from typing import Final, Protocol, TypeAlias, final

from cfrontend import effort, goto
from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeOptions
from cfrontend.errors import InternalError, Location, ResourceError, UnsupportedError
from cfrontend.events import CallSite, InputEvent, OutputEvent, ViolationEvent
from cfrontend.goto.product_program import PREFIX
from cfrontend.slice.points_to import Place
from cfrontend.symex import paths, store
from cfrontend.symex.dynamic_slice import WRITER, DynamicSlice, cell_of_key
from cfrontend.symex.layout import Layout, Layouts
from cfrontend.symex.linear_addresses import Strides
from cfrontend.symex.paths import assumed_ranges_of
from cfrontend.symex.state import (
    DEAD,
    OBJECTS,
    POSITION,
    Default,
    FrameState,
    MemoryObject,
    ObjectTable,
    ParkedState,
    PointsToSet,
    UnwrittenLeaf,
    input_site,
)
from cfrontend.symex.store import Overlay
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.syntax.types import CType
from cfrontend.terms import FALSE, TRUE, Term
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.floats import FloatTerms
from cfrontend.terms.linear_equalities import LinearEqualities
from cfrontend.terms.value_sets import ValueSets
from cfrontend.units import InputSite, MemoryPlace, UnitId

OUT_OF_EFFORT: Final = (
    "effort spent while the program was being unwound; a larger --effort goes on, --unwind K asks for less"
)
"""What a ResourceError says where the effort has come to its limit."""

_FORGOTTEN_ONE_BY_ONE = 4096
"""Maximum number of cells of an ended object that are given up one by one; a larger object, often sparse, keeps its."""

Decider: TypeAlias = tuple[Term, int | None]
"""Decision that an evaluation depends on: a Boolean, or a word with the value that it has then."""


class InputSource:
    """Strategy that gives a machine the value of each input; a subclass overrides what it has to say.

    ``is_fixed``: the inputs are those of one execution. ``names_recur``: places of two versions of a program can have
    one name, and so one variable. ``undrawn`` is an input that had to be guessed.
    """

    is_fixed: bool = False
    names_recur: bool = False
    undrawn: InputSite | None = None

    def start(self, m: SymbolicMachine) -> None:
        """Prepare the machine in its initial state."""

    def next(self, m: SymbolicMachine, site: InputSite, width: int, context: str) -> Term:
        """The value of the input that the program asks for at the current place, which is named ``context``."""
        raise NotImplementedError

    def parameter(self, m: SymbolicMachine, site: InputSite, width: int, name: str, condition: Term) -> Term:
        """The value of the parameter ``name`` that executions begin with where ``condition`` holds."""
        raise NotImplementedError

    def unwritten(self, m: SymbolicMachine, value: Term, leaf: Term, condition: Term) -> Term:
        """The input that ``value``, from the never-written cell ``leaf``, becomes where it is read (``condition``)."""
        raise NotImplementedError

    def cells_to_note(self, m: SymbolicMachine, leaves: Sequence[UnwrittenLeaf]) -> Sequence[UnwrittenLeaf]:
        """The never-written cells that are read here for the first time, as far as that is known, and where."""
        raise NotImplementedError

    def takes_certain_cells(self, m: SymbolicMachine) -> bool:
        """True if a never-written cell becomes an input only where it is read whatever any condition says."""
        return False

    def name_here(self, m: SymbolicMachine, what: str) -> str:
        """A name for an object or variable that comes to life here, the same in every execution that comes here."""
        raise NotImplementedError

    def ordinal(self, name: str) -> int | None:
        """The number, from 0, of one more object of this name; None where several paths are one."""
        return None

    def note(self, m: SymbolicMachine, event: InputEvent) -> None:
        """Note that an input is read, which counts where the program itself reads it."""
        m.inputs.append(event)

    def site_of(self, m: SymbolicMachine, value: Term) -> InputSite | None:
        """The place where an input was read; None for what is none."""
        return next((event.site for event in m.inputs if event.value == value), None)

    def forget(self) -> None:
        """Forget the inputs read so far: they count as unread."""

    def ended(self, m: SymbolicMachine) -> None:
        """Note that the current path ends normally."""

    def comes_to_life(self, m: SymbolicMachine, symbol: SyntaxSymbol, context: str) -> None:
        """Note that an uninitialised variable comes to life."""

    def allocated(self, m: SymbolicMachine, obj: MemoryObject) -> None:
        """Note that memory is allocated."""


class Observer:
    """Observer of an execution, which is told its events and may end or keep its states; the base class does nothing.

    ``compares_output``: what is printed has to be what is expected.
    """

    compares_output: bool = False

    def begin(self, m: SymbolicMachine) -> None:
        """Begin: static memory is initialised, and nothing has been executed."""

    def prints(self, m: SymbolicMachine, event: OutputEvent) -> bool:
        """Observe output of the current path: False when none of its executions goes on."""
        return True

    def ends(self, m: SymbolicMachine, *, exits: bool, value: Sequence[Term]) -> bool:
        """Observe the end of the program, by ``exit`` with a status or with the result of the entry function.

        False when no execution passes: the observer has dropped the state, or keeps it.
        """
        return True

    def calls(
        self,
        m: SymbolicMachine,
        call: goto.ObserveInstruction,
        words: Sequence[Term],
        pointers: Sequence[Term],
    ) -> bool:
        """Observe the call of a function that nobody defines: False when no execution goes on."""
        return True

    def affects(self, m: SymbolicMachine, event: OutputEvent | None, what: str) -> None:
        """Observe a side effect outside of the process."""

    def aborts(self, m: SymbolicMachine) -> bool:
        """Observe the end by ``abort``: False when no execution that matters ends so."""
        return True

    def goes_on_too_long(self, m: SymbolicMachine) -> bool:
        """Observe that the current path comes to a limit: True if going on so long is a failure."""
        return False


class ExecutedWorld(Protocol):
    """Program that a machine executes. ``is_placed``: addresses that are seen are variables."""

    program: goto.GotoProgram
    floats: FloatTerms
    layouts: Layouts
    is_placed: bool

    @property
    def static_slots(self) -> Mapping[Place, int]:
        """The cells of the static scalars without an address, by their keys."""


class StepRecorder(Protocol):
    """Recorder of the single steps of an execution on given inputs."""

    def step(self, m: SymbolicMachine, unit: UnitId) -> None:
        """Record that the evaluation of ``unit`` begins."""

    def test(self, m: SymbolicMachine, unit: UnitId, outcome: bool) -> None:
        """Record that the condition ``unit`` comes out true or false."""

    def write(
        self,
        m: SymbolicMachine,
        unit: UnitId | None,
        target: Expression,
        pointer: Term | None,
        values: Sequence[Term],
    ) -> None:
        """Record that ``unit`` writes the scalars of ``target``."""

    def reads_unwritten(self, m: SymbolicMachine, site: InputSite, value: Term) -> None:
        """Record that memory that nobody wrote is read."""

    def enter(self, m: SymbolicMachine, parameter: SyntaxSymbol, value: Term) -> None:
        """Record that a function is entered."""


@final
class SymbolicMachine:
    """The current state, and the events of all executions so far (see ``EncodedProgram``)."""

    def __init__(
        self,
        world: ExecutedWorld,
        bound: Bound,
        options: EncodeOptions,
        source: InputSource,
        observers: tuple[Observer, ...],
        *,
        balance: LinearEqualities,
        relevance: DynamicSlice | None = None,
        trace: StepRecorder | None = None,
        is_tolerant: bool = False,
    ) -> None:
        """``observers`` are told what is visible from outside, ``relevance`` of reads and writes.

        ``trace`` is told of single steps, of those of the program and not of its reference.

        ``is_tolerant``: executions that come to what is not supported are left out.
        """
        self.t = terms = world.floats.t
        self.source = source
        self.is_fixed = source.is_fixed
        self.observers = observers
        self._trace = self.trace = trace
        self.is_tolerant = is_tolerant and not source.is_fixed
        self.compares_output = any(o.compares_output for o in observers)
        self.relevance, self.takes_infinities = relevance, world.program.takes_infinities
        self.is_reference = False
        self.patience: int | None = None
        self.balance = balance
        self.floats = world.floats
        self.layouts = world.layouts
        self.word = world.program.structs.model.word
        self.values = ValueSets(terms)
        self.strides = Strides(terms)
        self.bound = bound
        self.relax = frozenset(options.get("relax", ()))
        self.deadline = options.get("deadline")
        self._cancel = options.get("cancel")
        self._made = len(terms.op)
        self._begin_state(len(world.static_slots), is_placed=world.is_placed)
        self._begin_events()
        source.start(self)

    def _begin_state(self, statics: int, *, is_placed: bool) -> None:
        """Initialise the state: the root of all paths, with nothing written, called or read."""
        self.path = paths.root_path()
        self.overlay = Overlay(None)
        self.writes = self.overlay.writes
        self.base = self.top = statics
        self.frame: FrameState | None = None
        self.active: dict[str, list[Sequence[Sequence[Term]]]] = {}
        self.unknown: set[Term] = set()
        self.written: set[Term] = set()
        self.deciders: list[Decider] = []
        self.shared: dict[str, MemoryObject] = {}
        self.functions: dict[int, str] = {}
        self.objects = ObjectTable(self.word, is_placed=is_placed)
        self.sites: dict[Term, InputSite] = {}
        self._names: set[str] = set()
        self.targets: dict[Term, PointsToSet] = {}
        self.compared: dict[Term, list[Term]] = {}
        self._epoch = 0
        self._born: dict[Term, int] = {}
        self.unread_here: list[Term] | None = None
        self.ranged_elements = self.fully_ranged_elements = 0

    def _begin_events(self) -> None:
        """Initialise the events: nothing has happened in any execution."""
        self.cover: dict[UnitId, dict[Term, int]] = {}
        self.flow: dict[tuple[UnitId | None, UnitId | None], int] = {}
        self.tests: dict[UnitId, tuple[int, int]] = {}
        self.checked: defaultdict[str, set[Term]] = defaultdict(set)
        self.reached: defaultdict[int, dict[Term, None]] = defaultdict(dict)
        self.violations: list[ViolationEvent] = []
        self.inputs: list[InputEvent] = []
        self.outputs: list[OutputEvent] = []
        self.passed: list[Term] = []
        self.passed_reading: list[Term] = []
        self.assumed_otherwise: list[Term] = []
        self.cut: list[Term] = []
        self.refused: dict[UnsupportedError, Term] = {}
        self.left_out: dict[tuple[str, Location], Term] = {}
        self.grows = self.tires = False
        self.cut_at: list[Location] = []
        self.most_rounds: dict[str, int] = {}
        self.deepest: dict[str, int] = {}
        self.stack = (0, Location("", 0))

    # -- what a run with fixed inputs does -------------------------------------------------------------------

    def note_step(self, unit: UnitId | None) -> None:
        """Tell observers that the current activation goes on to ``unit``, or ends (None)."""
        frame = self.activation()
        edge = (frame.last, unit)
        if edge != (None, None):
            self.flow[edge] = self.flow.get(edge, 0) + 1
        frame.last = unit
        if unit is not None and self.trace is not None:
            self.trace.step(self, unit)

    def note_test(self, unit: UnitId, outcome: bool) -> None:
        """Tell observers that the condition ``unit`` comes out true or false."""
        true, false = self.tests.get(unit, (0, 0))
        self.tests[unit] = (true + outcome, false + (not outcome))
        if self.trace is not None:
            self.trace.test(self, unit, outcome)

    # -- the current state -----------------------------------------------------------------------------------

    def assume(self, condition: Term) -> bool:
        """Constrain the current path; False when it becomes infeasible."""
        if condition == TRUE:
            return True
        self.path = paths.extended_path(self.t, self.path, condition)
        return self.path.term != FALSE

    def fork(self) -> ParkedState:
        """Fork the current state in two; returns the other one, on the same path."""
        self._epoch += 1
        mine, other = store.fork(self.overlay)
        self.overlay, self.writes = mine, mine.writes
        return ParkedState(self.path, other)

    def take(self) -> ParkedState:
        """Take the current state out of the machine, to be parked."""
        return ParkedState(self.path, self.overlay)

    def park(self, pc: int, state: ParkedState) -> None:
        """Park a state at ``pc`` of the current frame, where it waits to be joined."""
        frame = self.activation()
        waiting = frame.parked.get(pc)
        if waiting is None:
            frame.parked[pc] = [state]
            heappush(frame.heap, pc)
        else:
            waiting.append(state)

    def park_where(self, pc: int, state: ParkedState, condition: Term) -> None:
        """Park a forked state at ``pc`` with one more condition, unless that contradicts its path."""
        state.path = paths.extended_path(self.t, state.path, condition)
        if state.path.term == FALSE:
            store.release(state.overlay)
        else:
            self.park(pc, state)

    def resume(self, states: list[ParkedState]) -> None:
        """Resume with the join of ``states``; the later ones are joined first."""
        self._epoch += 1
        last = states.pop()
        self.path, self.overlay = last.path, last.overlay
        while states:
            self.tick()
            other = states.pop()
            self.path, choice = paths.joined_paths(self.t, other.path, self.path)
            self.overlay = store.join(other.overlay, self.overlay, self._merger(choice))
        self.writes = self.overlay.writes

    def _merger(self, choice: Term) -> Callable[[int, Term | None, Term | None, Overlay], Term | None]:
        t, top, unknown, relevance = self.t, self.top, self.unknown, self.relevance

        def merge(key: int, one: Term | None, two: Term | None, common: Overlay) -> Term | None:
            if key >= WRITER and relevance is not None:
                is_gone = top <= cell_of_key(key) < OBJECTS
                return None if is_gone else relevance.join(key, (one, two), common, choice)
            if top <= key and (key < OBJECTS or self.objects.of_cell(key).ended):
                return None
            if one is None:
                one = common.lookup(key)
                if one is None:
                    one = self.default_of(key)
            if two is None:
                two = common.lookup(key)
                if two is None:
                    two = self.default_of(key)
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
        """Learn the intervals of inputs that are assumed right after they were read.

        Nothing has ended and no path has split since the input was read: every execution that reads it meets
        this assumption next, so values outside the range belong to no execution of interest.
        """
        t = self.t
        for variable, low, high in assumed_ranges_of(t, condition):
            if self._born.get(variable) == self._epoch:
                width = t.width[variable]
                least, most = t.ranges.get(variable, (-(1 << (width - 1)), (1 << (width - 1)) - 1))
                least, most = max(low, least), min(high, most)
                if least <= most:
                    t.ranges[variable] = (least, most)

    def under(self, decider: Decider, evaluate: Callable[..., Term], *given: object) -> Term:
        """The value of ``evaluate(*given)``, which is evaluated where ``decider`` holds only."""
        self.deciders.append(decider)
        try:
            return evaluate(*given)
        finally:
            self.deciders.pop()

    def drop(self) -> int:
        """Drop the current state: no execution continues it. The result is that of the step that does so."""
        store.release(self.overlay)
        return DEAD

    def tick(self) -> None:
        """Charge for a step; raises ResourceError past the effort or the deadline, or where the work is cancelled."""
        made = len(self.t.op)
        effort.charge_effort(effort.TICK + effort.TERM * (made - self._made))
        self._made = made
        if effort.is_effort_exhausted():
            raise ResourceError(OUT_OF_EFFORT)
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise ResourceError("time limit reached while the program was being unwound")
        if self._cancel is not None and self._cancel.step() is not None:
            raise ResourceError("the formula is not wanted any more")

    def activation(self) -> FrameState:
        """The current activation, where some function is executed."""
        assert self.frame is not None
        return self.frame

    def caller(self) -> FrameState | None:
        """The innermost activation of one of the program's own functions."""
        frame = self.frame
        while frame is not None and frame.function.source.foreign:
            frame = frame.outer
        return frame or self.frame

    def here(self) -> Location | None:
        """The current instruction of the program's own code: the one executed, or the call of the library it is in."""
        frame = self.caller()
        return None if frame is None else frame.instruction().location

    def place_of(self, location: Location) -> Location:
        """The source place ``location``, or that of the call in the program's own code that led to it."""
        foreign = self.frame is not None and self.frame.function.source.foreign
        return self.here() or location if foreign else location

    # -- cells -----------------------------------------------------------------------------------------------

    def default_of(self, key: int) -> Term | None:
        """The value of a cell that was never written; None for a scalar that has not begun to live."""
        if key < POSITION:
            return -2 - key
        if key < OBJECTS:
            return None
        obj = self.objects.of_cell(key)
        if key in (obj.base - 1, obj.made):
            return TRUE if key == obj.base - 1 else FALSE
        number = key - obj.base
        return self.initial(obj, number) if self.source.names_recur else obj.initial(number, self.initial)

    def initial(self, obj: MemoryObject, number: int) -> Term:
        """The initial value of a cell of an object that was never written."""
        cell = obj.layout.cell_with_number(number)
        if obj.default == "zero":
            return self.t.const(0, 8 * cell.size)
        place = MemoryPlace(object=obj.made_by, ordinal=obj.ordinal, offset=cell.offset, size=cell.size)
        name, context = f"{obj.name}{cell.name}", obj.context + cell.name
        return self.indeterminate(name, cell.type, context, obj.location, place)

    def indeterminate(
        self,
        name: str,
        ctype: CType | None,
        context: str,
        where: Location,
        place: MemoryPlace,
    ) -> Term:
        """The indeterminate value of a never-written cell: a variable that becomes an input when it is read."""
        width = 8 * place.size
        value = self.variable(f"?{context}", width)
        if value not in self.sites or self.source.names_recur:
            self.sites[value] = input_site(name, ctype, width, where, place)
        self.unknown.add(value)
        return value

    def born(self, variable: Term) -> None:
        """Register a variable that only the current state knows."""
        self._born[variable] = self._epoch

    # -- inputs ----------------------------------------------------------------------------------------------

    def fresh_name(self, name: str) -> str:
        """A name unique within this encoding, made from ``name``."""
        unique, n = name, 1
        while unique in self._names:
            n += 1
            unique = f"{name}'{n}"
        self._names.add(unique)
        return unique

    def variable(self, name: str, width: int) -> Term:
        """The variable ``name``; a second one where an edited program has it with another width."""
        if self.t.width_of(name) not in (None, width):
            name = f"{name} of {width} bits"
        return self.t.var(name, width)

    def forget_the_reference(self) -> None:
        """Reset what the reference did: its reads count as unread, and its objects are not the program's."""
        self.source.forget()
        self.objects.begin_anew()

    def follow_reference(self) -> None:
        """Begin the reference of the product program."""
        self.is_reference, self.trace = True, None

    def follow_program(self) -> None:
        """Begin the program of the product program behind the ended reference, as far as the bound allows."""
        self.is_reference, self.patience = False, self.bound.patience
        self.trace = self._trace
        self.forget_the_reference()

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
        """Allocate an object, which lives from now on."""
        obj = MemoryObject(
            number=0,
            base=0,
            layout=layout,
            name=name,
            context=context,
            default=default,
            location=where,
            writable=writable,
            made_by=made_by,
            place=place,
            ordinal=self.source.ordinal(made_by) if default == "unknown" else None,
        )
        self.objects.add(obj)
        return obj

    def new_variable(self, symbol: SyntaxSymbol, context: str, default: Default) -> MemoryObject:
        """Allocate the object of a variable."""
        obj = self.new_object(
            self.layouts.of(symbol.type),
            symbol.name,
            context,
            default,
            symbol.location,
            writable=not symbol.is_constant,
            made_by=symbol.key,
            place=symbol.key,
        )
        obj.alignment = symbol.alignment
        return obj

    def pointer_to(self, obj: MemoryObject) -> Term:
        """The pointer to the first byte of an object."""
        return self.t.const(self.objects.address(obj), self.word)

    def reserve(self, frame: FrameState, size: int, where: Location) -> None:
        """Note that automatic objects of an activation take ``size`` bytes more (or less)."""
        frame.stack += size
        if frame.stack > self.stack[0]:
            self.stack = (frame.stack, where)

    def renewed(self, obj: MemoryObject, *, zero: bool) -> str:
        """Renew a living local object with zeros or indeterminate values; returns the name under which it has them."""
        context = self.source.name_here(self, obj.made_by)
        default: Default = "zero" if zero else "unknown"
        ordinal = None if zero else self.source.ordinal(obj.made_by)
        fresh = replace(obj, default=default, context=context, ordinal=ordinal)
        for number in range(obj.layout.count):
            self.writes[obj.base + number] = self.initial(fresh, number)
            if self.relevance is not None:
                self.relevance.forget(self, obj.base + number)
        self.writes[obj.base - 1] = TRUE
        return context

    def alive(self, obj: MemoryObject) -> Term:
        """The condition under which the object lives in the current state."""
        if obj.ended:
            return FALSE
        if self.relevance is not None and obj.allocated:
            self.relevance.read(self, obj.base - 1, None)
        found = self.overlay.lookup(obj.base - 1)
        return TRUE if found is None else found

    def alive_where(self, condition: Term, obj: MemoryObject) -> Term:
        """The condition under which the object lives in the current state, asked only where ``condition`` holds."""
        return self.under((condition, None), self.alive, obj)

    def end_object(self, obj: MemoryObject) -> None:
        """End the lifetime of the object in the current state."""
        if self.overlay.parent is None:
            self.end_for_good(obj)
        else:
            self.writes[obj.base - 1] = FALSE

    def end_for_good(self, obj: MemoryObject) -> None:
        """End the lifetime of the object in every state; where there is only one state, its cells are given up."""
        obj.ended = True
        if self.overlay.parent is None:
            cells = range(obj.base - 1, obj.base + obj.layout.count)
            if len(cells) <= _FORGOTTEN_ONE_BY_ONE:
                for key in cells:
                    self.writes.pop(key, None)

    def all_freed(self) -> Term:
        """The condition under which every object allocated on the way to the current state has been freed."""
        t = self.t
        return t.all_of(
            t.not_(t.and_(made, self.alive_where(made, obj)))
            for obj in self.objects.of_all()
            if obj.can_leak and (made := self.overlay.lookup(obj.made)) is not None
        )

    # -- reports ---------------------------------------------------------------------------------------------

    def violated(self, name: str, condition: Term, because: str = "") -> None:
        """End the executions of the current path in which ``condition`` holds by a violation.

        In a foreign function, ``name`` is the kind of the property at the program's call of the library; where that
        is not checked, nothing is violated.
        """
        if known := self.property_here(name):
            self.violate(known, condition, because)
        elif known is None:
            raise InternalError(f"no property of kind {name} for a call of the library", self.here())

    def property_here(self, name: str) -> str | None:
        """The id of a property of which a foreign function knows the kind only; empty where it is not checked."""
        if self.frame is None or not self.frame.function.source.foreign:
            return name
        frame = self.caller()
        call = None if frame is None else frame.instruction()
        return call.properties.get(name) if isinstance(call, goto.CallInstruction) else None

    def passes(self) -> int:
        """End the current path normally: its executions pass."""
        self._epoch += 1
        self.passed.append(self.path.term)
        self.source.ended(self)
        return self.drop()

    def violate(self, name: str, condition: Term, because: str = "") -> None:
        """End the executions of the current path in which ``condition`` holds by violating the property ``name``."""
        here = self.t.and_(self.path.term, condition)
        if here != FALSE:
            self._epoch += 1
            self.violations.append(
                ViolationEvent(property=name, condition=here, called_from=self._call_stack(), because=because)
            )

    def _call_stack(self) -> tuple[CallSite, ...]:
        """The calls that have not returned, by the program's own functions, the innermost first.

        Empty where the inputs are not fixed: states of several call stacks may have been joined there.
        """
        sites: list[CallSite] = []
        frame = self.caller() if self.is_fixed else None
        while frame is not None and (frame := frame.outer) is not None:
            if (where := frame.instruction().location) is not None:
                sites.append(CallSite(function=frame.function.source.name, location=where))
        return tuple(sites)

    def print(self, event: OutputEvent) -> bool:
        """Print on the current path; False when none of its executions goes on."""
        if not self.is_reference:
            self.outputs.append(event)
        return all(observer.prints(self, event) for observer in self.observers)

    def cut_here(self, where: Location) -> None:
        """Cut the current path, which ends here: it leaves the bound."""
        self._cut(TRUE, where)

    def has_own_limit(self, name: str) -> bool:
        """Whether a loop or a recursion has an unwinding limit of its own; one of a reference, as in the program."""
        return name.removeprefix(PREFIX) in self.bound.unwindset

    def unwinding_limit(self, name: str) -> int | None:
        """Unwinding limit of a loop (its back edge taken, plus one) or a recursion (calls below itself); None: any."""
        name, bound = name.removeprefix(PREFIX), self.bound
        if name in bound.unwindset or bound.unwind is None:
            return bound.unwindset.get(name)
        return max(bound.unwind + (self.patience or 0), bound.least.get(name, 0))

    def end_of_unwinding(self, where: Location) -> None:
        """Cut the current path at the unwinding bound of a loop or recursion; a larger bound follows it further."""
        self.grows |= self._leaves_bound(where)

    def end_of_freedom(self, where: Location) -> None:
        """Cut the current path at the iteration limit of a loop whose conditions are all concrete."""
        self.tires |= self._leaves_bound(where)

    def _leaves_bound(self, where: Location) -> bool:
        """End the current path at a limit; False where going on so long is a failure."""
        if any(observer.goes_on_too_long(self) for observer in self.observers):
            return False
        self.cut_here(where)
        return True

    def cut_where(self, condition: Term, where: Location) -> bool:
        """Cut the executions of the current path in which ``condition`` holds: False when no other goes on."""
        self._cut(condition, where)
        return self.assume(self.t.not_(condition))

    def _cut(self, condition: Term, where: Location) -> None:
        if (here := self.t.and_(self.path.term, condition)) != FALSE:
            self._epoch += 1
            self.cut.append(here)
            if (where := self.place_of(where)) not in self.cut_at:
                self.cut_at.append(where)
