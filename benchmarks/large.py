"""What the techniques take on large data: ``python -m benchmarks.large``.

measures       every measure and technique of ``sfo rank`` on 100,000 units and 1,000 runs
hitting        exact hitting times of a debugging model with jumps, for a program with the lines of the Go compiler
functions      the same with some 20,000 functions; no-ties, no-functions, list: without these, and without all
iterated       the same without ties and functions, where times are not exact any more
behaviours     exact hitting times of the functions as suspicious behaviours; small-behaviours: of 20,000
walks          hitting times by random walks
loops          BlockRank of flow graphs with many loops

Each is a process of its own. Reading and making the data does not count as time; the memory is that of the whole
process.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final, final

import click
import numpy as np

from benchmarks.publish import describe_environment
from benchmarks.synthetic_program import GO_COMPILER_LINES, SyntheticProgram, synthetic_program
from sfo.spectra.blockrank.profile import BlockrankProfile, ProfileBlock
from sfo.spectra.blockrank.propagation import EQUATIONS, blockrank_propagation
from sfo.spectra.hitting_time.chain import (
    HittingTimeChain,
    hitting_chain_with_behaviours,
    hitting_chain_with_jumps,
)
from sfo.spectra.hitting_time.scores import ht_rank_margin, ht_rank_scores
from sfo.spectra.hitting_time.times import hitting_times
from sfo.spectra.hitting_time.walks import CAP, WALKS, sample_hitting_walks
from sfo.spectra.matrix import CoverageMatrix, MatrixBuilder, MatrixUnit
from sfo.spectra.techniques import techniques_named

UNITS: Final = 100_000
RUNS: Final = 1_000
BLOCKS: Final = 50_000
COVERED: Final = 0.2
"""Share of the units that a run covers, in stretches of 100 as functions are."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What was computed, with the seconds of processor and of wall time, and the most memory in MiB."""

    what: str
    processor: float
    wall: float
    memory: float


