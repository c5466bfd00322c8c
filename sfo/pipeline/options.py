"""Options of an analysis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Final, Literal, TypeAlias, final

from cfrontend.bound import Bound
from cfrontend.program import Program, ProgramOptions
from cfrontend.record import dataclass
from cfrontend.units import GoalKind, Granularity, UnitId
from sfo.core.executions import Native
from sfo.core.result import Slicing
from sfo.execution.test_import import Case, KeptSuiteTest, TextTestCase
from sfo.formats.crash_reports import CrashReport

BACKENDS: Final = ("sfo", "cbmc", "cbmc-each")
"""Backends of the oracle: our own encoding and a solver, with fuzzing beside them, or CBMC.

CBMC writes one formula for all questions, or is called for each of them (``cbmc-each``).
"""

MAX_UNWIND: Final = 64
"""Maximum unwinding that the search for the smallest failing bound tries."""


Rank: TypeAlias = Literal["coverage", "full"]
"""Kind of ranking: ``coverage`` by the measure alone, as in the paper; ``full`` by angelic fixability and repairs
first."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteOptions:
    """Options of a generated suite: the ``goal`` that its executions have to reach.

    ``update``: its tests are those of a suite that exists, as far as they still reach something, and what is missing
    beside them; they are the ``tests`` of the analysis, too.
    """

    goal: GoalKind = "branches"
    update: tuple[KeptSuiteTest, ...] | None = None

    @property
    def ids(self) -> Mapping[str, int]:
        """The id of each test of the suite that is updated, by the name of the test."""
        return {test.case.name: test.id for test in self.update or ()}

    @property
    def passed(self) -> frozenset[str]:
        """The names of the tests of the suite that is updated which passed when it was written."""
        return frozenset(test.case.name for test in self.update or () if test.outcome == "pass")


DomainKind: TypeAlias = Literal["examples", "any"]
"""Which inputs count beside a reference and examples."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineOptions:
    """Options of an analysis of one program.

    ``unwind`` None searches the smallest failing bound up to ``max_unwind``. ``properties`` are ids, empty for all.
    ``solver_only``: Algorithm 1 to the letter, each execution the first model of its question. ``passing`` is how often
    a passing execution is asked for; ``timeout`` is in seconds. ``backend``, one of ``BACKENDS``, answers the questions
    about executions. ``replay``: each execution is compared with a native run on its inputs. With ``native`` off
    nothing of the program is compiled or executed natively, by whatever stage. Algorithm 1 starts from the executions
    of the existing ``tests``. ``domain`` ``examples``: beside a reference only inputs count that are like the examples,
    if there are any. ``ignore_space``: what examples expect is compared up to white space (None: it is).
    ``stop_on_fail``: a check ends with the first violation. ``traces`` is how many failing and how many passing
    executions have their steps recorded.
    ``slicing`` says which of the evaluated units count as covered, ``units`` what a unit is. ``reactive``: passing
    executions may be cut by the bound (None: where none ends). ``jobs`` is how many processes may work at the same
    time. ``effort`` multiplies the effort of every phase that has a limit of it. ``tuned`` are the tuning constants
    that a user has changed, as ``--policy`` has them, so that the report says so. ``suite`` is what a generated suite
    has to be like; None: it is the dataset of a localisation. ``crash`` is a report of the failure that is asked about,
    ``crash_input`` what it happens on, which is one of the tests, too; other properties are not looked at. ``patient``:
    repairs are what is asked for, and are looked for in most of the time that there is. ``needs_change``: nothing is
    *safe* where no execution comes to what differs from the reference. ``searched``: no more than this part of the time
    limit goes into the search for a failing execution, and without one no more than the part ``searched_effort`` of its
    effort. ``patience`` is the part of the effort of the policy that the search has for an answer of its own, where
    inputs that were tried fail.
    """

    program: ProgramOptions
    unwind: int | None = None
    unwindset: Mapping[str, int] = field(default_factory=dict)
    max_unwind: int = MAX_UNWIND
    properties: tuple[str, ...] = ()
    passing: int = 0
    measure: str = "naish2"
    rank: Rank = "coverage"
    solver: str = "auto"
    solver_only: bool = False
    timeout: float | None = None
    searched: float = 1.0
    searched_effort: float = 1.0
    patience: float = 1.0
    replay: bool = False
    native: Native = "sandboxed"
    tests: tuple[Case, ...] = ()
    domain: DomainKind = "examples"
    ignore_space: bool | None = None
    traces: int = 0
    stop_on_fail: bool = False
    backend: str = "sfo"
    slicing: Slicing = "none"
    units: Granularity = "statement"
    reactive: bool | None = None
    jobs: int = 1
    patient: bool = False
    needs_change: bool = True
    effort: float = 1.0
    tuned: tuple[str, ...] = ()
    suite: SuiteOptions | None = None
    crash: CrashReport | None = None
    crash_input: TextTestCase | None = None

    def no_suspects(self, program: Program) -> frozenset[UnitId]:
        """Units that are no suspects in any ranking, as the user trusts their functions."""
        return program.trusted_units if self.program.trusted else frozenset()

    def bounds(self) -> Iterator[Bound]:
        """Bounds to search: the one of the user, or growing ones.

        In growing ones loops with constant limits are unrolled in full.
        """
        if self.unwind is not None:
            yield Bound(unwind=self.unwind, unwindset=self.unwindset)
            return
        for unwind in range(1, self.max_unwind + 1):
            yield Bound(unwind=unwind, unwindset=self.unwindset, free=True)
