"""Predicate-based techniques: CBI, SOBER, and both on evaluation sequences (DES).

p1 true:false   3:19 5:12 2:20   7:18 11:18 10:15     SOBER 1.03, CBI 0.00
p2 true:false   1:2  2:3  1:1    5:2  8:1   2:4       SOBER 4.17, CBI 0.00
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sfo.spectra.blockrank.profile import BlockrankProfile, Counts, ProfilePredicate

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
