"""The command line. Only here does anything exit, print to the user or read ``sys.argv``.

Commands stand in modules by their subjects, imported when one is called or its help is asked for; the table below has
what the list of commands shows.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Final, NoReturn

import click

from cfrontend.errors import SfoError, UsageError
from cfrontend.host.child_processes import end_all_child_processes
from sfo import __version__
from sfo.cli import output
from sfo.cli.configuration import configuration_defaults, place_in_configuration, read_configuration
from sfo.cli.endings import (
    NumpyNeedsRoom,
    complete_streams_until_ending,
    ending_of_command,
    exit_code_of_flushed_ending,
)
from sfo.cli.hints import hint_on_option
from sfo.cli.lazy import COMPLETES, LazyGroup
from sfo.cli.time_limit import begin_of_process
from sfo.core.halt import SEARCH
from sfo.core.interruption import INTERRUPTION

COMMANDS: Final = {
    "localize": "Rank the units of a C program by how suspicious they are.",
    "bisect-explain": "Rank the units by which a commit broke a function, as git bisect has found it.",
    "explain": "Say in words what is known of one unit.",
    "generate": "Write a test suite: vectors, outcomes, matrix and dataset.",
    "repair": "Show edits that leave no failing execution within the bound.",
    "batch": "Localise the faults of many programs with one specification, in a table.",
    "check": "Say of each property whether an execution within the bound violates it.",
    "run": "Show the executions of given input vectors.",
    "replay": "Compare executions of given input vectors with native ones.",
    "profile": "Count how often each unit follows another on given input vectors.",
    "rank": "Rank the units of any coverage matrix by any measure.",
    "reduce": "Name the fewest tests with the same single-fault optimality.",
    "convert": "Convert coverage matrices: GZoltar, TCM, CSV, JSON, gcov, lcov, Cobertura.",
    "evaluate": "Compare techniques on versions with known faults; accuracy graphs.",
    "mutate": "Write faulty versions of a correct C program.",
    "measures": "List the measures with their equations and sources.",
    "show": "Show what the front end makes of a program.",
    "harness": "Print the surroundings of one function as C, to edit.",
    "capture": "Record how a build compiles each C file, for commands on them.",
    "export": "Write the question of a program as SMT-LIB, for any other solver.",
    "doctor": "Show what sfo finds on this machine, and how to get what is missing.",
    "lsp": "Serve an editor: what fails, the suspects, verified edits.",
    "completion": "Print the completions of bash, zsh or fish as a script.",
    "man": "Print the manual page.",
}
"""By command: its line in ``sfo --help``. Command ``x-y`` is the function ``x_y`` of a module of ``sfo.cli``."""

GROUPS: Final = {
    "Find a fault and mend it": (
        "sfo localize sum.c --io examples", ("localize", "repair", "explain", "bisect-explain", "batch"),
    ),
    "Check, test and execute": (
        "sfo check queue.c --entry push --unwind 4", ("check", "generate", "run", "replay", "mutate"),
    ),
    "Coverage and measures": (
        "sfo rank matrix.csv --measure ochiai",
        ("rank", "reduce", "convert", "profile", "measures", "evaluate"),
    ),
    "Programs and this machine": (
        "sfo doctor",
        ("show", "harness", "capture", "export", "doctor", "lsp", "completion", "man"),
    ),
}  # fmt: skip
"""By heading of ``sfo --help``: an example, and the commands below it."""

_MODULES: Final = {
    "localize": ("bisect-explain", "repair", "explain"),
    "vectors": ("run", "replay", "profile"),
    "front_end": ("show", "harness", "export"),
    "matrices": ("rank", "measures", "convert", "reduce"),
    "manual": ("man", "completion"),
}
"""By module: the commands in it that are not called like it."""

WORDS_OF_OTHER_TOOLS: Final = {
    "verify": "check",
    "prove": "check",
    "locate": "localize",
    "diagnose": "localize",
    "debug": "localize",
    "bisect": "bisect-explain",
    "test": "generate",
    "fuzz": "generate",
    "patch": "repair",
    "fix": "repair",
    "grade": "batch",
    "mark": "batch",
    "minimise": "reduce",
    "minimize": "reduce",
}
"""By word that a user may try: the command that is suggested."""


_COLLECTED: Final = (1_000_000, 10, 100)
"""Objects between two looks for cycles among the new ones, and how often among the older ones.

