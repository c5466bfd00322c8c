"""Elimination of transient states in a row, such as the groups of a ranked list: tridiagonal, so of any number.

    border <-> r0 <-> r1 <-> r2 <-> ...        each also leads to the border and back

``up`` and ``down`` lead to the neighbours in the row, ``out`` is the rest but for the state itself. The last state is
eliminated first (Grassmann, Taksar and Heyman 1985): probabilities of leaving are added up, so that nothing cancels.
Without ``up`` and ``down`` the states are independent of each other, such as functions whose units lead to groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.sparse import csr_array

from sfo.spectra.hitting_time.chain import Doubles


@final
@dataclass(frozen=True, slots=True)
class RowElimination:
    """``leave`` is the probability of leaving a state for good or upwards, those below it being eliminated."""

    up: Doubles
    down: Doubles
    leave: Doubles

    @property
    def alone(self) -> bool:
        """True if no state leads to another one of the row."""
        return not (self.up.any() or self.down.any())

    def after(self, values: Doubles) -> None:
        """Put (I - P)^-1 ``values`` in their place, what a walk from each state collects; P leads along the row."""
        values /= self.leave.reshape(-1, *[1] * (values.ndim - 1))
        if self.alone:
            return
        fall, rise = self.down / self.leave, self.up / self.leave
        for k in range(len(values) - 2, -1, -1):
            values[k] += fall[k] * values[k + 1]
        for k in range(1, len(values)):
            values[k] += rise[k] * values[k - 1]

    def before(self, values: Doubles) -> None:
        """Put ``values``^T (I - P)^-1 in their place: visits to each state, when walks begin with these weights."""
        if self.alone:
            values /= self.leave.reshape(-1, *[1] * (values.ndim - 1))
            return
        rise = self.up / self.leave
        for k in range(len(values) - 1, 0, -1):
            values[k - 1] += rise[k] * values[k]
        values[:1] /= self.leave[0]
        for k in range(1, len(values)):
            values[k] += self.down[k - 1] * values[k - 1]
            values[k] /= self.leave[k]

    def log_visits(self, begin: Doubles) -> Doubles:
        """The same for one row of weights, all given as logarithms."""
        with np.errstate(divide="ignore"):
            rise, down, leave = np.log(self.up / self.leave), np.log(self.down), np.log(self.leave)
        visits = begin.copy()
        for k in range(len(visits) - 1, 0, -1):
            visits[k - 1] = np.logaddexp(visits[k - 1], rise[k] + visits[k])
        for k in range(len(visits)):
            above = visits[k - 1] + down[k - 1] if k else -np.inf
            visits[k] = np.logaddexp(visits[k], above) - leave[k]
        return visits

    def own_visits(self) -> Doubles:
        """The diagonal of (I - P)^-1: visits to a state of a walk that begins there."""
        result = 1 / self.leave
        for k in range(1, len(result)):
            result[k] *= 1 + self.up[k] / self.leave[k] * result[k - 1] * self.down[k - 1]
        return result


def eliminate_row(inside: csr_array, out: Doubles) -> RowElimination:
    """``inside`` leads from state to state, its diagonal is not read; ``out`` sums up what leads elsewhere."""
    up = np.concatenate([np.zeros(min(1, len(out))), inside.diagonal(-1)])
    down = np.concatenate([inside.diagonal(1), np.zeros(min(1, len(out)))])
    leave = up + out
    away = 0.0  # probability that a walk in the state below leaves the row before it comes up
    for k in range(len(out) - 1, -1, -1):
        leave[k] += down[k] * away
        away = (out[k] + down[k] * away) / leave[k]
    return RowElimination(up, down, leave)
