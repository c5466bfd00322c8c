"""Include paths, macros and the language standard from a ``compile_commands.json``.

{"directory": "/p", "file": "a.c", "arguments": ["cc", "-Iinc", "-DN=3", "-c", "a.c"]}   ->   -I /p/inc -D N=3

Paths below the current directory become relative ones, as if they had been given by -I: in /p, the same is -I inc.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from cfrontend.errors import UsageError
from cfrontend.host.regular_files import read_regular_file_json
from cfrontend.source.preprocess import PreprocessOptions, preprocessor_user_flags

NAME: Final = "compile_commands.json"

_REPOSITORY: Final = (".git", ".hg", ".svn")
"""Names of the folder in which version control keeps a repository, at its top."""

_PATHS: Final = ("-I", "-isystem", "-iquote", "-include")
"""Flags whose value is a path."""


_OPTIMIZED: Final = "__OPTIMIZE__"
"""Macro of the compiler where a build optimises: some headers of the system include others only then."""

_FORTIFIED: Final = "_FORTIFY_SOURCE"
"""Macro that puts other functions in the place of the library's where it optimises."""


def options_with_compile_commands(
    options: PreprocessOptions, files: Sequence[str], database: str | None
) -> PreprocessOptions:
    """``options`` and, behind them, the flags of ``files`` in ``database``.

    Where none is named, it is the one beside the first file, or in the nearest folder above that has one.

    Raises UsageError for a database that cannot be read, or that was named and has none of the files.
    """
    path = Path(database) if database is not None else _nearest_database(files[0]) if files else None
    if path is None:
        return options
    entries = _read(path)
    wanted = {os.path.realpath(file) for file in files}
    flags: list[tuple[str, str]] = []
    found = False
    for entry in entries:
        directory = path.parent / str(entry.get("directory", "."))
        file = directory / str(entry.get("file", ""))
        if "\0" in str(file):
            raise UsageError(f"{path}: {str(file)!r} is not a file name")
        if os.path.realpath(file) in wanted:
            found = True
            flags += _flags(_words(entry), directory)
    if database is not None and not found:
        raise UsageError(f"{path} has no command for {', '.join(files)}")
    joined = _joined(options, list(dict.fromkeys(flags)))
    preprocessor_user_flags(options)
    try:
        preprocessor_user_flags(joined)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    return joined


def _nearest_database(file: str) -> Path | None:
    """The database in the folder of a file or the nearest one above it, no higher than its repository.

    One above the folder belongs to the user: anybody may put files into a common folder, as /tmp is.
    """
    try:
        folder = Path(file).absolute().parent
        near = next((each for each in _folders_of_project(folder) if (each / NAME).exists()), None)
        if near not in (None, folder) and (near / NAME).stat().st_uid != os.geteuid():
            return None
    except (OSError, ValueError):
        return None
    if near is None:
        return None
    return Path(file).parent / NAME if near == folder else near / NAME


def _folders_of_project(folder: Path) -> Iterator[Path]:
    """A folder and those above it, up to the top of a repository."""
    for each in (folder, *folder.parents):
        yield each
        if any((each / name).exists() for name in _REPOSITORY):
            return


def _read(path: Path) -> list[dict[str, Any]]:
    entries = read_regular_file_json(path)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise UsageError(f"{path} is no list of commands")
    return entries


def _words(entry: dict[str, Any]) -> list[str]:
    arguments = entry.get("arguments")
    if isinstance(arguments, list):
        return [str(word) for word in arguments]
    try:
        return shlex.split(str(entry.get("command", "")))
    except ValueError as error:
        raise UsageError(f"a command of {NAME} cannot be taken apart: {error}") from error


def _flags(words: Sequence[str], directory: Path) -> Iterator[tuple[str, str]]:
    """(flag, value) for each flag that the preprocessor sees."""
    rest = iter(words)
    for word in rest:
        for flag in (*_PATHS, "-D"):
            if word == flag or (word.startswith(flag) and flag != "-include"):
                value = next(rest, "") if word == flag else word.removeprefix(flag)
                yield flag, _from_here(directory / value) if flag in _PATHS else value
                break
        else:
            if word.startswith("-std="):
                yield "-std", word.removeprefix("-std=")
            elif word.startswith("-O"):
                yield "-O", word.removeprefix("-O")


def _from_here(path: Path) -> str:
    """``path`` as seen from the current directory where it lies below it, else as it is.

    What has ``..`` behind a symbolic link is another place than its text says, and stays as it is.
    """
    try:
        near = os.path.relpath(path, Path.cwd())
        below = near.split(os.sep, 1)[0] != os.pardir
        return near if below and os.path.realpath(near) == os.path.realpath(path) else str(path)
    except (OSError, ValueError):
        return str(path)


def _joined(options: PreprocessOptions, flags: Sequence[tuple[str, str]]) -> PreprocessOptions:
    def of(*names: str) -> tuple[str, ...]:
        return tuple(value for flag, value in flags if flag in names)

    defines = of("-D")
    if of("-O")[-1:] not in ((), ("0",)):
        defines = (_OPTIMIZED, *(one for one in defines if not one.startswith(_FORTIFIED)))
    return replace(
        options,
        include_dirs=options.include_dirs + of("-I", "-isystem", "-iquote"),
        defines=defines + options.defines,
        forced_includes=options.forced_includes + of("-include"),
        standard=options.standard or next(iter(of("-std")), None),
    )
