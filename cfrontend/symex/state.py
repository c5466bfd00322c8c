"""State of a symbolic execution: activations, the objects that they made, and the states parked at join points.

What memory holds is in the overlays of ``cfrontend.symex.store``, by the cells that are numbered here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, final

from cfrontend import goto
from cfrontend.errors import Location
from cfrontend.slice.points_to import Place
from cfrontend.symex.layout import SymexLayout
from cfrontend.symex.paths import PathCondition
from cfrontend.symex.store import SymexStoreOverlay
from cfrontend.terms import FALSE, Term
from cfrontend.units import UnitId

if TYPE_CHECKING:
    from cfrontend.symex.functions import CompiledFunction

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


Default: TypeAlias = Literal["zero", "unknown"]


@final
@dataclass(slots=True, eq=False)
class StateOfMemoryObject:
    """Object of the memory model. Its cells start at ``base``; the cell before it says whether it is alive.

    An ``untyped`` object gets its cells from the first access to it. ``limit`` is the size in bytes where that
    is smaller than the layout and not constant. ``made_by`` and ``ordinal`` are those of ``MemoryPlace``.
    """

    number: int
    base: int
    layout: SymexLayout
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
    _laid_out: SymexLayout | None = field(default=None, init=False)
    """The layout that the initial values are of."""

    def initial(self, number: int, make: Callable[[StateOfMemoryObject, int], Term]) -> Term:
        """The initial value of a cell that was never written, as ``make`` says the first time that it is read."""
        if self._laid_out is not self.layout:
            self._initial, self._laid_out = {}, self.layout
        found = self._initial.get(number)
        if found is None:
            found = self._initial[number] = make(self, number)
        return found


Target: TypeAlias = tuple[Term, StateOfMemoryObject, Term]
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


LITERAL: Final = "string literal"
"""Name of the objects of string literals."""


@final
@dataclass(slots=True)
class ParkedState:
    """Parked state: a path condition and an overlay of memory that wait for a join."""

    path: PathCondition
    overlay: SymexStoreOverlay


@final
@dataclass(slots=True)
class FrameState:
    """Activation record: where its scalars are, its objects, its parked states and its loop counts.

    ``outer`` is the frame of the caller, which stays at the call; ``beyond`` holds the arguments beyond the parameters
    of a variadic function. ``counts`` counts towards the bound, ``rounds`` every iteration of the current loop
    instance, ``forks`` those that an undecided test may leave. ``progress`` is what its tests read last, by the branch,
    and how far that was from the other decision. ``older`` is how many objects there were before it, and ``before``
    how many before the activation. ``stack`` is the number of bytes of automatic objects so far, those of its callers
    included. ``last`` is the unit covered last, where the inputs are fixed; ``entered_by`` is the
    call, where the dynamic slice is recorded. A function of the library may write only to the ``written`` parts of the
    objects that they are of.
    """

    function: CompiledFunction
    base: int
    top: int
    outer: FrameState | None
    objects: list[StateOfMemoryObject | None]
    beyond: StateOfMemoryObject | None = None
    made: list[StateOfMemoryObject] = field(default_factory=list)
    parked: dict[int, list[ParkedState]] = field(default_factory=dict)
    heap: list[int] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)
    rounds: dict[int, int] = field(default_factory=dict)
    progress: dict[int, dict[int, ProgressOfTest]] = field(default_factory=dict)
    advanced: set[int] = field(default_factory=set)
    forks: dict[int, int] = field(default_factory=dict)
    older: dict[int, int] = field(default_factory=dict)
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

    def context(self) -> str:
        """A name for this place in this iteration of this activation, the same in every encoding."""
        rounds = [self.rounds.get(b, 0) for b in self.function.loops_around[self.pc]]
        if self.label is None:
            name = self.function.source.name
            self.label = name if self.outer is None else f"{self.outer.context()}/{name}"
        return f"{self.label}.{self.pc}" + "".join(f"#{n}" for n in rounds)
