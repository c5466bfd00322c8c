"""A random corpus to test the evaluation on: call trees with faults that show in some of the executions reaching them.

Units are in blocks of a tree; an execution executes the root and, of each executed block, each child with a probability
of its own. A version has one fault, or two in every third version; an execution that executes a fault fails with
probability 1/2, and in every fourth version its failing executions are crashes that lose the coverage of the faulty
block.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Final, final

import numpy as np

BLOCK: Final = 4
"""Units of a block on average."""


@final
class _Program:
    """Blocks as a tree, with the probability that a block is executed when its parent is."""

    def __init__(self, units: int, random: np.random.Generator) -> None:
        blocks = max(2, units // BLOCK)
        self.parent = [-1, *(int(random.integers(0, k)) for k in range(1, blocks))]
        self.chance = [1.0, *random.uniform(0.15, 0.95, size=blocks - 1).tolist()]
        extra = random.integers(0, blocks, size=units - blocks)
        self.block_of = np.sort(np.concatenate([np.arange(blocks), extra]))

    def run(self, random: np.random.Generator) -> np.typing.NDArray[np.bool_]:
        """The units that one execution covers."""
        taken = np.ones(len(self.parent), dtype=np.bool_)
        for block in range(1, len(taken)):
            taken[block] = taken[self.parent[block]] and random.random() < self.chance[block]
        return np.asarray(taken[self.block_of])


def simulate_corpus(subjects: int, versions: int, units: int, runs: int, seed: int) -> dict[str, str]:
    """File names and texts: ``corpus.json`` and a matrix for each version. The same seed gives the same corpus."""
    files: dict[str, str] = {}
    entries: list[dict[str, object]] = []
    for subject in range(1, subjects + 1):
        random = np.random.default_rng([seed, subject])
        program = _Program(units, random)
        for version in range(1, versions + 1):
            entry, text = _version(program, f"s{subject}", version, runs, random)
            entries.append(entry)
            files[str(entry["matrix"])] = text
    files["corpus.json"] = json.dumps({"format": 1, "kind": "corpus", "versions": entries}, indent=1) + "\n"
    return files


def _version(
    program: _Program, subject: str, number: int, runs: int, random: np.random.Generator
) -> tuple[dict[str, object], str]:
    count = len(program.block_of)
    faulty = random.choice(count, size=2 if number % 3 == 0 else 1, replace=False)
    crash = number % 4 == 0
    while True:
        covered = np.array([program.run(random) for _ in range(runs)])
        failed = covered[:, faulty].any(axis=1) & (random.random(runs) < 0.5)
        if failed.any() and not failed.all():
            break
        faulty = random.choice(count, size=len(faulty), replace=False)
    if crash:
        lost = failed[:, None] & np.isin(program.block_of, program.block_of[faulty])[None, :]
        covered &= ~(lost & (random.random(covered.shape) < 0.5))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "outcome", *(f"u{unit + 1}" for unit in range(count))])
    for run, (row, bad) in enumerate(
        zip(covered.astype(int).tolist(), failed.tolist(), strict=True), start=1
    ):
        writer.writerow([run, "fail" if bad else "pass", *row])
    name = f"v{number}"
    entry: dict[str, object] = {
        "subject": subject,
        "version": name,
        "matrix": f"{subject}-{name}.csv",
        "faulty": [f"u{unit + 1}" for unit in sorted(faulty.tolist())],
        "crash": crash,
    }
    return entry, out.getvalue()
