"""The techniques on edge profiles by name, and the ranking of statements, each with the score of its block.

Predicate-based ones are CBI, SOBER, and both on evaluation sequences (DES):

    p1 true:false   3:19 5:12 2:20   7:18 11:18 10:15     SOBER 1.03, CBI 0.00
    p2 true:false   1:2  2:3  1:1    5:2  8:1   2:4       SOBER 4.17, CBI 0.00
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from cfrontend.errors import UsageError
from sfo.spectra.blockrank.profile import BlockrankProfile, Counts, Doubles, ProfilePredicate
from sfo.spectra.blockrank.propagation import (
    EQUATIONS,
    blockrank_joint_propagation,
    blockrank_propagation,
    capture_propagation,
)
from sfo.spectra.matrix import CoverageMatrix, MatrixUnit, make_coverage_matrix
from sfo.spectra.techniques import (
    TechniqueScores,
    listed_techniques,
    technique_named,
    technique_order_by_value,
)

Failed: TypeAlias = NDArray[np.bool_]

Statistic: TypeAlias = Callable[[Counts, Counts, Failed], float]
"""Score of how often each execution made a predicate true (or took one of its evaluation sequences), how often it
evaluated it, and whether it failed."""


def score_of_predicate(
    profile: BlockrankProfile, predicate: ProfilePredicate, statistic: Statistic, *, of_sequences: bool
) -> float:
    """The ``statistic`` of a predicate, or the largest one over its evaluation sequences (Zhang et al. 2008)."""
    if not of_sequences:
        return statistic(predicate.true, predicate.true + predicate.false, profile.failed)
    evaluated = predicate.sequences.sum(axis=1)
    return max(statistic(taken, evaluated, profile.failed) for taken in predicate.sequences.T)


def cbi_increase(true: Counts, evaluated: Counts, failed: Failed) -> float:
    """Increase: P(fails | predicate was true) - P(fails | predicate was evaluated).

    From -1 to 1 (Liblit et al. 2005); 0 when it was never true or never evaluated.
    """
    held, seen = true > 0, evaluated > 0
    if not held.any():
        return 0.0
    return float(failed[held].mean() - failed[seen].mean())


def sober_surprise(true: Counts, evaluated: Counts, failed: Failed) -> float:
    """SOBER: how unlikely the evaluation biases of failing executions are among passing ones (Liu et al. 2006).

    It is -log10(sqrt(m) / s * density(Z)), Z = (mean of failing - mean of passing) / (s / sqrt(m)).
    The evaluation bias of an execution is the share of evaluations with outcome true, 1/2 where there is none. m is the
    number of failing executions, s the sample standard deviation over passing ones, and the density that of the
    standard normal distribution. With no spread among passing executions the score is infinite when the means differ,
    else minus infinity. With fewer than two passing executions there is no spread to speak of and the score is minus
    infinity.
    """
    bias = np.divide(true, evaluated, out=np.full(len(true), 0.5), where=evaluated > 0)
    passing, failing = bias[~failed], bias[failed]
    if len(passing) < 2:
        return -math.inf
    spread, apart = float(passing.std(ddof=1)), float(failing.mean() - passing.mean())
    if spread <= 1e-12:
        return math.inf if abs(apart) > 1e-12 else -math.inf
    scale = math.sqrt(len(failing)) / spread
    z = apart * scale
    return -(math.log(scale) - z * z / 2 - math.log(2 * math.pi) / 2) / math.log(10)


@final
@dataclass(frozen=True, slots=True)
class BlockrankTechnique:
    """One way to score the blocks of an edge profile, with the source it is from: one number for each block."""

    name: str
    source: str
    scores: Callable[[BlockrankProfile], Doubles]
    needs_predicates: bool = False

    def applies_to(self, profile: BlockrankProfile) -> bool:
        """True if the profile has the predicates that the technique needs."""
        return bool(profile.predicates) or not self.needs_predicates


def _by_predicates(statistic: Statistic, profile: BlockrankProfile, *, of_sequences: bool = False) -> Doubles:
    """The best score of each block's predicates, and minus infinity where it has none."""
    scores = np.full(len(profile.blocks), -np.inf)
    for predicate in profile.predicates:
        score = score_of_predicate(profile, predicate, statistic, of_sequences=of_sequences)
        scores[predicate.block] = max(scores[predicate.block], score)
    return scores


