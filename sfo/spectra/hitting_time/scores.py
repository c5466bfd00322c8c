"""Scores of a ranking for known faults: the rank scores, EXAM, LIL and HT_Rank.

G(l) units have a higher score than l, E(l) the same (l included), k(l) of those are faulty, and there are n units:

    Tarantula rank score   G + E                     Jones and Harrold 2005; the worst rank
    expense                (n - (G + E)) / n         the share that need not be examined
    EXAM                   (G + E) / n               Wong et al. 2008
    standard rank score    G + E / 2                 Ali et al. 2009
    Steimann rank score    G + (E + 1) / (k + 1)     Steimann et al. 2013
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sfo.spectra.hitting_time.chain import Doubles, Indices

SAME_TIME: Final = 1e-9
"""Hitting times that differ by at most this share of them are one."""

LIL_EPSILON: Final = 1e-9
"""Suspiciousness that replaces 0 before scores are normalised to a distribution."""


def standard_hitting_scores(groups: Indices) -> Doubles:
    """The standard rank score of every unit; ``groups`` are places of tie groups, from 0."""
    sizes = np.bincount(groups)
    return np.asarray((np.cumsum(sizes) - sizes + sizes / 2)[groups])


def hitting_score_groups(logs: Doubles) -> Indices:
    """Tie groups of units by rising hitting time, given as logarithms; infinite ones are left out as -1."""
    finite = np.flatnonzero(np.isfinite(logs))
    order = finite[np.argsort(logs[finite], kind="stable")]
    result = np.full(len(logs), -1, dtype=np.intp)
    if len(order):
        apart = np.diff(logs[order]) > SAME_TIME
        result[order] = np.concatenate([[0], np.cumsum(apart)])
    return result


def steimann_hitting_scores(groups: Indices, faulty: Collection[int]) -> Doubles:
    """Steimann's rank score of every unit, when these are faulty."""
    sizes = np.bincount(groups)
    known = np.bincount(groups[list(faulty)], minlength=len(sizes))
    return np.asarray((np.cumsum(sizes) - sizes + (sizes + 1) / (known + 1))[groups])


def ht_rank_margin(logs: Doubles, errors: Doubles, unit: int) -> int:
    """By how many ranks HT_Rank of a unit may be wrong: other units whose times may be on either side of its time.

    ``errors`` bound the relative errors of the times.
    """
    with np.errstate(divide="ignore"):
        low, high = logs + np.log1p(-np.minimum(errors, 1.0)), logs + np.log1p(errors)
    return int(np.count_nonzero((low <= high[unit]) & (high >= low[unit]) & np.isfinite(logs))) - 1


def ht_rank_scores(logs: Doubles, faulty: Collection[int] | None = None) -> Doubles:
    """HT_Rank of every unit (Henderson et al. 2019, Definition 25): the standard rank score on hitting times.

    With ``faulty`` units Steimann's score takes its place, as the paper recommends for several faults. ``logs`` are
    logarithms of times; a unit with infinite time is not in the chain and has rank infinity.
    """
    groups = hitting_score_groups(logs)
    inside = np.flatnonzero(groups >= 0)
    result = np.full(len(logs), np.inf)
    if not len(inside):
        return result
    if faulty is None:
        result[inside] = standard_hitting_scores(groups[inside])
    else:
        present = np.isin(inside, list(faulty))
        result[inside] = steimann_hitting_scores(groups[inside], np.flatnonzero(present).tolist())
    return result


def lil_hitting_score(values: Doubles, faulty: Collection[int]) -> float:
    """Locality information loss in nats, D(ideal || scores), from 0 upwards (Moon et al. 2014).

    Scores are scaled to [0, 1], ``LIL_EPSILON`` takes the place of 0 in both distributions, and each is divided by its
    sum. Infinite scores count as the largest or smallest finite one.
    """
    scaled = _scaled(values)
    ideal = np.full(len(values), LIL_EPSILON)
    ideal[list(faulty)] = 1.0
    found = np.maximum(scaled, LIL_EPSILON)
    p, q = ideal / ideal.sum(), found / found.sum()
    return max(math.fsum((p * np.log(p / q)).tolist()), 0.0)


def _scaled(values: Doubles) -> NDArray[np.float64]:
    finite = values[np.isfinite(values)]
    if not len(finite):
        return np.where(values > 0, 1.0, 0.0)
    low, high = float(finite.min()), float(finite.max())
    if np.isposinf(values).any():
        high += max(1.0, abs(high))
    bounded = np.clip(values, low, high)
    return (bounded - low) / (high - low) if high > low else np.ones(len(values))
