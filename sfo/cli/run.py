"""``sfo run``: the executions of given input vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfo.cli.limits import under_limits
from sfo.cli.options import (
    BOUND_OPTIONS,
    FILES,
    OUTPUT_OPTIONS,
    PROGRAM_OPTIONS,
    RANK_OPTIONS,
    SLICE_OPTIONS,
    TALK_OPTIONS,
    ProgramOptionCommand,
    run_options,
    with_options,
)
from sfo.cli.output import exit_code_with_output, write_output_file, write_result_output


@click.command(cls=ProgramOptionCommand)
@FILES
@click.option(
    "--inputs",
    metavar="VECTORS.csv",
    help="Input vectors, one row each; without it, the one execution of a program that reads none.",
)
@click.option(
    "--edges", metavar="FILE.json", help="Write how often each unit followed another, for 'sfo rank'."
)
@with_options(BOUND_OPTIONS, PROGRAM_OPTIONS, SLICE_OPTIONS, RANK_OPTIONS, OUTPUT_OPTIONS, TALK_OPTIONS)
def run(files: tuple[str, ...], inputs: str | None, edges: str | None, **given: Any) -> int:
    """Show the executions of given input vectors, and rank the units if one of them fails."""
    from sfo.formats.vectors import NO_VECTOR, read_vectors
    from sfo.pipeline.run_vectors import run_vectors
    from sfo.report import text

    table = NO_VECTOR if inputs is None else read_vectors(inputs)
    with under_limits(given) as progress:
        result = run_vectors(files, table, run_options(given), progress)
    if edges is not None:
        from sfo.spectra.blockrank.from_executions import blockrank_from_executions
        from sfo.spectra.formats.edge_profiles import write_edge_profiles

        write_output_file(Path(edges), write_edge_profiles(blockrank_from_executions(result.dataset)))
    seen = write_result_output(result, given, text.vectors_report_text)
    return exit_code_with_output(result, seen, violated=0, safe=0)
