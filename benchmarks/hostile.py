"""Hostile inputs by the thousand: ``python -m benchmarks.hostile 1000 --results hostile.jsonl``.

COUNT cases of each class are drawn from their numbers. Most are copies of a process that has loaded the commands, each
with a session, a directory and streams of its own; one of fifty, and all of signals and limits, begin with an
interpreter. Of each case it is noted how it ended (exit code, a traceback), how much processor time, wall time and
memory it took, and what is left of it: processes, which come to this one when they have lost their parent or are known
by their environment, temporary files, and files that it wrote or changed without being asked to. What RESULTS has
already is not drawn again.
"""

from __future__ import annotations

import contextlib
import ctypes
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
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Final, NoReturn, final

import click

import cfrontend
import sfo
from benchmarks import publish as page
from benchmarks.hostile_cases import CASES, HostileCase
from benchmarks.processes import refusal_of_tool
from benchmarks.publish import RESULTS
from sfo.cli import console

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

_NEW: Final = 50
"""One of so many cases begins with an interpreter."""

_MIB: Final = 1500 * 1.2
"""Memory of a case, in MiB, from which it is over its limit of 1500."""

_ADDRESSES: Final = 4 << 30
"""Addresses of a case: more than its memory, so that this machine is safe from what does not keep its limit."""

_ADOPTS: Final = 36
"""PR_SET_CHILD_SUBREAPER of Linux."""

_LAST_CODE: Final = 130
"""The largest exit code of a command that no signal ends."""

_NOT_BEGUN: Final = 126
"""Exit code, as of a shell, that stands for an interpreter which could not begin: it had no more files."""

_OURS: Final = (".given", ".said", "tmp")
"""What is in the directory of a case beside its files."""

_MARK: Final = "SFO_HOSTILE_CASE"
"""Variable by which the processes of a case are known."""

CLASSES: Final = (*CASES, "signals", "limits")
"""Classes of cases: what is hostile about them."""


@final
@dataclass(frozen=True, slots=True)
class Verdict:
    """How a case ended, after how many seconds of processor time.

    ``said`` is the last line on the standard error where that is of interest, ``memory`` the most that one of its
    processes had, in MiB, and ``wall`` the seconds on a clock.
    """

    kind: str
    number: int
    code: int | None
    seconds: float
    traceback: bool
    left: tuple[str, ...]
    said: str = ""
    wall: float = 0.0
    memory: float = 0.0

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong about it."""
        found = {
            "no end": self.code is None,
            "exit 1": self.code == 1,
            "traceback": self.traceback,
            "too long": self.seconds > SECONDS + (_OVER if self.kind in CASES else _OVER_WITH_CHILDREN),
            "killed": self.kind != "signals" and (self.code or 0) > _LAST_CODE,
            "too much memory": self.memory > _MIB,
            "left": bool(self.left),
        }
        return tuple(name for name, is_so in found.items() if is_so)


@final
@dataclass(frozen=True, slots=True)
class Ending:
    """How a process ended: exit code, seconds of processor time, standard error, seconds on a clock, MiB."""

    code: int | None
    seconds: float
    said: str
    wall: float = 0.0
    memory: float = 0.0


def judged(
    kind: str, number: int, place: Path, end: Callable[[], Ending], case: HostileCase | None = None
) -> Verdict:
    """The verdict on a case that ``end`` carries out in ``place``."""
    before = _children()
    done = end()
    left = (*_what_is_left(place, before), *(_what_is_written(place, case) if case else ()))
    is_broken = _is_of_ours(done.said)
    verdict = Verdict(
        kind,
        number,
        done.code,
        round(done.seconds, 2),
        is_broken,
        left,
        "",
        round(done.wall, 2),
        round(done.memory),
    )
    last = refusal_of_tool(done.said) or (done.said.strip().splitlines() or [""])[-1]
    return replace(verdict, said=last[:300]) if verdict.faults else verdict


def _what_is_written(place: Path, case: HostileCase) -> Iterator[str]:
    """Files that a command wrote where it was not asked to, and those of its files that it changed."""
    given = {place / os.fsdecode(name): data for name, data in case.files.items()}
    allowed = [place / name for name in (*_OURS, *case.outputs)]
    for path in sorted(place.rglob("*")):
        if path.is_dir() or any(path.is_relative_to(one) for one in allowed):
            continue
        if path not in given:
            yield f"written {path.relative_to(place)!s}"
    for path, data in given.items():
        if not any(path.is_relative_to(one) for one in allowed) and (
            not path.is_file() or path.read_bytes() != data
        ):
            yield f"changed {path.relative_to(place)!s}"


def _is_of_ours(said: str) -> bool:
    """True if there is a traceback from where a command had begun; before, the interpreter has the word."""
    return "Traceback" in said and "/sfo/" in said


def _what_is_left(place: Path, before: frozenset[int]) -> list[str]:
    """The files and processes of a case that are left after two seconds: what is killed cleans up behind itself."""
    end = time.monotonic() + 2
    while True:
        files = [f"file {path.name}" for path in sorted((place / "tmp").iterdir())]
        remaining = sorted(_remaining(place, before))
        if time.monotonic() > end or not (files or remaining):
            break
        time.sleep(0.02)
    found = list(files)
    for number in remaining:
        with contextlib.suppress(OSError):
            found.append(f"process {Path(f'/proc/{number}/comm').read_text().strip()}")
            os.kill(number, signal.SIGKILL)
    return found


def _remaining(place: Path, before: frozenset[int]) -> Iterator[int]:
    """The processes of a case: orphans of it that have come to this process, and those with its mark."""
    mark = f"{_MARK}={place}\0".encode()
    own = _children() - before
    for number in own:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(number, os.WNOHANG)
    own &= _children()
    yield from own
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            number = int(entry.name) if entry.name.isdecimal() else os.getpid()
            if number not in own and number != os.getpid() and mark in (entry / "environ").read_bytes():
                yield number


def _children() -> frozenset[int]:
    return frozenset(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))


@contextlib.contextmanager
def case_directory(above: Path) -> Iterator[Path]:
    """A directory for one case, with one for its temporary files."""
    place = Path(tempfile.mkdtemp(dir=above))
    (place / "tmp").mkdir()
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


# -- in copies of one process --------------------------------------------------------------------------------


@cache
def load_modules() -> None:
    """Import what commands import, so that copies of this process begin where an installed one has loaded."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for package in (cfrontend, sfo):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            with contextlib.suppress(ImportError):
                if not module.name.endswith("__main__"):
                    import_module(module.name)


