"""Execution of test commands in a copy of their project, one after the other.

    execute_test_commands(["lib.c"], ["make check1", "make check2"], "sandboxed")

A command passes when it ends with 0. One that fails as a compiler call in it failed says nothing of the program.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, final

from cfrontend.errors import InputError, ResourceError, UsageError
from cfrontend.host.child_processes import ChildProcessTimeError, ChildProcessWorkplace
from cfrontend.host.untrusted_files import UntrustedDirectory
from cfrontend.record import dataclass
from sfo.core.executions import Native, Outcome
from sfo.core.policy import policy
from sfo.execution.test_commands.box import COUNTS, TestCommandPlace, make_test_command_place
from sfo.execution.test_commands.compilers import (
    FAILED,
    CompilerCall,
    files_of_failing_test,
    flags_of_sources,
    read_compiler_calls,
)
from sfo.spectra.formats.line_coverage import read_gcov_json

_TIMED_OUT: Final = 124
"""Exit code of a command that ``timeout`` has ended."""

_SECONDS_TO_START: Final = 30.0
"""Seconds that an empty command may take."""

_NOT_FOUND: Final = 127
_NOT_EXECUTABLE: Final = 126
_SIGNALLED: Final = 128


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TestCommandRun:
    """One test: how its command ``ended``, and the counts of the given files and their headers by file and line.

    ``files`` are the C file with ``main`` of the test, where a single one was executed, and those of the library;
    ``flags`` are the options with which they are read.
    """

    __test__ = False

    command: str
    outcome: Outcome
    ended: str
    lines: Mapping[str, Mapping[int, int]]
    files: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def covers(self) -> bool:
        """Whether it executes anything of the given files."""
        return any(count for lines in self.lines.values() for count in lines.values())


@final
@dataclass(frozen=True, slots=True)
class ExecutedTestCommands:
    """The tests of commands that cover something of the given files, and those that only cover code ``elsewhere``."""

    runs: tuple[TestCommandRun, ...]
    elsewhere: tuple[TestCommandRun, ...]


def execute_test_commands(
    paths: Sequence[str],
    commands: Sequence[str],
    native: Native,
    progress: Callable[[str], None] = lambda _message: None,
) -> ExecutedTestCommands:
    """Execute ``commands`` in a copy of the current directory's project, with coverage of the files ``paths``.

    Raises UsageError where they may not be executed or a file is not in the project, InputError for a command that is
    not there or does not build, and where nothing was counted or nothing of the files is covered.
    """
    with ChildProcessWorkplace("sfo-tests-") as work:
        progress("test commands: copying the project")
        place = make_test_command_place(Path(os.path.realpath(work)), native)
        _must_start(place)
        files = {path: _inside(path, place) for path in paths}
        for file in files.values():
            os.utime(place.tree / file.relative_to(place.inside))  # what is made of it is made again
        runs = []
        calls: list[CompilerCall] = []
        for number, command in enumerate(commands, start=1):
            progress(f"test commands: {command}")
            runs.append(_executed(place, files, command, number, calls))
        compiled = {source for call in calls for source in call.sources}
        _must_have_counted(runs, paths, is_compiled=not compiled.isdisjoint(files.values()))
        return ExecutedTestCommands(
            tuple(run for run in runs if run.covers), tuple(run for run in runs if not run.covers)
        )


def _must_start(place: TestCommandPlace) -> None:
    """Raises UsageError where the sandbox does not even execute an empty command, which is no failure of a test."""
    run = place.execute(":", 0, _SECONDS_TO_START)
    if run.code:
        said = run.complaint.strip().partition("\n")[0]
        raise UsageError(f"the sandbox of test commands cannot be made: {said} (--native on does without)")


def _inside(path: str, place: TestCommandPlace) -> Path:
    """The path of a file of the project where its copy is executed."""
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(place.root):
        raise UsageError(f"{path} is not in the project of the test commands, {place.root}: call sfo there")
    return place.inside / real.relative_to(place.root)


def _executed(
    place: TestCommandPlace,
    files: Mapping[str, Path],
    command: str,
    number: int,
    calls: list[CompilerCall],
) -> TestCommandRun:
    """The execution of one command; its compiler calls come to ``calls``."""
    seconds = policy().given_tests.command_seconds
    begin = time.monotonic()
    try:
        run = place.execute(command, number, seconds)
        code, said = run.code, run.complaint
    except ChildProcessTimeError:
        code, said = _TIMED_OUT, ""
    except OSError as error:
        raise UsageError(f"cannot run {command}: {error.strerror}") from None
    is_late = bool(code) and time.monotonic() - begin >= seconds
    left = place.left(number, command)
    calls.extend(read_compiler_calls(left))
    if code:
        _must_be_test_failure(left, command, code, said)
    lines, sources = read_test_coverage(place, left, frozenset(map(str, files.values())))
    tests: tuple[Path, ...] = ()
    flags: Sequence[str] = ()
    if code:
        given = [place.root / file.relative_to(place.inside) for file in files.values()]
        tests = files_of_failing_test(calls, sources, given, place.inside, place.root)
        flags = flags_of_sources(calls, sources, place.inside, place.root) if tests else ()
    return TestCommandRun(
        command=command,
        outcome="fail" if code else "pass",
        ended=f"does not end within {seconds:g} seconds"
        if is_late
        else _ended(code, is_limited=place.sandboxed),
        lines={
            str(place.root / os.path.relpath(file, place.inside)): counts for file, counts in lines.items()
        },
        files=tuple(os.path.relpath(test) for test in tests),
        flags=tuple(flags),
    )


def _must_be_test_failure(left: UntrustedDirectory, command: str, code: int, said: str) -> None:
    """Raises InputError for a command that is not there, or fails as something in it does not compile."""
    if code in (_NOT_FOUND, _NOT_EXECUTABLE):
        last = said.strip().rpartition("\n")[2]
        what = "command not found" if code == _NOT_FOUND else "cannot be executed"
        raise InputError(f"test command {command!r}: {what}{f' ({last})' if last else ''}")
    failed = left.files(FAILED)
    if failed:
        lines = (left.read(failed[0]) or b"").decode("utf-8", "replace").splitlines()
        first = next((line for line in lines if "error" in line), lines[0] if lines else "")
        raise InputError(f"test command {command!r}: a compiler call in it fails: {first.strip()}")


def _ended(code: int, *, is_limited: bool) -> str:
    """How a command ended, in words."""
    if is_limited and code == _SIGNALLED + signal.SIGKILL:
        return "is killed, as by the limits of its sandbox: 4 GiB of memory, 512 processes"
    if code < 0 or code > _SIGNALLED:
        return f"is ended by signal {-code if code < 0 else code - _SIGNALLED}"
    return f"ends with exit code {code}"


def _must_have_counted(runs: Sequence[TestCommandRun], paths: Sequence[str], *, is_compiled: bool) -> None:
    """Raises InputError where nothing of the files was counted."""
    if any(run.covers for run in runs):
        return
    named = ", ".join(paths)
    if is_compiled or any(lines for run in runs for lines in run.lines.values()):
        raise InputError(f"the test commands execute nothing of {named}, as far as gcov has counted")
    raise InputError(
        f"no coverage was written: the test commands did not compile {named} again by a gcc on the path"
        " (one that is named by its path, or clang, is not seen)"
    )


# -- coverage --------------------------------------------------------------------------------------------------


_SOURCE: Final = re.compile(rb"(/[^\0]*?\.c)\0")
"""Pattern of the path of a C file in gcov's notes."""


