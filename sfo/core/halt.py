"""Halt: what ends the work early, and why."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, final

Stop: TypeAlias = Literal["timeout", "memory", "interrupt", "effort", "unknown", "unsupported", "tried"]
"""What ended a search early: the time or the memory limit, Ctrl-C, its effort, a solver that gave up, a larger bound
within which the program comes to what is not supported, or that only some inputs were tried."""


LIMITS: Final = frozenset[Stop]({"timeout", "memory", "interrupt"})
"""Limits of the user and Ctrl-C: they end all of the work, not a part of it."""

NOTHING_KNOWN: Final = "nothing is known yet"
"""Message of an analysis that is interrupted, or meets a limit, without a result."""

SEARCH: Final = "search"
"""The name of a thread in which a solver searches."""


@final
class Halt(KeyboardInterrupt):
    """The user's limit ends the work wherever it is, as Ctrl-C does."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop)
        self.stop = stop


def notes_of_halt(error: BaseException) -> str:
    """Notes of an interrupted analysis, one after the other: what its message says of its result."""
    return "; ".join(getattr(error, "__notes__", ()))


def halt_reason_of(error: KeyboardInterrupt) -> Stop:
    """The reason why the work ended: the limit that was hit, or Ctrl-C."""
    return error.stop if isinstance(error, Halt) else "interrupt"


def halt_if_stopped(stop: Stop | None) -> None:
    """Raise Halt if a limit of the user or Ctrl-C ended a part of the work: the rest ends, too."""
    if stop in LIMITS:
        raise Halt(stop)
