"""Options of the library's functions, which are those of the command line: one place makes ``PipelineOptions`` of both.

    analysis_options(["f.c"], {"unwind": 4, "check": ["assert"]})   ->   Options(unwind=4, ...)

What is left out has the default of the command line.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, TypedDict, cast, final, get_args

from cfrontend.environment.arguments import LENGTH
from cfrontend.environment.callers import options_from_callers
from cfrontend.environment.surroundings import ARRAY_SIZE, DEPTH, Surroundings
from cfrontend.errors import UsageError
from cfrontend.lower import Outside, Undefined
from cfrontend.program import ALL_CHECKS, DEFAULT_CHECKS, ProgramOptions
from cfrontend.source.preprocess import PreprocessOptions
from cfrontend.syntax.types import ILP32, LP64
from cfrontend.units import Granularity
from sfo.core.executions import Native
from sfo.core.parallel import parallel_processors
from sfo.core.policy import policy, policy_with_values, using_policy
from sfo.core.result import Slicing
from sfo.execution.test_import import Case, read_imported_tests
from sfo.library.callers_of_project import callers_of_project
from sfo.library.compile_commands import options_with_compile_commands
from sfo.library.defaults import DEFAULT_PASSING, TRACES
from sfo.pipeline.options import (
    BACKENDS,
    MAX_UNWIND,
    AngelicQuestion,
    CbmcMode,
    DomainKind,
    PipelineOptions,
    Rank,
)
from sfo.test_generation.algorithm1 import PassingStrategy

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
    observe: Literal["assert"] | None
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
    cbmc_mode: CbmcMode
    solver: str
    solver_only: bool
    double_check: bool
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

    passing_strategy: PassingStrategy
    measure: str
    rank: Rank
    angelic: AngelicQuestion
    replay: bool | None
    tests: PathLike | Sequence[PathLike]
    slice: Slicing
    reactive: bool | None
    """Whether executions that the bound cuts count as passing; None: where none ends."""
    domain: DomainKind
    """Which inputs count beside a reference and examples."""


DEFAULTS: Final[RankingOptionKeywords] = {
    "entry": "main",
    "check": DEFAULT_CHECKS,
    "units": "auto",
    "argv": None,
    "argv_length": LENGTH,
    "reference": (),
    "reference_check": (),
    "stdin": "values",
    "observe": None,
    "undefined": "auto",
    "files": "nondet",
    "include_dirs": (),
    "defines": (),
    "forced_includes": (),
    "compile_commands": None,
    "ilp32": False,
    "standard": None,
    "from_callers": False,
    "requires": (),
    "ensures": (),
    "array_size": ARRAY_SIZE,
    "depth": DEPTH,
    "nullable": False,
    "construct": False,
    "havoc": (),
    "extent": {},
    "trust": (),
    "unwind": "auto",
    "unwindset": {},
    "max_unwind": MAX_UNWIND,
    "property": (),
    "backend": "sfo",
    "cbmc_mode": "encode-once",
    "solver": "auto",
    "solver_only": False,
    "double_check": False,
    "timeout": None,
    "memory": None,
    "effort": 1.0,
    "policy": {},
    "native": "sandboxed",
    "jobs": None,
    "passing_strategy": "auto",
    "measure": "naish2",
    "rank": "full",
    "angelic": "weak",
    "replay": None,
    "tests": (),
    "domain": "examples",
    "ignore_space": None,
    "slice": "none",
    "reactive": None,
}
"""Value of each option that is not given, on the command line as in the library."""


@final
@dataclass(frozen=True, slots=True)
class _Given:
    """Options that were given, with the defaults behind them."""

    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values[name] if name in self.values else cast("Mapping[str, Any]", DEFAULTS)[name]

    def names(self, name: str) -> tuple[str, ...]:
        """The option as a tuple of texts; one text stands for itself."""
        value = self[name]
        listed: Sequence[PathLike] = [value] if isinstance(value, str | os.PathLike) else value or ()
        return tuple(os.fspath(item) for item in listed)

    def chosen(self, name: str, known: Sequence[object]) -> Any:
        """The option, which is one of ``known``; raises UsageError otherwise."""
        if self[name] not in known:
            raise UsageError(f"{name}={self[name]!r}: not one of {', '.join(map(str, known))}")
        return self[name]

    def number(self, name: str, least: float) -> Any:
        """The option, which is a number from ``least`` or None; raises UsageError otherwise."""
        value = self[name]
        right = isinstance(value, int | float) and not isinstance(value, bool) and value >= least
        if value is not None and not right:
            raise UsageError(f"{name}={value!r}: not a number from {least:g}")
        return value


def library_option_paths(path: PathLike | Sequence[PathLike]) -> tuple[str, ...]:
    """The names of the files of a program; raises UsageError where there is none."""
    listed: Sequence[PathLike] = [path] if isinstance(path, str | os.PathLike) else path
    paths = tuple(os.fspath(item) for item in listed)
    if not paths:
        raise UsageError("a program has one file at least")
    return paths


def library_program_options(paths: Sequence[str], given: Mapping[str, Any]) -> ProgramOptions:
    """Options of reading the program in the files ``paths``; raises UsageError for a value that makes no sense."""
    _must_be_known(given)
    options = _Given(given)
    preprocess = PreprocessOptions(
        include_dirs=options.names("include_dirs"),
        defines=options.names("defines"),
        forced_includes=options.names("forced_includes"),
        standard=options["standard"],
        model=ILP32 if options["ilp32"] else LP64,
    )
    database = options["compile_commands"]
    reference = options.names("reference")
    if options["observe"] is not None and not reference:
        raise UsageError("--observe compares with a reference: give one with --reference OLD.c")
    units = options.chosen("units", get_args(Granularity))
    program = ProgramOptions(
        entry=options["entry"],
        checks=_checks(options["check"]),
        granularity=units if units in {"condition", "labelled"} else "statement",
        argv=options.number("argv", 0),
        argv_length=options.number("argv_length", 0),
        undefined=options.chosen("undefined", ("auto", "error", "nondet")),
        named_files=options.chosen("files", ("error", "nondet")),
        environment=_environment(options),
        requires=options.names("requires"),
        ensures=options.names("ensures"),
        preprocess=options_with_compile_commands(
            preprocess, paths, None if database is None else os.fspath(database)
        ),
        reference=reference,
        reference_checks=_checks(options["reference_check"]),
        reads_text=options.chosen("stdin", ("values", "text")) == "text",
        observed=options["observe"] is not None,
        trusted=options.names("trust"),
    )
    if not options["from_callers"]:
        return program
    project = None if database is None else callers_of_project(os.fspath(database), paths, preprocess)
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
    _must_be_known(given)
    options = _Given(given)
    native = {True: "sandboxed", False: "off"}.get(options["native"], options["native"])
    return PipelineOptions(
        program=program or library_program_options(paths, given),
        unwind=None if options["unwind"] == "auto" else options.number("unwind", 1),
        unwindset=dict(options["unwindset"]),
        max_unwind=options.number("max_unwind", 1),
        properties=options.names("property"),
        passing=DEFAULT_PASSING if passing is True else int(passing),
        passing_strategy=options.chosen("passing_strategy", get_args(PassingStrategy)),
        measure=options["measure"],
        rank=options.chosen("rank", ("full", "coverage")),
        angelic=options.chosen("angelic", ("weak", "exact")),
        solver=options["solver"],
        solver_only=options["solver_only"],
        timeout=options.number("timeout", 0),
        double_check=options["double_check"],
        replay=_wants_replay(options["replay"], native),
        native=native,
        tests=_tests(options.names("tests")),
        traces=traces,
        backend=options.chosen("backend", tuple(BACKENDS)),
        cbmc_mode=options.chosen("cbmc_mode", ("encode-once", "process")),
        slicing=options.chosen("slice", ("none", "static", "dynamic")),
        units=options.chosen("units", get_args(Granularity)),
        reactive=options.chosen("reactive", (None, True, False)),
        domain=options.chosen("domain", ("examples", "any")),
        ignore_space=options.chosen("ignore_space", (None, True, False)),
        jobs=options.number("jobs", 1) or parallel_processors(),
        effort=options.number("effort", 0),
        tuned=tuple(f"{name}={value}" for name, value in options["policy"].items()),
    )


@contextmanager
def tuned_library_options(changes: Mapping[str, object]) -> Iterator[None]:
    """Inside, the tuning constants that ``changes`` name have other values; raises UsageError for other names."""
    try:
        chosen = policy_with_values(policy(), {name: str(value) for name, value in changes.items()})
    except KeyError as error:
        raise UsageError(
            f"there is no tuning constant {error.args[0]!r}: docs/policy.md lists them"
        ) from error
    except ValueError as error:
        raise UsageError(f"a tuning constant: {error}") from error
    with using_policy(chosen):
        yield


def _must_be_known(given: Mapping[str, Any]) -> None:
    unknown = [name for name in given if name not in DEFAULTS]
    if unknown:
        import difflib

        like = difflib.get_close_matches(unknown[0], DEFAULTS, n=1)
        hint = f"did you mean {like[0]}?" if like else "docs/api.md lists them"
        raise UsageError(f"there is no option {unknown[0]!r}: {hint}")


def _checks(given: Iterable[str]) -> frozenset[str]:
    checks = frozenset([given] if isinstance(given, str) else given)
    unknown = sorted(checks - ALL_CHECKS)
    if unknown:
        known = ", ".join(sorted(ALL_CHECKS))
        raise UsageError(f"unknown check {unknown[0]!r}: choose from {known}")
    return checks


def _environment(options: _Given) -> Surroundings:
    """The world around an entry other than ``main``."""
    size = options["array_size"]
    sizes: dict[str, int] = dict(size) if isinstance(size, Mapping) else {}
    havoc = options["havoc"]
    return Surroundings(
        array_size=sizes.pop("", ARRAY_SIZE)
        if isinstance(size, Mapping)
        else options.number("array_size", 1),
        sizes=sizes,
        depth=options.number("depth", 0),
        nullable=options["nullable"],
        constructs=options["construct"],
        havoc=None if havoc is None or havoc == "all" else options.names("havoc"),
        extents={name: length for name, length in (options["extent"] or {}).items() if name},
        finds_extents=options["extent"] is not None and "" not in options["extent"],
    )


def _tests(paths: Sequence[str]) -> tuple[Case, ...]:
    return tuple(case for path in paths for case in read_imported_tests(path))


def library_options_must_be_native(asked: str, native: str) -> None:
    """Raises UsageError where native executions are off: what was ``asked`` for needs them."""
    if native == "off":
        raise UsageError(f"{asked} executes the program natively, which --native off rules out")


def _wants_replay(asked: bool | None, native: str) -> bool:
    """True if executions are to be replayed natively, which they are by default where the tools are installed.

    Raises UsageError if a replay was asked for and is not possible.
    """
    if native not in ("off", "sandboxed", "on"):
        raise UsageError(f"native={native!r}: not one of off, sandboxed, on")
    if asked:
        library_options_must_be_native("a replay", native)
    if asked is False or native == "off":
        return asked is None  # the result says then why it has none
    from sfo.execution.native.build import missing_native_build_tool

    missing = missing_native_build_tool()
    if asked and missing is not None:
        raise UsageError(f"--replay needs {missing}, which is not installed")
    return missing is None
