"""Effort: work that is counted, so that a limit on it cuts at the same point on every machine and under any load.

    with within(2 * SECOND):
        charge(TICK)            what works says what it does, piece by piece
        is_exhausted()          and looks, between two pieces, whether it may go on

Each piece of work has a fixed price, about the nanoseconds that it takes on one core of today. A sum of prices is an
estimate of time there and no measure of time anywhere: equal work costs equally much, however long it takes. Limits
nest, as scopes of cancellation do: the narrowest one counts, and whatever is called inside is bound by it. Waiting
for another process costs nothing but what is asked of it.

Each thread has its own effort and limit; a copy of this process begins with those of the thread that made it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

SECOND: Final = 1_000_000_000
"""Effort of about one second."""

ENCODING: Final = 1_000_000
"""Price of an encoding, besides its steps."""

TICK: Final = 35_000
"""Price of a step of symbolic execution that may branch: a branch, a back edge, a call, a join of two states."""

TERM: Final = 2_500
"""Price of a new term."""

INSTRUCTION: Final = 100_000
"""Price of an instruction of a program that is read: parsed, typed and lowered."""

CELL: Final = 5_000
"""Price of a cell that an access at a symbolic offset may read, and of one that was never written and is read."""

EVALUATION: Final = 200
"""Price of the value of one term under one assignment."""

_NO_LIMIT: Final = 1 << 62


class _Meter(threading.local):
    """The effort of one thread since it began, and where it has to end."""

    spent = 0
    limit = _NO_LIMIT


_METER: Final = _Meter()

_REFUSED: Final[list[bool]] = []
"""Not empty once no work may go on in this process."""


def charge_effort(effort: int) -> None:
    """Add to the effort of this thread. Raises KeyboardInterrupt once work is refused."""
    _METER.spent += effort
    if _REFUSED:
        raise KeyboardInterrupt


def refuse_work() -> None:
    """Let counted work of every thread end at its next piece: the process was asked to end."""
    _REFUSED.append(True)


def spent_effort() -> int:
    """The effort of this thread so far."""
    return _METER.spent


def is_effort_exhausted() -> bool:
    """True if the effort has come to the narrowest limit."""
    return _METER.spent >= _METER.limit


def effort_left() -> int | None:
    """The effort up to the narrowest limit, 0 at least; None where there is none."""
    return None if _METER.limit == _NO_LIMIT else max(0, _METER.limit - _METER.spent)


@contextmanager
def within_effort(effort: float) -> Iterator[None]:
    """Limit what is done inside to so much ``effort`` from now on, or to what is left if that is less."""
    before = _METER.limit
    if effort < _NO_LIMIT:
        _METER.limit = min(before, _METER.spent + int(effort))
    try:
        yield
    finally:
        _METER.limit = before


@contextmanager
def effort_apart() -> Iterator[None]:
    """Count what is done inside apart: it has no limit from outside, and costs nothing there."""
    before, limit = _METER.spent, _METER.limit
    _METER.limit = _NO_LIMIT
    try:
        yield
    finally:
        _METER.spent, _METER.limit = before, limit
