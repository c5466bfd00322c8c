"""Include paths, macros and the language standard from a ``compile_commands.json``.

{"directory": "/p", "file": "a.c", "arguments": ["cc", "-Iinc", "-DN=3", "-c", "a.c"]}   ->   -I /p/inc -D N=3

Paths below the current directory become relative ones, as if they had been given by -I: in /p, the same is -I inc.
Each file has its own macros. Flags that change types are errors, but for -m32.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from cfrontend.errors import UnsupportedError, UsageError
from cfrontend.host.regular_files import read_regular_file_json
from cfrontend.source.preprocess import PreprocessOptions, preprocessor_user_flags
from cfrontend.syntax.types import ILP32

NAME: Final = "compile_commands.json"

_REPOSITORY: Final = (".git", ".hg", ".svn")
"""Names of the folder in which version control keeps a repository, at its top."""

_PATHS: Final = ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros")
"""Flags whose value is a path."""

_MACROS: Final = ("-D", "-U")
"""Flags whose value is the name of a macro, which may have a definition."""

_OTHER_TYPES: Final = re.compile(
    r"-f(?:unsigned-char|no-signed-char|unsigned-bitfields|no-signed-bitfields|short-enums|short-wchar|pack-struct(?:=\d+)?)"
    r"|-m(?:x32|16|ms-bitfields|long-double-\d+)"
)
"""Flags under which types are others than those of gcc for x86-64."""


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
    entries = read_compile_commands(path)
    wanted = {os.path.realpath(file) for file in files}
    flags: dict[str, list[tuple[str, str]]] = {}
    for entry in entries:
        directory = path.parent / str(entry.get("directory", "."))
        file = directory / str(entry.get("file", ""))
        if "\0" in str(file):
            raise UsageError(f"{path}: {str(file)!r} is not a file name")
        if (real := os.path.realpath(file)) in wanted:
            _must_be_modelled(_words(entry), f"{path}: {entry['file']}")
            flags.setdefault(real, []).extend(_flags(_words(entry), directory))
    if database is not None and not flags:
        raise UsageError(f"{path} has no command for {', '.join(files)}")
    joined = _joined(options, list(dict.fromkeys(flag for own in flags.values() for flag in own)))
    own = tuple(
        (file, _joined(options, list(dict.fromkeys(of_file))).defines) for file, of_file in flags.items()
    )
    if any(defines != joined.defines for _, defines in own):
        joined = replace(joined, own_defines=own)
    preprocessor_user_flags(options)
    try:
        preprocessor_user_flags(joined)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    return joined


def compiled_c_files(database: Path) -> tuple[str, ...]:
    """The C files that a database has commands for and that are there, in its order, as seen from here."""
    found: dict[str, str] = {}
    for entry in read_compile_commands(database):
        file = database.parent / str(entry.get("directory", ".")) / str(entry.get("file", ""))
        if file.suffix == ".c" and "\0" not in str(file) and file.is_file():
            found.setdefault(os.path.realpath(file), _from_here(file))
    return tuple(found.values())


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


def read_compile_commands(path: Path) -> list[dict[str, Any]]:
    """The entries of a database; raises UsageError for what is none."""
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


def _must_be_modelled(words: Sequence[str], what: str) -> None:
    """Refuse a call under which C means something else than what is modelled; raises UnsupportedError."""
    found = next(filter(_OTHER_TYPES.fullmatch, words), None)
    if found is not None:
        raise UnsupportedError(f"{what} is compiled with {found}, which is not supported: it changes types")


def _flags(words: Sequence[str], directory: Path) -> Iterator[tuple[str, str]]:
    """(flag, value) for each flag that the preprocessor sees, and each that chooses the data model.

    A macro that a later flag undefines has none.
    """
    undefined: set[str] = set()
    found: list[tuple[str, str]] = []
    for flag, value in reversed(list(_all_flags(words, directory))):
        if flag == "-U":
            undefined.add(value)
        elif flag != "-D" or re.split(r"[=(]", value, maxsplit=1)[0] not in undefined:
            found.append((flag, value))
    yield from reversed(found)


def _all_flags(words: Sequence[str], directory: Path) -> Iterator[tuple[str, str]]:
    rest = iter(words)
    for word in rest:
        for flag in (*_PATHS, *_MACROS):
            if word == flag or (word.startswith(flag) and flag not in ("-include", "-imacros")):
                value = next(rest, "") if word == flag else word.removeprefix(flag)
                yield flag, _from_here(directory / value) if flag in _PATHS else value
                break
        else:
            if word.startswith("-std="):
                yield "-std", word.removeprefix("-std=")
            elif word.startswith("-O"):
                yield "-O", word.removeprefix("-O")
            elif word in ("-m32", "-m64"):
                yield "-m", word.removeprefix("-m")
            elif word == "-ansi":
                yield "-std", "c89"


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
        include_dirs=options.include_dirs + of("-iquote", "-I") + of("-isystem") + of("-idirafter"),
        defines=defines + options.defines,
        forced_includes=options.forced_includes + of("-imacros", "-include"),
        standard=options.standard or next(iter(of("-std")[-1:]), None),
        model=ILP32 if of("-m")[-1:] == ("32",) else options.model,
    )
