"""``sfo replay``: executions of given input vectors beside native executions."""

from __future__ import annotations

from typing import Any

import click

from cfrontend.errors import ResourceError
from sfo.cli.limits import under_limits
from sfo.cli.options import (
    BOUND_OPTIONS,
    FILES,
    OUTPUT_OPTIONS,
    PROGRAM_OPTIONS,
    TALK_OPTIONS,
    ProgramOptionCommand,
    run_options,
    with_options,
)
from sfo.cli.output import EXIT_DISAGREES, exit_code_with_output, write_result_output


@click.command(cls=ProgramOptionCommand)
@FILES
@click.option("--inputs", required=True, metavar="VECTORS.csv", help="Input vectors, one row each.")
@with_options(BOUND_OPTIONS, PROGRAM_OPTIONS, OUTPUT_OPTIONS, TALK_OPTIONS)
def replay(files: tuple[str, ...], inputs: str, **given: Any) -> int:
    """Compile the program with gcc, run it on given input vectors and compare with sfo's own executions.

    Exit code 0: they agree; 11: some disagree; 5: the program could not be run natively.
    """
    from sfo.formats.vectors import read_vectors
    from sfo.pipeline.run_vectors import run_vectors
    from sfo.report import text

    table = read_vectors(inputs)
    with under_limits(given) as progress:
        result = run_vectors(files, table, run_options({**given, "replay": True}), progress)
    if result.native is None and result.stopped is None:
        raise ResourceError("; ".join(result.notes))
    seen = write_result_output(result, given, text.replay_report_text)
    if any(check.status == "disagrees" for check in result.native or ()):
        return EXIT_DISAGREES
    return exit_code_with_output(result, seen, violated=0, safe=0)
