"""The frozen data that flows between the stages: inputs, executions, the dataset, rankings, the result.

Nothing here computes more than a view of itself. An execution is one run of the program; a dataset is
executions times units; a result is what a command found, and ``formats.result`` writes it as JSON.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Final, Literal, TypeAlias, final

from cfrontend.errors import Location
from cfrontend.formula import TraceStep
from cfrontend.record import dataclass
from cfrontend.units import NEXT_CHARACTER, InputNumber, MemoryPlace, Property, Reading, Unit, UnitId

Outcome: TypeAlias = Literal["fail", "pass"]
Verdict: TypeAlias = Literal["violated", "safe", "unknown"]
PropertyStatus: TypeAlias = Literal["violated", "safe", "unknown"]
Stop: TypeAlias = Literal["timeout", "memory", "interrupt", "effort", "unknown", "unsupported", "tried"]
"""What ended a search early: the time or the memory limit, Ctrl-C, its effort, a solver that gave up, a larger bound
within which the program comes to what is not supported, or that only some inputs were tried."""
Slicing: TypeAlias = Literal["none", "static", "dynamic"]
"""Kind of coverage: all evaluated units, those in a static slice, or those in the dynamic slice of the execution."""
Native: TypeAlias = Literal["on", "off"]
"""Permission to compile and execute the program natively."""

NativeStatus: TypeAlias = Literal["agrees", "disagrees", "unobserved", "impossible"]
"""Result of comparing an execution with its native replay."""


SEARCH: Final = "search"
"""The name of a thread in which a solver searches."""


@final
class Halt(KeyboardInterrupt):
    """The user's limit ends the work wherever it is, as Ctrl-C does."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop)
        self.stop = stop


def stop_reason_of(error: KeyboardInterrupt) -> Stop:
    """The reason why the work ended: the limit that was hit, or Ctrl-C."""
    return error.stop if isinstance(error, Halt) else "interrupt"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InputValue:
    """One value of an input vector: an integer in the range of the C type, or the spelling of a floating value.

    What is spelled reads back as the same bits: ``0.1``, ``1e+300``, ``-inf``, ``nan(0x1)``. ``memory`` is where
    the value stood, for one that was read from memory nobody wrote; ``function`` is that of the dialect, where a
    call asked for it; ``reading`` is that of ``InputSite``.
    """

    name: str
    type: str
    value: InputNumber
    location: Location = field(compare=False)
    memory: MemoryPlace | None = field(default=None, compare=False)
    function: str = field(default="", compare=False)
    reading: Reading | None = field(default=None, compare=False)


