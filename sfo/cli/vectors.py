"""Commands on given input vectors: ``sfo run``, ``profile``, and ``replay``, which executes them natively."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cfrontend.errors import ResourceError
from sfo.cli import output
from sfo.cli.options import FILES, command, program_options, run_options


@command("run", FILES)
def run(paths: tuple[str, ...], **given: Any) -> int:
    """Show the executions of given input vectors, and rank the units if one of them fails."""
    from sfo.formats.vectors import NO_VECTOR, read_vectors
    from sfo.pipeline.run_vectors import run_vectors
    from sfo.report import text

    table = NO_VECTOR if given["inputs"] is None else read_vectors(given["inputs"])
    with output.under_limits(given) as progress:
        result = run_vectors(paths, table, run_options(given), progress)
    return output.report_result(result, given, text.run_report, violated=0, safe=0)


@command("replay", FILES)
def replay(paths: tuple[str, ...], **given: Any) -> int:
    """Compile the program with gcc, run it on given input vectors and compare with sfo's own executions.

    Exit code 0: they agree; 11: some disagree; 5: the program could not be run natively.
    """
    from sfo.formats.vectors import read_vectors
    from sfo.pipeline.run_vectors import run_vectors
    from sfo.report import text

    table = read_vectors(given["inputs"])
    with output.under_limits(given) as progress:
        result = run_vectors(paths, table, run_options({**given, "replay": True}), progress)
    if result.native is None and result.stopped is None:
        raise ResourceError("; ".join(result.notes))
    code = output.report_result(result, given, text.replay_report, violated=0, safe=0)
    return (
        output.EXIT_DISAGREES if any(check.status == "disagrees" for check in result.native or ()) else code
    )


@command("profile", FILES)
def profile(paths: tuple[str, ...], **given: Any) -> int:
    """Count how often each unit follows another on given input vectors, for 'sfo rank'."""
    from sfo.formats.vectors import read_vectors
    from sfo.pipeline.options import PipelineOptions
    from sfo.pipeline.run_vectors import program_dependences, run_vectors
    from sfo.spectra.blockrank.from_executions import blockrank_from_executions
    from sfo.spectra.formats.edge_profiles import write_edge_profiles

    table = read_vectors(given["inputs"])
    with output.Progress(quiet=given["quiet"]) as progress:
        options = PipelineOptions(program=program_options(given))
        result = run_vectors(paths, table, options, progress)
        dataset = result.dataset
        dependences = program_dependences(paths, options)
    made = blockrank_from_executions(dataset, dependences)
    output.write_file(Path(given["output"]), write_edge_profiles(made))
    failing, passing = len(dataset.failing), len(dataset.passing)
    others = len(dataset.executions) - failing - passing
    output.write(f"{failing} failing and {passing} passing executions, {others} without an outcome\n", None)
    return 0
