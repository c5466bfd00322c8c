"""``sfo localize``: rank the units of a program."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cfrontend.errors import UsageError
from sfo.cli.limits import under_limits
from sfo.cli.options import (
    BOUND_OPTIONS,
    FILES,
    JOBS_OPTIONS,
    OUTPUT_OPTIONS,
    PROGRAM_OPTIONS,
    RANK_OPTIONS,
    REPLAY_OPTIONS,
    REVISIONS,
    SLICE_OPTIONS,
    TALK_OPTIONS,
    TEST_OPTIONS,
    ProgramCommand,
    passing_option,
    run_options,
    with_options,
)
from sfo.cli.revisions import between_revisions
from sfo.cli.talk import EXIT_NOTHING_FAILS, emit_result, exit_code, phase_writer

if TYPE_CHECKING:
    from sfo.execution.examples import Example
    from sfo.execution.test_import import Case
    from sfo.pipeline.options import Options


@click.command(cls=ProgramCommand)
@FILES
@REVISIONS
@click.option(
    "--progress-json",
    "phases",
    metavar="FILE",
    help="Write the result after each phase to FILE (- for standard output), a line of JSON each.",
)
@click.option(
    "--io",
    "directory",
    metavar="DIR",
    help="Examples: files with input, each with one of the expected output.",
)
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
def localize(files: tuple[str, ...], phases: str | None, **given: Any) -> int:
    """Rank the units of a C program by how suspicious they are.

    Generates failing executions until no further one could narrow the suspects (Algorithm 1), passing ones with
    --passing, and ranks by a measure. Exit code 4: nothing fails within the bound.
    """
    from sfo.pipeline.localize import localize as run
    from sfo.report import text

    examples = _examples(given["directory"])
    chosen = run_options(given)
    _must_fit(given, chosen)
    with (
        between_revisions(given["revisions"], files, chosen) as (paths, chosen),
        under_limits(given) as progress,
        phase_writer(phases) as heard,
    ):
        if examples and not chosen.program.reference:
            from sfo.pipeline.localize_tests import localize_examples

            result = localize_examples(paths, chosen, examples, progress)
        else:
            result = run(
                paths, replace(chosen, tests=(*chosen.tests, *_cases(examples))), progress, heard=heard
            )
    seen = emit_result(result, given, text.localization)
    return exit_code(result, seen, violated=0, safe=EXIT_NOTHING_FAILS)


def _examples(directory: str | None) -> tuple[Example, ...]:
    """Examples (input and expected output) of the directory ``--io``; empty without one."""
    if directory is None:
        return ()
    from sfo.execution.examples import read_examples

    return read_examples(directory)


def _cases(examples: tuple[Example, ...]) -> tuple[Case, ...]:
    """Their inputs, as tests."""
    if not examples:
        return ()
    from sfo.pipeline.localize_tests import cases_of_examples

    return cases_of_examples(examples)


def _must_fit(given: dict[str, Any], options: Options) -> None:
    """Raises UsageError for what makes no sense with examples."""
    if given["directory"] is None:
        return
    if options.program.entry != "main":
        raise UsageError("--io is for programs that start in main")
    if options.tests and not (options.program.reference or given["revisions"]):
        raise UsageError("--tests and --io without --reference: --io alone says what is right")
    if options.backend != "sfo":
        raise UsageError("--io executes the examples by sfo itself: use --backend sfo")
    if options.slicing != "none":
        raise UsageError(
            f"--slice {options.slicing} cannot be used with --io: all that is printed matters there"
        )