ENDLESS: Final = "does not end"
"""End of an execution that is taken for one that does not terminate."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """One execution: ``covered`` holds unit ids, ``counts`` how often each of them was evaluated.

    ``property`` names the violated property of a failing execution. ``outcome`` None: the execution met neither end (a
    false assumption, the bound, or a violation of a property that was not asked for); ``ended`` says so.
    ``reference_inputs`` are what the reference read, as value and width by name, ``expected`` what it printed;
    ``example`` is what an example of input and output says is to be printed. ``flow`` and ``tests`` are those of
    ``EncodedProgram``, for executions of given inputs. ``test`` is the name of the existing test that this is the
    execution of, empty for one that was generated. ``further`` are the values, by name, of inputs that it does not come
    to, where these are to be the same in whatever the execution is compared with. ``unread`` are inputs that only its
    reference has read, where that was asked for.
    """

    id: int
    outcome: Outcome | None
    property: str | None
    inputs: tuple[InputValue, ...]
    covered: frozenset[UnitId]
    counts: Mapping[UnitId, int] = field(default_factory=dict)
    output: str = ""
    ended: str = ""
    flow: Mapping[tuple[UnitId | None, UnitId | None], int] = field(default_factory=dict, compare=False)
    tests: Mapping[UnitId, tuple[int, int]] = field(default_factory=dict, compare=False)
    reference_inputs: Mapping[str, tuple[int, int]] = field(default_factory=dict, compare=False)
    expected: str | None = None
    example: bytes | None = field(default=None, compare=False)
    test: str = field(default="", compare=False)
    further: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    unread: tuple[InputValue, ...] = field(default=(), compare=False)

    @builtins.property
    def read_by_oversight(self) -> frozenset[str]:
        """Objects that are read uninitialised by oversight: none where such reads are all the input of the program."""
        if all(value.memory is not None for value in self.inputs):
            return frozenset()
        return frozenset(value.memory.object for value in self.inputs if value.memory is not None)

    @builtins.property
    def text(self) -> bytes | None:
        """The standard input, where each of its inputs is a character of it; None where it has others or none."""
        inputs = (*self.inputs, *self.unread)
        if not inputs or any(v.reading is None or v.reading.function != NEXT_CHARACTER for v in inputs):
            return None
        return bytes(int(value.value) & 0xFF for value in inputs if value.value != -1)

    @builtins.property
    def vector(self) -> tuple[InputNumber, ...]:
        """The values of its inputs, in evaluation order."""
        return tuple(value.value for value in self.inputs)


@final
@dataclass(frozen=True, kw_only=True)
class Spectrum:
    """The counts of one unit: ``ef ep`` failing and passing executions that cover it, ``nf np`` that do not."""

    ef: int
    ep: int
    nf: int
    np: int


@final
@dataclass(frozen=True, kw_only=True)
class Dataset:
    """Executions times units, failing first when generated; rows without an outcome count for nothing."""

    units: tuple[Unit, ...]
    executions: tuple[Execution, ...]

    @cached_property
    def failing(self) -> tuple[Execution, ...]:
        """The failing executions, in order."""
        return tuple(e for e in self.executions if e.outcome == "fail")

    @cached_property
    def passing(self) -> tuple[Execution, ...]:
        """The passing executions, in order."""
        return tuple(e for e in self.executions if e.outcome == "pass")

    @cached_property
    def intersection(self) -> tuple[UnitId, ...]:
        """Units covered by every failing execution, ascending; empty when nothing failed."""
        if not self.failing:
            return ()
        common = frozenset.intersection(*(e.covered for e in self.failing))
        return tuple(u.id for u in self.units if u.id in common)

    def with_definitions(self, definitions: Sequence[EditedDefinition]) -> Dataset:
        """The dataset with ``definitions`` as further units, each covered where a unit that uses it is covered."""
        if not definitions:
            return self
        executions = tuple(
            replace(
                execution,
                covered=execution.covered.union(d.unit.id for d in definitions if d.used & execution.covered),
            )
            for execution in self.executions
        )
        return Dataset(units=(*self.units, *(d.unit for d in definitions)), executions=executions)

    def spectrum(self, unit: UnitId) -> Spectrum:
        """The four counts of one unit (Landsberg et al. 2018, Definition 4, in the order ef ep nf np)."""
        ef = sum(unit in e.covered for e in self.failing)
        ep = sum(unit in e.covered for e in self.passing)
        return Spectrum(ef=ef, ep=ep, nf=len(self.failing) - ef, np=len(self.passing) - ep)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NativeCheck:
    """Comparison of an execution with its native replay.

    ``unobserved``: nothing native shows the violation; ``impossible``: there is no such execution. ``problems`` say
    what differs, or why there is nothing to compare; ``ended`` is how the native execution ended. ``lines`` are the
    lines with a unit that the execution covers, ``native_lines`` those that gcov counted.
    """

    execution: int
    status: NativeStatus
    problems: tuple[str, ...] = ()
    ended: str = ""
    lines: tuple[tuple[str, int], ...] = ()
    native_lines: tuple[tuple[str, int], ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RankedUnit:
    """One line of a ranking; ``rank`` counts from 1 and is unique (ties go to the earlier unit)."""

    rank: int
    unit: UnitId
    score: float
    spectrum: Spectrum
    rank_keys: tuple[float, ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The last ``steps`` of an execution; ``left_out`` says how many there were before."""

    steps: tuple[TraceStep, ...]
    left_out: int


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SliceUsed:
    """Kind of slicing that coverage is restricted to, in a result.

    ``removed`` are the units outside a static slice, which nothing can cover.
    """

    kind: Slicing
    removed: tuple[UnitId, ...] = ()


Saving: TypeAlias = Literal["saved", "lost", "undecided", "skipped"]
"""Answer of the angelic filter: some values at the unit let the failing execution pass, none do, nobody knows, or not
asked because another execution is lost for the unit."""


