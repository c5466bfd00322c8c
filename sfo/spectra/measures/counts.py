"""The four counts of a unit, as the formulas see them: one interface over exact numbers and over arrays.

    MeasureCounts(ef=3, ep=1, nf=0, np=6)                  one unit, rational numbers
    sfo.spectra.measures.arrays.MeasureArrayCounts(...)    all units at once, doubles

A formula is written once against ``MeasureCounts`` and works on both. What Python's operators cannot say alike for
numbers and arrays is a method here: the ratio with its zero rule, the root, the choice.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Final, TypeAlias

Number: TypeAlias = Any
"""A rational or a double, or an array of doubles with one entry for each unit."""

SIGNIFICANT: Final = 12
"""Digits to which irrational scores are compared: less than doubles have, so that true ties tie."""


class MeasureCounts:
    """``ef ep`` failing and passing executions that cover the unit, ``nf np`` that do not; all from 0.

    Results are rational, infinite, or doubles where a root or logarithm is not.
    """

    ef: Number
    ep: Number
    nf: Number
    np: Number

    def __init__(self, ef: Number, ep: Number, nf: Number, np: Number) -> None:
        self.ef, self.ep, self.nf, self.np = Fraction(ef), Fraction(ep), Fraction(nf), Fraction(np)

    @property
    def failing(self) -> Number:
        """F = ef + nf, all failing executions."""
        return self.ef + self.nf

    @property
    def passing(self) -> Number:
        """P = ep + np, all passing executions."""
        return self.ep + self.np

    @property
    def covered(self) -> Number:
        """C = ef + ep, the executions that cover the unit."""
        return self.ef + self.ep

    @property
    def uncovered(self) -> Number:
        """U = nf + np, the executions that do not."""
        return self.nf + self.np

    @property
    def total(self) -> Number:
        """N, all executions."""
        return self.ef + self.ep + self.nf + self.np

    @property
    def determinant(self) -> Number:
        """The determinant d = ef np - nf ep of the table of the four counts."""
        return self.ef * self.np - self.nf * self.ep

    @property
    def margins(self) -> Number:
        """The product C U F P of the margins of that table."""
        return self.covered * self.uncovered * self.failing * self.passing

    def ratio(self, numerator: Number, denominator: Number) -> Number:
        """The quotient with the zero rule: 0/0 is 0, any other number over 0 is infinite with its sign."""
        if denominator:
            return numerator / denominator
        return math.copysign(math.inf, numerator) if numerator else Fraction(0)

    def root(self, number: Number) -> Number:
        """The square root of a number from 0; exact where it is rational."""
        if isinstance(number, float):
            return math.sqrt(number)
        above, below = math.isqrt(number.numerator), math.isqrt(number.denominator)
        exact = Fraction(above, below)
        return exact if exact * exact == number else math.sqrt(number)

    def log(self, number: Number) -> Number:
        """The natural logarithm of a number from 0; minus infinity at 0."""
        return math.log(number) if number else -math.inf

    def choose(self, condition: Number, yes: Number, no: Number) -> Number:
        """``yes`` where the condition holds, else ``no``."""
        return yes if condition else no

    def least(self, *numbers: Number) -> Number:
        """The smallest of the numbers, unit by unit."""
        return min(numbers)

    def greatest(self, *numbers: Number) -> Number:
        """The largest of the numbers, unit by unit."""
        return max(numbers)

    def unit_interval(self, number: Number) -> Number:
        """(1 + x / (1 + abs(x))) / 2: strictly increasing into ]0, 1[; the infinities go to 0 and 1."""
        if isinstance(number, float) and math.isinf(number):
            return Fraction(1 if number > 0 else 0)
        return (1 + number / (1 + abs(number))) / 2
