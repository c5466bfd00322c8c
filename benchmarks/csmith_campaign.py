"""Many csmith programs, natively and in sfo: ``python -m benchmarks.csmith_campaign 500 --results csmith.jsonl``.

The results file has a line of JSON for each seed and set of options, and what it has is not run again. Programs on
which sfo is wrong are kept beside it, in full and reduced by cvise.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, final

import click

from benchmarks.csmith import KINDS, Outcome, examine, generate

_REDUCING_SECONDS: Final = 1800.0
"""cvise stops then, with what it has."""


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of the program with this seed and these options."""

    seed: int
    options: tuple[str, ...]
    outcome: Outcome

    def as_json(self) -> dict[str, Any]:
        """One line of the results file."""
        return {"seed": self.seed, "options": list(self.options), **asdict(self.outcome)}


def from_json(line: Mapping[str, Any]) -> Finding:
    """The finding that a line of the results file holds."""
    rest = {key: value for key, value in line.items() if key not in {"seed", "options"}}
    return Finding(line["seed"], tuple(line["options"]), Outcome(**rest))


def known(results: Path) -> list[Finding]:
    """What a results file has so far; a line that an interrupted run left half written is dropped."""
    if not results.exists():
        return []
    findings: list[Finding] = []
    for line in results.read_text(encoding="utf-8").splitlines():
        try:
            findings.append(from_json(json.loads(line)))
        except json.JSONDecodeError:
            continue
    return findings


def run_seed(
    seed: int, options: tuple[str, ...], seconds: float, kept: Path, *, reducer: str | None
) -> Finding:
    """Generate and compare one program; a wrong one is kept, and reduced where there is a ``reducer``."""
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary)
        source = directory / f"csmith{seed}.c"
        generate(seed, options, source)
        outcome = examine(source, directory, seconds)
        if outcome.kind == "wrong":
            kept.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, kept)
            if reducer is not None:
                reduced = reduce(source, directory, reducer)
                shutil.copy(reduced, kept / f"csmith{seed}.reduced.c")
    return Finding(seed, options, outcome)


def reduce(source: Path, directory: Path, reducer: str) -> Path:
    """The program made as small as cvise can within half an hour, still with another output in sfo than in gcc."""
    work = directory / "reduce"
    work.mkdir()
    target = work / "program.c"
    shutil.copy(source, target)
    root = Path(__file__).resolve().parents[1]
    script = work / "differs.sh"
    command = f'PYTHONPATH="{root}" exec "{sys.executable}" -m benchmarks.csmith differs program.c'
    script.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    script.chmod(0o755)
    arguments = [reducer, "--n", "1", "--timeout", "60", str(script), target.name]
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(arguments, cwd=work, check=False, capture_output=True, timeout=_REDUCING_SECONDS)
    return target


def run_all(
    seeds: Sequence[int],
    options: tuple[str, ...],
    seconds: float,
    jobs: int,
    kept: Path,
    *,
    reducer: str | None,
) -> Iterator[Finding]:
    """The findings in the order of the seeds; the work is in other processes, so threads are enough."""
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda seed: run_seed(seed, options, seconds, kept, reducer=reducer), seeds)


def summary(findings: Sequence[Finding]) -> str:
    """How many of each kind, the share that was compared, and the times of those."""
    counts = {kind: sum(f.outcome.kind == kind for f in findings) for kind in KINDS}
    lines = [f"{counts[kind]:6}  {kind}: {meaning}" for kind, meaning in KINDS.items() if counts[kind]]
    compared = len(findings) - counts["skipped"]
    done = [f.outcome for f in findings if f.outcome.kind == "agree"]
    if done:
        seconds = sorted(outcome.seconds for outcome in done)
        lines.append(
            f"{len(done)} of {compared} agree ({100 * len(done) / compared:.1f} %); seconds: median"
            f" {statistics.median(seconds):.1f}, mean {statistics.fmean(seconds):.1f},"
            f" largest {seconds[-1]:.1f}"
        )
    return "\n".join(lines)


def summary_row(findings: Sequence[Finding], first: int, options: tuple[str, ...]) -> str:
    """The campaign as a line of the table in RESULTS.md."""
    cells = [f"{first} to {first + len(findings) - 1}", " ".join(options) or "default"]
    cells += [str(sum(f.outcome.kind == kind for f in findings)) for kind in KINDS]
    seconds = sorted(f.outcome.seconds for f in findings if f.outcome.kind == "agree")
    cells += [f"{statistics.median(seconds):.1f}", f"{seconds[-1]:.1f}"] if seconds else ["-", "-"]
    return "| " + " | ".join(cells) + " |"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("count", type=click.IntRange(min=1))
@click.option("--first", default=0, show_default=True, metavar="SEED", help="The first seed.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Programs at the same time."
)
@click.option(
    "--timeout", default=60.0, show_default=True, metavar="S", help="Seconds for one program in sfo."
)
@click.option("--options", default="", metavar="WORDS", help="Options for csmith, in one string.")
@click.option(
    "--results",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Lines of JSON; seeds that are there already are not run again.",
)
@click.option(
    "--reduce/--keep", "minimise", default=True, help="Whether cvise reduces what sfo is wrong about."
)
def main(
    count: int, first: int, jobs: int, timeout: float, options: str, results: Path, minimise: bool
) -> None:
    """Run COUNT consecutive seeds of csmith and compare checksums with gcc.

    The exit code is 1 when a checksum is wrong.
    """
    words = tuple(options.split())
    reducer = shutil.which("cvise") if minimise else None
    if minimise and reducer is None:
        click.echo("cvise is not installed: wrong programs are kept as they are", err=True)
    seeds = range(first, first + count)
    before = {f.seed: f for f in known(results) if f.options == words and f.seed in seeds}
    todo = [seed for seed in seeds if seed not in before]
    kept = results.with_suffix(".wrong")
    with results.open("a", encoding="utf-8") as file:
        for finding in run_all(todo, words, timeout, jobs, kept, reducer=reducer):
            before[finding.seed] = finding
            file.write(json.dumps(finding.as_json()) + "\n")
            file.flush()
            outcome = finding.outcome
            click.echo(f"{finding.seed} {outcome.kind} {outcome.seconds:.1f} s {outcome.text}", err=True)
    findings = [before[seed] for seed in seeds]
    click.echo(summary(findings))
    click.echo(summary_row(findings, first, words))
    if any(f.outcome.kind == "wrong" for f in findings):
        sys.exit(1)


if __name__ == "__main__":
    main()
