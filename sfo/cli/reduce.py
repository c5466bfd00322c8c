"""``sfo reduce``: the smallest part of a test suite with the same single-fault optimality."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cfrontend.errors import UsageError
from sfo.cli.convert import say_what_of_tests_is_lost
from sfo.cli.options import (
    GOALS,
    NATIVE_OPTIONS,
    PROGRAM_OPTIONS,
    TALK_OPTIONS,
    program_options,
    split_option_names,
    with_options,
)
from sfo.cli.output import EXIT_NOTHING_FAILS, ProgressOutput, complain_on_error_output, write_output

if TYPE_CHECKING:
    from sfo.pipeline.coverage_suite import GoalsOfExecutedTests
    from sfo.spectra.matrix import CoverageMatrix


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="MATRIX | FILE...")
@click.option(
    "--tests",
    multiple=True,
    metavar="DIR|VECTORS",
    help="Tests of the C program FILE..., see 'sfo localize'; repeatable.",
)
@click.option(
    "--goal",
    "goals",
    type=click.Choice(GOALS),
    multiple=True,
    help="Keep what the tests reach of these goals, see 'sfo generate'; repeatable.",
)
@click.option(
    "--property", "properties", metavar="ID,...", help="Only violations of these properties are failures."
)
@click.option("--from", "form", metavar="FORM", help="How to read MATRIX, if its name does not say.")
@click.option(
    "--outcomes",
    metavar="FILE.csv",
    help="Outcomes of tests, for coverage files.  [default: outcomes.csv beside them]",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Form of the result.",
)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    help="Write the matrix of the executions that are kept to OUT, in the form of its name.",
)
@with_options(PROGRAM_OPTIONS, NATIVE_OPTIONS, TALK_OPTIONS)
def reduce(files: tuple[str, ...], tests: tuple[str, ...], form: str | None, outcomes: str | None, format_: str,
           output: str | None, **given: Any) -> int:  # fmt: skip
    """Name the fewest tests with the same single-fault optimality.

    The suite is a coverage matrix, or the tests of a C program, each of which is executed. The failing tests that are
    named have no unit in common that not all failing tests cover; passing tests are named for their coverage. With
    --goal they are the fewest that reach together what all tests do: branches, say, and mutants that they kill. A
    matrix has one kind of goal: units.
    """
    from sfo.core.suite_coverage import goals_together
    from sfo.report.reduction import REDUCED_COUNTS, reduction_json, report_reduction_text
    from sfo.spectra.formats.matrices import read_matrix_in_any_format
    from sfo.spectra.suite_reduction import reduce_suite, reduce_suite_for_goals, units_of_tests

    executed = None
    if tests:
        if form is not None or outcomes is not None:
            raise UsageError("--from and --outcomes are for matrices, not for --tests")
        executed = _executed(files, tests, given)
        matrix = _matrix(executed)
    elif len(files) > 1:
        raise UsageError("one matrix, or the files of a program with --tests")
    elif set(given["goals"]) - {"units"}:
        raise UsageError(
            "a matrix knows of no goals but units: --goal units keeps what its tests cover; the others are for the "
            "tests of a program, see --tests"
        )
    else:
        matrix = read_matrix_in_any_format(Path(files[0]), form, Path(outcomes) if outcomes else None)
    goals = executed.goals if executed else (units_of_tests(matrix),) if given["goals"] else ()
    kept = reduce_suite_for_goals(matrix, goals_together(goals)) if goals else reduce_suite(matrix)
    names = matrix.names()
    for note in matrix.notes:
        complain_on_error_output(f"{files[0]}: {note}")
    if output is not None:
        _write(matrix, (*kept.failing, *kept.passing), output)
        if executed is None:
            say_what_of_tests_is_lost(Path(files[0]), form, output)
    fewer = output is not None and len(kept.failing) + len(kept.passing) < len(names)
    if format_ == "json":
        data = reduction_json(matrix, kept, goals)
        write_output(json.dumps(data, indent=1, ensure_ascii=False) + "\n", None)
        if fewer:
            complain_on_error_output(f"{output}: {REDUCED_COUNTS}")
    else:
        said = f"{output}: {REDUCED_COUNTS}\n" if fewer else ""
        write_output(report_reduction_text(matrix, kept, goals) + said, None)
    if not matrix.failing and not goals:
        complain_on_error_output("no test of this suite fails")
        return EXIT_NOTHING_FAILS
    return 0


def _write(matrix: CoverageMatrix, kept: tuple[int, ...], output: str) -> None:
    """Write the executions that are kept, and name what of them has no place in the form."""
    import numpy as np

    from sfo.spectra.formats.matrices import (
        matrix_format_to_write,
        matrix_parts_without_place,
        write_matrix_in_any_format,
    )

    smaller = matrix.runs(np.array(kept, dtype=np.int64))
    write_matrix_in_any_format(smaller, Path(output))
    for lost in matrix_parts_without_place(smaller, matrix_format_to_write(Path(output))):
        complain_on_error_output(f"{output}: {lost}")


def _executed(files: tuple[str, ...], tests: tuple[str, ...], given: dict[str, Any]) -> GoalsOfExecutedTests:
    """The executions of ``tests``, and what they reach."""
    from sfo.execution.test_import import read_imported_tests
    from sfo.pipeline.coverage_suite import goals_of_tests
    from sfo.pipeline.options import PipelineOptions

    options = PipelineOptions(
        program=program_options(given),
        tests=tuple(case for path in tests for case in read_imported_tests(path)),
        properties=split_option_names(given["properties"]),
        native=given["native"],
    )
    with ProgressOutput.as_asked(given) as progress:
        return goals_of_tests(files, options, given["goals"], progress)


def _matrix(executed: GoalsOfExecutedTests) -> CoverageMatrix:
    """The matrix of the executions of tests."""
    from sfo.spectra.matrix import coverage_matrix_from_dataset

    matrix = coverage_matrix_from_dataset(executed.dataset)
    return replace(matrix, execution_names=tuple(run.test for run in executed.dataset.executions))