def read_test_coverage(
    place: TestCommandPlace, left: UntrustedDirectory, files: Collection[str]
) -> tuple[Mapping[str, Mapping[int, int]], tuple[Path, ...]]:
    """The counts by file and line, of ``files`` and what they include, and all C files whose code left any.

    They are in what a command has ``left``, each by the path that its object file had when it was compiled. They are
    copied to a folder of ours, with their notes, and gcov reads them in a sandbox. Raises InputError where it cannot,
    or the command has left something else there.
    """
    lines: dict[str, dict[int, int]] = {}
    sources: dict[Path, None] = {}
    project, inside = place.project, place.inside
    fresh = Path(tempfile.mkdtemp(prefix="coverage-", dir=place.work))
    for data in left.files(COUNTS, ".gcda"):
        compiled = Path("/", *data.split("/")[1:]).with_suffix(".gcno")
        notes = _notes(project, compiled, place)
        if notes is None:
            continue
        named = [os.path.normpath(os.fsdecode(found)) for found in _SOURCE.findall(notes)]
        sources.update(dict.fromkeys(Path(name) for name in named if Path(name).is_relative_to(inside)))
        if not set(named) & set(files):
            continue
        (fresh / "counts.gcno").write_bytes(notes)
        (fresh / "counts.gcda").write_bytes(left.read(data) or b"")
        for file, line, count in _counted(place, fresh, compiled.stem):
            if Path(file).is_relative_to(inside):
                of_file = lines.setdefault(file, {})
                of_file[line] = of_file.get(line, 0) + count
    return lines, tuple(sources)


def _notes(project: UntrustedDirectory, compiled: Path, place: TestCommandPlace) -> bytes | None:
    """The notes of gcov of an object file of the project; None where there are none."""
    if compiled.is_relative_to(place.inside):
        return project.read(compiled.relative_to(place.inside).as_posix())
    if place.sandboxed:  # it was below /tmp of the sandbox, and is gone
        return None
    return UntrustedDirectory(Path("/"), "a test command").read(str(compiled)[1:])


def _counted(place: TestCommandPlace, folder: Path, name: str) -> Iterator[tuple[str, int, int]]:
    """File, line and count of all that gcov says of the counts in a folder, which are of the object file ``name``."""
    if shutil.which("gcov") is None:
        raise InputError("gcov is not installed, which counts what tests cover")
    run = place.counted(folder, "counts.gcda")
    first = run.complaint.strip().partition("\n")[0]
    if run.code:
        raise InputError(f"gcov cannot read the counts of {name}: {first}")
    said = folder / "counts.gcov.json"
    said.write_bytes(run.output)
    try:
        for _, counts in read_gcov_json(said):
            for (file, line), (_, count) in counts.items():
                yield os.path.normpath(file), line, count
    except (UsageError, ResourceError):
        raise InputError(
            f"gcov cannot read the counts of {name}{': ' if first else ''}{first} (was it compiled by another gcc?)"
        ) from None
