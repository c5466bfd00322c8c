"""Limits of a command, and its progress, as the command line has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sfo.cli.output import ProgressOutput
from sfo.core.interruption import INTERRUPTION
from sfo.library import limits


@contextmanager
def under_limits(
    given: dict[str, Any], last_words: Callable[[Any], object] | None = None
) -> Iterator[ProgressOutput]:
    """Progress on stderr, and the limits of --timeout and --memory, as the command line ``given`` has them.

    ``last_words`` writes what is known where the work is interrupted and comes to no end. Behind the work no
    interruption passes, so that its result is written.
    """
    INTERRUPTION.begin_work(last_words)
    memory = given["memory"] or limits.library_memory_limit()
    with ProgressOutput.as_asked(given) as progress, limits.library_limits(given["timeout"], memory):
        yield progress
    INTERRUPTION.conclude()
