"""Native executions of a built program on many input vectors, in a sandbox, with gcov's counts of each.

    NativeProgram(build(program, directory)).run([vector]) -> [NativeExecution(end="fail", line=("minmax.c", 23), ...)]

Every execution is a process of its own, forked by the harness: without network where the system allows that, with
limits on time, memory and output, standard input empty, the directory its own. It can start no process. The limits are
there before any code of the program is executed (launch.c). The process group is killed when the harness ends, or does
not end in time. An execution that was lost, as it could not be started or somebody else killed it, says nothing of the
program.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import IO, Final, Self, final

from cfrontend.encode_options import EncodeFixedValues
from cfrontend.errors import ResourceError
from cfrontend.host.child_processes import (
    ChildProcess,
    ChildProcessWorkplace,
    run_child_process,
    signal_name,
)
from cfrontend.host.guard import remove_directory
from cfrontend.program import Program, program_without_reference
from cfrontend.record import dataclass
from cfrontend.source.compiled_text import only_analysed_or_compiled
from cfrontend.terms.floats import FORMATS
from cfrontend.terms.floats.text import parse_float_text, show_float_text
from cfrontend.units import FLOATING_TYPES, InputNumber
from sfo.core.executions import ENDLESS, Execution, ExecutionInputValue, ExecutionNativeCheck, Native
from sfo.core.interpret import interpret_execution
from sfo.core.interruption import INTERRUPTION
from sfo.core.policy import policy
from sfo.execution.native.build import (
    HARNESS_NAME,
    NativeBuild,
    NativeBuildPlan,
    NativeBuildPurpose,
    build_natively,
    native_build_runtime,
)
from sfo.execution.native.compare import (
    LOST,
    ComparedNativeExecution,
    Line,
    compare_native_execution,
    native_check,
    predict_execution_to_compare,
)
from sfo.execution.native.objects import MODEL_PREFIX, compile_objects_ahead

SECONDS: Final = 10.0
"""Seconds that one native execution may take."""

_PATIENCE: Final = 2.0
"""Seconds that a native execution may take that should not terminate."""

BYTES: Final = 2_000_000_000
"""Bytes of memory that one native execution may have."""

_PROCESSES: Final = 512
"""Processes that may be in a sandbox at the same time."""

_LEFT: Final = re.compile(r"[0-9]{1,9}\.(?:end|out)")
"""Names of the files that an execution leaves, its coverage apart."""

_SAID: Final = 10_000
"""Bytes that are read of what a process says that could not run the program."""

_ROUNDS: Final = 1_000_000
"""Rounds of a loop of a concrete execution: every loop to its end."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NativeMemoryFill:
    """Bytes for memory that nobody wrote: from ``offset`` of object number ``ordinal`` of ``object``."""

    object: int
    ordinal: int
    offset: int
    data: bytes


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NativeInputVector:
    """Inputs: of calls, in order, and of memory. With a ``seed`` random ones follow; without one the execution ends.

    A floating value is spelled, or ``x`` with its bits in hexadecimal.
    """

    values: tuple[InputNumber, ...] = ()
    fills: tuple[NativeMemoryFill, ...] = ()
    seed: int = 0

    def text(self) -> str:
        """The line of the harness' file."""
        words = [str(self.seed), str(len(self.values)), *map(str, self.values), str(len(self.fills))]
        for fill in self.fills:
            words += [str(fill.object), str(fill.ordinal), str(fill.offset), fill.data.hex()]
        return " ".join(words) + "\n"


# -- running -----------------------------------------------------------------------------------------------------


def execute_natively(
    built: NativeBuild,
    home: Path,
    settings: Mapping[str, str],
    seconds: float,
    bytes_: int = 0,
    *,
    files: Mapping[str, Path],
    kept: Sequence[int] = (),
) -> NativeExecutionOutcome:
    """Execute a built program, working in ``home``, until it ends.

    After ``seconds`` it is killed, with all that it started. It may have so many ``bytes_`` of addresses, 0 for any
    number, reads ``files`` by their names, and has the descriptors ``kept``.
    """
    said, left = home / "said", home / "left"
    try:
        with (
            said.open("wb") as stream,
            left.open("wb") as results,
            native_process_to_execute(
                built,
                home,
                settings,
                bytes_,
                files=files,
                kept=kept,
                results=results.fileno(),
                stderr=stream,
            ) as child,
        ):
            if not child.wait(seconds):
                return NativeExecutionOutcome(f"its process did not end within {seconds:.0f} seconds")
            code = child.process.returncode
        text = said.read_bytes()[:_SAID].decode("utf-8", "replace").strip()
        ended, written = _results(left.read_bytes())
    except OSError as error:
        return NativeExecutionOutcome(f"its process cannot be started: {error.strerror}")
    code = code if ended is None else ended
    return NativeExecutionOutcome(_why(code, text) if code or text else "", written)


