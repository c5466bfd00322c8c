"""Many generated programs, natively and in sfo: ``python -m tests.differential.campaign 0 2000 [--order]``.

Every disagreement is printed with the number of its program; ``--keep DIR`` keeps the sources.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from cfrontend.bound import Bound
from cfrontend.errors import ResourceError
from cfrontend.program import Program
from cfrontend.syntax.types import LP64, DataModelOfTypes
from sfo.execution.native.build import UNDEFINED, NativeBuildPurpose, build_natively
from sfo.execution.native.compare import ComparedNativeExecution, ExecutionToCompareNatively
from sfo.execution.native.execute import ExecutableNativeProgram, NativeInputVector
from tests.differential.compare import CRASHES, differences
from tests.differential.generator import generate
from tests.differential.ours import Symbolic, concrete, load_program

ENOUGH = Bound(unwind=12, free=True)
"""No generated loop or recursion goes further."""

TIGHT = (Bound(unwind=1), Bound(unwind=2), Bound(unwind=3))
"""Many executions leave these."""


@dataclass
class Finding:
    """What one program showed: how its runs end, disagreements, and how many pairs were compared."""

    seed: int
    ends: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    pairs: int = 0
    symbolic: int = 0
    note: str = ""


def examine(
    source: Path,
    directory: Path,
    vectors: list[NativeInputVector],
    *,
    seconds: float | None = None,
    model: DataModelOfTypes = LP64,
) -> Finding:
    """Compare the program in ``source``: concrete runs with native ones, the formula with both."""
    finding = Finding(0)
    program = load_program(source, model=model)
    native = ExecutableNativeProgram(build_natively(program, directory), program).run(vectors)
    ours = [concrete(program, run.inputs) for run in native]
    undefined = _undefined(
        program, directory, [run for run, mine in zip(native, ours, strict=True) if mine.kind not in CRASHES]
    )
    if undefined:
        finding.problems.append(f"GENERATOR: {undefined}")
        return finding
    for run, mine in zip(native, ours, strict=True):
        finding.ends[mine.kind or mine.end] += 1
        finding.pairs += 1
        finding.problems += [f"concrete {run.inputs}: {text}" for text in differences(mine, run)]
    try:
        symbolic, *tight = (
            Symbolic(program, bound, None if seconds is None else time.monotonic() + seconds)
            for bound in (ENOUGH, *TIGHT)
        )
    except ResourceError:
        finding.note = "formula too large"
        return finding
    for run, mine in zip(native, ours, strict=True):
        finding.symbolic += 1
        merged = symbolic.run(run.inputs)
        if merged != mine:
            finding.problems.append(f"symbolic {run.inputs}: {merged} is not {mine}")
        finding.problems += [
            f"narrowed {run.inputs}: {text}" for text in symbolic.narrowing_errors(run.inputs)
        ]
        for within in tight:
            cut = within.run(run.inputs)
            if cut != mine and not cut_short(cut, mine):
                finding.problems.append(f"cut {run.inputs}: {cut} is not the beginning of {mine}")
    return finding


def cut_short(cut: ExecutionToCompareNatively, whole: ExecutionToCompareNatively) -> bool:
    """Whether an execution left its bound on the way that ``whole`` went."""
    return (
        cut.end == "cut"
        and cut.inputs == whole.inputs[: len(cut.inputs)]
        and cut.covered <= whole.covered
        and whole.printed.startswith(cut.printed)
    )


def _undefined(program: Program, directory: Path, runs: list[ComparedNativeExecution]) -> str | None:
    """Undefined behaviour that gcc's sanitizers see in ``runs``."""
    vectors = [NativeInputVector(values=run.inputs) for run in runs]
    built = build_natively(program, directory / "checked", NativeBuildPurpose(sanitizers=UNDEFINED))
    for run, vector in zip(ExecutableNativeProgram(built, program).run(vectors), vectors, strict=True):
        if run.end not in ("pass", "fail", "assume", "missing"):
            return f"undefined behaviour ({run.end}) on {vector.values}"
    return None


def examine_seed(
    seed: int,
    *,
    order: bool,
    count: int,
    keep: Path | None,
    seconds: float | None,
    model: DataModelOfTypes = LP64,
) -> Finding:
    """Generate and compare program number ``seed`` on ``count`` random vectors."""
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary)
        source = (keep or directory) / f"generated{seed}{'o' if order else ''}.c"
        source.write_text(generate(seed, order=order))
        vectors = [NativeInputVector(seed=1000 * seed + n) for n in range(1, count + 1)]
        try:
            finding = examine(source, directory / "native", vectors, seconds=seconds, model=model)
        except Exception:  # noqa: BLE001 - a campaign goes on
            finding = Finding(seed, problems=[traceback.format_exc(limit=-4)])
        finding.seed = seed
        if keep is not None and not finding.problems:
            source.unlink()
        return finding


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    parser.add_argument("--order", action="store_true")
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    ends: Counter[str] = Counter()
    pairs = symbolic = bad = large = 0
    work = partial(examine_seed, order=given.order, count=given.count, keep=given.keep, seconds=given.seconds)
    with ProcessPoolExecutor(given.jobs) as pool:
        for finding in pool.map(work, range(given.first, given.end)):
            ends += finding.ends
            pairs += finding.pairs
            symbolic += finding.symbolic
            large += bool(finding.note)
            bad += bool(finding.problems)
            if finding.seed % 100 == 99:
                say(f"up to {finding.seed}: {pairs} pairs, {symbolic} with formula, {bad} disagree")
            for problem in finding.problems[:3]:
                say(f"{finding.seed}: {problem[:1500]}")
    say(f"{pairs} pairs, {symbolic} with formula ({large} too large), {bad} disagree; {dict(ends)}")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
