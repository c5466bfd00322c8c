"""``sfo localize``: rank the units of a program."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from sfo.cli.limits import working
from sfo.cli.options import (
    BOUND_OPTIONS,
    FILES,
    OUTPUT_OPTIONS,
    PROGRAM_OPTIONS,
    RANK_OPTIONS,
    REPLAY_OPTIONS,
    TALK_OPTIONS,
    TEST_OPTIONS,
    ProgramCommand,
    options,
    passing,
    run_options,
)
from sfo.cli.revisions import between_revisions
from sfo.cli.talk import EXIT_NOTHING_FAILS, emit_result, exit_code, phase_writer


@click.command(cls=ProgramCommand)
@FILES
@click.option(
    "--git",
    "revisions",
    metavar="OLD..NEW",
    help="The files in revision NEW, with those in OLD as --reference.",
)
@click.option(
    "--progress-json",
    "phases",
    metavar="FILE",
    help="Write the result after each phase to FILE (- for standard output), a line of JSON each.",
)
@passing(0)
@options(
    BOUND_OPTIONS, PROGRAM_OPTIONS, RANK_OPTIONS, REPLAY_OPTIONS, TEST_OPTIONS, OUTPUT_OPTIONS, TALK_OPTIONS
)
def localize(files: tuple[str, ...], phases: str | None, **given: Any) -> int:
    """Rank the units of a C program by how suspicious they are.

    Generates failing executions until no further one could narrow the suspects (Algorithm 1), passing ones with
    --passing, and ranks by a measure. Exit code 4: nothing fails within the bound.
    """
    from sfo.localize import localize as run
    from sfo.report import text

    chosen = run_options(given)
    with (
        between_revisions(given["revisions"], files, chosen.program) as (paths, program),
        working(given) as progress,
        phase_writer(phases) as heard,
    ):
        result = run(paths, replace(chosen, program=program), progress, heard=heard)
    seen = emit_result(result, given, text.localization)
    return exit_code(result, seen, violated=0, safe=EXIT_NOTHING_FAILS)