@final
@dataclass(frozen=True, slots=True)
class NativeExecutionOutcome:
    """Outcome of a process that executes: ``why`` it did not end regularly, if so, and the files that it has left.

    Sanitizers that find no memory say so, and end with exit code 0.
    """

    why: str
    files: Mapping[str, bytes] = MappingProxyType({})


def _results(told: bytes) -> tuple[int | None, dict[str, bytes]]:
    """Exit code of a program, negative for a signal, and its files, as launch.c tells of them, as far as it does."""
    files: dict[str, bytes] = {}
    head, _, rest = told.partition(b"\n")
    how, _, number = head.decode("ascii", "replace").partition(" ")
    if how not in ("exit", "signal") or not number.isdecimal():
        return None, files
    while rest:
        line, _, rest = rest.partition(b"\n")
        size, _, name = line.partition(b" ")
        if not size.isdigit() or int(size) > len(rest):
            break
        files[os.fsdecode(name)] = rest[: int(size)]
        rest = rest[int(size) :]
    return int(number) if how == "exit" else -int(number), files


def native_process_to_execute(
    built: NativeBuild,
    home: Path,
    settings: Mapping[str, str],
    bytes_: int,
    *,
    files: Mapping[str, Path],
    kept: Sequence[int] = (),
    results: int | None = None,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
    stderr: IO[bytes] | int = subprocess.DEVNULL,
) -> ChildProcess:
    """The process of a built program inside its limits and its sandbox, the first of its group.

    Raises OSError where there can be none.
    """
    box = home / "box"
    remove_directory(str(box))
    box.mkdir()
    with ExitStack() as opened:
        inputs = {
            name: opened.enter_context(path.open("rb")).fileno()
            for name, path in {"program": built.binary, **files}.items()
        }
        numbers = [*inputs.values(), *kept, *([] if results is None else [results])]
        command = [
            *built.sandbox.launching(built.launcher),
            str(bytes_),
            str(_PROCESSES),
            str(-1 if results is None else results),
            *(f"{name}={value}" for name, value in {"TZ": "UTC0", **settings}.items()),
            "--",
            *(f"{name}={number}" for name, number in inputs.items()),
        ]
        return ChildProcess(
            command, env={}, cwd=box, stdin=stdin, stdout=stdout, stderr=stderr, files=numbers
        )


def _why(code: int, said: str) -> str:
    """Reason why the process that starts the executions ended irregularly."""
    if code < 0:
        return f"its process was killed by {signal_name(-code)}"
    line = next((line for line in said.splitlines() if line.strip("= ")), "")
    line = re.sub(r"^==\d+==", "", line)  # the number of the process
    return f"its process ended with exit code {code}" + (f": {line.strip()}" if line else "")


