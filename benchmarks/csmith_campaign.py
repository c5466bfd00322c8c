"""Many csmith programs, natively and in sfo: ``python -m benchmarks.csmith_campaign 500 --results csmith.jsonl``.

The results file has a line of JSON for each seed and set of options, and what it has is not run again. Programs on
which sfo is wrong are kept beside it, in full and reduced by cvise.
"""

from __future__ import annotations

import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, final

import click

from benchmarks import publish as page
from benchmarks.campaign import FINDINGS, keep, kept
from benchmarks.csmith import KINDS, Outcome, Way, examine, generate, version
from benchmarks.publish import RESULTS

BEGIN: Final = "<!-- csmith: begin (python -m benchmarks.csmith_campaign --write) -->"
"""What stands before the published table."""

END: Final = "<!-- csmith: end -->"
"""What stands after it."""

_SMALL: Final = "--max-funcs 3 --max-block-size 3 --max-expr-complexity 5"

CSMITH_OPTION_SETS: Final[tuple[str, ...]] = tuple(
    f"{_SMALL} {words}".strip()
    for words in (
        "",
        "--packed-struct",
        "--float",
        "--builtins --disable-builtin-kinds x86",
        "--inline-function --inline-function-prob 50",
        "--max-pointer-depth 4",
        "--no-pointers",
        "--no-structs --no-unions",
        "--no-bitfields",
        "--max-struct-fields 20 --max-union-fields 10",
        "--max-array-dim 4 --max-array-len-per-dim 4",
        "--no-arrays",
        "--no-volatiles --no-consts",
        "--no-longlong",
        "--no-jumps",
        "--no-global-variables",
        "--no-math64 --no-divs",
        "--max-block-depth 2 --argc",
    )
)
"""Options for csmith that make small programs, each with another mixture of constructs."""

