"""CBMC as a child process: where it is, whether it is new enough, what it says within the time it is given.

Its answers are JSON: an array of objects that are told apart by their keys.

    [{"program": ...}, {"messageText": ...}, ..., {"property": ..., "status": "failed", "trace": [...]}]
    -> CbmcExecution(ends="main.assertion.1", drawn=(3, -1))

With ``--stop-on-fail`` the first violated property is an object of its own; when none is violated, an array
``result`` has the status of each.

CBMC has no time limit of its own; one that is killed leaves half a document behind. Its exit codes are 0 (holds),
10 (violated), 6 (cannot read the program, or no answer), 1 (bad option value), 64 (unknown option).
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias, final

from cfrontend.cbmc.instrumentation import DRAWN
from cfrontend.errors import ResourceError, UsageError
from cfrontend.host.child_processes import (
    ChildProcessTimeError,
    FinishedChildProcess,
    run_child_process,
    signal_name,
)

VARIABLE: Final = "SFO_CBMC"
"""Environment variable that names the command, before PATH."""

OLDEST: Final = 6
"""Oldest major version whose options and defaults are those used here."""

_VERSION: Final = re.compile(r"^(\d+)\.(\d+)(\.\d+)?", re.MULTILINE)

_PATIENCE: Final = 20.0
"""Seconds that CBMC may take to say its version."""

_MOST_OUTPUT: Final = 2 << 30
"""Bytes that it may print of a trace."""

OPTIONS: Final = (
    "--no-standard-checks",  # every check is an assertion of the text
    "--no-self-loops-to-assumptions",  # an endless loop leaves the bound, as every loop does
    "--object-bits",
    "16",
)
"""Options of every call of CBMC."""


DATA_MODELS: Final[Mapping[str, tuple[str, ...]]] = {"lp64": (), "ilp32": ("--arch", "i386")}
"""Options of CBMC by data model. ``--32`` alone would leave the 16 bytes of a long double."""


class CbmcProcessFailedError(ResourceError):
    """Error: CBMC ended without an answer.

    It crashed, was killed from outside, or printed something that is no answer.
    """


@final
@dataclass(frozen=True, slots=True)
class CbmcProcess:
    """A CBMC that works: the command and its version."""

    command: str
    version: str
    options: tuple[str, ...] = ()
    """Options of CBMC for a program: its data model."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CbmcProcessUnwinding:
    """Bounds as CBMC takes them: of loops and recursive functions by their names in the text, and of the rest."""

    limits: Mapping[str, int]
    others: int | None

    def options(self) -> tuple[str, ...]:
        """The options that say so."""
        single = ",".join(f"{loop}:{count}" for loop, count in self.limits.items())
        return (
            *(("--unwind", str(self.others)) if self.others is not None else ()),
            *(("--unwindset", single) if single else ()),
        )


def find_cbmc_for_process(environment: Mapping[str, str] = os.environ) -> CbmcProcess:
    """The CBMC to use. Raises UsageError, with what to do, when there is none that fits."""
    name = environment.get(VARIABLE) or "cbmc"
    command = shutil.which(name, path=environment.get("PATH"))
    if command is None:
        said = (
            f"{VARIABLE} names {name!r}, which is no command"
            if environment.get(VARIABLE)
            else "CBMC is not installed"
        )
        raise UsageError(f"{said}: install CBMC 6, or run scripts/get-cbmc, and set {VARIABLE} to its path")
    try:
        done = run_child_process([command, "--version"], seconds=_PATIENCE)
    except (OSError, ResourceError) as error:
        raise UsageError(f"{command} does not run: {error}") from error
    found = _VERSION.search(done.text)
    if found is None:
        raise UsageError(f"{command} does not say its version as CBMC does; set {VARIABLE} to a CBMC 6")
    if int(found[1]) < OLDEST:
        raise UsageError(f"{command} is CBMC {found[0]}, which is too old: {OLDEST}.0 or later is needed")
    return CbmcProcess(command, found[0])


def run_cbmc_process(
    cbmc: CbmcProcess, options: Sequence[str], directory: Path, seconds: float | None
) -> FinishedChildProcess | None:
    """Call CBMC in ``directory``; None when ``seconds`` of wall time did not do.

    Raises CbmcFailedError when CBMC ends by a signal or refuses the text or the options. On every other exception,
    Ctrl-C included, the child is ended too.
    """
    try:
        done = run_child_process(
            [cbmc.command, *OPTIONS, *cbmc.options, *options],
            seconds=seconds,
            place=directory,
            cwd=directory,
            most=_MOST_OUTPUT,
        )
    except ChildProcessTimeError:
        return None
    except OSError as error:
        raise CbmcProcessFailedError(f"{cbmc.command} does not run: {error}") from error
    return _checked(done)


def _checked(output: FinishedChildProcess) -> FinishedChildProcess:
    if output.code < 0 or output.code > 128:
        number = -output.code if output.code < 0 else output.code - 128
        raise CbmcProcessFailedError(f"CBMC was ended by {signal_name(number)}")
    if output.code not in {0, 10}:
        last = "".join(output.complaint.strip().splitlines()[-1:])
        raise CbmcProcessFailedError(f"CBMC gave up with exit code {output.code}{': ' if last else ''}{last}")
    return output


# -- answers ---------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class CbmcExecution:
    """An execution that CBMC has found: how it ``ends`` (the text of the assertion), and what it drew, as words."""

    ends: str
    drawn: tuple[int, ...]


Verdict: TypeAlias = CbmcExecution | None
"""Verdict of CBMC: a violation, or None where no assertion can be violated."""


def read_cbmc_answer(output: FinishedChildProcess) -> Verdict:
    """The answer in ``output``. Raises CbmcFailedError for a document that is cut off or says nothing."""
    try:
        document = json.loads(output.output)
    except ValueError as error:
        raise CbmcProcessFailedError(
            f"CBMC's answer is no JSON document ({len(output.output)} bytes: {error})"
        ) from error
    entries = [entry for entry in document if isinstance(entry, dict)] if isinstance(document, list) else []
    for entry in entries:
        if entry.get("status") == "failed" and "property" in entry:
            return _violation(entry)
        results = entry.get("result")
        if isinstance(results, list):
            return _of_results(results)
    errors = [str(entry["messageText"]) for entry in entries if entry.get("messageType") == "ERROR"]
    raise CbmcProcessFailedError(f"CBMC's answer has no verdict{': ' if errors else ''}{'; '.join(errors)}")


def _of_results(results: list[Any]) -> Verdict:
    for result in results:
        match result:
            case {"status": "FAILURE"}:
                return _violation(result)
            case {"status": "SUCCESS"}:
                continue
            case _:
                raise CbmcProcessFailedError(
                    f"CBMC's answer leaves a property undecided: {str(result)[:200]}"
                )
    return None


def _violation(entry: dict[str, Any]) -> CbmcExecution:
    trace = entry.get("trace")
    if not isinstance(trace, list):
        raise CbmcProcessFailedError("CBMC's answer names a violated property but has no trace")
    return CbmcExecution(str(entry.get("description", "")), tuple(_drawn(trace)))


def _drawn(trace: list[Any]) -> Iterator[int]:
    for step in trace:
        if isinstance(step, dict) and step.get("stepType") == "input" and step.get("inputID") == DRAWN:
            try:
                yield int(step["values"][0]["binary"], 2)
            except (KeyError, IndexError, TypeError, ValueError) as error:
                raise CbmcProcessFailedError("CBMC's trace has an input without a value") from error
