"""Run a C program natively on input vectors: how it ends, what it prints, which lines gcov saw.

    Native(Path("minmax.c"), directory).run([Vector((1, 2, 0))])  ->  [NativeRun(end="fail", line=23, covered={7, 9, ...}, ...)]

gcc compiles with ``-O0 -fwrapv -fno-strict-aliasing``, the referee of the semantics. ``harness.c`` beside this
module gives the program its inputs and catches every end, so that gcov's counts survive failed assertions.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.conftest import require_tool

HARNESS = Path(__file__).with_name("harness.c")
FLAGS = ("-O0", "-g", "-fwrapv", "-fno-strict-aliasing", "-no-pie", "-w")
UNDEFINED = (
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-sanitize=signed-integer-overflow",
)
"""Flags under which undefined behaviour ends a run (signed overflow is defined here: it wraps)."""


@dataclass(frozen=True, slots=True)
class Vector:
    """Inputs; with a ``seed`` random ones follow when they are used up, without one the run ends."""

    values: tuple[int, ...] = ()
    seed: int = 0

    def text(self) -> str:
        return " ".join(map(str, (self.seed, *self.values)))


@dataclass(frozen=True, slots=True)
class NativeRun:
    """One run: ``end`` is pass, fail, assume, missing, signal-N, undefined or lost.

    ``inputs`` are the values that were read; ``covered`` is None where nobody counted (no gcov, or a crash in
    the middle of a basic block, where its counts mean nothing). ``executable`` are the lines that gcov counts,
    without a ``switch`` whose count is 0: gcov 12 loses some that were executed, such as one in a loop on a plain
    variable.
    """

    end: str
    line: int | None
    inputs: tuple[int, ...]
    printed: str
    covered: frozenset[int] | None
    executable: frozenset[int]


@cache
def _harness(directory: Path, coverage: bool, flags: tuple[str, ...]) -> Path:
    name = f"harness{'-coverage' if coverage else ''}{'-checked' if flags else ''}.o"
    target = directory / name
    define = ["-DSFO_COVERAGE"] if coverage else []
    _compile([*FLAGS, *define, "-c", str(HARNESS), "-o", str(target)])
    return target


def _compile(arguments: Sequence[str]) -> None:
    done = subprocess.run([require_tool("gcc"), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"gcc {' '.join(arguments)}\n{done.stderr}")


class Native:
    """A program compiled for native runs; everything it makes is in ``directory``."""

    def __init__(
        self, source: Path, directory: Path, *, coverage: bool = True, flags: tuple[str, ...] = ()
    ) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.source = source
        self.directory = directory
        self.coverage = coverage
        self.binary = directory / "program"
        self._lines: dict[str, int | None] = {}
        text = source.read_text(encoding="utf-8").splitlines()
        self._switches = frozenset(n for n, line in enumerate(text, start=1) if "switch (" in line)
        object_ = directory / "program.o"
        profile = ["--coverage"] if coverage else []
        _compile([*FLAGS, *flags, *profile, "-c", str(source), "-o", str(object_)])
        harness = _harness(_shared(directory), coverage, flags)
        _compile([*FLAGS, *flags, *profile, str(object_), str(harness), "-o", str(self.binary)])

    def run(self, vectors: Sequence[Vector]) -> list[NativeRun]:
        """One run for each vector."""
        out = self.directory / "runs"
        out.mkdir(exist_ok=True)
        for old in out.glob("*.*"):
            old.unlink()
        given = self.directory / "vectors"
        given.write_text("".join(v.text() + "\n" for v in vectors))
        for n in range(len(vectors)):
            self._prepare(out / str(n))
        environment = {
            **os.environ,
            "SFO_VECTORS": str(given),
            "SFO_OUT": str(out),
            "ASAN_OPTIONS": "detect_leaks=0:handle_segv=0",
        }
        subprocess.run([self.binary], env=environment, capture_output=True, check=True, timeout=60)
        counted = self._gcov(out, len(vectors)) if self.coverage else {}
        return [self._read(out, n, counted.get(n)) for n in range(len(vectors))]

    def _prepare(self, directory: Path) -> None:
        directory.mkdir(exist_ok=True)
        for old in directory.glob("*.gcda"):
            old.unlink()
        note = directory / "program.gcno"
        if self.coverage and not note.exists():
            note.symlink_to(self.directory / "program.gcno")

    def _read(self, out: Path, n: int, counted: dict[int, int] | None) -> NativeRun:
        printed = (out / f"{n}.out").read_bytes().decode("utf-8", "backslashreplace")
        end_file = out / f"{n}.end"
        if not end_file.exists():
            return NativeRun("lost", None, (), printed, None, frozenset())
        end, line, address, *values = end_file.read_text().split()
        where = int(line) or (self._line_of(address) if end != "pass" else None)
        executable = frozenset(k for k, count in (counted or {}).items() if count or k not in self._switches)
        covered = None
        if counted is not None and not end.startswith("signal"):
            covered = frozenset(k for k, count in counted.items() if count)
        return NativeRun(end, where, tuple(map(int, values)), printed, covered, executable)

    def _line_of(self, address: str) -> int | None:
        if address not in self._lines:
            before = f"{int(address, 16) - 1:x}"
            command = [require_tool("addr2line"), "-e", str(self.binary), before]
            text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            match = re.search(r":(\d+)", text)
            self._lines[address] = int(match[1]) if match else None
        return self._lines[address]

    def _gcov(self, out: Path, count: int) -> dict[int, dict[int, int]]:
        """Line counts of each run that left some, by its number."""
        data = [n for n in range(count) if (out / str(n) / "program.gcda").exists()]
        if not data:
            return {}
        files = [f"{n}/program.gcda" for n in data]
        command = [require_tool("gcov"), "--json-format", "--stdout", *files]
        text = subprocess.run(command, cwd=out, capture_output=True, text=True, check=True).stdout
        result: dict[int, dict[int, int]] = {}
        for n, document in zip(data, text.splitlines(), strict=True):
            counts: dict[int, int] = {}
            for file in json.loads(document)["files"]:
                if Path(file["file"]).name != self.source.name:
                    continue
                for line in file["lines"]:
                    number = line["line_number"]
                    counts[number] = counts.get(number, 0) + line["count"]
            result[n] = counts
        return result


def _shared(directory: Path) -> Path:
    """Where the compiled harness is kept: beside the programs."""
    return directory.parent


_UNINITIALISED = re.compile(r"^(\s*)int ((?:\w+, )*\w+);\s*$")


def initialised_copy(source: str, line: int) -> str:
    """The program with the plain ``int`` declaration on ``line`` initialised from the input vector.

    int a, b;   ->   int a = sfo_uninitialised_int(), b = sfo_uninitialised_int();

    The function is declared implicitly, so that every line keeps its number.
    """
    lines = source.splitlines()
    match = _UNINITIALISED.match(lines[line - 1])
    if match is None:
        raise ValueError(f"not a plain declaration: {lines[line - 1]}")
    names = match[2].split(", ")
    lines[line - 1] = (
        f"{match[1]}int " + ", ".join(f"{name} = sfo_uninitialised_int()" for name in names) + ";"
    )
    return "\n".join(lines) + "\n"
