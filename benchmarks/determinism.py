"""Determinism campaign: the JSON result of each version must not depend on processes, load, or the hash seed.

    python -m benchmarks.determinism --results same.jsonl -> "minmax/fault1  --jobs 1  same  6.1 s", ...

``sfo localize --passing`` with its default ranking is executed five times: with ``--jobs`` 2, 1 and 4, on one
processor, and while eight busy processes are at work; each time with another seed of Python's hashes. Results are
compared without seconds with the first one, which is kept beside the results file; the exit code is 1 where some
differ. What is done is not done again. Seconds and processor time of each execution are kept, too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from threading import Barrier
from typing import Any, Final, final

import click

from benchmarks.campaign import FINDINGS, ONLY, chosen, first_of_each, keep, kept
from benchmarks.manifest import Version
from benchmarks.processes import usage_of_process
from benchmarks.record import MAX_LINES
from cfrontend.record import dataclass

BUSY: Final = 8
"""Number of busy processes beside a loaded execution: other executions, and at the end mere loops."""

CLOCKED: Final = frozenset({"seconds", "stage_seconds"})
"""Keys of the JSON result, at any depth, that hold seconds."""

_MOST_TOLD: Final = 20
"""Differences that are kept of one result."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Surroundings of an execution of the tool, in which its result has to be the same; ``at_once`` are executed."""

    name: str
    jobs: int
    at_once: int = 1
    is_loaded: bool = False
    is_pinned: bool = False


_COMPUTING: Final = """\
import os
parent = os.getppid()
while os.getppid() == parent:
    pass
"""

_PROCESSORS: Final = len(os.sched_getaffinity(0))

