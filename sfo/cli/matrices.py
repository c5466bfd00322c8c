"""Commands on coverage matrices: ``sfo rank``, ``reduce``, ``convert``; and ``measures``, which lists what ranks."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cfrontend.errors import UsageError
from sfo.cli import output
from sfo.cli.options import command, program_options

if TYPE_CHECKING:
    from sfo.pipeline.coverage_suite import GoalsOfExecutedTests
    from sfo.spectra.matrix import CoverageMatrix
    from sfo.spectra.measures import Measure


@command("rank", click.Argument(["matrix"], metavar="MATRIX"))
def rank(matrix: str, **given: Any) -> int:
    """Rank units by a coverage matrix (CSV, JSON, GZoltar, TCM, coverage files), edge profile or mutation matrix.

    With --from crashes MATRIX is a crash report, or a directory of them: measures rank the places of their frames, and
    so does the technique stack-trace, by how near they are to the crash.
    """
    from sfo.library.matrix_ranking import rank as ranked

    made = ranked(matrix, given["measure"], form=given["from"])
    forms = {"json": made.to_json, "csv": made.to_csv}
    form = given["format"]
    output.write(
        forms[form]() if form in forms else made.to_text(everything=given["verbose"] > 0), given["output"]
    )
    for note in made.matrix.notes:
        output.complain(f"{matrix}: {note}")
    if not made.matrix.failing:
        output.complain("no execution of this matrix fails, so the ranking means nothing")
        return output.EXIT_NOTHING_FAILS
    return 0


@command("measures", click.Argument(["names"], nargs=-1, metavar="[NAME]..."))
def measures(names: tuple[str, ...], **given: Any) -> int:
    """List the measures and techniques, or those named: equation, names, source, and what a zero denominator means.

    ef and ep failing and passing executions cover the unit, nf and np do not; F = ef + nf, P = ep + np, C = ef + ep,
    U = nf + np, N = F + P, d = ef np - nf ep. 0/0 is 0 and a positive number over 0 is infinite. opt-NAME is
    Opt of a measure, dstarK is D* with exponent K.
    """
    from sfo.spectra.evaluation.ranking import OTHER_WAYS
    from sfo.spectra.measures import MEASURES, find_measure
    from sfo.spectra.mutation import MUTATION_TECHNIQUES
    from sfo.spectra.techniques import TECHNIQUE_ALIASES

    names = tuple(TECHNIQUE_ALIASES.get(name.lower(), name) for name in names)
    others = {way.name: way.source for way in OTHER_WAYS}
    others |= {name: source for name, (source, _) in MUTATION_TECHNIQUES.items()}
    lines = []
    for measure in (
        [find_measure(name) for name in names if name.lower() not in others] if names else MEASURES
    ):
        lines += _entry(measure)
    if not names:
        lines.append("\nnot functions of the four counts")
    for name in [name.lower() for name in names if name.lower() in others] if names else others:
        lines += textwrap.wrap(f"{name}: {others[name]}", 80, subsequent_indent="    ")
    output.write("\n".join(lines) + "\n", given["output"])
    return 0


def _entry(measure: Measure) -> list[str]:
    lines = [f"{measure.name} = {measure.equation}"]
    if measure.aliases:
        lines.append(f"    also {', '.join(measure.aliases)}")
    if measure.zero:
        lines += textwrap.wrap(
            f"zero denominators: {measure.zero}", 80, initial_indent="    ", subsequent_indent="      "
        )
    return lines + textwrap.wrap(measure.source, 80, initial_indent="    ", subsequent_indent="      ")


@command("convert", click.Argument(["source"], metavar="IN"), click.Argument(["target"], metavar="OUT"))
def convert(source: str, target: str, **given: Any) -> int:
    """Convert a coverage matrix: GZoltar, TCM, CSV, JSON; from gcov, lcov and Cobertura files, too."""
    from sfo.spectra.formats.matrices import (
        matrix_format_to_write,
        read_matrix_in_any_format,
        write_matrix_in_any_format,
    )

    path = Path(target)
    written = matrix_format_to_write(path)
    if path.exists() and path.is_dir() != (written == "gzoltar"):
        raise UsageError(
            f"{target} is {'a directory' if path.is_dir() else 'a file'}, which this form is not"
        )
    matrix = read_matrix_in_any_format(Path(source), given["from"])
    write_matrix_in_any_format(matrix, path)
    for note in matrix.notes:
        output.complain(f"{source}: {note}")
    _say_what_has_no_place(matrix, Path(source), given["from"], target, written)
    counts = f"{len(matrix.units)} units, {matrix.failing} failing and {matrix.passing} passing executions"
    output.write(f"{target}: {counts}\n", None)
    return 0


def _say_what_has_no_place(
    matrix: CoverageMatrix, source: Path, form: str | None, target: str, written: str
) -> None:
    """Name what the matrix that was written does not know, or no longer has."""
    from sfo.spectra.formats.matrices import matrix_parts_without_place

    for lost in matrix_parts_without_place(matrix, written):
        output.complain(f"{target}: {lost}")
    if written == "gzoltar" and matrix.units and not any(unit.line for unit in matrix.units):
        output.complain(
            f"{target}: every line is 0, as {source} has no places (of a suite, dataset.json has them)"
        )
    _say_what_of_tests_is_lost(source, form, target)


def _say_what_of_tests_is_lost(source: Path, form: str | None, target: str) -> None:
    """Name what ``source`` (of this form, None: its own) says of tests that ``target`` does not have."""
    from sfo.spectra.formats.gzoltar import has_gzoltar_test_details, is_gzoltar

    if form in {None, "gzoltar"} and is_gzoltar(source) and has_gzoltar_test_details(source):
        output.complain(f"{target}: runtimes and stack traces of {source}/tests.csv are not kept")


@command("reduce", click.Argument(["paths"], nargs=-1, required=True, metavar="MATRIX | FILE..."))
def reduce(paths: tuple[str, ...], **given: Any) -> int:
    """Name the fewest tests with the same single-fault optimality.

    The suite is a coverage matrix, or the tests of a C program, each of which is executed. The failing tests that are
    named have no unit in common that not all failing tests cover; passing tests are named for their coverage. With
    --goal they are the fewest that reach together what all tests do: branches, say, and mutants that they kill. A
    matrix has one kind of goal: units.
    """
    from sfo.core.suite_coverage import goals_together
    from sfo.report.matrices import REDUCED_COUNTS, reduction_json, report_reduction_text
    from sfo.spectra.formats.matrices import read_matrix_in_any_format
    from sfo.spectra.suite_reduction import reduce_suite, reduce_suite_for_goals, units_of_tests

    executed, target = None, given["output"]
    if given["tests"]:
        if given["from"] is not None:
            raise UsageError("--from is for matrices, not for --tests")
        executed = _executed(paths, given)
        matrix = _matrix(executed)
    elif len(paths) > 1:
        raise UsageError("one matrix, or the files of a program with --tests")
    elif set(given["goal"]) - {"units"}:
        raise UsageError(
            "a matrix knows of no goals but units: --goal units keeps what its tests cover; the others are for the "
            "tests of a program, see --tests"
        )
    else:
        matrix = read_matrix_in_any_format(Path(paths[0]), given["from"])
    goals = executed.goals if executed else (units_of_tests(matrix),) if given["goal"] else ()
    kept = reduce_suite_for_goals(matrix, goals_together(goals)) if goals else reduce_suite(matrix)
    for note in matrix.notes:
        output.complain(f"{paths[0]}: {note}")
    if target is not None:
        _write(matrix, (*kept.failing, *kept.passing), target)
        if executed is None:
            _say_what_of_tests_is_lost(Path(paths[0]), given["from"], target)
    fewer = target is not None and len(kept.failing) + len(kept.passing) < len(matrix.failed)
    if given["format"] == "json":
        data = reduction_json(matrix, kept, goals)
        output.write(json.dumps(data, indent=1, ensure_ascii=False) + "\n", None)
        if fewer:
            output.complain(f"{target}: {REDUCED_COUNTS}")
    else:
        said = f"{target}: {REDUCED_COUNTS}\n" if fewer else ""
        output.write(report_reduction_text(matrix, kept, goals) + said, None)
    if not matrix.failing and not goals:
        output.complain("no test of this suite fails")
        return output.EXIT_NOTHING_FAILS
    return 0


def _write(matrix: CoverageMatrix, kept: tuple[int, ...], target: str) -> None:
    """Write the executions that are kept, and name what of them has no place in the form."""
    import numpy as np

    from sfo.spectra.formats.matrices import (
        matrix_format_to_write,
        matrix_parts_without_place,
        write_matrix_in_any_format,
    )

    smaller = matrix.runs(np.array(kept, dtype=np.int64))
    write_matrix_in_any_format(smaller, Path(target))
    for lost in matrix_parts_without_place(smaller, matrix_format_to_write(Path(target))):
        output.complain(f"{target}: {lost}")


def _executed(paths: tuple[str, ...], given: Mapping[str, Any]) -> GoalsOfExecutedTests:
    """The executions of the tests of a program, and what they reach."""
    from sfo.execution.test_import import read_imported_tests
    from sfo.pipeline.coverage_suite import goals_of_tests
    from sfo.pipeline.options import PipelineOptions

    options = PipelineOptions(
        program=program_options(given),
        tests=tuple(case for path in given["tests"] for case in read_imported_tests(path)),
        properties=given["property"],
        native=given["native"],
    )
    with output.Progress(quiet=given["quiet"]) as progress:
        return goals_of_tests(paths, options, given["goal"], progress)


def _matrix(executed: GoalsOfExecutedTests) -> CoverageMatrix:
    """The matrix of the executions of tests."""
    from sfo.spectra.matrix import coverage_matrix_from_dataset

    matrix = coverage_matrix_from_dataset(executed.dataset)
    return replace(matrix, execution_names=tuple(run.test for run in executed.dataset.executions))
