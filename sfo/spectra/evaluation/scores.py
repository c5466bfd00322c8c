"""Techniques scored on versions with known faults: the effort to the first fault, and aggregates over all versions.

wasted effort   non-faulty units inspected before the first faulty one, ties in the order of the program
n-score         share of versions whose fault is found within n non-faulty units (Landsberg and Barr 2018)
top k           share of versions with a faulty unit among the first k
accuracy, EXAM  smallest rank of a faulty unit (worst, best, average; EXAM: worst) over the number of units
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from sfo.spectra.evaluation.corpus import CorpusVersion
from sfo.spectra.evaluation.ranking import Way, rank_version_in_evaluation
from sfo.spectra.hitting_time.scores import (
    lil_hitting_score,
    standard_hitting_scores,
    steimann_hitting_scores,
)
from sfo.spectra.matrix import coverage_matrix_of_suspects
from sfo.spectra.techniques import TechniqueScores

N_SCORES: Final = tuple(range(11))
"""Cut-offs 0 to 10."""

TOP: Final = (1, 3, 5, 10)
"""Cut-offs of top k."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationScore:
    """One technique on one version, for the faulty unit that it ranks best."""

    subject: str
    version: str
    technique: str
    units: int
    wasted: int
    worst: int
    best: int
    average: float
    standard: float
    steimann: float
    exam: float
    expense: float
    lil: float


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationScoreSummary:
    """One technique on all versions: means, and shares of versions; ``average`` is of ranks in the middle of a tie."""

    technique: str
    versions: int
    wasted: float
    median_wasted: float
    average: float
    exam: float
    accuracy_best: float
    accuracy_average: float
    top: tuple[float, ...]
    n_scores: tuple[float, ...]


def evaluation_score_of_version(version: CorpusVersion, way: Way) -> EvaluationScore | None:
    """The scores of a technique on a version; None where the version lacks the edge profile that it needs."""
    scored = rank_version_in_evaluation(version, way)
    return None if scored is None else _score_ranking(version, way.name, scored)


def _score_ranking(version: CorpusVersion, name: str, scored: TechniqueScores) -> EvaluationScore:
    """The scores of a ranking of the version's units."""
    faulty = set(version.faulty)
    order = scored.order().tolist()
    first = next(place for place, unit in enumerate(order) if unit in faulty)
    fault = order[first]
    places, units = scored.places, len(order)
    worst = int(places.worst[fault])
    return EvaluationScore(
        subject=version.subject,
        version=version.name,
        technique=name,
        units=units,
        wasted=first,
        worst=worst,
        best=int(places.best[fault]),
        average=float(places.average[fault]),
        standard=float(standard_hitting_scores(scored.groups)[fault]),
        steimann=float(steimann_hitting_scores(scored.groups, faulty)[fault]),
        exam=worst / units,
        expense=(units - worst) / units,
        lil=lil_hitting_score(scored.values, version.faulty),
    )


def common_evaluation_scores(scores: Sequence[Sequence[EvaluationScore]]) -> list[list[EvaluationScore]]:
    """The scores of several techniques on the versions that all of them have; nothing where there are none."""
    common = set.intersection(*({(s.subject, s.version) for s in part} for part in scores))
    return [[s for s in part if (s.subject, s.version) in common] for part in scores] if common else []


def summarise_evaluation_scores(scores: Sequence[EvaluationScore]) -> EvaluationScoreSummary:
    """The summary of one technique's scores, at least one."""
    wasted = np.array([score.wasted for score in scores])
    return EvaluationScoreSummary(
        technique=scores[0].technique,
        versions=len(scores),
        wasted=float(wasted.mean()),
        median_wasted=float(np.median(wasted)),
        average=float(np.mean([score.average for score in scores])),
        exam=float(np.mean([score.exam for score in scores])),
        accuracy_best=float(np.mean([score.best / score.units for score in scores])),
        accuracy_average=float(np.mean([score.average / score.units for score in scores])),
        top=tuple(float((wasted < k).mean()) for k in TOP),
        n_scores=tuple(float((wasted <= n).mean()) for n in N_SCORES),
    )


def cut_version_for_evaluation_scores(version: CorpusVersion) -> CorpusVersion | None:
    """The version without units that no failing execution covers (Landsberg and Barr 2018, section 4.1).

    None where no faulty unit is left.
    """
    kept = np.flatnonzero(version.matrix.ef)
    place = {int(column): new for new, column in enumerate(kept)}
    faulty = tuple(place[column] for column in version.faulty if column in place)
    if not faulty:
        return None
    matrix = coverage_matrix_of_suspects(version.matrix)
    return replace(version, matrix=matrix, faulty=faulty, behaviours=None, neighbours=())
