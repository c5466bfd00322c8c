"""Files that a command is asked to write: none of them is one that it reads, and no two of them are the same.

sfo localize --progress-json main.c util.c    ->   --progress-json would write over main.c, a C file: name another file
sfo localize a.c --report json=a.c            ->   --report would write over a.c, which is read: name another file
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click

from cfrontend.errors import UsageError

_WRITING: Final = frozenset({"--output", "--report", "--progress-json", "--smtlib"})
"""Options that name a file which is written."""

_SOURCES: Final = frozenset({".c", ".h", ".i"})
"""Suffixes of C files: one that is there is not what a report is to be written to."""


def require_written_files_apart(command: click.Command, given: Mapping[str, Any]) -> None:
    """Raise UsageError where a file would be written that is read, that is a C file already, or that is written twice.

    What is read is every other value that names a file.
    """
    written: list[tuple[str, str]] = []
    read: list[str] = []
    for parameter in command.params:
        option = next((name for name in parameter.opts if name in _WRITING), None)
        for text in _texts(given.get(parameter.name or "")):
            if option is None:
                read.append(text)
            elif text != "-" and (Path(text).is_file() or not Path(text).exists()):
                written.append((option, text))
    files = [file for file in read if Path(file).is_file()]
    for place, (option, file) in enumerate(written):
        if any(_are_same(file, other) for other in files):
            raise UsageError(f"{option} would write over {file}, which is read: name another file")
        if Path(file).suffix in _SOURCES and Path(file).exists() and command.name != "harness":
            raise UsageError(f"{option} would write over {file}, a C file: name another file")
        if any(_are_same(file, other) for _, other in written[:place]):
            raise UsageError(f"{file} is to be written twice: name a file for each report")


def _texts(value: Any) -> Iterator[str]:
    """Texts of the value of a parameter; of ``--report``, the files."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _texts(item[-1] if isinstance(item, tuple) and item else item)


def _are_same(first: str, second: str) -> bool:
    """True if two names are those of one file, by links or other spellings too."""
    try:
        return Path(first).resolve() == Path(second).resolve() or Path(first).samefile(second)
    except (OSError, ValueError, RuntimeError):
        return False
