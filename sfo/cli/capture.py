"""``sfo capture``: the compiler calls of a build as a compilation database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cfrontend.errors import InputError
from sfo.cli import output
from sfo.cli.options import command


@command(
    "capture",
    click.Argument(["words"], nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND..."),
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
def capture(words: tuple[str, ...], **given: Any) -> int:
    """Run a build (make, cmake --build, ninja, a script) and record how it compiles each C file.

    Commands on C files then take -I, -D, -include and -std from the file that is written.
    """
    from sfo.library.capture_build import capture_build

    target = given["output"]
    count, code = capture_build(words, Path(target))
    files = f"{count} file{'s' * (count != 1)}"
    if code:
        written = f"{target} has the {files} compiled so far" if count else "nothing was compiled before"
        raise InputError(f"{words[0]} ended with exit code {code}; {written}")
    said = (
        files
        if count
        else "nothing was compiled; what was recorded before stays (to record all: clean the build first)"
    )
    click.echo(output.printable(f"{target}: {said}"), err=True)
    return 0
