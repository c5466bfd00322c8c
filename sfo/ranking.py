"""The units of a dataset in order of falling suspiciousness; ties go to the earlier unit.

    rank(dataset of the paper's Example 6, find("naish-i"))  ->  units 4, 1, 3, 5, 2

Scores are compared as exact numbers, so that two units tie when they should.
"""

from __future__ import annotations

from sfo.data import Dataset, RankedUnit
from sfo.measures import Measure


def rank(dataset: Dataset, measure: Measure) -> tuple[RankedUnit, ...]:
    """Every unit once, ranked (Landsberg et al. 2018, section 2.3); scores are compared exactly."""
    spectra = {unit.id: dataset.spectrum(unit.id) for unit in dataset.units}
    scores = {unit: measure.score(spectrum) for unit, spectrum in spectra.items()}
    order = sorted(scores, key=lambda unit: (-scores[unit], unit))
    return tuple(
        RankedUnit(rank=place, unit=unit, score=measure.value(scores[unit]), spectrum=spectra[unit])
        for place, unit in enumerate(order, start=1)
    )
