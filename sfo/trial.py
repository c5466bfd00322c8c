"""When inputs are tried beside a search, and when what was found so is enough."""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from typing import Final, final

from cfrontend.program import Program
from sfo.data import Halt
from sfo.oracle import Loop
from sfo.parallel import Copy
from sfo.tried import Tried, TriedOracle, Trying

TRY_AFTER: Final = 3.0
"""Seconds of the search for a bound after which inputs are tried."""

_CONTENT_AFTER: Final = 15.0
"""Seconds of that search after which executions that were found so are enough, ..."""

_CONTENT_PART: Final = 0.4
"""... or this part of the time that is left when it begins. ..."""

_EVERY: Final = 0.25
"""... Where there are none, it is looked so often whether there are some, ..."""

_LONGER: Final = 2.0
"""... or others are tried in this process after so many times as long as it has taken."""

_MOST_TRYING: Final = 10.0
"""Seconds for which inputs are tried at least, and at most where the search has to wait for it."""

_AT_LAST: Final = 3.0
"""Seconds for which they are tried where the search has found nothing."""

_LOOK: Final = 0.02
"""Seconds between two looks at what a process has found then."""

_TRYING_PART: Final = 0.75
"""For what part of the time that is left a process of its own tries them."""


@final
class Trial:
    """Inputs are tried beside a search for the smallest failing bound that takes some time.

    Failing executions that were found so count when the search has had time enough for its own, from which more is
    proved. ``next`` is when there is something to do, as a time of ``time.monotonic``: to begin, or to decide.
    """

    def __init__(
        self, program: Program, properties: Collection[str], loop: Loop, jobs: int, *, is_wanted: bool
    ) -> None:
        self._program = program
        self._properties = properties
        self._loop = loop
        self._jobs = jobs
        self._start = time.monotonic()
        self._trying: Trying | None = None
        self._copy: Copy[Tried] | None = None
        self._tried: Tried | None = None
        self.next = self._start + TRY_AFTER if is_wanted else math.inf

    def is_enough(self) -> bool:
        """Whether it is time to be content with failing executions that were tried, and there are some."""
        if time.monotonic() < self.next:
            return False
        if self.found() is not None:
            return True
        self._begin()
        return False

    def found(self) -> TriedOracle | None:
        """Failing executions that were tried, as far as that is known."""
        if self._copy is not None and self._copy.has_answered:
            self._hear(self._copy)
        return TriedOracle(self._tried, self._loop) if self._tried and self._tried.failing else None

    def last(self) -> TriedOracle | None:
        """The same where the search has found nothing within its bounds: longer executions are tried for some time."""
        if self.next == math.inf:
            return None
        now = time.monotonic()
        deadline = math.inf if self._loop.deadline is None else self._loop.deadline
        end = now + min(_AT_LAST, _CONTENT_PART * (deadline - now))
        if self._copy is None and end > now:
            self._tried = Trying(self._program, self._properties).tried(end)
        while self._copy is not None and self.found() is None and time.monotonic() < end:
            time.sleep(_LOOK)
        return self.found()

    def end(self) -> None:
        """No more is tried."""
        if self._copy is not None:
            self._copy.end()
            self._copy = None

    def _hear(self, copy: Copy[Tried]) -> None:
        """What a copy found; raises Halt where the work is stopped meanwhile."""
        self._tried, stop = copy.answer()
        self.end()
        if stop is not None:
            raise Halt(stop)

    def _begin(self) -> None:
        """Try, in a process of its own where there may be several; in this one for no longer than the search took."""
        now = time.monotonic()
        if self._copy is not None:
            self.next = now + _EVERY
            return
        took = now - self._start
        wait = max(_CONTENT_AFTER - took, _MOST_TRYING) if self._trying is None else _LONGER * took
        deadline = math.inf if self._loop.deadline is None else self._loop.deadline
        self.next = now + min(wait, _CONTENT_PART * (deadline - now))
        trying = self._trying = self._trying or Trying(self._program, self._properties)
        if self._jobs > 1:
            until = now + _TRYING_PART * (deadline - now)
            self._copy = Copy(lambda: trying.tried(until))
        else:
            self._tried = trying.tried(min(self.next, now + min(max(took, TRY_AFTER), _MOST_TRYING)))
