"""The loop of questions to one engine: its limits, why it ended, and the cache of what was refuted."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Final, Protocol, final

from cfrontend.effort import is_effort_exhausted
from cfrontend.effort import within_effort as effort_within
from cfrontend.terms import FALSE, TRUE, Term, Terms
from sfo.core.halt import Stop, halt_reason_of
from sfo.oracles.protocol import Question, _unheard
from sfo.solvers import SolverAnswer, SolverBudget, SolverProtocol, SolverStatistics


class QueryLoopEngineStatistics(Protocol):
    """Name and statistics of the engine that answers."""

    @property
    def name(self) -> str:
        """A name to print."""

    @property
    def statistics(self) -> SolverStatistics:
        """Totals so far."""


class QueryLoopBackground(Protocol):
    """Background work of a loop, which has no thread of its own: whoever owns it lets it go on."""

    def step(self) -> None:
        """Go on for a turn, or look at what another process has found."""

    def poll(self) -> Stop | None:
        """Why the questions should end; None while they may go on. Pure: it only looks."""


class QueryLoop(ABC):
    """The questions of one session: their engine, the time limit, Ctrl-C, and why they ended.

    The deadline is a time of ``time.monotonic``. Nobody else writes the stop reason.
    """

    def __init__(self, deadline: float | None) -> None:
        self.deadline = deadline
        self._stopped: Stop | None = None
        self._background: QueryLoopBackground | None = None
        self._is_limited = False

    @property
    @abstractmethod
    def solver(self) -> QueryLoopEngineStatistics:
        """Name and statistics of the solver."""

    @property
    def stopped(self) -> Stop | None:
        """Why no further question is answered; None while they are."""
        return self._stopped

    def poll(self) -> Stop | None:
        """Why the questions should end; None while they may go on. Pure: it only looks."""
        if self._stopped is not None:
            return self._stopped
        if self.deadline is not None and time.monotonic() >= self.deadline:
            return "timeout"
        if self._is_limited and is_effort_exhausted():
            return "effort"
        return None if self._background is None else self._background.poll()

    def stop(self, reason: Stop) -> None:
        """Answer no further question; the first reason counts, but for that of the background."""
        if self._stopped in {None, "tried", "effort"}:
            self._stopped = reason

    def must_stop(self) -> bool:
        """``poll``, and ``stop`` for the reason if there is one."""
        reason = self.poll()
        if reason is not None:
            self.stop(reason)
        return reason is not None

    def why(self) -> Stop:
        """Why the last answer was UNKNOWN: with a deadline it is the time that a call may take."""
        if self._is_limited and is_effort_exhausted():
            return self._stopped or "effort"
        return self._stopped or ("unknown" if self.deadline is None else "timeout")

    @contextmanager
    def within(self, share: float) -> Iterator[None]:
        """Give the questions asked inside the part ``share`` of the time that is left.

        What is asked after them has the rest.
        """
        whole = self.deadline
        if whole is None:
            yield
            return
        self.deadline = whole - (1 - share) * max(0.0, whole - time.monotonic())
        try:
            yield
        finally:
            self.deadline = whole
            if self._stopped == "timeout" and time.monotonic() < whole:
                self._stopped = None

    @contextmanager
    def limited(self, effort: float) -> Iterator[None]:
        """Let the questions asked inside, and all work beside them, take so much effort; then none is answered."""
        before, self._is_limited = self._is_limited, True
        try:
            with effort_within(effort):
                yield
        finally:
            self._is_limited = before
            if self._stopped == "effort":
                self._stopped = None

    @contextmanager
    def beside(self, background: QueryLoopBackground) -> Iterator[None]:
        """Inside, ``background`` has a turn before each question, and may end the questions."""
        self._background = background
        try:
            yield
        finally:
            self._background = None
            if self._stopped in {"tried", "effort"}:
                self._stopped = None


@final
class SolverQueryLoop(QueryLoop):
    """The loop through which every question to one solver goes: cache of refutations, time limit, Ctrl-C.

    Once the time is up, the user has pressed Ctrl-C or the background has found enough, ``stopped`` says so and every
    further question is UNKNOWN at once. With ``halts``, Ctrl-C leaves a question as KeyboardInterrupt, for those who
    drop the loop before anybody asks it whether it is ``stopped``.
    """

    def __init__(self, solver: SolverProtocol, deadline: float | None = None, *, halts: bool = False) -> None:
        super().__init__(deadline)
        self._solver: Final = solver
        self.halts: Final = halts
        self.hear_left: Callable[[int], None] = _unheard
        """Told before a question how many ends of its search are not decided yet."""
        self._refuted: set[Question] = set()

    @property
    def solver(self) -> SolverProtocol:
        """The solver that answers."""
        return self._solver

    def ask(self, question: Question, share: float = 1.0, effort: int | None = None) -> SolverAnswer:
        """Can all of ``question`` hold?

        The call may take the part ``share`` of the time that is left, and ``effort`` conflicts (None: any).
        """
        question = tuple(dict.fromkeys(term for term in question if term != TRUE))
        if FALSE in question or question in self._refuted:
            return SolverAnswer.UNSAT
        if self._background is not None:
            self._background.step()
        if self.must_stop():
            return SolverAnswer.UNKNOWN
        try:
            answer = self._solver.check(question, self._budget(share, effort))
        except KeyboardInterrupt as error:
            self.stop(halt_reason_of(error))
            if self.halts:
                raise
            return SolverAnswer.UNKNOWN
        if answer is SolverAnswer.UNSAT:
            self._refuted.add(question)
        return answer

    def refuted(self, term: Term) -> bool:
        """True if ``term`` alone was refuted before, or is false."""
        return term == FALSE or (term,) in self._refuted

    def exclude(self, terms: Terms, impossible: Collection[Term]) -> None:
        """Remember that each of ``impossible`` alone cannot hold: a lemma for every later question."""
        for term in impossible:
            if not self.refuted(term):
                self._refuted.add((term,))
                self._solver.add(terms.not_(term))

    def _budget(self, share: float, effort: int | None) -> SolverBudget:
        if self.deadline is None:
            return SolverBudget(conflicts=effort)
        return SolverBudget(seconds=max(0.0, self.deadline - time.monotonic()) * share, conflicts=effort)