@final
class ExecutableNativeProgram:
    """A built program that can be executed on input vectors."""

    def __init__(self, built: NativeBuild, program: Program) -> None:
        self.build = built
        self._switches = frozenset(
            (file, n)
            for file, lines in program.files.items()
            for n, line in enumerate(lines, start=1)
            if re.search(r"\bswitch\b", line)
        )

    def run(
        self, vectors: Sequence[NativeInputVector], seconds: float = SECONDS
    ) -> list[ComparedNativeExecution]:
        """Execute the program on each vector, none longer than ``seconds``."""
        if not vectors:
            return []
        out = self.build.directory / "runs"
        remove_directory(str(out))
        out.mkdir()
        given = self.build.directory / "vectors"
        given.write_text("".join(v.text() for v in vectors))
        for n in range(len(vectors)):
            self._prepare(out / str(n))
        why = self._execute(out, given, seconds, len(vectors))
        counted = self._gcov(out, len(vectors)) if self.build.coverage else {}
        ends = [_read_end(out, n, why) for n in range(len(vectors))]
        places = self._places([address for _, addresses in ends for address in addresses])
        return [self._run(*end, counted.get(n), places) for n, end in enumerate(ends)]

    def _execute(self, out: Path, given: Path, seconds: float, count: int) -> str:
        """Execute, and write what there is of each execution below ``out``; why there is less, if so."""
        settings = {
            "SFO_VECTORS": "vectors",
            "SFO_OUT": ".",
            "SFO_SECONDS": str(seconds),
            "SFO_BYTES": str(BYTES),
        }
        limit = 5 + count * (seconds + 1)
        outcome = execute_natively(
            self.build, self.build.directory, settings, limit, files={"vectors": given}
        )
        notes = [Path(name).with_suffix(".gcda").name for name in self.build.objects]
        counts = {f"{n}/{note}" for n in range(count) for note in notes}
        for name, data in outcome.files.items():
            if _LEFT.fullmatch(name) or name in counts:
                (out / name).write_bytes(data)
        return outcome.why

    def _prepare(self, directory: Path) -> None:
        directory.mkdir(exist_ok=True)
        for name in self.build.objects:
            note = directory / Path(name).with_suffix(".gcno").name
            if self.build.coverage and not note.exists():
                os.link(self.build.directory / note.name, note)

    def _run(
        self,
        run: ComparedNativeExecution,
        addresses: Sequence[str],
        counts: _Counts | None,
        places: Mapping[str, Line | None],
    ) -> ComparedNativeExecution:
        """An execution with the place where it ended, and the lines that it covers."""
        known = [place for a in addresses if (place := places[a]) and not _is_ours(place[0])]
        line = known[0] if known else None
        if run.line:
            line = (line[0] if line else "", run.line[1])
        run = replace(run, line=None if run.end == "pass" else line)
        if counts is None:
            return run
        return replace(
            run,
            covered=frozenset(k for k, count in counts.lines.items() if count),
            executable=frozenset(k for k, count in counts.lines.items() if count or k not in self._switches),
            function=counts.same_function(run.line),
        )

    def _places(self, addresses: Sequence[str]) -> dict[str, Line | None]:
        """Source line of each code address (the one before it: addresses are those that calls return to)."""
        distinct = list(dict.fromkeys(addresses))
        if not distinct:
            return {}
        words = [f"{int(address, 16) - 1:x}" for address in distinct]
        command = ["addr2line", "-e", str(self.build.binary), *words]
        lines = _answer(command, self.build.directory, command[0]).splitlines()
        found: dict[str, Line | None] = {}
        for address, line in zip(distinct, lines, strict=True):
            match = re.match(r"(.*):(\d+)", line)
            found[address] = (match[1], int(match[2])) if match else None
        return found

    def _gcov(self, out: Path, count: int) -> dict[int, _Counts]:
        """Line counts of gcov for each execution that left some, by its number."""
        files = {n: [f"{n}/{Path(name).stem}.gcda" for name in self.build.objects] for n in range(count)}
        there = {n: [f for f in names if (out / f).exists()] for n, names in files.items()}
        flat = [f for names in there.values() for f in names]
        if not flat:
            return {}
        tool = ["gcov", "--json-format", "--stdout", *flat]
        text = _answer(self.build.sandbox.executing(self.build.launcher, out, tool), out, "gcov")
        documents = iter(text.splitlines())
        try:
            return {n: _Counts.of([next(documents) for _ in names]) for n, names in there.items() if names}
        except (StopIteration, ValueError, KeyError, TypeError, AttributeError):
            raise ResourceError("gcov cannot read the counts that the program has left") from None


@final
@dataclass(frozen=True, slots=True)
class _Counts:
    """Execution counts of lines, and the function that each line is in."""

    lines: Mapping[Line, int]
    functions: Mapping[Line, str]

    @classmethod
    def of(cls, documents: Sequence[str]) -> _Counts:
        """Read the counts from gcov's JSON, one document for each object file."""
        lines: dict[Line, int] = {}
        functions: dict[Line, str] = {}
        for document in documents:
            for file in json.loads(document, strict=False)["files"]:
                for line in file["lines"]:
                    key = (file["file"], line["line_number"])
                    lines[key] = lines.get(key, 0) + line["count"]
                    functions[key] = line.get("function_name", "")
        return cls(lines, functions)

    def same_function(self, line: Line | None) -> frozenset[Line]:
        """The lines of the functions that ``line`` is in, in files of its name; all lines where none is known."""
        name, number = (Path(line[0]).name, line[1]) if line is not None else ("", 0)
        named = [(n, f) for (file, n), f in self.functions.items() if not name or Path(file).name == name]
        inside = {f for n, f in named if n == number}
        return frozenset(k for k, f in self.functions.items() if not inside or f in inside)


