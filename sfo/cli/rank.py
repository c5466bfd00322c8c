"""``sfo rank``: any matrix, any measure."""

from __future__ import annotations

from fractions import Fraction

import click

from sfo.cli.output import EXIT_NOTHING_FAILS, complain_on_error_output, write_output


def _fraction(_context: click.Context, _option: click.Parameter, value: str) -> Fraction:
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
    callback=_fraction,
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
    from sfo.library.matrix_ranking import MatrixRanking, make_matrix_ranking

    table, rankings = make_matrix_ranking(matrix, names, smoothing, form, outcomes)
    made = MatrixRanking(matrix=table, rankings=tuple(rankings), asked=tuple(names.split(",")))
    forms = {"json": made.to_json, "csv": made.to_csv}
    text = forms[format_]() if format_ in forms else made.to_text(everything=verbose > 0)
    write_output(text, output)
    for note in table.notes:
        complain_on_error_output(f"{matrix}: {note}")
    if not table.failing:
        complain_on_error_output("no execution of this matrix fails, so the ranking means nothing")
        return EXIT_NOTHING_FAILS
    return 0
