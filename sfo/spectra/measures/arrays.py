"""Measures on all units at once, in doubles; the exact scalar route is their oracle in the tests.

    scores(find("jaccard"), ef, ep, failing=2, passing=4)    one score for each unit
    groups(scores)                                           0 0 1 2 ...: the place of each unit's tie group

Doubles split true ties: with F = 3 and P = 4, Tarantula gives three units with ef = ep = 1, 2, 3 two different
values next to 4/7. Scores are therefore equal when they differ by no more than ``equal_arrays_up_to_rounding`` allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias, final

import numpy  # noqa: ICN001 - np is one of the counts
from numpy.typing import NDArray

from sfo.spectra.measures.counts import MeasureCounts, Number

if TYPE_CHECKING:
    from sfo.spectra.measures import Measure

Doubles: TypeAlias = NDArray[numpy.float64]
Integers: TypeAlias = NDArray[numpy.intp]

RELATIVE: Final = 1e-12
"""Scores whose difference is at most this share of them are one score."""

ABSOLUTE: Final = 1e-15
"""Scores near 0 whose difference is at most this, rounding errors of its terms, are one score."""


@final
class MeasureArrayCounts(MeasureCounts):
    """The counts of all units, as arrays of one length or numbers."""

    def __init__(self, ef: Number, ep: Number, nf: Number, np: Number) -> None:
        self.ef, self.ep, self.nf, self.np = (numpy.asarray(count, dtype=float) for count in (ef, ep, nf, np))

    def ratio(self, numerator: Number, denominator: Number) -> Number:
        """See ``MeasureCounts``."""
        numerator, denominator = numpy.broadcast_arrays(
            numpy.asarray(numerator, dtype=float), numpy.asarray(denominator, dtype=float)
        )
        limit = numpy.where(numerator == 0, 0.0, numpy.copysign(numpy.inf, numerator))
        return numpy.divide(numerator, denominator, out=limit, where=denominator != 0)

    def root(self, number: Number) -> Number:
        """See ``MeasureCounts``."""
        return numpy.sqrt(number)

    def log(self, number: Number) -> Number:
        """See ``MeasureCounts``."""
        number = numpy.asarray(number, dtype=float)
        return numpy.log(number, out=numpy.full_like(number, -numpy.inf), where=number > 0)

    def choose(self, condition: Number, yes: Number, no: Number) -> Number:
        """See ``MeasureCounts``."""
        return numpy.where(condition, yes, no)

    def least(self, *numbers: Number) -> Number:
        """See ``MeasureCounts``."""
        return numpy.minimum.reduce(numpy.broadcast_arrays(*numbers))

    def greatest(self, *numbers: Number) -> Number:
        """See ``MeasureCounts``."""
        return numpy.maximum.reduce(numpy.broadcast_arrays(*numbers))

    def unit_interval(self, number: Number) -> Number:
        """See ``MeasureCounts``."""
        with numpy.errstate(invalid="ignore"):
            inside = (1 + number / (1 + numpy.abs(number))) / 2
        return numpy.where(numpy.isinf(number), number > 0, inside)


def measure_array_scores(
    measure: Measure, ef: Number, ep: Number, failing: Number, passing: Number
) -> Doubles:
    """The value of ``measure`` for each unit; ``ef`` and ``ep`` per unit, ``failing`` and ``passing`` in all."""
    counts = MeasureArrayCounts(ef, ep, numpy.subtract(failing, ef), numpy.subtract(passing, ep))
    with numpy.errstate(invalid="ignore"):  # infinity times 0 in a branch that ``choose`` drops
        result = numpy.asarray(measure.formula(counts), dtype=float)
    if measure.root:
        result = numpy.copysign(numpy.sqrt(numpy.abs(result)), result)
    return numpy.broadcast_to(result, numpy.shape(counts.ef)).copy()


def equal_arrays_up_to_rounding(a: Number, b: Number) -> Number:
    """Equality of scores up to rounding, element by element; an infinity equals itself only."""
    with numpy.errstate(invalid="ignore"):
        near = numpy.abs(a - b) <= ABSOLUTE + RELATIVE * numpy.minimum(numpy.abs(a), numpy.abs(b))
    return numpy.where(numpy.isfinite(a) & numpy.isfinite(b), near, a == b)


def array_tie_groups(values: Doubles) -> Integers:
    """For each unit the place of its tie group, from 0, by falling score; neighbours that are close share one."""
    if not len(values):
        return numpy.zeros(0, dtype=numpy.intp)
    order = numpy.argsort(-values, kind="stable")
    falling = values[order]
    place = numpy.concatenate([[0], numpy.cumsum(~equal_arrays_up_to_rounding(falling[:-1], falling[1:]))])
    result = numpy.empty(len(values), dtype=numpy.intp)
    result[order] = place
    return result


@final
@dataclass(frozen=True, slots=True)
class ArrayTieGroupRanks:
    """The ranks of all units under the three schemes of Tang et al. 2017, section II.A; all from 1."""

    best: Integers
    worst: Integers

    @property
    def average(self) -> Doubles:
        """The fractional ranks 1-2.5-2.5-4."""
        return (self.best + self.worst) / 2


def array_tie_group_ranks(tie_groups: Integers) -> ArrayTieGroupRanks:
    """Best ranks 1-2-2-4 and worst ranks 1-3-3-4 of units in these tie groups."""
    sizes = numpy.bincount(tie_groups) if len(tie_groups) else numpy.zeros(0, dtype=numpy.intp)
    ends = numpy.cumsum(sizes)
    return ArrayTieGroupRanks(best=(ends - sizes + 1)[tie_groups], worst=ends[tie_groups])
