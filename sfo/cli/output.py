"""Output of commands: progress, results, complaints and exit codes."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, final

import click

from cfrontend.errors import Location, UsageError
from cfrontend.host.output_directory import make_directory_below, write_text_below
from sfo.core.budget import BudgetedWork
from sfo.core.interruption import INTERRUPTION
from sfo.report import REPORTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfo.core.repairs import Repair, RepairOfSeveralUnits
    from sfo.core.result import Result

COMMAND_LINE: Final = "sfo.command"
"""Key of the words of the command line in the contexts of click."""

EXIT_INTERNAL: Final = 1
EXIT_USAGE: Final = 2
EXIT_NOTHING_FAILS: Final = 4
EXIT_LIMIT: Final = 5
EXIT_VIOLATED: Final = 10
EXIT_DISAGREES: Final = 11
EXIT_INTERRUPTED: Final = 130
EXIT_BROKEN_PIPE: Final = 141

EXIT_CODES: Final = {
    0: "done (localize: something fails; check: nothing fails within the bound)",
    EXIT_INTERNAL: "an internal error",
    EXIT_USAGE: "options that make no sense",
    3: "a program that cannot be analysed",
    EXIT_NOTHING_FAILS: "nothing fails within the bound",
    EXIT_LIMIT: "a limit was reached; what is known by then is printed",
    EXIT_VIOLATED: "check: some property is violated",
    EXIT_DISAGREES: "replay: some native execution disagrees",
    EXIT_INTERRUPTED: "interrupted; what is known by then is printed",
    EXIT_BROKEN_PIPE: "nobody reads the output",
}
"""Exit codes of all commands, each with its meaning."""


_NUMBER: Final = re.compile(r"\d+")
_COUNTED: Final = re.compile(r"(\d+) of (\d+)")
"""Pattern of how far work is that counts, in a message: the number of what is being done, and of all."""


@final
class Progress:
    """What goes on, on stderr: on a terminal a line that changes and vanishes, else a plain line every ten seconds."""

    AFTER: Final = 1.0
    """Seconds of silence on a terminal."""

    EVERY: Final = 0.5
    """Seconds between two changes of the line."""

    LEAST: Final = 0.05
    """Least share of the work after which what is left is said."""

    PLAIN: Final = 10.0
    """Seconds between two plain lines, and before the first."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._enabled = not quiet
        self._begin = time.monotonic()
        self._message = ""
        self._since = self._begin
        self._done = threading.Event()
        write = self._write if sys.stderr.isatty() else self._write_plain
        self._thread = threading.Thread(target=write, daemon=True)

    def __call__(self, message: str) -> None:
        """Show ``message`` as what is being done from now on; of one that counts, how long the rest may take, too.

        What it says behind a comma, as of the last one that was done, makes it no other work.
        """
        if _NUMBER.sub("", message.partition(",")[0]) != _NUMBER.sub("", self._message.partition(",")[0]):
            self._since = time.monotonic()
        self._message = message

    def _line(self) -> str:
        """The progress line: seconds, the phase, and an estimate of the seconds that it still takes."""
        now, message = time.monotonic(), self._message
        counted, seconds = _COUNTED.search(message), now - self._since
        share = 0.0
        if isinstance(message, BudgetedWork):
            share, clock, message = message.clock.share, message.clock, message.counted
            seconds = min(seconds, now - clock.counted_since) if clock.total else seconds
        elif counted is not None:
            share = (int(counted[1]) - 1) / max(1, int(counted[2]))
        said = f"sfo: {now - self._begin:.0f} s  {message}"
        if not self.LEAST <= share < 1 or seconds < self.AFTER:
            return said
        left = seconds * (1 - share) / share
        least = 0.6 * left if counted is not None else 0.0  # a budget is seldom spent to its end
        return f"{said}, {least:.0f} to {1.5 * left:.0f} s left"

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
            sys.stderr.write(f"\r{printable_message(self._line())[:79]}\x1b[K")
            sys.stderr.flush()
            if self._done.wait(self.EVERY):
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()
                return

    def _write_plain(self) -> None:
        while not self._done.wait(self.PLAIN):
            if not self._message:  # nothing was begun yet
                continue
            # who does not read what goes on does not end it
            with suppress(OSError, ValueError):
                sys.stderr.write(printable_message(f"{self._line()}\n"))
                sys.stderr.flush()


@contextmanager
def under_limits(
    given: Mapping[str, Any], last_words: Callable[[Any], object] | None = None
) -> Iterator[Progress]:
    """Progress on stderr, and the limits of --timeout and --memory, as the command line ``given`` has them.

    ``last_words`` writes what is known where the work is interrupted and comes to no end. Behind the work no
    interruption passes, so that its result is written.
    """
    from sfo.library import limits

    INTERRUPTION.begin_work(last_words)
    memory = given["memory"] or limits.library_memory_limit()
    with (
        Progress(quiet=given["quiet"]) as progress,
        limits.library_limits(given["timeout"], memory),
    ):
        yield progress
    INTERRUPTION.conclude()


