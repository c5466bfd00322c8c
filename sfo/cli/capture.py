"""``sfo capture``: the compiler calls of a build as a compilation database."""

from __future__ import annotations

from pathlib import Path

import click

from cfrontend.errors import InputError
from sfo.cli.output import printable_output


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    "-o",
    "--output",
    default="compile_commands.json",
    metavar="FILE",
    show_default=True,
    help="Where the compiler calls are written; calls for other files stay in it.",
)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND...")
def capture(output: str, command: tuple[str, ...]) -> int:
    """Run a build (make, cmake --build, ninja, a script) and record how it compiles each C file.

    Commands on C files then take -I, -D, -include and -std from the file that is written.
    """
    from sfo.library.capture_build import capture_build

    count, code = capture_build(command, Path(output))
    files = f"{count} file{'s' * (count != 1)}"
    if code:
        written = f"{output} has the {files} compiled so far" if count else "nothing was compiled before"
        raise InputError(f"{command[0]} ended with exit code {code}; {written}")
    said = (
        files
        if count
        else "nothing was compiled; what was recorded before stays (to record all: clean the build first)"
    )
    click.echo(printable_output(f"{output}: {said}"), err=True)
    return 0
