"""Guard process that cleans up after its parent, however that ends (``SIGKILL`` too).

It reads what the parent has started, a line each. When the pipe is closed, by the parent or by its end, it does its
work:

    + 4711          process group 4711 runs          - 4711          ... and has ended
    > 2f746d702f78  directory /tmp/x was made        < 2f746d702f78  ... and is removed

It is a program of its own that imports nothing of ours, so that it starts in a few milliseconds.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress


def guard_child_processes() -> None:
    """Read until the end, then kill the groups and remove the directories that are left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    directories: set[str] = set()
    for line in sys.stdin.buffer:
        what, value = line.decode("ascii").split()
        if what == "+":
            groups.add(int(value))
        elif what == "-":
            groups.discard(int(value))
        elif what == ">":
            directories.add(os.fsdecode(bytes.fromhex(value)))
        else:
            directories.discard(os.fsdecode(bytes.fromhex(value)))
    for group in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
    if directories:
        import shutil

        for directory in directories:
            shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    guard_child_processes()
