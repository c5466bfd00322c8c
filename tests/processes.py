"""Processes of the machine, as tests look at them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

TELLING = """\
import sys
from sfo.cli import console
from sfo.cli import output
output.Progress.__call__ = lambda self, message: print(message, file=sys.stderr, flush=True)
console()
"""
"""The tool, which says each step on stderr at once."""


def running(mark: str) -> list[str]:
    """Command lines of the processes that have ``mark`` in them and are alive."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            state = (
                (place / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
            )
        except OSError:
            continue  # it has ended meanwhile
        if mark in words and state != "Z":
            found.append(words)
    return found


def comes_true(question: Callable[[], bool], seconds: float = 20) -> bool:
    """Whether the answer is yes within some seconds."""
    end = time.monotonic() + seconds
    while not question():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