def _is_ours(path: str) -> bool:
    """True if a file of a build is the harness or a model of the library."""
    name = Path(path).name
    return name == HARNESS_NAME or name.startswith(MODEL_PREFIX)


def _read_end(out: Path, n: int, why: str) -> tuple[ComparedNativeExecution, tuple[str, ...]]:
    """Execution ``n`` as the harness wrote of it, and the addresses of where it ended, innermost first.

    ``why`` says what is wrong with the process that was to start it.
    """
    text, file = out / f"{n}.out", out / f"{n}.end"
    printed = text.read_bytes().decode("utf-8", "backslashreplace") if text.exists() else ""
    try:
        told = file.read_text(encoding="ascii") if file.exists() else ""
        found, addresses = _parsed_end(told, why)
    except (ValueError, LookupError):
        lost = "it has written something else where its end was to be"
        found, addresses = ComparedNativeExecution(end=LOST, why=lost), ()
    return replace(found, printed=printed), addresses


def _parsed_end(told: str, why: str) -> tuple[ComparedNativeExecution, tuple[str, ...]]:
    """The end that the harness tells. Raises ValueError or LookupError where the program has written in its place."""
    first, addresses, values, *rest = [*told.split("\n"), "", "", ""]
    end, _, line = first.partition(" ")
    if len(rest) < _REST or not line:
        return ComparedNativeExecution(end=LOST, why=why), ()
    if end.startswith(f"{LOST}-"):
        return ComparedNativeExecution(end=LOST, why=_lost(end)), ()
    kept = tuple(a for a in addresses.split() if a != "0")
    if not all(map(_ADDRESS.fullmatch, kept)):
        raise ValueError(addresses)
    place = ("", int(line)) if int(line) else None
    inputs = tuple(map(native_input_of_execution, values.split()))
    return ComparedNativeExecution(end=end, line=place, inputs=inputs), kept


_ADDRESS: Final = re.compile(r"[0-9a-f]{1,16}")
"""Pattern of an address of code."""

_REST: Final = 4
"""What follows the three lines of a complete end: the empty text behind the last line's end, and the padding."""


def _lost(end: str) -> str:
    """Reason why an execution was lost, from the harness' word for it."""
    _, how, *number = end.split("-")
    if how == "signal":
        return f"its process was killed by {signal_name(int(number[0]))}"
    if how == "exit":
        return f"its process ended with exit code {number[0]}, and without a word"
    return "its process cannot be started"


def _answer(command: Sequence[str], directory: Path, tool: str) -> str:
    """Output of a ``tool`` of the compiler. Raises ResourceError where it fails."""
    try:
        done = run_child_process(command, seconds=None, cwd=directory)
    except OSError as error:
        raise ResourceError(f"cannot run {tool}: {error.strerror}") from error
    if done.code:
        said = (done.complaint.splitlines() or ["no message"])[0]
        raise ResourceError(f"{tool} failed with exit code {done.code}: {said}")
    return done.text


def native_input_of_execution(recorded: str) -> InputNumber:
    """An input as the harness records it: an integer, or the width and the bits of a floating value.

    Raises ValueError or LookupError for anything else.
    """
    width, colon, bits = recorded.partition(":")
    if not colon:
        return int(recorded)
    form, number = FORMATS[int(width)], int(bits, 16)
    if number not in range(1 << int(width)):
        raise ValueError(recorded)
    return show_float_text(form, number)


# -- executions --------------------------------------------------------------------------------------------------


def interpreted_native_execution(
    program: Program, values: Sequence[InputNumber], *, is_endless: bool = False
) -> Execution | None:
    """The execution of ``program`` on fixed inputs; None where it reads more of them.

    Of an endless one no more rounds are followed than make it one.
    """
    rounds = policy().nontermination.rounds_before(reads_text=program.tree.reads_text)
    if not is_endless:
        rounds = _ROUNDS
    return interpret_execution(
        program_without_reference(program), EncodeFixedValues(values), rounds, number=1
    )


