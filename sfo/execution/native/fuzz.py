"""Native fuzzing: a compiled program looks for inputs on which it fails, and tells of them.

    with NativeFuzzer(program, words) as fuzzer:
        fuzzer.order(2000)
        fuzzer.sightings()   ->   [NativeFuzzSighting(outcome="fail", blocks=210, values=(3, -1)), ...]

It makes some thousand executions a second; those of the interpreter are the same to the letter, but hundreds of times
slower. What it tells is a hint: sanitizers do not see all that is checked, and gcc decides what C leaves open. Its work
is ordered and counted, so that the same is told on every machine.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final, Self, final

from cfrontend.errors import InputError, ResourceError
from cfrontend.host.child_processes import ChildProcess, ChildProcessWorkplace
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.units import InputNumber
from sfo.core.executions import Native, Outcome
from sfo.execution.native.build import (
    NativeBuild,
    NativeBuildPurpose,
    build_natively,
    missing_native_build_tool,
)
from sfo.execution.native.execute import native_input_of_execution, native_process_to_execute

_DONE: Final = b"done\n"
"""Line that ends what is told of an order."""

_MOST_TOLD: Final = 64 << 20
"""Bytes that may be told of an order."""

BYTES: Final = 1 << 30
"""Bytes of addresses that a program may have which is not watched from outside."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NativeFuzzSighting:
    """Inputs of calls on which a native execution went as ``outcome`` says, through so many blocks of code."""

    outcome: Outcome
    blocks: int
    values: tuple[InputNumber, ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzingDictionary:
    """Fuzzing dictionary: numbers and texts that the program itself contains."""

    numbers: Sequence[int]
    texts: Sequence[bytes]

    def text(self) -> str:
        """The file for explore.c."""
        numbers = [f"n {number}\n" for number in self.numbers]
        return "".join([*numbers, *(f"w {' '.join(map(str, text))}\n" for text in self.texts if text)])


@final
class NativeFuzzer:
    """Compiles ``program``, and its reference if it has one, in the background, and then lets it look for inputs.

    ``is_over``: nothing will be told. Where ``native`` executions are off, nothing is compiled.
    """

    def __init__(self, program: Program, words: FuzzingDictionary, native: Native = "sandboxed") -> None:
        self._place = ChildProcessWorkplace("sfo-explore-")
        self._words = words
        self._child: ChildProcess | None = None
        self._is_at_work = False
        self.is_over = native == "off" or missing_native_build_tool() is not None
        self._pool = ThreadPoolExecutor(max_workers=2)
        programs = [program] if program.older is None else [program, program.older]
        self._binaries: list[Future[NativeBuild]] = []
        if not self.is_over:
            self._binaries = [
                self._pool.submit(
                    build_natively,
                    one,
                    self.directory / str(number),
                    NativeBuildPurpose(explores=True),
                    native=native,
                )
                for number, one in enumerate(programs)
            ]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._child is not None:
            self._child.end()
        self._place.end_children()
        self._pool.shutdown(cancel_futures=True)
        self._place.close()

    @property
    def directory(self) -> Path:
        """Directory in which the program is compiled."""
        return self._place.path

    def order(self, work: int) -> None:
        """Let the program execute on so many further inputs, where executions are of the usual length.

        Waits for the compiler before the first ones. What was told of the order before has to be read by then.
        """
        if self._child is None and not self.is_over:
            self._start()
        if self._child is None:
            return
        orders = self._child.process.stdin
        assert orders is not None
        try:
            orders.write(b"%d\n" % work)
            orders.flush()
        except OSError:
            self.is_over = True
        self._is_at_work = not self.is_over

    def sightings(self) -> list[NativeFuzzSighting]:
        """What the program tells of the last order; waits until that is carried out."""
        if self._child is None or not self._is_at_work:
            return []
        self._is_at_work = False
        told_to = self._child.process.stdout
        assert told_to is not None
        told: list[NativeFuzzSighting] = []
        left = _MOST_TOLD
        while left > 0 and (line := told_to.readline(left)):
            if line == _DONE:
                return told
            left -= len(line)
            try:
                told.append(_sighting(line.decode()))
            except (ValueError, LookupError):  # the program itself has written there
                break
        self.is_over = True
        return told

    def _start(self) -> None:
        """Start the compiled fuzzer; where the program cannot be compiled nothing will be told."""
        try:
            first, *other = [binary.result() for binary in self._binaries]
        except (InputError, ResourceError, OSError):
            self.is_over = True
            return
        words = self.directory / "words"
        words.write_text(self._words.text(), encoding="ascii")
        settings, files = {"SFO_EXPLORE": "look", "SFO_WORDS": "words"}, {"words": words}
        if other:
            settings["SFO_OTHER"] = "./other"
            files["other"] = other[0].binary
        try:
            self._child = native_process_to_execute(
                first,
                self.directory,
                settings,
                BYTES,
                files=files,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        except OSError:
            self.is_over = True


def _sighting(line: str) -> NativeFuzzSighting:
    outcome, blocks, *values = line.split()
    return NativeFuzzSighting(
        outcome="fail" if outcome == "fail" else "pass",
        blocks=int(blocks),
        values=tuple(map(native_input_of_execution, values)),
    )
