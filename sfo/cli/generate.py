"""``sfo generate``: write a test suite."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cfrontend.errors import ResourceError, UsageError
from cfrontend.host.output_directory import make_directory_below, write_file_below
from cfrontend.host.regular_files import (
    read_regular_file_json,
    read_regular_file_text,
    regular_files_below,
)
from sfo.cli import output
from sfo.cli.options import FILES, command, program_options, run_options, was_given
from sfo.library.option_table import FORMS, GOALS

if TYPE_CHECKING:
    from cfrontend.units import GoalKind
    from sfo.core.result import Result
    from sfo.execution.test_import import KeptSuiteTest

_FILE_OF_TEST: Final = re.compile(r"(?:fail|pass)-[0-9]+(?:\.(?:txt|in|out|status|fails))?")
"""Names of the files that forms have for one test each."""


@command("generate", FILES)
def generate(paths: tuple[str, ...], **given: Any) -> int:
    """Write a test suite: vectors.csv, outcomes.csv, matrix.csv and dataset.json.

    The rows of all files are the same executions in the same order, failing ones first, then passing ones that reach
    what --goal names, as few as do. What no execution reaches is proved and listed. With --as, the folder of that
    name has those that --tests has not as tests: c (make check, ctest), pytest, stdin (texts with outputs), testcomp
    (XML in a zip), corpus (for fuzzers), or unit tests in C (cmocka, googletest, criterion, unity). With
    --update, so are the folders of these names that DIR has.
    """
    from sfo.pipeline.localize import localize_pipeline_dataset as run
    from sfo.pipeline.options import SuiteOptions
    from sfo.report import text
    from sfo.test_export import require_suite_form_for

    for form in given["as"]:
        require_suite_form_for(form, paths, given["entry"])
    place, update = _place_and_update(given)

    def finish(result: Result) -> int:
        is_whole, refused = True, ""
        try:
            refused = _write_suite(result, paths, place, given)
        except KeyboardInterrupt:
            is_whole = False
        output.write_reports(result, given, text.suite_report)
        seen = output.printable_message(text.suite_report(result, everything=given["verbose"] > 0))
        output.write(seen, None)
        if refused:
            raise UsageError(refused)
        if complaint := _what_is_missing(result, place, is_whole=is_whole):
            output.complain(complaint)
        return output.exit_code(
            result, seen, violated=0, safe=0 if result.dataset.executions else output.EXIT_NOTHING_FAILS
        )

    with output.under_limits(given, finish) as progress:
        options = replace(run_options(given), suite=SuiteOptions(goal=_goal(given), update=update))
        if update is not None:  # the tests of a suite that is updated are tests that exist
            options = replace(options, tests=tuple(test.case for test in update))
        result = _with_changed_expectations(run(paths, options, progress), paths, given)
    return finish(result)


def _what_is_missing(result: Result, place: Path, *, is_whole: bool) -> str:
    """What of a suite is not written, and why; nothing where it is all there."""
    coverage, count = result.coverage, len(result.dataset.executions)
    if not is_whole:
        return f"no suite is written: interrupted before the tests of its {count} executions were made"
    if result.stopped is not None:
        return f"the suite in {place} is what was found by then" if count else "no suite is written"
    if count:
        return ""
    if coverage is None or coverage.goals:
        return "no suite is written: no execution reaches anything of what --goal names"
    other = "mutants" if coverage.kind == "units" else "units"
    return f"no suite is written: there is nothing for --goal {coverage.kind} to reach; --goal {other} may have something"


def _write_suite(result: Result, files: tuple[str, ...], place: Path, given: dict[str, Any]) -> str:
    """Write the suite with its tests in the forms that were asked for; which of these are refused, in words.

    All is made before anything is written. Raises KeyboardInterrupt where that is interrupted.
    """
    from sfo.library.results import GeneratedSuite

    new = tuple(run for run in result.dataset.executions if not run.test)
    without = replace(result, dataset=replace(result.dataset, executions=new))
    there = () if given["update"] is None else (form for form in FORMS if (place / form).is_dir())
    tests: dict[str, Mapping[str, bytes]] = {}
    refused: dict[str, UsageError] = {}
    for form in dict.fromkeys((*given["as"], *there) if new else ()):
        try:
            tests[form] = _tests_of_form(form, files, without, place, given)
        except UsageError as error:
            refused[form] = error
    other = " (--as c takes any input)" if refused and "c" not in refused else ""
    if result.dataset.executions:
        GeneratedSuite(result=result).write(place)
    for form, written in tests.items():
        try:
            _write_tests(form, written, place, given)
        except UsageError as error:
            refused[form] = error
    said = "; ".join(f"no tests of the form {form} are written: {error}" for form, error in refused.items())
    return f"{said}{other}"


def _place_and_update(given: dict[str, Any]) -> tuple[Path, tuple[KeptSuiteTest, ...] | None]:
    """Where the files are written, and the tests of the suite that is updated."""
    from sfo.execution.test_import import read_kept_suite

    directory, update = given["output"], given["update"]
    if directory is None and update is None:
        raise UsageError(
            "-o DIR says where the files are written, --update DIR which suite is updated: give one"
        )
    if update is not None and given["tests"]:
        raise UsageError("--update and --tests both say which tests there are: give one of them")
    return Path(directory or update), None if update is None else read_kept_suite(update)


def _goal(given: dict[str, Any]) -> GoalKind:
    """The goal that was asked for; that of the suite which is updated where none was."""
    asked: GoalKind = given["goal"]
    if given["update"] is None or was_given("goal"):
        return asked
    file = Path(given["update"]) / "dataset.json"
    known = read_regular_file_json(file) if file.is_file() else None
    coverage = known.get("coverage") if isinstance(known, dict) else None
    goal = coverage.get("goal") if isinstance(coverage, dict) else None
    return next((each for each in GOALS if each == goal), asked)


def _with_changed_expectations(result: Result, files: tuple[str, ...], given: dict[str, Any]) -> Result:
    """``result`` with the unit tests of the suite which is updated that expect another result now.

    All of them are executed anew, as a redundant one may be the one that shows what broke.
    """
    from cfrontend.program import load_c_program
    from sfo.test_export.unit_test_frameworks import UNIT_TEST_FRAMEWORKS
    from sfo.test_export.unit_tests import unit_tests_that_expect_otherwise

    coverage = result.coverage
    if coverage is None or coverage.update is None or given["native"] == "off":
        return result
    changed = {}
    for framework in UNIT_TEST_FRAMEWORKS.values():
        file = Path(given["update"]) / framework.name / framework.file
        if not file.is_file():
            continue
        program = load_c_program(files, program_options(given))
        text = read_regular_file_text(str(file))
        try:
            found = unit_tests_that_expect_otherwise(framework, program, text, given["native"])
        except ResourceError as error:
            output.complain(f"what {file} expects could not be compared with what there is now: {error}")
            continue
        changed.update({change.test: change for change in found})
    update = replace(coverage.update, changed=(*coverage.update.changed, *changed.values()))
    return replace(result, coverage=replace(coverage, update=update))


def _tests_of_form(
    form: str, files: tuple[str, ...], result: Result, place: Path, given: dict[str, Any]
) -> Mapping[str, bytes]:
    """The files of the tests of a form; they are made before anything is written, as that may be interrupted."""
    from cfrontend.program import load_c_program
    from sfo.test_export import exported_suite_files

    # Inputs of executions that kill mutants have whether each conversion of a scanf succeeds.
    counts_each = result.coverage is not None and result.coverage.kind == "mutants"
    program = load_c_program(files, replace(program_options(given), counts_each=counts_each))
    executions = result.dataset.executions
    return exported_suite_files(
        form, program, executions, place / form, result.native, given["native"], result.coverage
    )


def _write_tests(form: str, written: Mapping[str, bytes], place: Path, given: Mapping[str, Any]) -> None:
    """Write the tests of a form into a folder of its name; those that an updated suite no longer has are removed."""
    make_directory_below(place, form)
    for file in regular_files_below(place / form) if given["update"] is not None else ():
        name = file.relative_to(place / form).as_posix()
        if name not in written and _FILE_OF_TEST.fullmatch(file.name):
            try:
                file.unlink()
            except OSError as error:
                raise UsageError(f"cannot remove {file}: {error.strerror}") from error
    for name, data in written.items():
        write_file_below(place, f"{form}/{name}", data)
