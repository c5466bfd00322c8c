"""``sfo measures``: every measure with its equation and source."""

from __future__ import annotations

import textwrap

import click

from sfo.cli.talk import emit


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("-o", "--output", metavar="FILE", help="Write the list to FILE.")
def measures(names: tuple[str, ...], output: str | None) -> int:
    """List the measures, or those named: equation, other names, source, and what a zero denominator means.

    ef and ep failing and passing runs cover the unit, nf and np do not; F = ef + nf, P = ep + np, C = ef + ep,
    U = nf + np, N = F + P, d = ef np - nf ep. 0/0 is 0 and a positive number over 0 is infinite. opt-NAME is
    Opt of a measure, dstarK is D* with exponent K.
    """
    from sfo.blockrank.techniques import PROFILE_TECHNIQUES
    from sfo.measures import MEASURES, find
    from sfo.techniques import OTHERS

    chosen = [find(name) for name in names] or MEASURES
    lines = []
    for measure in chosen:
        lines.append(f"{measure.name} = {measure.equation}")
        if measure.aliases:
            lines.append(f"    also {', '.join(measure.aliases)}")
        if measure.zero:
            lines += textwrap.wrap(
                f"zero denominators: {measure.zero}", 80, initial_indent="    ", subsequent_indent="      "
            )
        lines += textwrap.wrap(measure.source, 80, initial_indent="    ", subsequent_indent="      ")
    if not names:
        lines.append("\nnot functions of the four counts")
        for name, source in (*((o.name, o.source) for o in OTHERS), *PROFILE_TECHNIQUES.items()):
            lines += textwrap.wrap(f"{name}: {source}", 80, subsequent_indent="    ")
    emit("\n".join(lines) + "\n", output)
    return 0
