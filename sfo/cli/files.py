"""Files of a command: those that ``--project DIR`` takes from a build, and those that it writes, none of which is read.

sfo check --project . --entry parse           ->   sfo check src/parse.c src/look.c --entry parse
sfo localize -o main.c util.c                 ->   --output would write over main.c, a C file: name another file
sfo localize a.c --report json=a.c            ->   --report would write over a.c, which is read: name another file
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cfrontend.errors import UsageError

if TYPE_CHECKING:
    from sfo.core.result import Result

_NOTE: Final = "sfo.project"
"""Key of the note on the files that were taken, in the context of the command."""


def take_project_files(context: click.Context) -> None:
    """Put the files of ``--project`` in the place of those that a command was given.

    Raises UsageError beside an option that says otherwise, or without a database or a definition of the entry.
    """
    given = context.params
    if given.get("project") is None:
        return
    if given.get("compile_commands") is not None:
        raise UsageError("--project has a compilation database of its own: leave out --compile-commands")
    if given.get("each"):
        raise UsageError("--each checks each FILE by itself: leave out --project")
    is_told = context.get_parameter_source("entry") is not click.core.ParameterSource.DEFAULT
    named = given["paths"] if "paths" in given else tuple(filter(None, [given["file"]]))
    if given.get("git") is not None and not named and not is_told:
        raise UsageError("--project with --git takes the files of one function: give --entry FUNCTION")
    from cfrontend.source.preprocess import PreprocessOptions
    from sfo.library.projects import files_of_project

    options = PreprocessOptions(
        include_dirs=given["include_dirs"],
        defines=given["defines"],
        forced_includes=given["forced_includes"],
        standard=given["standard"],
    )
    found = files_of_project(given["project"], given.get("function", given["entry"]), named, options)
    if "paths" in given:
        given["paths"] = found.paths
        if given["entry"] != "main" and not given["reference"] and given.get("git") is None:
            # What only a further file calls, and nobody defines, is an input as what the first file calls.
            given["undefined"] = {"auto": "nondet"}.get(given["undefined"], given["undefined"])
    else:
        given["file"] = found.paths[0]
    given["compile_commands"] = found.database
    context.meta[_NOTE] = found.note


def with_project_note(result: Result) -> Result:
    """``result`` with the note on the files that were taken from a project, if there is one."""
    note = click.get_current_context().meta.get(_NOTE)
    return result if note is None else replace(result, notes=(note, *result.notes))


_WRITING: Final = frozenset({"--output", "--report"})
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
