"""Portfolio of fuzzing beside a search by solver: when inputs are tried, and when what fails so is enough.

    effort of the search    1 s       2 s       3 s       4 s
    rounds of fuzzing       begin     1 due     2 due     3 due

The search is between two questions there, or in the middle of a formula. Both advance by effort, not by the clock:
where the search has come to a round it waits for what that found. So it makes no difference which of them is quicker,
or whether they have a core each.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from typing import final

from cfrontend import effort
from cfrontend.program import Program
from sfo.core.budget import budget_effort_seconds
from sfo.core.executions import Native
from sfo.core.halt import Stop, halt_reason_of
from sfo.core.parallel import ParallelWorkerRounds, may_work_in_parallel
from sfo.core.policy import policy
from sfo.oracles.query_loop import QueryLoop
from sfo.test_generation.fuzzing import FuzzedExecutions, Fuzzer, FuzzingOracle


@final
class Portfolio:
    """Inputs are tried beside a search for the smallest failing bound that takes some time.

    The search is told of the first that fail as soon as they do: those within a bound near the one that it has come to
    end it. Others count when it has had effort enough for its own, from which more is proved: that of the policy, times
    ``patience``.
    """

    def __init__(
        self,
        program: Program,
        properties: Collection[str],
        loop: QueryLoop,
        jobs: int,
        native: Native,
        *,
        is_wanted: bool,
        patience: float = 1.0,
    ) -> None:
        self._loop = loop
        self._fuzzer = Fuzzer(program, properties, native) if is_wanted and may_work_in_parallel() else None
        self._jobs = jobs
        self._patience = patience
        self._search_began = budget_effort_seconds()
        self._begin = self._search_began + _delay(program)
        """The effort at which fuzzing begins."""
        self._rounds: _Rounds | None = None
        self._enough = math.inf
        """The effort of the search at which fuzzed executions are enough."""
        self._end = math.inf
        """The time at which they are, where there is a time limit."""
        self._is_first = True

    def step(self) -> None:
        """Begin fuzzing where the search has come to that."""
        if self._rounds is None and self._fuzzer is not None and budget_effort_seconds() >= self._begin:
            self._start(self._fuzzer)

    def poll(self) -> Stop | None:
        """Why the search should stop; None while it may go on. Waits for the rounds that are due.

        ``tried``: some executions fail that it was not told of, or it had its effort. ``effort``: that is spent.
        """
        if self._found() is not None and (self._is_first or self._is_enough):
            return "tried"
        return "effort" if effort.is_effort_exhausted() else None

    def news(self) -> FuzzedExecutions | None:
        """Fuzzed executions, if something has failed that the search was not told of; it may go on then."""
        if not self._is_first or (found := self._found()) is None:
            return None
        self._is_first = False
        return found

    def during_encoding(self) -> PortfolioDuringEncoding:
        """The cancellation token of the formula that is begun now."""
        return PortfolioDuringEncoding(self)

    def is_worth_no_formula(self, seconds: float) -> bool:
        """Whether fuzzed executions are enough beside a formula that has taken so many ``seconds`` of effort.

        Those that the search was not told of give it the seconds that any formula has to be told of them.
        """
        if self._found() is None or not self._is_enough:
            return False
        return not self._is_first or seconds >= policy().portfolio.seeded

    @property
    def left(self) -> float:
        """Seconds of effort for the formula of the bound within which fuzzed executions fail."""
        return max(self._enough - budget_effort_seconds(), policy().portfolio.seeded)

    def found(self) -> FuzzingOracle | None:
        """Failing executions that were tried, as far as that is known."""
        return self._oracle(self._found())

    def ready(self) -> FuzzingOracle | None:
        """Failing executions that were tried, also in rounds that are done before they are due: time is over."""
        return self._oracle(None if self._rounds is None else self._rounds.ready())

    def overdue(self) -> FuzzingOracle | None:
        """Failing executions that were tried, also in the rounds that the effort of the search was enough for.

        What takes all of that effort may let nobody look at them.
        """
        if self._fuzzer is None:
            return None
        if self._rounds is None:
            self._start(self._fuzzer)
        if self._rounds is not None:
            due = math.floor((budget_effort_seconds() - self._begin) / policy().portfolio.round)
            self._rounds.go_on(max(0, due - self._rounds.known), self._deadline)
        return self.found()

    def last(self, seconds: float) -> FuzzingOracle | None:
        """Fuzzed executions for a search that has found nothing within its bounds.

        Longer ones are then tried in further rounds, for so many ``seconds`` of effort.
        """
        if self._fuzzer is None:
            return None
        now = time.monotonic()
        end = now + policy().portfolio.content_part * (self._deadline - now)
        if self._rounds is None and seconds > 0:
            self._start(self._fuzzer)
        if self._rounds is not None:
            self._rounds.go_on(math.ceil(seconds / policy().portfolio.round), end)
        return self.found()

    def close(self) -> None:
        """Stop fuzzing. What is known by then is kept, whatever interrupts this."""
        if self._rounds is not None:
            self._rounds.close(self._loop)

    @property
    def _is_enough(self) -> bool:
        return budget_effort_seconds() >= self._enough or time.monotonic() >= self._end

    @property
    def _deadline(self) -> float:
        return math.inf if self._loop.deadline is None else self._loop.deadline

    def _found(self) -> FuzzedExecutions | None:
        """Fuzzed executions where some of them fail."""
        return None if self._rounds is None else self._rounds.found()

    def _oracle(self, found: FuzzedExecutions | None) -> FuzzingOracle | None:
        """Oracle of fuzzed executions, where there are any."""
        return None if found is None else FuzzingOracle(found, self._loop)

    def _start(self, fuzzer: Fuzzer) -> None:
        begin = budget_effort_seconds()
        self._enough = max(
            self._search_began + self._patience * policy().portfolio.content_after,
            begin + self._patience * policy().portfolio.least_searched,
        )
        now = time.monotonic()
        self._end = now + policy().portfolio.content_part * (self._deadline - now)
        self._rounds = _Rounds(fuzzer, self._jobs, self._deadline)


@final
class PortfolioDuringEncoding:
    """Token of a formula that is being made: inputs are tried beside it, and may end it.

    What fails first does not: the formula is told of it when it is made.
    """

    def __init__(self, trial: Portfolio) -> None:
        self._trial = trial
        self._began = budget_effort_seconds()

    def step(self) -> Stop | None:
        """Begin fuzzing where the search has come to that; why the formula is not wanted any more."""
        if effort.is_effort_exhausted():
            return "effort"
        self._trial.step()
        is_worth_nothing = self._trial.is_worth_no_formula(budget_effort_seconds() - self._began)
        return "tried" if is_worth_nothing else None


@final
class _Rounds:
    """Rounds of fuzzing in a process of its own; each is due at an effort of the search."""

    def __init__(self, fuzzer: Fuzzer, jobs: int, deadline: float) -> None:
        self._begin = budget_effort_seconds()
        self._deadline = deadline
        self._known = 0
        self._last: FuzzedExecutions | None = None
        self._is_over = False
        seconds = policy().portfolio.round
        ahead = policy().portfolio.ahead if jobs > 1 else 0
        self._worker = ParallelWorkerRounds(lambda: fuzzer.rounds(seconds), ahead)

    @property
    def known(self) -> int:
        """Number of rounds that were taken over."""
        return self._known

    def found(self) -> FuzzedExecutions | None:
        """Executions some of which fail, where the rounds that are due found any."""
        due = (budget_effort_seconds() - self._begin) / policy().portfolio.round
        while self._known + 1 <= due and not self._is_over and self._receive(self._deadline):
            pass
        return self._last if self._is_over else None

    def ready(self) -> FuzzedExecutions | None:
        """Executions some of which fail, where the rounds that are done found any; waits for none."""
        self.go_on(policy().portfolio.ahead, time.monotonic())
        return self._last if self._is_over else None

    def go_on(self, rounds: int, end: float) -> None:
        """Wait for so many further rounds, or until the time ``end``."""
        while rounds and not self._is_over and self._receive(end):
            rounds -= 1

    def close(self, loop: QueryLoop) -> None:
        """End the process."""
        try:
            self._worker.end()
        except KeyboardInterrupt as error:
            loop.stop(halt_reason_of(error))
            self._worker.end()

    def _receive(self, end: float) -> bool:
        """Take over the next round; False where it is not done by the time ``end``.

        Where some executions fail, or the worker has ended, it was the last one.
        """
        if not self._worker.is_done(None if end == math.inf else max(0.0, end - time.monotonic())):
            return False
        found = self._worker.take()
        self._known += 1
        self._is_over = found is None or bool(found.failing)
        self._last = found
        return True


def _delay(program: Program) -> float:
    """Seconds of effort of the search for a bound after which inputs are tried."""
    is_large = program.goto.own_size >= policy().portfolio.large
    return 0.0 if is_large else policy().portfolio.fuzz_after
