"""How much faster than CBMC? ``python -m benchmarks.compare``: wall time, calls and memory of whole runs.

Every run is a process of its own, from reading the file to the printed report: ``sfo localize --passing`` as a user
calls it, which also looks for the bound, against ``--backend cbmc`` in both modes, which is given that bound.

    program          sfo s  process s  ratio  encode-once s  ratio  ...
    minmax/fault1     0.21       2.05    9.8           0.50    2.4
    geometric mean                       9.8                   2.4
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final, final

import click

from benchmarks.backends import BACKENDS, explicit_bound
from benchmarks.manifest import ManifestError, Version, load_manifest, select
from cfrontend.program import ProgramOptions
from sfo.localize import Options, localize

FALLEN: Final = 2 / 3
"""A ratio below so many times its earlier value has fallen by a third."""

_STAGES: Final = ("preprocess", "parse", "lower", "bound", "failing", "passing")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One run: wall ``seconds``, solver or CBMC ``calls``, the peak of any process in ``mebibytes``, seconds by stage.

    ``problem`` says why a run is none: its exit code or its time limit.
    """

    seconds: float
    calls: int = 0
    mebibytes: float = 0.0
    stages: Mapping[str, float]
    problem: str = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The runs of one version by backend."""

    version: str
    runs: Mapping[str, Measured]

    def ratio(self, backend: str) -> float | None:
        """How many times longer than sfo a backend took; None where one of them has no result."""
        ours, theirs = self.runs["sfo"], self.runs[backend]
        return None if ours.problem or theirs.problem else theirs.seconds / ours.seconds


def measure(command: Sequence[str], timeout: float) -> Measured:
    """One run of ``sfo localize`` with ``--format json``."""
    with TemporaryFile() as output:
        begin = time.monotonic()
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if child.returncode != 0:
        problem = f"no answer in {timeout:g} s" if child.returncode == 5 else f"exit code {child.returncode}"
        return Measured(seconds=seconds, stages={}, problem=problem)
    statistics = json.loads(text)["statistics"]
    return Measured(
        seconds=seconds,
        calls=statistics["calls"],
        mebibytes=usage.ru_maxrss / 1024,
        stages={stage: statistics["seconds"].get(stage, 0.0) for stage in _STAGES},
    )


def compare_version(version: Version, backends: Sequence[str], timeout: float) -> Compared:
    """All ``backends`` on one version, sfo first."""
    base = [sys.executable, "-m", "sfo", "localize", str(version.path), "--entry", version.entry, "--passing"]
    base += ["--no-replay", "--format", "json", "--timeout", str(timeout)]
    runs = {"sfo": measure(base, timeout)}
    found = localize(
        [str(version.path)], Options(program=ProgramOptions(entry=version.entry), timeout=timeout)
    )
    bound = explicit_bound(version, found)
    limits = ",".join(f"{loop}:{count}" for loop, count in bound.unwindset.items())
    base += ["--unwind", str(bound.unwind), *(["--unwindset", limits] if limits else [])]
    for backend in backends:
        runs[backend] = measure([*base, "--backend", "cbmc", "--cbmc-mode", backend], timeout)
    return Compared(version=version.id, runs=runs)


def geometric_mean(ratios: Sequence[float]) -> float:
    """Of at least one positive number; nan of none."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def table(rows: Sequence[Compared], backends: Sequence[str]) -> str:
    """Seconds, ratios, calls and memory by version; geometric means and the shares of sfo's stages below."""
    lines = [
        f"{'program':24}"
        + "".join(
            f"{name:>13} s  calls    MiB" + ("  ratio" if name != "sfo" else "")
            for name in ("sfo", *backends)
        )
    ]
    lines += [f"{row.version:24}" + "".join(_cells(row, name) for name in ("sfo", *backends)) for row in rows]
    for backend in backends:
        ratios = [ratio for row in rows if (ratio := row.ratio(backend)) is not None]
        lines.append(
            f"geometric mean of sfo against {backend}: {geometric_mean(ratios):.1f} ({len(ratios)} versions)"
        )
    total = sum(row.runs["sfo"].seconds for row in rows)
    shares = (
        {stage: sum(row.runs["sfo"].stages.get(stage, 0.0) for row in rows) / total for stage in _STAGES}
        if total
        else {}
    )
    lines.append(
        "shares of sfo's time: " + ", ".join(f"{stage} {share:.0%}" for stage, share in shares.items())
    )
    return "\n".join(lines)


def _cells(row: Compared, name: str) -> str:
    run = row.runs[name]
    if run.problem:
        return f"{run.problem:>{28 if name == 'sfo' else 35}}"
    cells = f"{run.seconds:13.2f}   {run.calls:5} {run.mebibytes:7.0f}"
    ratio = None if name == "sfo" else row.ratio(name)
    return cells if ratio is None else f"{cells} {ratio:6.1f}"


def fallen(rows: Sequence[Compared], before: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """Versions whose ratio fell by a third or more since ``before`` (ratios by version and backend)."""
    for row in rows:
        for backend, old in before.get(row.version, {}).items():
            new = row.ratio(backend) if backend in row.runs else None
            if new is not None and new < FALLEN * old:
                yield f"{row.version}: the ratio to {backend} fell from {old:.1f} to {new:.1f}"


def as_json(rows: Sequence[Compared], backends: Sequence[str]) -> dict[str, Any]:
    """Everything that was measured, and the ratios that ``--against`` reads."""
    return {
        "ratios": {
            row.version: {b: ratio for b in backends if (ratio := row.ratio(b)) is not None} for row in rows
        },
        "runs": {row.version: {name: asdict(run) for name, run in row.runs.items()} for row in rows},
    }


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--only", multiple=True, metavar="NAME", help="A program, or one version as in minmax/fault1.")
@click.option(
    "--backend",
    "backends",
    multiple=True,
    type=click.Choice(BACKENDS[1:]),
    help="Repeatable; both unless given.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=600.0,
    show_default=True,
    metavar="S",
    help="Seconds for one run.",
)
@click.option(
    "--json",
    "json_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write what was measured.",
)
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Earlier results, from --json: exit code 1 where a ratio fell by a third.",
)
def main(
    only: tuple[str, ...],
    backends: tuple[str, ...],
    timeout: float,
    json_file: Path | None,
    against: Path | None,
) -> None:
    """Measure sfo against CBMC on the benchmark programs. CBMC is the command that SFO_CBMC names, or cbmc."""
    try:
        versions = select(load_manifest(), only)
        before = json.loads(against.read_text(encoding="utf-8"))["ratios"] if against else {}
    except (ManifestError, ValueError, KeyError, TypeError) as error:
        raise click.UsageError(f"{against or 'the manifest'}: {error}") from error
    backends = backends or BACKENDS[1:]
    rows: list[Compared] = []
    for version in versions:
        rows.append(compare_version(version, backends, timeout))
        click.echo(f"{len(rows)}/{len(versions)} {version.id}", err=True)
    click.echo(table(rows, backends))
    if json_file is not None:
        json_file.write_text(json.dumps(as_json(rows, backends), indent=1) + "\n", encoding="utf-8")
    problems = list(fallen(rows, before))
    for problem in problems:
        click.echo(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
