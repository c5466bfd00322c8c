"""``sfo reduce``: the smallest part of a test suite with the same single-fault optimality."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cfrontend.errors import UsageError
from sfo.cli.options import PROGRAM_OPTIONS, TALK_OPTIONS, program_options, split_option_names, with_options
from sfo.cli.output import EXIT_NOTHING_FAILS, ProgressOutput, complain_on_error_output, write_output

if TYPE_CHECKING:
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
@with_options(PROGRAM_OPTIONS, TALK_OPTIONS)
def reduce(files: tuple[str, ...], tests: tuple[str, ...], form: str | None, outcomes: str | None, format_: str,
           output: str | None, **given: Any) -> int:  # fmt: skip
    """Name the fewest tests with the same single-fault optimality.

    The suite is a coverage matrix, or the tests of a C program, each of which is executed. The failing tests that are
    named have no unit in common that not all failing tests cover; passing tests are named for their coverage.
    """
    from sfo.spectra.formats.matrices import read_matrix_in_any_format, write_matrix_in_any_format
    from sfo.spectra.suite_reduction import reduce_suite

    if tests:
        if form is not None or outcomes is not None:
            raise UsageError("--from and --outcomes are for matrices, not for --tests")
        matrix = _executed(files, tests, given)
    elif len(files) > 1:
        raise UsageError("one matrix, or the files of a program with --tests")
    else:
        matrix = read_matrix_in_any_format(Path(files[0]), form, Path(outcomes) if outcomes else None)
    kept = reduce_suite(matrix)
    names = matrix.names()
    if output is not None:
        import numpy as np

        write_matrix_in_any_format(
            matrix.runs(np.array([*kept.failing, *kept.passing], dtype=np.int64)), Path(output)
        )
    if format_ == "json":
        data = {
            "format": 1,
            "kind": "reduction",
            "failing": [names[run] for run in kept.failing],
            "passing": [names[run] for run in kept.passing],
            "minimal": kept.minimal,
            "at_least": kept.at_least,
            "of_failing": matrix.failing,
            "of_passing": matrix.passing,
        }
        write_output(json.dumps(data, indent=1, ensure_ascii=False) + "\n", None)
    else:
        from sfo.report.reduction import report_reduction_text

        write_output(report_reduction_text(matrix, kept), None)
    if not matrix.failing:
        complain_on_error_output("no test of this suite fails")
        return EXIT_NOTHING_FAILS
    return 0


def _executed(files: tuple[str, ...], tests: tuple[str, ...], given: dict[str, Any]) -> CoverageMatrix:
    """The matrix of the executions of ``tests``; those that neither fail nor pass are left out."""
    from cfrontend.program import load_c_program
    from sfo.core.dataset import Dataset
    from sfo.execution.test_import import execute_imported_tests, read_imported_tests
    from sfo.spectra.matrix import coverage_matrix_from_dataset

    cases = [case for path in tests for case in read_imported_tests(path)]
    with ProgressOutput.as_asked(given) as progress:
        program = load_c_program(files, program_options(given))
        known = {item.id for item in program.properties}
        wanted = split_option_names(given["properties"])
        for name in wanted:
            if name not in known:
                raise UsageError(f"no property {name!r} in this program: `sfo show --properties` lists them")
        ran = execute_imported_tests(program, cases, frozenset(wanted) or known, progress=progress)
    matrix = coverage_matrix_from_dataset(Dataset(units=program.units, executions=ran.executions))
    return replace(
        matrix, execution_names=tuple(run.test for run in ran.executions if run.outcome is not None)
    )
