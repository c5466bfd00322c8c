"""One program that csmith generates, natively and in sfo: both must print the same checksum.

    python -m benchmarks.csmith run program.c 60         what sfo prints, within 60 seconds
    python -m benchmarks.csmith solve program.c 60       what a passing execution prints that a solver finds
    python -m benchmarks.csmith differs program.c        exit code 0 when gcc and sfo disagree (for cvise)

csmith's programs read nothing, have no undefined behaviour and print a checksum of their global variables. gcc
compiles them with ``-O0 -fwrapv -fno-strict-aliasing``; sfo executes them as ``sfo run`` does, on an empty vector.
Symbolically, global variables become inputs that are assumed to have their values, and a solver has to find them.
"""

from __future__ import annotations

import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias, final

from benchmarks.campaign import limit_memory
from cfrontend.bound import Bound
from cfrontend.errors import InputError, ResourceError, SfoError, UsageError
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.source.preprocess import PreprocessOptions
from cfrontend.terms import FALSE, Terms
from sfo.core.executions import Execution
from sfo.formats.vectors import NO_VECTOR
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.run_vectors import run_vectors
from sfo.solvers.ask import solver_to_ask

Way: TypeAlias = Literal["run", "solve"]
"""How sfo comes to the output: on constants, or through formula and solver."""

Kind: TypeAlias = Literal["agree", "wrong", "refused", "timeout", "crash", "skipped"]

KINDS: Final[Mapping[Kind, str]] = {
    "agree": "the same output",
    "wrong": "another output, or a violation",
    "refused": "a construct that sfo does not model",
    "timeout": "no end in sfo within the time limit",
    "crash": "an internal error, or no memory",
    "skipped": "no end in the native execution within its time limit, or none that can be compared",
}
"""How a program can come out."""

INCLUDE: Final = Path(os.environ.get("CSMITH_INCLUDE", "/usr/include/csmith"))
"""Where csmith's run-time headers are."""

NATIVE_SECONDS: Final = 1.0
"""A program whose native execution takes longer is not compared."""

FLAGS: Final = ("-w", "-fwrapv", "-fno-strict-aliasing", f"-I{INCLUDE}")
SANITIZED: Final = (
    "-O1",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-sanitize=signed-integer-overflow,alignment",
)
"""Packed structures make accesses that are not aligned, and signed overflow wraps here."""

_SYMBOLIC_GLOBALS: Final = 3
"""So many global variables become inputs."""

_ITERATIONS: Final = 64
"""Loops whose test depends on inputs are followed so far."""

_GLOBAL: Final = re.compile(r"^static (?:volatile )?(u?int\d+_t) (g_\d+) = ([^;{]*);", re.MULTILINE)
_MAIN: Final = re.compile(r"^int main \(.*\)\n\{\n", re.MULTILINE)


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """How one program came out; ``text`` is the error, or what differs.

    ``seconds`` is the processor time that sfo took: the machine may be busy.
    """

    kind: Kind
    text: str = ""
    seconds: float = 0.0


@final
@dataclass(frozen=True, slots=True)
class OurRun:
    """What sfo says: ``output`` where ``error`` is empty, else which ``kind`` of error it is."""

    kind: Kind
    output: str = ""
    error: str = ""
    seconds: float = 0.0


def version() -> str:
    """The name and version of csmith, whose programs differ from version to version."""
    with tempfile.TemporaryDirectory() as directory:
        command = ["csmith", "--version"]
        done = subprocess.run(command, check=True, cwd=directory, capture_output=True, text=True)
    return done.stdout.splitlines()[0]


def generate(seed: int, options: Sequence[str], target: Path) -> None:
    """The program of a seed, always the same one for the same version of csmith."""
    command = ["csmith", "--seed", str(seed), *options, "--output", str(target)]
    # csmith leaves platform.info in the working directory.
    subprocess.run(command, check=True, cwd=target.parent, timeout=120, capture_output=True)


def with_inputs(text: str, seed: int) -> str | None:
    """The program with some of its global variables as inputs; None where it has none that can be.

    ``static int32_t g_2 = 5L;`` is pinned by an assumption at the start of ``main`` that says so only indirectly:
    ``(g_2 ^ 42) == (5L ^ 42)``.
    """
    found = list(_GLOBAL.finditer(text))
    main = _MAIN.search(text)
    if not found or main is None:
        return None
    first = seed % len(found)
    declared = "void __CPROVER_assume(int);\n"
    pinned = ""
    for ctype, name, value in (m.groups() for m in found[first : first + _SYMBOLIC_GLOBALS]):
        declared += f"{ctype} nondet_{ctype}(void);\n"
        pinned += f"    {name} = nondet_{ctype}();\n"
        pinned += f"    __CPROVER_assume(({name} ^ 42) == ((({ctype})({value})) ^ 42));\n"
    return text[: main.start()] + declared + main[0] + pinned + text[main.end() :]


