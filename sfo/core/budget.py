"""Effort that a part of the work may take: asked between two questions, and the limit of each single one.

    clock = Clock(seconds=2.0)
    while not clock():
        with clock.within(0.5):
            ask()

Its seconds are those of ``cfrontend.effort``: counted work, about a second of one core of today. The same is found on
every machine, however busy it is with other things.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final, Self, final

from cfrontend import effort
from cfrontend.effort import SECOND

_PART_FOR_REPORT: Final = 0.05
"""Part of a time limit that is kept for the report."""

_MOST_FOR_REPORT: Final = 0.3
"""Most seconds of a time limit that are kept for the report."""


def _never() -> bool:
    """Condition of a clock that nothing else ends."""
    return False


def budget_effort_seconds() -> float:
    """Seconds of effort of this process so far."""
    return effort.spent_effort() / SECOND


@final
class BudgetClock:
    """A clock of effort, which starts when it is made.

    ``deadline`` is a time of ``time.monotonic``; ``ended`` says whether something else ends the work. ``factor``, as a
    user gives it, multiplies what parts of the work have in any case; ``seconds`` has it in already. ``done`` of
    ``total`` things are behind the work, where it counts any, ``counted_since`` a time of ``time.monotonic``.
    """

    def __init__(
        self,
        seconds: float,
        ended: Callable[[], bool] = _never,
        deadline: float = math.inf,
        factor: float = 1.0,
    ) -> None:
        self._begin = self._seen = effort.spent_effort()
        self._end = self._begin + seconds * SECOND
        self._ended = ended
        self._deadline = deadline
        self._factor = factor
        self.done = self.total = 0
        self.counted_since = 0.0

    def __call__(self) -> bool:
        """Whether the effort is spent, or something else ends the work."""
        self._seen = effort.spent_effort()
        return self._ended() or self._seen >= self._end or time.monotonic() >= self._deadline

    @property
    def share(self) -> float:
        """Share that is done: of what is counted, else of the effort when the clock was last asked; from 0 to 1."""
        if self.total:
            return self.done / self.total
        return min(1.0, (self._seen - self._begin) / max(1.0, self._end - self._begin))

    def count(self, done: int, total: int) -> None:
        """Tell that so many of ``total`` things are ``done``; from 0 on a new count begins."""
        if not done:
            self.counted_since = time.monotonic()
        self.done, self.total = done, total

    @property
    def left(self) -> float:
        """Seconds of effort that are left."""
        return (self._end - effort.spent_effort()) / SECOND

    def restart(self, seconds: float) -> None:
        """Have so many seconds from now."""
        self._end = effort.spent_effort() + seconds * SECOND

    def extend(self, seconds: float) -> None:
        """Have at least so many seconds from now, times the factor."""
        self._end = max(self._end, effort.spent_effort() + self._factor * seconds * SECOND)

    def within(self, seconds: float = math.inf) -> AbstractContextManager[None]:
        """Limit what is done inside to so many seconds of effort, or to what is left if that is less."""
        return effort.within_effort(max(0.0, min(seconds, self.left)) * SECOND)

    @property
    def until(self) -> float | None:
        """When a question has to end, whatever its effort, as a time of ``time.monotonic``; None: never."""
        return None if self._deadline == math.inf else self._deadline

    @property
    def seconds(self) -> float | None:
        """Seconds of ``time.monotonic`` up to then."""
        return None if self._deadline == math.inf else max(0.0, self._deadline - time.monotonic())


def deadline_of_time_limit(timeout: float | None) -> float | None:
    """The time of ``time.monotonic`` at which searches end under a limit of ``timeout`` seconds from now.

    What is left of the limit then is for the report: what was found is executed natively, and written.
    """
    if timeout is None:
        return None
    return time.monotonic() + timeout - min(_MOST_FOR_REPORT, _PART_FOR_REPORT * timeout)


@final
class BudgetedWork(str):
    """Phase of an analysis as a progress line names it, with the clock that ends it."""

    __slots__ = ("clock",)

    clock: BudgetClock

    def __new__(cls, doing: str, clock: BudgetClock) -> Self:
        """``doing`` is what begins now and has the time of ``clock``."""
        made = super().__new__(cls, doing)
        made.clock = clock
        return made

    @property
    def counted(self) -> str:
        """The phase, with how much of it is done where that is counted."""
        return f"{self}: {self.clock.done} of {self.clock.total} tried" if self.clock.total else str(self)
