"""``sfo profile``: edge profiles from counters compiled into the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfo.cli.options import (
    FILES,
    NATIVE_OPTIONS,
    PROGRAM_OPTIONS,
    TALK_OPTIONS,
    OptionCommand,
    program_options,
    with_options,
)
from sfo.cli.output import ProgressOutput, write_output, write_output_file


@click.command(cls=OptionCommand)
@FILES
@click.option("--inputs", required=True, metavar="VECTORS.csv", help="Input vectors, one row each.")
@click.option(
    "-o", "--output", required=True, metavar="PROFILE.json", help="Where to write the edge profile."
)
@with_options(PROGRAM_OPTIONS, NATIVE_OPTIONS, TALK_OPTIONS)
def profile(files: tuple[str, ...], inputs: str, output: str, **given: Any) -> int:
    """Count natively how often each unit follows another on given input vectors, for 'sfo rank'.

    Counters are put into a copy of the program, which gcc compiles. 'sfo run --edges' gives the same, by
    interpretation.
    """
    from cfrontend.program import load_c_program
    from sfo.execution.native.edge_profile import native_edge_profile_dataset
    from sfo.formats.vectors import read_vectors
    from sfo.library.options import library_options_must_be_native
    from sfo.spectra.blockrank.from_executions import blockrank_from_executions
    from sfo.spectra.formats.edge_profiles import write_edge_profiles

    library_options_must_be_native("sfo profile", given["native"])
    table = read_vectors(inputs)
    with ProgressOutput.as_asked(given) as progress:
        program = load_c_program(files, program_options(given))
        progress("native executions")
        dataset = native_edge_profile_dataset(program, table, native=given["native"])
    write_output_file(Path(output), write_edge_profiles(blockrank_from_executions(dataset)))
    others = len(dataset.executions) - len(dataset.failing) - len(dataset.passing)
    write_output(
        f"{len(dataset.failing)} failing and {len(dataset.passing)} passing executions, {others} without an outcome\n",
        None,
    )
    return 0
