"""Limits of a command, and its progress, as the command line has them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sfo.cli.output import ProgressOutput
from sfo.library import limits


@contextmanager
def under_limits(given: dict[str, Any]) -> Iterator[ProgressOutput]:
    """Progress on stderr, and the limits of --timeout and --memory, as the command line ``given`` has them."""
    memory = given["memory"] or limits.library_memory_limit()
    with ProgressOutput.as_asked(given) as progress, limits.library_limits(given["timeout"], memory):
        yield progress
