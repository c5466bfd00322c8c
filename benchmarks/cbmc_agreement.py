"""CBMC as the referee of ``sfo check``: ``python -m benchmarks.cbmc_agreement``.

Every feature program of ``tests/differential/features`` is given to both tools. Where their verdicts of a property
differ, the program has to say so and why; whatever else differs is printed, and the exit code is 1.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

import click

from benchmarks import publish as page
from benchmarks.campaign import WRITE, find_cbmc
from tests.differential.agreement import Comparison, RefereeError, compare
from tests.differential.feature_programs import FeatureProgram, load_features

BEGIN: Final = "<!-- agreement: begin (python -m benchmarks.cbmc_agreement --write) -->"
"""What stands before the published table."""

END: Final = "<!-- agreement: end -->"
"""What stands after it."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--only", multiple=True, metavar="NAME", help="A chapter, or one program as in arrays/index_safe."
)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Programs at the same time."
)
@WRITE
def main(only: tuple[str, ...], jobs: int, publish: bool) -> None:
    """Compare the verdicts of sfo and of CBMC for each property of the feature programs.

    CBMC is the program that SFO_CBMC names, or cbmc.
    """
    cbmc = find_cbmc()
    programs = [
        program
        for program in load_features()
        if program.is_read_by_cbmc and (not only or {program.chapter, program.id} & set(only))
    ]
    if not programs:
        raise click.UsageError("no feature program has this name")
    comparisons = []
    for comparison in compare_all(cbmc, programs, jobs):
        comparisons.append(comparison)
        for problem in comparison.problems:
            click.echo(problem)
    table = text_table(comparisons)
    click.echo(table)
    if publish:
        version = subprocess.run([cbmc, "--version"], capture_output=True, text=True, check=True).stdout
        text = f"    python -m benchmarks.cbmc_agreement\n\nCBMC {version.split()[0]}.\n\n{table}"
        page.publish(text, BEGIN, END)
    if any(comparison.problems for comparison in comparisons):
        sys.exit(1)


def compare_all(cbmc: str, programs: Sequence[FeatureProgram], jobs: int) -> Iterator[Comparison]:
    """The comparisons in the order of the programs; a tool that gives no verdicts is a problem of the program."""
    with tempfile.TemporaryDirectory() as directory, ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(partial(_compare, cbmc, Path(directory)), programs, chunksize=4)


def _compare(cbmc: str, directory: Path, program: FeatureProgram) -> Comparison:
    try:
        return compare(cbmc, program, directory)
    except (RefereeError, AssertionError, subprocess.TimeoutExpired) as error:
        return Comparison(program, 0, Counter(), (str(error),))


def text_table(comparisons: Sequence[Comparison]) -> str:
    """A row for each chapter and one for all, in Markdown."""
    chapters = list(dict.fromkeys(c.program.chapter for c in comparisons))
    rows = [
        "| chapter | programs | verdicts | the same | documented | undocumented |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        *(_row(name, [c for c in comparisons if c.program.chapter == name]) for name in chapters),
        _row("all", comparisons),
    ]
    reasons = sum((c.chosen for c in comparisons), Counter[str]())
    listed = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
    return "\n".join(rows) + f"\n\nDocumented differences: {listed or 'none'}."


def _row(name: str, comparisons: Sequence[Comparison]) -> str:
    agreed = sum(c.agreed for c in comparisons)
    chosen = sum(sum(c.chosen.values()) for c in comparisons)
    problems = sum(len(c.problems) for c in comparisons)
    cells = [name, len(comparisons), agreed + chosen + problems, agreed, chosen, problems]
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
