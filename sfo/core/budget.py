"""Budget of a phase: polled between two solver queries and given to each query as its limit.

    clock = Clock(seconds=2.0);  while not clock(): ask(deadline=clock.until)

It is processor time, so that the same is found on a machine that is busy with other things.
"""

from __future__ import annotations

import math
import resource
import time
from collections.abc import Callable
from typing import final


def _never() -> bool:
    """Condition of a clock that nothing else ends."""
    return False


def processor_time() -> float:
    """Seconds of this process and of the preprocessors that it has called."""
    called = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + called.ru_utime + called.ru_stime


@final
class Clock:
    """Budget of a phase in seconds of processor time, polled between two solver queries and given to each as its limit.

    ``deadline`` is a time of ``time.monotonic``; ``ended`` says whether something else ends the work.
    """

    def __init__(
        self, seconds: float, ended: Callable[[], bool] = _never, deadline: float = math.inf
    ) -> None:
        self._end = processor_time() + seconds
        self._ended = ended
        self._deadline = deadline

    def __call__(self) -> bool:
        """True if the time is over."""
        return self._ended() or processor_time() >= self._end or time.monotonic() >= self._deadline

    @property
    def left(self) -> float:
        """Seconds of processor time that are left."""
        return self._end - processor_time()

    def restart(self, seconds: float) -> None:
        """Set the budget to so many seconds from now, in a process that has counted none of what came before."""
        self._end = processor_time() + seconds

    def extend(self, seconds: float) -> None:
        """Raise the budget to at least so many seconds from now."""
        self._end = max(self._end, processor_time() + seconds)

    @property
    def until(self) -> float:
        """Deadline of a query that begins now, as a time of ``time.monotonic``."""
        return min(time.monotonic() + self._end - processor_time(), self._deadline)
