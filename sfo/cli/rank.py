"""``sfo rank``: any matrix, any measure."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from cfrontend.errors import UsageError
from sfo.cli.talk import EXIT_NOTHING_FAILS, complain, emit


def fraction(_context: click.Context, _option: click.Parameter, value: str) -> Fraction:
    """A number from 0, as 0.5 or 1/2."""
    try:
        number = Fraction(value)
    except (ValueError, ZeroDivisionError):
        number = Fraction(-1)
    if number < 0:
        raise click.BadParameter(f"{value!r} is not a number from 0, as 0.5 or 1/2.")
    return number


@click.command()
@click.argument("matrix", metavar="MATRIX")
@click.option(
    "--measure",
    "names",
    default="naish2",
    metavar="M,...",
    show_default=True,
    help="Measures or techniques ('all' for all of them, see 'sfo measures').",
)
@click.option(
    "--smoothing",
    default="0",
    callback=fraction,
    metavar="X",
    show_default=True,
    help="Add X to each of the four counts before a measure sees them.",
)
@click.option("--from", "form", metavar="FORM", help="How to read MATRIX, if its name does not say.")
@click.option(
    "--outcomes",
    metavar="FILE.csv",
    help="Outcomes of tests, for coverage files.  [default: outcomes.csv beside them]",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "csv", "json"]),
    default="text",
    show_default=True,
    help="Form of the result.",
)
@click.option("-o", "--output", metavar="FILE", help="Write the result to FILE.")
@click.option("-v", "--verbose", count=True, help="Every line of each ranking; -vv: tracebacks too.")  # fmt: skip
def rank(
    matrix: str,
    names: str,
    smoothing: Fraction,
    form: str | None,
    outcomes: str | None,
    format_: str,
    output: str | None,
    verbose: int,
) -> int:
    """Rank the units of a coverage matrix: CSV, JSON, GZoltar, TCM, coverage files, or an edge profile."""
    from sfo.report.ranks import ranks_csv, ranks_json, ranks_text
    from sfo.spectra.formats.edge_profiles import is_edge_profile, read_edges
    from sfo.spectra.formats.matrices import read_matrix
    from sfo.spectra.techniques import techniques

    path = Path(matrix)
    if form == "edges" or (form is None and is_edge_profile(path)):
        from sfo.spectra.blockrank.techniques import blockrank_of_blocks

        profile = read_edges(path)
        table, rankings = blockrank_of_blocks(profile, names, smoothing)
    else:
        from sfo.spectra.blockrank.techniques import PROFILE_TECHNIQUES

        for name in names.split(","):
            if name.strip().lower() in PROFILE_TECHNIQUES:
                raise UsageError(
                    f"{name.strip()} needs an edge profile, as 'sfo run --edges FILE.json' writes it"
                )
        chosen = techniques(names, smoothing)
        table = read_matrix(path, form, Path(outcomes) if outcomes else None)
        rankings = [(item.name, item.rank(table)) for item in chosen]
    if not len(table.failed):
        raise UsageError(f"{matrix}: no executions in this matrix")
    if not table.units:
        raise UsageError(f"{matrix}: no units in this matrix")
    if format_ == "json":
        text = ranks_json(table, rankings)
    elif format_ == "csv":
        text = ranks_csv(table, rankings)
    else:
        text = ranks_text(table, rankings, None if verbose else 20 if len(rankings) == 1 else 5)
    emit(text, output)
    if not table.failing:
        complain("no execution of this matrix fails, so the ranking means nothing")
        return EXIT_NOTHING_FAILS
    return 0
