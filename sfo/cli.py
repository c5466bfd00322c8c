"""The command line. Only here does anything exit, print to the user or read ``sys.argv``.

Importing this module imports click and nothing else that takes time: each command imports what it runs.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeVar, final

import click

from cfrontend.errors import SfoError, UsageError
from sfo import __version__

if TYPE_CHECKING:
    from cfrontend.program import ProgramOptions
    from sfo.data import Result
    from sfo.localize import Options

F = TypeVar("F", bound=Callable[..., Any])

EXIT_INTERNAL: Final = 1
EXIT_USAGE: Final = 2
EXIT_NOTHING_FAILS: Final = 4
EXIT_LIMIT: Final = 5
EXIT_VIOLATED: Final = 10
EXIT_INTERRUPTED: Final = 130
EXIT_BROKEN_PIPE: Final = 141

GRANULARITIES: Final = ("statement", "condition", "labelled")
"""Values of ``--units``."""

DEFAULT_PASSING: Final = 20
"""Passing executions that the paper asks for (section 5)."""


# -- values of options -------------------------------------------------------------------------------------------


def _unwind(_context: click.Context, _option: click.Parameter, value: str) -> int | None:
    """``auto`` (None) or a number from 1."""
    if value == "auto":
        return None
    if not _is_count(value):
        raise click.BadParameter(f"{value!r} is neither 'auto' nor a number from 1.")
    return int(value)


def _unwindset(_context: click.Context, _option: click.Parameter, value: str | None) -> dict[str, int]:
    """``main.0:3,f.1:5``: bound by loop."""
    bounds: dict[str, int] = {}
    for item in _names(value):
        loop, _, count = item.rpartition(":")
        if not loop or not _is_count(count):
            raise click.BadParameter(f"{item!r} is not of the form function.loop:K, as in main.0:3.")
        bounds[loop] = int(count)
    return bounds


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) >= 1


def _checks(_context: click.Context, _option: click.Parameter, value: str | None) -> frozenset[str]:
    """``assert,bounds``, or ``none``."""
    from cfrontend.program import ALL_CHECKS, DEFAULT_CHECKS

    if value is None:
        return DEFAULT_CHECKS
    names = _names(value)
    if names == ("none",):
        return frozenset()
    for name in names:
        if name not in ALL_CHECKS:
            known = ", ".join(sorted(ALL_CHECKS))
            raise click.BadParameter(f"unknown check {name!r}: choose from {known}, or none.")
    return frozenset(names)


def _names(value: str | None) -> tuple[str, ...]:
    """The items of a comma-separated list."""
    return tuple(name for item in (value or "").split(",") if (name := item.strip()))


# -- options that commands share ---------------------------------------------------------------------------------

FILES: Final = click.argument("files", nargs=-1, required=True, metavar="FILE...")

PROGRAM_OPTIONS: Final = (
    click.option("--entry", default="main", metavar="F", show_default=True, help="Function where executions start."),
    click.option("--check", "checks", callback=_checks, metavar="LIST",
                 help="Kinds of property that are looked at ('none' for none).  [default: assert,reach,bounds,pointer,div0]"),
    click.option("--units", "granularity", default="statement", show_default=True,
                 type=click.Choice(GRANULARITIES), help="What counts as a unit."),
    click.option("--argv", type=click.IntRange(min=0), default=1, metavar="N", show_default=True, help="Value of argc."),
    click.option("-I", "include_dirs", multiple=True, metavar="DIR", help="Look for headers in DIR."),
    click.option("-D", "defines", multiple=True, metavar="NAME[=VALUE]", help="Define a macro."),
    click.option("-include", "forced_includes", multiple=True, metavar="FILE", help="Include FILE first."),
    click.option("-std", "standard", metavar="STANDARD", help="Language standard, as in -std=c11."),
)  # fmt: skip

BOUND_OPTIONS: Final = (
    click.option("--unwind", callback=_unwind, metavar="auto|K", default="auto", show_default=True,
                 help="Rounds of each loop and depth of recursion; auto: the smallest that fails."),
    click.option("--unwindset", callback=_unwindset, metavar="LOOP:K,...", help="Bounds of single loops, as in main.0:3."),
    click.option("--max-unwind", type=click.IntRange(min=1), default=64, metavar="K", show_default=True,
                 help="Where --unwind auto ends."),
    click.option("--property", "properties", metavar="ID,...", help="Look at these properties only."),
    click.option("--solver", default="auto", metavar="NAME", show_default=True, help="Which solver to use."),
    click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
                 help="End after this time with what is known."),
)  # fmt: skip

RANK_OPTIONS: Final = (
    click.option("--measure", default="naish2", metavar="NAME", show_default=True,
                 help="Suspiciousness measure; opt-NAME is Opt of it."),
    click.option("--rank", type=click.Choice(["coverage"]), default="coverage", show_default=True, help="How to rank."),
)  # fmt: skip

OUTPUT_OPTIONS: Final = (
    click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True,
                 help="Form of the result."),
    click.option("-o", "--output", metavar="FILE", help="Write the result to FILE."),
)  # fmt: skip

TALK_OPTIONS: Final = (
    click.option("-q", "--quiet", is_flag=True, help="No progress."),
    click.option("-v", "--verbose", count=True, help="Everything in the report; -vv: tracebacks too."),
)  # fmt: skip


def _passing(default: int) -> Callable[[F], F]:
    """``--passing[=N]``."""
    return click.option("--passing", type=click.IntRange(min=0), default=default, metavar="[=N]", show_default=True,
                        help=f"Ask N times for a passing execution (without N: {DEFAULT_PASSING}).")  # fmt: skip


def _options(*groups: Sequence[Any]) -> Callable[[F], F]:
    """All options of ``groups`` on a command, in order."""

    def decorate(command: F) -> F:
        options = [option for group in groups for option in group]
        return functools.reduce(lambda decorated, option: option(decorated), reversed(options), command)

    return decorate


class _Command(click.Command):
    """A command whose ``--passing`` takes a value only after ``=``, as GNU options with optional values do."""

    OPTIONAL: ClassVar[dict[str, tuple[str, tuple[str, ...]]]] = {"--passing": (str(DEFAULT_PASSING), ())}
    """By option: its value when none follows, and the words that are a value when they follow."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Fill in the values that were left out."""
        end = args.index("--") if "--" in args else len(args)
        filled = list(args)
        for index, word in enumerate(args[:end]):
            if word in self.OPTIONAL:
                value, values = self.OPTIONAL[word]
                if not set(args[index + 1 : index + 2]) & set(values):
                    filled[index] = f"{word}={value}"
        return super().parse_args(ctx, filled)


