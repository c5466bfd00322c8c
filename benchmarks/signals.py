"""Signals campaign: a command that is interrupted ends at once, with what it knows, and leaves nothing behind.

    python -m benchmarks.signals --results signals.jsonl     ->  "check  building/fault1  SIGINT at 0.4 s  +0.3 s", ...

Each command is started twenty times, ten times for each signal, on programs of several kinds. Half of the moments are
drawn from the first 1.3 seconds, the others from all of its usual duration. Told is how long it went on, and what is
wrong with its end: late (with its processes and temporary files), another exit code, a traceback, a report without what
the command had told before, a process or a temporary file that is left for good.
"""

from __future__ import annotations

import ctypes
import json
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, final

import click

from benchmarks.campaign import FINDINGS, JOBS, WRITE, in_order, keep, kept
from benchmarks.manifest import load_manifest
from benchmarks.publish import publish_run
from cfrontend.record import dataclass

BEGIN: Final = "<!-- signals: begin (python -m benchmarks.signals --write) -->"
END: Final = "<!-- signals: end -->"

LATEST: Final = 2.0
"""Seconds within which a command has to end."""

FIRST: Final = 1.3
"""Seconds at the beginning in which half of the signals come."""

MOST_SECONDS: Final = 30.0
"""Seconds of a command's duration in which the other half comes, at most."""

TRIALS: Final = 10
"""Trials of each command for each signal."""

INTERRUPTED: Final = 130
"""Exit code of what was interrupted."""

_PATIENCE: Final = 150.0
"""Seconds behind its signal after which a command is killed."""

_OWN: Final = re.compile(r"/sfo/(?!__init__\.py|__main__\.py)")
"""A module of the tool in a traceback, behind those two that take Ctrl-C from the interpreter."""

_SUBREAPER: Final = 36
"""Option of prctl with which orphans among the descendants become children."""

_STUDENTS: Final = Path(__file__).parent / "students"


@final
@dataclass(frozen=True, slots=True)
class SignalTrial:
    """A command on a subject that gets signal ``number``, the ``count``-th of that kind; ``words`` are its arguments.

    In the words ``OUT`` is a directory that belongs to the trial.
    """

    command: str
    subject: str
    words: tuple[str, ...]
    number: int
    count: int

    @property
    def key(self) -> tuple[str, int, int]:
        """What tells it from other trials."""
        return self.command, self.number, self.count


def signal_trials(scratch: Path) -> Iterator[SignalTrial]:
    """All trials, with what several programs need written below ``scratch``."""
    subjects = _subjects(scratch)
    for count, number, command in product(range(TRIALS), (signal.SIGINT, signal.SIGTERM), subjects):
        subject, words = subjects[command][count % len(subjects[command])]
        yield SignalTrial(command, subject, (command, *words), number, count)


def _subjects(scratch: Path) -> Mapping[str, Sequence[tuple[str, tuple[str, ...]]]]:
    """By command: subjects with the arguments behind its name."""
    path = {f"{p.name}/{v.name}": str(v.path) for p in load_manifest() for v in p.versions}
    path |= {f"{p.name}/correct": str(p.correct) for p in load_manifest()}
    student = {
        name: str(_STUDENTS / f"{name}.c") for name in ("coins/fault1", "coins/correct", "marks/fault1")
    }
    examples = ("--io", str(_STUDENTS / "coins" / "examples"))
    pupils = scratch / "pupils"
    pupils.mkdir(exist_ok=True)
    for file in (_STUDENTS / "coins").glob("*.c"):
        shutil.copy(file, pupils)
    versions = scratch / "versions.json"
    listed = [
        {"version": name.replace("/", "-"), "file": path[name], "faulty_lines": [1]}
        for name in ("hashtable/fault1", "thermostat/fault1", "minmax/fault1", "linked_list/fault1")
    ]
    document = {"format": 1, "kind": "versions", "subject": "mix", "versions": listed}
    versions.write_text(json.dumps(document), encoding="utf-8")
    kept_in = ("-o", "OUT")
    json_form = ("--format", "json")
    phases = ("--passing", *json_form)
    reference = (
        "coins/fault1 --reference",
        (student["coins/fault1"], "--reference", student["coins/correct"]),
    )

    def on(*names: str, then: Sequence[str] = ()) -> list[tuple[str, tuple[str, ...]]]:
        return [(name, (path[name], *then)) for name in names]

    return {
        "check": [
            *on("minmax/fault1", "hashtable/correct", "building/fault1", "batchplant/fault1", then=json_form),
            (reference[0], (*reference[1], *json_form)),
        ],
        "localize": [
            *on("hashtable/fault1", "building/fault1", "thermostat/fault1", then=phases),
            ("coins/fault1 --io", (student["coins/fault1"], *examples, *json_form)),
            (reference[0], (*reference[1], *phases)),
        ],
        "generate": [
            *on("hashtable/correct", "grades/correct", "building/correct", then=("--output", "OUT/suite")),
            *on("linked_list/correct", then=("--output", "OUT/suite", "--goal", "mutants")),
        ],
        "repair": [
            *on("grades/fault1", "linked_list/fault1", "batchplant/fault1", then=json_form),
            ("coins/fault1 --io", (student["coins/fault1"], *examples, *json_form)),
        ],
        "mutate": on(
            "minmax/correct", "hashtable/correct", "thermostat/correct", then=("--output", "OUT/mutants")
        ),
        "batch": [("coins/* --io", (str(pupils), *examples, "--output", "OUT/table"))],
        "evaluate": [("four versions", ("corpus", str(versions), *kept_in))],
    }


