"""``sfo generate --entry-all``: a suite for each function of a library, a page for all, on from where it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cfrontend.errors import UsageError
from cfrontend.host.output_directory import make_directory_below, write_text_below
from cfrontend.host.regular_files import read_regular_file_json
from sfo.cli.output import EXIT_INTERRUPTED, EXIT_NOTHING_FAILS, under_limits, write_output
from sfo.core.function_suites import FunctionSuite, LibrarySuite

if TYPE_CHECKING:
    from sfo.core.result import Result
    from sfo.pipeline.options import PipelineOptions

LIST: Final = "functions.json"
"""File with what is known of each function."""

PAGE: Final = "index.html"

_OF_ONE_ENTRY: Final = {
    "update": "--update",
    "since": "--since",
    "tests": "--tests",
    "report": "--report",
    "from_callers": "--from-callers",
    "requires": "--requires",
    "ensures": "--ensures",
    "property": "--property",
    "unwindset": "--unwindset",
}
"""Options that say something of one function, by parameter."""

_OF_PROGRAMS: Final = frozenset({"stdin", "corpus", "testcomp"})
"""Forms of tests that only programs with a main have."""


def refuse_beside_entry_all(given: Mapping[str, Any]) -> Path:
    """The directory of the suites. Raises UsageError for what cannot be asked of all functions."""
    if given["output"] is None:
        raise UsageError("-o DIR says where the suites of --entry-all are written")
    if given["entry"] != "main":
        raise UsageError("--entry and --entry-all both say where executions start: give one of them")
    for name, option in _OF_ONE_ENTRY.items():
        if given[name]:
            raise UsageError(f"{option} is for one function, and cannot be used with --entry-all")
    for form in given["as"]:
        if form in _OF_PROGRAMS:
            raise UsageError(
                f"tests of the form {form} are for programs that start in main, not for --entry-all"
            )
    return Path(given["output"])


def generate_for_each_function(
    files: tuple[str, ...],
    directory: Path,
    options: PipelineOptions,
    given: dict[str, Any],
    write: Callable[[str, Result, Path], None],
) -> int:
    """Make the suites that ``directory`` does not have, each under the limits of the command line; exit code.

    ``write`` writes the suite of a function. What is done stands in the directory at any time.
    """
    from sfo.pipeline.function_suites import digest_of_library, functions_of_library, suite_of_function

    assert options.suite is not None
    functions = functions_of_library(files, options.program)
    if not functions:
        raise UsageError("--entry-all: these files define no function but main")
    digest = digest_of_library(files, options)
    known = _known(directory)
    done: list[FunctionSuite] = []
    for function in functions:
        kept = known.get(function.name)
        is_there = (directory / function.name / "dataset.json").exists()
        if kept is not None and kept.digest == digest and (is_there or not kept.tests):
            done.append(kept)
            continue
        with under_limits(given) as progress:
            suite, result = suite_of_function(function, files, options, digest, progress)
        if result is not None and result.stopped == "interrupt":
            return EXIT_INTERRUPTED
        if result is not None and result.dataset.executions:
            make_directory_below(directory, function.name)
            write(function.name, result, directory / function.name)
        done.append(suite)
        _write(directory, LibrarySuite(kind=options.suite.goal, functions=tuple(done)))
    library = LibrarySuite(kind=options.suite.goal, functions=tuple(done))
    _write(directory, library)
    from sfo.report.function_suites import function_suites_text

    write_output(function_suites_text(library), None)
    return 0 if any(suite.tests for suite in done) else EXIT_NOTHING_FAILS


def _known(directory: Path) -> Mapping[str, FunctionSuite]:
    from sfo.report.function_suites import read_function_suites

    file = directory / LIST
    return read_function_suites(read_regular_file_json(file), str(file)) if file.exists() else {}


def _write(directory: Path, library: LibrarySuite) -> None:
    from sfo.report.function_suites import function_suites_json, function_suites_page

    write_text_below(directory, LIST, function_suites_json(library))
    write_text_below(directory, PAGE, function_suites_page(library, "Suites of functions"))
