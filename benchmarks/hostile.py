"""Hostile inputs by the thousand: ``python -m benchmarks.hostile 1000 --results hostile.jsonl``.

COUNT cases of each class are drawn from their numbers. Most are commands inside one process after the other, which is
replaced after some cases and killed where one does not end; signals and limits are for processes of their own. Of each
case it is noted how it ended (exit code, a traceback), how long it took beyond its limit, and what is left of it:
processes, which are known by their environment, and files in its temporary directory.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Final, final

import click

from benchmarks import publish as page
from benchmarks.hostile_cases import CASES, HostileCase
from benchmarks.publish import RESULTS

BEGIN: Final = "<!-- hostile: begin (python -m benchmarks.hostile --write) -->"
"""What stands before the published table."""

END: Final = "<!-- hostile: end -->"
"""What stands after it."""

SECONDS: Final = 3.0
"""Time limit of a case."""

_OVER: Final = 1.0
"""Seconds of processor time beyond the limit from which a case inside one process counts as too long."""

_OVER_WITH_CHILDREN: Final = 6.0
"""The same for one with a process of its own: it starts, and so do compilers that work beside it."""

_HANGS: Final = 20.0
"""Seconds beyond the limit after which a case is killed."""

_TOGETHER: Final = 50
"""Cases that one process has."""

_MARK: Final = "SFO_HOSTILE_CASE"
"""Variable by which the processes of a case are known."""

CLASSES: Final = (*CASES, "signals", "limits")
"""Classes of cases: what is hostile about them."""


@final
@dataclass(frozen=True, slots=True)
class Verdict:
    """How a case ended, after how many seconds of processor time.

    ``said`` is the last line on the standard error where that is of interest.
    """

    kind: str
    number: int
    code: int | None
    seconds: float
    traceback: bool
    left: tuple[str, ...]
    said: str = ""

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong about it."""
        found = {
            "no end": self.code is None,
            "exit 1": self.code == 1,
            "traceback": self.traceback,
            "too long": self.seconds > SECONDS + (_OVER if self.kind in CASES else _OVER_WITH_CHILDREN),
            "left": bool(self.left),
        }
        return tuple(name for name, is_so in found.items() if is_so)


def judged(kind: str, number: int, place: Path, end: Callable[[], tuple[int | None, float, str]]) -> Verdict:
    """The verdict on a case that ``end`` carries out in ``place``."""
    code, seconds, said = end()
    left = tuple(_what_is_left(place))
    verdict = Verdict(kind, number, code, round(seconds, 2), _is_of_ours(said), left)
    lines = said.strip().splitlines() or [""]
    return Verdict(**{**asdict(verdict), "said": lines[-1][:300]}) if verdict.faults else verdict


def _is_of_ours(said: str) -> bool:
    """True if there is a traceback from where a command had begun; before, the interpreter has the word."""
    return "Traceback" in said and "/sfo/" in said


def _what_is_left(place: Path) -> list[str]:
    """The processes and files of a case that are left after two seconds: what is killed cleans up behind itself."""
    found: list[str] = []
    for _ in range(40):
        files = [f"file {path.name}" for path in sorted((place / "tmp").iterdir())]
        found = [*files, *(f"process {name}" for name in _marked(place))]
        if not found:
            break
        time.sleep(0.05)
    return found


def _marked(place: Path) -> Iterator[str]:
    mark = f"{_MARK}={place}\0".encode()
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            is_other = entry.name.isdecimal() and int(entry.name) != os.getpid()
            if is_other and mark in (entry / "environ").read_bytes():
                yield (entry / "comm").read_text().strip()


@contextlib.contextmanager
def case_directory(above: Path) -> Iterator[Path]:
    """A directory for one case, with one for its temporary files."""
    place = Path(tempfile.mkdtemp(dir=above))
    (place / "tmp").mkdir()
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


# -- in one process ------------------------------------------------------------------------------------------


def inside(place: Path, case: HostileCase) -> tuple[int | None, float, str]:
    """The command of a case in this process."""
    from sfo.cli import main

    for name, data in case.files.items():
        (place / os.fsdecode(name)).write_bytes(data)
    os.chdir(place)
    tempfile.tempdir = str(place / "tmp")
    said = io.StringIO()
    begin = time.process_time()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        try:
            code: int | None = main([*case.words])
        except BaseException as error:  # noqa: BLE001 - that is what is looked for
            said.write(f"Traceback: /sfo/: {type(error).__name__}: {error}")
            code = 1
    os.chdir("/")
    return code, time.process_time() - begin, said.getvalue()


def _work(kind: str, numbers: Sequence[int], above: Path, told: Path) -> None:
    """Carry out cases, in a process that is a copy of this one."""
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    with told.open("a") as file:
        for number in numbers:
            with case_directory(above) as place:
                case = CASES[kind](random.Random(f"{kind} {number}"))  # noqa: S311 - what can be drawn again
                verdict = judged(kind, number, place, partial(inside, place, case))
            file.write(json.dumps(asdict(verdict)) + "\n")
            file.flush()


def _together(kind: str, numbers: Sequence[int], above: Path) -> Iterator[Verdict]:
    """The verdicts on cases of one class; where a process does not go on, the case that it is at has no end."""
    left = list(numbers)
    while left:
        told = above / f"told-{os.getpid()}"
        told.write_text("")
        child = os.fork()
        if child == 0:
            with contextlib.suppress(BaseException):
                _work(kind, left, above, told)
            os._exit(0)
        size, since = 0, time.monotonic()
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if told.stat().st_size != size:
                size, since = told.stat().st_size, time.monotonic()
            if time.monotonic() - since > SECONDS + _HANGS:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                break
            time.sleep(0.02)
        done = [_verdict(json.loads(line)) for line in told.read_text().splitlines()]
        yield from done
        left = left[len(done) :]
        if left:
            yield Verdict(kind, left.pop(0), None, time.monotonic() - since, False, ())


