"""Determinism campaign: the JSON result of each version must not depend on processes, load, or the hash seed.

    python -m benchmarks.determinism --per-program 2      ->  "minmax/fault1  same  5 executions  6.1 s", ...

``sfo localize --passing`` with its default ranking is executed five times: with ``--jobs`` 1, 2 and 4, beside eight
busy processes, and on one processor; each time with another seed of Python's hashes. Results are compared without
seconds; the exit code is 1 where some differ.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, final

from benchmarks.manifest import Version, load_manifest
from benchmarks.record import MAX_LINES
from cfrontend.record import dataclass

BUSY: Final = 8
"""Number of busy processes of the loaded execution."""

CLOCKED: Final = frozenset({"seconds", "stage_seconds"})
"""Keys of the JSON result, at any depth, that hold seconds."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Surroundings of an execution of the tool, in which its result has to be the same."""

    name: str
    jobs: int
    is_loaded: bool = False
    is_pinned: bool = False


_COMPUTING: Final = """\
import os
parent = os.getppid()
while os.getppid() == parent:
    pass
"""

ALL: Final = (
    Surroundings(name="--jobs 1", jobs=1),
    Surroundings(name="--jobs 2", jobs=2),
    Surroundings(name="--jobs 4", jobs=4),
    Surroundings(name="under load", jobs=2, is_loaded=True),
    Surroundings(name="on one processor", jobs=2, is_pinned=True),
)
"""The five surroundings of the campaign."""


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


def result_in(version: Version, surroundings: Surroundings, seed: int) -> Mapping[str, Any]:
    """The JSON result of one execution without its clocks; raises ValueError where it printed none."""
    command = [sys.executable, "-m", "sfo", "localize", str(version.path), "--entry", version.entry]
    command += ["--passing", "--no-replay", "--jobs", str(surroundings.jobs), "--format", "json"]
    if surroundings.is_pinned:
        command = ["taskset", "--cpu-list", str(min(os.sched_getaffinity(0))), *command]
    with _busy(BUSY if surroundings.is_loaded else 0):
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        )
    try:
        document: Mapping[str, Any] = without_clocks(json.loads(done.stdout))
    except ValueError:
        raise ValueError(f"{version.id}, {surroundings.name}: {done.stderr.strip()[-200:]}") from None
    return document


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


def chosen_versions(names: Sequence[str], per_program: int | None) -> Iterator[Version]:
    """The versions of small programs, so many of each (None: all); of ``names`` alone, if any are given."""
    for program in load_manifest():
        if names and program.name not in names:
            continue
        small = [v for v in program.versions if len(v.path.read_bytes().splitlines()) <= MAX_LINES]
        yield from small[:per_program]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 1 when some result differs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.determinism", description=__doc__)
    parser.add_argument("--program", action="append", default=[], help="only this program (may be repeated)")
    parser.add_argument("--per-program", type=int, metavar="N", help="only the first N versions of each")
    parser.add_argument("--surroundings", type=int, default=len(ALL), metavar="N", help="only the first N")
    chosen = parser.parse_args(arguments)
    count = wrong = 0
    for version in chosen_versions(chosen.program, chosen.per_program):
        begin = time.monotonic()
        first, *others = (
            result_in(version, one, seed) for seed, one in enumerate(ALL[: chosen.surroundings])
        )
        spent = time.monotonic() - begin
        differing = {
            one.name: paths_of_differences(first, other)
            for one, other in zip(ALL[1:], others, strict=False)
            if other != first
        }
        count, wrong = count + 1, wrong + bool(differing)
        said = "same" if not differing else f"DIFFERS {json.dumps(differing)[:300]}"
        print(f"{version.id}  {said}  {1 + len(others)} executions  {spent:.1f} s", flush=True)
    print(f"{count} versions, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
