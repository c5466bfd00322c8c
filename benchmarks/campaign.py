"""What every campaign over the benchmark programs does: choose versions, work in order, keep what is done.

for item in in_order(judge, chosen(only), jobs): keep(results, item)
"""

from __future__ import annotations

import json
import os
import resource
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from benchmarks.manifest import ManifestError, Version, load_manifest, select

Given = TypeVar("Given")
Made = TypeVar("Made")

ONLY: Final = click.option(
    "--only", multiple=True, metavar="NAME", help="A program, or one version as in minmax/fault1; repeatable."
)
TIMEOUT: Final = click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Seconds for one version."
)
JOBS: Final = click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Versions at the same time."
)
KEPT: Final = click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep what is done in FILE (JSON lines) and go on from there.",
)
FINDINGS: Final = click.option(
    "--results",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where findings are kept, a line of JSON each; what is there is not run again.",
)
WRITE: Final = click.option(
    "--write", "publish", is_flag=True, help="Put the table into benchmarks/RESULTS.md."
)

RUNS: Final = click.option(
    "--runs",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="The best of so many counts, for runs below 3 s.",
)


_MEMORY: Final = 6 << 30
"""Bytes that one process may have."""


def chosen(only: Sequence[str]) -> tuple[Version, ...]:
    """The versions that ``only`` names, all when it is empty. Raises click.UsageError for other names."""
    try:
        return select(load_manifest(only=only), only)
    except ManifestError as error:
        raise click.UsageError(str(error)) from error


def first_of_each(versions: Sequence[Version], count: int | None) -> tuple[Version, ...]:
    """The first ``count`` versions of each program, in order; None: all."""
    taken: dict[str, int] = {}
    found = []
    for version in versions:
        taken[version.program] = taken.get(version.program, 0) + 1
        if count is None or taken[version.program] <= count:
            found.append(version)
    return tuple(found)


def in_order(work: Callable[[Given], Made], items: Sequence[Given], jobs: int) -> Iterator[Made]:
    """``work`` on each item, in their order and each as soon as it and those before it are there.

    More than one job are processes: ``work`` and the items are pickled then.
    """
    return _results(work, items, jobs, iter)


def as_done(work: Callable[[Given], Made], items: Sequence[Given], jobs: int) -> Iterator[Made]:
    """As ``in_order``, each as soon as it is there: one that takes long keeps no other from being kept."""
    return _results(work, items, jobs, as_completed)


def _results(
    work: Callable[[Given], Made],
    items: Sequence[Given],
    jobs: int,
    waited: Callable[[Sequence[Future[Made]]], Iterator[Future[Made]]],
) -> Iterator[Made]:
    """Results of ``work``, in the order in which they are ``waited`` for; nothing more begins once nobody waits."""
    if jobs == 1:
        yield from map(work, items)
        return
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        futures = [pool.submit(work, item) for item in items]
        try:
            for future in waited(futures):
                yield future.result()
        finally:
            for future in futures:
                future.cancel()


def limit_memory() -> None:
    """No process may take so much memory that others die: this one gets an error instead."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def find_cbmc() -> str:
    """The command that SFO_CBMC names, or cbmc. Raises click.ClickException when it is not there."""
    cbmc = shutil.which(os.environ.get("SFO_CBMC") or "cbmc")
    if cbmc is None:
        raise click.ClickException("no cbmc: set SFO_CBMC, or install it with scripts/get-cbmc")
    return cbmc


def kept(results: Path | None) -> list[dict[str, Any]]:
    """What a results file has so far; a line that an interrupted run left half written is dropped."""
    if results is None or not results.exists():
        return []
    items: list[dict[str, Any]] = []
    for line in results.read_text(encoding="utf-8").splitlines():
        try:
            items.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return items


def keep(results: Path | None, item: Mapping[str, Any]) -> None:
    """Add a line to a results file, if there is one."""
    if results is not None:
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(item) + "\n")
