"""Is the correct version enough of a specification? ``python -m benchmarks.reference``.

Each faulty version of the benchmark programs is localised without its assertions, from the correct version alone: what
it prints, returns and leaves in global variables, and what its assertions look at, have to be what the correct version
prints, returns, leaves and looks at. Whether an assertion holds counts for nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from benchmarks import publish as page
from benchmarks.campaign import JOBS, KEPT, ONLY, TIMEOUT, WRITE, chosen, in_order, keep, kept
from benchmarks.manifest import BenchmarkProgram, Version, load_manifest
from benchmarks.run import Row, row_of
from benchmarks.scoring import MEASURE, Score, lines_of_code
from cfrontend.program import ProgramOptions
from sfo.core.parallel import parallel_processors
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.test_generation.algorithm1 import PASSING_ATTEMPTS

BEGIN: Final = "<!-- reference: begin (python -m benchmarks.reference --write) -->"
"""What stands before the published table."""

END: Final = "<!-- reference: end -->"
"""What stands after it."""

MAX_UNWIND: Final = 16
"""Where the search for a failing bound ends."""

Record = Mapping[str, Any]
"""What is kept of one version: ``version``, ``located``, ``proved``, ``failing``, ``units``, ``full``, ``seconds``,
``problem``."""


def run_version(version: Version, correct: Path, timeout: float | None, processes: int = 1) -> Row:
    """One faulty version beside the correct one, by so many ``processes``.

    Whatever error ends sfo is the row's ``problem``.
    """
    begin = time.monotonic()
    lines = lines_of_code(version.path.read_text(encoding="utf-8"))
    options = PipelineOptions(
        program=ProgramOptions(entry=version.entry, reference=(str(correct),), observed=True),
        passing=PASSING_ATTEMPTS,
        measure=MEASURE,
        rank="full",
        timeout=timeout,
        max_unwind=MAX_UNWIND,
        jobs=processes,
    )
    try:
        result = run_localize_pipeline([str(version.path)], options)
    except Exception as error:  # noqa: BLE001 - a crash of sfo is a result about one version
        problem = f"{type(error).__name__}: {error}"
        seconds = time.monotonic() - begin
        return Row(
            program=version.program,
            version=version.name,
            lines=lines,
            units=0,
            seconds=seconds,
            seconds_full=seconds,
            problem=problem,
        )
    return row_of(version, lines, result, time.monotonic() - begin)


def record(row: Row) -> Record:
    """What is kept of a row."""
    full: Score | None = None if row.scores is None else row.scores.full
    return {
        "version": f"{row.program}/{row.version}",
        "located": row.covered_by_all,
        "proved": row.located,
        "failing": row.failing,
        "units": row.units,
        "full": None if full is None else full.units,
        "seconds": round(row.seconds_full, 1),
        "problem": row.problem,
    }


def run_all(
    programs: Sequence[BenchmarkProgram], versions: Sequence[Version], timeout: float | None, jobs: int
) -> Iterator[Record]:
    """What came of each version, in order."""
    correct = {program.name: program.correct for program in programs}
    pairs = [(version, correct[version.program]) for version in versions]
    processes = max(1, parallel_processors() // jobs)
    return map(record, in_order(partial(_run_pair, timeout=timeout, processes=processes), pairs, jobs))


def _run_pair(pair: tuple[Version, Path], timeout: float | None, processes: int) -> Row:
    return run_version(*pair, timeout, processes)


def table(records: Sequence[Record]) -> str:
    """Versions, located, proved, units inspected before the fault on average; then what is to be said of some."""
    lines = [
        "| versions | located | proved | units | inspected |",
        "|---:|---:|---:|---:|---:|",
        _line(records),
    ]
    said = [f"* {item['version']}: {_said(item)}" for item in records if _said(item)]
    return "\n".join(lines) + ("\n\n" + "\n".join(said) if said else "")


def _line(records: Sequence[Record]) -> str:
    ranks = [item["full"] for item in records if item["full"] is not None]
    inspected = f"{sum(ranks) / len(ranks):.2f}" if ranks else "-"
    units = sum(item["units"] for item in records) / len(records)
    located, proved = (sum(item[key] for item in records) for key in ("located", "proved"))
    return f"| {len(records)} | {located} | {proved} | {units:.0f} | {inspected} |"


def _said(item: Record) -> str:
    if item["problem"]:
        return str(item["problem"])
    if not item["failing"]:
        return "no execution that differs was found"
    return "" if item["located"] else "no faulty unit is covered by all failing executions"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@ONLY
@TIMEOUT
@JOBS
@KEPT
@WRITE
def main(
    only: tuple[str, ...], timeout: float | None, jobs: int, results: Path | None, publish: bool
) -> None:
    """Localise each faulty version without its assertions, from the correct version; exit code 1 where that fails."""
    versions = chosen(only)
    done: dict[str, Record] = {item["version"]: item for item in kept(results)}
    left = [version for version in versions if version.id not in done]
    for item in run_all(load_manifest(), left, timeout, jobs):
        done[item["version"]] = item
        click.echo(f"{item['version']} {item['seconds']} s {_said(item)}".rstrip(), err=True)
        keep(results, item)
    records = [done[version.id] for version in versions]
    click.echo(table(records))
    if publish:
        limit = f" --timeout {timeout:g}" if timeout else ""
        page.publish_run(f"python -m benchmarks.reference{limit}", table(records), BEGIN, END)
    sys.exit(0 if all(item["located"] for item in records) else 1)


if __name__ == "__main__":
    main()
