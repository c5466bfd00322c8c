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
    program_options,
    with_options,
)
from sfo.cli.talk import Progress, emit, write_file


@click.command()
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
    from cfrontend.program import load
    from sfo.execution.native.edge_profile import native_dataset
    from sfo.formats.vectors import read_vectors
    from sfo.library.options import must_be_native
    from sfo.spectra.blockrank.from_executions import profile_of
    from sfo.spectra.formats.edge_profiles import write_edges

    must_be_native("sfo profile", given["native"])
    table = read_vectors(inputs)
    with Progress.as_asked(given) as progress:
        program = load(files, program_options(given))
        progress("native executions")
        dataset = native_dataset(program, table, native=given["native"])
    write_file(Path(output), write_edges(profile_of(dataset)))
    others = len(dataset.executions) - len(dataset.failing) - len(dataset.passing)
    emit(
        f"{len(dataset.failing)} failing and {len(dataset.passing)} passing executions, {others} without an outcome\n",
        None,
    )
    return 0
