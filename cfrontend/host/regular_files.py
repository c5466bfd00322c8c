"""Size-limited reading of regular files.

    read_bytes("a.c", error=InputError)      ->   b"int main(void) ..."
    read_bytes("/dev/zero")                  ->   UsageError: /dev/zero: not a regular file ...
    read_json("corpus.json")                 ->   {"format": 1, ...}

Whatever is given to sfo, or named in what is given, is read here: a device or a pipe in its place would be read without
end.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

from cfrontend.errors import SfoError, UsageError

_LEVELS: Final = 500
"""Approximate maximum nesting of JSON and TOML."""

MOST: Final = 64 << 20
"""Maximum size in bytes of a source file, a configuration or a list."""

BYTE_ORDER_MARK: Final = "\ufeff"

MOST_DATA: Final = 2 << 30
"""Maximum size in bytes of a coverage matrix or an edge profile."""


MOST_FILES: Final = 100_000
"""Maximum number of files and directories below a directory that is looked through."""


def regular_files_below(place: Path) -> list[Path]:
    """The regular files below a directory, sorted; what cannot be looked at is passed over.

    Raises UsageError where there are too many: it is the root of a system, or grows while it is looked through.
    """
    found: list[Path] = []
    seen = 0
    for folder, folders, names in os.walk(place):
        seen += len(folders) + len(names)
        if seen > MOST_FILES:
            raise UsageError(f"{place}: more than {MOST_FILES} files below it; name a smaller directory")
        for name in names:
            with suppress(OSError):
                file = Path(folder, name)
                if stat.S_ISREG(file.stat().st_mode):
                    found.append(file)
    return sorted(found)


@contextmanager
def opened_regular_file(
    path: str | Path, *, error: type[SfoError] = UsageError, most: int = MOST
) -> Iterator[IO[bytes]]:
    """The regular file ``path``, open to be read. Raises ``error`` where it is none, is too large or cannot be read."""
    name = str(path)
    try:
        if not name:
            raise error("an empty name is not a file")
        # Asked before it is opened: to open a device may do something, and to open a pipe waits for a writer.
        _must_be_regular(name, Path(name).stat(), error, most)
        with os.fdopen(os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            _must_be_regular(name, os.fstat(file.fileno()), error, most)
            yield file
    except OSError as problem:
        raise error(f"cannot read {name}: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise error(f"{name} is not a text file (UTF-8)") from None
    except ValueError as problem:
        if "null" not in str(problem):
            raise
        raise error(f"cannot read {name!r}: not a file name") from None


def _must_be_regular(name: str, status: os.stat_result, error: type[SfoError], most: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise error(f"cannot read {name}: is a directory, not a file")
    if not stat.S_ISREG(status.st_mode):
        raise error(f"cannot read {name}: not a regular file; write what it holds to one, and name that")
    if status.st_size > most:
        raise error(_too_large(name, most))


def _too_large(name: str, most: int) -> str:
    return f"cannot read {name}: larger than {most >> 20} MiB, which is more than is read of such a file"


def read_regular_file_bytes(
    path: str | Path, *, error: type[SfoError] = UsageError, most: int = MOST
) -> bytes:
    """The bytes of a file. Raises what ``opened_regular_file`` raises."""
    with opened_regular_file(path, error=error, most=most) as file:
        data = file.read(most + 1)  # files of /proc have no size
    if len(data) > most:
        raise error(_too_large(str(path), most))
    return data


def read_regular_file_text(path: str | Path, *, error: type[SfoError] = UsageError, most: int = MOST) -> str:
    """The text of a file, in UTF-8, with plain ends of lines. Raises what ``opened_regular_file`` raises."""
    text = read_regular_file_as_written(path, error=error, most=most)
    return text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")


def read_regular_file_as_written(
    path: str | Path, *, error: type[SfoError] = UsageError, most: int = MOST
) -> str:
    """The text of a file, in UTF-8, with its line ends and its mark of the byte order, if it has one."""
    data = read_regular_file_bytes(path, error=error, most=most)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise error(f"{path} is not a text file (UTF-8)") from None


@contextmanager
def regular_file_nested_little() -> Iterator[None]:
    """Nesting limit: raise RecursionError in the block for what is nested more than some hundred levels deep.

    The limit that reading C needs lets a parser written in C come to the end of its stack, which ends the process.
    """
    before, depth, frame = sys.getrecursionlimit(), 0, sys._getframe()  # noqa: SLF001 - the way to count frames
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    sys.setrecursionlimit(depth + _LEVELS)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def read_regular_file_json(path: str | Path, *, most: int = MOST) -> Any:
    """The value in a JSON file. Raises what ``opened_regular_file`` raises, and UsageError for what is no JSON."""
    import json

    text = read_regular_file_text(path, most=most)
    try:
        with regular_file_nested_little():
            return json.loads(text)
    except json.JSONDecodeError as problem:
        raise UsageError(f"{path}:{problem.lineno}:{problem.colno}: not JSON: {problem.msg}") from None
    except RecursionError:
        raise UsageError(f"{path}: not JSON that can be read: nested too deeply") from None
    except ValueError as problem:
        raise UsageError(f"{path}: not JSON: {problem}") from None
