"""``sfo run``: the executions of given input vectors."""

from __future__ import annotations

from typing import Any

import click

from sfo.cli.limits import limits
from sfo.cli.listing import list_properties
from sfo.cli.options import (
    BOUND_OPTIONS,
    FILES,
    OUTPUT_OPTIONS,
    PROGRAM_OPTIONS,
    RANK_OPTIONS,
    TALK_OPTIONS,
    options,
    run_options,
)
from sfo.cli.talk import Progress, emit_result, exit_code


@click.command()
@FILES
@click.option("--inputs", required=True, metavar="VECTORS.csv", help="Input vectors, one row each.")
@options(BOUND_OPTIONS, PROGRAM_OPTIONS, RANK_OPTIONS, OUTPUT_OPTIONS, TALK_OPTIONS)
def run(files: tuple[str, ...], inputs: str, **given: Any) -> int:
    """Show the executions of given input vectors, and rank the units if one of them fails."""
    from sfo.formats.vectors import read_vectors
    from sfo.localize import run_vectors
    from sfo.report import text

    if given["show_properties"]:
        return list_properties(files, given)
    table = read_vectors(inputs)
    with Progress(quiet=given["quiet"]) as progress, limits(given["timeout"], given["memory"]):
        result = run_vectors(files, table, run_options(given), progress)
    seen = emit_result(result, given, text.vectors)
    return exit_code(result, seen, violated=0, safe=0)