PROFILE_TECHNIQUES: Final = {
    item.name: item
    for item in (
        BlockrankTechnique("blockrank", "Zhang et al. 2011, corrected for crashes after the equations are solved, as in its example", blockrank_propagation),
        BlockrankTechnique("blockrank-joint", "Zhang et al. 2011, equation 8", blockrank_joint_propagation),
        BlockrankTechnique("cp", "Zhang et al. 2009", capture_propagation),
        BlockrankTechnique("predicate-cbi", "Liblit et al. 2005, Increase of branch predicates", partial(_by_predicates, cbi_increase), needs_predicates=True),
        BlockrankTechnique("predicate-sober", "Liu et al. 2006", partial(_by_predicates, sober_surprise), needs_predicates=True),
        BlockrankTechnique("des-cbi", "Zhang et al. 2008, CBI on evaluation sequences", partial(_by_predicates, cbi_increase, of_sequences=True), needs_predicates=True),
        BlockrankTechnique("des-sober", "Zhang et al. 2008, SOBER on evaluation sequences", partial(_by_predicates, sober_surprise, of_sequences=True), needs_predicates=True),
    )
}  # fmt: skip
"""Techniques on edge profiles, by name."""


def blockrank_technique_on_blocks(
    profile: BlockrankProfile, names: str
) -> tuple[CoverageMatrix, list[tuple[str, TechniqueScores]]]:
    """The statements (blocks, where none are listed) of a profile as a matrix, and its rankings by these techniques.

    Names may be those of ``PROFILE_TECHNIQUES`` and of ``sfo.spectra.techniques``, which see the covered blocks;
    ``all`` is all of the former that apply. Raises UsageError for other names.
    """
    every = [name for name, one in PROFILE_TECHNIQUES.items() if one.applies_to(profile)]
    wanted = every if names.strip() == "all" else listed_techniques(names)
    blocks = profile.block_matrix()
    owners = [number for number, block in enumerate(profile.blocks) for _ in block.members]
    rankings, notes = [], list[str]()
    for name in wanted:
        if name.lower() in PROFILE_TECHNIQUES:
            on_profile = PROFILE_TECHNIQUES[name.lower()]
            if not on_profile.applies_to(profile):
                raise UsageError(f"{on_profile.name} needs predicates, and this edge profile has none")
            scored, shown = technique_order_by_value(on_profile.scores(profile)), on_profile.name
            notes += _singular(profile, shown)
        else:
            other = technique_named(name)
            scored, shown = other.rank(blocks), other.name
        rankings.append(
            (shown, TechniqueScores(values=scored.values[owners], groups=_dense(scored.groups[owners])))
        )
    return replace(_statements(profile, blocks, owners), notes=tuple(notes)), rankings


def blockrank_technique_on_statements(
    profile: BlockrankProfile, chosen: BlockrankTechnique, names: Sequence[str]
) -> TechniqueScores:
    """The ranking of the statements with these names; one that several blocks list has the best of their scores.

    Raises UsageError for a name that no block lists.
    """
    best: dict[str, float] = {}
    for block, score in zip(profile.blocks, chosen.scores(profile).tolist(), strict=True):
        for name in block.members:
            best[name] = max(score, best.get(name, -np.inf))
    for name in names:
        if name not in best:
            raise UsageError(f"no block of the edge profile has the statement {name!r}")
    return technique_order_by_value(np.array([best[name] for name in names]))


def _singular(profile: BlockrankProfile, name: str) -> list[str]:
    """What to say of blocks on loops whose equations have no single solution."""
    if name not in EQUATIONS:
        return []
    blocks = np.flatnonzero(EQUATIONS[name](profile).solution()[1])
    if not len(blocks):
        return []
    some = f"{len(blocks)} blocks on loops ({profile.blocks[blocks[0]].name} is one)"
    return [f"{name}: the equations of {some} have no single solution; the least-norm one is taken"]


def _statements(profile: BlockrankProfile, blocks: CoverageMatrix, owners: Sequence[int]) -> CoverageMatrix:
    units = [
        MatrixUnit(name=name, function=block.function) for block in profile.blocks for name in block.members
    ]
    covered = blocks.covered.toarray()[:, owners]
    return make_coverage_matrix(
        units, [np.flatnonzero(row).tolist() for row in covered], profile.failed.tolist()
    )


def _dense(groups: np.typing.NDArray[np.intp]) -> np.typing.NDArray[np.intp]:
    """Group numbers without gaps: a block whose statements are all listed elsewhere leaves one."""
    return np.unique(groups, return_inverse=True)[1]
