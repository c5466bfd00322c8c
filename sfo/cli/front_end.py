"""Commands that print what the front end makes of a program: ``sfo show``, ``harness`` and ``export``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cfrontend.errors import InputError, MissingEntryError, UsageError
from cfrontend.terms import FALSE
from sfo.cli import output
from sfo.cli.options import FILES, command, program_options, run_options, was_given

if TYPE_CHECKING:
    from cfrontend.encoded_program import EncodedProgram
    from cfrontend.terms import Term


@command("show", FILES)
def show(paths: tuple[str, ...], **given: Any) -> int:
    """Show what the front end makes of a program: its units, or what is asked for."""
    from cfrontend.program import load_c_program
    from sfo.core.granularity import ObservedUnits
    from sfo.report import text

    program = load_c_program(paths, program_options(given))
    shown: list[str] = []
    if was_given("units") or not (given["goto"] or given["properties"]):
        if given["units"] == "guard":
            raise UsageError(
                "--units guard: path conditions are those of a bound, so there is nothing to show"
            )
        shown.append(text.units_listed(ObservedUnits(program, given["units"]).units))
    if given["properties"]:
        shown.append(text.properties_listed(program.properties))
    if given["goto"]:
        shown.append(str(program.goto))
    output.write("\n".join(part.rstrip("\n") + "\n" for part in shown), None)
    return 0


@command(
    "harness",
    click.Argument(["function"], metavar="FUNCTION"),
    click.Argument(["file"], metavar="FILE", required=False),
)
def harness(function: str, file: str | None, **given: Any) -> int:
    """Print the harness that --entry FUNCTION makes around a function, as a C file that includes FILE.

    It declares inputs, assumes the preconditions, calls the function and states the postconditions.
    """
    from cfrontend.program import print_program_harness

    if file is None:
        raise UsageError("Missing argument 'FILE', or --project, whose build says which")
    if given["entry"] not in {"main", function}:
        raise UsageError("the function of a harness is named once: without --entry")
    target = given["output"]
    is_elsewhere = target is not None and not Path(file).is_absolute()
    shown = os.path.relpath(file, Path(target).parent) if is_elsewhere else file
    options = program_options({**given, "entry": function})
    try:
        made = print_program_harness(file, options, shown)
    except MissingEntryError as error:
        raise InputError(error.missing) from error
    output.write(made, target)
    return 0


@command("export", FILES)
def export(paths: tuple[str, ...], **given: Any) -> int:
    """Write the question whether there is a failing execution within the bound.

    The script is in QF_BV. Its variables are the inputs; unit!N is true where unit N is covered, and violated!ID
    where property ID is violated.
    """
    from sfo.pipeline.localize import localize_pipeline_question
    from sfo.report import wording
    from sfo.solvers.smtlib import smtlib_script

    with output.Progress(quiet=given["quiet"]) as progress:
        encoded, fails, used = localize_pipeline_question(paths, run_options(given), progress)
    within, target = wording.bound(used), given["output"]
    script = smtlib_script(encoded.terms, [fails], _named(encoded), _comment(encoded, within))
    output.write(script, None if target == "-" else target)
    if fails == FALSE:
        output.complain(
            f"no property can be violated within this bound, so that the answer is unsat: {within}"
            + ("" if used.complete else "; a larger --unwind, or none, asks for more")
        )
    elif not used.complete:
        output.complain(f"executions that leave the bound are not asked about: {within}")
    return 0


def _named(encoded: EncodedProgram) -> dict[str, Term]:
    """Coverage by unit, and violation by property."""
    terms = encoded.terms
    named = {f"unit!{unit}": term for unit, term in encoded.coverage.items()}
    for item in encoded.properties:
        named[f"violated!{item.id}"] = terms.any_of(
            v.condition for v in encoded.violations if v.property == item.id
        )
    return named


def _comment(encoded: EncodedProgram, within: str) -> str:
    """Comment with the bound, and the source unit behind each Boolean constant ``unit!N`` of the formula."""
    lines = ["sat: there is a failing execution within the bound; unsat: there is none", f"bound: {within}"]
    lines += [
        f"unit!{unit.id}: {unit.location}: {unit.text}"
        for unit in encoded.units
        if unit.id in encoded.coverage
    ]
    return "\n".join("".join(c if " " <= c <= "~" else "?" for c in line) for line in lines)
