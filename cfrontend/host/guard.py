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
import stat
import sys
from contextlib import suppress

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

_MOST_DEPTH = 100
"""Directories in each other that are open at the same time."""


def remove_directory(path: str) -> None:
    """Remove a directory with all that is in it, as far as that can be done, whoever has written it.

    No link is followed. What is nested deeply is moved to the top before it is emptied, so that no depth is too much; a
    program may have taken away the rights to its own directories.
    """
    free = f".removed-{os.urandom(8).hex()}"
    with suppress(OSError):
        top = os.open(path, _FOLDER)
        try:
            before = None
            while (left := os.listdir(top)) != before:  # noqa: PTH208 - a descriptor
                _empty_directory(top, top, free, 0)
                before = left
        finally:
            os.close(top)
        os.rmdir(path)  # noqa: PTH106 - no more is imported here than is needed


def _empty_directory(folder: int, top: int, free: str, depth: int) -> None:
    """Remove what is in an open directory; what is too deep goes to the directory ``top``, by new names."""
    for name in os.listdir(folder):
        with suppress(OSError):
            if not _is_directory(name, folder):
                os.unlink(name, dir_fd=folder)
            elif depth >= _MOST_DEPTH:
                inode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_ino
                os.rename(name, f"{free}-{inode}", src_dir_fd=folder, dst_dir_fd=top)
            else:
                inner = os.open(name, _FOLDER, dir_fd=folder)
                try:
                    _empty_directory(inner, top, free, depth + 1)
                finally:
                    os.close(inner)
                os.rmdir(name, dir_fd=folder)


def _is_directory(name: str, folder: int) -> bool:
    """True for a directory, which then can be emptied and moved."""
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    if not stat.S_ISDIR(mode):
        return False
    if mode & stat.S_IRWXU != stat.S_IRWXU:
        os.chmod(name, stat.S_IRWXU, dir_fd=folder)
    return True


def guard_child_processes() -> None:
    """Read until the end, then kill the groups and remove the directories that are left."""
    os.setsid()
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
    for directory in directories:
        remove_directory(directory)


if __name__ == "__main__":
    guard_child_processes()
