"""``sfo convert``: coverage matrices from one form into another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cfrontend.errors import UsageError
from sfo.cli.output import complain_on_error_output, write_output

if TYPE_CHECKING:
    from sfo.spectra.matrix import CoverageMatrix


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option(
    "--from",
    "form",
    metavar="FORM",
    help="How to read IN, if its name does not say: gzoltar, tcm, csv, json or coverage.",
)
@click.option(
    "--to",
    "to",
    type=click.Choice(["gzoltar", "tcm", "csv", "json"]),
    help="How to write OUT.  [default: by its name: .tcm, .csv, .json, else gzoltar]",
)
@click.option(
    "--outcomes",
    metavar="FILE.csv",
    help="Outcomes of tests, for coverage files.  [default: outcomes.csv beside them]",
)
def convert(source: str, target: str, form: str | None, to: str | None, outcomes: str | None) -> int:
    """Convert a coverage matrix: GZoltar, TCM, CSV, JSON; from gcov, lcov and Cobertura files, too."""
    from sfo.spectra.formats.matrices import (
        matrix_format_to_write,
        read_matrix_in_any_format,
        write_matrix_in_any_format,
    )

    path = Path(target)
    written = to or matrix_format_to_write(path)
    if path.exists() and path.is_dir() != (written == "gzoltar"):
        raise UsageError(
            f"{target} is {'a directory' if path.is_dir() else 'a file'}, which this form is not"
        )
    matrix = read_matrix_in_any_format(Path(source), form, Path(outcomes) if outcomes else None)
    write_matrix_in_any_format(matrix, path, written)
    for note in matrix.notes:
        complain_on_error_output(f"{source}: {note}")
    _say_what_has_no_place(matrix, Path(source), form, target, written)
    counts = f"{len(matrix.units)} units, {matrix.failing} failing and {matrix.passing} passing executions"
    write_output(f"{target}: {counts}\n", None)
    return 0


def _say_what_has_no_place(
    matrix: CoverageMatrix, source: Path, form: str | None, target: str, written: str
) -> None:
    """Name what the matrix that was written does not know, or no longer has."""
    from sfo.spectra.formats.matrices import matrix_parts_without_place

    for lost in matrix_parts_without_place(matrix, written):
        complain_on_error_output(f"{target}: {lost}")
    if written == "gzoltar" and matrix.units and not any(unit.line for unit in matrix.units):
        complain_on_error_output(
            f"{target}: every line is 0, as {source} has no places (of a suite, dataset.json has them)"
        )
    say_what_of_tests_is_lost(source, form, target)


def say_what_of_tests_is_lost(source: Path, form: str | None, target: str) -> None:
    """Name what ``source`` (of this form, None: its own) says of tests that ``target`` does not have."""
    from sfo.spectra.formats.gzoltar import has_gzoltar_test_details, is_gzoltar

    if form in {None, "gzoltar"} and is_gzoltar(source) and has_gzoltar_test_details(source):
        complain_on_error_output(f"{target}: runtimes and stack traces of {source}/tests.csv are not kept")
