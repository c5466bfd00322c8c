"""Encoded program: the bounded program as terms, which is the result of symbolic execution.

Every term is a Boolean or a word over the input variables alone; nothing has to be assumed beside them. An
assignment of the inputs fixes one execution: exactly one of the violations, ``passing`` and ``cut`` holds for
it, or none when it met a false assumption.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import Final, Protocol, TypeAlias, TypedDict, final

from cfrontend.errors import Location
from cfrontend.record import dataclass
from cfrontend.terms import FALSE, Term, Terms
from cfrontend.units import InputNumber, InputSite, MemoryPlace, Property, Supply, Unit, UnitId

EXAMPLE: Final = "example.1"
"""Id of the property that output other than the expected text violates."""

BEYOND: Final = "beyond "
"""Name prefix of an input that is read behind the end of the fixed ones."""


SMALL: Final = 100
"""Largest absolute value of numbers that are read where it counts whether a program ends."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """Unwinding bound of loops and recursion, counted as CBMC counts.

    ``unwind`` bounds every loop instance and every recursion (None: only those of ``unwindset``); a loop that
    ``unwindset`` names by ``function.n``, or a recursion it names by ``function``, has its own bound. With
    ``free`` set, a loop whose condition folds to a constant runs up to ``free_limit`` iterations whatever
    ``unwind`` says (fewer where another test may leave it); the limit
    is no shorter than 100 000 in functions of the library. What ``least`` names is followed at least as far whatever
    ``unwind`` says, as a loop that ran free before an edit. ``patience`` is how much further than its reference a
    program is followed where that has ended: what goes on does not end as the reference does, a failure. Numbers that
    are read are small then. None: as far, and what goes on leaves the bound.
    """

    unwind: int | None
    unwindset: Mapping[str, int] = field(default_factory=dict)
    free: bool = False
    free_limit: int = 200_000
    least: Mapping[str, int] = field(default_factory=dict)
    patience: int | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One instance of a property: ``condition`` holds when the execution ends here by violating it."""

    property: str
    condition: Term


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InputEvent:
    """Input event: one evaluated input, in evaluation order along every execution; it is read when ``condition`` holds.

    ``value`` is a variable, or a constant where the inputs were fixed. The same variable can stand in several
    events (an uninitialised variable read at several places): the first one that holds counts.
    """

    site: InputSite
    value: Term
    condition: Term


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OutputEvent:
    """Output event: one ``printf`` with its format and arguments, printed when ``condition`` holds."""

    format: bytes
    arguments: tuple[OutputArgument, ...]
    condition: Term


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OutputArgument:
    """A printed value; for ``%s`` the characters up to the first that is zero."""

    value: Term
    signed: bool
    characters: tuple[Term, ...] | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TraceWrite:
    """Traced write of a scalar in the activation at ``depth`` (0: a global one), with its value as C spells it."""

    depth: int
    name: str
    value: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TraceStep:
    """Trace step: a unit that is evaluated or goes on behind a call, its call depth from 1, and what it writes.

    ``outcome`` is how a condition comes out. Parameters are writes of the unit that calls, and what is read without
    having been written is a write of the unit that reads it.
    """

    unit: UnitId
    depth: int
    outcome: bool | None
    writes: tuple[TraceWrite, ...]


class Cancellation(Protocol):
    """A token that says whether work is still wanted. Whoever does the work polls it, and calls nothing else of it."""

    def poll(self) -> str | None:
        """Why the work should end; None while it may go on. Pure: it only looks."""
        ...


@final
@dataclass(frozen=True, slots=True)
class FixedValues:
    """Fixed inputs ``values``, in evaluation order; None is what there is at the end (``InputSite.at_end``).

    Beyond the last one inputs stay free where a unit is relaxed, and end the execution as ``missing_input`` where none
    is. ``places`` says of each that was read from never-written memory, where. An execution that does not read it
    passes it over, and what only this one reads is 0. Without ``places`` the inputs are what is read, whatever they
    were. ``reference`` has inputs of the reference that the program may not read: (value, width) by name.
    """

    values: Sequence[InputNumber | None]
    places: Sequence[MemoryPlace | None] | None = None
    reference: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@final
@dataclass(frozen=True, slots=True)
class DrawnValues:
    """Fixed inputs ``values`` in the order in which they come into being (``cfrontend.cbmc.drawn_values``).

    With ``much`` they include those of larger objects and the bytes of allocated memory.
    """

    values: Sequence[int]
    much: bool = False


@final
@dataclass(frozen=True, slots=True)
class SuppliedValues:
    """Inputs that are asked for one by one when they are read; None ends the execution as ``missing_input``."""

    supply: Supply


GivenInputs: TypeAlias = FixedValues | DrawnValues | SuppliedValues
"""Where the inputs of one concrete execution come from."""


