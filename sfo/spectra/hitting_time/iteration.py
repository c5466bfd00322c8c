"""Visits between neighbouring states of a large core by iteration, with a bound on their error.

P are the transitions of the core, staying left out, and p its stationary distribution. The deviations

    Z = (I - p) + (P - p) + (P^2 - p) + ...

have what is asked for: visits to b of a walk from a, before the start 0, are Z_ab - Z_0b + (Z_00 - Z_a0) p_b / p_0. The
row and the column of the start are one linear system each. For all pairs of neighbours the sum is taken over short
walks only, the first steps from a and the last ones to b: both are sparse, and what is small is dropped. By the
inequality of Cauchy and Schwarz, with r_a the first j steps and c_b the last k ones, less p, in the norm that p weighs,

    | what the walks of j + k steps and more add |  <=  |r_a| |c_b| |Z|,      |Z| <= (1 + B + ... + B^(q-1)) / (1 - B_q)

with B and B_q the largest singular values of P - p and its power q, by Lanczos' method. So the bound needs walks to
forget where they began, as they do in programs with many jumps and no functions or ties.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from scipy.sparse import csr_array, eye_array, vstack
from scipy.sparse.linalg import LinearOperator, eigsh

from cfrontend.errors import ResourceError
from sfo.spectra.hitting_time.chain import Doubles, Indices
from sfo.spectra.hitting_time.elimination import SparseElimination

ERROR: Final = 0.005
"""Error of visits that is aimed at."""

_ROUNDS: Final = 4_000
"""Steps after which an iteration is given up."""

_POWER: Final = 4
"""The q of the bound."""

_DROPPED: Final = 1e-5
"""Probability below which a walk to a state is dropped; for those from a state, a tenth of it."""

_ENTRIES: Final = 40_000_000
"""Entries of all first steps, which are kept at once."""

_WIDTH: Final = 8_000
"""Mean number of states that the last steps may come from."""

_BLOCK: Final = 500
"""States that are handled in one matrix."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CoreVisits:
    """Solution of a core: the cost of an excursion, costs to the start, logarithms of the visits in an excursion.

    ``between`` are the expected visits between neighbours, the states themselves included and the start left out,
    ``errors`` bounds of theirs, None where they are exact.
    """

    excursion: float
    homeward: Doubles
    log_visits: Doubles
    between: csr_array
    errors: csr_array | None = None


@final
@dataclass(frozen=True, slots=True)
class _Walk:
    """The core as a chain that never stays, backwards too, with its stationary distribution and the bound |Z|."""

    forth: csr_array
    back: csr_array
    stationary: Doubles
    norm: float


def iterate_core(sparse: SparseElimination) -> CoreVisits:
    """Solve the core of ``sparse``. Raises ResourceError where walks forget too slowly where they began."""
    leave = np.asarray(sparse.core.sum(axis=1)).ravel()
    forth = csr_array(sparse.core.multiply(1 / leave[:, None]))
    back = csr_array(forth.T)
    p = _stationary(back)
    walk = _Walk(forth, back, p, _norm(forth, back, p))
    start = np.zeros(len(p))
    start[0] = 1.0
    column = _sum_of_walks(lambda x: forth @ x, start - p[0])
    row = _sum_of_walks(lambda x: back @ x, start - p)
    costs = sparse.costs / leave
    mean = float(p @ costs)
    later = _sum_of_walks(lambda x: forth @ x, costs - mean)

    pattern = sparse.core.tocoo()
    own = np.arange(1, len(p))
    known = (pattern.row > 0) & (pattern.col > 0)
    a, b = np.concatenate([pattern.row[known], own]), np.concatenate([pattern.col[known], own])
    order = np.argsort(b, kind="stable")
    a, b = a[order], b[order]
    deviations, errors = _deviations(walk, a, b)
    visits = deviations - row[b] + p[b] / p[0] * (column[0] - column[a])
    shape = sparse.core.shape
    return CoreVisits(
        excursion=mean * leave[0] / p[0],
        homeward=later - later[0] + mean / p[0] * (column[0] - column),
        log_visits=np.log(p / p[0] * leave[0] / leave),
        between=csr_array((np.maximum(visits, 0) / leave[b], (a, b)), shape=shape),
        errors=csr_array((errors / leave[b], (a, b)), shape=shape),
    )


def _stationary(back: csr_array) -> Doubles:
    found = np.full(back.shape[0], 1 / back.shape[0])
    for _ in range(_ROUNDS):
        following = (found + back @ found) / 2
        if np.max(np.abs(following - found) / following) < 1e-13:
            return np.asarray(following / following.sum())
        found = following
    raise _slow()


def _slow() -> ResourceError:
    return ResourceError(
        "the chain is too large for exact hitting times, and walks forget too slowly to iterate"
    )


def _sum_of_walks(step: Callable[[Doubles], Doubles], begin: Doubles) -> Doubles:
    """(I - P)^-1 ``begin``, in which the stationary part is 0; every other step stays, against periods."""
    total, current = np.zeros_like(begin), begin / 2
    for _ in range(_ROUNDS):
        total += current
        if np.max(np.abs(current)) <= 1e-14 * np.max(np.abs(total)):
            return total
        current = (current + step(current)) / 2
    raise _slow()


