"""``sfo measures``: every measure with its equation and source."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from sfo.cli.output import write_output

if TYPE_CHECKING:
    from sfo.spectra.measures import Measure


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("-o", "--output", metavar="FILE", help="Write the list to FILE.")
def measures(names: tuple[str, ...], output: str | None) -> int:
    """List the measures and techniques, or those named: equation, names, source, and what a zero denominator means.

    ef and ep failing and passing executions cover the unit, nf and np do not; F = ef + nf, P = ep + np, C = ef + ep,
    U = nf + np, N = F + P, d = ef np - nf ep. 0/0 is 0 and a positive number over 0 is infinite. opt-NAME is
    Opt of a measure, dstarK is D* with exponent K.
    """
    from sfo.spectra.evaluation.ranking import OTHER_WAYS
    from sfo.spectra.measures import MEASURES, find_measure
    from sfo.spectra.techniques import TECHNIQUE_ALIASES

    names = tuple(TECHNIQUE_ALIASES.get(name.lower(), name) for name in names)
    others = {way.name: way for way in OTHER_WAYS}
    lines = []
    for measure in (
        [find_measure(name) for name in names if name.lower() not in others] if names else MEASURES
    ):
        lines += _entry(measure)
    if not names:
        lines.append("\nnot functions of the four counts")
    for way in [others[name.lower()] for name in names if name.lower() in others] if names else OTHER_WAYS:
        lines += textwrap.wrap(f"{way.name}: {way.source}", 80, subsequent_indent="    ")
    write_output("\n".join(lines) + "\n", output)
    return 0


def _entry(measure: Measure) -> list[str]:
    lines = [f"{measure.name} = {measure.equation}"]
    if measure.aliases:
        lines.append(f"    also {', '.join(measure.aliases)}")
    if measure.zero:
        lines += textwrap.wrap(
            f"zero denominators: {measure.zero}", 80, initial_indent="    ", subsequent_indent="      "
        )
    return lines + textwrap.wrap(measure.source, 80, initial_indent="    ", subsequent_indent="      ")
