"""Untrusted files: what a sandboxed program has written, read outside of its sandbox.

    left = UntrustedDirectory(Path("command-1"), "test command 'make check'")
    left.files("counts", ".gcda")    ->   ["counts/p/lib.gcda", "counts/p/t1.gcda"]
    left.read("counts/p/lib.gcda")   ->   b"adcg..."
    left.read("counts/link.gcda")    ->   InputError: test command 'make check' left counts/link.gcda, ...

The program may have left anything: links that lead to private files, pipes that nobody writes to, files without end. No
component of a name is followed where it is a link, only regular files are opened, and one directory gives a limited
number of files and bytes. All processes of the sandbox have ended before.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, final

from cfrontend.errors import InputError

MOST_BYTES: Final = 256 << 20
"""Bytes that are read of one directory."""

MOST_ENTRIES: Final = 100_000
"""Maximum number of files and directories below one directory."""

_MOST_DEPTH: Final = 100
"""Maximum nesting of directories, each of which is open while those in it are looked at."""

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

_KINDS: Final = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a directory",
}


@final
class UntrustedDirectory:
    """A directory of ours that a sandboxed program could write to; ``author`` names the program in messages."""

    def __init__(self, root: Path, author: str, *, most: int = MOST_BYTES) -> None:
        self._root = root
        self._author = author
        self._left = most

    def files(self, below: str, suffix: str = "") -> list[str]:
        """The names of the files in and below the directory ``below`` that end with ``suffix``, sorted.

        Raises InputError for anything but files and directories, and where there is too much of it.
        """
        found: list[str] = []
        with (
            suppress(FileNotFoundError),
            self._reading(below),
            self._opened(below.split("/")) as folder,
        ):
            self._look(folder, below, suffix, found, [0])
        return sorted(found)

    def read(self, name: str) -> bytes | None:
        """The bytes of a file; None where there is none. Raises InputError for what is no file, or is too large."""
        *folders, last = name.split("/")
        with suppress(FileNotFoundError), self._reading(name), self._opened(folders) as folder:
            status = os.stat(last, dir_fd=folder, follow_symlinks=False)
            if not stat.S_ISREG(status.st_mode):  # to open a device may do something
                raise self._refusal(name, status.st_mode)
            self._left -= status.st_size
            if self._left < 0:
                raise InputError(f"{self._author} left more than is read of it: {name} is too large")
            with os.fdopen(os.open(last, _FILE, dir_fd=folder), "rb") as file:
                return file.read(status.st_size)
        return None

    @contextmanager
    def _reading(self, name: str) -> Iterator[None]:
        """What cannot be read in the block is an InputError, but for what is not there."""
        try:
            yield
        except FileNotFoundError:
            raise
        except (OSError, ValueError) as error:
            said = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise InputError(f"{self._author} left {name}, which cannot be read: {said}") from None

    @contextmanager
    def _opened(self, folders: list[str]) -> Iterator[int]:
        """The directory that ``folders`` lead to, one in the other, as a descriptor."""
        number = os.open(self._root, _FOLDER)
        try:
            for at, folder in enumerate(folders):
                mode = os.stat(folder, dir_fd=number, follow_symlinks=False).st_mode
                if not stat.S_ISDIR(mode) or folder in ("", ".", ".."):
                    raise self._refusal("/".join(folders[: at + 1]), mode)
                inner = os.open(folder, _FOLDER, dir_fd=number)
                os.close(number)
                number = inner
            yield number
        finally:
            os.close(number)

    def _look(self, folder: int, below: str, suffix: str, found: list[str], seen: list[int]) -> None:
        names = os.listdir(folder)
        seen[0] += len(names)
        if seen[0] > MOST_ENTRIES or below.count("/") > _MOST_DEPTH:
            raise InputError(f"{self._author} left more than is read of it: too many files or directories")
        for name in names:
            mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                inner = os.open(name, _FOLDER, dir_fd=folder)
                try:
                    self._look(inner, f"{below}/{name}", suffix, found, seen)
                finally:
                    os.close(inner)
            elif not stat.S_ISREG(mode):
                raise self._refusal(f"{below}/{name}", mode)
            elif name.endswith(suffix):
                found.append(f"{below}/{name}")

    def _refusal(self, name: str, mode: int) -> InputError:
        kind = _KINDS.get(stat.S_IFMT(mode), "no regular file")
        return InputError(
            f"{self._author} left {name}, {kind}, where sfo reads only files that it has written"
        )
