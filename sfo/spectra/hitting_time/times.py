"""Expected hitting times of all units of a chain at once, without a subtraction that could cancel.

Let an excursion be a walk from the start until it is back there, R its expected cost and v_x the expected visits to x
during it. A walk that begins in x has N_xx expected visits to x and the expected cost h_x until it comes to the start.
An excursion hits x with probability v_x / N_xx, so

    time to hit x  =  R N_xx / v_x - h_x

which is one subtraction at the end. It is harmless, because the models drift to the start: h_x is small. Everything
else is computed by elimination of states (Grassmann, Taksar and Heyman 1985). Probabilities of leaving are added up
rather than subtracted from 1, so that each number is right to almost all its digits however small it is. Units that
jump to no other unit are eliminated at once, which leaves the groups, functions and behaviours and a cover of the jumps
between functions; these are eliminated by halves, in matrix products. Visits are kept as logarithms, since v_x may be
n^-k for a unit k groups down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from cfrontend.errors import ResourceError
from sfo.spectra.hitting_time.chain import Doubles, HittingTimeChain, Indices

DENSE_LIMIT: Final = 9_000
"""States that may be left after the units are eliminated: 0.6 GB for each matrix of them, a few at a time."""

_SMALL: Final = 32
"""States whose visits are computed in doubles rather than in logarithms."""

_CHUNK: Final = 2_000
"""Units that are handled in one matrix."""


@final
@dataclass(frozen=True, slots=True)
class HittingTimes:
    """Natural logarithms of expected steps, one for each unit; infinite for a unit that is not in the chain.

    ``cancellation``: by which factor the subtraction at the end enlarges rounding errors, at worst.
    """

    logs: Doubles
    cancellation: float

    @property
    def values(self) -> Doubles:
        """The steps; infinite above 10^308."""
        with np.errstate(over="ignore"):
            return np.exp(self.logs)


def hitting_times(chain: HittingTimeChain) -> HittingTimes:
    """Expected steps from the start to each unit. Raises ResourceError when too many states are left to solve for."""
    kept = _kept(chain)
    order = kept[np.lexsort((kept, chain.depth[kept]))]
    order = np.concatenate([[0], order[order != 0]])
    if len(order) > DENSE_LIMIT:
        raise ResourceError(
            f"{len(order)} groups, functions and jumps are too many for exact hitting times (at most {DENSE_LIMIT})"
        )
    single = np.ones(chain.transitions.shape[0], dtype=np.bool_)
    single[order] = False
    alone = np.flatnonzero(single)
    full = chain.transitions
    into, out = full[order][:, alone], full[alone][:, order]

    dense = (full[order][:, order] + into @ out).toarray()
    costs = chain.costs[order] + into @ chain.costs[alone]
    root = _eliminate(np.ascontiguousarray(dense[1:, 1:]), dense[1:, 0])
    back = root.visits @ costs[1:]
    excursion = costs[0] + dense[0, 1:] @ back
    with np.errstate(divide="ignore"):
        seen = root.expected(np.log(dense[0, 1:]))

    logs = np.full(full.shape[0], -np.inf)  # of R N / v
    homeward = np.zeros(full.shape[0])
    logs[order[1:]] = np.log(excursion) + np.log(np.diagonal(root.visits)) - seen
    homeward[order[1:]] = back
    homeward[alone] = chain.costs[alone] + out[:, 1:] @ back
    logs[alone] = np.log(excursion) + _log_returns(root.visits, into, out) - _log_arrivals(seen, into)

    inside = chain.units >= 0
    states = chain.units[inside]
    with np.errstate(divide="ignore", under="ignore"):
        share = homeward[states] * np.exp(-logs[states])
        result = logs[states] + np.log1p(-np.minimum(share, 1.0))
    found = np.full(len(chain.units), np.inf)
    found[inside] = result
    worst = float(np.max(1 / np.maximum(1 - share, 1e-300), initial=1.0))
    return HittingTimes(found, worst)


def _kept(chain: HittingTimeChain) -> Indices:
    """The states that are not units, and units that cover every jump from unit to unit; best-connected units first."""
    units = chain.transitions[chain.hubs :][:, chain.hubs :].tocoo()
    a, b = np.minimum(units.row, units.col), np.maximum(units.row, units.col)
    edges = np.unique(np.stack([a, b], axis=1)[a != b], axis=0)
    cover: list[int] = []
    if len(edges):
        size = chain.transitions.shape[0] - chain.hubs
        neighbours: list[set[int]] = [set() for _ in range(size)]
        for x, y in edges.tolist():
            neighbours[x].add(y)
            neighbours[y].add(x)
        for unit in sorted(range(size), key=lambda u: (-len(neighbours[u]), u)):
            if neighbours[unit]:
                cover.append(chain.hubs + unit)
                for other in neighbours[unit]:
                    neighbours[other].discard(unit)
                neighbours[unit] = set()
    return np.concatenate([np.arange(chain.hubs), np.array(cover, dtype=np.intp)])


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


def _log_returns(visits: Doubles, into: csr_array, out: csr_array) -> Doubles:
    """Log N_xx of each single unit: 1 + the sum over b, a of out[x, b] visits[b, a] into[a, x], without the start."""
    columns = into[1:].T.tocsr()
    result = np.empty(out.shape[0])
    for begin in range(0, out.shape[0], _CHUNK):
        part = slice(begin, begin + _CHUNK)
        walked = out[part][:, 1:] @ visits
        result[part] = np.log1p(np.asarray(columns[part].multiply(walked).sum(axis=1)).ravel())
    return result


def _log_arrivals(seen: Doubles, into: csr_array) -> NDArray[np.float64]:
    """Log v_x of each single unit, from the visits to the states before it; the start is visited once."""
    entries = into.tocoo()
    terms = np.concatenate([[0.0], seen])[entries.row] + np.log(entries.data)
    largest = np.full(into.shape[1], -np.inf)
    np.maximum.at(largest, entries.col, terms)
    shift = np.where(np.isfinite(largest), largest, 0.0)
    sums = np.bincount(entries.col, weights=np.exp(terms - shift[entries.col]), minlength=into.shape[1])
    with np.errstate(divide="ignore"):
        return np.asarray(shift + np.log(sums))
