"""What leaves the tool, tried out by those it is made for: ``python -m benchmarks.suites``.

Of each faulty version, the executions of sfo_p are written in every form that has a place for them. Then CTest runs
the suite in C, make the texts for the standard input, testcov the Test-Comp suite; each test has to end as predicted.
flitsr loads the matrix as TCM and as a GZoltar directory and has to give the scores that we give. Last, the written
tests are read back: they are the same executions, and Algorithm 1 started from them needs no further failing one.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from benchmarks import publish as page
from benchmarks.campaign import JOBS, KEPT, ONLY, WRITE, chosen, first_of_each, in_order, keep, kept
from benchmarks.manifest import Version
from cfrontend.errors import SfoError, UsageError
from cfrontend.program import Program, ProgramOptions, load_c_program
from sfo.core.result import Result
from sfo.execution.test_import import execute_imported_tests, read_imported_tests
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.spectra.formats.matrices import write_matrix_in_any_format
from sfo.spectra.matrix import CoverageMatrix, coverage_matrix_from_dataset
from sfo.spectra.techniques import technique_named
from sfo.test_export import exported_suite_files
from sfo.test_export.testcomp import SPECIFICATION
from sfo.test_generation.algorithm1 import PASSING_ATTEMPTS

BEGIN: Final = "<!-- suites: begin (python -m benchmarks.suites --write) -->"
"""What stands before the published table."""

END: Final = "<!-- suites: end -->"
"""What stands after it."""

FORMS: Final = ("c", "stdin", "testcomp")
"""Forms of tests; pytest runs the same binary as CTest."""

MEASURES: Final = ("ochiai", "tarantula", "naish2")
"""What flitsr is asked for."""

_SECONDS: Final = 600.0
"""What one foreign tool may take with one suite."""


def try_version(version: Version, timeout: float | None = None) -> dict[str, Any]:
    """What the tools said of one version, a value for each column.

    ``problems`` lists all that was not as it should be.
    """
    begin = time.monotonic()
    record: dict[str, Any] = {"version": version.id, "problems": []}
    try:
        _try(version, timeout, record)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is a result about one version
        record["problems"].append(f"{type(error).__name__}: {error}")
    return {**record, "seconds": round(time.monotonic() - begin, 1)}


def _try(version: Version, timeout: float | None, record: dict[str, Any]) -> None:
    problems: list[str] = record["problems"]
    options = PipelineOptions(
        program=ProgramOptions(entry=version.entry), passing=PASSING_ATTEMPTS, timeout=timeout, replay=True
    )
    result = run_localize_pipeline([str(version.path)], options)
    record["executions"] = len(result.dataset.executions)
    if result.dataset.failing == ():
        problems.append(f"no failing execution: {result.reason}")
        return
    program = load_c_program([str(version.path)], options.program)
    with tempfile.TemporaryDirectory(prefix="sfo-suites-") as name:
        directory = Path(name)
        for form in FORMS:
            suite = directory / form
            try:
                _write(
                    exported_suite_files(form, program, result.dataset.executions, suite, result.native),
                    suite,
                )
            except UsageError:
                record[form] = None
                continue
            record[form] = _RUNNERS[form](suite, program, problems)
            _read_back(suite, form, program, result, problems)
        record["flitsr"] = all(
            _flitsr_agrees(coverage_matrix_from_dataset(result.dataset), directory, problems)
        )
    record["added"] = _added(version, options, result, problems)


def _write(files: Mapping[str, bytes], directory: Path) -> None:
    for name, data in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_bytes(data)


# -- the tools ---------------------------------------------------------------------------------------------------


def _run(command: Sequence[str], where: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=where, capture_output=True, text=True, errors="replace", check=False, timeout=_SECONDS
    )


def _ctest(suite: Path, _program: Program, problems: list[str]) -> int:
    """How many tests CTest ran with the predicted end."""
    count = len(list((suite / "vectors").glob("*")))  # none where nothing native shows how the executions end
    _run(["cmake", "-B", "build", "."], suite)
    done = _run(["ctest", "--test-dir", "build"], suite)
    if f"100% tests passed, 0 tests failed out of {count + 1}" not in done.stdout:
        problems.append(f"ctest: {_last(done)}")
    return count


def _make_check(suite: Path, _program: Program, problems: list[str]) -> int:
    """How many texts end as predicted."""
    done = _run(["make", "check"], suite)
    if done.returncode:
        problems.append(f"stdin: {_last(done)}")
    return len(list((suite / "tests").glob("*.in")))


def _testcov(suite: Path, program: Program, problems: list[str]) -> int:
    """How many tests testcov executed."""
    goal = suite / "goal.prp"
    goal.write_text(f"{SPECIFICATION}\n", encoding="utf-8")
    path = suite / Path(program.paths[0]).name
    path.write_text(_runnable(program), encoding="utf-8")
    flags = ["-64", "--no-isolation", "--no-plots", "--use-gcov", "--output", "covered"]
    command = [_beside("testcov"), "--test-suite", "suite.zip", "--goal", goal.name, *flags, path.name]
    done = _run(command, suite)
    found = re.search(r"Tests run: (\d+)", done.stdout)
    given = len(read_imported_tests(str(suite / "suite.zip")))
    if found is None or int(found[1]) != given or "DONE" not in done.stdout:
        problems.append(f"testcov: {_last(done)}")
    return given


def _runnable(program: Program) -> str:
    """The program's text; the runner knows no reach_error, so one that it only declares is defined."""
    text = Path(program.paths[0]).read_text(encoding="utf-8")
    if "reach_error" in program.goto.functions or not re.search(r"\breach_error\b", text):
        return text
    return f"{text}\nextern void abort(void);\nvoid reach_error(void) {{ abort(); }}\n"


