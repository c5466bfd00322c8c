"""``sfo check``: the bounded verdict of each property."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
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
    ProgramOptionCommand,
    run_options,
    with_options,
)
from sfo.cli.output import EXIT_VIOLATED, exit_code_with_output, write_result_output
from sfo.cli.revisions import options_between_revisions


@click.command(cls=ProgramOptionCommand)
@FILES
@REVISIONS
@click.option("--stop-on-fail", is_flag=True,
              help="End with the first violation: one question instead of one for each property.")  # fmt: skip
@with_options(BOUND_OPTIONS, JOBS_OPTIONS, PROGRAM_OPTIONS, OUTPUT_OPTIONS, TALK_OPTIONS)
def check(files: tuple[str, ...], **given: Any) -> int:
    """Say of each property whether an execution within the bound violates it.

    Exit code 0: none is violated within the bound; 10: some is.
    """
    from cfrontend.program import ALL_CHECKS
    from sfo.pipeline.localize import localize_pipeline_checks as run
    from sfo.report import text

    chosen = replace(run_options(given), stop_on_fail=given["stop_on_fail"])
    with (
        options_between_revisions(given["revisions"], files, chosen) as (paths, chosen),
        under_limits(given) as progress,
    ):
        result = run(paths, chosen, progress)
    left_out = ALL_CHECKS - chosen.program.checks - {item.property.kind for item in result.properties}
    report = partial(text.verdict_report_text, left_out=left_out)
    seen = write_result_output(result, given, report)
    return exit_code_with_output(result, seen, violated=EXIT_VIOLATED, safe=0)
