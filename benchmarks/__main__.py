"""The command: run the benchmark programs, print the table, say where no faulty unit was found."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final, get_args

import click

from benchmarks.campaign import JOBS, ONLY, TIMEOUT, WRITE, chosen, in_order
from benchmarks.manifest import Version
from benchmarks.publish import write
from benchmarks.run import Row, run_version
from benchmarks.table import agrees, as_json, finding, replay_summary, text_table
from sfo.cli.lazy import LazyGroup
from sfo.pipeline.options import Rank

CAMPAIGNS: Final = {
    "compare": "sfo against CBMC: wall time, calls and memory of whole runs.",
    "growth": "Cost against the size of generated programs, as curves.",
    "speed": "Instructions and terms that the front end makes in a second.",
}
"""By name: campaigns that are modules of their own, and their lines in the help."""


def _campaign(name: str) -> click.Command:
    """``python -m benchmarks NAME`` is ``python -m benchmarks.NAME``."""
    command: click.Command = import_module(f"benchmarks.{name}").main
    return command


@click.group(
    cls=LazyGroup,
    table=CAMPAIGNS,
    groups={"Campaigns": ("python -m benchmarks --only minmax", tuple(CAMPAIGNS))},
    load=_campaign,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.pass_context
@ONLY
@JOBS
@TIMEOUT
@click.option(
    "--json",
    "json_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the rows to FILE as JSON.",
)
@click.option(
    "--replay",
    is_flag=True,
    help="Compare every execution with a native execution; disagreements end in exit code 1.",
)
@click.option(
    "--rank",
    type=click.Choice(get_args(Rank)),
    default="full",
    show_default=True,
    help="What ranks beside the paper's measure; coverage is the paper's method alone.",
)
@WRITE
def main(
    context: click.Context,
    only: tuple[str, ...],
    jobs: int,
    timeout: float | None,
    json_file: Path | None,
    replay: bool,
    rank: Rank,
    publish: bool,
) -> None:
    """Localise the fault of each faulty version of the benchmark programs.

    Scores are what is inspected before the fault, in units and in lines of code: by one failing execution (1f),
    by Algorithm 1 (sfo), and with up to 20 passing executions (sfo_p). The exit code is 1 when a version
    has no faulty unit that all of its failing executions cover, or no failing execution was found in time.
    """
    if context.invoked_subcommand is not None:
        return
    versions = chosen(only)
    rows: list[Row] = []
    for row in run_all(versions, jobs, timeout, replay=replay, rank=rank):
        rows.append(row)
        click.echo(f"{len(rows)}/{len(versions)} {row.program}/{row.version} {row.seconds:.1f} s", err=True)
    click.echo(text_table(rows))
    for row in rows:
        if said := finding(row):
            click.echo(f"{row.program}/{row.version}: {said}")
    if json_file is not None:
        json_file.write_text(json.dumps(as_json(rows), indent=1) + "\n", encoding="utf-8")
    if publish:
        write(command_line(sys.argv[1:]), rows)
    if replay:
        click.echo(replay_summary(rows))
    if not all(row.covered_by_all and agrees(row) for row in rows):
        sys.exit(1)


def run_all(
    versions: Sequence[Version],
    jobs: int,
    timeout: float | None,
    *,
    replay: bool = False,
    rank: Rank = "full",
) -> Iterator[Row]:
    """The rows of ``versions`` in their order, each as soon as it and those before it are there."""
    return in_order(partial(run_version, timeout=timeout, replay=replay, rank=rank), versions, jobs)


def command_line(arguments: Sequence[str]) -> str:
    """The command that makes the same table, without what only says where else to write it."""
    kept: list[str] = []
    skip = False
    for word in arguments:
        if skip:
            skip = False
        elif word == "--json":
            skip = True
        elif not word.startswith("--json="):
            kept.append(word)
    return " ".join(["python -m benchmarks", *kept])


if __name__ == "__main__":
    main()
