"""Who answers Algorithm 1: a failing execution that avoids one of these units, a passing one with new coverage.

    oracle.failing()                    ->  Execution(outcome="fail", covered={1, 3, 4}, ...)
    oracle.failing(not_all_of={1, 3, 4}) ->  Execution(outcome="fail", covered={1, 4, 5}, ...)
    oracle.failing(not_all_of={1, 4})    ->  None: proved, every failing execution covers both
    oracle.failing(not_all_of={2})       ->  Unknown("timeout"): nobody knows

``sfo.oracles.bmc`` asks a solver about an encoded program, ``sfo.oracles.cbmc`` the real CBMC; ``PoolOracle`` chooses
among executions that exist already.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Protocol, TypeAlias, final

from cfrontend.record import dataclass
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.units import UnitId
from sfo.core.data import Execution, Stop, stop_of
from sfo.solvers import Budget, Solver, SolverAnswer, SolverStatistics

Question: TypeAlias = tuple[Term, ...]
"""Booleans that have to hold together."""

FIRST_EFFORT: Final = 300
"""Conflicts that a question about several ends may cost before it is split."""

PROOF_EFFORT: Final = 500_000
"""Conflicts that a question about a single end may cost before it counts as undecided."""

MORE_EFFORT: Final = 8
"""How much more may be spent in each round on what is still open."""


@final
@dataclass(frozen=True, slots=True)
class UnknownAnswer:
    """No answer: never to be counted as "there is none"."""

    stop: Stop


Found: TypeAlias = Execution | UnknownAnswer | None
"""An execution; None: proved that there is none."""


class Oracle(Protocol):
    """All that Algorithm 1 knows of where executions come from."""

    def failing(self, not_all_of: Collection[UnitId] | None = None) -> Found:
        """A failing execution; with ``not_all_of`` one that does not cover all of these units."""
        ...

    def passing(self, unlike: Sequence[frozenset[UnitId]]) -> Found:
        """A passing execution whose covered set is none of ``unlike``."""
        ...


class GuidedOracle(Oracle, Protocol):
    """One that can look for passing executions of a kind."""

    def passing_covering(self, units: Collection[UnitId]) -> Found:
        """A passing execution that covers some unit of ``units``."""
        ...

    def passing_splitting(self, units: Collection[UnitId]) -> Found:
        """A passing execution that covers some unit of ``units`` and leaves out another one."""
        ...

    def passing_near(self, unlike: Sequence[frozenset[UnitId]], covered: frozenset[UnitId]) -> Found:
        """A passing execution whose covered set is none of ``unlike`` and differs little from ``covered``."""
        ...


class EngineStatistics(Protocol):
    """Who answered, and how often."""

    @property
    def name(self) -> str:
        """A name to print."""
        ...

    @property
    def statistics(self) -> SolverStatistics:
        """Totals so far."""
        ...


class QueryLoop(Protocol):
    """The questions of one run: their engine, the time limit, Ctrl-C."""

    stopped: Stop | None

    @property
    def deadline(self) -> float | None:
        """A time of ``time.monotonic``."""
        ...

    @property
    def solver(self) -> EngineStatistics:
        """Who answers."""
        ...

    def time_is_up(self) -> bool:
        """Whether the deadline has passed or the user has interrupted."""
        ...

    def why(self) -> Stop:
        """Why the last answer was UNKNOWN."""
        ...


@final
class SolverLoop:
    """Every question to the one solver of a run goes through here: cache of refutations, time limit, Ctrl-C.

    ``deadline`` is a time of ``time.monotonic``. Once the time is up or the user has pressed Ctrl-C,
    ``stopped`` says so and every further question is UNKNOWN at once. So it is where ``enough`` says that what was
    tried beside the questions is enough.
    """

    def __init__(self, solver: Solver, deadline: float | None = None) -> None:
        self.solver: Final = solver
        self.deadline = deadline
        self.stopped: Stop | None = None
        self.enough: Callable[[], bool] | None = None
        self._refuted: set[Question] = set()

    @contextmanager
    def within(self, share: float) -> Iterator[None]:
        """What is asked inside has the part ``share`` of the time that is left; what comes after it has the rest."""
        whole = self.deadline
        if whole is None:
            yield
            return
        self.deadline = whole - (1 - share) * max(0.0, whole - time.monotonic())
        try:
            yield
        finally:
            self.deadline = whole
            if self.stopped == "timeout" and time.monotonic() < whole:
                self.stopped = None

    def ask(self, question: Question, share: float = 1.0, effort: int | None = None) -> SolverAnswer:
        """Can all of ``question`` hold?

        The call may take the part ``share`` of the time that is left, and ``effort`` conflicts (None: any).
        """
        question = tuple(dict.fromkeys(term for term in question if term != TRUE))
        if FALSE in question or question in self._refuted:
            return SolverAnswer.UNSAT
        if self.time_is_up():
            return SolverAnswer.UNKNOWN
        try:
            answer = self.solver.check(question, self._budget(share, effort))
        except KeyboardInterrupt as error:
            self.stopped = stop_of(error)
            return SolverAnswer.UNKNOWN
        if answer is SolverAnswer.UNSAT:
            self._refuted.add(question)
        return answer

    def why(self) -> Stop:
        """Why the last answer was UNKNOWN: with a deadline it is the time that a call may take."""
        return self.stopped or ("unknown" if self.deadline is None else "timeout")

    def time_is_up(self) -> bool:
        """Whether the deadline has passed or the user has interrupted."""
        if self.stopped is None and self.deadline is not None and time.monotonic() >= self.deadline:
            self.stopped = "timeout"
        if self.stopped is None and self.enough is not None and self.enough():
            self.stopped = "tried"
        return self.stopped is not None

    def refuted(self, term: Term) -> bool:
        """Whether ``term`` alone is known to be impossible."""
        return term == FALSE or (term,) in self._refuted

    def exclude(self, terms: Terms, impossible: Collection[Term]) -> None:
        """Remember that each of ``impossible`` alone cannot hold: a lemma for every later question."""
        for term in impossible:
            if not self.refuted(term):
                self._refuted.add((term,))
                self.solver.add(terms.not_(term))

    def _budget(self, share: float, effort: int | None) -> Budget:
        if self.deadline is None:
            return Budget(conflicts=effort)
        return Budget(seconds=max(0.0, self.deadline - time.monotonic()) * share, conflicts=effort)


@final
class PoolOracle:
    """Chooses among existing executions, in their order: Algorithm 1 then reduces a test suite.

    A None answer means that there is none in the pool, nothing more.
    """

    def __init__(self, executions: Sequence[Execution]) -> None:
        self._failing = [e for e in executions if e.outcome == "fail"]
        self._passing = [e for e in executions if e.outcome == "pass"]

    def failing(self, not_all_of: Collection[UnitId] | None = None) -> Found:
        """The first failing execution that does not cover all of ``not_all_of``."""
        if not_all_of is None:
            return next(iter(self._failing), None)
        wanted = frozenset(not_all_of)
        return next((e for e in self._failing if not wanted <= e.covered), None)

    def passing(self, unlike: Sequence[frozenset[UnitId]]) -> Found:
        """The first passing execution whose covered set is none of ``unlike``."""
        return next((e for e in self._passing if e.covered not in unlike), None)
