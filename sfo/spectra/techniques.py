"""Techniques to rank the units of a coverage matrix, by name: the measures, and what needs more than a spectrum.

technique("ochiai").rank(matrix)     scores and tie groups of all units
technique("cl-u").rank(matrix)       causal likelihood, computed again after each inspection; cl-u50: after each of 50
technique("flitsr-jaccard").rank(matrix)    FLITSR on a measure
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from cfrontend.errors import UsageError
from sfo.spectra.doric.likelihood import (
    UPDATE_BOUND,
    causal_likelihood,
    cause_likelihood_of_units,
    fault_likelihood,
    updated_likelihood_order,
)
from sfo.spectra.flitsr import flitsr_groups
from sfo.spectra.matrix import CoverageMatrix
from sfo.spectra.measures import MEASURES, Measure, find_measure
from sfo.spectra.measures.arrays import (
    ArrayTieGroupRanks,
    array_tie_group_ranks,
    array_tie_groups,
    measure_array_scores,
)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TechniqueScores:
    """One number for each unit, and the place of its tie group, from 0, most suspicious first."""

    values: NDArray[np.float64]
    groups: NDArray[np.intp]

    @property
    def places(self) -> ArrayTieGroupRanks:
        """The ranks of all units under the three schemes."""
        return array_tie_group_ranks(self.groups)

    def order(self) -> NDArray[np.intp]:
        """Units in the order of inspection; ties go to the earlier unit."""
        return np.argsort(self.groups, kind="stable")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Technique:
    """One way to rank, with the source it is from."""

    name: str
    source: str
    rank: Callable[[CoverageMatrix], TechniqueScores]


def listed_techniques(names: str) -> list[str]:
    """The names in a list separated by commas. Raises UsageError where there are none."""
    found = [name.strip() for name in names.split(",") if name.strip()]
    if not found:
        raise UsageError("no measure: name one, several separated by commas, or all")
    return found


def technique_names_as_asked(names: str, found: Sequence[str]) -> tuple[str, ...]:
    """The techniques ``found`` for a list of names, each as it was asked for: ``barinel (sbi)``."""
    asked = listed_techniques(names)
    if len(asked) != len(found):  # all
        return tuple(found)
    return tuple(
        name if name.lower() == technique.lower() else f"{name} ({technique})"
        for name, technique in zip(asked, found, strict=True)
    )


def technique_named(name: str) -> Technique:
    """The technique or measure of that name. Raises UsageError for other names."""
    other = TECHNIQUE_ALIASES.get(name.lower(), name.lower())
    if other in _OTHERS:
        return _OTHERS[other]
    if odds := _WEIGHTED.fullmatch(other):
        source = f"{_DORIC}, equation 7 with a weight function: odds {odds[1]} of each cause, so that few are likelier"
        return Technique(name=other, source=source, rank=partial(_causal, float(odds[1])))
    if bound := _UPDATED.fullmatch(other):
        source = f"{_DORIC}, section 3.6: cl, computed again after each of {bound[1]} inspections"
        return Technique(name=other, source=source, rank=partial(_causal_updated, int(bound[1])))
    if other.startswith(_FLITSR):
        multi = other.startswith(f"{_FLITSR}multi-")
        base = find_measure(other.removeprefix(_FLITSR).removeprefix("multi-"))
        return Technique(
            name=f"{_FLITSR}{'multi-' if multi else ''}{base.name}",
            source=f"{_FLITSR_SOURCE}, on {base.name}",
            rank=partial(_flitsr, base, multi=multi),
        )
    measure = find_measure(name)
    return Technique(name=measure.name, source=measure.source, rank=partial(_by_measure, measure))


def techniques_named(names: str) -> tuple[Technique, ...]:
    """Techniques named in a list separated by commas.

    ``all`` is every measure and technique. Raises UsageError for other names.
    """
    if names.strip() == "all":
        return (*(technique_named(measure.name) for measure in MEASURES), *_OTHERS.values())
    return tuple(technique_named(name) for name in listed_techniques(names))


def _by_measure(measure: Measure, matrix: CoverageMatrix) -> TechniqueScores:
    return technique_order_by_value(
        measure_array_scores(measure, matrix.ef, matrix.ep, matrix.failing, matrix.passing)
    )


def technique_order_by_value(values: NDArray[np.float64]) -> TechniqueScores:
    """Units by falling value; values that differ by rounding only tie."""
    return TechniqueScores(values=values, groups=array_tie_groups(values))


def _causal(odds: float, matrix: CoverageMatrix) -> TechniqueScores:
    likelihood = causal_likelihood(matrix, odds=odds)
    return TechniqueScores(values=likelihood.values, groups=likelihood.groups())


def _causal_updated(bound: int, matrix: CoverageMatrix) -> TechniqueScores:
    order, likelihood = updated_likelihood_order(matrix, bound)
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    return TechniqueScores(values=likelihood.values, groups=rank)


def _flitsr(base: Measure, matrix: CoverageMatrix, *, multi: bool) -> TechniqueScores:
    """FLITSR; the values are those of the measure, which order units only behind the bases."""

    def rank(ef: NDArray[np.int64], ep: NDArray[np.int64], failing: int, passing: int) -> NDArray[np.intp]:
        return array_tie_groups(measure_array_scores(base, ef, ep, failing, passing))

    values = measure_array_scores(base, matrix.ef, matrix.ep, matrix.failing, matrix.passing)
    return TechniqueScores(values=values, groups=flitsr_groups(matrix, rank, multi=multi))


_WEIGHTED: Final = re.compile(r"cl-w(0\.[0-9]{0,6}[1-9])")
_UPDATED: Final = re.compile(r"cl-u([0-9]{1,6})")
_FLITSR: Final = "flitsr-"
_FLITSR_SOURCE: Final = "Callaghan and Fischer 2023"
_DORIC: Final = "Landsberg and Barr 2018"
_OTHERS: Final = {
    item.name: item
    for item in (
        Technique(name="cl", source=f"{_DORIC}, equation 7: the likelihood that the unit was the cause when it was executed (cl-w0.1: with odds 0.1 of each cause)",
                  rank=partial(_causal, 1.0)),
        Technique(name="cl-u", source=f"{_DORIC}, section 3.6: cl, computed again after each of 20 inspections (cl-uN: of N); a list without ties",
                  rank=partial(_causal_updated, UPDATE_BOUND)),
        Technique(name="fault-likelihood", source=f"{_DORIC}, equation 4", rank=lambda matrix: technique_order_by_value(fault_likelihood(matrix))),
        Technique(name="cause-probability", source=f"{_DORIC}, equation 5", rank=lambda matrix: technique_order_by_value(cause_likelihood_of_units(matrix))),
        Technique(name="flitsr", source=f"{_FLITSR_SOURCE}, on ochiai (flitsr-M: on measure M): suspects that together explain all failing executions come first",
                  rank=partial(_flitsr, find_measure("ochiai"), multi=False)),
        Technique(name="flitsr-multi", source=f"{_FLITSR_SOURCE}, FLITSR*, on ochiai (flitsr-multi-M: on M): the same again without the suspects",
                  rank=partial(_flitsr, find_measure("ochiai"), multi=True)),
        Technique(name="constant", source=f"{_DORIC}, section 4.1: every unit alike, the baseline",
                  rank=lambda matrix: technique_order_by_value(np.zeros(len(matrix.units)))),
    )
}  # fmt: skip
"""Techniques that are no functions of the spectrum."""

UNTIED: Final = re.compile(r"cl-u\d*")
"""Names of techniques whose ranking is a list: units that are alike stand in the order of the matrix."""

TECHNIQUE_ALIASES: Final = {"doric": "cl"}
"""Names under which others look for techniques."""

OTHERS: Final = tuple(_OTHERS.values())
