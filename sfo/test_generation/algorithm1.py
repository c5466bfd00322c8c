"""Algorithm 1 of the paper, over an oracle, and the passing executions that follow it.

    E = {any failing execution}
    repeat: T = a failing execution that does not cover some unit which all of E cover;  E = E + T
    until there is no such T

What remains covered by all of E is then covered by every failing execution there is: E is single-fault optimal
(Landsberg et al. 2018, Definition 7 and Proposition 1).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final, final

from cfrontend.record import dataclass
from cfrontend.units import UnitId
from sfo.core.executions import Execution, seen_by_all_executions
from sfo.core.halt import Stop
from sfo.oracles.protocol import Found, OracleProtocol, UnknownOracleAnswer

PASSING_ATTEMPTS: Final = 20
"""How often the paper asks for a passing execution (section 5)."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Algorithm1FailingExecutions:
    """Result of Algorithm 1: the failing executions, and whether they are single-fault optimal.

    ``undecided`` are the units that all ``executions`` cover without a proof that every failing execution
    does; the data is optimal when there are none. ``stop`` says what kept them undecided.
    """

    executions: tuple[Execution, ...]
    undecided: tuple[UnitId, ...] = ()
    stop: Stop | None = None

    @property
    def optimal(self) -> bool:
        """The certificate: no failing execution avoids a unit that all of these cover."""
        return not self.undecided


def algorithm1_unproved(executions: Sequence[Execution]) -> Algorithm1FailingExecutions:
    """Failing ``executions`` of which nothing is proved."""
    undecided = sorted(seen_by_all_executions(executions)) if executions else ()
    return Algorithm1FailingExecutions(executions=tuple(executions), undecided=tuple(undecided))


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Algorithm1PassingExecutions:
    """Passing executions with pairwise different coverage; ``exhausted``: there is no further coverage."""

    executions: tuple[Execution, ...]
    exhausted: bool = False
    stop: Stop | None = None


def algorithm1_failing_executions(
    oracle: OracleProtocol,
    *seeds: Execution,
    found: list[Execution] | None = None,
    units: frozenset[UnitId] | None = None,
) -> Algorithm1FailingExecutions:
    """Algorithm 1 from E = ``seeds``, at least one; each round shrinks the set of units that all of E cover.

    It asks about ``units`` only, None for all by which the oracle tells executions apart.

    E is in ``found``, too, so that what ends the work anywhere leaves what was found by then.

    Where the oracle cannot decide a set of units, each of them is asked about alone: a unit that is proved, or
    that stays undecided, leaves the question (``settled``), so that the rounds go on for the others.
    """
    executions = [] if found is None else found
    executions[:] = seeds
    settled: set[UnitId] = set()
    undecided: set[UnitId] = set()
    stop: Stop | None = None
    while True:
        common = seen_by_all_executions(executions)
        candidates = (common if units is None else common & units) - settled
        # Nothing leaves out some of no units: an oracle whose budget is spent need not be able to say so.
        match oracle.failing(not_all_of=candidates) if candidates else None:
            case Execution() as execution:
                executions.append(execution)
            case None:
                left = tuple(sorted(undecided & seen_by_all_executions(executions)))
                return Algorithm1FailingExecutions(
                    executions=tuple(executions), undecided=left, stop=stop if left else None
                )
            case UnknownOracleAnswer(stop=stop):
                alone = _ask_alone(oracle, candidates)
                settled |= alone.proved | alone.undecided
                undecided |= alone.undecided
                executions.extend(alone.found)


@final
@dataclass(frozen=True, slots=True)
class _Alone:
    """Answers for single units, up to the first execution ``found``."""

    proved: frozenset[UnitId]
    undecided: frozenset[UnitId]
    found: tuple[Execution, ...] = ()


def _ask_alone(oracle: OracleProtocol, units: Collection[UnitId]) -> _Alone:
    proved: set[UnitId] = set()
    undecided: set[UnitId] = set()
    for unit in sorted(units):
        match oracle.failing(not_all_of=(unit,)):
            case Execution() as execution:
                return _Alone(frozenset(proved), frozenset(undecided), (execution,))
            case None:
                proved.add(unit)
            case UnknownOracleAnswer():
                undecided.add(unit)
    return _Alone(frozenset(proved), frozenset(undecided))


def algorithm1_passing_executions(
    find: Callable[[Sequence[frozenset[UnitId]]], Found],
    attempts: int = PASSING_ATTEMPTS,
    known: Sequence[Execution] = (),
) -> Algorithm1PassingExecutions:
    """Up to ``attempts`` passing executions, each with new coverage (Landsberg et al. 2018, section 5).

    ``find`` is what an oracle is asked: for one whose covered set is none of some. What ``known`` ones cover is not
    new.
    """
    executions: list[Execution] = []
    for _ in range(attempts):
        match find([execution.seen for execution in (*known, *executions)]):
            case Execution() as execution:
                executions.append(execution)
            case None:
                return Algorithm1PassingExecutions(executions=tuple(executions), exhausted=True)
            case UnknownOracleAnswer(stop=stop):
                return Algorithm1PassingExecutions(executions=tuple(executions), stop=stop)
    return Algorithm1PassingExecutions(executions=tuple(executions))
