"""Endings campaign: every command ends by itself, and within its time limit where it has one.

    python -m benchmarks.endings --results endings.jsonl             ->  "minmax/fault1  exit 0  0.9 s  (1.2 s)", ...
    python -m benchmarks.endings --results limits.jsonl --limits     ->  "building/fault1  check --timeout 3  +0.21 s"

``sfo localize --passing`` without a time limit is executed on every version, on the correct programs, and on a hundred
mutants of these. Of each it is told how long it took, and in brackets how much processor time, which depends less on
what else the machine does. With ``--limits``, the commands are executed on the first version of each large program with
``--timeout`` 1, 3 and 10; told is by how much they were late.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Timer
from typing import Any, Final, final

import click

from benchmarks.campaign import FINDINGS, JOBS, ONLY, in_order, keep, kept
from benchmarks.full_ranking import mutant_subjects
from benchmarks.manifest import load_manifest
from benchmarks.processes import silent_tool_process, usage_of_process
from benchmarks.record import MAX_LINES
from cfrontend.record import dataclass

MOST_SECONDS: Final = 90.0
"""Seconds within which every small program has to end."""

USUAL_SECONDS: Final = 20.0
"""Seconds within which 95 % of them have to."""

LATE_SECONDS: Final = 0.5
"""Seconds by which a command may exceed its time limit."""

LIMITS: Final = (1, 3, 10)
"""Time limits of the large programs in seconds."""

_PATIENCE: Final = 600.0
"""Seconds after which an execution is taken to have no end."""

_MUTANTS: Final = 3
"""Mutants of each group that are made of each correct program, of which a hundred are taken."""


@final
@dataclass(frozen=True, slots=True)
class EndingQuestion:
    """A command line of the tool without its name, about ``subject``; ``limit`` is its time limit in seconds."""

    subject: str
    arguments: tuple[str, ...]
    limit: float | None = None


def endings_without_limit(mutants: Path, count: int) -> Iterator[EndingQuestion]:
    """``localize`` on the small programs: versions, correct ones, and ``count`` mutants made below ``mutants``."""
    for program in load_manifest():
        paths = {version.id: version.path for version in program.versions}
        if program.correct.exists():
            paths[f"{program.name}/correct"] = program.correct
        entry = program.versions[0].entry
        for name, path in paths.items():
            if len(path.read_bytes().splitlines()) <= MAX_LINES:
                yield EndingQuestion(name, _localize(path, entry))
    # To make mutants takes longer than all the rest.
    for subject in mutant_subjects(mutants, _MUTANTS)[:count] if count else ():
        yield EndingQuestion(f"{subject.id} ({subject.group})", _localize(Path(subject.path), subject.entry))


def _localize(path: Path, entry: str) -> tuple[str, ...]:
    return ("localize", str(path), "--entry", entry, "--passing", "--format", "json")


def endings_with_limit(directory: Path) -> Iterator[EndingQuestion]:
    """Each command on the first version of each large program with each limit; it writes below ``directory``."""
    for program in load_manifest():
        version = program.versions[0]
        if len(version.path.read_bytes().splitlines()) <= MAX_LINES:
            continue
        for seconds in LIMITS:
            suite = str(directory / f"{program.name}-{seconds}")
            for command in (
                ("check",),
                ("localize", "--passing"),
                ("repair",),
                ("generate", "--output", suite),
            ):
                arguments = (*command, str(version.path), "--entry", version.entry, "--timeout", str(seconds))
                yield EndingQuestion(version.id, arguments, float(seconds))


def ending_of(question: EndingQuestion) -> Mapping[str, Any]:
    """Exit code of one execution of the tool (None: it has no end), its seconds, and those of the processor."""
    process = silent_tool_process(question.arguments)
    is_given_up = Event()

    def give_up() -> None:
        is_given_up.set()
        process.kill()

    patience = Timer(_PATIENCE, give_up)
    patience.start()
    try:
        usage = usage_of_process(process)
    finally:
        patience.cancel()
    return {
        "subject": question.subject,
        "command": _command(question),
        "limit": question.limit,
        "code": None if is_given_up.is_set() else usage.code,
        "seconds": round(usage.seconds, 3),
        "processor": round(usage.processor, 3),
    }


def _command(question: EndingQuestion) -> str:
    """The command line without paths, which differ from machine to machine."""
    return " ".join(word for word in question.arguments if "/" not in word)


def summary(endings: Sequence[Mapping[str, Any]]) -> tuple[str, bool]:
    """Summary of the campaign, a line for each kind of question; false where something ended too late or not at all."""
    lines, is_well = [], True
    free = [one for one in endings if one["limit"] is None]
    if free:
        seconds = [one["seconds"] for one in free]
        usual = sum(one <= USUAL_SECONDS for one in seconds)
        ended = all(one["code"] is not None for one in free)
        is_well = ended and 20 * usual >= 19 * len(seconds) and max(seconds) <= MOST_SECONDS
        lines.append(
            f"{len(free)} without a limit: {usual} within {USUAL_SECONDS:.0f} s ({usual / len(free):.0%}), median"
            f" {statistics.median(seconds):.1f} s, at most {max(seconds):.1f} s"
        )
    late = [one["seconds"] - one["limit"] for one in endings if one["limit"] is not None]
    if late:
        in_time = sum(one <= LATE_SECONDS for one in late)
        is_well = is_well and in_time == len(late)
        lines.append(
            f"{len(late)} with a limit: {in_time} within {LATE_SECONDS} s of it, the latest {max(late):.2f} s behind it"
        )
    return "\n".join(lines), is_well


@click.command(help=(__doc__ or "").split("\n\n", maxsplit=1)[0])
@FINDINGS
@ONLY
@click.option("--limits", is_flag=True, help="The commands with time limits on the large programs.")
@click.option(
    "--mutants", "count", type=click.IntRange(min=0), default=100, show_default=True, help="How many."
)
@click.option(
    "--every", type=click.IntRange(min=1), default=1, metavar="N", help="Only each N-th of all questions."
)
@JOBS
def main(results: Path, only: tuple[str, ...], limits: bool, count: int, every: int, jobs: int) -> None:
    """Ask the questions that ``results`` has no answer to; exit code 1 where something did not end in time."""
    done = kept(results)
    known = {(one["subject"], one["command"]) for one in done}
    with TemporaryDirectory() as scratch:
        questions = [
            *(
                endings_with_limit(Path(scratch))
                if limits
                else endings_without_limit(results.with_suffix(".mutants"), count)
            )
        ]
        questions = [q for q in questions if not only or q.subject.split(" ")[0] in only][::every]
        waiting = [q for q in questions if (q.subject, _command(q)) not in known]
        for ending in in_order(ending_of, waiting, jobs):
            keep(results, ending)
            done.append(dict(ending))
            late = "" if ending["limit"] is None else f"  {ending['seconds'] - ending['limit']:+.2f} s"
            click.echo(
                f"{ending['subject']}  {ending['command']}  exit {ending['code']}  {ending['seconds']:.1f} s"
                f"  ({ending['processor']} s){late}"
            )
    text, is_well = summary(done)
    click.echo(text)
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
