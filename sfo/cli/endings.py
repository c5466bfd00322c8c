"""Exit codes of commands that end by an error, and the error's line on stderr.

    UsageError("...")   ->   2, "error: ..."          OSError(ENOSPC)    ->   5, "error: No space left on device"
    BrokenPipeError()   ->   141, nothing             RecursionError()   ->   5, "error: ... nested too deeply"

The codes stand in docs/commands.md; what is in no row here is an internal error, code 1.
"""

from __future__ import annotations

import errno
import os
import re
import resource
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from io import TextIOWrapper
from pathlib import Path
from types import ModuleType
from typing import Final, final

import click

from cfrontend.errors import SfoError
from sfo.cli import output
from sfo.cli.hints import hint_on_error
from sfo.core.extras import missing_extra_error
from sfo.core.halt import NOTHING_KNOWN, Halt, notes_of_halt

_RESOURCES: Final = frozenset({
    errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO,
    errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN,
})  # fmt: skip
"""Error numbers of the system for having no more room, files, memory or processes."""


_NO_ROOM: Final = re.compile("failed to map segment|[Cc]annot allocate memory|C-extensions failed")
"""What the loader says of a library for which there is no memory."""

_NO_COMPILER: Final = "returned NULL without setting an exception"
"""Part of what Python says of its compiler where a module cannot be compiled for want of memory."""

_NO_THREAD: Final = "can't start new thread"
"""Message of the RuntimeError for a thread that the system does not start."""

_ROOM: Final = 160 << 20
"""Bytes of addresses without which numpy's libraries end or hold up the process, rather than raise an error."""

_SHOWN: Final = 60
"""Characters that are shown of a file name that is too long."""

_STATM: Final = Path("/proc/self/statm")


@final
class NumpyNeedsRoom(MetaPathFinder):
    """Finder that finds nothing, and raises MemoryError where numpy is imported with too few addresses for it."""

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        """Find nothing; raise MemoryError where there is no room."""
        if fullname in ("numpy", "scipy"):
            most, _ = resource.getrlimit(resource.RLIMIT_AS)
            if most != resource.RLIM_INFINITY and most - _addresses() < _ROOM:
                raise MemoryError
        return None


def _addresses() -> int:
    """Bytes of addresses that this process has; 0 where the system does not tell."""
    try:
        return int(_STATM.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def ending_of_command(error: BaseException) -> tuple[int, str | None]:
    """Exit code and line for what ended a command, with its notes; None where there is nothing to say."""
    known = notes_of_halt(error)
    match error:
        case click.exceptions.Exit():
            return error.exit_code, None
        case click.ClickException():
            return output.EXIT_USAGE, f"error: {error.format_message()}"
        case Halt():
            limit = "memory" if error.stop == "memory" else "time"
            return output.EXIT_LIMIT, f"error: the {limit} limit was reached: {known or NOTHING_KNOWN}"
        case click.Abort() | KeyboardInterrupt():
            return output.EXIT_INTERRUPTED, f"interrupted: {known or NOTHING_KNOWN}"
        case MemoryError():
            return output.EXIT_LIMIT, "error: out of memory"
        case ModuleNotFoundError() if said := missing_extra_error(error):
            return output.EXIT_USAGE, f"error: {said}"
        case ImportError() if _NO_ROOM.search(str(error)):
            return output.EXIT_LIMIT, "error: out of memory"
        case SystemError() if _NO_COMPILER in str(error):
            return output.EXIT_LIMIT, "error: out of memory"
        case RuntimeError() if _NO_THREAD in str(error):
            return output.EXIT_LIMIT, "error: no more threads can be started: out of memory, or of processes"
        case RecursionError():
            return output.EXIT_LIMIT, "error: something in the input is nested too deeply"
        case BrokenPipeError():
            return output.EXIT_BROKEN_PIPE, None
        case OSError() if error.errno == errno.ENAMETOOLONG:
            return output.EXIT_USAGE, f"error: {str(error.filename)[:_SHOWN]}...: {error.strerror}"
        case OSError() if error.errno in _RESOURCES:
            place = f"{error.filename}: " if error.filename else ""
            return output.EXIT_LIMIT, f"error: {place}{error.strerror}"
        case SfoError() if error.exit_code != output.EXIT_INTERNAL:
            return error.exit_code, f"error: {error}{hint_on_error(error)}{f'; {known}' if known else ''}"
        case SfoError():
            return output.EXIT_INTERNAL, f"internal error, please report it: {error}"
        case _:
            return output.EXIT_INTERNAL, f"internal error, please report it: {type(error).__name__}: {error}"


def complete_streams_until_ending() -> None:
    """Give the standard streams that are closed something to be, so that no file of ours takes their place.

    Standard output becomes a pipe that nobody reads, as it does when a reader ends.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            _replace(number)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - a number, for ever
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - a number, for ever
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _replace(number: int) -> None:
    """A closed stream: input is empty, output breaks, complaints are lost."""
    if number == 1:
        reading, made = os.pipe()
        os.close(reading)
    else:
        made = os.open(os.devnull, os.O_RDWR)
    if made != number:
        os.dup2(made, number)
        os.close(made)


def exit_code_of_flushed_ending(code: int) -> int:
    """``code``, or that of what keeps the last of the output from being written."""
    for stream in (sys.stdout, sys.stderr):
        if stream.closed:  # by a server, at the end of its input
            continue
        try:
            stream.flush()
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            code = ending_of_command(error)[0]
    return code
