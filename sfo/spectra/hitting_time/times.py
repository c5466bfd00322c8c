"""Expected hitting times of all units of a chain at once, without a subtraction that could cancel.

Let an excursion be a walk from the start until it is back there, R its expected cost and v_x the expected visits to x
during it. A walk that begins in x has N_xx expected visits to x and the expected cost h_x until it comes to the start.
An excursion hits x with probability v_x / N_xx, so

    time to hit x  =  R N_xx / v_x - h_x

which is one subtraction at the end. It is harmless, because the models drift to the start: h_x is small. Everything
else is positive. States with few neighbours are eliminated first; the core that is left is eliminated by halves, in
matrix products, or, where it is too large for that, solved by iteration with a bound on the error. Visits are kept as
logarithms, since v_x may be n^-k for a unit k groups down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np
from scipy.sparse import csr_array

from sfo.spectra.hitting_time.chain import Doubles, HittingTimeChain
from sfo.spectra.hitting_time.elimination import SparseElimination, eliminate_states
from sfo.spectra.hitting_time.iteration import CoreVisits, iterate_core

DENSE_LIMIT: Final = 9_000
"""States of a core that is solved exactly: 0.6 GB for each matrix of them, a few at a time."""

_NEIGHBOURS: Final = 32
"""Neighbours of a state that is eliminated before the core is."""

_NEIGHBOURS_OF_ITERATION: Final = 4
"""The same where the core is iterated, and few transitions are worth more than few states."""

_SMALL: Final = 32
"""States whose visits are computed in doubles rather than in logarithms."""


@final
@dataclass(frozen=True, slots=True)
class HittingTimes:
    """Natural logarithms of expected steps, one for each unit; infinite for a unit that is not in the chain.

    ``cancellation``: by which factor the subtraction at the end enlarges rounding errors, at worst. ``errors`` are
    bounds on the relative errors where the times were iterated, but for those of rounding.
    """

    logs: Doubles
    cancellation: float
    errors: Doubles | None = None

    @property
    def values(self) -> Doubles:
        """The steps; infinite above 10^308."""
        with np.errstate(over="ignore"):
            return np.exp(self.logs)


def hitting_times(chain: HittingTimeChain) -> HittingTimes:
    """Expected steps from the start to each unit.

    Raises ResourceError where they are neither found exactly nor by iteration.
    """
    sparse = eliminate_states(chain, _NEIGHBOURS)
    if len(sparse.kept) <= DENSE_LIMIT:
        core = _exact_core(sparse)
    else:
        sparse = eliminate_states(chain, _NEIGHBOURS_OF_ITERATION)
        core = iterate_core(sparse)
    homeward = sparse.homeward(core.homeward)
    own, seen = sparse.own_visits(core.between), sparse.log_visits(core.log_visits)

    inside = chain.units >= 0
    states = chain.units[inside]
    with np.errstate(divide="ignore", under="ignore"):
        logs = np.log(core.excursion) + np.log(own[states]) - seen[states]
        share = homeward[states] * np.exp(-logs)
        result = logs + np.log1p(-np.minimum(share, 1.0))
    found = np.full(len(chain.units), np.inf)
    found[inside] = result
    worst = 1 / np.maximum(1 - share, 1e-300)
    errors = None
    if core.errors is not None:
        errors = np.zeros(len(found))
        errors[inside] = sparse.own_visits(core.errors, alone=0.0)[states] / own[states] * worst
    return HittingTimes(found, float(np.max(worst, initial=1.0)), errors)


def _exact_core(sparse: SparseElimination) -> CoreVisits:
    dense = sparse.core.toarray()
    root = _eliminate(np.ascontiguousarray(dense[1:, 1:]), dense[1:, 0])
    homeward = np.concatenate([[0.0], root.visits @ sparse.costs[1:]])
    pattern = sparse.core.tocoo()
    size = len(sparse.kept)
    rows, columns = (np.concatenate([part, np.arange(size)]) for part in (pattern.row, pattern.col))
    known = (rows > 0) & (columns > 0)
    rows, columns = rows[known], columns[known]
    between = csr_array((root.visits[rows - 1, columns - 1], (rows, columns)), shape=dense.shape)
    return CoreVisits(
        excursion=float(sparse.costs[0] + dense[0] @ homeward),
        homeward=homeward,
        log_visits=np.concatenate([[0.0], root.expected(_log(dense[0, 1:]))]),
        between=between,
    )


@final
@dataclass(frozen=True, slots=True)
class _Part:
    """Transient states solved for: ``visits[i, j]`` are those to j of a walk from i before it leaves.

    ``first`` and ``second`` are halves, ``second`` with the first eliminated; ``across`` and ``home`` the logarithms
    of the transitions from the first to the second and back.
    """

    visits: Doubles
    first: _Part | None = None
    second: _Part | None = None
    across: Doubles | None = None
    home: Doubles | None = None

    def expected(self, begin: Doubles) -> Doubles:
        """Logarithms of expected visits when a walk begins with these (logarithms of) weights."""
        if self.first is None:
            return _log_product(begin, _log(self.visits))
        assert self.second is not None
        assert self.across is not None
        assert self.home is not None
        half = len(self.first.visits)
        ahead = _log_product(self.first.expected(begin[:half]), self.across)
        later = self.second.expected(np.logaddexp(begin[half:], ahead))
        sooner = self.first.expected(np.logaddexp(begin[:half], _log_product(later, self.home)))
        return np.concatenate([sooner, later])


def _eliminate(inner: Doubles, leaving: Doubles) -> _Part:
    """``inner`` transitions between states, and from each of them to anywhere else; the diagonal is not read."""
    size = len(leaving)
    if size <= 1:
        return _Part(1 / leaving.reshape(size, size))
    half = size // 2
    a, across, home, d = inner[:half, :half], inner[:half, half:], inner[half:, :half], inner[half:, half:]
    first = _eliminate(a, leaving[:half] + across.sum(axis=1))
    returning = home @ first.visits
    second = _eliminate(d + returning @ across, leaving[half:] + returning @ leaving[:half])
    ahead = first.visits @ across @ second.visits
    visits = np.empty((size, size))
    visits[half:, half:] = second.visits
    visits[:half, half:] = ahead
    visits[half:, :half] = second.visits @ returning
    visits[:half, :half] = first.visits + ahead @ returning
    if size <= _SMALL:
        return _Part(visits)
    return _Part(visits, first, second, _log(across), _log(home))


def _log(probabilities: Doubles) -> Doubles:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(probabilities))


def _log_product(row: Doubles, matrix: Doubles) -> Doubles:
    """Logarithms of row times matrix, all of them given as logarithms."""
    if not len(row):
        return np.full(matrix.shape[1], -np.inf)
    table = row[:, None] + matrix
    largest = table.max(axis=0)
    shift = np.where(np.isfinite(largest), largest, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(shift + np.log(np.exp(table - shift).sum(axis=0)))
