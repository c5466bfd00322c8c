"""``sfo export``: the question of a program, for any other solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cfrontend.terms import FALSE
from sfo.cli.options import (
    BOUND_OPTIONS,
    FILES,
    PROGRAM_OPTIONS,
    TALK_OPTIONS,
    ProgramOptionCommand,
    run_options,
    with_options,
)
from sfo.cli.output import ProgressOutput, complain_on_error_output, write_output

if TYPE_CHECKING:
    from cfrontend.encoded_program import EncodedProgram
    from cfrontend.terms import Term


@click.command(cls=ProgramOptionCommand)
@FILES
@click.option(
    "--smtlib",
    "target",
    required=True,
    metavar="FILE",
    help="Where to write SMT-LIB 2; - for standard output.",
)
@with_options(BOUND_OPTIONS, PROGRAM_OPTIONS, TALK_OPTIONS)
def export(files: tuple[str, ...], target: str, **given: Any) -> int:
    """Write the question whether there is a failing execution within the bound.

    The script is in QF_BV. Its variables are the inputs; unit!N is true where unit N is covered, and violated!ID
    where property ID is violated.
    """  # fmt: skip
    from sfo.pipeline.localize import localize_pipeline_question
    from sfo.report.wording import bound_wording
    from sfo.solvers.smtlib import smtlib_script as script

    with ProgressOutput.as_asked(given) as progress:
        encoded, fails, used = localize_pipeline_question(files, run_options(given), progress)
    within = bound_wording(used)
    text = script(encoded.terms, [fails], _named(encoded), _comment(encoded, within))
    write_output(text, None if target == "-" else target)
    if fails == FALSE:
        complain_on_error_output(
            f"no property can be violated within this bound, so that the answer is unsat: {within}"
            + ("" if used.complete else "; a larger --unwind, or none, asks for more")
        )
    elif not used.complete:
        complain_on_error_output(f"executions that leave the bound are not asked about: {within}")
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