ALL: Final = (
    Surroundings(name="--jobs 2", jobs=2),
    Surroundings(name="--jobs 1", jobs=1, at_once=_PROCESSORS),
    Surroundings(name="--jobs 4", jobs=4, at_once=_PROCESSORS),
    Surroundings(name="on one processor", jobs=2, at_once=_PROCESSORS, is_pinned=True),
    Surroundings(name="under load", jobs=2, at_once=1 + BUSY, is_loaded=True),
)
"""The five surroundings of the campaign."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DeterminismFinding:
    """Result of one execution on ``version``: its ``document`` without clocks, or the ``problem``, and its time."""

    version: str
    document: Mapping[str, Any]
    problem: str
    seconds: float
    processor: float


def without_clocks(value: Any) -> Any:
    """The JSON ``value`` without what holds seconds."""
    if isinstance(value, dict):
        return {key: without_clocks(item) for key, item in value.items() if key not in CLOCKED}
    if isinstance(value, list):
        return [without_clocks(item) for item in value]
    return value


def paths_of_differences(one: Any, other: Any, path: str = "") -> list[str]:
    """Where two JSON values differ, as ``/ranking/0/unit``."""
    if isinstance(one, dict) and isinstance(other, dict):
        return [
            found
            for key in sorted({*one, *other})
            for found in paths_of_differences(one.get(key), other.get(key), f"{path}/{key}")
        ]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [found for n, (a, b) in pairs for found in paths_of_differences(a, b, f"{path}/{n}")]
    return [] if one == other else [path]


def determinism_finding(
    version: Version, surroundings: Surroundings, seed: int, processor: int
) -> DeterminismFinding:
    """The JSON result of one execution without its clocks; ``processor`` is for one that is pinned to one."""
    command = [sys.executable, "-m", "sfo", "localize", str(version.path), "--entry", version.entry]
    command += ["--passing", "--jobs", str(surroundings.jobs), "--format", "json"]
    if surroundings.is_pinned:
        command = ["taskset", "--cpu-list", str(processor), *command]
    with TemporaryDirectory() as scratch:
        printed, told = Path(scratch, "printed"), Path(scratch, "told")
        with printed.open("wb") as out, told.open("wb") as err:
            process = subprocess.Popen(
                command, stdout=out, stderr=err, env={**os.environ, "PYTHONHASHSEED": str(seed)}
            )
            usage = usage_of_process(process)
        try:
            document, problem = without_clocks(json.loads(printed.read_bytes())), ""
        except ValueError:
            document, problem = {}, told.read_text(errors="replace").strip()[-200:] or "nothing is printed"
    return DeterminismFinding(
        version=version.id,
        document=document,
        problem=problem,
        seconds=round(usage.seconds, 3),
        processor=round(usage.processor, 3),
    )


@contextmanager
def _busy(count: int) -> Iterator[None]:
    """Processes beside that do nothing but compute, as long as this one is there."""
    processes = [subprocess.Popen([sys.executable, "-c", _COMPUTING]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def determinism_findings(
    versions: Sequence[Version], surroundings: Surroundings, seed: int
) -> Iterator[DeterminismFinding]:
    """Findings of ``versions``, each as soon as it is there; beside a loaded one eight busy processes are at work."""
    waiting: SimpleQueue[Version] = SimpleQueue()
    found: SimpleQueue[DeterminismFinding | None] = SimpleQueue()
    for version in versions:
        waiting.put(version)
    at_once = surroundings.at_once
    processors = sorted(os.sched_getaffinity(0))
    all_done = Barrier(at_once)

    def work(place: int) -> None:
        processor = processors[place % len(processors)]
        try:
            while (version := _next(waiting)) is not None:
                found.put(determinism_finding(version, surroundings, seed, processor))
            with _busy(1 if surroundings.is_loaded else 0):
                all_done.wait()
        except BaseException:
            all_done.abort()  # the others go on
            raise
        finally:
            found.put(None)

    with ThreadPoolExecutor(max_workers=at_once) as pool:
        working = [pool.submit(work, place) for place in range(at_once)]
        for _ in range(at_once):
            while (finding := found.get()) is not None:
                yield finding
        for one in working:
            one.result()


def _next(waiting: SimpleQueue[Version]) -> Version | None:
    """The next one of those that are ``waiting``; None when there is none."""
    try:
        return waiting.get_nowait()
    except Empty:
        return None


def chosen_versions(only: Sequence[str], per_program: int | None) -> Sequence[Version]:
    """The versions of small programs, so many of each (None: all); those that ``only`` names, if it has any."""
    small = [v for v in chosen(only) if len(v.path.read_bytes().splitlines()) <= MAX_LINES]
    return first_of_each(small, per_program)


def _compared(results: Path, finding: DeterminismFinding, is_first: bool) -> Sequence[str]:
    """Where a result differs from the first one of its version, which is written down; "" where it is all of it."""
    if finding.problem:
        return [f"no result: {finding.problem}"]
    path = results.with_suffix(".first") / f"{finding.version}.json"
    if is_first:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(finding.document), encoding="utf-8")
        return []
    return paths_of_differences(json.loads(path.read_text(encoding="utf-8")), finding.document)


@click.command(help=(__doc__ or "").split("\n\n", maxsplit=1)[0])
@FINDINGS
@ONLY
@click.option("--per-program", type=click.IntRange(min=1), metavar="N", help="Only the first N of each.")
@click.option(
    "--surroundings",
    "count",
    type=click.IntRange(1, len(ALL)),
    default=len(ALL),
    show_default=True,
    help="So many of them.",
)
def main(results: Path, only: tuple[str, ...], per_program: int | None, count: int) -> None:
    """Execute what ``results`` has no finding of; exit code 1 where some results differ."""
    versions = chosen_versions(only, per_program)
    done = {(one["version"], one["surroundings"]): one for one in kept(results)}
    for seed, surroundings in enumerate(ALL[:count]):
        waiting = [v for v in versions if (v.id, surroundings.name) not in done]
        for finding in determinism_findings(waiting, surroundings, seed):
            differing = _compared(results, finding, is_first=surroundings is ALL[0])
            item = {
                "version": finding.version,
                "surroundings": surroundings.name,
                "differing": [*differing[:_MOST_TOLD]],
                "seconds": finding.seconds,
                "processor": finding.processor,
            }
            keep(results, item)
            done[finding.version, surroundings.name] = item
            said = "same" if not differing else f"DIFFERS {json.dumps(differing)[:300]}"
            click.echo(f"{finding.version}  {surroundings.name}  {said}  {finding.seconds:.1f} s")
    wrong = {version for (version, _), one in done.items() if one["differing"]}
    click.echo(f"{len(versions)} versions, {len(done)} executions, {len(wrong)} versions differ")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
