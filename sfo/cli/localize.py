"""``sfo localize``: rank the units of a program."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cfrontend.errors import UsageError
from sfo.cli.limits import under_limits
from sfo.cli.options import (
    BOUND_OPTIONS,
    FILES_OR_REVISIONS,
    JOBS_OPTIONS,
    OUTPUT_OPTIONS,
    PATCHES_OPTION,
    PROGRAM_OPTIONS,
    RANK_OPTIONS,
    REPLAY_OPTIONS,
    REVISIONS,
    SLICE_OPTIONS,
    TALK_OPTIONS,
    TEST_OPTIONS,
    ProgramOptionCommand,
    domain_option,
    examples_option,
    given_examples,
    passing_option,
    run_options,
    with_options,
)
from sfo.cli.output import (
    EXIT_NOTHING_FAILS,
    exit_code_with_output,
    output_writer_of_phases,
    write_result_output,
    write_result_patches,
)
from sfo.cli.project import PROJECT_OPTION, with_project_note
from sfo.cli.revisions import options_between_revisions

if TYPE_CHECKING:
    from sfo.cli.changed_functions import Analysis
    from sfo.core.result import Result

PROGRESS_JSON_OPTION = click.option(
    "--progress-json",
    "phases",
    metavar="FILE",
    help="Write the result after each phase to FILE (- for standard output), a line of JSON each.",
)


@click.command(cls=ProgramOptionCommand)
@FILES_OR_REVISIONS
@REVISIONS
@PROJECT_OPTION
@PROGRESS_JSON_OPTION
@PATCHES_OPTION
@examples_option
@click.option(
    "--crash",
    metavar="REPORT",
    help="Look for the crash that the file REPORT is about: what a sanitizer, a failed assertion or gdb's backtrace said.",
)
@click.option(
    "--input",
    "crash_input",
    metavar="FILE",
    help="Start from the execution with FILE as standard input, which crashes: its failure is what is looked for.",
)
@click.option(
    "--arguments",
    metavar="WORDS",
    help="Start from the execution with these arguments, written as for a shell, which crashes; with --input or alone.",
)
@click.option(
    "--test-command",
    "test_commands",
    multiple=True,
    metavar="COMMAND",
    help="Execute a test of the project, as 'make check', in a copy of it: what it covers counts, too; repeatable.",
)
@domain_option
@passing_option(0)
@with_options(
    BOUND_OPTIONS,
    JOBS_OPTIONS,
    PROGRAM_OPTIONS,
    SLICE_OPTIONS,
    RANK_OPTIONS,
    REPLAY_OPTIONS,
    TEST_OPTIONS,
    OUTPUT_OPTIONS,
    TALK_OPTIONS,
)
def localize(files: tuple[str, ...], phases: str | None, directory: str | None, **given: Any) -> int:
    """Rank the units of a C program by how suspicious they are.

    Generates failing executions until no further one could narrow the suspects (Algorithm 1), passing ones with
    --passing, and ranks by a measure. Exit code 4: nothing fails within the bound. Without files, --git tries each
    function that changed as the entry, until one fails; where none changed, the exit code is 4 as well.
    """
    given["tests"], commands = _tests_and_commands(given)
    if commands:
        _must_fit_commands(given)
    if not files:
        if commands:
            raise UsageError("test commands are about a program: give its FILE, too")
        from sfo.cli.changed_functions import result_of_changed_functions

        return report_localized_changes(phases, directory, given, result_of_changed_functions)
    from sfo.library.localization import library_localization, with_library_crash
    from sfo.report.brief import localization_report

    last_words = partial(write_result_output, given=given, report=localization_report)
    chosen = run_options(given)
    if given["io"] is not None and any(
        given[name] is not None for name in ("crash", "crash_input", "arguments")
    ):
        raise UsageError("--io says what is right, a crash what is wrong: leave out one of them")
    examples = given_examples(given, chosen)
    chosen = with_library_crash(chosen, files, given["crash"], given["crash_input"], given["arguments"])
    with (
        options_between_revisions(given["revisions"], files, chosen) as (paths, chosen),
        under_limits(given, last_words) as progress,
        output_writer_of_phases(phases) as heard,
    ):
        if commands:
            from sfo.library.localization import library_localization_with_commands

            result = library_localization_with_commands(paths, chosen, examples, commands, progress, heard)
        else:
            result = library_localization(paths, chosen, examples, progress, heard)
    result = with_project_note(result)
    write_result_patches(result, directory)
    seen = write_result_output(result, given, localization_report)
    return exit_code_with_output(result, seen, violated=0, safe=EXIT_NOTHING_FAILS)


def _tests_and_commands(given: dict[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What ``--tests`` names, and the test commands: those of ``--test-command``, and what is a command there.

    A command is no path that there is, and has a blank or is on the path of programs. A file of options names none.
    """
    context = click.get_current_context()
    own = context.get_parameter_source("tests") is click.core.ParameterSource.COMMANDLINE
    commands = [
        test
        for test in given["tests"]
        if own and not os.path.lexists(test) and (" " in test.strip() or shutil.which(test))
    ]
    tests = tuple(test for test in given["tests"] if test not in commands)
    return tests, (*commands, *given.pop("test_commands"))


def _must_fit_commands(given: dict[str, Any]) -> None:
    """Raises UsageError for what makes no sense beside test commands."""
    if given["revisions"] is not None:
        raise UsageError("test commands execute the files as they are: leave out --git")
    if any(given[name] is not None for name in ("crash", "crash_input", "arguments")):
        raise UsageError("test commands say what fails, and so does a crash: leave out one of them")
    if given["slicing"] != "none":
        raise UsageError(f"--slice {given['slicing']} cannot be used with test commands, which cover lines")


def report_localized_changes(
    phases: str | None,
    directory: str | None,
    given: dict[str, Any],
    changes: Callable[[dict[str, Any], Analysis], Result | None],
) -> int:
    """Localise in the functions that ``changes`` finds, write the result and return the exit code."""
    from sfo.library.localization import library_localization
    from sfo.report.brief import localization_report

    last_words = partial(write_result_output, given=given, report=localization_report)
    with under_limits(given, last_words) as progress, output_writer_of_phases(phases) as heard:
        result = changes(
            given, lambda paths, chosen: library_localization(paths, chosen, (), progress, heard)
        )
    if result is None:
        return EXIT_NOTHING_FAILS
    write_result_patches(result, directory)
    seen = write_result_output(result, given, localization_report)
    return exit_code_with_output(result, seen, violated=0, safe=EXIT_NOTHING_FAILS)
