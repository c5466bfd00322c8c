"""One program that csmith generates, natively and in sfo: both must print the same checksum.

    python -m benchmarks.csmith run program.c            what sfo prints
    python -m benchmarks.csmith differs program.c        exit code 0 when gcc and sfo disagree (for cvise)

csmith's programs read nothing, have no undefined behaviour and print a checksum of their global variables. gcc
compiles them with ``-O0 -fwrapv -fno-strict-aliasing``; sfo executes them as ``sfo run`` does, on an empty vector.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias, final

from cfrontend.errors import InputError, Location, ResourceError, SfoError, UsageError
from cfrontend.preprocess import PreprocessOptions
from cfrontend.program import ProgramOptions
from sfo.data import Result
from sfo.formats.vectors import InputVector, VectorTable
from sfo.localize import Options, run_vectors

Kind: TypeAlias = Literal["agree", "wrong", "refused", "timeout", "crash", "skipped"]

KINDS: Final[Mapping[Kind, str]] = {
    "agree": "the same output",
    "wrong": "another output, or a violation",
    "refused": "a construct that sfo does not model",
    "timeout": "no end in sfo within the time limit",
    "crash": "an internal error, or no memory",
    "skipped": "no end in the native run within its time limit, or none that can be compared",
}
"""How a program can come out."""

INCLUDE: Final = Path(os.environ.get("CSMITH_INCLUDE", "/usr/include/csmith"))
"""Where csmith's run-time headers are."""

NATIVE_SECONDS: Final = 1.0
"""A program whose native run takes longer is not compared."""

FLAGS: Final = ("-w", "-fwrapv", "-fno-strict-aliasing", f"-I{INCLUDE}")
SANITIZED: Final = (
    "-O1",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-sanitize=signed-integer-overflow,alignment",
)
"""Packed structures make accesses that are not aligned, and signed overflow wraps here."""

_MEMORY: Final = 6 << 30
"""Bytes of address space that sfo may take."""


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """How one program came out; ``text`` is the error, or what differs. Seconds are wall time."""

    kind: Kind
    text: str = ""
    native_seconds: float = 0.0
    seconds: float = 0.0
    load_seconds: float = 0.0


@final
@dataclass(frozen=True, slots=True)
class OurRun:
    """What sfo says: ``output`` where ``error`` is empty, else which ``kind`` of error it is."""

    kind: Kind
    output: str = ""
    error: str = ""
    load_seconds: float = 0.0


def generate(seed: int, options: Sequence[str], target: Path) -> None:
    """The program of a seed, always the same one for the same version of csmith."""
    command = ["csmith", "--seed", str(seed), *options, "--output", str(target)]
    # csmith leaves platform.info in the working directory.
    subprocess.run(command, check=True, cwd=target.parent, timeout=120, capture_output=True)


def examine(source: Path, directory: Path, seconds: float) -> Outcome:
    """Compare both runs of a program; what is made on the way goes to ``directory``."""
    begin = time.monotonic()
    expected = native(source, directory / "native", ("-O0",))
    native_seconds = time.monotonic() - begin
    if expected is None:
        return Outcome("skipped", native_seconds=native_seconds)
    begin = time.monotonic()
    ours = in_own_process(source, seconds)
    passed = time.monotonic() - begin
    if ours.error:
        return Outcome(ours.kind, ours.error, native_seconds, passed, ours.load_seconds)
    if ours.output != expected:
        text = f"gcc {expected.strip()!r}, sfo {ours.output.strip()!r}"
        return Outcome("wrong", text, native_seconds, passed, ours.load_seconds)
    return Outcome("agree", "", native_seconds, passed, ours.load_seconds)


def native(source: Path, binary: Path, flags: Sequence[str], seconds: float = NATIVE_SECONDS) -> str | None:
    """What the compiled program prints; None when it does not compile, end in time and end well."""
    command = ["gcc", *FLAGS, *flags, str(source), "-o", str(binary), "-lm"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return None
    try:
        done = subprocess.run([binary], capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    return None if done.returncode else done.stdout


def in_own_process(source: Path, seconds: float) -> OurRun:
    """Run sfo on the program in a process of its own, which may crash or take too long."""
    command = [sys.executable, "-m", "benchmarks.csmith", "run", str(source)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return OurRun("timeout", error=f"no end within {seconds:g} s")
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        return OurRun("crash", error=last[0])
    return OurRun(**json.loads(done.stdout))


def in_sfo(source: Path) -> OurRun:
    """Run sfo on the program in this process."""
    options = Options(
        program=ProgramOptions(preprocess=PreprocessOptions(include_dirs=(str(INCLUDE),))),
    )
    nothing = InputVector(values=(), location=Location("", 0), columns=())
    try:
        result = run_vectors([str(source)], VectorTable(file="", names=(), vectors=(nothing,)), options)
    except UsageError as error:
        # It misses an input: sfo holds something for unwritten in a program that reads nothing unwritten.
        return OurRun("wrong", error=str(error))
    except InputError as error:
        return OurRun("refused", error=str(error))
    except ResourceError as error:
        return OurRun("timeout", error=str(error))
    except (SfoError, MemoryError) as error:
        return OurRun("crash", error=f"{type(error).__name__}: {error}")
    return _read(result)


def _read(result: Result) -> OurRun:
    (execution,) = result.dataset.executions
    seconds = result.statistics.seconds
    load = sum(seconds.get(stage, 0.0) for stage in ("preprocess", "parse", "lower"))
    if execution.outcome == "fail":
        violated = next(p.property for p in result.properties if p.property.id == execution.property)
        what = f"sfo: {violated.location}: violates {violated.id} ({violated.description})"
        return OurRun("wrong", error=what, load_seconds=load)
    if execution.outcome is None:
        kind: Kind = "timeout" if execution.ended == "leaves the bound" else "wrong"
        return OurRun(kind, error=f"sfo: {execution.ended}", load_seconds=load)
    return OurRun("agree", execution.output, load_seconds=load)


def differs(source: Path, directory: Path, seconds: float) -> bool:
    """Whether a reduced program is well defined as far as gcc can tell, and sfo is wrong about it."""
    expected = native(source, directory / "native", ("-O0",))
    if expected is None or "checksum" not in expected:
        return False
    strict = ("-Werror=uninitialized", "-Werror=return-type", "-Werror=implicit-function-declaration")
    for number, flags in enumerate((SANITIZED, ("-O2", *strict), ("-O0", "-ftrivial-auto-var-init=pattern"))):
        if native(source, directory / f"referee{number}", flags, 3 * NATIVE_SECONDS) != expected:
            return False
    ours = in_own_process(source, seconds)
    return ours.kind == "wrong" or (ours.kind == "agree" and ours.output != expected)


def main(arguments: Sequence[str]) -> int:
    """``run FILE`` or ``differs FILE``."""
    verb, file = arguments
    if verb == "differs":
        return 0 if differs(Path(file).resolve(), Path.cwd(), 30.0) else 1
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    sys.stdout.write(json.dumps(asdict(in_sfo(Path(file)))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
