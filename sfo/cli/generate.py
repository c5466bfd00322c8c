"""``sfo generate``: write a test suite."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cfrontend.errors import UsageError
from sfo.cli.limits import under_limits
from sfo.cli.options import (
    BOUND_OPTIONS,
    FILES,
    FORMS,
    JOBS_OPTIONS,
    PROGRAM_OPTIONS,
    REPLAY_OPTIONS,
    SLICE_OPTIONS,
    TALK_OPTIONS,
    TEST_OPTIONS,
    ProgramCommand,
    passing_option,
    program_options,
    run_options,
    with_options,
)
from sfo.cli.talk import EXIT_NOTHING_FAILS, emit, exit_code
from sfo.library.defaults import DEFAULT_PASSING

if TYPE_CHECKING:
    from sfo.core.executions import Execution, NativeCheck


@click.command(cls=ProgramCommand)
@FILES
@click.option("-o", "--output", "directory", required=True, metavar="DIR", help="Where to write the files.")
@click.option(
    "--as",
    "forms",
    multiple=True,
    type=click.Choice(FORMS),
    help="Write the executions as tests, too, in a folder of this name; repeatable.",
)
@passing_option(DEFAULT_PASSING)
@with_options(
    BOUND_OPTIONS, JOBS_OPTIONS, PROGRAM_OPTIONS, SLICE_OPTIONS, REPLAY_OPTIONS, TEST_OPTIONS, TALK_OPTIONS
)
def generate(files: tuple[str, ...], directory: str, forms: tuple[str, ...], **given: Any) -> int:
    """Write a test suite: vectors.csv, outcomes.csv, matrix.csv and dataset.json.

    The rows of all files are the same executions in the same order, failing ones first. With --as, the folder of that
    name has those that --tests has not as tests: c (make check, ctest), pytest, stdin (texts with outputs), testcomp
    (XML in a zip), ktest (KLEE).
    """
    from sfo.library.results import GeneratedSuite
    from sfo.pipeline.localize import generate as run
    from sfo.report import text

    with under_limits(given) as progress:
        result = run(files, run_options(given), progress)
    if result.dataset.executions:
        GeneratedSuite(result=result).write(directory)
        new = [run for run in result.dataset.executions if not run.test]
        for form in dict.fromkeys(forms if new else ()):
            _write_tests(form, files, new, result.native, Path(directory) / form, given)
    seen = text.localization(result, everything=given["verbose"] > 0)
    emit(seen, None)
    return exit_code(result, seen, violated=0, safe=EXIT_NOTHING_FAILS)


def _write_tests(
    form: str,
    files: tuple[str, ...],
    executions: Sequence[Execution],
    checks: Sequence[NativeCheck] | None,
    directory: Path,
    given: dict[str, Any],
) -> None:
    from cfrontend.program import load
    from sfo.test_export import suite_files

    program = load(files, program_options(given))
    for name, data in suite_files(form, program, executions, directory, checks).items():
        file = directory / name
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        except OSError as error:
            raise UsageError(f"cannot write {file}: {error.strerror}") from error