def misses_some_failing_execution(savings: Iterable[Saving]) -> bool:
    """True if the unit is known not to save some execution: one is ``lost``, or was ``skipped`` for a lost one."""
    return not {"lost", "skipped"}.isdisjoint(savings)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Angelic:
    """Result of the angelic filter: the failing ``runs`` that each unit could save.

    ``savings`` has an entry for each execution, in the order of ``runs``. ``places`` has the same for units that could
    save some by writing their value elsewhere, or by other arguments of what they call on the way to it, and not all by
    its value. ``complete``: no entry was left undecided for want of time, or because of what ended the search,
    ``stop``.

    ``evading`` are units that may save executions by other inputs or fewer only. They are the ``asserting`` ones, which
    only decide what is asserted, those that read an input themselves, and those with which the first execution passes
    only where it reads less than before. ``exact`` says of some units whether they can save every failing input within
    the bound, None where nobody asked; ``beyond`` has an execution for each that cannot.
    """

    runs: tuple[Execution, ...]
    savings: Mapping[UnitId, tuple[Saving, ...]]
    complete: bool
    places: Mapping[UnitId, tuple[Saving, ...]] = field(default_factory=dict)
    stop: Stop | None = None
    evading: frozenset[UnitId] = frozenset()
    asserting: frozenset[UnitId] = frozenset()
    exact: Mapping[UnitId, Saving] | None = None
    beyond: Mapping[UnitId, Execution] = field(default_factory=dict)

    def saved(self, unit: UnitId) -> int:
        """Number of executions that some values at ``unit`` let pass."""
        return self.savings.get(unit, ()).count("saved")

    def saved_elsewhere(self, unit: UnitId) -> int:
        """Number of executions that pass when ``unit`` writes to another place, or calls with other arguments."""
        return self.places.get(unit, ()).count("saved")

    def keeps(self, unit: UnitId) -> bool:
        """True if no execution is known that ``unit`` can save neither by another value nor elsewhere."""
        return any(
            unit in tier and not misses_some_failing_execution(tier[unit])
            for tier in (self.savings, self.places)
        )

    def may_save_all(self, unit: UnitId) -> bool:
        """True if no execution is known that another value of ``unit`` cannot save."""
        return unit in self.savings and not misses_some_failing_execution(self.savings[unit])

    def may_save_some(self, unit: UnitId) -> bool:
        """True if some execution is known that another value of ``unit`` can save, or may."""
        return set(self.savings.get(unit, ())) != {"lost"}

    def saves_every_input(self, unit: UnitId) -> float:
        """1 where ``unit`` is proved to save every failing input, 0 where it does not, 1/2 where nobody knows."""
        if not self.may_save_all(unit):
            return 0.0
        return {"saved": 1.0, "lost": 0.0}.get((self.exact or {}).get(unit, "undecided"), 0.5)

    def undecided(self, unit: UnitId) -> int:
        """Number of executions of which it is not decided whether ``unit`` saves them."""
        return self.savings.get(unit, ()).count("undecided")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EditedUnit:
    """An edit at a unit: ``before`` and ``after`` (empty: taken out) are what changes, each on one line.

    ``line`` and ``column`` are where it begins in ``file``.
    """

    unit: UnitId
    file: str
    line: int
    column: int
    before: str
    after: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class JointRepair:
    """Edits of several units after which no failing execution remains within the bound; none of them does it alone.

    The passing executions still pass. ``diff`` is the unified diff of all files. It is ``small`` where each edit is.
    """

    edits: tuple[EditedUnit, ...]
    diff: str
    size: Literal["small", "large"]

    @property
    def units(self) -> frozenset[UnitId]:
        """The units that are edited."""
        return frozenset(edit.unit for edit in self.edits)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnoses:
    """Minimal ``sets`` of several units that save all of ``runs`` together; the best first.

    ``repairs`` are edits of some of them that are verified. ``complete``: there are no other sets, else ``stop`` may
    say what ended the search.
    """

    runs: tuple[Execution, ...]
    sets: tuple[tuple[UnitId, ...], ...]
    complete: bool
    repairs: tuple[JointRepair, ...] = ()
    stop: Stop | None = None


Behaviour: TypeAlias = Literal["kept", "changed", "unknown"]
"""Effect of a plausible patch on passing executions: it keeps them, changes them (it likely overfits), or nobody
knows."""