What an analysis makes is mostly kept: with Python's own limits a fifth of the time was spent looking for cycles, with
a fifth of these one fortieth, and no more memory is taken.
"""


def _command(name: str) -> click.Command:
    """The command ``name``, which is in the table."""
    module = next((module for module, names in _MODULES.items() if name in names), name)
    command: click.Command = getattr(import_module(f"sfo.cli.{module}"), name.replace("-", "_"))
    return command


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    groups=GROUPS,
    load=_command,
    others=WORDS_OF_OTHER_TOOLS,
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
)
@click.version_option(__version__, "--version", prog_name="sfo", message="%(prog)s %(version)s")
def cli() -> None:
    """Fault localisation for C: the statements that every failing execution within a bound must cover."""


def main(arguments: Sequence[str] | None = None, begin: float | None = None) -> int:
    """Run the command line and return its exit code; every error is one line on stderr.

    A time limit counts from ``begin`` on, a time of ``time.monotonic``; without it, from where the analysis begins.
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    INTERRUPTION.begin_work()
    try:
        return _invoke(arguments, begin)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last line of defence: no traceback for the user
        code = output.EXIT_INTERRUPTED
        if type(error) is RuntimeError and isinstance(error.__cause__, KeyboardInterrupt):
            error = error.__cause__
        # The last words may be interrupted in their turn, and there may be nowhere to say them.
        with suppress(KeyboardInterrupt, OSError):
            INTERRUPTION.conclude()
            if type(error) is KeyboardInterrupt and INTERRUPTION.say_last_words():
                return code
            code, line = ending_of_command(error)
            if isinstance(error, OSError):
                code = exit_code_of_flushed_ending(code)
            if "-vv" in arguments and not isinstance(error, click.exceptions.Exit):
                import traceback

                traceback.print_exception(error)
            if line is not None:
                output.complain(" ".join(line.split()))
                if isinstance(error, SfoError) and error.location is not None and error.location.column:
                    output.complain_at(error.location)
        return code


def _invoke(arguments: list[str], begin: float | None) -> int:
    """The exit code of the command that ``arguments`` name; raises whatever it raises."""
    if COMPLETES in os.environ:
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "sfo", COMPLETES, os.environ[COMPLETES])
    configuration = read_configuration(Path.cwd())
    default_map = {} if configuration is None else configuration_defaults(configuration)
    try:
        with cli.make_context("sfo", arguments, default_map=default_map, obj=begin) as context:
            context.meta[output.COMMAND_LINE] = ("sfo", *arguments)
            return int(cli.invoke(context) or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return output.EXIT_USAGE
    except click.NoSuchOption as error:
        raise UsageError(_elsewhere(error) or hint_on_option(error)) from error
    except click.ClickException as error:
        place = place_in_configuration(error, configuration)
        raise UsageError(f"{f'{place}: ' if place else ''}{error.format_message()}") from error


def _elsewhere(error: click.NoSuchOption) -> str:
    """Message on an option that other commands have; empty where none does."""
    from sfo.library.option_table import OPTIONS

    name = error.option_name
    commands = " ".join(one.commands for one in OPTIONS if name in one.flags.replace("/", " ").split())
    having = [command for command in COMMANDS if command in commands.split()]
    if error.ctx is None or not having:
        return ""
    said = having[0] if len(having) == 1 else f"{', '.join(having[:-1])} and {having[-1]}"
    return f"{error.ctx.info_name} has no option {name}: {said} ha{'s' if len(having) == 1 else 've'} it"


def console() -> NoReturn:
    """The command ``sfo``: ``main`` as a process of its own.

    The process ends without the interpreter giving back its memory piece by piece, which took a tenth of a small
    analysis. A limit or a second Ctrl-C may leave a solver that has not seen its interruption yet: nothing is taken
    from it at all. To be asked to end, as ``timeout`` and job systems do, is the same as Ctrl-C: what is known is
    printed. So is SIGINT where the process was started with it ignored, as shells do in the background.
    """
    gc.set_threshold(*_COLLECTED)
    complete_streams_until_ending()
    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # its threads take memory, and a lack of that ends the process
    sys.meta_path.insert(0, NumpyNeedsRoom())
    sys.unraisablehook = INTERRUPTION.lose
    INTERRUPTION.listen(_end_what_was_started)
    code = output.EXIT_INTERRUPTED
    with suppress(KeyboardInterrupt):
        code = main(begin=begin_of_process())
    INTERRUPTION.is_over = True
    if INTERRUPTION.is_requested and code != output.EXIT_INTERNAL:
        code = output.EXIT_INTERRUPTED
    code = exit_code_of_flushed_ending(code)
    _end_what_was_started()
    os._exit(code)


def _end_what_was_started() -> None:
    """Remove temporary directories, and end copies of this process and children."""
    if not any(thread.name == SEARCH for thread in threading.enumerate()):
        atexit._run_exitfuncs()  # noqa: SLF001 - as multiprocessing does: temporary directories go
    end_all_child_processes()
