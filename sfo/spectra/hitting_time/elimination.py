"""Elimination of the states of a chain that have few neighbours, and what they take when the others are known.

    g0 - g1 - g2 - ...     ->     the states with many neighbours are left: the core
     |    |    |
     u0   u1   u2

A state x that is eliminated is passed through: b -> x -> a becomes b -> a. Probabilities of leaving are added up and
never subtracted from 1 (Grassmann, Taksar and Heyman 1985), so each number is right to almost all its digits however
small it is. The state with the fewest neighbours goes first, of these the one furthest down the list, as in the minimum
degree ordering of sparse matrices. Going back, expected visits between neighbours suffice for those of a state
(Takahashi, Fagan and Chin 1973).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from scipy.sparse import coo_array, csr_array

from sfo.spectra.hitting_time.chain import Doubles, HittingTimeChain, Indices

_TINY: Final = 1e-250
"""Probability below which none is made: a state of the core stays between, so that no step is lost."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EliminatedState:
    """A state with its neighbours at the time: probabilities ``out`` to them and ``into`` it, and of leaving it."""

    state: int
    out: dict[int, float]
    into: dict[int, float]
    leave: float
    cost: float


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SparseElimination:
    """``kept`` states, the start first and then from the top of the list, with the transitions and costs left to them.

    The diagonal of ``core`` is empty: staying does not matter. Its pattern is symmetric.
    """

    pivots: list[EliminatedState]
    kept: Indices
    core: csr_array
    costs: Doubles

    def homeward(self, known: Doubles) -> Doubles:
        """Expected cost until the start, of all states, from that of the core."""
        result = self._spread(known)
        for pivot in reversed(self.pivots):
            ahead = sum(share * result[a] for a, share in pivot.out.items())
            result[pivot.state] = (pivot.cost + ahead) / pivot.leave
        return np.array(result)

    def log_visits(self, known: Doubles) -> Doubles:
        """Logarithms of the visits in an excursion, from those of the core (0 for the start)."""
        result = self._spread(known)
        for pivot in reversed(self.pivots):
            terms = [result[b] + math.log(share) for b, share in pivot.into.items() if share]
            most = max(terms, default=-math.inf)
            if math.isfinite(most):
                most += math.log(math.fsum(math.exp(term - most) for term in terms) / pivot.leave)
            result[pivot.state] = most
        return np.array(result)

    def own_visits(self, between: csr_array, alone: float = 1.0) -> Doubles:
        """Visits of each state to itself before the start, from those between neighbours in the core (the start's 0).

        ``alone`` is the share of the first visit; with 0, errors of the core are carried to all states.
        """
        kept = self.kept.tolist()
        visits: dict[int, dict[int, float]] = {state: {} for state in kept}
        for a, b, value in _entries(between):
            visits[kept[a]][kept[b]] = value
        result = self._spread(between.diagonal())
        for pivot in reversed(self.pivots):
            x, leave, near = pivot.state, pivot.leave, [b for b in pivot.out if b]
            ahead = [(visits[a], pivot.out[a] / leave) for a in near]
            behind = [(b, pivot.into[b] / leave) for b in near]
            mine = {b: sum(share * row[b] for row, share in ahead) for b in near}
            for b in near:
                row = visits[b]
                row[x] = sum(row[c] * share for c, share in behind)
            result[x] = mine[x] = alone / leave + sum(mine[b] * share for b, share in behind)
            visits[x] = mine
        return np.array(result)

    def _spread(self, known: Doubles) -> list[float]:
        result = [0.0] * (len(self.kept) + len(self.pivots))
        for state, value in zip(self.kept.tolist(), known.tolist(), strict=True):
            result[state] = value
        return result


def eliminate_states(chain: HittingTimeChain, most: int) -> SparseElimination:
    """Eliminate what has at most so many neighbours when its turn comes; never the start."""
    size = chain.transitions.shape[0]
    rows: list[dict[int, float]] = [{} for _ in range(size)]
    for b, a, share in _entries(chain.transitions):
        if a != b:
            rows[b][a] = share
            rows[a].setdefault(b, 0.0)
    costs, depth = chain.costs.tolist(), chain.depth.tolist()
    heap = [(len(rows[x]), -depth[x], x) for x in range(1, size)]
    heapq.heapify(heap)
    pivots: list[EliminatedState] = []
    kept = {0}
    while heap:
        degree, _, x = heapq.heappop(heap)
        if x in kept or degree != len(rows[x]):
            continue
        out = rows[x]
        into = {b: rows[b][x] for b in out}
        if degree > most or _smallest(out) * _smallest(into) < _TINY:
            kept.add(x)
            continue
        pivots.append(
            EliminatedState(state=x, out=out, into=into, leave=math.fsum(out.values()), cost=costs[x])
        )
        _pass_through(rows, costs, pivots[-1])
        rows[x] = {}
        for y in out:
            heapq.heappush(heap, (len(rows[y]), -depth[y], y))
    return _result(chain, pivots, kept, rows, costs)


def _pass_through(rows: list[dict[int, float]], costs: list[float], pivot: EliminatedState) -> None:
    """Lead what comes to the state of ``pivot`` on to its neighbours."""
    for b, share in pivot.into.items():
        row, through = rows[b], share / pivot.leave
        del row[pivot.state]
        costs[b] += through * pivot.cost
        for a, ahead in pivot.out.items():
            if a != b:
                row[a] = row.get(a, 0.0) + through * ahead


def _result(
    chain: HittingTimeChain,
    pivots: list[EliminatedState],
    kept: set[int],
    rows: list[dict[int, float]],
    costs: list[float],
) -> SparseElimination:
    order = sorted(kept, key=lambda x: (x != 0, int(chain.depth[x]), x))
    place = {state: number for number, state in enumerate(order)}
    entries = [(place[b], place[a], share) for b in order for a, share in rows[b].items()]
    b, a, shares = zip(*entries, strict=True) if entries else ((), (), ())
    core = csr_array(coo_array((np.array(shares, dtype=float), (b, a)), shape=(len(order), len(order))))
    return SparseElimination(
        pivots=pivots, kept=np.array(order), core=core, costs=np.array([costs[x] for x in order])
    )


def _entries(matrix: csr_array) -> Iterator[tuple[int, int, float]]:
    entries = matrix.tocoo()
    return zip(entries.row.tolist(), entries.col.tolist(), entries.data.tolist(), strict=True)


def _smallest(shares: dict[int, float]) -> float:
    """The smallest one that is not 0."""
    return min((share for share in shares.values() if share), default=1.0)