def behaviour_kept(kept: int | None, *, evades: bool) -> Behaviour:
    """``kept`` where some passing execution goes its way and failing ones read on, ``unknown`` where none is compared.

    Else it is ``changed``: the patch makes another program of it.
    """
    if evades or kept == 0:
        return "changed"
    return "unknown" if kept is None else "kept"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A verified repair: after this edit of a unit no failing execution remains, and the passing ones still pass.

    ``line`` and ``column`` are where it begins in ``file``; ``before`` and ``after`` are the text of the edited
    expression on one line (``after`` empty: taken out), ``diff`` is the unified diff of ``file``. ``kept`` is how many
    of the passing executions evaluate the same units as before, None where none can be compared: there is none, or all
    read memory by oversight. ``evades``: no failing execution reads as many inputs as it did before it failed, or comes
    to what it violated, so that the edit may only hide the fault. ``template`` is the name of the edit template that
    made it.
    """

    unit: UnitId
    size: Literal["small", "large"]
    file: str
    line: int
    column: int
    before: str
    after: str
    diff: str
    template: str
    kept: int | None = None
    evades: bool = False

    @property
    def behaviour(self) -> Behaviour:
        """Effect of the patch on passing executions."""
        return behaviour_kept(self.kept, evades=self.evades)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EditedDefinition:
    """A definition outside of the statements that can be wrong: ``unit``, and the units ``used`` that name it."""

    unit: Unit
    used: frozenset[UnitId]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Repairs:
    """Verified repairs, the best first, and the statistics of the search.

    ``complete``: every candidate was tried, else ``stop`` may say what ended the search. ``candidates`` is the number
    of edits that could be tried, ``tried`` of those that were held against executions, and ``tried_by_template`` how
    many of those each edit template made. A complete search leaves out further ones of units with enough repairs.
    ``passing`` is how many executions had to stay so. ``refuting`` are failing executions of edited programs with which
    all executions known by then pass. ``definitions`` are those that some of the repairs edit.

    ``undecided`` are plausible patches of units without a verified one: all known executions go right with them, and it
    was not decided whether another fails. ``keep_known``: some of the repairs found leave executions, and passing ones
    of the dataset, on their way.
    """

    found: tuple[Repair, ...]
    complete: bool
    passing: int
    stop: Stop | None = None
    tried: int = 0
    tried_by_template: Mapping[str, int] = field(default_factory=dict)
    candidates: int = 0
    refuting: tuple[Execution, ...] = ()
    definitions: tuple[EditedDefinition, ...] = ()
    undecided: tuple[Repair, ...] = ()
    keep_known: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BoundUsed:
    """The unwinding a result holds for; ``complete``: no execution reaches beyond it (None: not decided).

    ``argc`` and ``argv_length``, the most characters of an argument, are None where executions do not read them.
    ``assumptions`` say in a few words each what the bound takes for granted of the inputs, such as ``argc = 1``: with
    any of them, it is not beyond every execution, whatever ``complete`` says of those that it has.
    """

    unwind: int | None
    unwindset: Mapping[str, int]
    complete: bool | None
    argc: int | None = None
    argv_length: int | None = None
    assumptions: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyResult:
    """Verdict on one property within the bound."""

    property: Property
    status: PropertyStatus


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Solver calls and seconds, in all and per stage.

    ``seconds`` has ``total``, ``solve`` (inside the solver) and the stages: those of the front end, ``bound``
    (the search for the smallest failing bound), ``failing``, ``passing``; ``encode`` is the part of ``bound``
    that built terms. ``stage_calls`` has the solver calls of the stages that made any.
    """

    solver: str
    calls: int
    seconds: Mapping[str, float]
    stage_calls: Mapping[str, int] = field(default_factory=dict)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Result of one command: verdict, dataset, ranking and all else that it found.

    ``optimal`` is None when nothing failed or no proof was tried. ``reason`` says why there is not more, and
    ``stopped`` what ended a search early. ``measure`` and ``rank`` are None where nothing was to be ranked.
    ``native`` has one check for each execution, None when nothing was replayed. ``traces`` are those of executions by
    their ids, where they were asked for. ``slice`` is None where whatever is evaluated is covered.
    ``unreached`` are the units that no execution reaches, None where that is not decided or the verdict is not safe.
    """

    verdict: Verdict
    bound: BoundUsed
    dataset: Dataset
    properties: tuple[PropertyResult, ...]
    statistics: Statistics
    reason: str | None = None
    optimal: bool | None = None
    undecided: tuple[UnitId, ...] = ()
    intersection: tuple[UnitId, ...] = ()
    measure: str | None = None
    rank: str | None = None
    ranking: tuple[RankedUnit, ...] = ()
    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    stopped: Stop | None = None
    native: tuple[NativeCheck, ...] | None = None
    angelic: Angelic | None = None
    diagnoses: Diagnoses | None = None
    repairs: Repairs | None = None
    traces: Mapping[int, Trace] = field(default_factory=dict)
    slice: SliceUsed | None = None
    unreached: tuple[UnitId, ...] | None = None
