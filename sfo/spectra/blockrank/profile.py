"""Edge profiles: how often each execution took each edge of the flow graph, and how each predicate came out.

b1 -> b2, b1 -> b4, b2 -> b4, ...     edges, by block number
t1 pass  19 3 2 1 1                   counts of an execution, one for each edge
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from cfrontend.errors import UsageError
from sfo.spectra.matrix import CoverageMatrix, MatrixUnit, make_coverage_matrix

Doubles: TypeAlias = NDArray[np.float64]
Counts: TypeAlias = NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileBlock:
    """A basic block: its name, its function, and the names of its statements, which inherit its score.

    ``statements`` None: the block is one statement of its own name. Empty: there is none, as in an exit block.
    """

    name: str
    function: str = ""
    statements: tuple[str, ...] | None = None

    @property
    def members(self) -> tuple[str, ...]:
        """The names of what is ranked."""
        return (self.name,) if self.statements is None else self.statements


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ProfilePredicate:
    """A branch condition in a block.

    ``true`` and ``false`` count its outcomes for each execution. ``sequences`` counts, for each execution, each way its
    atomic conditions were evaluated (executions times sequences); a predicate of one condition has two, true and false.
    """

    name: str
    block: int
    true: Counts
    false: Counts
    sequences: Counts


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BlockrankProfile:
    """Edge profiles of executions over the flow graphs of a program.

    ``edges`` are pairs of block indices. ``counts`` has shape (executions, edges). ``executions`` has shape
    (executions, blocks), or is None when nobody counted blocks. ``failed`` says of each execution whether it failed.
    ``dependences`` are edges of the program dependence graph between blocks, none where it is not known.
    """

    blocks: tuple[ProfileBlock, ...]
    edges: tuple[tuple[int, int], ...]
    counts: Counts
    executions: Counts | None
    failed: NDArray[np.bool_]
    predicates: tuple[ProfilePredicate, ...] = ()
    dependences: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        executions = len(self.failed)
        if self.counts.shape != (executions, len(self.edges)):
            raise UsageError(
                f"{executions} executions and {len(self.edges)} edges do not fit counts of shape {self.counts.shape}"
            )
        if self.executions is not None and self.executions.shape != (executions, len(self.blocks)):
            raise UsageError(
                f"{executions} executions and {len(self.blocks)} blocks do not fit {self.executions.shape} block counts"
            )
        if not self.failed.any() or self.failed.all():
            raise UsageError("an edge profile needs a failing and a passing execution")

    @property
    def sources(self) -> NDArray[np.intp]:
        """The block each edge leaves."""
        return np.array([a for a, _ in self.edges], dtype=np.intp)

    @property
    def targets(self) -> NDArray[np.intp]:
        """The block each edge enters."""
        return np.array([b for _, b in self.edges], dtype=np.intp)

    def into(self, per_edge: Doubles) -> Doubles:
        """Sum over the edges that enter each block, of shape (blocks,)."""
        return np.asarray(
            np.bincount(self.targets, weights=per_edge, minlength=len(self.blocks)), dtype=float
        )

    def out_of(self, per_edge: Doubles) -> Doubles:
        """Sum over the edges that leave each block, of shape (blocks,)."""
        return np.asarray(
            np.bincount(self.sources, weights=per_edge, minlength=len(self.blocks)), dtype=float
        )

    def mean_passing(self) -> Doubles:
        """The mean edge profile of the passing executions."""
        return np.asarray(self.counts[~self.failed].mean(axis=0))

    def mean_failing(self) -> Doubles:
        """The mean edge profile of the failing executions."""
        return np.asarray(self.counts[self.failed].mean(axis=0))

    def suspicious(self) -> Doubles:
        """The suspicious edge profile: failing mean less passing mean (Definition 1)."""
        return self.mean_failing() - self.mean_passing()

    def transition_rates(self) -> Doubles:
        """T of each block: how often it was left as a share of how often it was entered (Definition 2, equation 7).

        A block is entered by its edges and, at the head of a function, by the call: so the count of its executions
        is taken where it is known. Else a block without an incoming edge has rate 1. A block without an outgoing
        edge, or one never entered, has rate 0.
        """
        left = self.out_of(self.counts.sum(axis=0).astype(float))
        entered = self.into(self.counts.sum(axis=0).astype(float))
        if self.executions is not None:
            entered = self.executions.sum(axis=0).astype(float)
        else:
            heads = np.bincount(self.targets, minlength=len(self.blocks)) == 0
            entered = np.where(heads, left, entered)
        return np.divide(left, entered, out=np.zeros_like(left), where=entered > 0)

    def block_matrix(self) -> CoverageMatrix:
        """Coverage matrix, executions times blocks: covered when executed or when one of its edges was taken."""
        if self.executions is not None:
            covered = self.executions > 0
        else:
            covered = np.zeros((len(self.failed), len(self.blocks)), dtype=bool)
            for edge, (source, target) in enumerate(self.edges):
                taken = self.counts[:, edge] > 0
                covered[:, source] |= taken
                covered[:, target] |= taken
        return make_coverage_matrix(
            [MatrixUnit(name=block.name, function=block.function) for block in self.blocks],
            [np.flatnonzero(row).tolist() for row in covered],
            self.failed.tolist(),
        )