def adopt_orphans() -> None:
    """Become the parent of what a case leaves behind, so that nothing of it is overlooked."""
    if ctypes.CDLL(None).prctl(_ADOPTS, 1, 0, 0, 0):
        raise OSError("prctl: this process cannot adopt")


def _write_files(place: Path, case: HostileCase) -> None:
    for name, data in case.files.items():
        path = place / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    for name, target in case.links.items():
        link = place / os.fsdecode(name)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(os.fsdecode(target))
    (place / ".given").write_bytes(case.stdin)


def _become(place: Path, words: Sequence[str]) -> NoReturn:
    """In a copy of this process: be the command ``sfo`` with these words, in ``place``."""
    code = 1
    try:
        os.setsid()
        os.chdir(place)
        for descriptor, name, how in (
            (0, ".given", os.O_RDONLY),
            (1, os.devnull, os.O_WRONLY),
            (2, ".said", os.O_WRONLY | os.O_CREAT),
        ):
            os.dup2(os.open(name, how, 0o600), descriptor)
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, how, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
            for number, how in ((0, "r"), (1, "w"), (2, "w"))
        )
        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
        os.environ.update(_surroundings(place))
        tempfile.tempdir = None
        sys.argv = ["sfo", *words]
        console()
    except BaseException:  # noqa: BLE001 - that is what is looked for
        os.write(2, traceback.format_exc().encode(errors="replace"))
    finally:
        os._exit(code)


def _surroundings(place: Path) -> dict[str, str]:
    """Variables of a case: it finds its files, leaves its mark, and does not touch what this machine keeps."""
    return {"TMPDIR": str(place / "tmp"), "XDG_CACHE_HOME": str(place.parent / "cache"), _MARK: str(place)}


def in_a_copy(place: Path, case: HostileCase) -> Ending:
    """How the command of a case ends in a copy of this process."""
    _write_files(place, case)
    child = os.fork()
    if child == 0:
        _become(place, case.words)
    return _ending(child, place)


def in_a_process(place: Path, case: HostileCase) -> Ending:
    """How the command of a case ends in a process that begins with an interpreter."""
    _write_files(place, case)
    return _ending(_started(case.words, place), place)


def _ending(child: int, place: Path) -> Ending:
    """Wait for a child, which is killed where it has no end, and for nothing that it has started."""
    begin = time.monotonic()
    ended, status, used = os.wait4(child, os.WNOHANG)
    while not ended:
        if time.monotonic() - begin > SECONDS + _HANGS:
            os.kill(child, signal.SIGKILL)
            _, _, used = os.wait4(child, 0)
            break
        time.sleep(0.002)
        ended, status, used = os.wait4(child, os.WNOHANG)
    code = os.waitstatus_to_exitcode(status) if ended else None
    if code is not None and code < 0:
        code = 128 - code
    said = (place / ".said").read_text(errors="replace") if (place / ".said").exists() else ""
    return Ending(code, used.ru_utime + used.ru_stime, said, time.monotonic() - begin, used.ru_maxrss / 1024)


def _together(kind: str, numbers: Sequence[int], above: Path) -> Iterator[Verdict]:
    """The verdicts on cases of one class: each is a copy of this process, some are processes of their own."""
    for number in numbers:
        with case_directory(above) as place:
            case = CASES[kind](random.Random(f"{kind} {number}"))  # noqa: S311 - what can be drawn again
            how = in_a_process if number % _NEW == _NEW - 1 else in_a_copy
            yield judged(kind, number, place, partial(how, place, case), case)


