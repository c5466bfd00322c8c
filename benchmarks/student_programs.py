"""Student programs beside their references: ``python -m benchmarks.student_programs`` ranks, and says what is repaired.

Each faulty version is localised with its correct version as the reference and the inputs of the examples as tests, with
passing executions and all phases. Each version without the fault is checked in the same way: no input of the domain,
which are those within the bound that are like the examples, may tell it from the reference.
There are two sets: the second was written before the tool was tried on any of it, and is never changed for its sake.
There is no time limit, so that the table is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final, final

import click

from benchmarks import publish as page
from benchmarks.campaign import KEPT, ONLY, WRITE, keep, kept
from benchmarks.manifest import PROGRAMS, BenchmarkProgram, Version, load_manifest, select
from benchmarks.scoring import MEASURE, faulty_units
from cfrontend.program import ProgramOptions
from sfo.core.parallel import parallel_processors
from sfo.core.result import Result, Verdict
from sfo.execution.examples import read_examples
from sfo.execution.learnt_domain import learnt_input_domain
from sfo.pipeline.localize import localize_pipeline_checks, run_localize_pipeline
from sfo.pipeline.localize_tests import cases_to_localize_tests
from sfo.pipeline.options import PipelineOptions
from sfo.test_generation.algorithm1 import PASSING_ATTEMPTS

STUDENTS: Final = PROGRAMS.parent / "students"
"""Where the programs of the first set, their manifest and their examples are."""

SETS: Final[Mapping[str, Path]] = MappingProxyType({"first": STUDENTS, "second": STUDENTS / "second"})
"""Where each set is, by its name; no two sets have a program of the same name."""

BEGIN: Final = "<!-- students: begin (python -m benchmarks.student_programs --write) -->"
"""What stands before the published table."""

END: Final = "<!-- students: end -->"
"""What stands after it."""

_FIRST: Final = 5
"""Places that a reader looks at."""

_MAX_UNWIND: Final = 8
"""Rounds of loops in which a failing execution is looked for: the programs are small."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class StudentRow:
    """One faulty version: units before the fault (None: it is not ranked), and the first verified edit of it."""

    id: str
    kind: str
    units: int
    before: int | None
    repair: str = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FixedRow:
    """One version without a fault: what a check says, and within which bound nothing is violated."""

    id: str
    verdict: Verdict
    refuted: int | None


def examine_student_version(program: BenchmarkProgram, version: Version) -> StudentRow:
    """Localise a faulty version beside the program's correct one."""
    options = _options(program, version.entry)
    return student_row(version, run_localize_pipeline([str(version.path)], options))


def examine_fixed_version(program: BenchmarkProgram, path: Path) -> FixedRow:
    """Check a version without a fault beside the program's correct one."""
    options = replace(_options(program, program.versions[0].entry), stop_on_fail=True)
    result = localize_pipeline_checks([str(path)], options)
    return FixedRow(id=f"{program.name}/{path.stem}", verdict=result.verdict, refuted=result.refuted)


def _options(program: BenchmarkProgram, entry: str) -> PipelineOptions:
    examples = read_examples(str(program.correct.parent / "examples"))
    beside = ProgramOptions(entry=entry, reference=(str(program.correct),))
    return PipelineOptions(
        program=replace(beside, domain=learnt_input_domain(beside, examples)),
        passing=PASSING_ATTEMPTS,
        measure=MEASURE,
        rank="full",
        tests=cases_to_localize_tests(examples),
        max_unwind=_MAX_UNWIND,
        jobs=parallel_processors(),
    )


def student_row(version: Version, result: Result) -> StudentRow:
    """The row of a result."""
    faulty = faulty_units(result.dataset.units, str(version.path), version.faulty_lines)
    places = [place for place, line in enumerate(result.ranking) if line.unit in faulty]
    repairs = () if result.repairs is None else result.repairs.found
    edits = [f"{one.before} -> {one.after}" for one in repairs if one.unit in faulty]
    return StudentRow(
        id=version.id,
        kind=version.kind,
        units=len(result.dataset.units),
        before=min(places, default=None),
        repair=next(iter(edits), ""),
    )


def student_table(rows: Sequence[StudentRow]) -> str:
    """A row for each version whose fault is not both first and repaired, and the counts."""
    lines = ["| version | fault | units | before the fault | verified repair |", "|---|---|---:|---:|---|"]
    for row in rows:
        if row.before == 0 and row.repair:
            continue
        edit = f"`{row.repair}`".replace("|", "\\|") if row.repair else "-"
        lines.append(
            f"| {row.id} | {row.kind} | {row.units} | {'-' if row.before is None else row.before} | {edit} |"
        )
    return "\n".join([*lines, "", student_counts(rows)])


