"""Time and memory limits that hold wherever an analysis is: a thread watches, and the main thread is stopped.

The stages look at the clock themselves where they can end with what they know; what they cannot interrupt, such as
reading a huge file, gets an exception like that of Ctrl-C.

    with time_and_memory_limits(timeout=60, memory=2048):
        result = localize(...)
"""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Final

from sfo.core.halt import Halt, Stop
from sfo.core.interruption import is_finalizing
from sfo.core.parallel import memory_growth_in_parallel, resident_memory_in_parallel

_GRACE: Final = 0.1
"""Seconds after the time limit in which the stages may end by themselves."""

_EVERY: Final = 0.02
"""Seconds between two looks at clock and memory."""

_SELDOM: Final = 0.5
"""Seconds between two looks at the memory of copies of the process, which is slow to count."""

_AGAIN: Final = 2.0
"""Seconds after which a stop that had no effect is repeated."""

_PART: Final = 0.9
"""What a command may take of the memory that is free, unless told otherwise: the system would end it, or others."""

_MIB: Final = 1 << 20
_AVAILABLE: Final = re.compile(r"^MemAvailable: *(\d+) kB$", re.MULTILINE)
_MEMINFO: Final = Path("/proc/meminfo")
_GROUP: Final = Path("/sys/fs/cgroup")
_GROUP_FILES: Final = (
    ("memory.max", "memory.current"),
    ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
)
"""The limit of a group of processes and what they have, in both versions of control groups."""
_SIGNAL: Final = signal.SIGUSR1


@contextmanager
def library_limits(timeout: float | None, memory: int | None) -> Iterator[None]:
    """Raise ``Halt`` in the main thread when ``timeout`` seconds are over or more than ``memory`` MiB are resident.

    In another thread, where signals cannot be handled, nothing is watched.
    """
    if (timeout is None and memory is None) or threading.current_thread() is not threading.main_thread():
        yield
        return
    why: list[Stop] = []

    done, deferred = threading.Event(), threading.Event()

    def halt(_number: int, frame: FrameType | None) -> None:
        if done.is_set():
            return
        if is_finalizing(frame):
            deferred.set()
            return
        raise Halt(why[-1] if why else "timeout")

    deadline = None if timeout is None else time.monotonic() + timeout + _GRACE
    main = threading.main_thread().ident
    assert main is not None

    def watch() -> None:
        beside, look = 0, 0.0
        while not done.wait(_EVERY):
            now = time.monotonic()
            late = deadline is not None and now > deadline
            if memory is not None and now > look:
                beside, look = memory_growth_in_parallel(), now + _SELDOM
            if late or (memory is not None and resident_memory_in_parallel() + beside > memory * _MIB):
                why.append("timeout" if late else "memory")
                deferred.clear()
                signal.pthread_kill(main, _SIGNAL)
                again = time.monotonic() + _AGAIN
                while not deferred.is_set() and time.monotonic() < again:
                    if done.wait(_EVERY):
                        return

    before = signal.signal(_SIGNAL, halt)
    watcher = threading.Thread(target=watch, name="limits", daemon=True)
    try:
        watcher.start()  # which may take so long on a busy machine that the limit is reached
        yield
    finally:
        try:
            done.set()
        finally:  # the limit may be reached just here
            done.set()
            signal.signal(_SIGNAL, signal.SIG_IGN)  # what comes now comes too late
            with suppress(RuntimeError):  # it was not started
                watcher.join()
            signal.signal(_SIGNAL, before)


def library_memory_limit() -> int | None:
    """MiB that a command may take unless told otherwise; None where the system does not tell what is free."""
    try:
        found = _AVAILABLE.search(_MEMINFO.read_text(encoding="ascii"))
    except OSError:
        return None
    if found is None:
        return None
    free = int(found[1]) << 10
    for names in _GROUP_FILES:
        try:
            most, taken = (int((_GROUP / name).read_text(encoding="ascii")) for name in names)
        except (OSError, ValueError):
            continue  # no such group, or one without a limit ("max")
        free = min(free, most - taken)
    return max(1, int(_PART * free) // _MIB)
