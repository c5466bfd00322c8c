"""``sfo harness``: the surroundings of one function as C, for people to edit."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from cfrontend.errors import InputError, MissingEntryError, UsageError
from sfo.cli.options import PROGRAM_OPTIONS, OptionCommand, program_options, with_options
from sfo.cli.output import write_output
from sfo.cli.project import PROJECT_OPTION


@click.command(cls=OptionCommand)
@click.argument("function", metavar="FUNCTION")
@click.argument("file", metavar="FILE", required=False)
@PROJECT_OPTION
@click.option("-o", "--output", metavar="FILE", help="Write the harness to FILE.")
@with_options(PROGRAM_OPTIONS)
def harness(function: str, file: str | None, output: str | None, **given: Any) -> int:
    """Print the harness that --entry FUNCTION makes around a function, as a C file that includes FILE.

    It declares inputs, assumes the preconditions, calls the function and states the postconditions.
    """
    from cfrontend.program import print_program_harness

    if file is None:
        raise UsageError("Missing argument 'FILE', or --project, whose build says which")
    if given["entry"] not in {"main", function}:
        raise UsageError("the function of a harness is named once: without --entry")
    shown = file if output is None else _seen_from(Path(file), Path(output).parent)
    options = program_options({**given, "entry": function})
    try:
        made = print_program_harness(file, options, shown)
    except MissingEntryError as error:
        raise InputError(error.missing) from error
    write_output(made, output)
    return 0


def _seen_from(file: Path, directory: Path) -> str:
    """The name by which a file in ``directory`` includes ``file``."""
    return str(file) if file.is_absolute() else os.path.relpath(file, directory)
