"""Engines in turns: each gets a share of search effort, then the other, then twice as much.

Which of two decides a hard question soon is luck; a question that takes one of them minutes often takes
the other a second. Taking turns costs at most a small multiple of the better one, and needs no second processor
core. The shares are counted in search effort, not in seconds, so equal queries end equally.

    auto       glucose 20,000 conflicts -> bitwuzla 20,000 polls -> glucose 40,000 -> bitwuzla 40,000 -> ...
    bitwuzla                               bitwuzla 20,000 polls                   -> bitwuzla 40,000 -> ...

Every second share of bitwuzla is for a fresh instance with preprocessing. Without preprocessing the many small calls of
one analysis are 2-5 times faster, because preprocessing starts over in each call; but now and then one call takes a
hundred times as long as it does with preprocessing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Final, final

from cfrontend import effort
from cfrontend.effort import SECOND
from cfrontend.errors import InternalError
from cfrontend.terms import Term, Terms
from sfo.core.policy import policy
from sfo.solvers.engine import SolverEngine
from sfo.solvers.protocol import UNLIMITED, SolverAnswer, SolverBudget, SolverStatistics

_LEAST_PATIENCE: Final = 2 * SECOND
"""Effort that bitwuzla's share behind one of glucose may always take."""

_NO_LIMIT: Final = float("inf")


@final
class TurnTakingSolver:
    """The ``SolverProtocol`` by the name ``auto`` or ``bitwuzla``. A second engine is made when it is needed."""

    def __init__(self, terms: Terms, name: str) -> None:
        self.name: Final = name
        self._terms: Final = terms
        self._engines: Final[dict[str, SolverEngine]] = {}
        self._added: Final[list[Term]] = []
        self._handed_over: Final[dict[str, int]] = {}
        self._running: SolverEngine | None = None
        self._answered: SolverEngine | None = None
        self._interrupted = False
        self._last: SolverAnswer | None = None
        self._calls = 0
        self._seconds = 0.0
        self._first()

    @property
    def statistics(self) -> SolverStatistics:
        """Totals so far."""
        return SolverStatistics(self._calls, self._seconds, self._translated())

    def _translated(self) -> float:
        """Seconds that the engines took to make terms their own."""
        return sum(engine.statistics.translate for engine in self._engines.values())

    def add(self, term: Term) -> None:
        """Assert the Boolean ``term`` for good."""
        self._added.append(term)
        self._last = None
        self._first()

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

    def _answering(self, wanted: SolverAnswer) -> SolverEngine:
        if self._last is not wanted or self._answered is None:
            last = "nothing yet" if self._last is None else self._last.value
            raise InternalError(f"the last check answered {last}, not {wanted.value}")
        return self._answered

    def _take_turns(self, assumptions: Sequence[Term], budget: SolverBudget, start: float) -> SolverAnswer:
        """One engine, the next one, the first with twice as much, ... until one answers or ``budget`` is spent."""
        shares = _NO_LIMIT if budget.conflicts is None else budget.conflicts
        deadline = _NO_LIMIT if budget.seconds is None else start + budget.seconds
        answer, patience = SolverAnswer.UNKNOWN, _NO_LIMIT
        for name, share, preprocess in self._turns():
            begin = effort.spent_effort()
            engine = self._running = self._answered = self._engine(name)
            engine.preprocess = preprocess
            left = _left(min(share, shares), deadline)
            if not self._interrupted:
                with effort.within_effort(patience):
                    answer = engine.check(assumptions, left)
            shares -= share
            over = self._interrupted or shares <= 0 or time.monotonic() >= deadline
            if answer is not SolverAnswer.UNKNOWN or over or effort.is_effort_exhausted():
                return answer
            patience = _NO_LIMIT
            if name == "glucose":
                patience = max(_LEAST_PATIENCE, policy().solving.patience * (effort.spent_effort() - begin))
        raise AssertionError("turns do not end")

    def _turns(self) -> Iterator[tuple[str, int, bool]]:
        """Engine, share of effort, and whether it is for an instance with preprocessing."""
        conflicts, polls = policy().solving.first_conflicts, policy().solving.first_polls
        preprocess = False
        while True:
            if self.name == "auto":
                yield "glucose", conflicts, False
            yield "bitwuzla", polls, preprocess
            conflicts, polls = conflicts * policy().solving.growth, polls * policy().solving.growth
            preprocess = not preprocess

    def _first(self) -> SolverEngine:
        return self._engine("glucose" if self.name == "auto" else self.name)

    def _engine(self, name: str) -> SolverEngine:
        """An engine, with everything that was added."""
        if name not in self._engines:
            self._engines[name] = _made(name, self._terms)
        engine = self._engines[name]
        for term in self._added[self._handed_over.get(name, 0) :]:
            engine.add(term)
        self._handed_over[name] = len(self._added)
        return engine


def _made(name: str, terms: Terms) -> SolverEngine:
    if name == "glucose":
        from sfo.solvers.sat_solver import GlucoseSolver

        return GlucoseSolver(terms)
    from sfo.solvers.bitwuzla_solver import BitwuzlaSolver

    return BitwuzlaSolver(terms)


def _left(shares: float, deadline: float) -> SolverBudget:
    seconds = None if deadline == _NO_LIMIT else deadline - time.monotonic()
    return SolverBudget(seconds, None if shares == _NO_LIMIT else int(shares))
