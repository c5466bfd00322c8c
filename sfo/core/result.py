"""Result of one command: verdict, bound, dataset, ranking and all else that was found."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field, replace
from typing import Literal, TypeAlias, final

from cfrontend.encoded_program import EndDifference
from cfrontend.errors import Location
from cfrontend.events import CallSite
from cfrontend.record import dataclass
from cfrontend.units import Granularity, Property, UnitId
from sfo.core.dataset import Dataset, RankedDatasetUnit
from sfo.core.executions import Execution, ExecutionNativeCheck, ExecutionTrace
from sfo.core.halt import Stop
from sfo.core.repairs import DiagnosesFound, Repairs
from sfo.core.savings import AngelicSavings
from sfo.core.suite_coverage import SuiteCoverage

Verdict: TypeAlias = Literal["violated", "safe", "unknown"]
PropertyStatus: TypeAlias = Literal["violated", "safe", "unknown"]
Slicing: TypeAlias = Literal["none", "static", "dynamic"]
"""Kind of coverage: all evaluated units, those in a static slice, or those in the dynamic slice of the execution."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSlice:
    """Kind of slicing that coverage is restricted to, in a result.

    ``removed`` are the units outside a static slice, which nothing can cover.
    """

    kind: Slicing
    removed: tuple[UnitId, ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ResultBound:
    """The unwinding a result holds for; ``complete``: no execution reaches beyond it (None: not decided).

    ``argc`` and ``argv_length``, the most characters of an argument, are None where executions do not read them.
    ``assumptions`` say in a few words each what the bound takes for granted of the inputs, such as ``argc = 1``: with
    any of them, it is not beyond every execution, whatever ``complete`` says of those that it has. ``options`` are the
    words of each option of the command line that makes the inputs what they are.
    """

    unwind: int | None
    unwindset: Mapping[str, int]
    complete: bool | None
    argc: int | None = None
    argv_length: int | None = None
    assumptions: tuple[str, ...] = ()
    options: tuple[tuple[str, ...], ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What callers can see of a program and was ``compared`` with its reference, in a few words each.

    ``left_out`` is what was not compared, with the reasons, ``differently_read`` are places where executions may read
    another kind of input than the reference, which are left out, too.
    """

    compared: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    differently_read: tuple[Location, ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ResultOfProperty:
    """Verdict on one property within the bound.

    ``called_from`` is the call stack at its violation by the first execution that violates it, the innermost call
    first; empty where that is in the entry function, or was not asked for. ``differences`` are those of its end and
    that of the reference.
    """

    property: Property
    status: PropertyStatus
    called_from: tuple[CallSite, ...] = ()
    differences: tuple[EndDifference, ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ResultStatistics:
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
class FailureGroup:
    """Failing ``executions`` that have something in common, and the ``ranking`` that is about them and nothing else.

    They violate a property of ``properties``, or, where that is empty, right values at ``unit`` alone save each of
    them. ``angelic`` says which of them other values could save, and ``repairs`` after which edits no execution
    violates these properties; None where none was looked for. ``is_alone``: no unit accounts for the executions of all
    groups, so that those of one property are best looked at alone.
    """

    properties: tuple[str, ...] = ()
    unit: UnitId | None = None
    executions: tuple[Execution, ...]
    ranking: tuple[RankedDatasetUnit, ...]
    angelic: AngelicSavings
    repairs: Repairs | None = None
    is_alone: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Result of one command: verdict, dataset, ranking and all else that it found.

    ``optimal`` is None when nothing failed or no proof was tried. ``reason`` says why there is not more, and
    ``stopped`` what ended a search early. ``measure`` and ``rank`` are None where nothing was to be ranked.
    ``native`` has one check for each execution, None when nothing was replayed. ``traces`` are those of executions by
    their ids, where they were asked for. ``slice`` is None where whatever is evaluated is covered.
    ``coverage`` says which goals the executions reach, where they were to reach some.
    ``unreached`` are the units that no execution reaches, None where that is not decided or the verdict is not safe.
    ``refuted`` is the largest unwinding within which it is known that no execution fails, None where none is.
    ``comparison`` is None without a reference. ``granularity`` is what the units are; the certificate is about
    these. ``groups`` are failing executions that may have causes of
    their own, with a ranking each; where no unit accounts for all, ``ranking`` and ``angelic`` may be of the first one.
    ``command`` are the words of the command line that made it, where there is one.
    """

    verdict: Verdict
    bound: ResultBound
    dataset: Dataset
    properties: tuple[ResultOfProperty, ...]
    statistics: ResultStatistics
    reason: str | None = None
    refuted: int | None = None
    optimal: bool | None = None
    undecided: tuple[UnitId, ...] = ()
    intersection: tuple[UnitId, ...] = ()
    measure: str | None = None
    rank: str | None = None
    ranking: tuple[RankedDatasetUnit, ...] = ()
    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    stopped: Stop | None = None
    native: tuple[ExecutionNativeCheck, ...] | None = None
    angelic: AngelicSavings | None = None
    diagnoses: DiagnosesFound | None = None
    repairs: Repairs | None = None
    traces: Mapping[int, ExecutionTrace] = field(default_factory=dict)
    slice: ResultSlice | None = None
    unreached: tuple[UnitId, ...] | None = None
    comparison: Comparison | None = None
    coverage: SuiteCoverage | None = None
    groups: tuple[FailureGroup, ...] = ()
    granularity: Granularity = "statement"
    command: tuple[str, ...] = ()

    def noted(self, *notes: str) -> Result:
        """The result with further notes."""
        return replace(self, notes=(*self.notes, *notes)) if notes else self


def result_of_unknown_verdict(result: Result, reason: str, undecided: Collection[str]) -> Result:
    """``result`` with the verdict *unknown* for a ``reason``; the properties with the ids ``undecided`` are so, too."""
    properties = tuple(
        replace(one, status="unknown") if one.property.id in undecided else one for one in result.properties
    )
    return replace(result, verdict="unknown", reason=reason, stopped="unknown", properties=properties)