_RUNNERS: Final[Mapping[str, Callable[[Path, Program, list[str]], int]]] = {
    "c": _ctest,
    "stdin": _make_check,
    "testcomp": _testcov,
}
"""By form: who runs the suite."""


def _flitsr_agrees(matrix: CoverageMatrix, directory: Path, problems: list[str]) -> Iterator[bool]:
    for name in ("matrix.tcm", "gzoltar"):
        path = directory / name
        write_matrix_in_any_format(matrix, path)
        for measure in MEASURES:
            done = _run([_beside("flitsr"), "--sbfl", "--csv", "-m", measure, str(path)], directory)
            rows = list(csv.reader(io.StringIO(done.stdout), delimiter=";"))[1:]
            theirs = sorted(float(row[1]) for row in rows)
            ours = sorted(technique_named(measure).rank(matrix).values)
            agrees = len(theirs) == len(ours) and bool(np.allclose(theirs, ours, rtol=1e-9, atol=1e-12))
            if not agrees:
                problems.append(f"flitsr: {name} by {measure}: {_last(done)}")
            yield agrees


def _beside(tool: str) -> str:
    """A command that pip installed, whether or not its folder is on PATH."""
    return shutil.which(tool) or str(Path(sys.executable).with_name(tool))


def _last(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in (*done.stdout.splitlines(), *done.stderr.splitlines()) if line.strip()]
    return lines[-1] if lines else f"exit code {done.returncode}, no output"


# -- back again --------------------------------------------------------------------------------------------------


def _read_back(suite: Path, form: str, program: Program, result: Result, problems: list[str]) -> None:
    """What was written is read as executions that were written."""
    known = {(run.outcome, run.property, run.covered, run.inputs) for run in result.dataset.executions}
    try:
        runs = execute_imported_tests(program, read_imported_tests(str(suite))).executions
    except SfoError as error:
        problems.append(f"{form} read back: {error}")
        return
    strange = [run.test for run in runs if (run.outcome, run.property, run.covered, run.inputs) not in known]
    if strange:
        problems.append(f"{form} read back: {Path(strange[0]).name} is another execution")


def _added(version: Version, options: PipelineOptions, result: Result, problems: list[str]) -> int | None:
    """Failing executions that are added to those of ``result``; None where no proof ended."""
    if not result.optimal:
        return None
    from sfo.execution.test_import.cases import VectorTestCase
    from sfo.formats.vectors import parse_vectors, write_vectors

    table = parse_vectors(write_vectors(result.dataset.failing), "vectors.csv")
    tests = tuple(VectorTestCase(name=f"vectors.csv:{v.location.line}", vector=v) for v in table.vectors)
    again = run_localize_pipeline([str(version.path)], replace(options, passing=0, replay=False, tests=tests))
    added = sum(not run.test for run in again.dataset.failing)
    if added or again.intersection != result.intersection:
        problems.append(f"started from its own tests, {added} failing executions were added")
    return added


# -- the command -------------------------------------------------------------------------------------------------


def table(records: Sequence[Mapping[str, Any]]) -> str:
    """One row: how many tests of each form ran as predicted; below it, what did not."""
    columns = ("executions", *FORMS)
    lines = [
        "| versions | executions | CTest | stdin | testcov | flitsr agrees | problems |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    sums = (sum(item.get(column) or 0 for item in records) for column in columns)
    agrees = sum(item.get("flitsr") is True for item in records)
    wrong = sum(len(item["problems"]) for item in records)
    lines.append(f"| {len(records)} | {' | '.join(map(str, sums))} | {agrees} | {wrong} |")
    said = [f"* {item['version']}: {'; '.join(item['problems'])}" for item in records if item["problems"]]
    return "\n".join(lines) + ("\n\n" + "\n".join(said) if said else "")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@ONLY
@click.option("--first", is_flag=True, help="Only the first version of each program.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="Seconds of sfo for one version.",
)
@JOBS
@KEPT
@WRITE
def main(
    only: tuple[str, ...], first: bool, timeout: float | None, jobs: int, results: Path | None, publish: bool
) -> None:
    """Write suites and matrices of each faulty version, and let other tools run and rank them.

    The exit code is 1 when a test did not end as predicted, a tool refused what was written, or scores differ.
    """
    versions = first_of_each(chosen(only), 1 if first else None)
    done = {item["version"]: item for item in kept(results)}
    left = [version for version in versions if version.id not in done]
    for record in in_order(partial(try_version, timeout=timeout), left, jobs):
        done[record["version"]] = record
        said = "; ".join(record["problems"])
        click.echo(
            f"{len(done)}/{len(versions)} {record['version']} {record['seconds']} s {said}".rstrip(), err=True
        )
        keep(results, record)
    records = [done[version.id] for version in versions]
    click.echo(table(records))
    if publish:
        words = ["python -m benchmarks.suites", *(["--first"] if first else [])]
        words += [f"--timeout {timeout:g}"] if timeout else []
        page.publish_run(" ".join(words), table(records), BEGIN, END)
    if any(record["problems"] for record in records):
        sys.exit(1)


if __name__ == "__main__":
    main()
