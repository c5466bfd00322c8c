"""Suites beside those of fuzzers: ``python -m benchmarks.beside_fuzzers``, branches by gcov, seconds and tests.

    sfo generate    goal ``conditions``, its vectors as bytes
    AFL++           afl-clang-fast -O1 and afl-fuzz, its queue
    libFuzzer       clang -O1 -fsanitize=fuzzer, its corpus

All get the same harness (``fuzzer_harness.c``), and fuzzers the same seed. The programs are twenty of the correct ones
of up to 700 lines that read inputs, evenly spaced. gcov counts the branches of gcc -O0 that the tests of each take, in
executions that break no assumption. Seconds are those of the processor, of all processes of a tool; a fuzzer has
``--seconds`` of them, and beside stands when it kept its last test.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import re
import shutil
import signal
import statistics
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, final

import click

from benchmarks import publish as page
from benchmarks.campaign import FINDINGS, ONLY, WRITE, in_order, keep, kept
from benchmarks.coverage_goals import SuiteQuestion, suite_questions
from benchmarks.processes import silent_tool_process, usage_of_process
from cfrontend.record import dataclass

PROGRAMS: Final = 20
SECONDS: Final = 60.0
"""Seconds of the processor that each fuzzer has for a program."""

TOOLS: Final = ("sfo", "afl", "libfuzzer")
FUZZERS: Final = {"afl": "AFL++", "libfuzzer": "libFuzzer"}

BEGIN: Final = "<!-- fuzzers: begin (python -m benchmarks.beside_fuzzers --write) -->"
"""Marker that begins the published table."""

END: Final = "<!-- fuzzers: end -->"
"""Marker that ends the published table."""

_SEED: Final = b"0\n" * 32
_HARNESS: Final = Path(__file__).with_name("fuzzer_harness.c")
_RENAMED: Final = (
    "-w",
    "-DNDEBUG",
    "-Dmain=main_of_program",
    "-Dexit=ended_by_program",
    "-Dabort=outside_of_program",
    "-fno-common",
)
_SIZES: Final = {"char": 1, "_Bool": 1, "short": 2, "int": 4, "long": 8}
_READS: Final = re.compile(r"\b(?:__VERIFIER_)?nondet_\w+ *\(|\b(?:scanf|getchar|fgets) *\(")
_ASKS: Final = re.compile(r"\b(?:__VERIFIER_)?nondet_\w+ *\(")
_LONGEST: Final = 20.0
"""A fuzzer is ended after so many times its seconds, however little of the processor it got."""


@final
@dataclass(frozen=True, slots=True)
class FuzzerSuite:
    """Tests that a tool has made, the seconds that this took, and when the last of them was kept."""

    tests: tuple[bytes, ...]
    seconds: float
    last: float


def programs_with_inputs() -> list[SuiteQuestion]:
    """The programs of the comparison."""
    some = [q for q in suite_questions("conditions") if _READS.search(Path(q.path).read_text("utf-8"))]
    return [some[n * len(some) // PROGRAMS] for n in range(PROGRAMS)]


def comparison_with_fuzzers(question: SuiteQuestion, seconds: float) -> Mapping[str, Any]:
    """Branch coverage, size and seconds of each tool's suite of tests for a program."""
    row: dict[str, Any] = {"program": question.program, "given": seconds}
    with TemporaryDirectory(prefix="sfo-fuzzers-") as name:
        place = Path(name)
        counted = _compiled_for_gcov(question, place)
        suites = {
            "sfo": _suite_of_sfo(question, place),
            "afl": _suite_of_afl(question, place, seconds),
            "libfuzzer": _suite_of_libfuzzer(question, place, seconds),
        }
        for tool, suite in suites.items():
            row[tool], row["branches"] = _measured(counted, suite)
    return row


