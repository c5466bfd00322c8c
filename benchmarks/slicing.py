"""What slices do to time and accuracy: ``python -m benchmarks.slicing --results slicing.jsonl``.

Every faulty version is localised three times, with ``--slice none``, ``static`` and ``dynamic``, by coverage alone
and with passing executions. The table says how many units all failing executions cover, whether a faulty one is among
them, and how many units are inspected before the fault. Times are processor seconds of the process, which other work
on the machine hardly changes. The results file has a line of JSON for each version, and what it has is not run again.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, final, get_args

import click

from benchmarks import publish as page
from benchmarks.campaign import JOBS, KEPT, ONLY, TIMEOUT, WRITE, chosen, in_order, keep, kept
from benchmarks.manifest import Version, load_manifest
from benchmarks.scoring import MEASURE, faulty_units, scores
from cfrontend.errors import SfoError
from cfrontend.program import ProgramOptions
from sfo.core.result import Result, Slicing
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.spectra.measures import find_measure
from sfo.test_generation.algorithm1 import PASSING_ATTEMPTS

BEGIN: Final = "<!-- slicing: begin (python -m benchmarks.slicing --write) -->"
"""What stands before the published tables."""

END: Final = "<!-- slicing: end -->"
"""What stands after them."""

KINDS: Final[tuple[Slicing, ...]] = get_args(Slicing)
"""The slices that are compared."""

DATASETS: Final = ("1f", "sfo", "sfo_p")
"""The datasets whose scores are compared: one failing execution, all of them, passing ones too."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Sliced:
    """What one kind of slice gave for a version.

    ``suspects`` are the units that all failing executions cover, ``faulty`` whether a faulty unit is one of them,
    ``optimal`` whether that is proved. ``inspected`` are units before the fault, by dataset; None when nothing failed.
    ``removed`` are the units outside a static slice, ``executions`` failing and passing ones.
    """

    seconds: float
    suspects: int = 0
    faulty: bool = False
    optimal: bool = False
    removed: int = 0
    executions: int = 0
    inspected: Mapping[str, int] | None = None
    problem: str = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A version with what each kind of slice gave."""

    program: str
    version: str
    kind: str
    units: int
    found: Mapping[str, Sliced]

    @property
    def id(self) -> str:
        """``minmax/fault1``."""
        return f"{self.program}/{self.version}"

    @property
    def is_complete(self) -> bool:
        """Whether every kind has a score and a certificate, so that they can be compared."""
        return all(found.inspected is not None and found.optimal for found in self.found.values())


def examine(job: tuple[Version, float | None]) -> Row:
    """The row of a version; each kind may take so many seconds (None: any)."""
    version, timeout = job
    found: dict[str, Sliced] = {}
    units = 0
    for kind in KINDS:
        options = PipelineOptions(
            program=ProgramOptions(entry=version.entry),
            passing=PASSING_ATTEMPTS,
            measure=MEASURE,
            timeout=timeout,
            slicing=kind,
        )
        begin = time.process_time()
        try:
            result = run_localize_pipeline([str(version.path)], options)
        except SfoError as error:
            found[kind] = Sliced(seconds=time.process_time() - begin, problem=str(error))
            continue
        units = len(result.dataset.units)
        found[kind] = sliced(version, result, time.process_time() - begin)
    return Row(program=version.program, version=version.name, kind=version.kind, units=units, found=found)


def sliced(version: Version, result: Result, seconds: float) -> Sliced:
    """What ``result`` says of the fault of ``version``."""
    dataset = result.dataset
    faulty = faulty_units(dataset.units, str(version.path), version.faulty_lines)
    all_scores = scores(dataset, find_measure(MEASURE), faulty)
    inspected = None
    if all_scores is not None:
        three = (all_scores.one_failing, all_scores.failing, all_scores.failing_and_passing)
        inspected = {name: score.units for name, score in zip(DATASETS, three, strict=True)}
    return Sliced(
        seconds=seconds,
        suspects=len(result.intersection),
        faulty=not faulty.isdisjoint(result.intersection),
        optimal=result.optimal is True,
        removed=0 if result.slice is None else len(result.slice.removed),
        executions=len(dataset.executions),
        inspected=inspected,
        problem=result.reason or "",
    )


def read_row(item: Mapping[str, Any]) -> Row:
    """A row of a results file."""
    found = {kind: Sliced(**sliced) for kind, sliced in item["found"].items()}
    return Row(**{**item, "found": found})


# -- tables ------------------------------------------------------------------------------------------------------


def tables(rows: Sequence[Row], faults: Mapping[str, str]) -> str:
    """All kinds side by side, program by program, and the versions whose fault some kind loses.

    ``faults`` describes the fault of a version, by its id.
    """
    complete = [row for row in rows if row.is_complete]
    parts = [_counted(rows, complete)]
    if complete:
        parts += [_overview(complete), _by_program(complete)]
    lost = list(_lost(complete, faults))
    if lost:
        parts.append("Not every failing execution covers the fault:\n\n" + "\n".join(lost))
    problems = [f"* {row.id}, {kind}: {said}" for row in rows for kind, said in _problems(row)]
    if problems:
        parts.append("Not compared:\n\n" + "\n".join(problems))
    return "\n\n".join(parts)


def _counted(rows: Sequence[Row], complete: Sequence[Row]) -> str:
    return f"{len(complete)} of {len(rows)} versions have a certificate with each kind; the tables are about these."


def _overview(rows: Sequence[Row]) -> str:
    lines = [
        "| slice | suspects | fault among them | inspected: 1f | sfo | sfo_p | first | seconds | ratio |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for kind in KINDS:
        found = [row.found[kind] for row in rows]
        inspected = [_spread([_inspected(one, name) for one in found]) for name in DATASETS]
        first = sum(_inspected(one, "sfo_p") == 0 for one in found)
        ratio = statistics.geometric_mean(
            [row.found[kind].seconds / row.found["none"].seconds for row in rows]
        )
        lines.append(
            f"| {kind} | {_spread([one.suspects for one in found])} | {sum(one.faulty for one in found)} |"
            f" {' | '.join(inspected)} | {first} | {_spread([one.seconds for one in found])} | {ratio:.2f} |"
        )
    return "\n".join(lines)


def _by_program(rows: Sequence[Row]) -> str:
    """Means: suspects, units inspected with passing executions, seconds."""
    lines = [
        (
            "| program | versions | units | removed | suspects: none | static | dynamic | sfo_p: none | static | dynamic |"
            " seconds: none | static | dynamic |"
        ),
        "|---|" + "---:|" * 12,
    ]
    for program in dict.fromkeys(row.program for row in rows):
        own = [row for row in rows if row.program == program]
        cells = [f"{statistics.mean(row.found[kind].suspects for row in own):.1f}" for kind in KINDS]
        cells += [
            f"{statistics.mean(_inspected(row.found[kind], 'sfo_p') for row in own):.1f}" for kind in KINDS
        ]
        cells += [f"{statistics.mean(row.found[kind].seconds for row in own):.2f}" for kind in KINDS]
        units = statistics.mean(row.units for row in own)
        removed = statistics.mean(row.found["static"].removed for row in own)
        lines.append(f"| {program} | {len(own)} | {units:.0f} | {removed:.1f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _lost(rows: Sequence[Row], faults: Mapping[str, str]) -> Iterator[str]:
    """The versions with a kind for which some failing execution does not cover the fault."""
    for row in rows:
        without = [kind for kind in KINDS if not row.found[kind].faulty]
        if without:
            inspected = ", ".join(str(_inspected(row.found[kind], "sfo_p")) for kind in KINDS)
            said = f"not with {' and '.join(without)}; sfo_p inspects {inspected}"
            yield f"* {row.id} ({row.kind}), {said}: {faults[row.id]}"


def _problems(row: Row) -> Iterator[tuple[str, str]]:
    for kind, found in row.found.items():
        if found.inspected is None or not found.optimal:
            yield kind, found.problem or "nothing fails"


def _inspected(found: Sliced, dataset: str) -> int:
    assert found.inspected is not None
    return found.inspected[dataset]


def _spread(values: Sequence[float]) -> str:
    """Mean and median."""
    return f"{statistics.mean(values):.2f} / {statistics.median(values):.3g}"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@ONLY
@TIMEOUT
@JOBS
@KEPT
@WRITE
def main(
    only: tuple[str, ...], timeout: float | None, jobs: int, results: Path | None, publish: bool
) -> None:
    """Compare slices on the benchmark versions."""
    versions = chosen(only)
    rows = {row.id: row for row in map(read_row, kept(results))}
    left = [(version, timeout) for version in versions if version.id not in rows]
    for row in in_order(examine, left, jobs):
        keep(results, asdict(row))
        rows[row.id] = row
        each = (f"{kind} {found.suspects} {found.seconds:.1f} s" for kind, found in row.found.items())
        click.echo(f"{row.id}: {', '.join(each)}", err=True)
    done = [rows[version.id] for version in versions if version.id in rows]
    text = tables(done, {version.id: version.description for version in versions})
    click.echo(text)
    if publish:
        everything = sum(len(program.versions) for program in load_manifest())
        limit = "" if timeout is None else f" --timeout {timeout:g}"
        command = f"    python -m benchmarks.slicing{limit} --write"
        said = f"{len(done)} of {everything} versions. {page.describe_environment()}"
        page.publish(f"{command}\n\n{said}\n\n{text}", BEGIN, END)


if __name__ == "__main__":
    main()
