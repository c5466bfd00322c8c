"""Repairs and diagnoses: edits after which no failing execution remains, and sets of units to change together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, Literal, TypeAlias, final

from cfrontend.record import dataclass
from cfrontend.units import UnitId
from sfo.core.dataset import EditedDatasetDefinition
from sfo.core.executions import Execution
from sfo.core.halt import Stop
from sfo.core.policy import policy


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RepairOfUnit:
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
class RepairOfSeveralUnits:
    """Edits of several units after which no failing execution remains within the bound; none of them does it alone.

    The passing executions still pass. ``diff`` is the unified diff of all files. It is ``small`` where each edit is.
    ``kept`` is how many passing executions go on as before, None where none can be compared. ``prints_alike``: natively
    all passing executions print what they did before; False where nobody compared it. ``reach``: on how many edges
    between units known inputs and those near them lead natively, and on how many ways; 0 where nobody has counted.
    """

    edits: tuple[RepairOfUnit, ...]
    diff: str
    size: Literal["small", "large"]
    kept: int | None = None
    prints_alike: bool = False
    reach: tuple[int, int] = (0, 0)

    @property
    def units(self) -> frozenset[UnitId]:
        """The units that are edited."""
        return frozenset(edit.unit for edit in self.edits)

    @property
    def strays(self) -> bool:
        """True if all passing executions go another way, so that it likely overfits."""
        return self.kept == 0


Behaviour: TypeAlias = Literal["kept", "changed", "unknown"]
"""Effect of a plausible patch on passing executions: it keeps them, changes them (it likely overfits), or nobody
knows."""


def behaviour_kept_by_repair(kept: int | None, *, evades: bool) -> Behaviour:
    """``kept`` where some passing execution goes its way and failing ones read on, ``unknown`` where none is compared.

    Else it is ``changed``: the patch makes another program of it.
    """
    if evades or kept == 0:
        return "changed"
    return "unknown" if kept is None else "kept"


KeptPart: TypeAlias = Literal["nearly all", "many", "few"]
"""Part of the passing executions that a patch keeps on their way, of those that the patch keeps which keeps most."""

_NEARLY_ALL: Final = 0.85

_MANY: Final = 0.5
"""Least parts of what the best patch keeps that are called nearly all of it, and much of it."""


def part_kept_by_repair(kept: float, most: float) -> KeptPart:
    """Part of the passing executions that a patch keeps, of the ``most`` that some patch keeps.

    Three of five small patches at faulty statements keep nearly all, and one of eight others.
    """
    if kept >= _NEARLY_ALL * most:
        return "nearly all"
    return "many" if kept >= _MANY * most else "few"


def place_of_kept_part(kept: float, most: float) -> int:
    """Sort key of patches: those that keep nearly all passing executions first, then those that keep many."""
    return ("nearly all", "many", "few").index(part_kept_by_repair(kept, most))


def place_of_unchanged_part(unchanged: int | None, most: int) -> int:
    """Sort key of patches by the executions that they leave ``unchanged``, of the ``most`` that one of them does.

    It is the first one where none was compared.
    """
    return 0 if unchanged is None else place_of_kept_part(unchanged, most)


def is_enough_kept_by_repair(kept: int | None, passing: int, edits: int = 1) -> bool:
    """True if a patch of so many ``edits`` keeps so many ``passing`` executions that it may be all that is wrong.

    One that sends nearly all of them another way only keeps failing ones from what they violate.
    """
    return kept is None or kept >= policy().repair.explaining_part ** edits * passing


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A verified repair: after this edit of a unit no failing execution remains, and the passing ones still pass.

    ``line`` and ``column`` are where it begins in ``file``; ``before`` and ``after`` are the text of the edited
    expression on one line (``after`` empty: taken out), ``diff`` is the unified diff of ``file``. ``kept`` is how many
    of the passing executions evaluate the same units as before, None where none can be compared: there is none, or all
    read memory by oversight. ``evades``: no failing execution reads as many inputs as it did before it failed, or comes
    to what it violated, or some execution reads memory then that nobody wrote, so that the edit may only hide the
    fault. ``template`` is the name of the edit template that
    made it. ``unchanged`` is how many of the passing executions leave in all variables what they did before the edit,
    None where none can be compared. Where ``kept`` is None it is how many failing ones still evaluate all units that
    they did before. ``further_units`` are edited behind the first one, where it is several edits in a row.
    ``differing`` is on how many further examples of ``Repairs`` the edited program prints something else than the
    reference, None where it was executed on none.
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
    unchanged: int | None = None
    further_units: tuple[UnitId, ...] = ()
    differing: int | None = None

    @property
    def units(self) -> frozenset[UnitId]:
        """The units that are edited."""
        return frozenset((self.unit, *self.further_units))

    @property
    def behaviour(self) -> Behaviour:
        """Effect of the patch on passing executions."""
        return behaviour_kept_by_repair(self.kept, evades=self.evades)


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
    was not decided whether another fails. ``keep_known``: some of the repairs found leave enough executions on their
    way, and passing ones of the dataset.

    ``one_execution``: the program has one input vector, before the edits and after them. A proof about that one is a
    test, so such edits are plausible, not verified. ``left_out`` are properties that may still be violated after the
    edits: they were not asked about, and are violated without an edit. Beside examples, ``mended`` of the ``failing``
    ones pass with each of the ``undecided`` edits, and ``further`` is the number of inputs like the examples on which
    a reference says what is to be printed; ``steps`` are those with which further ones may go on, where none
    mends all.
    """

    found: tuple[Repair, ...]
    complete: bool
    passing: int
    stop: Stop | None = None
    tried: int = 0
    tried_by_template: Mapping[str, int] = field(default_factory=dict)
    candidates: int = 0
    refuting: tuple[Execution, ...] = ()
    definitions: tuple[EditedDatasetDefinition, ...] = ()
    undecided: tuple[Repair, ...] = ()
    keep_known: bool = False
    one_execution: bool = False
    left_out: tuple[str, ...] = ()
    mended: int = 0
    failing: int = 0
    further: int = 0
    steps: tuple[Repair, ...] = ()

    @property
    def is_partial(self) -> bool:
        """True if the plausible patches are partial: some failing examples still fail with them."""
        return 0 < self.mended < self.failing

    @property
    def may_explain(self) -> bool:
        """True if one edit may be all that is wrong: a repair, or a plausible patch, that keeps enough executions."""
        return self.keep_known or any(
            is_enough_kept_by_repair(one.kept, self.passing) for one in self.undecided
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosesFound:
    """Minimal ``sets`` of several units that save all of ``runs`` together; the best first.

    ``repairs`` are edits of some of them that are verified. ``alone`` are units that may account for all of ``runs`` by
    themselves: none is known that they do not save, or save by other inputs or by no assertion only. ``complete``:
    there are no other sets, else ``stop`` may say what ended the search.
    """

    runs: tuple[Execution, ...]
    sets: tuple[tuple[UnitId, ...], ...]
    complete: bool
    repairs: tuple[RepairOfSeveralUnits, ...] = ()
    stop: Stop | None = None
    alone: tuple[UnitId, ...] = ()
