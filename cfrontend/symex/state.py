"""State of a symbolic execution: activations, the objects that they made, and the states parked at join points.

What memory holds is in the overlays of ``cfrontend.symex.store``, by the cells that are numbered here. An address is
a word of (number of the object, byte offset). Objects get cells one behind the other, from ``OBJECTS`` on; one cell
before them says whether the object lives, one behind them whether it was made.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, final

from cfrontend import goto
from cfrontend.errors import Location, ResourceError
from cfrontend.goto import GotoFunction
from cfrontend.slice.omitted_writes import NO_DECISIONS, Decisions
from cfrontend.slice.points_to import Place
from cfrontend.symex.layout import Layout
from cfrontend.symex.paths import PathCondition
from cfrontend.symex.store import Overlay
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import UCHAR, CType, IntType
from cfrontend.terms import FALSE, Term
from cfrontend.units import InputSite, MemoryPlace, UnitId

POSITION: Final = -1
"""Cell that counts the inputs consumed so far, where the inputs are fixed."""

DEAD: Final = -1
"""Result of a step that ends the state."""

Progress: TypeAlias = tuple[tuple[Term | None, ...], int | None]
"""Progress of a decided test: what it read, and its distance from the other decision where that is a number."""


@final
@dataclass(slots=True)
class ProgressOfTest:
    """Progress of a decided test in two rounds of a loop around it, evaluation by evaluation.

    A test in an inner loop is decided several times in a ``round`` of the outer one, ``now``. There is progress between
    rounds only, that ``before`` and this one.
    """

    round: int = -1
    before: list[Progress] = field(default_factory=list)
    now: list[Progress] = field(default_factory=list)

    def counterpart(self, number: int) -> tuple[bool, Progress | None]:
        """Whether round ``number`` of the loop is the first, and the same evaluation in the round before it."""
        if self.round != number:
            self.round, self.before, self.now = number, self.now, []
        place = len(self.now)
        return not self.before, self.before[place] if place < len(self.before) else None


@final
@dataclass(slots=True)
class LoopState:
    """Progress of a loop since it was entered.

    ``counted`` iterations count towards the bound, ``rounds`` are all, ``forks`` those that an open test may leave.
    ``tests`` says by the branch what a test read last, and how far that was from the other decision; ``has_advanced``:
    one of them has come on in this iteration. ``older`` is how many objects there were before the loop.
    """

    older: int = 0
    counted: int = 0
    rounds: int = 0
    forks: int = 0
    has_advanced: bool = False
    tests: dict[int, ProgressOfTest] = field(default_factory=dict)


Default: TypeAlias = Literal["zero", "unknown"]


@final
@dataclass(slots=True, eq=False)
class MemoryObject:
    """Object of the memory model. Its cells start at ``base``; the cell before it says whether it is alive.

    An ``untyped`` object gets its cells from the first access to it. ``limit`` is the size in bytes where that
    is smaller than the layout and not constant. ``made_by`` and ``ordinal`` are those of ``MemoryPlace``.
    """

    number: int
    base: int
    layout: Layout
    name: str
    context: str
    default: Default
    location: Location
    writable: bool = True
    ended: bool = False
    allocated: bool = False
    untyped: bool = False
    limit: Term | None = None
    made: int = 0
    """Number of the cell that says whether an allocated object has been made in a state."""
    made_by: str = ""
    ordinal: int | None = None
    alignment: int = 1
    """Alignment in bytes that its declaration asks for."""
    place: Place = ""
    """Name of the object where it matters which object is written."""
    has_parts: bool = False
    """Whether some of its cells are parts of pointers."""
    can_leak: bool = False
    """Whether it was allocated, and nobody but the program frees it."""
    automatic: bool = False
    """Whether it is a local variable, or from ``alloca``."""
    reserved: int = 0
    """Bytes of the stack that it takes beside the variables of its function: ``alloca``, a variable-length array."""
    ends: list[tuple[int, Term]] = field(default_factory=list)
    """Ends of its lifetime: the number of the youngest object that cannot have its address, and on which paths."""
    _initial: dict[int, Term] = field(default_factory=dict, init=False)
    _laid_out: Layout | None = field(default=None, init=False)
    """The layout that the initial values are of."""

    def initial(self, number: int, make: Callable[[MemoryObject, int], Term]) -> Term:
        """The initial value of a cell that was never written, as ``make`` says the first time that it is read."""
        if self._laid_out is not self.layout:
            self._initial, self._laid_out = {}, self.layout
        found = self._initial.get(number)
        if found is None:
            found = self._initial[number] = make(self, number)
        return found


Target: TypeAlias = tuple[Term, MemoryObject, Term]
"""Points-to entry: (condition, object, byte offset as a word)."""

WrittenPart: TypeAlias = tuple[Term, int, Term, int | None]
"""Part that a library function may write to: (condition, number of the object, byte offset, bytes or None for all)."""


@final
@dataclass(frozen=True, slots=True)
class PointsToSet:
    """Points-to set of a pointer: its targets, and the condition under which it was computed from its bits.

    ``cases`` is the number of cases in which it was, of the conditions that its parts are chosen by.
    """

    targets: tuple[Target, ...] = ()
    computed: Term = FALSE
    cases: int = 0


UnwrittenLeaf: TypeAlias = tuple[Term, Term]
"""Never-written cell that a value may come from: (condition, variable)."""

LITERAL: Final = "string literal"
"""Name of the objects of string literals."""


@final
@dataclass(frozen=True, slots=True)
class Slot:
    """A scalar without an address: cell ``number`` of the frame, or of static memory."""

    number: int
    is_static: bool


@final
@dataclass(slots=True)
class CompiledFunction:
    """A function compiled to ``steps`` in order; ``slots`` scalars and ``objects`` objects make up a frame.

    ``loops`` gives (loop id, head) by backward jump, ``loops_around`` the backward jumps of the loops around each
    instruction, ``exits`` the loops that each branch can leave. ``tested_once`` are conditions that one branch decides.
    """

    source: GotoFunction
    slots: int
    objects: int
    steps: list[Callable[..., int | None]] = field(default_factory=list)
    parameters: list[tuple[Slot | int, SyntaxSymbol, int]] = field(default_factory=list)
    """Parameters in order: slot or object number, symbol, and the bits of an integer (0 for others)."""
    result_slots: int = 0
    may_end_without_value: bool = False
    loops: dict[int, tuple[str, int]] = field(default_factory=dict)
    loops_around: list[tuple[int, ...]] = field(default_factory=list)
    heads: dict[int, list[int]] = field(default_factory=dict)
    selectors: dict[int, tuple[Callable[..., Term], bool, int]] = field(default_factory=dict)
    """The branches that only test the variant selector: each with its condition, when it jumps, and where to."""
    tested_once: frozenset[UnitId] = frozenset()
    decisions: Decisions = NO_DECISIONS
    static_slots: Mapping[Place, int] = field(default_factory=dict)
    slot_of: Mapping[Place, int] = field(default_factory=dict)
    """The slots of its own variables, by their keys."""

    def cell_of(self, place: Place, base: int) -> int | None:
        """The cell of a plain variable in the frame at ``base``; None for any other object."""
        slot = self.slot_of.get(place)
        return self.static_slots.get(place) if slot is None else base + slot


@final
@dataclass(slots=True)
class ParkedState:
    """Parked state: a path condition and an overlay of memory that wait for a join."""

    path: PathCondition
    overlay: Overlay


@final
@dataclass(slots=True)
class FrameState:
    """Activation record: where its scalars are, its objects, its parked states and its loop counts.

    ``outer`` is the frame of the caller, which stays at the call; ``beyond`` holds the arguments beyond the parameters
    of a variadic function. ``loops`` are those that it is in, by their back edges; ``before`` is how many objects there
    were before the activation. ``stack`` is the number of bytes of automatic objects so far, those of its callers
    included. ``last`` is the unit covered last, where the inputs are fixed; ``entered_by`` is the
    call, where the dynamic slice is recorded. A function of the library may write only to the ``written`` parts of the
    objects that they are of.
    """

    function: CompiledFunction
    base: int
    top: int
    outer: FrameState | None
    objects: list[MemoryObject | None]
    beyond: MemoryObject | None = None
    made: list[MemoryObject] = field(default_factory=list)
    parked: dict[int, list[ParkedState]] = field(default_factory=dict)
    heap: list[int] = field(default_factory=list)
    loops: dict[int, LoopState] = field(default_factory=dict)
    before: int = 0
    stack: int = 0
    came_back: bool = False
    pc: int = 0
    label: str | None = None
    last: UnitId | None = None
    entered_by: int = 0
    written: tuple[WrittenPart, ...] = ()

    def instruction(self) -> goto.Instruction:
        """The current instruction."""
        return self.function.source.instructions[self.pc]

    def loop(self, back: int) -> LoopState:
        """The loop of a back edge, which a jump may have entered."""
        found = self.loops.get(back)
        if found is None:
            found = self.loops[back] = LoopState()
        return found

    def context(self) -> str:
        """A name for this place in this iteration of this activation, the same in every encoding."""
        rounds = [self.loop(back).rounds for back in self.function.loops_around[self.pc]]
        if self.label is None:
            name = self.function.source.name
            self.label = name if self.outer is None else f"{self.outer.context()}/{name}"
        return f"{self.label}.{self.pc}" + "".join(f"#{n}" for n in rounds)


def input_site(
    name: str, ctype: CType | None, width: int, where: Location, memory: MemoryPlace | None = None
) -> InputSite:
    """The place where a scalar of a type, or a byte of none, is an input."""
    signed = isinstance(ctype, IntType) and ctype.signed
    kind = str(ctype or UCHAR)
    return InputSite(name=name, type=kind, width=width, signed=signed, location=where, memory=memory)


# -- the table of objects ------------------------------------------------------------------------------------------

OBJECTS: Final = 1 << 40
"""Number of the first cell of objects; scalars that never need an address are below."""

OFFSET_BITS: Final[Mapping[int, int]] = {64: 40, 32: 18}
"""Number of offset bits in a pointer, by bits of a pointer; the object's number stands above.