_REDUCING_SECONDS: Final = 1800.0
"""cvise stops then, with what it has."""


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of the program with this seed and these options."""

    seed: int
    options: tuple[str, ...]
    way: Way
    outcome: Outcome

    def as_json(self) -> dict[str, Any]:
        """One line of the results file."""
        head = {"seed": self.seed, "options": list(self.options), "way": self.way}
        return {**head, **asdict(self.outcome)}


def from_json(line: Mapping[str, Any]) -> Finding:
    """The finding that a line of the results file holds."""
    rest = {key: value for key, value in line.items() if key not in {"seed", "options", "way"}}
    return Finding(line["seed"], tuple(line["options"]), line["way"], Outcome(**rest))


def known(results: Path) -> list[Finding]:
    """What a results file has so far; a line that an interrupted run left half written is dropped."""
    return [from_json(item) for item in kept(results)]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """What holds for each seed: csmith's options, how sfo gets its output and in how many seconds.

    Wrong programs go to the directory ``kept``, and ``reducer`` is the program that makes them small, if any.
    """

    options: tuple[str, ...]
    way: Way
    seconds: float
    kept: Path
    reducer: str | None = None


def run_seed(seed: int, campaign: Campaign) -> Finding:
    """Generate and compare one program; a wrong one is kept, and reduced where that is asked for."""
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary)
        source = directory / f"csmith{seed}.c"
        generate(seed, campaign.options, source)
        outcome = examine(source, directory, campaign.seconds, campaign.way, seed)
        if outcome.kind == "wrong":
            campaign.kept.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, campaign.kept)
            if campaign.reducer is not None:
                reduced = reduce(source, directory, campaign.reducer)
                shutil.copy(reduced, campaign.kept / f"csmith{seed}.reduced.c")
    return Finding(seed, campaign.options, campaign.way, outcome)


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
    quiet = subprocess.DEVNULL
    with subprocess.Popen(arguments, cwd=work, stdout=quiet, stderr=quiet, start_new_session=True) as process:
        try:
            process.wait(_REDUCING_SECONDS)
        except subprocess.TimeoutExpired:
            # cvise has processes of its own.
            os.killpg(process.pid, signal.SIGTERM)
    return target


def run_all(seeds: Sequence[int], campaign: Campaign, jobs: int) -> Iterator[Finding]:
    """The findings in the order of the seeds; the work is in other processes, so threads are enough."""
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda seed: run_seed(seed, campaign), seeds)


def run_and_keep(seeds: Sequence[int], campaign: Campaign, jobs: int, results: Path) -> list[Finding]:
    """The findings of these seeds; what the results file does not have yet is run and put there."""
    found = {
        f.seed: f
        for f in known(results)
        if (f.options, f.way) == (campaign.options, campaign.way) and f.seed in seeds
    }
    todo = [seed for seed in seeds if seed not in found]
    for finding in run_all(todo, campaign, jobs):
        found[finding.seed] = finding
        keep(results, finding.as_json())
        outcome = finding.outcome
        click.echo(f"{finding.seed} {outcome.kind} {outcome.seconds:.1f} s {outcome.text}", err=True)
    return [found[seed] for seed in seeds]


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


def markdown_table(findings: Iterable[Finding]) -> str:
    """A line for each set of options and way of running, as in RESULTS.md."""
    groups: dict[tuple[str, Way], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((" ".join(finding.options), finding.way), []).append(finding)
    titles = ("seeds", "options", "sfo", *KINDS, "agree %", "median s", "largest s")
    rule = ["---"] * 3 + ["---:"] * (len(titles) - 3)
    lines = [titles, rule, *(_cells(groups[key]) for key in sorted(groups))]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cells(findings: Sequence[Finding]) -> list[str]:
    seeds = sorted(f.seed for f in findings)
    counts = {kind: sum(f.outcome.kind == kind for f in findings) for kind in KINDS}
    compared = len(findings) - counts["skipped"]
    seconds = sorted(f.outcome.seconds for f in findings if f.outcome.kind == "agree")
    return [
        _ranges(seeds),
        " ".join(f"`{word}`" if word.startswith("-") else word for word in findings[0].options) or "default",
        "on constants" if findings[0].way == "run" else "by solver",
        *map(str, counts.values()),
        f"{100 * counts['agree'] / compared:.1f}" if compared else "-",
        f"{statistics.median(seconds):.1f}" if seconds else "-",
        f"{seconds[-1]:.1f}" if seconds else "-",
    ]


def _ranges(seeds: Sequence[int]) -> str:
    """``0-99, 300-303`` for ascending numbers."""
    ranges: list[list[int]] = []
    for seed in seeds:
        if ranges and ranges[-1][1] == seed - 1:
            ranges[-1][1] = seed
        else:
            ranges.append([seed, seed])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)


def publish(findings: Iterable[Finding], file: Path = RESULTS) -> None:
    """Put the table into ``file``. Raises ValueError when its markers are missing."""
    section = (
        f"{version()}; seconds of processor time, not all on a quiet machine.\n\n{markdown_table(findings)}"
    )
    page.publish(section, BEGIN, END, file)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("count", type=click.IntRange(min=0))
@click.option("--first", default=0, show_default=True, metavar="SEED", help="The first seed.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Programs at the same time."
)
@click.option(
    "--timeout", default=60.0, show_default=True, metavar="S", help="Seconds for one program in sfo."
)
@click.option("--options", default="", metavar="WORDS", help="Options for csmith, in one string.")
@click.option("--all-sets", is_flag=True, help="COUNT seeds for each of the option sets of small programs.")
@FINDINGS
@click.option(
    "--solve", "way", flag_value="solve", help="Make global variables inputs, which the solver finds."
)
@click.option("--run", "way", flag_value="run", default="run", help="Execute on constants (the default).")
@click.option(
    "--reduce/--keep", "minimise", default=True, help="Whether cvise reduces what sfo is wrong about."
)
@click.option("--write", is_flag=True, help="Put all that FILE has into benchmarks/RESULTS.md.")
def main(
    count: int,
    first: int,
    jobs: int,
    timeout: float,
    options: str,
    all_sets: bool,
    results: Path,
    way: Way,
    minimise: bool,
    write: bool,
) -> None:
    """Run COUNT consecutive seeds of csmith and compare checksums with gcc.

    The exit code is 1 when a checksum is wrong.
    """
    reducer = shutil.which("cvise") if minimise and way == "run" else None
    if minimise and way == "run" and reducer is None:
        click.echo("cvise is not installed: wrong programs are kept as they are", err=True)
    findings: list[Finding] = []
    for words in CSMITH_OPTION_SETS if all_sets else (options,):
        campaign = Campaign(
            options=tuple(words.split()),
            way=way,
            seconds=timeout,
            kept=results.with_suffix(".wrong"),
            reducer=reducer,
        )
        findings += run_and_keep(range(first, first + count), campaign, jobs, results)
    click.echo(summary(findings))
    if write:
        publish(known(results))
    if any(f.outcome.kind == "wrong" for f in findings):
        sys.exit(1)


if __name__ == "__main__":
    main()
