"""Time that a part of the work may take: asked between two questions, and the limit of each single one.

clock = Clock(seconds=2.0);  while not clock(): ask(deadline=clock.until)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, final


def _never() -> bool:
    """Nothing else ends the work."""
    return False


@final
class Clock:
    """It starts when it is made; ``until`` is a time of ``time.monotonic``. ``ended`` says whether something else ends the work."""

    def __init__(self, seconds: float, ended: Callable[[], bool] = _never) -> None:
        self.until: Final = time.monotonic() + seconds
        self._ended = ended

    def __call__(self) -> bool:
        """Whether the time is over."""
        return self._ended() or time.monotonic() > self.until