Half of its offsets are below zero. In 32 bits, where there are few, a large object has several numbers, and a
pointer that is computed to be further than 128 KiB outside its object may be one into another.
"""

_FIRST_BYTE: Final[Mapping[int, int]] = {64: 1 << 12}
"""Offset in bytes, by bits of a pointer, at which an object begins, so that no half of an address is null.

It lies in the middle of the offsets.
"""

_LARGEST_OBJECT: Final = 1 << 39
"""Maximum size of an object in bytes."""


@final
class ObjectTable:
    """Table of all objects so far; ``word`` is the bits of a pointer."""

    def __init__(self, word: int, *, is_placed: bool = False) -> None:
        self.word: Final = word
        self.offset_bits: Final = OFFSET_BITS[word]
        self._bias: Final = (1 << (self.offset_bits - 1)) + _FIRST_BYTE.get(word, 0)
        self.alignment: Final = self._bias & -self._bias
        """Alignment in bytes of the address of each object, a power of two."""
        self._all: Final[list[MemoryObject]] = []
        self._first = 0
        self._numbered: Final[list[MemoryObject]] = []
        self._bases: Final[list[int]] = []
        self._next_base = OBJECTS
        self.first_end = sys.maxsize
        """The number of the youngest object at the first end of one that is followed."""
        self.is_placed = is_placed
        """Whether an address that is seen is a variable (``cfrontend.symex.addresses``)."""
        self.seen: dict[Location, Term] = {}
        """Places where the program sees an address as a number, each with the condition under which it does."""
        self.have_parts = False
        """Whether cells of some object are parts of pointers."""
        self.leading: dict[Term, bool] = {}
        """Whether words may lead to an object."""
        self.changed: set[Term] = set()
        """Pointers of which a part was written."""
        self.starts: dict[int, tuple[Term, Term, MemoryObject]] = {}
        """The variable and the address of each placed object, by its number."""
        self.depending: dict[Term, bool] = {}
        """Whether words depend on the address of some object."""

    def add(self, obj: MemoryObject) -> None:
        """Register ``obj`` under the next number, with the next cells. Raises ResourceError where there is no room."""
        layout, where = obj.layout, obj.location
        obj.number = len(self._numbered) + 1
        obj.base = self._next_base + 1
        obj.made = obj.base + layout.count
        numbers = 1 + ((layout.size + self._bias) >> self.offset_bits)
        if layout.size >= _LARGEST_OBJECT:
            raise ResourceError(f"{obj.name} is too large: {layout.size} bytes", where)
        if obj.number + numbers > 1 << (self.word - self.offset_bits):
            raise ResourceError(f"no room for {obj.name} in {self.word}-bit addresses", where)
        self._all.append(obj)
        self._numbered.extend([obj] * numbers)
        self._bases.append(obj.base - 1)
        self._next_base += layout.count + 2

    def begin_anew(self) -> None:
        """Begin the objects of the program: those made so far are not the program's."""
        self._first = len(self._all)

    def youngest_first(self) -> Iterator[MemoryObject]:
        """All objects of the program so far, the youngest first."""
        return reversed(self._all[self._first :])

    def of_all(self) -> Iterator[MemoryObject]:
        """All objects so far, the oldest first, also those of a reference."""
        return iter(self._all)

    def of_cell(self, key: int) -> MemoryObject:
        """The object of a cell that belongs to no plain variable."""
        return self._all[bisect_right(self._bases, key) - 1]

    def place_at(self, key: int) -> Place | None:
        """The name of the object of a cell; None for a plain variable."""
        if key < OBJECTS:
            return None
        return self.of_cell(key).place

    def at(self, pointer: int) -> tuple[MemoryObject, int] | None:
        """The object and byte offset of a constant pointer; None for null and for plain numbers."""
        number = pointer >> self.offset_bits
        if not 0 < number <= len(self._numbered):
            return None
        obj = self._numbered[number - 1]
        return obj, pointer - self.address(obj)

    @property
    def count(self) -> int:
        """The number of the youngest object so far."""
        return len(self._numbered)

    def is_allocated_after(self, number: int, pointer: int) -> bool:
        """Whether a constant pointer points into an allocated object younger than object ``number``.

        Of other objects nothing is said: they are made when they are first named.
        """
        found = self.at(pointer)
        return found is not None and found[0].allocated and found[0].number > number

    def address(self, obj: MemoryObject, offset: int = 0) -> int:
        """The pointer value of a byte of the object."""
        return ((obj.number << self.offset_bits) + self._bias + offset) & ((1 << self.word) - 1)