_UNPRINTABLE: Final = re.compile(
    "\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Characters that steer a terminal, or are none; names of files and texts of programs may have any of them."""

_BYTE: Final = re.compile("[\udc80-\udcff]")
"""A byte that is no part of a character, as Python reads it from names of files."""


def printable(text: str) -> str:
    """``text`` with all other characters spelled as in C and JSON."""
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def printable_message(text: str) -> str:
    r"""``text`` for people: ``printable``, but bytes that are no UTF-8, as names of files have, are ``\xff``."""
    return printable(_BYTE.sub(lambda found: f"\\x{ord(found[0]) & 0xFF:02x}", text))


def write(text: str, output: str | None) -> None:
    """Write ``text`` to the file ``output``, or to standard output, in colour if that is a terminal."""
    text = printable(text)
    if output is not None:
        write_file(Path(output), text)
    elif sys.stdout.isatty():
        from sfo.report.terminal import show_report_in_terminal

        show_report_in_terminal(text)
    else:
        click.echo(text, nl=False)


def write_file(path: Path, text: str) -> None:
    """Write ``text`` in UTF-8; raises UsageError where the file system refuses."""
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def write_result(result: Result, given: Mapping[str, Any], report: Callable[..., str]) -> str:
    """``result`` in the forms that were asked for, as text what ``report`` makes of it.

    Returns the text that the user sees.
    """
    everything = given["verbose"] > 0
    context = click.get_current_context(silent=True)
    result = replace(result, command=() if context is None else context.meta.get(COMMAND_LINE, ()))
    write_reports(result, given, report)
    form, output = given["format"], given["output"]
    made = _report_in(form, result, report, everything=everything)
    if form in REPORTS and output is None:
        click.echo(made, nl=False)
    else:
        write(made, output)
    return made if form == "text" and output is None else ""


def report_result(
    result: Result | None, given: Mapping[str, Any], report: Callable[..., str], *, violated: int, safe: int
) -> int:
    """Write a result as it was asked for, its edits as patches too; the exit code, ``safe`` where there is none."""
    if result is None:
        return safe
    write_patches(result, given.get("patches"))
    seen = write_result(result, given, report)
    return exit_code(result, seen, violated=violated, safe=safe)


def write_reports(result: Result, given: Mapping[str, Any], report: Callable[..., str]) -> None:
    """Write the files of ``--report``; as text, what ``report`` makes of ``result``."""
    for form, file in given["report"]:
        made = _report_in(form, result, report, everything=given["verbose"] > 0)
        write_file(Path(file), made)


def _report_in(form: str, result: Result, report: Callable[..., str], *, everything: bool) -> str:
    """``result`` in ``form``, printable."""
    if form == "json":
        from sfo.formats.result_json import write_result_json

        return printable(write_result_json(result))
    if form in REPORTS:
        spell = printable if form == "sarif" else printable_message
        return spell(REPORTS[form].write(result, everything=everything))
    return printable_message(report(result, everything=everything))


def exit_code(result: Result, seen: str, *, violated: int, safe: int) -> int:
    """Exit code of a result, with a line on stderr for one that is not what was asked for.

    Nothing is said twice: ``seen`` is the report as far as it stands on standard output.
    """
    if result.stopped is not None:
        if (result.reason or "") not in " ".join(seen.split()):
            complain(result.reason or "")
        return EXIT_INTERRUPTED if result.stopped == "interrupt" else EXIT_LIMIT
    if result.verdict == "violated":
        return violated
    if safe and not seen:
        complain(f"no failing execution within unwind {result.bound.unwind}")
    return safe


def complain(message: str) -> None:
    """Print one line on stderr."""
    click.echo(printable_message(f"sfo: {message}"), err=True)


def complain_at(place: Location) -> None:
    """Print the line of a place on stderr, with a caret; nothing where it is in no file that can be read."""
    from sfo.report.snippets import snippet_of_file

    for line in snippet_of_file(place):
        click.echo(printable_message(line), err=True)


def write_patches(result: Result, folder: str | None) -> None:
    """Write each edit of a result as a patch file into a directory, and say how many; nothing where there is none."""
    if folder is None:
        return
    from sfo.report.wording import repair_groups

    directory = Path(folder)
    make_directory_below(directory)
    good, uncompared, straying = ([], [], []) if result.repairs is None else repair_groups(result.repairs)
    joint = () if result.diagnoses is None else result.diagnoses.repairs
    plausible = () if result.repairs is None else result.repairs.undecided
    groups: tuple[tuple[str, str, Sequence[Repair | RepairOfSeveralUnits]], ...] = (
        ("repair", "verified", (*good, *(pair for pair in joint if not pair.strays), *uncompared)),
        (
            "overfitting",
            "verified, but likely overfitting",
            (*straying, *(pair for pair in joint if pair.strays)),
        ),
        ("plausible", "plausible", plausible),
    )
    for name, _, edits in groups:
        for number, edit in enumerate(edits, start=1):
            write_text_below(directory, f"{name}-{number}.patch", edit.diff)
    said = ", ".join(f"{len(edits)} {kind}" for _, kind, edits in groups if edits or kind == "verified")
    first = next((f", {name}-1.patch first" for name, _, edits in groups if edits), "")
    complain(f"edits written to {directory}: {said}{first}")
