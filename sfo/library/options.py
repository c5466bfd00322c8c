"""Options of the library's functions, which are those of the command line: one place makes ``PipelineOptions`` of both.

    analysis_options(["f.c"], {"unwind": 4, "check": ["assert"]})   ->   Options(unwind=4, ...)

What is left out has the default of the command line.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal, TypeAlias, TypedDict

from cfrontend.environment.callers import options_from_callers
from cfrontend.environment.surroundings import ARRAY_SIZE, Surroundings
from cfrontend.errors import UsageError
from cfrontend.lower import Outside, Undefined
from cfrontend.program import ProgramOptions
from cfrontend.source.preprocess import PreprocessOptions
from cfrontend.syntax.types import ILP32, LP64
from cfrontend.units import Granularity
from sfo.core.executions import Native
from sfo.core.parallel import parallel_processors
from sfo.core.policy import policy, policy_with_values, using_policy
from sfo.core.result import Slicing
from sfo.execution.test_import import read_imported_tests
from sfo.library.compile_commands import options_with_compile_commands
from sfo.library.option_table import (
    DEFAULT_PASSING,
    OPTIONS,
    TRACES,
    Option,
    known_checks,
    policy_values,
)
from sfo.pipeline.options import DomainKind, PipelineOptions, Rank

PathLike: TypeAlias = str | os.PathLike[str]
"""Name of a file or a directory."""

Names: TypeAlias = Sequence[str] | str
"""Several names, or one."""


class ProgramOptionKeywords(TypedDict, total=False):
    """Options of how a program is read; the names are those of the command line's options, a line below each."""

    entry: str
    check: Iterable[str]
    units: Granularity
    argv: int | None
    argv_length: int
    reference: PathLike | Sequence[PathLike]
    reference_check: Iterable[str]
    """Checks besides those of ``check``."""
    stdin: Literal["values", "text"]
    undefined: Undefined
    files: Outside
    include_dirs: Sequence[PathLike]
    """``-I``"""
    defines: Sequence[str]
    """``-D``"""
    forced_includes: Sequence[PathLike]
    """``-include``"""
    compile_commands: PathLike | None
    ilp32: bool
    standard: str | None
    """``-std``"""
    from_callers: bool
    requires: Names
    ensures: Names
    array_size: int | Mapping[str, int]
    depth: int
    nullable: bool
    construct: bool
    havoc: Names | None
    """Names of global variables; ``"all"`` for all of them."""
    extent: Mapping[str, str] | None
    """Lengths by pointer, as ``{"buf": "len"}``; None: tell none from names and use."""
    trust: Names


class AnalysisOptionKeywords(ProgramOptionKeywords, total=False):
    """Options of an analysis; the names are those of the command line's options."""

    unwind: int | Literal["auto"]
    unwindset: Mapping[str, int]
    max_unwind: int
    property: Names
    backend: str
    solver: str
    solver_only: bool
    timeout: float | None
    memory: int | None
    effort: float
    policy: Mapping[str, object]
    native: bool | Native
    jobs: int | None
    ignore_space: bool | None
    """Whether white space of what examples expect is not compared; None: only where there is no reference."""


class RankingOptionKeywords(AnalysisOptionKeywords, total=False):
    """Options of an analysis that ranks units."""

    measure: str
    rank: Rank
    replay: bool | None
    tests: PathLike | Sequence[PathLike]
    slice: Slicing
    reactive: bool | None
    """Whether executions that the bound cuts count as passing; None: where none ends."""
    domain: DomainKind
    """Which inputs count beside a reference and examples."""


LIBRARY: Final[Mapping[str, Option]] = {
    option.key: option
    for option in reversed(OPTIONS)
    if option.key in RankingOptionKeywords.__optional_keys__
}
"""By keyword: its row in the table of options, which is the first of that key."""

DEFAULTS: Final[Mapping[str, Any]] = {key: option.value(()) for key, option in LIBRARY.items()}
"""Value of each option that is not given, on the command line as in the library."""


def _option_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """The value of each option, checked; raises UsageError for one that there is not, or that makes no sense."""
    unknown = [name for name in given if name not in DEFAULTS]
    if unknown:
        import difflib

        like = difflib.get_close_matches(unknown[0], DEFAULTS, n=1)
        hint = f"did you mean {like[0]}?" if like else "docs/api.md lists them"
        raise UsageError(f"there is no option {unknown[0]!r}: {hint}")
    if isinstance(given.get("native"), bool):
        given = {**given, "native": "sandboxed" if given["native"] else "off"}
    return {**DEFAULTS, **{name: _checked(LIBRARY[name], value) for name, value in given.items()}}


def _checked(option: Option, value: Any) -> Any:
    """A value of an option as the table has it; raises UsageError for one that makes no sense."""
    if value == option.default or isinstance(value, Mapping):
        return value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if option.least is not None and not (is_number and value >= option.least):
        raise UsageError(f"{option.key}={value!r}: not a number from {option.least:g}")
    known: Sequence[object] = (True, False) if option.is_flag else option.choices
    if known and value not in known:
        raise UsageError(f"{option.key}={value!r}: not one of {', '.join(map(str, known))}")
    return _texts(value) if option.many or option.names else value