def native_vector_to_execute(
    inputs: Sequence[ExecutionInputValue], planned: NativeBuildPlan
) -> NativeInputVector | str:
    """Input vector for the harness from the inputs of a concrete execution, or why there is none."""
    fills: list[NativeMemoryFill] = []
    for value in inputs:
        place = value.memory
        if place is None:
            continue
        number = planned.numbers.get(place.object)
        if number is None or place.ordinal is None or place.object in planned.unfilled:
            return f"{value.name} is read before it is written, and the native execution cannot be given its value"
        if value.type.endswith("*") and value.value:
            return f"{value.name} is a pointer that nobody has set"
        data = (_word(value) % (1 << 8 * place.size)).to_bytes(place.size, "little")
        fills.append(NativeMemoryFill(object=number, ordinal=place.ordinal, offset=place.offset, data=data))
    values = tuple(
        i.value if isinstance(i.value, int) else f"x{_word(i):x}" for i in inputs if i.memory is None
    )
    return NativeInputVector(values=values, fills=tuple(fills))


def _word(value: ExecutionInputValue) -> int:
    """An integer input, or the bits of a floating one."""
    if isinstance(value.value, int):
        return value.value
    return parse_float_text(FORMATS[FLOATING_TYPES[value.type]], value.value) or 0


def native_vector_of_execution(
    program: Program, execution: Execution, planned: NativeBuildPlan
) -> NativeInputVector | str:
    """The inputs of ``execution``; those of memory need an execution of ours that says where they stand."""
    if all(i.memory is None for i in execution.inputs):
        return native_vector_to_execute(execution.inputs, planned)
    run = interpreted_native_execution(program, execution.vector, is_endless=execution.ended == ENDLESS)
    return (
        native_vector_to_execute(run.inputs, planned)
        if run is not None
        else "the program reads more inputs than there are"
    )


@final
class NativeExecutionReplayer:
    """Compiles in the background from the start on, so that solving and compiling overlap.

    ``edits``: the program will be compiled with edits in it, what for is made in the background, too.
    """

    def __init__(self, program: Program, native: Native = "sandboxed", *, edits: bool = False) -> None:
        self._program = program
        self._edits = edits and program.harness is None
        self._place = ChildProcessWorkplace("sfo-replay-")
        self._pool = ThreadPoolExecutor(max_workers=2)
        self._built: Future[NativeBuild] = self._pool.submit(
            partial(build_natively, program, self._place.path / "build", native=native)
        )
        self._differing = self._pool.submit(_not_analysed_or_not_compiled, program)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._place.end_children()
        self._pool.shutdown(wait=not INTERRUPTION.is_requested, cancel_futures=True)
        self._place.close()

    def compare(
        self, executions: Sequence[Execution], seconds: float = SECONDS
    ) -> tuple[ExecutionNativeCheck, ...]:
        """``executions`` beside their native executions, none of which takes more than ``seconds``.

        Raises ResourceError when gcc cannot compile the program, InputError for an input without native value.
        """
        try:
            built = self._built.result()
        except OSError as error:
            raise ResourceError(f"the program cannot be compiled: {error.strerror}") from error
        if self._edits:
            runtime = native_build_runtime(self._program, NativeBuildPurpose(pairs=True))
            compile_objects_ahead(self._pool, self._place.path / "edits", runtime)
        native = ExecutableNativeProgram(built, self._program)
        predicted = [predict_execution_to_compare(self._program.goto, execution) for execution in executions]
        differing = self._differing.result()
        vectors = [
            differing or native_vector_of_execution(self._program, execution, built.plan)
            for execution in executions
        ]
        limits = [min(seconds, _PATIENCE) if e.ended == ENDLESS else seconds for e in executions]
        runs: dict[int, ComparedNativeExecution] = {}
        for limit in dict.fromkeys(limits):
            own = {
                n: v for n, v in enumerate(vectors) if isinstance(v, NativeInputVector) and limits[n] == limit
            }
            runs.update(zip(own, native.run(tuple(own.values()), limit), strict=True))
        return tuple(
            native_check(execution.id, mine, "impossible", (vector,))
            if isinstance(vector, str)
            else compare_native_execution(mine, runs[n], execution.id)
            for n, (execution, mine, vector) in enumerate(zip(executions, predicted, vectors, strict=True))
        )


def _not_analysed_or_not_compiled(program: Program) -> str | None:
    """Code that is only in what is analysed, or only in what is compiled; None if it is the same."""
    given = program.options.preprocess
    return next(filter(None, (only_analysed_or_compiled(path, given) for path in program.paths)), None)


def execute_native_replays(
    program: Program, executions: Sequence[Execution], native: Native = "sandboxed"
) -> tuple[ExecutionNativeCheck, ...]:
    """The check of each of ``executions``; raises what ``Replayer.compare`` raises."""
    with NativeExecutionReplayer(program, native) as replayer:
        return replayer.compare(executions)