def _norm(forth: csr_array, back: csr_array, p: Doubles) -> float:
    """The bound on |Z|."""
    root = np.sqrt(p)

    def both_ways(x: Doubles, power: int) -> Doubles:
        for matrix, scale in ((forth, root), (back, 1 / root)):
            for _ in range(power):
                x = scale * (matrix @ (x / scale)) - root * (root @ x)
        return x

    values = []
    for power in (1, _POWER):
        operator = LinearOperator(
            forth.shape, matvec=lambda x, power=power: both_ways(x.ravel(), power), dtype=np.float64
        )
        largest = eigsh(operator, k=1, v0=np.cos(np.arange(len(p))), tol=1e-3, return_eigenvectors=False)[0]
        values.append(float(np.sqrt(max(largest, 0.0) * 1.001)))
    first, last = min(values[0], 1.0), values[1]
    if last > 0.98:
        raise _slow()
    return sum(first**power for power in range(_POWER)) / (1 - last)


def _deviations(walk: _Walk, a: Indices, b: Indices) -> tuple[Doubles, Doubles]:
    """Z_ab for the pairs, ordered by b, and bounds on the errors."""
    p, size = walk.stationary, len(walk.stationary)
    first, last = _lengths(walk)
    blocks = [np.arange(begin, min(begin + _BLOCK, size)) for begin in range(0, size, _BLOCK)]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        parts = list(pool.map(lambda block: _first_steps(walk, block, first), blocks))
        rows = vstack([part[0] for part in parts], format="csr")
        away, lost = (np.concatenate([part[k] for part in parts]) for k in (1, 2))
        del parts

        def of_block(block: Indices) -> tuple[Doubles, Doubles]:
            total, early, near, weight = _last_steps(walk, block, first, last)
            pairs = slice(*np.searchsorted(b, [block[0], block[-1] + 1]))
            x, y = a[pairs], b[pairs] - block[0]
            found = (
                np.asarray(early[y, x]).ravel() + np.asarray(rows[x].multiply(total[y]).sum(axis=1)).ravel()
            )
            dropped = _DROPPED * (first**2 + last**2)
            unsure = walk.norm * (away[x] + lost[x]) * near[y] + lost[x] * weight[y] + dropped
            return found - (first + last) * p[b[pairs]], unsure

        found = list(pool.map(of_block, blocks))
    return np.concatenate([part[0] for part in found]), np.concatenate([part[1] for part in found])


def _lengths(walk: _Walk) -> tuple[int, int]:
    """Numbers of first and of last steps, as many as there is room for or the error needs, tried on some states."""
    size = len(walk.stationary)
    sample = np.unique(np.linspace(0, size - 1, 100).astype(np.intp))
    first, last = 1, 1
    while first < 12 and _first_steps(walk, sample, first + 1)[0].nnz / len(sample) * size < _ENTRIES:
        first += 1
    away = _first_steps(walk, sample, first)[1]
    while True:
        total, _, near, _ = _last_steps(walk, sample, first, last)
        error = float(np.max(walk.norm * away * near))
        if error < ERROR or total.nnz > _WIDTH * len(sample) or last > 50:
            break
        last += 1
    if error > 0.3:
        raise _slow()
    return first, last


def _first_steps(walk: _Walk, block: Indices, steps: int) -> tuple[csr_array, Doubles, Doubles]:
    """Where walks from the ``block`` are after so many steps, how far from p, and the norm of what is dropped."""
    weights = 1 / walk.stationary
    current = _unit_rows(block, len(weights))
    lost = np.zeros(len(block))
    for _ in range(steps):
        current = current @ walk.forth
        small = current.data < _DROPPED / 10
        gone = current.copy()
        gone.data = np.where(small, current.data**2, 0.0)
        lost += np.sqrt(gone @ weights)
        current.data[small] = 0
        current.eliminate_zeros()
    square = current.power(2) @ weights - 2 * np.asarray(current.sum(axis=1)).ravel() + 1
    return current, np.sqrt(np.maximum(square, 0)), lost


def _last_steps(
    walk: _Walk, block: Indices, first: int, last: int
) -> tuple[csr_array, csr_array, Doubles, Doubles]:
    """Walks that end in the ``block``, by where they begin: the sums of all up to ``last`` and up to ``first`` steps.

    Then how far those of ``last`` steps are from p, and the norms of the first sums.
    """
    p = walk.stationary
    current = total = early = ends = _unit_rows(block, len(p))
    for step in range(1, max(first, last) + 1):
        current = current @ walk.back
        current.data[current.data < _DROPPED] = 0
        current.eliminate_zeros()
        if step < first:
            early = early + current
        if step < last:
            total = total + current
        if step == last:
            ends = current
    square = ends.power(2) @ p - 2 * p[block] * (ends @ p) + p[block] ** 2
    near = np.sqrt(np.maximum(square, 0)) + last * _DROPPED
    return total, early, near, np.sqrt(total.power(2) @ p) + last**2 * _DROPPED


def _unit_rows(block: Indices, size: int) -> csr_array:
    return csr_array(eye_array(size, format="csr")[block])
