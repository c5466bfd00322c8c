"""Hitting times by random walks: the mean over a sample, its standard error, and the walks that gave up.

All walks take their steps together, as arrays. A walk ends when it has been everywhere, or at the cap (500 walks and
10^6 steps in Henderson et al. 2019); a unit that a walk has not hit by then is counted as hit at the cap, which is too
early, so its mean is a lower bound and ``capped`` says in how many walks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from sfo.spectra.hitting_time.chain import Doubles, HittingTimeChain, Indices

WALKS: Final = 500
"""Walks of a sample."""

CAP: Final = 1_000_000
"""Steps after which a walk is given up."""

_BLOCK: Final = 64
"""Steps after which it is looked which walks go on."""


@final
@dataclass(frozen=True, slots=True)
class HittingWalkSample:
    """Per unit: the mean hitting time, its standard error, and the number of capped walks; infinite without a state."""

    means: Doubles
    errors: Doubles
    capped: Indices


def sample_hitting_walks(
    chain: HittingTimeChain, *, walks: int = WALKS, cap: int = CAP, seed: int = 0
) -> HittingWalkSample:
    """Random walks from the start. The same seed gives the same sample."""
    random = np.random.default_rng(seed)
    ends = chain.transitions.indptr[1:] - 1
    targets, thresholds, silent = chain.transitions.indices, _thresholds(chain), chain.silent
    states, has_silent = chain.transitions.shape[0], bool(silent.any())
    units = np.zeros(states, dtype=np.bool_)
    units[chain.units[chain.units >= 0]] = True

    hit = np.full((walks, states), cap, dtype=np.int32)
    seen = np.tile(~units, walks)  # of state s in walk w at w * states + s
    missing = np.full(walks, np.count_nonzero(units))
    steps = np.zeros(walks, dtype=np.int64)
    at, origin, walking = np.zeros((3, walks), dtype=np.int64)
    walking += np.arange(walks)
    moved = np.ones(walks, dtype=np.bool_)
    while len(walking):
        for draw in random.random((_BLOCK, len(walking))):
            choice = np.searchsorted(thresholds, at + draw, side="right")
            there = targets[np.minimum(choice, ends[at])]
            if has_silent:
                # A silent state takes no time, and a jump that ends where it began was none.
                entering = silent[there]
                moved = ~(entering | (silent[at] & (there == origin)))
                origin = np.where(entering, at, origin)
            steps += moved
            at = there
            places = walking * states + at
            new = np.flatnonzero(moved > seen[places])
            if len(new):
                seen[places[new]] = True
                hit[walking[new], at[new]] = np.minimum(steps[new], cap)
                missing[walking[new]] -= 1
        going = (missing[walking] > 0) & (steps < cap)
        walking, at, origin, steps = walking[going], at[going], origin[going], steps[going]
        moved = moved[going]

    inside = chain.units >= 0
    found = hit[:, chain.units[inside]]
    means, errors = np.full(len(chain.units), np.inf), np.full(len(chain.units), np.inf)
    capped = np.zeros(len(chain.units), dtype=np.intp)
    means[inside] = found.mean(axis=0)
    errors[inside] = found.std(axis=0, ddof=1) / np.sqrt(walks) if walks > 1 else np.inf
    capped[inside] = (found == cap).sum(axis=0)
    return HittingWalkSample(means, errors, capped)


def _thresholds(chain: HittingTimeChain) -> Doubles:
    """State plus cumulated probability, one for each transition: one sorted array to draw from for all states."""
    matrix = chain.transitions
    lengths = np.diff(matrix.indptr)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    total = np.cumsum(matrix.data)
    before = np.concatenate([[0.0], total])[matrix.indptr[:-1]]
    share = (total - before[rows]) / np.asarray(matrix.sum(axis=1)).ravel()[rows]
    return np.asarray(rows + np.minimum(share, 1.0))
