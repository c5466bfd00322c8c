"""``--project DIR``: the files of a program from the build that ``DIR`` has a compilation database of.

sfo check --project . --entry parse   ->   sfo check src/parse.c src/look.c --entry parse --compile-commands ./compile_…
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

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
    from sfo.library.project_files import files_of_project

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