def _verdict(item: Mapping[str, object]) -> Verdict:
    return Verdict(**{**item, "left": tuple(item["left"])})  # type: ignore[arg-type]


# -- in processes of their own -------------------------------------------------------------------------------


_FAILS: Final = Path(__file__).parent / "programs" / "bst" / "fault1.c"
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP)


def by_signal(draw: random.Random, place: Path) -> tuple[int | None, float, str]:
    """A command that gets a signal at some moment."""
    command = draw.choice((["localize"], ["check"], ["repair"], ["localize", "--rank", "full"]))
    when, number = draw.uniform(0, 2.5), draw.choice(_SIGNALS)
    words = [*command, str(_FAILS), "-q", "--timeout", str(SECONDS)]
    process = _started(words, place)
    begin = _processor_time()
    try:
        process.wait(when)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
    code, said = _ended(process, place)
    if code is not None and code < 0:
        code = None if -code not in _SIGNALS else 128 - code
    if code == 1 and "KeyboardInterrupt" in said and not _is_of_ours(said):
        code = 130  # the interpreter had not come to the command yet
    return code, _processor_time() - begin, said


def by_limits(draw: random.Random, place: Path) -> tuple[int | None, float, str]:
    """A command with little of something."""
    what, low, high = draw.choice((
        (resource.RLIMIT_AS, 40 << 20, 900 << 20),
        (resource.RLIMIT_NOFILE, 3, 40),
        (resource.RLIMIT_FSIZE, 0, 200_000),
        (resource.RLIMIT_STACK, 100_000, 4_000_000),
    ))  # fmt: skip
    most = draw.randrange(low, high)
    command = draw.choice((["localize"], ["check"], ["show", "--units"], ["localize", "--format", "html"]))
    words = [*command, str(_FAILS), *([] if "show" in command else ["-q", "--timeout", str(SECONDS)])]
    begin = _processor_time()
    process = _started(words, place, lambda: resource.setrlimit(what, (most, most)))
    code, said = _ended(process, place)
    return code, _processor_time() - begin, said


def _processor_time() -> float:
    """Seconds of processor time of the children so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _started(
    words: Sequence[str], place: Path, before: Callable[[], object] | None = None
) -> subprocess.Popen[bytes]:
    with (place / "said").open("wb") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "sfo", *words],
            stdout=subprocess.DEVNULL,
            stderr=said,
            cwd=place,
            env={**os.environ, "TMPDIR": str(place / "tmp"), _MARK: str(place)},
            preexec_fn=before,  # noqa: PLW1509 - there is one thread only
        )


def _ended(process: subprocess.Popen[bytes], place: Path) -> tuple[int | None, str]:
    try:
        code: int | None = process.wait(SECONDS + _HANGS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        code = None
    return code, (place / "said").read_text(errors="replace")


def _alone(kind: str, numbers: Sequence[int], above: Path) -> Iterator[Verdict]:
    end = by_signal if kind == "signals" else by_limits
    for number in numbers:
        with case_directory(above) as place:
            yield judged(kind, number, place, partial(end, random.Random(f"{kind} {number}"), place))  # noqa: S311 - what can be drawn again


# -- campaign ------------------------------------------------------------------------------------------------


def verdicts(kind: str, numbers: Sequence[int]) -> Iterator[Verdict]:
    """The verdicts on cases of a class."""
    with tempfile.TemporaryDirectory(prefix="hostile-") as name:
        if kind not in CASES:
            yield from _alone(kind, numbers, Path(name))
            return
        for first in range(0, len(numbers), _TOGETHER):
            yield from _together(kind, numbers[first : first + _TOGETHER], Path(name))


def table(found: Sequence[Verdict]) -> str:
    """A line for each class: its cases, how many ended with each exit code, and what is wrong of them."""
    lines = ["| class | cases | exit codes | faults |", "| --- | ---: | --- | --- |"]
    for kind in CLASSES:
        own = [one for one in found if one.kind == kind]
        codes = Counter(str(one.code) for one in own)
        faults = Counter(fault for one in own for fault in one.faults)
        if own:
            lines.append(f"| {kind} | {len(own)} | {_counts(codes)} | {_counts(faults) or 'none'} |")
    return "\n".join(lines)


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in sorted(counter.items()))


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("count", type=click.IntRange(min=1))
@click.option("--first", default=0, show_default=True, help="The first number.")
@click.option("--class", "kinds", multiple=True, type=click.Choice(CLASSES), help="Only these classes.")
@click.option("--results", type=click.Path(path_type=Path), required=True, help="A line of JSON each.")
@click.option("--write", is_flag=True, help="Put the table into benchmarks/RESULTS.md.")
def main(count: int, first: int, kinds: tuple[str, ...], results: Path, write: bool) -> None:
    """COUNT hostile cases of each class; the exit code is 1 where something is wrong of one."""
    numbers = range(first, first + count)
    with results.open("a") as file:
        for kind in kinds or CLASSES:
            for verdict in verdicts(kind, numbers):
                file.write(json.dumps(asdict(verdict)) + "\n")
                file.flush()
                if verdict.faults:
                    click.echo(
                        f"{verdict.kind} {verdict.number}: {', '.join(verdict.faults)}: {verdict.said}"
                    )
    found = [_verdict(json.loads(line)) for line in results.read_text().splitlines()]
    click.echo(table(found))
    if write:
        page.publish(table(found), BEGIN, END, RESULTS)
    sys.exit(any(one.faults for one in found))


if __name__ == "__main__":
    main()
