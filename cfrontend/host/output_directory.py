"""Files written into a directory that may be somebody else's: none of them is written anywhere else.

    write_file_below(Path("suite"), "tests/t1.in", b"3 4")     ->   suite/tests/t1.in

The directory comes with a project, perhaps with links in it: one in the place of a file is replaced by the file, and
one in the place of a directory is an error. A file is there as a whole or not at all, and keeps its permissions.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from cfrontend.errors import UsageError

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def write_file_below(directory: Path, name: str, data: bytes) -> None:
    """Write ``data`` to the file ``name`` below ``directory``, which is made where it is not there.

    Raises UsageError where a link would lead elsewhere, or the file system refuses.
    """
    *folders, last = name.split("/")
    path = directory / name
    new = f".{last[:100]}.{os.getpid()}.part"
    try:
        folder = _opened_folder(directory, folders)
        try:
            mode = _mode_of(last, folder)
            if mode is not None and stat.S_ISDIR(mode):
                raise UsageError(f"cannot write {path}: is a directory")
            with suppress(FileNotFoundError):
                os.unlink(new, dir_fd=folder)
            with os.fdopen(os.open(new, _NEW, 0o666, dir_fd=folder), "wb") as file:
                if mode is not None and stat.S_ISREG(mode):
                    os.fchmod(file.fileno(), stat.S_IMODE(mode))
                file.write(data)
            os.replace(new, last, src_dir_fd=folder, dst_dir_fd=folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def write_text_below(directory: Path, name: str, text: str) -> None:
    """Write ``text`` in UTF-8 as ``write_file_below`` does."""
    write_file_below(directory, name, text.encode("utf-8", "backslashreplace"))


def make_directory_below(directory: Path, name: str = "") -> None:
    """Make ``directory``, and the directory ``name`` below it. Raises UsageError as ``write_file_below`` does."""
    try:
        os.close(_opened_folder(directory, [part for part in name.split("/") if part]))
    except OSError as error:
        raise UsageError(f"cannot make the directory {directory / name}: {error.strerror}") from error


def _opened_folder(directory: Path, folders: Sequence[str]) -> int:
    """The directory ``folders``, one in the other, below ``directory``, as a descriptor; all of them are made."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        number = os.open(directory, _FOLDER & ~os.O_NOFOLLOW)  # the user has named it
    except OSError as error:
        raise UsageError(f"cannot make the directory {directory}: {error.strerror}") from error
    try:
        for at, folder in enumerate(folders, start=1):
            inner = _entered(number, folder, directory.joinpath(*folders[:at]))
            os.close(number)
            number = inner
    except BaseException:
        os.close(number)
        raise
    return number


def _entered(above: int, name: str, place: Path) -> int:
    """The directory ``place``, which is called ``name`` in the one above it; it is made."""
    with suppress(FileExistsError):
        os.mkdir(name, dir_fd=above)
    mode = _mode_of(name, above)
    if mode is None or not stat.S_ISDIR(mode) or name in (".", ".."):
        what = "a symbolic link, behind which" if mode and stat.S_ISLNK(mode) else "no directory, and"
        raise UsageError(f"{place} is {what} nothing is written: remove it, or name another directory")
    return os.open(name, _FOLDER, dir_fd=above)


def _mode_of(name: str, folder: int) -> int | None:
    """What stands there by this name, itself and not where it leads; None for nothing."""
    with suppress(FileNotFoundError):
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    return None