class _Show(_Command):
    """``show --units`` alone asks for the units, ``show --units labelled`` for the labelled ones."""

    OPTIONAL: ClassVar = {"--units": (GRANULARITIES[0], GRANULARITIES)}


def _program_options(given: dict[str, Any]) -> ProgramOptions:
    from cfrontend.preprocess import PreprocessOptions
    from cfrontend.program import ProgramOptions

    return ProgramOptions(
        entry=given["entry"],
        checks=given["checks"],
        granularity=given["granularity"],
        argv=given["argv"],
        preprocess=PreprocessOptions(
            include_dirs=given["include_dirs"],
            defines=given["defines"],
            forced_includes=given["forced_includes"],
            standard=given["standard"],
        ),
    )


def _run_options(given: dict[str, Any]) -> Options:
    from sfo.localize import Options

    return Options(
        program=_program_options(given),
        unwind=given["unwind"],
        unwindset=given["unwindset"],
        max_unwind=given["max_unwind"],
        properties=_names(given["properties"]),
        passing=given.get("passing", 0),
        measure=given.get("measure", "naish2"),
        solver=given["solver"],
        timeout=given["timeout"],
    )


# -- progress and output -----------------------------------------------------------------------------------------


@final
class Progress:
    """One line on stderr about what takes longer than a second; nothing unless stderr is a terminal."""

    AFTER: Final = 1.0
    """Seconds of silence."""

    EVERY: Final = 0.5
    """Seconds between two changes of the line."""

    def __init__(self, *, quiet: bool) -> None:
        self._enabled = not quiet and sys.stderr.isatty()
        self._begin = time.monotonic()
        self._message = ""
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._write, daemon=True)

    def __call__(self, message: str) -> None:
        """What happens from now on."""
        self._message = message

    def __enter__(self) -> Self:
        if self._enabled:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._enabled:
            self._thread.join()

    def _write(self) -> None:
        if self._done.wait(self.AFTER):
            return
        while True:
            seconds = time.monotonic() - self._begin
            sys.stderr.write(f"\r{f'sfo: {seconds:.0f} s  {self._message}'[:79]}\x1b[K")
            sys.stderr.flush()
            if self._done.wait(self.EVERY):
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()
                return