class EncodeOptions(TypedDict, total=False):
    """Options of an encoding: constraints on the executions, and what is relaxed; without any, all executions."""

    inputs: GivenInputs | None
    """Where inputs come from; None: each may have any value."""

    settings: Mapping[str, int | None] | None
    """Initial values of integer globals whose address nothing takes; None stands for any value."""

    relax: Collection[UnitId]
    """Relaxed units: each yields an angelic value, a new one each time, whatever its evaluation violates."""

    misplace: Collection[UnitId]
    """Misplaced units: each writes to any place of the type, and for a variable to any other one.

    Functions that they call on the way to their value are given any arguments.
    """

    expected: bytes | None
    """Output specification: a text that has to be printed; other output violates the property ``EXAMPLE``."""

    mattering: Collection[str] | None
    """Slicing criteria: coverage is what influences the violation of one, or those that a passing execution evaluates.

    None: coverage is what is evaluated.
    """

    cancel: Cancellation | None
    """Polled now and then while the formula is made; None: only the deadline ends that early."""

    steps: bool
    """True if the steps of the one execution on fixed inputs are recorded."""

    deadline: float | None
    """Deadline in seconds of ``time.monotonic``."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class UnrolledBound:
    """The bound that was effectively used, and where executions leave it.

    ``unwindset`` has it loop by loop, so that it can be repeated with another tool; ``library_unwindset`` has the loops
    of library models, ``deepest`` how many activations of a recursive function were below another one. Executions are
    cut at the places ``cut_at``. A larger unwinding follows more only where the program ``grows``, a larger
    ``free_limit`` only where it ``tires``.
    """

    unwindset: Mapping[str, int] = field(default_factory=dict)
    library_unwindset: Mapping[str, int] = field(default_factory=dict)
    deepest: Mapping[str, int] = field(default_factory=dict)
    cut_at: tuple[Location, ...] = ()
    grows: bool = True
    tires: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What of the executions was compared with those of the reference; empty without one.

    ``inputs`` are those that the reference reads, by name, and ``expected`` is what it prints. Executions in which the
    program reads another kind of input than the reference are not followed: they count as cut. ``differently_read``
    says where and when that is, ``other_ways`` in words how. At ``differently_typed`` the program reads the same number
    as another type. Executions whose ends cannot be compared are not followed either; ``uncompared`` has them by the
    reason. ``endless`` holds for executions that go on behind a reference that has ended. With fixed inputs, ``unread``
    are those that the reference has read and the program has not before what they print first differs.
    """

    inputs: Mapping[str, Term] = field(default_factory=dict)
    expected: tuple[OutputEvent, ...] = ()
    differently_read: Mapping[Location, Term] = field(default_factory=dict)
    differently_typed: tuple[Location, ...] = ()
    uncompared: Mapping[str, Term] = field(default_factory=dict)
    other_ways: Mapping[Location, str] = field(default_factory=dict)
    endless: Term = FALSE
    unread: tuple[InputEvent, ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ConcreteExecution:
    """The one execution on fixed inputs; where a unit is relaxed, there are several.

    ``passing_reading`` holds when it passes having read all inputs; so many are ``unused_inputs``. It has ended early
    at ``missing_input``, an input that the vector has no value for. ``undrawn_input`` is an input that had to be
    guessed because the drawn values had none for it. ``flow`` counts how often one unit followed another within an
    activation; None stands for the begin and the end of an activation that came to its end. ``tests`` says how often
    each condition came out true and false, of those that one branch decides (``goto.tested_once``). ``steps`` are those
    of the execution, where they were asked for.
    """

    passing_reading: Term = FALSE
    unused_inputs: int = 0
    missing_input: InputSite | None = None
    undrawn_input: InputSite | None = None
    flow: Mapping[tuple[UnitId | None, UnitId | None], int] = field(default_factory=dict)
    tests: Mapping[UnitId, tuple[int, int]] = field(default_factory=dict)
    steps: tuple[TraceStep, ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedProgram:
    """Encoded program as a formula; ``coverage`` has no entry for a unit unreachable within the bound.

    ``instances`` holds, for each unit, the condition of every single evaluation (their disjunction is the
    coverage; counting those that hold gives how often it was evaluated). ``checked`` are the properties that some
    execution evaluates, each with the path conditions under which it does. ``cut`` holds for executions that leave the
    bound, which is ``unrolled``.
    """

    terms: Terms
    units: tuple[Unit, ...]
    properties: tuple[Property, ...]
    coverage: Mapping[UnitId, Term]
    instances: Mapping[UnitId, tuple[Term, ...]]
    violations: tuple[Violation, ...]
    passing: Term
    cut: Term
    inputs: tuple[InputEvent, ...]
    outputs: tuple[OutputEvent, ...]
    checked: Mapping[str, frozenset[Term]] = field(default_factory=dict)
    unrolled: UnrolledBound = UnrolledBound()
    comparison: Comparison = Comparison()
    concrete: ConcreteExecution = ConcreteExecution()