def large_matrix(units: int, runs: int, covered: float = COVERED) -> CoverageMatrix:
    """A matrix in which every tenth run fails."""
    random = np.random.default_rng(7)
    builder = MatrixBuilder([MatrixUnit(name=str(unit)) for unit in range(units)])
    stretches = max(1, units // 100)
    for run in range(runs):
        taken = random.random(stretches) < covered
        columns = np.flatnonzero(np.repeat(taken, -(-units // stretches))[:units])
        builder.add(columns, name=str(run), failed=run % 10 == 0, crashed=False)
    return builder.matrix()


def _measures() -> tuple[str, Callable[[], str]]:
    matrix = large_matrix(UNITS, RUNS)
    chosen = techniques_named("all")

    def compute() -> str:
        for item in chosen:
            assert len(item.rank(matrix).groups) == UNITS
        return ""

    share = matrix.covered.nnz / (UNITS * RUNS)
    return f"{len(chosen)} techniques on {UNITS:,} units, {RUNS:,} runs, {share:.0%} covered", compute


def _hitting(kind: str) -> tuple[str, Callable[[], str]]:
    """The times of the synthetic program, as ``kind`` has it."""
    program = _program(kind)
    groups, functions, neighbours = program.groups, program.functions, program.neighbours
    if "no ties" in kind:
        groups = np.random.default_rng(0).permutation(len(groups))
    if "no functions" in kind:
        functions = []
    if "no flow" in kind:
        neighbours = []
    counts = (
        f"{groups.max() + 1:,} tie groups, {len(set(functions)):,} functions, {len(neighbours):,} neighbours"
    )
    return f"HT_Rank of {GO_COMPILER_LINES:,} lines with jumps, {counts}", lambda: _rank(
        hitting_chain_with_jumps(groups, functions, neighbours)
    )


def _program(kind: str) -> SyntheticProgram:
    return synthetic_program(GO_COMPILER_LINES, lines_of_function=2.59 if "small" in kind else 20)


def _rank(chain: HittingTimeChain) -> str:
    """Find the ranks; how right they are, unless exact."""
    found = hitting_times(chain)
    assert np.isfinite(ht_rank_scores(found.logs)).all()
    if found.errors is None:
        return ""
    middle = int(np.argsort(found.logs)[len(found.logs) // 2])
    margin = ht_rank_margin(found.logs, found.errors, middle)
    return (
        f" (errors of at most {np.median(found.errors):.1%} for half of them, {margin:,} ranks in the middle)"
    )


def _walks() -> tuple[str, Callable[[], str]]:
    """Without functions, each line a neighbour of the next one."""
    program = _program("ties")
    chain = hitting_chain_with_jumps(program.groups, (), program.neighbours)

    def compute() -> str:
        assert np.isfinite(sample_hitting_walks(chain, cap=CAP).means).all()
        return ""

    return f"{WALKS} walks of {CAP:,} steps, {GO_COMPILER_LINES:,} lines without functions", compute


def _behaviours(kind: str) -> tuple[str, Callable[[], str]]:
    """Functions of the synthetic program as suspicious behaviours, in random order; with the first line behind each."""
    program = _program(kind)
    sets = defaultdict[str, list[int]](list)
    for line, function in enumerate(program.functions):
        sets[function].append(line)
    behaviours = list(sets.values())
    for this, following in pairwise(behaviours):
        this.append(following[0])
    ranks = np.random.default_rng(0).permutation(len(sets)).tolist()
    chain = hitting_chain_with_behaviours(ranks, behaviours, GO_COMPILER_LINES)
    return f"HT_Rank of {GO_COMPILER_LINES:,} lines in {len(sets):,} behaviours", partial(_rank, chain)


def _loops() -> tuple[str, Callable[[], str]]:
    """Blocks that lead to the next one or over some, with a way back every tenth: many loops, some singular."""
    random, size = np.random.default_rng(1), BLOCKS
    edges = [(block, block + 1) for block in range(size - 1)]
    edges += [(block, block + 5) for block in range(0, size - 5, 3)]
    edges += [(block, max(block - int(random.integers(1, 10)), 0)) for block in range(9, size, 10)]
    profile = BlockrankProfile(
        blocks=tuple(ProfileBlock(name=str(block)) for block in range(size)),
        edges=tuple(edges), counts=random.integers(0, 5, (6, len(edges))), executions=None,
        failed=np.arange(6) < 2,
    )  # fmt: skip
    singular = int(EQUATIONS["blockrank"](profile).solution()[1].sum())

    def compute() -> str:
        assert np.abs(blockrank_propagation(profile)).max() < 1e6
        return ""

    return f"BlockRank of {size:,} blocks, {singular} of them on loops without a single solution", compute


WORK: Final[dict[str, Callable[[], tuple[str, Callable[[], str]]]]] = {
    "measures": _measures,
    "hitting": partial(_hitting, "ties"),
    "functions": partial(_hitting, "small functions"),
    "no-ties": partial(_hitting, "no ties"),
    "no-functions": partial(_hitting, "no functions"),
    "list": partial(_hitting, "no ties, no functions, no flow"),
    "iterated": partial(_hitting, "no ties, no functions"),
    "behaviours": partial(_behaviours, "ties"),
    "small-behaviours": partial(_behaviours, "small"),
    "walks": _walks,
    "loops": _loops,
}
"""By name: what makes the data, and then says what it is, does the work and says what came out."""


def measure(name: str) -> Cost:
    """The cost of the work of that name, in this process."""
    what, compute = WORK[name]()
    wall, processor = time.perf_counter(), time.process_time()
    found = compute()
    return Cost(
        what=what + found,
        processor=time.process_time() - processor,
        wall=time.perf_counter() - wall,
        memory=_most_memory(),
    )


def _most_memory() -> float:
    """The most resident memory of this program in MiB; unlike rusage it does not count who started it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) / 1024


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("names", nargs=-1, type=click.Choice(list(WORK)))
@click.option("--here", is_flag=True, hidden=True, help="In this process, as JSON.")
def main(names: tuple[str, ...], *, here: bool) -> None:
    """Measure the work named, or all."""
    if here:
        for name in names:
            click.echo(json.dumps(asdict(measure(name))))
        return
    click.echo(describe_environment())
    click.echo("\n| what | processor s | wall s | MiB |\n|---|---:|---:|---:|")
    for name in names or WORK:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.large", "--here", name],
            capture_output=True,
            text=True,
            check=True,
        )
        cost = Cost(**json.loads(done.stdout))
        click.echo(f"| {cost.what} | {cost.processor:.1f} | {cost.wall:.1f} | {cost.memory:.0f} |")


if __name__ == "__main__":
    main()