def _texts(value: Any) -> Any:
    """Names of files and texts as a tuple; one stands for itself, and what is no text or list stays."""
    if isinstance(value, str | os.PathLike):
        return (os.fspath(value),)
    return tuple(map(os.fspath, value)) if isinstance(value, Sequence) else value


def _fields(record: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a record of options whose values are those of options."""
    return {option.field or key: values[key] for key, option in LIBRARY.items() if option.record == record}


def library_option_paths(path: PathLike | Sequence[PathLike]) -> tuple[str, ...]:
    """The names of the files of a program; raises UsageError where there is none."""
    listed: Sequence[PathLike] = [path] if isinstance(path, str | os.PathLike) else path
    paths = tuple(os.fspath(item) for item in listed)
    if not paths:
        raise UsageError("a program has one file at least")
    return paths


def library_program_options(paths: Sequence[str], given: Mapping[str, Any]) -> ProgramOptions:
    """Options of reading the program in the files ``paths``; raises UsageError for a value that makes no sense."""
    values = _option_values(given)
    model = ILP32 if values["ilp32"] else LP64
    preprocess = PreprocessOptions(**_fields("preprocess", values), model=model)
    database = None if values["compile_commands"] is None else os.fspath(values["compile_commands"])
    units = values["units"]
    values["check"] = _checks(values["check"])
    values["reference_check"] = _checks(values["reference_check"] or ())
    program = ProgramOptions(
        **_fields("program", values),
        granularity=units if units in {"condition", "labelled"} else "statement",
        environment=_environment(values),
        preprocess=options_with_compile_commands(preprocess, paths, database),
        reads_text=values["stdin"] == "text",
    )
    if not values["from_callers"]:
        return program
    from sfo.library.projects import callers_of_project

    project = None if database is None else callers_of_project(database, paths, preprocess)
    return options_from_callers(paths, program, project)


def library_analysis_options(
    paths: Sequence[str],
    given: Mapping[str, Any],
    *,
    passing: bool | int = False,
    traces: int = TRACES,
    program: ProgramOptions | None = None,
) -> PipelineOptions:
    """Options of an analysis of the program in the files ``paths``.

    ``program`` is how it is read, if that is known. Raises UsageError for a value that makes no sense.
    """
    values = _option_values(given)
    values["replay"] = _wants_replay(values["replay"], values["native"])
    values["unwind"] = None if values["unwind"] == "auto" else values["unwind"]
    values["unwindset"] = dict(values["unwindset"])
    values["jobs"] = values["jobs"] or parallel_processors()
    values["policy"] = tuple(f"{name}={value}" for name, value in values["policy"].items())
    values["tests"] = tuple(case for path in values["tests"] for case in read_imported_tests(path))
    return PipelineOptions(
        **_fields("pipeline", values),
        program=program or library_program_options(paths, given),
        passing=DEFAULT_PASSING if passing is True else int(passing),
        traces=traces,
    )


@contextmanager
def tuned_library_options(changes: Mapping[str, object]) -> Iterator[None]:
    """Inside, the tuning constants that ``changes`` name have other values; raises UsageError for other names."""
    try:
        values = policy_values([f"{name}={value}" for name, value in changes.items()])
    except ValueError as error:
        raise UsageError(str(error)) from None
    with using_policy(policy_with_values(policy(), values)):
        yield


def _checks(given: Iterable[str]) -> frozenset[str]:
    try:
        return known_checks([given] if isinstance(given, str) else [*given])
    except ValueError as error:
        raise UsageError(str(error)) from None


def _environment(values: Mapping[str, Any]) -> Surroundings:
    """The world around an entry other than ``main``."""
    size, havoc, extent = values["array_size"], values["havoc"], values["extent"]
    sizes: dict[str, int] = dict(size) if isinstance(size, Mapping) else {"": size}
    return Surroundings(
        **_fields("environment", values),
        array_size=sizes.pop("", ARRAY_SIZE),
        sizes=sizes,
        havoc=None if havoc is None or "all" in havoc else havoc,
        extents={name: length for name, length in (extent or {}).items() if name},
        finds_extents=extent is not None and "" not in extent,
    )


def library_options_must_be_native(asked: str, native: str) -> None:
    """Raises UsageError where native executions are off: what was ``asked`` for needs them."""
    if native == "off":
        raise UsageError(f"{asked} executes the program natively, which --native off rules out")


def _wants_replay(asked: bool | None, native: str) -> bool:
    """True if executions are to be replayed natively, which they are by default where the tools are installed.

    Raises UsageError if a replay was asked for and is not possible.
    """
    if asked:
        library_options_must_be_native("a replay", native)
    if asked is False or native == "off":
        return asked is None  # the result says then why it has none
    from sfo.execution.native.build import missing_native_build_tool

    missing = missing_native_build_tool()
    if asked and missing is not None:
        raise UsageError(f"--replay needs {missing}, which is not installed")
    return missing is None