def examine(source: Path, directory: Path, seconds: float, way: Way = "run", seed: int = 0) -> Outcome:
    """Compare both runs of a program; what is made on the way goes to ``directory``."""
    expected = native(source, directory / "native", ("-O0",))
    if expected is None:
        return Outcome("skipped", "no native execution to compare with")
    if way == "solve":
        text = with_inputs(source.read_text(encoding="utf-8"), seed)
        if text is None:
            return Outcome("skipped", "no global variable to make an input")
        source = directory / "inputs.c"
        source.write_text(text, encoding="utf-8")
    ours = in_own_process(source, seconds, way)
    kind, text = ours.kind, ours.error
    if kind == "agree" and ours.output != expected:
        kind, text = "wrong", f"gcc {expected.strip()!r}, sfo {ours.output.strip()!r}"
    return Outcome(kind, text, ours.seconds)


def native(source: Path, binary: Path, flags: Sequence[str], seconds: float = NATIVE_SECONDS) -> str | None:
    """What the compiled program prints; None when it does not compile, end in time and end well.

    ``seconds`` are processor time; a program that waits for something is no program of csmith.
    """
    command = ["gcc", *FLAGS, *flags, str(source), "-o", str(binary), "-lm"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return None
    limited = ["sh", "-c", f'ulimit -t {math.ceil(seconds)}; exec "$0"', str(binary)]
    done = subprocess.run(limited, capture_output=True, text=True, check=False)
    return None if done.returncode else done.stdout


def in_own_process(source: Path, seconds: float, way: Way = "run") -> OurRun:
    """Run sfo on the program in a process of its own, which may crash or take too long."""
    command = [sys.executable, "-m", "benchmarks.csmith", way, str(source), str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode in {-signal.SIGXCPU, -signal.SIGKILL}:
        return OurRun("timeout", error=f"no end within {seconds:g} s", seconds=seconds)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        return OurRun("crash", error=last[0])
    return OurRun(**json.loads(done.stdout))


def in_sfo(source: Path, way: Way = "run") -> OurRun:
    """Run sfo on the program in this process."""
    options = ProgramOptions(preprocess=PreprocessOptions(include_dirs=(str(INCLUDE),)))
    try:
        return _concrete(source, options) if way == "run" else _solved(source, options)
    except UsageError as error:
        # It misses an input: sfo holds something for unwritten in a program that reads nothing unwritten.
        return OurRun("wrong", error=str(error))
    except InputError as error:
        return OurRun("refused", error=str(error))
    except ResourceError as error:
        return OurRun("timeout", error=str(error))
    except (SfoError, MemoryError) as error:
        return OurRun("crash", error=f"{type(error).__name__}: {error}")


def _concrete(source: Path, options: ProgramOptions) -> OurRun:
    result = run_vectors([str(source)], NO_VECTOR, PipelineOptions(program=options))
    (execution,) = result.dataset.executions
    if execution.outcome == "fail":
        violated = next(p.property for p in result.properties if p.property.id == execution.property)
        what = f"sfo: {violated.location}: violates {violated.id} ({violated.description})"
        return OurRun("wrong", error=what)
    if execution.outcome is None:
        kind: Kind = "timeout" if execution.ended == "leaves the bound" else "wrong"
        return OurRun(kind, error=f"sfo: {execution.ended}")
    return OurRun("agree", execution.output)


def _solved(source: Path, options: ProgramOptions) -> OurRun:
    program = load_c_program([str(source)], options)
    terms = Terms()
    encoded = encode_program(program, Bound(unwind=_ITERATIONS, free=True), terms=terms)
    solver = solver_to_ask("auto", terms)
    oracle = BmcOracle(encoded, SolverQueryLoop(solver), frozenset(p.id for p in program.properties))
    found = oracle.passing(())
    if isinstance(found, Execution):
        return OurRun("agree", found.output)
    if found is not None:
        return OurRun("timeout", error="the solver gave no answer")
    is_cut = encoded.cut != FALSE
    return OurRun("timeout" if is_cut else "wrong", error="sfo: no execution passes within the bound")


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
    """``run FILE SECONDS``, ``solve FILE SECONDS`` or ``differs FILE``."""
    verb, file, *limit = arguments
    if verb == "differs":
        return 0 if differs(Path(file).resolve(), Path.cwd(), 30.0) else 1
    way: Way = "solve" if verb == "solve" else "run"
    seconds = math.ceil(float(limit[0]))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    limit_memory()
    run = replace(in_sfo(Path(file), way), seconds=time.process_time())
    sys.stdout.write(json.dumps(asdict(run)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