def _emit(text: str, output: str | None) -> None:
    """Write ``text`` to the file ``output``, or to standard output, in colour if that is a terminal."""
    if output is not None:
        _write_file(Path(output), text)
    elif sys.stdout.isatty():
        from sfo.report.terminal import show

        show(text)
    else:
        click.echo(text, nl=False)


def _write_file(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def _emit_result(result: Result, given: dict[str, Any], report: Callable[..., str]) -> None:
    """``result`` as JSON, or as the text that ``report`` makes of it."""
    if given["format_"] == "json":
        from sfo.formats.result_json import write_result

        text = write_result(result)
    else:
        text = report(result, everything=given["verbose"] > 0)
    _emit(text, given["output"])


def _exit_code(result: Result, *, violated: int, safe: int) -> int:
    """Exit code of a result, with a line on stderr for one that is not what was asked for."""
    if result.stopped is not None:
        _complain(result.reason or "")
        return EXIT_INTERRUPTED if result.stopped == "interrupt" else EXIT_LIMIT
    if result.verdict == "violated":
        return violated
    if safe:
        _complain(f"no failing execution within unwind {result.bound.unwind}")
    return safe


def _complain(message: str) -> None:
    click.echo(f"sfo: {message}", err=True)


# -- commands ----------------------------------------------------------------------------------------------------


@click.group(
    no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, "--version", prog_name="sfo", message="%(prog)s %(version)s")
def cli() -> None:
    """Fault localisation for C: the statements that every failing execution within a bound must cover."""


@cli.command(cls=_Command)
@FILES
@_passing(0)
@_options(BOUND_OPTIONS, PROGRAM_OPTIONS, RANK_OPTIONS, OUTPUT_OPTIONS, TALK_OPTIONS)
def localize(files: tuple[str, ...], **given: Any) -> int:
    """Rank the units of a C program by how suspicious they are.

    Generates failing executions until no further one could narrow the suspects (Algorithm 1), passing ones with
    --passing, and ranks by a measure. Exit code 4: nothing fails within the bound.
    """
    from sfo.localize import localize as run
    from sfo.report import text

    with Progress(quiet=given["quiet"]) as progress:
        result = run(files, _run_options(given), progress)
    _emit_result(result, given, text.localization)
    return _exit_code(result, violated=0, safe=EXIT_NOTHING_FAILS)


@cli.command(cls=_Command)
@FILES
@click.option("-o", "--output", "directory", required=True, metavar="DIR", help="Where to write the files.")
@_passing(DEFAULT_PASSING)
@_options(BOUND_OPTIONS, PROGRAM_OPTIONS, TALK_OPTIONS)
def generate(files: tuple[str, ...], directory: str, **given: Any) -> int:
    """Write a test suite: vectors.csv, outcomes.csv, matrix.csv and dataset.json.

    The rows of all files are the same executions in the same order, failing ones first.
    """
    from sfo.localize import generate as run
    from sfo.report import text

    with Progress(quiet=given["quiet"]) as progress:
        result = run(files, _run_options(given), progress)
    if result.dataset.executions:
        _write_suite(result, Path(directory))
    _emit(text.localization(result, everything=given["verbose"] > 0), None)
    return _exit_code(result, violated=0, safe=EXIT_NOTHING_FAILS)


def _write_suite(result: Result, directory: Path) -> None:
    from sfo.formats.matrix_csv import write_matrix, write_outcomes
    from sfo.formats.result_json import write_result
    from sfo.formats.vectors import write_vectors

    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the directory {directory}: {error.strerror}") from error
    _write_file(directory / "vectors.csv", write_vectors(result.dataset.executions))
    _write_file(directory / "outcomes.csv", write_outcomes(result.dataset.executions))
    _write_file(directory / "matrix.csv", write_matrix(result.dataset))
    _write_file(directory / "dataset.json", write_result(result))


@cli.command()
@FILES
@_options(BOUND_OPTIONS, PROGRAM_OPTIONS, OUTPUT_OPTIONS, TALK_OPTIONS)
def check(files: tuple[str, ...], **given: Any) -> int:
    """Say of each property whether an execution within the bound violates it.

    Exit code 0: none is violated within the bound; 10: some is.
    """
    from sfo.localize import check as run
    from sfo.report import text

    with Progress(quiet=given["quiet"]) as progress:
        result = run(files, _run_options(given), progress)
    _emit_result(result, given, text.verdict)
    return _exit_code(result, violated=EXIT_VIOLATED, safe=0)


@cli.command()
@FILES
@click.option("--inputs", required=True, metavar="VECTORS.csv", help="Input vectors, one row each.")
@_options(BOUND_OPTIONS, PROGRAM_OPTIONS, RANK_OPTIONS, OUTPUT_OPTIONS, TALK_OPTIONS)
def run(files: tuple[str, ...], inputs: str, **given: Any) -> int:
    """Show the executions of given input vectors, and rank the units if one of them fails."""
    from sfo.formats.vectors import read_vectors
    from sfo.localize import run_vectors
    from sfo.report import text

    table = read_vectors(inputs)
    with Progress(quiet=given["quiet"]) as progress:
        result = run_vectors(files, table, _run_options(given), progress)
    _emit_result(result, given, text.vectors)
    return _exit_code(result, violated=0, safe=0)


@cli.command(cls=_Show)
@FILES
@click.option("--goto", is_flag=True, help="The goto program.")
@click.option("--properties", is_flag=True, help="The properties: id, place, meaning.")
@_options(PROGRAM_OPTIONS, TALK_OPTIONS)
def show(files: tuple[str, ...], *, goto: bool, properties: bool, **given: Any) -> int:
    """Show what the front end makes of a program: its units, or what is asked for."""
    from cfrontend.program import load
    from sfo.report import text

    program = load(files, _program_options(given))
    asked = (
        click.get_current_context().get_parameter_source("granularity")
        is not click.core.ParameterSource.DEFAULT
    )
    shown: list[str] = []
    if asked or not (goto or properties):
        shown.append(text.units(program.units))
    if properties:
        shown.append(text.properties(program.properties))
    if goto:
        shown.append(str(program.goto))
    _emit("\n".join(part.rstrip("\n") + "\n" for part in shown), None)
    return 0


# -- the process -------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; every error is one line on stderr."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return int(cli.main(arguments, prog_name="sfo", standalone_mode=False) or 0)
    except click.ClickException as error:
        _complain(f"error: {_one_line(error.format_message())}")
        return EXIT_USAGE
    except (click.Abort, KeyboardInterrupt):
        _complain("interrupted: nothing is known yet")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except SfoError as error:
        _explain(
            error,
            "error: " if error.exit_code != EXIT_INTERNAL else "internal error, please report it: ",
            arguments,
        )
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - the last line of defence: no traceback for the user
        _explain(error, f"internal error, please report it: {type(error).__name__}: ", arguments)
        return EXIT_INTERNAL


def _explain(error: Exception, prefix: str, arguments: Sequence[str]) -> None:
    """One line about ``error``; with -vv its traceback before it."""
    if "-vv" in arguments:
        import traceback

        traceback.print_exception(error)
    _complain(f"{prefix}{_one_line(str(error))}")


def _one_line(text: str) -> str:
    return " ".join(text.split())
