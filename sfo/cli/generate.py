"""``sfo generate``: write a test suite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cfrontend.errors import UsageError
from sfo.cli.limits import under_limits
from sfo.cli.options import (
    BOUND_OPTIONS,
    FILES,
    FORMS,
    GOALS,
    JOBS_OPTIONS,
    PROGRAM_OPTIONS,
    REPLAY_OPTIONS,
    SLICE_OPTIONS,
    TALK_OPTIONS,
    TEST_OPTIONS,
    ProgramOptionCommand,
    passing_option,
    program_options,
    report_file_options,
    run_options,
    with_options,
)
from sfo.cli.output import EXIT_NOTHING_FAILS, exit_code_with_output, write_output, write_reports
from sfo.library.defaults import DEFAULT_PASSING

if TYPE_CHECKING:
    from sfo.core.executions import Execution, ExecutionNativeCheck


@click.command(cls=ProgramOptionCommand)
@FILES
@click.option("-o", "--output", "directory", required=True, metavar="DIR", help="Where to write the files.")
@click.option(
    "--as",
    "forms",
    multiple=True,
    type=click.Choice(FORMS),
    help="Write the executions as tests, too, in a folder of this name; repeatable.",
)
@click.option(
    "--goal",
    type=click.Choice(GOALS),
    default="branches",
    show_default=True,
    help="What the executions have to reach: units, both outcomes of each condition, of each operand of && and ||, where it alone decides (mcdc), values around comparisons, mutants killed.",
)
@click.option("--max-tests", type=click.IntRange(min=1), metavar="N", help="Write no more than N executions.")
@click.option(
    "--minimise",
    is_flag=True,
    help="Leave out executions that others make needless for the goal, and for what all failing ones share.",
)
@click.option(
    "--report",
    "reports",
    multiple=True,
    callback=report_file_options,
    metavar="FORM=FILE",
    help="Write the result to FILE in another form, too, such as sarif; repeatable.",
)
@passing_option(DEFAULT_PASSING)
@with_options(
    BOUND_OPTIONS, JOBS_OPTIONS, PROGRAM_OPTIONS, SLICE_OPTIONS, REPLAY_OPTIONS, TEST_OPTIONS, TALK_OPTIONS
)
def generate(files: tuple[str, ...], directory: str, forms: tuple[str, ...], **given: Any) -> int:
    """Write a test suite: vectors.csv, outcomes.csv, matrix.csv and dataset.json.

    The rows of all files are the same executions in the same order, failing ones first, then passing ones that reach
    what --goal names, as few as do. What no execution reaches is proved and listed. With --as, the folder of that
    name has those that --tests has not as tests: c (make check, ctest), pytest, stdin (texts with outputs), testcomp
    (XML in a zip), ktest (KLEE).
    """
    from sfo.library.results import GeneratedSuite
    from sfo.pipeline.localize import localize_pipeline_dataset as run
    from sfo.pipeline.options import SuiteOptions
    from sfo.report import text

    with under_limits(given) as progress:
        suite = SuiteOptions(goal=given["goal"], most=given["max_tests"], minimise=given["minimise"])
        result = run(files, replace(run_options(given), suite=suite), progress)
    if result.dataset.executions:
        GeneratedSuite(result=result).write(directory)
        new = [run for run in result.dataset.executions if not run.test]
        for form in dict.fromkeys(forms if new else ()):
            _write_tests(form, files, new, result.native, Path(directory) / form, given)
    write_reports(result, given, text.localization_report_text)
    seen = text.localization_report_text(result, everything=given["verbose"] > 0)
    write_output(seen, None)
    return exit_code_with_output(
        result, seen, violated=0, safe=0 if result.dataset.executions else EXIT_NOTHING_FAILS
    )


def _write_tests(
    form: str,
    files: tuple[str, ...],
    executions: Sequence[Execution],
    checks: Sequence[ExecutionNativeCheck] | None,
    directory: Path,
    given: dict[str, Any],
) -> None:
    from cfrontend.program import load_c_program
    from sfo.test_export import exported_suite_files

    program = load_c_program(files, program_options(given))
    for name, data in exported_suite_files(form, program, executions, directory, checks).items():
        file = directory / name
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        except OSError as error:
            raise UsageError(f"cannot write {file}: {error.strerror}") from error
