"""Recorded behaviour: what a program prints and returns natively, where that depends on nothing but its input.

    with behaviour_recorder(program, sources, flags, "sandboxed") as recorder:
        recorder.record(b"3 4")  ->  RecordedBehaviour(status=0, printed=b"sum 7")     or why there is none

Each text is read three times: twice by a program with the sanitizers whose variables begin as a pattern, once by an
optimized one whose variables begin as zero. What differs, or ends by a signal or a sanitizer, is not recorded.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final, final

from cfrontend.errors import ResourceError
from cfrontend.host.child_processes import ChildProcessWorkplace, run_child_process
from cfrontend.program import Program
from cfrontend.record import dataclass
from sfo.core.executions import Native
from sfo.execution.native.build import NativeBuild, build_natively
from sfo.execution.native.execute import SECONDS, native_process_to_execute

_GUARDED: Final = (
    "-O0",
    "-g",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-ftrivial-auto-var-init=pattern",
)
_OPTIMIZED: Final = ("-O2", "-ftrivial-auto-var-init=zero")
_COMPILE_SECONDS: Final = 60.0
_SETTINGS: Final = {
    "ASAN_OPTIONS": "abort_on_error=1:detect_leaks=0",
    "UBSAN_OPTIONS": "abort_on_error=1",
}

MOST_RECORDED_BYTES: Final = 1 << 16
"""Bytes of printed text above which behaviour is not recorded."""


@final
@dataclass(frozen=True, slots=True)
class RecordedBehaviour:
    """Exit status and printed text of a native execution."""

    status: int
    printed: bytes


@final
@dataclass(frozen=True, slots=True)
class BehaviourSource:
    """A C file of a recorded program: its flags, and a function in it that others have to see (empty: none)."""

    path: Path
    flags: tuple[str, ...] = ()
    exported: str = ""


@final
class BehaviourRecorder:
    """The two native programs whose behaviour is recorded."""

    def __init__(self, place: Path, built: NativeBuild, binaries: tuple[Path, Path]) -> None:
        self._place = place
        self._built = built
        guarded, optimized = binaries
        self._turns = (guarded, optimized, guarded)

    def record(self, text: bytes) -> RecordedBehaviour | str:
        """Behaviour on ``text`` as the standard input; otherwise why it cannot be relied on."""
        seen: list[RecordedBehaviour] = []
        for binary in self._turns:
            behaviour = self._execute(binary, text)
            if isinstance(behaviour, str):
                return behaviour
            seen.append(behaviour)
        if len(set(seen)) > 1:
            return "what it prints or returns depends on more than its input"
        return seen[0]

    def _execute(self, binary: Path, text: bytes) -> RecordedBehaviour | str:
        with (
            tempfile.TemporaryFile() as read,
            tempfile.TemporaryFile() as printed,
            tempfile.TemporaryFile() as told,
        ):
            read.write(text)
            read.flush()
            os.lseek(read.fileno(), 0, os.SEEK_SET)
            build = replace(self._built, binary=binary, coverage=False)
            with native_process_to_execute(
                build,
                self._place,
                _SETTINGS,
                0,
                files={},
                results=told.fileno(),
                stdin=read.fileno(),
                stdout=printed.fileno(),
            ) as child:
                if not child.wait(SECONDS):
                    return "it does not end in time"
            told.seek(0)
            how, _, number = told.readline().decode("ascii", "replace").strip().partition(" ")
            printed.seek(0)
            output = printed.read(MOST_RECORDED_BYTES + 1)
        if how != "exit":
            return f"natively it ends by {how or 'nothing that is known'} {number}".rstrip()
        if len(output) > MOST_RECORDED_BYTES:
            return f"it prints more than {MOST_RECORDED_BYTES} bytes"
        return RecordedBehaviour(int(number), output)


@contextmanager
def behaviour_recorder(
    program: Program, sources: Sequence[BehaviourSource], native: Native
) -> Iterator[BehaviourRecorder]:
    """A recorder of the program that ``sources`` are.

    Raises ResourceError where gcc refuses or nothing may be executed natively.
    """
    with ChildProcessWorkplace("sfo-recorded-") as place:
        built = build_natively(program, place / "build", coverage=False, native=native)
        binaries = (
            _linked(sources, place, "guarded", _GUARDED),
            _linked(sources, place, "optimized", _OPTIMIZED),
        )
        yield BehaviourRecorder(place, built, binaries)


def _linked(sources: Sequence[BehaviourSource], place: Path, name: str, flags: Sequence[str]) -> Path:
    objects = []
    for number, source in enumerate(sources):
        target = place / f"{name}-{number}.o"
        _run(["gcc", "-w", *flags, *source.flags, "-c", str(source.path), "-o", str(target)])
        if source.exported:
            _run(["objcopy", f"--globalize-symbol={source.exported}", str(target)])
        objects.append(str(target))
    binary = place / name
    _run(["gcc", *flags, *objects, "-lm", "-o", str(binary)])
    return binary


def _run(command: Sequence[str]) -> None:
    done = run_child_process(command, seconds=_COMPILE_SECONDS)
    if done.code:
        said = done.errors.decode("utf-8", "replace").strip().splitlines() or ["it says nothing"]
        complaint = next(
            (line for line in said if "error:" in line or "undefined reference" in line), said[-1]
        )
        raise ResourceError(f"{command[0]} does not build what is to be recorded: {complaint.strip()}")
