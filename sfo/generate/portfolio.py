"""Portfolio of fuzzing beside a search by solver: when inputs are tried, and when what fails so is enough."""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from typing import Final, final

from cfrontend import effort
from cfrontend.program import Program
from sfo.core.budget import effort_seconds
from sfo.core.data import Halt, Native, Stop, stop_of
from sfo.core.parallel import SharedFlag, WorkerProcess
from sfo.generate.fuzzing import FuzzedExecutions, Fuzzer, FuzzingOracle
from sfo.oracles.protocol import QueryLoop

TRY_AFTER: Final = 1.0
"""Seconds of effort of the search for a bound after which a second process begins fuzzing beside it."""

TRY_ALONE_AFTER: Final = 3.0
"""Seconds of effort of the search for a bound after which fuzzing takes turns with it, in the one process allowed."""

_LARGE: Final = 2_000
"""Number of instructions from which on fuzzing begins at once beside the search."""

_SEEDED: Final = 5.0
"""Seconds that encoding a bound may take at least when fuzzing knows executions that fail within it."""

_CONTENT_AFTER: Final = 15.0
"""Seconds of the search for a bound after which the failing executions of the fuzzer are answer enough."""

_CONTENT_PART: Final = 0.4
"""Part of the time left after which the executions of the fuzzer are answer enough, if that is less."""

_EVERY: Final = 0.25
"""Seconds between two looks at what the fuzzer has found, while it has found nothing that fails."""

_LONGER: Final = 2.0
"""Seconds between turns of the fuzzer in this process, as a multiple of those of the search so far."""

_MOST_TRYING: Final = 10.0
"""Seconds of one turn of the fuzzer: at least in a second process, at most where the search waits."""

_AT_LAST: Final = 3.0
"""Seconds of fuzzing at the end where the search has found no failing execution."""

_LOOK: Final = 0.02
"""Seconds between two looks at what the fuzzer has found after the end of the search."""

_TRYING_PART: Final = 0.75
"""Part of the time left for which a second process goes on fuzzing."""


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
        return max(self._content, time.monotonic() + _SEEDED)

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
        end = now + min(_AT_LAST, _CONTENT_PART * (deadline - now))
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
            self._loop.stop(stop_of(error))
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
            self._next = now + _EVERY
            return
        took = now - self._start
        wait = max(_CONTENT_AFTER - took, _MOST_TRYING) if self._trying is None else _LONGER * took
        deadline = math.inf if self._loop.deadline is None else self._loop.deadline
        self._content = now + min(wait, _CONTENT_PART * (deadline - now))
        self._next = now + _EVERY
        trying = self._trying = self._trying or Fuzzer(self._program, self._properties, self._native)
        if self._jobs > 1:
            until = now + _TRYING_PART * (deadline - now)
            flag = self._flag
            self._copy = WorkerProcess(lambda: _fuzzed(trying, until, flag))
        else:
            self._tried = trying.tried(
                min(self._content, now + min(max(took, TRY_ALONE_AFTER), _MOST_TRYING))
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
        return TRY_ALONE_AFTER
    own = (function for function in program.goto.functions.values() if not function.foreign)
    size = sum(len(function.instructions) for function in own)
    return 0.0 if size >= _LARGE else TRY_AFTER
