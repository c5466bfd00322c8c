"""Portfolio of fuzzing beside a search by solver: when inputs are tried, and when what fails so is enough."""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from typing import Final, final

from cfrontend import effort
from cfrontend.program import Program
from sfo.core.budget import effort_seconds
from sfo.core.data import Halt, Native, Stop, stop_reason_of
from sfo.core.parallel import SharedFlag, WorkerProcess
from sfo.core.policy import policy
from sfo.generate.fuzzing import FuzzedExecutions, Fuzzer, FuzzingOracle
from sfo.oracles.protocol import QueryLoop

_LOOK: Final = 0.02
"""Seconds between two looks at what the fuzzer has found after the end of the search."""


@final
class Portfolio:
    """Inputs are tried beside a search for the smallest failing bound that takes some time.

    The search is told of the first that fail as soon as they do: those within a bound near the one that it has come to
    end it. Others count when it has had time enough for its own, from which more is proved.
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
    ) -> None:
        self._program = program
        self._native = native
        self._properties = properties
        self._loop = loop
        self._jobs = jobs
        self._start = time.monotonic()
        self._trying: Fuzzer | None = None
        self._copy: WorkerProcess[FuzzedExecutions] | None = None
        self._tried: FuzzedExecutions | None = None
        self._content = math.inf
        self._begin = effort_seconds() + _delay(program, jobs) if is_wanted else math.inf
        """The effort at which fuzzing begins."""
        self._flag = SharedFlag()
        self._next = self._start if is_wanted else math.inf
        self._is_first = True

    def step(self) -> None:
        """Go on fuzzing: begin a process of its own, hear what it found, or have a turn in this one."""
        if self._copy is not None and self._copy.has_answered:
            self._hear(self._copy)
        if effort_seconds() >= self._begin and time.monotonic() >= self._next and self.poll() is None:
            self._go_on()

    def poll(self) -> Stop | None:
        """Why the search should stop; None while it may go on.

        ``tried``: some executions fail that it was not told of, or it had its time. ``effort``: that is spent.
        """
        if self._has_failing and (self._is_first or time.monotonic() >= self._content):
            return "tried"
        return "effort" if effort.is_exhausted() else None

    @property
    def _has_failing(self) -> bool:
        """True if fuzzing has found a failing execution, in this process or in the other one."""
        return bool(self._flag) or (self._tried is not None and bool(self._tried.failing))

    def news(self) -> FuzzedExecutions | None:
        """Fuzzed executions, if something has failed that the search was not told of; it may go on then."""
        if not self._is_first or self.found() is None:
            return None
        self._is_first = False
        return self._tried

    @property
    def end(self) -> float:
        """Deadline of the formula for the bound within which fuzzed executions fail."""
        return max(self._content, time.monotonic() + policy().portfolio.seeded)

    def found(self) -> FuzzingOracle | None:
        """Failing executions that were tried, as far as that is known."""
        if self._copy is not None and (self._flag or self._copy.has_answered):
            self._hear(self._copy)
        return FuzzingOracle(self._tried, self._loop) if self._tried and self._tried.failing else None

    def last(self) -> FuzzingOracle | None:
        """Fuzzed executions for a search that has found nothing within its bounds.

        Longer ones are then tried for some time.
        """
        if self._next == math.inf:
            return None
        now = time.monotonic()
        deadline = math.inf if self._loop.deadline is None else self._loop.deadline
        end = now + min(policy().portfolio.at_last, policy().portfolio.content_part * (deadline - now))
        if self._copy is None and end > now:
            self._tried = Fuzzer(self._program, self._properties, self._native).tried(end)
        while self._copy is not None and self.found() is None and time.monotonic() < end:
            time.sleep(_LOOK)
        return self.found()

    def close(self) -> None:
        """Stop fuzzing. What is known by then is kept, whatever interrupts this."""
        copy, self._copy = self._copy, None
        if copy is None:
            return
        try:
            copy.end()
        except KeyboardInterrupt as error:
            self._loop.stop(stop_reason_of(error))
            copy.end()

    def _hear(self, copy: WorkerProcess[FuzzedExecutions]) -> None:
        """Take over what a copy found. Raises Halt where the work is stopped meanwhile."""
        self._tried, stop = copy.answer()
        self._flag = SharedFlag()
        self.close()
        if stop is not None:
            raise Halt(stop)

    def _go_on(self) -> None:
        """Try, in a process of its own where there may be several; in this one for no longer than the search took."""
        now = time.monotonic()
        if self._copy is not None or now < self._content < math.inf:
            self._next = now + policy().portfolio.every
            return
        took = now - self._start
        wait = (
            max(policy().portfolio.content_after - took, policy().portfolio.most_fuzzing)
            if self._trying is None
            else policy().portfolio.longer * took
        )
        deadline = math.inf if self._loop.deadline is None else self._loop.deadline
        self._content = now + min(wait, policy().portfolio.content_part * (deadline - now))
        self._next = now + policy().portfolio.every
        trying = self._trying = self._trying or Fuzzer(self._program, self._properties, self._native)
        if self._jobs > 1:
            until = now + policy().portfolio.fuzzing_part * (deadline - now)
            flag = self._flag
            self._copy = WorkerProcess(lambda: _fuzzed(trying, until, flag))
        else:
            self._tried = trying.tried(
                min(
                    self._content,
                    now
                    + min(max(took, policy().portfolio.fuzz_alone_after), policy().portfolio.most_fuzzing),
                )
            )


def _fuzzed(trying: Fuzzer, until: float, flag: SharedFlag) -> FuzzedExecutions:
    """What fuzzing finds by ``until``; ``flag`` is set once some execution fails."""
    found = trying.tried(until)
    if found.failing:
        flag.set()
    return found


def _delay(program: Program, jobs: int) -> float:
    """Seconds of the search for a bound after which inputs are tried."""
    if jobs == 1:
        return policy().portfolio.fuzz_alone_after
    own = (function for function in program.goto.functions.values() if not function.foreign)
    size = sum(len(function.instructions) for function in own)
    return 0.0 if size >= policy().portfolio.large else policy().portfolio.fuzz_after
