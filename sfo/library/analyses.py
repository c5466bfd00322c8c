"""The commands on programs as functions: ``localize``, ``check``, ``generate``, ``repair`` and ``load``.

    localize("minmax.c", passing=True).suspects[0].line   ->   18

Errors are exceptions: ``SfoError`` and its subclasses, whose ``location`` is a file, a line and a column where one is
to blame. Ctrl-C and ``timeout`` end a phase, not the call: the result says what is missing (``reason``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Unpack, cast

from cfrontend.errors import ResourceError, UsageError
from cfrontend.program import load_c_program as load_program
from cfrontend.units import GoalKind
from sfo.core.extras import missing_extras_named
from sfo.core.halt import NOTHING_KNOWN, Halt, notes_of_halt
from sfo.core.result import Result, ResultOfProperty
from sfo.execution.test_import import read_kept_suite
from sfo.library.limits import library_limits, library_memory_limit
from sfo.library.localization import (
    given_library_examples,
    library_localization,
    with_library_crash,
)
from sfo.library.options import (
    AnalysisOptionKeywords,
    PathLike,
    ProgramOptionKeywords,
    RankingOptionKeywords,
    library_analysis_options,
    library_option_paths,
    library_program_options,
    tuned_library_options,
)
from sfo.library.results import CheckResult, GeneratedSuite, LoadedProgram, Localization, RepairResult
from sfo.pipeline import localize as pipeline
from sfo.pipeline.options import PipelineOptions, SuiteOptions
from sfo.pipeline.session import Progress, no_session_progress
from sfo.pipeline.wider_surroundings import check_in_wider_surroundings


def localize(
    path: PathLike | Sequence[PathLike],
    *,
    passing: bool | int = False,
    io: PathLike | None = None,
    crash: PathLike | None = None,
    crash_input: PathLike | None = None,
    arguments: str | None = None,
    progress: Progress | None = None,
    **options: Unpack[RankingOptionKeywords],
) -> Localization:
    """Rank the units of the program in ``path`` by how suspicious they are, as ``sfo localize`` does.

    ``passing``: collect passing executions, too (a number: so many). ``io`` is a directory of examples of input and
    output. ``crash`` is a file with the report of a crash that is looked for, ``crash_input`` one with the standard
    input that crashes, beside or without ``arguments``, written as for a shell. ``progress`` is told in a few words
    what happens. Raises UsageError for options that make no sense, InputError for a program that cannot be read,
    UnsupportedError for what is not modelled.
    """
    given, paths = cast("Mapping[str, Any]", options), library_option_paths(path)
    with _in_force(given):
        chosen = library_analysis_options(paths, given, passing=passing)
        examples = given_library_examples(io, chosen)
        chosen = with_library_crash(
            chosen,
            paths,
            None if crash is None else str(crash),
            None if crash_input is None else str(crash_input),
            arguments,
        )
        return Localization(
            result=library_localization(paths, chosen, examples, progress or no_session_progress)
        )


def check(
    path: PathLike | Sequence[PathLike],
    *,
    stop_on_fail: bool = False,
    progress: Progress | None = None,
    **options: Unpack[AnalysisOptionKeywords],
) -> CheckResult:
    """Say of each property whether an execution within the bound violates it, as ``sfo check`` does.

    ``stop_on_fail``: end with the first violation. Raises what ``localize`` raises.
    """
    given: dict[str, Any] = {**options, "rank": "coverage", "replay": False}
    chosen = {"stop_on_fail": stop_on_fail}
    return CheckResult(
        result=_analysed(check_in_wider_surroundings, path, given, chosen, progress, passing=0)
    )


def generate(
    path: PathLike | Sequence[PathLike],
    *,
    passing: bool | int = True,
    goal: GoalKind = "branches",
    update: PathLike | None = None,
    progress: Progress | None = None,
    **options: Unpack[RankingOptionKeywords],
) -> GeneratedSuite:
    """Failing executions until no further one could narrow the suspects, and passing ones, as ``sfo generate``.

    Passing ones reach what ``goal`` names. ``update`` is the directory of a suite whose tests stay, with their ids, as
    far as they still reach something.

    Raises UsageError where there is no such suite, and what ``localize`` raises.
    """
    given: dict[str, Any] = {**options, "rank": options.get("rank", "coverage")}
    there = None if update is None else read_kept_suite(str(update))
    chosen: dict[str, Any] = {"suite": SuiteOptions(goal=goal, update=there)}
    if there is not None:
        if options.get("tests"):
            raise UsageError("update and tests both say which tests there are: give one of them")
        chosen["tests"] = tuple(test.case for test in there)
    with missing_extras_named():
        return GeneratedSuite(
            result=_analysed(
                pipeline.localize_pipeline_dataset, path, given, chosen, progress, passing=passing
            )
        )


def repair(
    path: PathLike | Sequence[PathLike],
    *,
    passing: bool | int = False,
    io: PathLike | None = None,
    progress: Progress | None = None,
    **options: Unpack[AnalysisOptionKeywords],
) -> RepairResult:
    """Edits after which no execution within the bound fails, as ``sfo repair`` shows them. No file is changed.

    ``io`` is a directory of examples of input and output. Raises what ``localize`` raises.
    """
    given: dict[str, Any] = {**options, "rank": "full", "replay": False}

    def repaired(paths: Sequence[str], chosen: PipelineOptions, told: Progress) -> Result:
        examples = given_library_examples(io, chosen)
        if examples:
            return library_localization(paths, chosen, examples, told)
        return pipeline.run_localize_pipeline(paths, chosen, told)

    return RepairResult(result=_analysed(repaired, path, given, {"patient": True}, progress, passing=passing))


def load(path: PathLike | Sequence[PathLike], **options: Unpack[ProgramOptionKeywords]) -> LoadedProgram:
    """The units and the properties of the program in ``path``, without any analysis.

    Raises InputError for a program that cannot be read, UnsupportedError for what is not modelled.
    """
    paths = library_option_paths(path)
    program = load_program(paths, library_program_options(paths, cast("Mapping[str, Any]", options)))
    return LoadedProgram(
        files=program.files,
        units=program.units,
        properties=tuple(ResultOfProperty(property=item, status="unknown") for item in program.properties),
    )


def _analysed(
    analysis: Callable[[Sequence[str], PipelineOptions, Progress], Result],
    path: PathLike | Sequence[PathLike],
    given: Mapping[str, Any],
    chosen: Mapping[str, Any],
    progress: Progress | None,
    *,
    passing: bool | int,
) -> Result:
    """What ``analysis`` finds with the options that were ``given``, and ``chosen`` ones of ``PipelineOptions``."""
    paths = library_option_paths(path)
    with _in_force(given):
        options = replace(library_analysis_options(paths, given, passing=passing), **chosen)
        return analysis(paths, options, progress or no_session_progress)


@contextmanager
def _in_force(given: Mapping[str, Any]) -> Iterator[None]:
    """Inside, the limits and constants that were ``given``; a limit before anything is known is ResourceError."""
    try:
        with (
            tuned_library_options(given.get("policy", {})),
            library_limits(given.get("timeout"), given.get("memory") or library_memory_limit()),
        ):
            yield
    except Halt as error:
        limit = "memory" if error.stop == "memory" else "time"
        known = notes_of_halt(error) or NOTHING_KNOWN
        raise ResourceError(f"the {limit} limit was reached: {known}") from error
