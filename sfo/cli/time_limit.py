"""Time limit of a command, which counts from the start of its process: what starts a command has no other clock."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

_STARTED: Final = 19
"""Place of the start of a process among what /proc tells behind its name: ticks since the machine was booted."""

_LEAST_SECONDS: Final = 0.01
"""Seconds of a time limit that are left in any case."""


def begin_of_process() -> float:
    """The start of this process, as a time of ``time.monotonic``; now where the system does not tell it."""
    try:
        told = (
            Path("/proc/self/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        )
        started = int(told[_STARTED]) / os.sysconf("SC_CLK_TCK")
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - started
    except (OSError, ValueError, IndexError, AttributeError):
        age = 0.0
    return time.monotonic() - max(0.0, age)


def seconds_left_of_limit(timeout: float, begin: float) -> float:
    """Seconds that are left of a time limit that counts from ``begin``, a time of ``time.monotonic``."""
    return max(_LEAST_SECONDS, timeout - (time.monotonic() - begin))
