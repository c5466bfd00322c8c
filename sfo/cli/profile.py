"""``sfo profile``: edge profiles of executions of given input vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfo.cli.options import FILES, PROGRAM_OPTIONS, TALK_OPTIONS, OptionCommand, program_options, with_options
from sfo.cli.output import ProgressOutput, write_output, write_output_file


@click.command(cls=OptionCommand)
@FILES
@click.option("--inputs", required=True, metavar="VECTORS.csv", help="Input vectors, one row each.")
@click.option(
    "-o", "--output", required=True, metavar="PROFILE.json", help="Where to write the edge profile."
)
@with_options(PROGRAM_OPTIONS, TALK_OPTIONS)
def profile(files: tuple[str, ...], inputs: str, output: str, **given: Any) -> int:
    """Count how often each unit follows another on given input vectors, for 'sfo rank', as 'sfo run --edges' does."""
    from sfo.formats.vectors import read_vectors
    from sfo.pipeline.options import PipelineOptions
    from sfo.pipeline.run_vectors import run_vectors
    from sfo.spectra.blockrank.from_executions import blockrank_from_executions
    from sfo.spectra.formats.edge_profiles import write_edge_profiles

    table = read_vectors(inputs)
    with ProgressOutput.as_asked(given) as progress:
        dataset = run_vectors(files, table, PipelineOptions(program=program_options(given)), progress).dataset
    write_output_file(Path(output), write_edge_profiles(blockrank_from_executions(dataset)))
    others = len(dataset.executions) - len(dataset.failing) - len(dataset.passing)
    write_output(
        f"{len(dataset.failing)} failing and {len(dataset.passing)} passing executions, {others} without an outcome\n",
        None,
    )
    return 0