def comparison_with_sfo_again(question: SuiteQuestion, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The row of a program with a new suite of sfo, beside the suites of fuzzers that it has."""
    with TemporaryDirectory(prefix="sfo-fuzzers-") as name:
        place = Path(name)
        counted = _compiled_for_gcov(question, place)
        return {**row, "sfo": _measured(counted, _suite_of_sfo(question, place))[0]}


def _measured(counted: Path, suite: FuzzerSuite) -> tuple[Mapping[str, Any], int]:
    """Branches taken by a suite, with its tests and seconds, as a row has them; and all branches of the program."""
    taken, branches = branches_by_gcov(counted, suite.tests)
    numbers = {"branches": taken, "tests": len(suite.tests)}
    return {**numbers, "seconds": round(suite.seconds, 1), "last": round(suite.last, 1)}, branches


# -- tools -------------------------------------------------------------------------------------------------------


def _suite_of_sfo(question: SuiteQuestion, place: Path) -> FuzzerSuite:
    directory = place / "suite"
    text = Path(question.path).read_text("utf-8")
    form = () if _ASKS.search(text) else ("--as", "corpus")
    words = ("--goal", question.goal, "--no-replay", "-q", "-o", str(directory), *form)
    process = silent_tool_process(["generate", question.path, *words])
    usage = usage_of_process(process)
    seconds = usage.processor
    file = directory / "dataset.json"
    if not file.exists():
        return FuzzerSuite((), seconds, seconds)
    executions = json.loads(file.read_text())["executions"]
    if not form:
        return FuzzerSuite(tuple(bytes_of_inputs(e["inputs"]) for e in executions), seconds, seconds)
    files = sorted((directory / "corpus").glob("*/*"))
    tests = [f.read_bytes() for f in files]
    tests += [b""] * any(not e["inputs"] for e in executions)  # which a corpus leaves out
    return FuzzerSuite(tuple(tests), seconds, seconds)


def bytes_of_inputs(inputs: Sequence[Mapping[str, Any]]) -> bytes:
    """The inputs of an execution as the harness takes them."""
    return b"".join(_bytes_of(int(value["value"]), value["type"]) for value in inputs)


def _bytes_of(number: int, type_: str) -> bytes:
    (size,) = {_SIZES[word] for word in type_.split() if word in _SIZES} or {_SIZES["int"]}
    return (number % (1 << (8 * size))).to_bytes(size, "little")


def _suite_of_afl(question: SuiteQuestion, place: Path, seconds: float) -> FuzzerSuite:
    binary = _compiled_for_fuzzer("afl", _tool("afl-clang-fast"), (), question, place)
    found = place / "afl-found"
    command = [_tool("afl-fuzz"), "-i", str(_seeds(place)), "-o", str(found), "-m", "none", "--", str(binary)]
    environment = {
        "AFL_SKIP_CPUFREQ": "1",
        "AFL_NO_AFFINITY": "1",
        "AFL_NO_UI": "1",
        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
    }
    queue = found / "default" / "queue"
    used, last = _fuzzed(command, environment, place, queue, seconds)
    return FuzzerSuite(_files(queue, "id:*"), used, last)


def _suite_of_libfuzzer(question: SuiteQuestion, place: Path, seconds: float) -> FuzzerSuite:
    flags = ("-fsanitize=fuzzer-no-link",)
    binary = _compiled_for_fuzzer("libfuzzer", _tool("clang"), flags, question, place)
    corpus = place / "libfuzzer-corpus"
    corpus.mkdir()
    command = [str(binary), "-close_fd_mask=1", "-timeout=10", str(corpus), str(_seeds(place))]
    used, last = _fuzzed(command, {}, place, corpus, seconds)
    return FuzzerSuite((_SEED, *_files(corpus, "*")), used, last)


def _compiled_for_fuzzer(
    name: str, compiler: str, flags: Sequence[str], question: SuiteQuestion, place: Path
) -> Path:
    """The program with the harness, whose variables have sections that the harness sets anew for each execution."""
    quiet = {"AFL_QUIET": "1"}
    program, harness, binary = (place / f"{name}-{part}" for part in ("program.o", "harness.o", "binary"))
    _run([compiler, "-O1", "-fno-pie", *flags, *_RENAMED, "-c", question.path, "-o", str(program)], quiet)
    renamed = ("--rename-section", ".data=program_data", "--rename-section", ".bss=program_bss")
    _run(["objcopy", *renamed, str(program)])
    _run(["clang", "-O1", "-w", "-fno-pie", "-c", str(_HARNESS), "-o", str(harness)])
    linked = ("-no-pie", "-fsanitize=fuzzer", str(program), str(harness), "-lm")
    _run([compiler, *linked, "-o", str(binary)], quiet)
    return binary


def _fuzzed(
    command: Sequence[str], environment: Mapping[str, str], place: Path, corpus: Path, seconds: float
) -> tuple[float, float]:
    """Seconds of the processor that a fuzzer has used, and those at which ``corpus`` grew last."""
    process = subprocess.Popen(
        command,
        cwd=place,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    used, last, size = 0.0, 0.0, 0
    until = time.monotonic() + _LONGEST * seconds
    while process.poll() is None and used < seconds and time.monotonic() < until:
        time.sleep(0.2)
        used = max(used, processor_seconds_below(process.pid))
        there = len(list(corpus.glob("*")))
        last, size = (used, there) if there > size else (last, size)
    process.send_signal(signal.SIGINT)
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    return used, last


def processor_seconds_below(pid: int) -> float:
    """Seconds of the processor of a process, those that it started and those that these have waited for."""
    parents: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
            ticks[int(entry.name)] = sum(map(int, fields[11:15]))
    waiting, total = [pid], 0
    while waiting:
        process = waiting.pop()
        total += ticks.get(process, 0)
        waiting += parents.get(process, [])
    return total / os.sysconf("SC_CLK_TCK")


def _seeds(place: Path) -> Path:
    seeds = place / "seeds"
    seeds.mkdir(exist_ok=True)
    (seeds / "seed").write_bytes(_SEED)
    return seeds


def _files(directory: Path, pattern: str) -> tuple[bytes, ...]:
    return tuple(f.read_bytes() for f in sorted(directory.glob(pattern)) if f.is_file())


def _tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise click.ClickException(f"{name} is not installed: the packages are afl++ and clang")
    return path


def _run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    done = subprocess.run(
        command, env={**os.environ, **(environment or {})}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise click.ClickException(f"{' '.join(command)}: {done.stderr.strip()}")


# -- gcov --------------------------------------------------------------------------------------------------------


def _compiled_for_gcov(question: SuiteQuestion, place: Path) -> Path:
    folder = place / "gcov"
    folder.mkdir()
    _run(["gcc", "-O0", "--coverage", *_RENAMED, "-c", question.path, "-o", str(folder / "program.o")])
    _run(["gcc", "-w", "-DMEASURED", "-c", str(_HARNESS), "-o", str(folder / "harness.o")])
    made = [str(folder / name) for name in ("program.o", "harness.o")]
    _run(["gcc", "--coverage", *made, "-lm", "-o", str(folder / "program")])
    return folder


def branches_by_gcov(folder: Path, tests: Sequence[bytes]) -> tuple[int, int]:
    """Branch coverage by gcov: branches that the tests take of the program compiled in ``folder``, and all of them."""
    (folder / "program.gcda").unlink(missing_ok=True)
    with TemporaryDirectory() as name:
        files = []
        for number, test in enumerate(tests):
            files.append(str(Path(name) / str(number)))
            Path(files[-1]).write_bytes(test)
        for first in range(0, len(files), 1000):
            command = [str(folder / "program"), *files[first : first + 1000]]
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        command = ["gcov", "--json-format", "--branch-probabilities", str(folder / "program.gcno")]
        subprocess.run(command, cwd=name, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        counts = list(_counts(json.loads(gzip.decompress(next(Path(name).glob("*.gz")).read_bytes()))))
    return sum(count > 0 for count in counts), len(counts)


def _counts(report: Mapping[str, Any]) -> Iterator[int]:
    for file in report["files"]:
        for line in file["lines"]:
            yield from (branch["count"] for branch in line["branches"] if not branch["throw"])


# -- report ------------------------------------------------------------------------------------------------------


def table_beside_fuzzers(rows: Sequence[Mapping[str, Any]]) -> str:
    """A row for each program, and a line that sums them up."""
    lines = [
        "| program | branches | sfo | AFL++ | libFuzzer | tests sfo | AFL++ | libFuzzer | seconds sfo | last test AFL++ | libFuzzer |",
        "| --- |" + " ---: |" * 10,
    ]
    for row in rows:
        cells = [row["program"], str(row["branches"])]
        cells += [str(row[tool]["branches"]) for tool in TOOLS] + [str(row[tool]["tests"]) for tool in TOOLS]
        cells += [f"{row['sfo']['seconds']:.1f}", *(f"{row[tool]['last']:.1f}" for tool in FUZZERS)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", summary_beside_fuzzers(rows)])


def summary_beside_fuzzers(rows: Sequence[Mapping[str, Any]]) -> str:
    """On how many programs the suites cover as much as those of fuzzers, and what they take beside these."""
    as_much = sum(is_as_covering_as_fuzzers(row) for row in rows)
    said = [
        f"On {as_much} of {len(rows)} programs the tests of sfo take at least as many branches as those of either fuzzer."
    ]
    for tool, name in FUZZERS.items():
        less = sum(row["sfo"]["branches"] < row[tool]["branches"] for row in rows)
        seconds = statistics.geometric_mean(row["sfo"]["seconds"] / row[tool]["seconds"] for row in rows)
        tests = statistics.geometric_mean(max(1, row["sfo"]["tests"]) / row[tool]["tests"] for row in rows)
        last = statistics.geometric_mean(row["sfo"]["seconds"] / max(0.2, row[tool]["last"]) for row in rows)
        said.append(
            f"Beside {name}: fewer branches on {less}; {_times(seconds)} its seconds, {_times(last)} those up to its last"
            f" test, {_times(tests)} its tests (geometric means)."
        )
    return " ".join(said)


def _times(ratio: float) -> str:
    return f"{ratio:.{max(0, 1 - math.floor(math.log10(ratio)))}f} times"


def is_as_covering_as_fuzzers(row: Mapping[str, Any]) -> bool:
    """Whether the tests of sfo take at least as many branches as those of each fuzzer."""
    return bool(row["sfo"]["branches"] >= max(row[tool]["branches"] for tool in FUZZERS))


@click.command(help=(__doc__ or "").split("\n\n", maxsplit=1)[0])
@FINDINGS
@ONLY
@click.option(
    "--seconds", type=click.FloatRange(min=0, min_open=True), default=SECONDS, show_default=True,
    help="Seconds of the processor that each fuzzer has for a program.",
)  # fmt: skip
@click.option("--again", is_flag=True, help="Make the suites of sfo again, and keep those of the fuzzers.")
@WRITE
def main(results: Path, only: tuple[str, ...], seconds: float, again: bool, publish: bool) -> None:
    """Compare on the programs that ``results`` does not have; the last row of a program counts."""
    questions = [q for q in programs_with_inputs() if not only or q.program in only]
    found = {row["program"]: row for row in kept(results) if row["given"] == seconds}
    waiting = [q for q in questions if (q.program in found) == again]

    def compared(question: SuiteQuestion) -> Mapping[str, Any]:
        known = found.get(question.program)
        return (
            comparison_with_fuzzers(question, seconds)
            if known is None
            else comparison_with_sfo_again(question, known)
        )

    for row in in_order(compared, waiting, 1):
        keep(results, row)
        found[row["program"]] = dict(row)
        said = ", ".join(
            f"{tool} {row[tool]['branches']} with {row[tool]['tests']} tests in {row[tool]['seconds']} s"
            for tool in TOOLS
        )
        click.echo(f"{row['program']}  {row['branches']} branches: {said}")
    order = [q.program for q in programs_with_inputs()]
    done = sorted(found.values(), key=lambda row: order.index(row["program"]))
    if done:
        click.echo(table_beside_fuzzers(done))
    if publish:
        command = f"python -m benchmarks.beside_fuzzers --seconds {seconds:g} --results fuzzers.jsonl"
        page.publish_run(command, table_beside_fuzzers(done), BEGIN, END)


if __name__ == "__main__":
    main()