def student_counts(rows: Sequence[StudentRow]) -> str:
    """Counts of a set of versions: fault first, among the first five, and repaired."""
    first = sum(row.before == 0 for row in rows)
    five = sum(row.before is not None and row.before < _FIRST for row in rows)
    repaired = sum(bool(row.repair) for row in rows)
    return (
        f"{len(rows)} versions: first in {first}, among the first five in {five}, "
        f"a verified repair of the fault in {repaired}."
    )


def fixed_table(rows: Sequence[FixedRow]) -> str:
    """How many versions without a fault are refuted, which has to be none, and how many are proved to be right."""
    violated = [row.id for row in rows if row.verdict == "violated"]
    safe = sum(row.verdict == "safe" for row in rows)
    bounds = ", ".join(
        f"{row.id} ({'none' if row.refuted is None else row.refuted})"
        for row in rows
        if row.verdict == "unknown"
    )
    said = (
        f"{len(rows)} versions without a fault: violated inside the domain "
        f"{', '.join(violated) if violated else 'none'}; right in every execution within {_MAX_UNWIND} rounds {safe}."
    )
    return f"{said} Not decided (with the rounds within which they are right): {bounds}." if bounds else said


def all_tables(rows: Sequence[StudentRow | FixedRow], sets: Iterable[str] = SETS) -> str:
    """The tables of each set of which there are rows; below several, the counts of all rows together."""
    parts = []
    named = 0
    for name in sets:
        programs = {program.name for program in load_manifest(SETS[name])}
        mine = [row for row in rows if row.id.partition("/")[0] in programs]
        if mine:
            named += 1
            ranked, fixed = _apart(mine)
            parts.append(f"The {name} set:\n\n{student_table(ranked)}\n\n{fixed_table(fixed)}")
    if named > 1:
        ranked, fixed = _apart(rows)
        parts.append(f"All sets together:\n\n{student_counts(ranked)}\n\n{fixed_table(fixed)}")
    return "\n\n".join(parts)


def _apart(rows: Sequence[StudentRow | FixedRow]) -> tuple[list[StudentRow], list[FixedRow]]:
    ranked = [row for row in rows if isinstance(row, StudentRow)]
    return ranked, [row for row in rows if isinstance(row, FixedRow)]


def student_programs(sets: Iterable[str] = SETS) -> tuple[BenchmarkProgram, ...]:
    """The programs of these sets, in their order."""
    return tuple(program for name in sets for program in load_manifest(SETS[name]))


def all_rows(
    only: Collection[str] = (), results: Path | None = None, sets: Iterable[str] = SETS
) -> Iterator[StudentRow | FixedRow]:
    """The rows of all versions in ``sets``, faulty and fixed, or of ``only`` these.

    What ``results`` has is not done again.
    """
    known = {item["id"]: item for item in kept(results)}
    programs = student_programs(sets)
    for program in programs:
        for version in program.versions:
            if only and program.name not in only and version.id not in only:
                continue
            if version.id in known:
                yield StudentRow(**known[version.id])
                continue
            row = examine_student_version(program, version)
            keep(results, asdict(row))
            yield row
    for program in programs:
        mine = [version.fixed or program.correct for version in program.versions if version.id in only]
        for path in program.fixed:
            if only and program.name not in only and path not in mine:
                continue
            if (item := known.get(f"{program.name}/{path.stem}")) is not None:
                yield FixedRow(**item)
                continue
            fixed = examine_fixed_version(program, path)
            keep(results, asdict(fixed))
            yield fixed


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--set",
    "chosen",
    type=click.Choice(tuple(SETS)),
    help="The programs of one set only; those of both if absent.",
)
@ONLY
@KEPT
@WRITE
def main(chosen: str | None, only: tuple[str, ...], results: Path | None, publish: bool) -> None:
    """Rank the faulty student programs beside their references, and check those without a fault."""
    sets = tuple(SETS) if chosen is None else (chosen,)
    select(student_programs(sets), only)  # an unknown name is an error
    rows: list[StudentRow | FixedRow] = []
    for row in all_rows(only, results, sets):
        match row:
            case StudentRow():
                click.echo(f"{row.id}: {row.before} {row.repair}", err=True)
            case FixedRow():
                click.echo(f"{row.id}: {row.verdict} {row.refuted}", err=True)
        rows.append(row)
    text = all_tables(rows, sets)
    click.echo(text)
    if publish:
        names = "".join(f" --only {name}" for name in only)
        option = "" if chosen is None else f" --set {chosen}"
        command = f"    python -m benchmarks.student_programs{option}{names} --write"
        page.publish(f"{command}\n\n{page.describe_environment()}\n\n{text}", BEGIN, END)


if __name__ == "__main__":
    main()
