"""``sfo check``: the bounded verdict of each property."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from sfo.cli.limits import under_limits
from sfo.cli.options import (
    BOUND_OPTIONS,
    FILES,
    JOBS_OPTIONS,
    OUTPUT_OPTIONS,
    PROGRAM_OPTIONS,
    REVISIONS,
    TALK_OPTIONS,
    ProgramCommand,
    run_options,
    with_options,
)
from sfo.cli.revisions import between_revisions
from sfo.cli.talk import EXIT_VIOLATED, emit_result, exit_code


@click.command(cls=ProgramCommand)
@FILES
@REVISIONS
@click.option("--stop-on-fail", is_flag=True,
              help="End with the first violation: one question instead of one for each property.")  # fmt: skip
@with_options(BOUND_OPTIONS, JOBS_OPTIONS, PROGRAM_OPTIONS, OUTPUT_OPTIONS, TALK_OPTIONS)
def check(files: tuple[str, ...], **given: Any) -> int:
    """Say of each property whether an execution within the bound violates it.

    Exit code 0: none is violated within the bound; 10: some is.
    """
    from sfo.pipeline.localize import check as run
    from sfo.report import text

    chosen = replace(run_options(given), stop_on_fail=given["stop_on_fail"])
    with (
        between_revisions(given["revisions"], files, chosen) as (paths, chosen),
        under_limits(given) as progress,
    ):
        result = run(paths, chosen, progress)
    seen = emit_result(result, given, text.verdict)
    return exit_code(result, seen, violated=EXIT_VIOLATED, safe=0)
