"""Fault and causal likelihood in closed form (Landsberg and Barr 2018, equations 4 to 7).

A failing execution k covers rho_k units, and any non-empty subset of them may be what caused its error. With all these
possibilities equally likely, unit i is

    a cause in execution k     P_k(h_i) = 2^(rho_k - 1) / (2^rho_k - 1)      if k fails and covers i, else 0
    the cause in execution k   P_k(H_i) = 1 / (2^rho_k - 1)                  likewise

and cl_i = sum_k P_k(H_i) / C_i, where C_i executions cover i. Executions cover thousands of units, and 2^-1075 is not a
double: causal likelihoods are therefore kept as mantissa times a power of two, per unit, so that their order survives.

The weight function w (equation 1) need not be indifferent. With odds q for each cause, a model with n causes in all
executions weighs q^n, and 2 becomes 1 + q: P_k(H_i) = q / ((1 + q)^rho_k - 1). Below 1, few causes are likelier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from sfo.spectra.matrix import CoverageMatrix
from sfo.spectra.measures.arrays import equal_arrays_up_to_rounding

Doubles: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

UPDATE_BOUND: Final = 20
"""Units after whose inspection causal likelihoods are computed again (section 4.1)."""

_NEVER: Final = np.iinfo(np.int64).min // 4
"""Exponent of 0."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LikelihoodPowers:
    """Non-negative numbers ``mantissa * 2**exponent``, one for each unit; mantissas from 1/2 to 1, or 0."""

    mantissa: Doubles
    exponent: Integers

    @property
    def values(self) -> Doubles:
        """Likelihoods as doubles; numbers below 2^-1074 become 0."""
        return np.ldexp(self.mantissa, np.clip(self.exponent, -2000, 2000).astype(np.int32))

    def falling(self) -> NDArray[np.intp]:
        """Units by falling number; ties in order."""
        return np.lexsort((-self.mantissa, -self.exponent))

    def groups(self) -> NDArray[np.intp]:
        """For each unit the place of its tie group, from 0, by falling number."""
        if not len(self.mantissa):
            return np.zeros(0, dtype=np.intp)
        order = self.falling()
        mantissa, exponent = self.mantissa[order], self.exponent[order]
        apart = np.minimum(exponent[:-1] - exponent[1:], 1000).astype(np.int32)
        place = np.concatenate(
            [[0], np.cumsum(~equal_arrays_up_to_rounding(np.ldexp(mantissa[:-1], apart), mantissa[1:]))]
        )
        result = np.empty(len(order), dtype=np.intp)
        result[order] = place
        return result


def causal_likelihood(
    matrix: CoverageMatrix, innocent: NDArray[np.intp] | None = None, odds: float = 1.0
) -> LikelihoodPowers:
    """The causal likelihood cl = P(H_i | u_i) of each unit, equation 7; 0/0 for a unit that no execution covers is 0.

    ``innocent`` are units known not to be faulty: they are left out of every rho_k, and their own cl is 0. A
    failing execution that covers nothing else has no cause left and is passed over. ``odds`` are those of a cause,
    positive: 1 for the indifference of the paper.
    """
    executions, units, rho = _failing_cells(matrix)
    known = np.zeros(len(matrix.units), dtype=np.bool_)
    if innocent is not None:
        known[innocent] = True
        gone = known[units]
        rho = rho - np.bincount(executions[gone], minlength=len(rho))
        executions, units = executions[~gone], units[~gone]
    # q / (b^rho - 1) = b^-rho q / (1 - b^-rho), b = 1 + q; b^-rho as a whole power of two and the rest, from 1/2 to 1.
    powers = rho[executions] * (np.log1p(odds) / np.log(2))
    whole = np.floor(powers).astype(np.int64)
    largest = np.full(len(matrix.units), _NEVER, dtype=np.int64)
    np.maximum.at(largest, units, -whole)
    rest = np.exp2(np.maximum(-whole - largest[units], -2000) - (powers - whole))
    scaled = rest * odds / -np.expm1(-np.log(2) * powers)
    sums = np.bincount(units, weights=scaled, minlength=len(matrix.units)).astype(float)
    covering = matrix.ef + matrix.ep
    quotient = np.divide(sums, covering, out=np.zeros_like(sums), where=covering > 0)
    mantissa, shift = np.frexp(quotient)
    return LikelihoodPowers(mantissa=mantissa, exponent=np.where(mantissa > 0, largest + shift, _NEVER))


def cause_likelihood_of_units(matrix: CoverageMatrix) -> Doubles:
    """P(h_i), the mean over all executions of the probability that unit i is a cause there (equation 5)."""
    executions, units, rho = _failing_cells(matrix)
    sums = np.bincount(units, weights=_a_cause(rho[executions]), minlength=len(matrix.units))
    return np.asarray(sums / max(len(matrix.failed), 1), dtype=float)


def fault_likelihood(matrix: CoverageMatrix) -> Doubles:
    """P(f_i) = 1 - prod_k (1 - P_k(h_i)), the probability that unit i is a cause in some execution (equation 4)."""
    executions, units, rho = _failing_cells(matrix)
    with np.errstate(divide="ignore"):
        logs = np.log1p(-_a_cause(rho[executions]))
    return np.asarray(
        0 - np.expm1(np.bincount(units, weights=logs, minlength=len(matrix.units))), dtype=float
    )


def updated_likelihood_order(
    matrix: CoverageMatrix, bound: int = UPDATE_BOUND
) -> tuple[NDArray[np.intp], LikelihoodPowers]:
    """The order in which cl_u inspects the units, and the likelihood each had when it was chosen (section 3.6).

    After each of the first ``bound`` inspections the unit is known not to be faulty and all likelihoods are
    computed again; then the last ones stand. Ties go to the earlier unit.
    """
    count = len(matrix.units)
    mantissa, exponent = np.zeros(count), np.full(count, _NEVER, dtype=np.int64)
    inspected: list[int] = []
    left = np.ones(count, dtype=np.bool_)
    while True:
        likelihood = causal_likelihood(matrix, np.array(inspected, dtype=np.intp))
        order = likelihood.falling()
        order = order[left[order]]
        if len(inspected) >= bound or not len(order):
            mantissa[left], exponent[left] = likelihood.mantissa[left], likelihood.exponent[left]
            whole = np.concatenate([np.array(inspected, dtype=np.intp), _ties_in_order(order, likelihood)])
            return whole, LikelihoodPowers(mantissa=mantissa, exponent=exponent)
        chosen = _ties_in_order(order, likelihood)[0]
        mantissa[chosen], exponent[chosen] = likelihood.mantissa[chosen], likelihood.exponent[chosen]
        inspected.append(int(chosen))
        left[chosen] = False


def _ties_in_order(order: NDArray[np.intp], likelihood: LikelihoodPowers) -> NDArray[np.intp]:
    """``order`` with units whose likelihoods differ by rounding only in the order of the program."""
    return order[np.lexsort((order, likelihood.groups()[order]))]


def _failing_cells(matrix: CoverageMatrix) -> tuple[NDArray[np.int64], NDArray[np.int64], Integers]:
    """Failing execution and unit of each covered cell, and rho (number of covered units) of each execution."""
    failing = matrix.covered[matrix.failed]
    rho = np.diff(failing.indptr).astype(np.int64)
    return np.repeat(np.arange(len(rho)), rho), failing.indices.astype(np.int64), rho


def _a_cause(rho: Integers) -> Doubles:
    """2^(rho - 1) / (2^rho - 1) = 1/2 / (1 - 2^-rho)."""
    return np.asarray(0.5 / -np.expm1(-np.log(2) * rho), dtype=float)
