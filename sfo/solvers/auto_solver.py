"""Glucose and bitwuzla in turns: each gets a share of search effort, then the other, then twice as much.

Which of the two decides a hard question soon is luck; a question that takes one of them minutes often takes
the other a second. Taking turns costs at most a small multiple of the better one, and needs no second processor
core. The shares are counted in search effort, not in seconds, so equal queries end equally.

    glucose 20,000 conflicts -> bitwuzla 20,000 polls -> glucose 40,000 -> bitwuzla 40,000 -> ...
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, final

from cfrontend import effort
from cfrontend.effort import SECOND
from cfrontend.errors import InternalError
from cfrontend.terms import Term, Terms
from sfo.core.policy import policy
from sfo.solvers.protocol import UNLIMITED, SolverAnswer, SolverBudget, SolverProtocol, SolverStatistics
from sfo.solvers.sat_solver import GlucoseSolver

if TYPE_CHECKING:
    from sfo.solvers.bitwuzla_solver import BitwuzlaSolver

_LEAST_PATIENCE: Final = 2 * SECOND
"""Effort that bitwuzla's share may always take."""

_NO_LIMIT: Final = float("inf")


@final
class AutoSolver:
    """The ``SolverProtocol`` that asks two others over the same terms. bitwuzla is made when it is first needed."""

    name = "auto"

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._glucose = GlucoseSolver(terms)
        self._bitwuzla: BitwuzlaSolver | None = None
        self._added: list[Term] = []
        self._handed_over = 0
        self._running: SolverProtocol | None = None
        self._answered: SolverProtocol | None = None
        self._interrupted = False
        self._last: SolverAnswer | None = None
        self._calls = 0
        self._seconds = 0.0

    @property
    def statistics(self) -> SolverStatistics:
        """Totals so far."""
        return SolverStatistics(self._calls, self._seconds, self._translated())

    def _translated(self) -> float:
        """Seconds that both engines took to make terms their own."""
        second = 0.0 if self._bitwuzla is None else self._bitwuzla.statistics.translate
        return self._glucose.statistics.translate + second

    def add(self, term: Term) -> None:
        """Assert the Boolean ``term`` for good."""
        self._glucose.add(term)
        self._added.append(term)
        self._last = None

    def check(self, assumptions: Sequence[Term] = (), budget: SolverBudget = UNLIMITED) -> SolverAnswer:
        """Decide whether everything added and all ``assumptions`` can be true together."""
        start, translated = time.monotonic(), self._translated()
        self._last = None
        answer = SolverAnswer.UNKNOWN
        try:
            with effort.within_effort(_NO_LIMIT if budget.effort is None else budget.effort):
                answer = self._take_turns(assumptions, budget, start)
        finally:
            self._running = None
            self._interrupted = False
            self._calls += 1
            self._seconds += time.monotonic() - start - (self._translated() - translated)
        self._last = answer
        return answer

    def values(self, terms: Sequence[Term]) -> list[int]:
        """Unsigned values in the model of the last check, which must have answered SAT."""
        return self._answering(SolverAnswer.SAT).values(terms)

    def core(self) -> tuple[Term, ...]:
        """Assumptions of the last check, which must have answered UNSAT, that cannot all hold."""
        return self._answering(SolverAnswer.UNSAT).core()

    def interrupt(self) -> None:
        """End the check in progress, or the next one if there is none, with ``UNKNOWN``."""
        self._interrupted = True
        running = self._running
        if running is not None:
            running.interrupt()

    def _answering(self, wanted: SolverAnswer) -> SolverProtocol:
        if self._last is not wanted or self._answered is None:
            last = "nothing yet" if self._last is None else self._last.value
            raise InternalError(f"the last check answered {last}, not {wanted.value}")
        return self._answered

    def _take_turns(self, assumptions: Sequence[Term], budget: SolverBudget, start: float) -> SolverAnswer:
        """Glucose, bitwuzla, glucose with twice as much, ... until one answers or ``budget`` is spent."""
        conflicts, polls = policy().solving.first_conflicts, policy().solving.first_polls
        preprocess = False
        shares = _NO_LIMIT if budget.conflicts is None else budget.conflicts
        deadline = _NO_LIMIT if budget.seconds is None else start + budget.seconds
        while True:
            begin = effort.spent_effort()
            self._running = self._answered = self._glucose
            left = _left(min(conflicts, shares), deadline)
            answer = SolverAnswer.UNKNOWN if self._interrupted else self._glucose.check(assumptions, left)
            shares -= conflicts
            if answer is not SolverAnswer.UNKNOWN or self._is_over(shares, deadline):
                return answer
            patience = max(_LEAST_PATIENCE, policy().solving.patience * (effort.spent_effort() - begin))
            self._running = self._answered = bitwuzla = self._second()
            left = _left(min(polls, shares), deadline)
            if not self._interrupted:
                with effort.within_effort(patience):
                    answer = bitwuzla.check_once(assumptions, left, preprocess=preprocess)
            shares -= polls
            if answer is not SolverAnswer.UNKNOWN or self._is_over(shares, deadline):
                return answer
            conflicts, polls, preprocess = (
                conflicts * policy().solving.growth,
                polls * policy().solving.growth,
                not preprocess,
            )

    def _is_over(self, shares: float, deadline: float) -> bool:
        """True if nothing is left for another turn."""
        return (
            self._interrupted or shares <= 0 or effort.is_effort_exhausted() or time.monotonic() >= deadline
        )

    def _second(self) -> BitwuzlaSolver:
        """The solver bitwuzla, with everything that was added."""
        if self._bitwuzla is None:
            from sfo.solvers.bitwuzla_solver import BitwuzlaSolver

            self._bitwuzla = BitwuzlaSolver(self._terms)
        for term in self._added[self._handed_over :]:
            self._bitwuzla.add(term)
        self._handed_over = len(self._added)
        return self._bitwuzla


def _left(shares: float, deadline: float) -> SolverBudget:
    seconds = None if deadline == _NO_LIMIT else deadline - time.monotonic()
    return SolverBudget(seconds, None if shares == _NO_LIMIT else int(shares))