@final
class _Started:
    """A command of the tool in a group of its own, whose descendants become children of this process."""

    def __init__(self, words: Sequence[str], place: Path) -> None:
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
        temporary = place / "tmp"
        temporary.mkdir()
        self.temporary = temporary
        self._before = set(_children())
        self.begin = time.monotonic()
        with (place / "out").open("wb") as out, (place / "err").open("wb") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "sfo", *(word.replace("OUT", str(place)) for word in words)],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=place,
                env={**os.environ, "TMPDIR": str(temporary)},
                start_new_session=True,
                preexec_fn=_hear_interruptions,  # noqa: PLW1509 - it only sets signals
            )

    def ends_within(self, seconds: float) -> bool:
        """Whether the command ends in so much time."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def is_gone(self) -> bool:
        """Whether no descendant and no temporary file is left."""
        for number in self._descendants():
            with suppress(ChildProcessError):
                os.waitpid(number, os.WNOHANG)
        return not self._descendants() and not any(self.temporary.iterdir())

    def _descendants(self) -> set[int]:
        return set(_children()) - self._before - {self.process.pid}

    def left_over(self) -> list[str]:
        """The processes that outlive the command, by their command lines; they are ended."""
        left = []
        for number in self._descendants():
            try:
                is_dead = os.waitpid(number, os.WNOHANG)[0] == number
            except ChildProcessError:
                continue
            if not is_dead:
                words = (
                    Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                )
                left.append(words[:80])
                os.kill(number, signal.SIGKILL)
                os.waitpid(number, 0)
        return left


def _hear_interruptions() -> None:
    """Undo what a shell does to commands in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _children() -> Iterator[int]:
    """Children of this process."""
    for task in Path("/proc/self/task").iterdir():
        yield from map(int, (task / "children").read_text(encoding="ascii").split())


def ending_of(trial: SignalTrial) -> Mapping[str, Any]:
    """What became of a trial; where the command ends before its signal, an earlier moment is drawn."""
    draw = random.Random(f"{trial.command} {trial.number} {trial.count}")  # noqa: S311 - no secret
    most = FIRST if trial.count % 2 else MOST_SECONDS
    while True:
        moment = draw.uniform(0, most)
        with TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
            found = _interrupted(trial, moment, Path(scratch))
        if isinstance(found, dict):
            return found
        most = found


def _interrupted(trial: SignalTrial, moment: float, place: Path) -> dict[str, Any] | float:
    """What became of a trial; where the command ends before its signal, the seconds that it took."""
    started = _Started(trial.words, place)
    if started.ends_within(max(0.0, moment - (time.monotonic() - started.begin))):
        seconds = time.monotonic() - started.begin
        _comes_true(started.is_gone, LATEST)
        started.left_over()
        return seconds
    sent = time.monotonic()
    # A terminal tells the whole group, ``kill`` the process alone.
    (os.killpg if trial.number == signal.SIGINT else os.kill)(started.process.pid, trial.number)
    if not started.ends_within(_PATIENCE):
        started.process.kill()
        started.process.wait()
    _comes_true(started.is_gone, _PATIENCE)
    seconds = time.monotonic() - sent
    left = started.left_over()
    out = (place / "out").read_text(encoding="utf-8", errors="replace")
    err = (place / "err").read_text(encoding="utf-8", errors="replace")
    files = [str(path.relative_to(place)) for path in sorted(started.temporary.iterdir())]
    code = started.process.returncode
    wrong = [
        *_faults_of_end(trial, code, out, err, seconds),
        *(f"left: {one}" for one in [*left, *files]),
    ]
    return {
        "command": trial.command,
        "subject": trial.subject,
        "signal": signal.Signals(trial.number).name,
        "count": trial.count,
        "moment": round(moment, 3),
        "seconds": round(seconds, 3),
        "code": code,
        "known": _has_report(trial, out, place),
        "wrong": wrong,
        "said": err[-400:] if wrong else "",
    }


