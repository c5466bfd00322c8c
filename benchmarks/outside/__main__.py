"""Campaign over a public set: ``python -m benchmarks.outside codeflaws --from CHECKOUT --sample 150 --seed 1 --write``.

What is done is kept below ``build/outside`` by the state of the sources, so that the command goes on where it stopped.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Final

import click

from benchmarks import publish as page
from benchmarks.campaign import JOBS, WRITE, as_done, keep, kept
from benchmarks.outside.checkout import Checkout
from benchmarks.outside.judge import AS_IT_IS, ROOT, Change, OutsideRow, judge, row_of_kept
from benchmarks.outside.sets import SETS, OutsideCase, cases_of, refuse_reserved
from benchmarks.outside.tables import case_table, summary_table, table1_table
from benchmarks.provenance import digest_of_sources

BUILD: Final = ROOT / "build" / "outside"
"""Where cases are built and rows are kept; git does not see it."""


def sample_of(cases: Sequence[OutsideCase], number: int | None, seed: int) -> list[OutsideCase]:
    """So many of the cases, drawn by a seed and in their order; None: all."""
    if number is None or number >= len(cases):
        return list(cases)
    drawn = set(random.Random(seed).sample(range(len(cases)), number))  # noqa: S311 - a sample that repeats
    return [case for place, case in enumerate(cases) if place in drawn]


def rows_of(
    checkout: Checkout,
    name: str,
    cases: Sequence[OutsideCase],
    jobs: int,
    home: Path,
    change: Change = AS_IT_IS,
) -> list[OutsideRow]:
    """Rows of ``cases`` with a change, in their order; those that ``home`` has are not made again."""
    home.mkdir(parents=True, exist_ok=True)
    results = home / "rows.jsonl"
    known = {row.id: row for row in map(row_of_kept, kept(results))}
    missing = [case for case in cases if case.id not in known]
    for row in as_done(partial(_judged, checkout, name, home, change), missing, jobs):
        keep(results, asdict(row))
        known[row.id] = row
        click.echo(case_table([row]), err=True)
    return [known[case.id] for case in cases]


def _judged(checkout: Checkout, name: str, home: Path, change: Change, case: OutsideCase) -> OutsideRow:
    return judge(checkout, name, case, home, change)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("name", metavar="SET", type=click.Choice(tuple(SETS)))
@click.option(
    "--from",
    "place",
    required=True,
    type=click.Path(path_type=Path),
    metavar="CHECKOUT",
    help="A folder, a clone or a bare git directory.",
)
@click.option(
    "--revision", metavar="REV", help="Revision of a git directory (default: the one that has the set)."
)
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="So many cases, drawn by the seed (default: all).",
)
@click.option("--seed", type=int, default=1, show_default=True, metavar="S", help="Seed of the sample.")
@click.option("--only", multiple=True, metavar="ID", help="A case; repeatable.")
@JOBS
@WRITE
def main(
    name: str,
    place: Path,
    revision: str | None,
    sample: int | None,
    seed: int,
    only: tuple[str, ...],
    jobs: int,
    *,
    publish: bool,
) -> None:
    """Localise the faults of a public SET, and judge what is said by what the authors know of them."""
    refuse_reserved(name, only)
    checkout = Checkout(place, revision or SETS[name].revision)
    cases = cases_of(name, checkout)
    if unknown := set(only) - {case.id for case in cases}:
        raise click.UsageError(f"{name} has no case {min(unknown)}")
    chosen = [case for case in cases if case.id in only] if only else sample_of(cases, sample, seed)
    rows = rows_of(checkout, name, chosen, jobs, BUILD / name / digest_of_sources())
    text = summary_table(name, rows)
    if name == "table1":
        text = f"{table1_table(rows)}\n\n{text}"
    click.echo(text)
    if publish:
        drawn = "" if sample is None or only else f" --sample {sample} --seed {seed}"
        named = "".join(f" --only {one}" for one in only)
        command = f"python -m benchmarks.outside {name} --from CHECKOUT{drawn}{named} --write"
        begin = f"<!-- {name}: begin (python -m benchmarks.outside {name} --from CHECKOUT --write) -->"
        page.publish_run(command, f"Source: {SETS[name].where}.\n\n{text}", begin, f"<!-- {name}: end -->")


if __name__ == "__main__":
    main()
