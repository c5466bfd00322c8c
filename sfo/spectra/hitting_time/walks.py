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
    starts = chain.transitions.indptr[:-1]
    ends = chain.transitions.indptr[1:] - 1
    targets = chain.transitions.indices
    thresholds = _thresholds(chain)
    states = chain.transitions.shape[0]

    hit = np.full((walks, states), cap, dtype=np.int64)
    missing = np.full(walks, int(np.count_nonzero(chain.units >= 0)))
    is_unit = np.zeros(states, dtype=np.bool_)
    is_unit[chain.units[chain.units >= 0]] = True
    at = np.zeros(walks, dtype=np.intp)
    origin = np.full(walks, -1, dtype=np.intp)
    steps = np.zeros(walks, dtype=np.int64)
    walking = np.arange(walks)
    while len(walking):
        here = at[walking]
        draw = np.searchsorted(thresholds, here + random.random(len(walking)), side="right")
        there = targets[np.clip(draw, starts[here], ends[here])]
        entering, leaving = chain.silent[there], chain.silent[here]
        origin[walking[entering]] = here[entering]
        # A silent state takes no time, and a jump that ends where it began was none.
        moved = ~entering & ~(leaving & (there == origin[walking]))
        at[walking] = there
        movers = walking[moved]
        steps[movers] += 1
        reached = at[movers]
        new = is_unit[reached] & (hit[movers, reached] == cap)
        hit[movers[new], reached[new]] = steps[movers[new]]
        missing[movers[new]] -= 1
        walking = walking[(missing[walking] > 0) & (steps[walking] < cap)]

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
