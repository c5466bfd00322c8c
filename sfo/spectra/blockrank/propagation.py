"""BlockRank and CP: the suspicion of edges, carried backwards along them to the blocks.

    W(e) = s(e) / sum of s over all edges into the same block
    BR(b) = sum over the edges e that leave b: W(e) BR(target of e);   at an exit: sum of s over its incoming edges

BlockRank takes s from the suspicious edge profile, CP from relative differences. With loops the equations are a
sparse linear system.

Executions that crash never take an outgoing edge. Zhang et al. 2011 correct for that with T, the rate at which a block
is left: T * (what the edges say) + (1 - T) * I, where I is the sum of s over the incoming edges. Equation 8 puts the
corrected scores into each other's equations, the worked example corrects after the equations are solved, and only the
latter gives the printed 4.00, 4.32, 3.67, 4.00. So ``blockrank_propagation`` follows the example and
``blockrank_joint_propagation`` follows the equation.
"""

from __future__ import annotations

import warnings
from typing import Final

import numpy as np
from scipy.sparse import coo_array, csr_array, eye_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import MatrixRankWarning, spsolve

from sfo.spectra.blockrank.profile import BlockrankProfile, Doubles
from sfo.spectra.matrix import Booleans

ROUNDS: Final = 200
"""Iterations where the equations have no single solution (Zhang et al. 2011, footnote 8)."""

_RESIDUAL: Final = 1e-6
"""Largest relative residual of a solution that counts as one."""


def blockrank_propagation(profile: BlockrankProfile) -> Doubles:
    """BR' of each block: the equations solved, then corrected for crashes (equations 1 to 6)."""
    suspicious = profile.suspicious()
    ends = profile.into(suspicious)
    plain = _solve(_weights(profile, suspicious), np.where(_exits(profile), ends, 0.0))
    rates = np.where(_exits(profile), 0.0, profile.transition_rates())
    return rates * plain + (1 - rates) * ends


def blockrank_joint_propagation(profile: BlockrankProfile) -> Doubles:
    """BR of each block as the solution of equation 8, where every score is the corrected one."""
    suspicious = profile.suspicious()
    rates = np.where(_exits(profile), 0.0, profile.transition_rates())
    weights = _weights(profile, suspicious)
    scaled = csr_array(weights.multiply(rates[:, None]))
    return _solve(scaled, (1 - rates) * profile.into(suspicious))


def uncalibrated_propagation(profile: BlockrankProfile) -> Doubles:
    """BR of each block without the correction for crashes (equations 1 to 4)."""
    suspicious = profile.suspicious()
    return _solve(_weights(profile, suspicious), np.where(_exits(profile), profile.into(suspicious), 0.0))


def capture_propagation(profile: BlockrankProfile) -> Doubles:
    """CP of each block (Zhang et al. 2009).

    The same with s(e) = (failing - passing) / (failing + passing) mean counts.
    """
    failing, passing = profile.mean_failing(), profile.mean_passing()
    both = failing + passing
    relative = np.divide(failing - passing, both, out=np.zeros_like(both), where=both > 0)
    return _solve(_weights(profile, relative), np.where(_exits(profile), profile.into(relative), 0.0))


def _exits(profile: BlockrankProfile) -> Booleans:
    return np.asarray(np.bincount(profile.sources, minlength=len(profile.blocks)) == 0)


def _weights(profile: BlockrankProfile, per_edge: Doubles) -> csr_array:
    """W as a matrix, source block times target block; 0 where the edges into a block sum up to 0."""
    total = profile.into(per_edge)[profile.targets]
    share = np.divide(
        per_edge, total, out=np.zeros_like(per_edge), where=np.abs(total) > np.abs(per_edge) * 1e-12
    )
    size = len(profile.blocks)
    return csr_array(coo_array((share, (profile.sources, profile.targets)), shape=(size, size)))


def _solve(weights: csr_array, constant: Doubles) -> Doubles:
    """The x with x = weights x + constant, flow graph by flow graph.

    A loop that fails enter as often as passes do keeps all its weight, and the equations have no single solution:
    there ``ROUNDS`` iterations from 0 are taken, as the paper does.
    """
    result = np.zeros_like(constant)
    count, graph = connected_components(weights, directed=False)
    for part in range(count):
        inside = np.flatnonzero(graph == part)
        own = weights[inside][:, inside]
        result[inside] = _solve_one(own, constant[inside])
    return result


def _solve_one(weights: csr_array, constant: Doubles) -> Doubles:
    if weights.nnz == 0:
        return constant
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MatrixRankWarning)
        found = np.atleast_1d(spsolve((eye_array(len(constant)) - weights).tocsc(), constant))
    if np.isfinite(found).all():
        residual = np.abs(weights @ found + constant - found).max(initial=0.0)
        if residual <= _RESIDUAL * max(np.abs(found).max(initial=0.0), 1e-300) and np.abs(
            found
        ).max() < 1e9 * max(np.abs(constant).max(), 1e-300):
            return np.asarray(found)
    found = np.zeros_like(constant)
    for _ in range(ROUNDS):
        found = weights @ found + constant
    return found