def _faults_of_end(trial: SignalTrial, code: int, out: str, err: str, seconds: float) -> Iterator[str]:
    """What is wrong with an end."""
    if seconds > LATEST:
        yield f"late: {seconds:.1f} s"
    if "KeyboardInterrupt" in err and not _OWN.search(err):
        return  # the interpreter had not come to the command yet
    # Before the command line can say anything, the signal itself ends the process; behind all it has to say, none does.
    has_ended = bool(out) and "stopping" not in err
    if code not in (INTERRUPTED, -trial.number) and not has_ended:
        yield f"exit code {code}"
    if code == INTERRUPTED and "stopping" not in err:
        yield "not told"
    if "Traceback" in err or "Exception ignored" in err:
        yield "traceback"
    if "violated" in err and not out:
        yield "lost: all that was told"
    if "json" in trial.words and out:
        try:
            found = json.loads(out)
        except json.JSONDecodeError:
            yield "half a report"
        else:
            if "violated" in err and found["verdict"] != "violated":
                yield "lost: a violation that was told"


def _has_report(trial: SignalTrial, out: str, place: Path) -> bool:
    """Whether what was known is printed or written."""
    written = [path for path in place.rglob("*") if path.is_file() and path.name not in ("out", "err")]
    return bool(out) or (trial.command in ("generate", "mutate", "batch", "evaluate") and bool(written))


def _comes_true(question: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not question():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def summary(trials: Sequence[Mapping[str, Any]]) -> tuple[str, bool]:
    """The table of the campaign, and whether every end is as it should be."""
    rows = []
    for command in dict.fromkeys(one["command"] for one in trials):
        mine = [one for one in trials if one["command"] == command]
        seconds = sorted(one["seconds"] for one in mine)
        rows.append(
            (
                command,
                str(len(mine)),
                str(sum(one <= LATEST for one in seconds)),
                f"{statistics.median(seconds):.2f}",
                f"{seconds[-1]:.2f}",
                str(sum(one["known"] for one in mine)),
                str(sum(bool(one["wrong"]) for one in mine)),
            )
        )
    head = (
        "command",
        "signals",
        f"ended within {LATEST:.0f} s",
        "median, s",
        "latest, s",
        "with a report",
        "wrong",
    )
    lines = [" | ".join(row) for row in (head, ["---", *["---:"] * (len(head) - 1)], *rows)]
    return "\n".join(f"| {line} |" for line in lines), not any(one["wrong"] for one in trials)


@click.command(help=(__doc__ or "").split("\n\n", maxsplit=1)[0])
@FINDINGS
@click.option("--only", multiple=True, metavar="COMMAND", help="A command; repeatable.")
@click.option("--every", type=click.IntRange(min=1), default=1, metavar="N", help="Only each N-th trial.")
@JOBS
@WRITE
def main(results: Path, only: tuple[str, ...], every: int, jobs: int, publish: bool) -> None:
    """Make the trials that ``results`` does not have; exit code 1 where some end is wrong."""
    trials = kept(results)
    known = {(one["command"], signal.Signals[one["signal"]], one["count"]) for one in trials}
    with TemporaryDirectory() as scratch:
        asked = [t for t in signal_trials(Path(scratch)) if not only or t.command in only][::every]
        for ending in in_order(ending_of, [trial for trial in asked if trial.key not in known], jobs):
            keep(results, ending)
            trials.append(dict(ending))
            click.echo(
                f"{ending['command']}  {ending['subject']}  {ending['signal']} at {ending['moment']:.2f} s"
                f"  +{ending['seconds']:.2f} s  exit {ending['code']}{'  report' if ending['known'] else ''}"
                f"  {'; '.join(ending['wrong'])}"
            )
    table, is_well = summary(trials)
    click.echo(table)
    if publish:
        publish_run("python -m benchmarks.signals --results signals.jsonl --write", table, BEGIN, END)
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
