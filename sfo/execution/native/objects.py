"""Compiling single files of a native build: objects, the launcher, and objects that a later build will need.

compile_object(directory, headers, seconds, source)  ->  directory/source.object
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from pathlib import Path
from typing import Final, final

from cfrontend.errors import ResourceError
from cfrontend.host.child_processes import ChildProcessTimeError, run_child_process
from cfrontend.record import dataclass

_BYTES: Final = 4 << 30
"""Bytes of memory that a tool of the compiler may have."""

LAUNCH: Final = Path(__file__).with_name("launch.c")
"""Launcher that starts a compiled program inside its limits."""

MODEL_PREFIX: Final = "sfo-model-"
"""Prefix of the names of library models in a build."""

BUILD_SECONDS: Final = 120.0

_SAYS_WHY: Final = re.compile(r"error|undefined|cannot find")
"""Pattern of the line in which gcc or the linker says why it gives up."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SourceToBuild:
    """A C file to compile: its name in the build's directory, its text, gcc's flags.

    ``symbols`` are options of objcopy by which symbols and sections of the object are then renamed.
    """

    name: str
    text: bytes
    flags: tuple[str, ...]
    symbols: tuple[str, ...] = ()

    @property
    def object(self) -> str:
        """The object file's name."""
        return f"{Path(self.name).stem}.o"


@final
class NativeBuildRefusalError(ResourceError):
    """gcc does not compile a program: ``complaint`` is all that it says."""

    def __init__(self, message: str, complaint: str) -> None:
        super().__init__(message)
        self.complaint: Final = complaint


_LAUNCHERS: Final[list[Path]] = []
"""The launcher that was compiled last in this process, if there is one; it goes with the directory of its build."""

_AHEAD: Final[dict[tuple[int, SourceToBuild], Future[Path]]] = {}
"""Objects that are compiled before a build asks for them, by process; they go with the directory of whoever asked."""


def make_directory_of_headers(directory: Path) -> Path:
    """Directory of the headers of a build in ``directory``, both made where they are not there.

    No parent is made: where the workplace has been closed, as by Ctrl-C, nothing comes back. Raises OSError then.
    """
    headers = directory / "headers"
    directory.mkdir(exist_ok=True)
    headers.mkdir(exist_ok=True)
    return headers


def compile_launcher(launcher: Path, directory: Path, seconds: float) -> None:
    """Compile the launcher, which is the same for all programs: another build's one serves as long as it is there."""
    if launcher.exists():
        return
    for made in tuple(_LAUNCHERS):
        with suppress(OSError):
            os.link(made, launcher)
            return
    run_build_tool(["gcc", "-w", str(LAUNCH), "-o", str(launcher)], directory, seconds)
    _LAUNCHERS[:] = [launcher]


def compile_objects_ahead(
    pool: Executor, directory: Path, sources: Sequence[SourceToBuild], seconds: float = BUILD_SECONDS
) -> None:
    """Have ``pool`` compile what a later build of this process needs, as long as ``directory`` is there.

    That build links what it finds, and waits for what is being compiled.
    """
    headers = make_directory_of_headers(directory)

    def compiled(source: SourceToBuild) -> Path:
        (directory / source.name).write_bytes(source.text)
        _compile(directory, headers, seconds, source)
        return directory / source.object

    _AHEAD.clear()
    for source in sources:
        _AHEAD[os.getpid(), source] = pool.submit(compiled, source)


def compile_object(directory: Path, headers: Path, seconds: float, source: SourceToBuild) -> None:
    """Compile one file in ``directory``, where that is not done yet; ``headers`` stand before those of the system."""
    file, target = directory / source.name, directory / source.object
    made, options = Path(f"{target}.made"), repr((source.flags, source.symbols))
    if made.exists() and made.read_text() == options and file.read_bytes() == source.text:
        return
    file.write_bytes(source.text)
    if not _is_linked(source, target, seconds):
        _compile(directory, headers, seconds, source)
    made.write_text(options)


def _is_linked(source: SourceToBuild, target: Path, seconds: float) -> bool:
    """Link an object that was compiled ahead; false where there is none, and in a copy of the process that did so."""
    ahead = _AHEAD.get((os.getpid(), source))
    if ahead is None:
        return False
    with suppress(OSError, ResourceError, CancelledError):
        made = ahead.result(seconds)
        target.unlink(missing_ok=True)
        os.link(made, target)
        return True
    return False


def _compile(directory: Path, headers: Path, seconds: float, source: SourceToBuild) -> None:
    """Compile one file, which is in ``directory``."""
    target = str(directory / source.object)
    file = directory / source.name
    run_build_tool(
        ["gcc", *source.flags, f"-isystem{headers}", "-c", str(file), "-o", target], directory, seconds
    )
    # The linker wants definitions of hidden symbols, also where nothing comes to them.
    hidden = () if source.name.startswith(MODEL_PREFIX) else _hidden_elsewhere(target, directory)
    weak = [f"--weaken-symbol={name}" for name in hidden]
    if source.symbols or weak:
        run_build_tool(["objcopy", *weak, *source.symbols, target], directory)


def _hidden_elsewhere(target: str, directory: Path) -> list[str]:
    """The hidden symbols that an object file refers to and does not define."""
    rows = [line.split() for line in run_build_tool(["readelf", "-sW", target], directory).splitlines()]
    return [row[-1] for row in rows if row[5:7] == ["HIDDEN", "UND"]]


def run_build_tool(command: Sequence[str], directory: Path, seconds: float = BUILD_SECONDS) -> str:
    """What a tool prints that works for the build in ``directory``, and ends with it."""
    try:
        environment = {**os.environ, "LC_ALL": "C", "TMPDIR": str(directory)}
        done = run_child_process(command, seconds=seconds, place=directory, env=environment, memory=_BYTES)
    except ChildProcessTimeError as error:
        raise ResourceError(f"{command[0]} did not end within {seconds:.0f} seconds") from error
    except OSError as error:
        raise ResourceError(f"cannot run {command[0]}: {error.strerror}") from error
    if done.code:
        complaints = done.complaint.splitlines()
        lines = [line for line in complaints if _SAYS_WHY.search(line)]
        said = (lines or complaints or ["no message"])[0].strip()
        message = f"{command[0]} cannot compile the program for the native execution: {said}"
        raise NativeBuildRefusalError(message, done.complaint)
    return done.text