def _verdict(item: Mapping[str, object]) -> Verdict:
    return Verdict(**{**item, "left": tuple(item["left"])})  # type: ignore[arg-type]


# -- in processes of their own -------------------------------------------------------------------------------


_FAILS: Final = Path(__file__).parent / "programs" / "bst" / "fault1.c"
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP)


def by_signal(draw: random.Random, place: Path) -> Ending:
    """A command that gets a signal at some moment."""
    command = draw.choice((["localize"], ["check"], ["repair"], ["localize", "--rank", "full"]))
    when, number = draw.uniform(0, 2.5), draw.choice(_SIGNALS)
    process = _started([*command, str(_FAILS), "-q", "--timeout", str(SECONDS)], place)
    time.sleep(when)
    os.kill(process, number)  # it has not been waited for, so the number is its own
    done = _ending(process, place)
    if done.code == 1 and "KeyboardInterrupt" in done.said and not _is_of_ours(done.said):
        return replace(done, code=130)  # the interpreter had not come to the command yet
    return done


def by_limits(draw: random.Random, place: Path) -> Ending:
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
    process = _started(words, place, lambda: resource.setrlimit(what, (most, most)))
    done = _ending(process, place)
    return (
        replace(done, code=_NOT_BEGUN) if done.code == 1 and "Fatal Python error: init" in done.said else done
    )


def _started(words: Sequence[str], place: Path, before: Callable[[], object] | None = None) -> int:
    """The number of a process that is the command ``sfo``, for which ``_ending`` waits."""
    given = place / ".given"
    given.touch()
    with given.open("rb") as read, (place / ".said").open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "sfo", *words],
            stdin=read,
            stdout=subprocess.DEVNULL,
            stderr=said,
            cwd=place,
            env={**os.environ, **_surroundings(place)},
            preexec_fn=before,  # noqa: PLW1509 - there is one thread only
        )
    process.returncode = 0  # so that nothing else waits for it
    return process.pid


def _alone(kind: str, numbers: Sequence[int], above: Path) -> Iterator[Verdict]:
    end = by_signal if kind == "signals" else by_limits
    for number in numbers:
        with case_directory(above) as place:
            yield judged(kind, number, place, partial(end, random.Random(f"{kind} {number}"), place))  # noqa: S311 - what can be drawn again


# -- campaign ------------------------------------------------------------------------------------------------


def verdicts(kind: str, numbers: Sequence[int]) -> Iterator[Verdict]:
    """The verdicts on cases of a class."""
    adopt_orphans()
    load_modules()
    above = Path(
        tempfile.mkdtemp(prefix="hostile-")
    )  # no finalizer: a copy of this process would carry it out
    try:
        yield from (_together if kind in CASES else _alone)(kind, numbers, above)
    finally:
        shutil.rmtree(above, ignore_errors=True)


def table(found: Sequence[Verdict]) -> str:
    """A line for each class: its cases, how many ended with each exit code, and what is wrong of them."""
    lines = [
        "| class | cases | exit codes | faults | most processor time, s | most wall time, s | most memory, MiB |",
        "| --- | ---: | --- | --- | ---: | ---: | ---: |",
    ]
    for kind in CLASSES:
        own = [one for one in found if one.kind == kind]
        codes = Counter(str(one.code) for one in own)
        faults = Counter(fault for one in own for fault in one.faults)
        if own:
            most = [max(getattr(one, name) for one in own) for name in ("seconds", "wall", "memory")]
            lines.append(
                f"| {kind} | {len(own)} | {_counts(codes)} | {_counts(faults) or 'none'} "
                f"| {most[0]:.1f} | {most[1]:.1f} | {most[2]:.0f} |"
            )
    return "\n".join(lines)


def _read(results: Path) -> list[Verdict]:
    """The verdicts of a file, which need not exist; a line that a kill cut off is drawn again."""
    lines = results.read_text().split("\n")[:-1] if results.exists() else []
    return [_verdict(json.loads(line)) for line in lines]


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
    done = {(one.kind, one.number) for one in _read(results)}
    with results.open("a") as file:
        for kind in kinds or CLASSES:
            numbers = [number for number in range(first, first + count) if (kind, number) not in done]
            for verdict in verdicts(kind, numbers):
                file.write(json.dumps(asdict(verdict)) + "\n")
                file.flush()
                if verdict.faults:
                    click.echo(
                        f"{verdict.kind} {verdict.number}: {', '.join(verdict.faults)}: {verdict.said} {verdict.left}"
                    )
    found = _read(results)
    click.echo(table(found))
    if write:
        page.publish(table(found), BEGIN, END, RESULTS)
    sys.exit(any(one.faults for one in found))


if __name__ == "__main__":
    main()
