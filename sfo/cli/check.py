"""``sfo check``: the bounded verdict of each property."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from sfo.cli.limits import under_limits
from sfo.cli.options import (
    BOUND_OPTIONS,
    FILES_OR_REVISIONS,
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

if TYPE_CHECKING:
    from sfo.core.result import Result
    from sfo.pipeline.options import PipelineOptions


@click.command(cls=ProgramOptionCommand)
@FILES_OR_REVISIONS
@REVISIONS
@click.option("--stop-on-fail", is_flag=True,
              help="End with the first violation: one question instead of one for each property.")  # fmt: skip
@with_options(BOUND_OPTIONS, JOBS_OPTIONS, PROGRAM_OPTIONS, OUTPUT_OPTIONS, TALK_OPTIONS)
def check(files: tuple[str, ...], **given: Any) -> int:
    """Say of each property whether an execution within the bound violates it.

    Exit code 0: none is violated within the bound; 10: some is. Without files, --git tries each function that changed
    as the entry, until one fails; where none changed, the exit code is 0.
    """
    from cfrontend.program import ALL_CHECKS
    from sfo.cli.changed_functions import result_of_changed_functions
    from sfo.pipeline.localize import localize_pipeline_checks
    from sfo.report import text

    checks: set[str] = set()

    def run(paths: Sequence[str], options: PipelineOptions) -> Result:
        checks.update(options.program.checks)
        asked = replace(options, stop_on_fail=given["stop_on_fail"])
        return localize_pipeline_checks(paths, asked, progress)

    if files:
        chosen = run_options(given)
        with (
            options_between_revisions(given["revisions"], files, chosen) as (paths, chosen),
            under_limits(given) as progress,
        ):
            result = run(paths, chosen)
    else:
        with under_limits(given) as progress:
            changed = result_of_changed_functions(given, run)
        if changed is None:
            return 0
        result = changed
    left_out = ALL_CHECKS - checks - {item.property.kind for item in result.properties}
    report = partial(text.verdict_report_text, left_out=left_out)
    seen = write_result_output(result, given, report)
    return exit_code_with_output(result, seen, violated=EXIT_VIOLATED, safe=0)
