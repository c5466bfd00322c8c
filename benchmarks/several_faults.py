"""Two faults at once: ``python -m benchmarks.several_faults`` looks for both in one minimal set of units.

Two faulty versions of a benchmark program, each with its one fault, are joined line by line. Where no unit alone could
save all failing executions, ``--rank full`` lists minimal sets of units that together could; the table says at which
place the first set with both faults stands.

Such a pair is two faults only if the failing inputs need both: where values at one of them may save every failing
execution that is known, the other one is *masked*. And a set can only name a fault that some value repairs: where no
value at it saves the failing executions of its own version, it is *no value*.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Final, final

import click

from benchmarks import publish as page
from benchmarks.campaign import WRITE
from benchmarks.manifest import BenchmarkProgram, Version, load_manifest
from benchmarks.scoring import MEASURE, faulty_units
from cfrontend.program import ProgramOptions
from sfo.core.parallel import parallel_processors
from sfo.core.result import Result
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.test_generation.algorithm1 import PASSING_ATTEMPTS

BEGIN: Final = "<!-- several: begin (python -m benchmarks.several_faults --write) -->"
"""What stands before the published table."""

END: Final = "<!-- several: end -->"
"""What stands after it."""

PROGRAMS: Final = (
    "minmax",
    "triangle",
    "calendar",
    "vending",
    "averages",
    "ringbuf",
    "elevator",
    "protocol",
    "thermostat",
    "drvlock",
)
"""Programs with two faults that can be joined, which come first; then those of the manifest, in its order."""

_COUNTED: Final = 10
"""Programs with a pair that counts."""

_TRIES: Final = 8
"""Pairs of a program that are tried until the failing inputs need both faults and no edit of one unit repairs them."""

FIRST: Final = 2
"""A set with both faults is to be among so many."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two versions of one program, and the text that has both faults."""

    one: Version
    other: Version
    text: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What a pair gave: ``alone`` when an edit of one unit repairs it; ``place`` of the first set with both faults.

    ``unfair`` says why the pair is not two faults that a set could name, empty where it is.
    """

    program: str
    versions: str
    units: int
    sets: int
    smallest: int
    place: int | None
    alone: bool
    seconds: float
    problem: str = ""
    unfair: str = ""

    @property
    def counts(self) -> bool:
        """Whether sets of units can be expected to have both faults."""
        return not self.alone and not self.unfair


def pairs(program: BenchmarkProgram) -> Iterator[Pair]:
    """The pairs of versions whose faults are on different lines of a text of equal length.

    Missing statements are left out: they are no units, so no set can name them.
    """
    correct = program.correct.read_text(encoding="utf-8").splitlines(keepends=True)
    versions = [version for version in program.versions if not version.kind.startswith("missing")]
    for one, other in combinations(versions, 2):
        texts = [v.path.read_text(encoding="utf-8").splitlines(keepends=True) for v in (one, other)]
        if {len(text) for text in texts} != {len(correct)} or set(one.faulty_lines) & set(other.faulty_lines):
            continue
        lines: list[str] = []
        for was, *now in zip(correct, *texts, strict=True):
            changed = {line for line in now if line != was}
            if len(changed) > 1:
                break
            lines.append(changed.pop() if changed else was)
        else:
            yield Pair(one=one, other=other, text="".join(lines))


def examine(pair: Pair, timeout: float) -> Row:
    """The row of a pair."""
    with tempfile.TemporaryDirectory(prefix="sfo-") as directory:
        path = Path(directory) / "both.c"
        path.write_text(pair.text, encoding="utf-8")
        options = PipelineOptions(
            program=ProgramOptions(entry=pair.one.entry),
            passing=PASSING_ATTEMPTS,
            measure=MEASURE,
            rank="full",
            timeout=timeout,
            jobs=parallel_processors(),
        )
        result = run_localize_pipeline([str(path)], options)
        row = row_of(pair, str(path), result)
    if row.counts and not all(has_value(version, timeout) for version in (pair.one, pair.other)):
        return replace(row, unfair="no value")
    return row


@cache
def has_value(version: Version, timeout: float) -> bool:
    """Whether values at the fault of a version with one fault may save all its failing executions."""
    options = PipelineOptions(
        program=ProgramOptions(entry=version.entry), passing=PASSING_ATTEMPTS, rank="full", timeout=timeout
    )
    result = run_localize_pipeline([str(version.path)], options)
    faulty = faulty_units(result.dataset.units, str(version.path), version.faulty_lines)
    return result.angelic is not None and any(result.angelic.may_save_all(unit) for unit in faulty)


def row_of(pair: Pair, path: str, result: Result) -> Row:
    """What ``result`` says of the pair in ``path``."""
    units = result.dataset.units
    faults = [faulty_units(units, path, version.faulty_lines) for version in (pair.one, pair.other)]
    sets = () if result.diagnoses is None else result.diagnoses.sets
    places = (
        n for n, units in enumerate(sets, start=1) if all(not fault.isdisjoint(units) for fault in faults)
    )
    accounting = () if result.diagnoses is None else result.diagnoses.alone
    masked = any(unit in accounting for fault in faults for unit in fault)
    return Row(
        program=pair.one.program,
        versions=f"{pair.one.name} + {pair.other.name}",
        units=len(units),
        sets=len(sets),
        smallest=min(map(len, sets), default=0),
        place=next(places, None),
        alone=result.diagnoses is None
        and result.repairs is not None
        and any(repair.behaviour != "changed" for repair in result.repairs.found),
        seconds=result.statistics.seconds["total"],
        problem=result.reason or "",
        unfair="masked" if masked else "",
    )


def table(rows: Sequence[Row]) -> str:
    """A line for each pair, and how many have both faults among the first sets."""
    lines = [
        "| program | faults | units | sets | units of the smallest | place of both | seconds |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        place = "one edit" if row.alone else row.unfair or row.place or "-"
        lines.append(
            f"| {row.program} | {row.versions} | {row.units} | {row.sets} | {row.smallest} | {place} |"
            f" {row.seconds:.1f} |"
        )
    counted = [row for row in rows if row.counts]
    good = sum(row.place is not None and row.place <= FIRST for row in counted)
    of = f"{good} of {len(counted)} versions whose failing inputs need both"
    lines += ["", f"Both faults are in one of the first {FIRST} sets in {of}."]
    lines += [f"* {row.program}: {row.problem}" for row in rows if row.problem]
    return "\n".join(lines)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--only", multiple=True, metavar="NAME", help="A program; repeatable. Else ten that count.")
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="All pairs, not only the first of each program that is two faults.",
)
@click.option("--timeout", default=600.0, show_default=True, metavar="S", help="Seconds for one version.")
@WRITE
def main(only: tuple[str, ...], every: bool, timeout: float, publish: bool) -> None:
    """Look for two faults at once in versions of the benchmark programs."""
    known = {program.name: program for program in load_manifest()}
    names = [name for name in known if name in only] if only else dict.fromkeys((*PROGRAMS, *known))
    rows: list[Row] = []
    for program in map(known.__getitem__, names):
        if not only and sum(row.counts for row in rows) >= _COUNTED:
            break
        found: list[Row] = []
        for pair in list(pairs(program))[: None if every else _TRIES]:
            found.append(examine(pair, timeout))
            click.echo(f"{found[-1].program} {found[-1].versions}: {found[-1].place}", err=True)
            if not every and found[-1].counts:
                break
        rows += found if every else found[-1:]
    if not rows:
        click.echo("no two versions of these programs can be joined", err=True)
        sys.exit(2)
    click.echo(table(rows))
    if publish:
        command = f"python -m benchmarks.several_faults --timeout {timeout:.0f} --write"
        page.publish_run(command, table(rows), BEGIN, END)


if __name__ == "__main__":
    main()
