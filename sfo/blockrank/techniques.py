"""The techniques on edge profiles by name, and the ranking of statements, each with the score of its block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from cfrontend.errors import UsageError
from sfo.blockrank.predicates import cbi, des_cbi, des_sober, sober
from sfo.blockrank.profile import Doubles, EdgeProfile, Predicate
from sfo.blockrank.propagation import block_rank, block_rank_joint, capture_propagation
from sfo.matrix import CoverageMatrix, MatrixUnit, make_matrix
from sfo.techniques import Scored, by_value, technique

_BLOCKS: Final[dict[str, Callable[[EdgeProfile], Doubles]]] = {
    "blockrank": block_rank,
    "blockrank-joint": block_rank_joint,
    "cp": capture_propagation,
}
_PREDICATES: Final[dict[str, Callable[[EdgeProfile, Predicate], float]]] = {
    "predicate-cbi": cbi,
    "predicate-sober": sober,
    "des-cbi": des_cbi,
    "des-sober": des_sober,
}

PROFILE_TECHNIQUES: Final = {
    "blockrank": "Zhang et al. 2011, corrected for crashes after the equations are solved, as in its example",
    "blockrank-joint": "Zhang et al. 2011, equation 8",
    "cp": "Zhang et al. 2009",
    "predicate-cbi": "Liblit et al. 2005, Increase of branch predicates",
    "predicate-sober": "Liu et al. 2006",
    "des-cbi": "Zhang et al. 2008, CBI on evaluation sequences",
    "des-sober": "Zhang et al. 2008, SOBER on evaluation sequences",
}
"""What needs an edge profile, with its source."""


def rank_blocks(
    profile: EdgeProfile, names: str, smoothing: Fraction = Fraction(0)
) -> tuple[CoverageMatrix, list[tuple[str, Scored]]]:
    """The statements (blocks, where none are listed) of a profile as a matrix, and its rankings by these techniques.

    Names may be those of ``PROFILE_TECHNIQUES`` and of ``sfo.techniques``, which see the covered blocks; ``all`` is
    all of the former. Raises UsageError for other names.
    """
    wanted = (
        list(PROFILE_TECHNIQUES)
        if names.strip() == "all"
        else [n.strip() for n in names.split(",") if n.strip()]
    )
    if not wanted:
        raise UsageError("no measure: name one, several separated by commas, or all")
    blocks = profile.block_matrix()
    owners = [number for number, block in enumerate(profile.blocks) for _ in block.members]
    rankings = []
    for name in wanted:
        if name.lower() in PROFILE_TECHNIQUES:
            scored, shown = by_value(block_scores(profile, name.lower())), name.lower()
        else:
            other = technique(name, smoothing)
            scored, shown = other.rank(blocks), other.name
        rankings.append((shown, Scored(values=scored.values[owners], groups=_dense(scored.groups[owners]))))
    return _statements(profile, blocks, owners), rankings


def block_scores(profile: EdgeProfile, name: str) -> Doubles:
    """One score for each block; with predicates the best one of its own, and minus infinity where it has none."""
    if name in _BLOCKS:
        return _BLOCKS[name](profile)
    if not profile.predicates:
        raise UsageError(f"{name} needs predicates, and this edge profile has none")
    scores = np.full(len(profile.blocks), -np.inf)
    for predicate in profile.predicates:
        scores[predicate.block] = max(scores[predicate.block], _PREDICATES[name](profile, predicate))
    return scores


def _statements(profile: EdgeProfile, blocks: CoverageMatrix, owners: Sequence[int]) -> CoverageMatrix:
    units = [
        MatrixUnit(name=name, function=block.function) for block in profile.blocks for name in block.members
    ]
    covered = blocks.covered.toarray()[:, owners]
    return make_matrix(units, [np.flatnonzero(row).tolist() for row in covered], profile.failed.tolist())


def _dense(groups: np.typing.NDArray[np.intp]) -> np.typing.NDArray[np.intp]:
    """Group numbers without gaps: a block whose statements are all listed elsewhere leaves one."""
    return np.unique(groups, return_inverse=True)[1]
