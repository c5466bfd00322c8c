"""What ``--rank full`` asks after Algorithm 1: which units could save the failing runs, and which edits repair them.

    failing and passing executions -> further failing inputs -> angelic filter -> verified repairs

Each phase has a share of the time, and what it found by then is its answer: a limit or Ctrl-C ends it, never what was
known before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, final

from cfrontend.formula import Bound
from cfrontend.program import Program
from cfrontend.terms import FALSE
from cfrontend.units import UnitId
from sfo.angelic import AngelicFilter, roomier
from sfo.data import Angelic, Dataset, Execution, Repairs
from sfo.measures import Measure
from sfo.oracle import BoundedOracle, EncodedOracle
from sfo.ranking import full_keys, rank
from sfo.repair import Runs, find_repairs

EXTRA_FAILING: Final = 3
"""Failing executions beyond Algorithm 1 that the angelic filter looks at."""

PASSING_FOR_REPAIRS: Final = 12
"""Passing executions that a repair has to leave so."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Seconds that a phase may always take, and how many times as long as everything before it it may take."""

    seconds: float
    times: float


ANGELIC_SHARE: Final = Share(seconds=5.0, times=1.0)
"""Time for the angelic filter."""

REPAIR_SHARE: Final = Share(seconds=5.0, times=0.5)
"""Time for the search for repairs."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A program with failing executions: ``dataset`` and what ``oracle`` answers hold within ``bound``.

    ``properties`` are the ids that make up the specification; ``begin`` is when the run began, in seconds of
    ``time.monotonic``; ``progress`` is told what happens.
    """

    program: Program
    dataset: Dataset
    measure: Measure
    oracle: BoundedOracle
    bound: Bound
    properties: Collection[str]
    solver: str
    begin: float
    progress: Callable[[str], None]

    def time_for(self, share: Share, doing: str) -> Callable[[], bool]:
        """A clock that starts now and says whether the share of a phase, or the time of the run, is over."""
        begin = time.monotonic()
        allowed = max(share.seconds, share.times * (begin - self.begin))

        def is_over() -> bool:
            self.progress(doing)
            return self.oracle.loop.time_is_up() or time.monotonic() - begin > allowed

        return is_over


def find_savings(problem: Problem) -> Angelic:
    """Which units could save the failing executions, and some more that are looked for first."""
    dataset, oracle = problem.dataset, problem.oracle
    runs, reactive = list(dataset.failing), not dataset.passing
    if isinstance(oracle, EncodedOracle):
        problem.progress("further failing inputs")
        runs += further_failing(oracle, runs)
        reactive = oracle.encoded.passing == FALSE
    bound = roomier(problem.bound, oracle.unwindset)
    asked = AngelicFilter(problem.program, bound, problem.solver, reactive=reactive)
    is_over = problem.time_for(ANGELIC_SHARE, "which units could save the failing executions")
    return asked.savings(runs, _suspects(problem, runs), is_over)


def find_verified_repairs(problem: Problem, angelic: Angelic) -> Repairs | None:
    """Verified repairs at the units that could save every failing run; None without a run that passes."""
    passing = list(problem.dataset.passing[:PASSING_FOR_REPAIRS])
    while len(passing) < PASSING_FOR_REPAIRS:
        found = problem.oracle.passing([run.covered for run in passing])
        if not isinstance(found, Execution):
            break
        passing.append(found)
    if not passing:
        return None
    order = rank(problem.dataset, problem.measure, full_keys(problem.dataset, angelic, None))
    units = [line.unit for line in order if angelic.may_save_all(line.unit)]
    common = frozenset(problem.dataset.intersection)
    others = [line.unit for line in order if line.unit in common and not angelic.may_save_all(line.unit)]
    specification = [item for item in problem.program.properties if item.id in problem.properties]
    runs = Runs(angelic.runs, passing, problem.bound, specification, problem.solver)
    is_over = problem.time_for(REPAIR_SHARE, "edits that leave no failing execution")
    return find_repairs(problem.program, units, others, runs, is_over)


def further_failing(oracle: EncodedOracle, runs: Sequence[Execution]) -> list[Execution]:
    """Up to ``EXTRA_FAILING`` failing executions with other inputs than ``runs``, as far as they come cheap."""
    further: list[Execution] = []
    for seed in range(EXTRA_FAILING):
        found = oracle.another_failing(seed)
        if not isinstance(found, Execution):
            break
        if all(found.inputs != run.inputs for run in (*runs, *further)):
            further.append(found)
    return further


def _suspects(problem: Problem, runs: Sequence[Execution]) -> list[UnitId]:
    """The units that some of ``runs`` covers: those that all failing executions cover first, then by the measure."""
    covered = frozenset().union(*(run.covered for run in runs))
    common = frozenset(problem.dataset.intersection)
    order = [line.unit for line in rank(problem.dataset, problem.measure) if line.unit in covered]
    return sorted(order, key=lambda unit: unit not in common)
