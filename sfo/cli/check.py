"""``sfo check``: the bounded verdict of each property."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cfrontend.errors import InputError, MissingEntryError, UsageError
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
from sfo.cli.output import (
    EXIT_INTERRUPTED,
    EXIT_LIMIT,
    EXIT_VIOLATED,
    ProgressOutput,
    complain_on_error_output,
    exit_code_with_output,
    write_output,
    write_result_output,
)
from sfo.cli.project import PROJECT_OPTION, with_project_note
from sfo.cli.revisions import options_between_revisions

if TYPE_CHECKING:
    from sfo.core.result import Result
    from sfo.pipeline.options import PipelineOptions


@click.command(cls=ProgramOptionCommand)
@FILES_OR_REVISIONS
@REVISIONS
@PROJECT_OPTION
@click.option("--stop-on-fail", is_flag=True,
              help="End with the first violation: one question instead of one for each property.")  # fmt: skip
@click.option(
    "--each",
    is_flag=True,
    help="Check each file by itself, as the hook of pre-commit does; files without the entry function are passed over.",
)
@with_options(BOUND_OPTIONS, JOBS_OPTIONS, PROGRAM_OPTIONS, OUTPUT_OPTIONS, TALK_OPTIONS)
def check(files: tuple[str, ...], **given: Any) -> int:
    """Say of each property whether an execution within the bound violates it.

    Exit code 0: none is violated within the bound; 10: some is. Without files, --git tries each function that changed
    as the entry, until one fails; where none changed, the exit code is 0.
    """
    from cfrontend.program import ALL_CHECKS
    from sfo.cli.changed_functions import result_of_changed_functions
    from sfo.pipeline.wider_surroundings import check_in_wider_surroundings
    from sfo.report import text

    last_words = partial(write_result_output, given=given, report=text.verdict_report_text)
    checks: set[str] = set()

    def run(paths: Sequence[str], options: PipelineOptions, progress: ProgressOutput) -> Result:
        checks.update(options.program.checks)
        asked = replace(options, stop_on_fail=given["stop_on_fail"])
        return check_in_wider_surroundings(paths, asked, progress)

    if given["each"]:
        return _check_each(files, given, run)
    if files:
        chosen = run_options(given)
        with (
            options_between_revisions(given["revisions"], files, chosen) as (paths, chosen),
            under_limits(given, last_words) as progress,
        ):
            result: Result | None = run(paths, chosen, progress)
    else:
        with under_limits(given, last_words) as progress:
            result = result_of_changed_functions(given, lambda paths, options: run(paths, options, progress))
    if result is None:
        return 0
    result = with_project_note(result)
    left_out = ALL_CHECKS - checks - {item.property.kind for item in result.properties}
    report = partial(text.verdict_report_text, left_out=left_out)
    seen = write_result_output(result, given, report)
    return exit_code_with_output(result, seen, violated=EXIT_VIOLATED, safe=0)


def _check_each(
    files: Sequence[str],
    given: dict[str, Any],
    run: Callable[[Sequence[str], PipelineOptions, ProgressOutput], Result],
) -> int:
    """Check ``files`` one by one: a line for each on standard error, and a report where some property is violated.

    The exit code is that of the worst file: a violation, what cannot be analysed, a limit.
    """
    from sfo.report import text

    if not files:
        raise UsageError("Missing argument 'FILE...': --each checks each of them by itself")
    if given["output"] is not None or given["reports"] or given["format_"] != "text":
        raise UsageError("--each has a report for each file: leave out --format, --output and --report")
    last_words = partial(write_result_output, given=given, report=text.verdict_report_text)
    codes = {0}
    for file in files:
        click.get_current_context().params["files"] = (file,)
        chosen = run_options(given)
        try:
            with (
                options_between_revisions(given["revisions"], [file], chosen) as (paths, chosen),
                under_limits(given, last_words) as progress,
            ):
                result = run(paths, chosen, progress)
        except MissingEntryError:
            complain_on_error_output(f"{file} is passed over: it has no function '{given['entry']}'")
            continue
        except InputError as error:
            complain_on_error_output(f"{file} cannot be checked by itself: {error}")
            codes.add(error.exit_code)
            continue
        complain_on_error_output(f"{file}: {result.verdict}")
        if result.verdict == "violated":
            write_output(text.verdict_report_text(result, everything=given["verbose"] > 0), None)
        codes.add(exit_code_with_output(result, "", violated=EXIT_VIOLATED, safe=0))
        if result.stopped == "interrupt":
            return EXIT_INTERRUPTED
    return next((code for code in (EXIT_VIOLATED, InputError.exit_code, EXIT_LIMIT) if code in codes), 0)
