"""Techniques scored on versions with known faults: the effort to the first fault, and aggregates over all versions.

wasted effort   non-faulty units inspected before the first faulty one, ties in the order of the program
n-score         share of versions whose fault is found within n non-faulty units (Landsberg and Barr 2018)
top k           share of versions with a faulty unit among the first k
accuracy, EXAM  smallest rank of a faulty unit (worst, best, average; EXAM: worst) over the number of units
T-score         share of units within the distance of the fault from the first five units in the program dependence
                graph (Renieres and Reiss 2003; the first five: Liu et al. 2006)
located         share of versions whose fault is within x % of the units (Zhang et al. 2011, table II), by T-score for
                techniques on predicates where the graph is known, else by EXAM
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from sfo.spectra.blockrank.profile import BlockrankProfile
from sfo.spectra.blockrank.techniques import BlockrankTechnique
from sfo.spectra.evaluation.corpus import CorpusVersion
from sfo.spectra.evaluation.ranking import Way, rank_version_in_evaluation
from sfo.spectra.hitting_time.scores import (
    lil_hitting_score,
    standard_hitting_scores,
    steimann_hitting_scores,
)
from sfo.spectra.techniques import TechniqueScores

N_SCORES: Final = tuple(range(11))
"""Cut-offs 0 to 10."""

TOP: Final = (1, 3, 5, 10)
"""Cut-offs of top k."""

LOCATED: Final = (5, 10, 15, 20)
"""Per cent of the units at which it is counted which faults are located."""

_T_SCORE_FROM: Final = 5
"""Units, the first of the ranking, from which T-scores measure distances."""


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
    t_score: float | None = None

    @property
    def effort(self) -> float:
        """The share of units to examine: the T-score where there is one, else EXAM."""
        return self.exam if self.t_score is None else self.t_score


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationScoreSummary:
    """One technique on all versions: means, and shares of versions; ``average`` is of ranks in the middle of a tie.

    ``deviation`` is the standard deviation of the efforts, 0 of a single one.
    """

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
    located: tuple[float, ...]
    effort: float
    deviation: float


def evaluation_score_of_version(version: CorpusVersion, way: Way) -> EvaluationScore | None:
    """The scores of a technique on a version; None where the version lacks the edge profile that it needs."""
    scored = rank_version_in_evaluation(version, way)
    if scored is None:
        return None
    found = _score_ranking(version, way.name, scored)
    if isinstance(way, BlockrankTechnique) and way.needs_predicates and version.profile is not None:
        found = replace(found, t_score=_t_score(version, version.profile, scored))
    return found


def _t_score(version: CorpusVersion, profile: BlockrankProfile, scored: TechniqueScores) -> float | None:
    """The T-score of a ranking; None without a program dependence graph.

    All units of the last distance count as examined, and all units where the graph does not lead to a fault.
    """
    if not profile.dependences:
        return None
    column = {unit.name: place for place, unit in enumerate(version.matrix.units)}
    units = [[column[name] for name in block.members if name in column] for block in profile.blocks]
    beside: list[set[int]] = [set() for _ in column]
    for a, b in profile.dependences:
        for x in units[a]:
            beside[x].update(units[b])
            for y in units[b]:
                beside[y].add(x)
    shell = set(scored.order()[:_T_SCORE_FROM].tolist())
    examined, faulty = set(shell), set(version.faulty)
    while shell and not examined & faulty:
        shell = set().union(*(beside[unit] for unit in shell)) - examined
        examined |= shell
    return len(examined) / len(column) if examined & faulty else 1.0


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
    efforts = np.array([score.effort for score in scores])
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
        located=tuple(float((efforts <= share / 100).mean()) for share in LOCATED),
        effort=float(efforts.mean()),
        deviation=float(efforts.std(ddof=1)) if len(efforts) > 1 else 0.0,
    )
