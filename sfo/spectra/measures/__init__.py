"""Suspiciousness measures: pure functions of the spectrum of a unit, in a table by name.

    find("naish-i").score(Spectrum(ef=3, ep=1, nf=0, np=6))   ->  Fraction(23, 8)
    find("opt-ochiai").name                                  ->  "opt-ochiai"
    find("dstar5", smoothing=Fraction(1, 2))                 ->  D* with exponent 5 after 1/2 is added to each count

``sfo.spectra.measures.table`` has the formulas. Scores of one unit are exact, so that true ties tie; numpy is not
loaded. ``sfo.spectra.measures.arrays`` computes all units at once in doubles.
"""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import get_close_matches
from typing import Final

from cfrontend.errors import UsageError
from sfo.spectra.measures.counts import MeasureCounts, Number
from sfo.spectra.measures.table import MEASURES, Measure, Score, dstar_measure

__all__ = [
    "MEASURES",
    "Measure",
    "Score",
    "find_measure",
    "measure_to_unit_interval",
    "optimal_measure_from",
    "smoothed",
]

_OPT_PREFIX: Final = "opt-"
_DSTAR: Final = re.compile(r"dstar([1-9][0-9]?)")

_BY_NAME: Final = {name: measure for measure in MEASURES for name in (measure.name, *measure.aliases)}


def find_measure(name: str) -> Measure:
    """The measure of that name or alias; ``opt-X`` is Opt_X, ``dstarK`` or ``D*K`` is D* with exponent K (up to 99).

    Raises UsageError for any other name.
    """
    key = name.lower()
    inner = key.removeprefix(_OPT_PREFIX).replace("d*", "dstar")
    exponent = _DSTAR.fullmatch(inner)
    measure = _BY_NAME.get(inner) or (dstar_measure(int(exponent[1])) if exponent else None)
    if measure is None:
        near = get_close_matches(inner, _BY_NAME)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        raise UsageError(f"unknown measure {name!r}: {hint}'sfo measures' lists them all")
    return optimal_measure_from(measure) if key.startswith(_OPT_PREFIX) else measure


def optimal_measure_from(measure: Measure) -> Measure:
    """Opt_w: np + 2 for a unit that all failing executions cover, else w in [0, 1] (Landsberg et al. 2018, 2.3).

    Measures with other values are first mapped to [0, 1] in an order-preserving way, see ``measure_to_unit_interval``.
    """
    root = measure.root and measure.scaled

    def formula(c: MeasureCounts) -> Number:
        inner = measure.formula(c)
        first = c.np + 2
        return c.choose(
            c.nf == 0, first**2 if root else first, inner if measure.scaled else c.unit_interval(inner)
        )

    return replace(
        measure,
        name=_OPT_PREFIX + measure.name,
        aliases=(),
        equation=f"np + 2 if nf = 0, else {measure.equation} in [0, 1]",
        formula=formula,
        source=f"Landsberg et al. 2018, section 2.3, over {measure.source}",
        root=root,
        scaled=False,
    )


def measure_to_unit_interval(value: Score) -> Score:
    """(1 + x / (1 + abs(x))) / 2: strictly increasing from the rationals into ]0, 1[; infinity goes to 1."""
    result: Score = MeasureCounts(0, 0, 0, 0).unit_interval(value)
    return result
