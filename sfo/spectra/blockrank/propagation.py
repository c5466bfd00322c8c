"""BlockRank and CP: the suspicion of edges, carried backwards along them to the blocks.

    W(e) = s(e) / sum of s over all edges into the same block
    BR(b) = sum over the edges e that leave b: W(e) BR(target of e);   at an exit: sum of s over its incoming edges

BlockRank takes s from the suspicious edge profile, CP from relative differences. With loops the equations are a
sparse linear system, which may be singular. Zhang et al. 2011 (footnote 8) iterate 200 times; where the system is
singular, that depends on the number of iterations and grows by powers of ten. Here each loop has its least-norm
solution.

Executions that crash never take an outgoing edge. Zhang et al. 2011 correct for that with T, the rate at which a block
is left: T * (what the edges say) + (1 - T) * I, where I is the sum of s over the incoming edges. Equation 8 puts the
corrected scores into each other's equations, the worked example corrects after the equations are solved, and only the
latter gives the printed 4.00, 4.32, 3.67, 4.00. So ``blockrank_propagation`` follows the example and
``blockrank_joint_propagation`` follows the equation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array, eye_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, lsqr, onenormest, splu

from sfo.spectra.blockrank.profile import BlockrankProfile, Doubles
from sfo.spectra.matrix import Booleans

Integers: TypeAlias = NDArray[np.int32]

_SINGULAR: Final = 1e-10
"""Singular values below this share of the largest one are 0."""

_DENSE: Final = 1000
"""Largest loop, in blocks, whose singular values are computed."""


@final
@dataclass(frozen=True, slots=True)
class Equations:
    """The linear system x = ``weights`` x + ``constant`` over all blocks."""

    weights: csr_array
    constant: Doubles

    def solution(self) -> tuple[Doubles, Booleans]:
        """The least-norm solution, and the blocks on loops whose equations have no single one.

        A loop is a strongly connected component. Those that a block leads to are solved first, and each takes the
        scores of these as given, so that no loop disturbs what stands behind it. A loop that failing executions
        enter as often as passing ones keeps all its weight: its equations have no solution, or many. The
        pseudo-inverse of its own equations then gives the least-squares solution of least norm.
        """
        count, loop = connected_components(self.weights, connection="strong")
        members = np.split(
            np.argsort(loop, kind="stable"), np.cumsum(np.bincount(loop, minlength=count))[:-1]
        )
        values, singular = np.zeros_like(self.constant), np.zeros(len(self.constant), dtype=np.bool_)
        for one in _ends_first(self.weights, loop, count):
            inside = members[one]
            rows = self.weights[inside]
            found, regular = _solve(rows[:, inside], rows @ values + self.constant[inside])
            values[inside], singular[inside] = found, not regular
        return values, singular


def blockrank_propagation(profile: BlockrankProfile) -> Doubles:
    """BR' of each block: the equations solved, then corrected for crashes (equations 1 to 6)."""
    rates = np.where(_exits(profile), 0.0, profile.transition_rates())
    return rates * uncalibrated_propagation(profile) + (1 - rates) * profile.into(profile.suspicious())


def blockrank_joint_propagation(profile: BlockrankProfile) -> Doubles:
    """BR of each block as the solution of equation 8, where every score is the corrected one."""
    return _joint_equations(profile).solution()[0]


def uncalibrated_propagation(profile: BlockrankProfile) -> Doubles:
    """BR of each block without the correction for crashes (equations 1 to 4)."""
    return _equations(profile, profile.suspicious()).solution()[0]


def capture_propagation(profile: BlockrankProfile) -> Doubles:
    """CP of each block (Zhang et al. 2009).

    The same with s(e) = (failing - passing) / (failing + passing) mean counts.
    """
    return _capture_equations(profile).solution()[0]


def _equations(profile: BlockrankProfile, per_edge: Doubles) -> Equations:
    return Equations(_weights(profile, per_edge), np.where(_exits(profile), profile.into(per_edge), 0.0))


def _joint_equations(profile: BlockrankProfile) -> Equations:
    suspicious = profile.suspicious()
    rates = np.where(_exits(profile), 0.0, profile.transition_rates())
    weights = _weights(profile, suspicious)
    return Equations(csr_array(weights.multiply(rates[:, None])), (1 - rates) * profile.into(suspicious))


def _capture_equations(profile: BlockrankProfile) -> Equations:
    failing, passing = profile.mean_failing(), profile.mean_passing()
    both = failing + passing
    relative = np.divide(failing - passing, both, out=np.zeros_like(both), where=both > 0)
    return _equations(profile, relative)


Maker: TypeAlias = Callable[[BlockrankProfile], Equations]

EQUATIONS: Final[Mapping[str, Maker]] = {
    "blockrank": lambda profile: _equations(profile, profile.suspicious()),
    "blockrank-joint": _joint_equations,
    "cp": _capture_equations,
}
"""The linear system of each technique that solves one, by its name."""


def _exits(profile: BlockrankProfile) -> Booleans:
    return np.asarray(np.bincount(profile.sources, minlength=len(profile.blocks)) == 0)


def _weights(profile: BlockrankProfile, per_edge: Doubles) -> csr_array:
    """W as a matrix, source block times target block; 0 where the edges into a block sum up to 0."""
    total = profile.into(per_edge)[profile.targets]
    share = np.divide(
        per_edge, total, out=np.zeros_like(per_edge), where=np.abs(total) > np.abs(per_edge) * 1e-12
    )
    size = len(profile.blocks)
    matrix = csr_array(coo_array((share, (profile.sources, profile.targets)), shape=(size, size)))
    matrix.eliminate_zeros()
    return matrix


def _ends_first(weights: csr_array, loop: Integers, count: int) -> list[int]:
    """The loops, each after those that it leads to."""
    edges = weights.tocoo()
    pairs = np.unique(np.stack([loop[edges.row], loop[edges.col]]), axis=1)
    pairs = pairs[:, pairs[0] != pairs[1]]
    waits = np.bincount(pairs[0], minlength=count)
    before: list[list[int]] = [[] for _ in range(count)]
    for source, target in pairs.T.tolist():
        before[target].append(source)
    order = np.flatnonzero(waits == 0).tolist()
    for one in order:
        for source in before[one]:
            waits[source] -= 1
            if not waits[source]:
                order.append(source)
    return order


def _solve(weights: csr_array, constant: Doubles) -> tuple[Doubles, bool]:
    """The least-norm x of x = weights x + constant, and whether there is one x only."""
    if weights.nnz == 0:
        return constant, True
    size = len(constant)
    if size <= _DENSE:
        found, _, rank, _ = np.linalg.lstsq(np.eye(size) - weights.toarray(), constant, rcond=_SINGULAR)
        return np.asarray(found), int(rank) == size
    matrix = (eye_array(size) - weights).tocsc()
    try:
        factors = splu(matrix)
    except RuntimeError:  # exactly singular
        factors = None
    if factors is not None:
        inverse = LinearOperator(
            matrix.shape, matvec=factors.solve, rmatvec=lambda row: factors.solve(row, "T"), dtype=float
        )
        if onenormest(inverse) * abs(matrix).sum(axis=0).max() < 1 / _SINGULAR:
            return np.asarray(factors.solve(constant)), True
    return np.asarray(lsqr(matrix, constant, atol=1e-14, btol=1e-14)[0]), False
