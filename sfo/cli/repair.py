"""``sfo repair``: edits that leave no failing execution within the bound, as patches."""

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
    PATCHES_OPTION,
    PROGRAM_OPTIONS,
    REVISIONS,
    TALK_OPTIONS,
    TRUST_OPTIONS,
    ProgramOptionCommand,
    examples_option,
    given_examples,
    passing_option,
    run_options,
    with_options,
)
from sfo.cli.output import (
    EXIT_NOTHING_FAILS,
    exit_code_with_output,
    write_result_output,
    write_result_patches,
)
from sfo.cli.project import PROJECT_OPTION, with_project_note
from sfo.cli.revisions import options_between_revisions

if TYPE_CHECKING:
    from sfo.core.result import Result
    from sfo.execution.examples import Example
    from sfo.pipeline.options import PipelineOptions


@click.command(cls=ProgramOptionCommand)
@FILES_OR_REVISIONS
@REVISIONS
@PROJECT_OPTION
@PATCHES_OPTION
@examples_option
@passing_option(0)
@with_options(BOUND_OPTIONS, JOBS_OPTIONS, PROGRAM_OPTIONS, TRUST_OPTIONS, OUTPUT_OPTIONS, TALK_OPTIONS)
def repair(files: tuple[str, ...], directory: str | None, **given: Any) -> int:
    """Show small edits after which no execution within the bound fails.

    Where no single one does that, pairs of edits are looked for, as if two statements were wrong. Last come edits that
    likely overfit: executions no longer come to what fails. Each was verified by the solver within the bound and keeps
    the passing executions that were tried; beyond the bound nothing is known. With examples alone (--io), after each
    edit all examples pass, and no more is known. No file is changed. Exit code 4: nothing fails within the bound.
    Without files, --git tries each function that changed as the entry, until one fails.
    """
    from sfo.cli.changed_functions import result_of_changed_functions
    from sfo.library.localization import library_localization
    from sfo.pipeline.localize import run_localize_pipeline
    from sfo.report import text

    examples: tuple[Example, ...] = ()

    def run(paths: Sequence[str], options: PipelineOptions) -> Result:
        options = replace(options, patient=True)
        if examples:
            return library_localization(paths, options, examples, progress)
        return run_localize_pipeline(paths, options, progress)

    last_words = partial(write_result_output, given=given, report=text.repairs_report_text)
    asked = {**given, "rank": "full"}
    if files:
        chosen = run_options(asked)
        examples = given_examples(asked, chosen)
        with (
            options_between_revisions(given["revisions"], files, chosen) as (paths, chosen),
            under_limits(given, last_words) as progress,
        ):
            result = run(paths, chosen)
    else:
        with under_limits(given, last_words) as progress:
            changed = result_of_changed_functions(asked, run)
        if changed is None:
            return EXIT_NOTHING_FAILS
        result = changed
    result = with_project_note(result)
    write_result_patches(result, directory)
    seen = write_result_output(result, given, text.repairs_report_text)
    return exit_code_with_output(result, seen, violated=0, safe=EXIT_NOTHING_FAILS)
