"""Measured process: exit code, seconds and processor time of one execution of a command.

with subprocess.Popen(...) as process: usage = usage_of_process(process)   ->   ProcessUsage(0, 1.9, 3.2)
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Final, final

from cfrontend.record import dataclass

_ERROR: Final = "sfo: error: "


@final
@dataclass(frozen=True, slots=True)
class ProcessUsage:
    """Exit code, wall time and processor time of a process and its children, in seconds, from when it is waited for."""

    code: int
    seconds: float
    processor: float


def usage_of_process(process: subprocess.Popen[bytes]) -> ProcessUsage:
    """Wait for the end of a process that has just been started, and tell what it took."""
    begin = time.monotonic()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - begin
    return ProcessUsage(process.returncode, seconds, used.ru_utime + used.ru_stime)


def refusal_of_tool(said: str) -> str:
    """The last error that the tool ``said``, without the source below it; empty where there is none."""
    errors = [line for line in said.splitlines() if line.startswith(_ERROR)]
    return errors[-1] if errors else ""


def silent_tool_process(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """The tool, started with ``arguments``; what it prints is not kept."""
    return subprocess.Popen(
        [sys.executable, "-m", "sfo", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
