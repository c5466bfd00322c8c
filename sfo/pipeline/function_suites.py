"""Suites of the functions of a library: each function is the entry once, with goals of its own and a budget of its own.

functions_of_library(paths)  ->  clamp, parse, ...
suite_of_function("clamp")   ->  its executions, and what is covered, proved to be unreachable and open
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import final

from cfrontend.errors import SfoError
from cfrontend.program import ProgramOptions, load_c_program_tree
from cfrontend.record import dataclass
from cfrontend.source.preprocess import preprocess
from sfo.core.function_suites import FunctionSuite, FunctionSuiteGoal, FunctionSuiteStatus
from sfo.core.halt import halt_reason_of
from sfo.core.result import Result
from sfo.core.version import __version__
from sfo.pipeline.diagnostics import diagnostic_of_stop
from sfo.pipeline.localize import localize_pipeline_dataset
from sfo.pipeline.options import PipelineOptions, SuiteOptions
from sfo.pipeline.session import Progress


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionOfLibrary:
    """A function that has a body in the files of a library."""

    name: str
    file: str
    line: int


def functions_of_library(paths: Sequence[str], options: ProgramOptions) -> tuple[FunctionOfLibrary, ...]:
    """The functions that ``paths`` define, but for main, in the order of files and text. Headers have none of them.

    Raises InputError for what is not C.
    """
    tree = load_c_program_tree(paths, options, [preprocess(path, options.preprocess) for path in paths])
    found = [
        FunctionOfLibrary(name=function.name, file=function.location.file, line=function.location.line)
        for function in tree.functions.values()
        if function.body is not None and function.name != "main" and function.location.file in paths
    ]
    return tuple(sorted(found, key=lambda f: (paths.index(f.file), f.line, f.name)))


def digest_of_library(paths: Sequence[str], options: PipelineOptions) -> str:
    """A number for all that the suites are made from: the preprocessed text, the options, and this version."""
    settings = json.dumps({**asdict(options), "jobs": 0}, sort_keys=True, default=sorted)
    texts = [str(preprocess(path, options.program.preprocess)) for path in paths]
    return hashlib.sha256(os.fsencode("\0".join([__version__, settings, *paths, *texts]))).hexdigest()


def suite_of_function(
    function: FunctionOfLibrary,
    paths: Sequence[str],
    options: PipelineOptions,
    digest: str,
    progress: Progress,
) -> tuple[FunctionSuite, Result | None]:
    """The suite of one function with goals of its own; no result where it can be no entry."""
    made = FunctionSuite(
        function=function.name, file=function.file, line=function.line, digest=digest, status="passed over"
    )
    suite = replace(options.suite or SuiteOptions(), functions=frozenset({function.name}))
    program = replace(options.program, entry=function.name)
    try:
        result = localize_pipeline_dataset(paths, replace(options, program=program, suite=suite), progress)
    except SfoError as error:
        return replace(made, said=str(error)), None
    except KeyboardInterrupt as error:
        stop = halt_reason_of(error)
        if stop == "interrupt":
            raise
        return replace(made, said=diagnostic_of_stop(stop, options.effort)), None
    coverage = result.coverage
    executions = result.dataset.executions
    goals = () if coverage is None else coverage.goals
    others = tuple(
        FunctionSuiteGoal(
            line=goal.goal.location.line,
            text=goal.goal.text,
            outcome=goal.goal.outcome,
            status=goal.status,
            reason=goal.reason,
        )
        for goal in goals
        if goal.status != "covered"
    )
    without: FunctionSuiteStatus = "no execution" if goals else "no goals"
    return replace(
        made,
        status="suite" if executions else without,
        said="" if executions else result.reason or "nothing of it is to be reached" * (not goals),
        tests=len(executions),
        failing=sum(e.outcome == "fail" for e in executions),
        goals=len(goals),
        covered=len(goals) - len(others),
        others=others,
    ), result
