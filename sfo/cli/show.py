"""``sfo show``: what the front end makes of a program."""

from __future__ import annotations

from typing import Any

import click

from sfo.cli.options import FILES, PROGRAM_OPTIONS, TALK_OPTIONS, ShowOption, program_options, with_options
from sfo.cli.output import write_output


@click.command(cls=ShowOption)
@FILES
@click.option("--goto", is_flag=True, help="The goto program.")
@click.option("--properties", is_flag=True, help="The properties: id, place, meaning.")
@with_options(PROGRAM_OPTIONS, TALK_OPTIONS)
def show(files: tuple[str, ...], *, goto: bool, properties: bool, **given: Any) -> int:
    """Show what the front end makes of a program: its units, or what is asked for."""
    from cfrontend.errors import UsageError
    from cfrontend.program import load_c_program
    from sfo.core.granularity import ObservedUnits
    from sfo.report import text

    program = load_c_program(files, program_options(given))
    asked = (
        click.get_current_context().get_parameter_source("granularity")
        is not click.core.ParameterSource.DEFAULT
    )
    shown: list[str] = []
    if asked or not (goto or properties):
        units = given["granularity"]
        if units == "guard":
            raise UsageError(
                "--units guard: path conditions are those of a bound, so there is nothing to show"
            )
        shown.append(text.units_report_text(ObservedUnits(program, units).units))
    if properties:
        shown.append(text.properties_report_text(program.properties))
    if goto:
        shown.append(str(program.goto))
    write_output("\n".join(part.rstrip("\n") + "\n" for part in shown), None)
    return 0
