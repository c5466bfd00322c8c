"""``sfo explain``: what is known of one unit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import click

from cfrontend.errors import UsageError
from sfo.cli.options import (
    FILES_OR_REVISIONS,
    OptionCommand,
    command,
    given_examples,
    program_options,
    run_options,
)
from sfo.cli.output import EXIT_NOTHING_FAILS, exit_code_with_output, under_limits, write_output
from sfo.cli.project import with_project_note
from sfo.library.option_table import TRACES

_WANTED: Final = (
    "FILE... and behind it UNIT are wanted: a label (C4), a number of 'sfo show --units', or a line (:18)"
)


class _ExplainCommand(OptionCommand):
    """A command with a last argument behind any number of files, so that a single one is taken for it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Say that FILE and UNIT are both wanted where there is one argument, whichever it is, and no project."""
        try:
            left = super().parse_args(ctx, args)
        except click.MissingParameter as error:
            if isinstance(error.param, click.Argument):
                raise UsageError(_WANTED) from error
            raise
        if not ctx.params["paths"] and ctx.params["project"] is None and not ctx.resilient_parsing:
            raise UsageError(_WANTED)
        return left


@command("explain", FILES_OR_REVISIONS, click.Argument(["unit"], metavar="UNIT"), cls=_ExplainCommand)
def explain(paths: tuple[str, ...], unit: str, **given: Any) -> int:
    """Say in words what is known of a unit: executions, what it could save, repairs.

    UNIT is a label (C4), a number of 'sfo show --units', or a line (:18, file.c:18) and all units on it. Exit code 4:
    nothing fails within the bound.
    """
    from cfrontend.program import load_c_program
    from sfo.library.localization import library_localization
    from sfo.report.explain import explain_report, units_of_explain_report

    units = units_of_explain_report(
        load_c_program(paths, program_options(given)).units, unit
    )  # a wrong name is said before the search
    options = replace(run_options(given), traces=TRACES)
    examples = given_examples(given, options)
    with under_limits(given) as progress:
        result = with_project_note(library_localization(paths, options, examples, progress))
    seen = explain_report(result, units, everything=given["verbose"] > 0)
    write_output(seen, given["output"])
    seen = seen if given["output"] is None else ""
    return exit_code_with_output(result, seen, violated=0, safe=EXIT_NOTHING_FAILS)
