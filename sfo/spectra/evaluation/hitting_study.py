"""The research questions of Henderson et al. 2019 on a corpus.

1. How accurate is HT_Rank when it is estimated by walks?        ``hitting_study_estimation``
2. Does HT_Rank differ from the standard rank score?             ``rank_difference``
3. Are suspicious behaviours better than ranked lists of units?   the same, with the versions' behaviours
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, final

import numpy as np
from scipy.stats import ttest_ind

from cfrontend.errors import ResourceError, UsageError
from sfo.spectra.evaluation.corpus import CorpusBehaviours, CorpusVersion
from sfo.spectra.evaluation.ranking import Way, rank_version_in_evaluation
from sfo.spectra.hitting_time.chain import (
    P_JUMP,
    HittingTimeChain,
    Indices,
    hitting_chain_of_list,
    hitting_chain_with_behaviours,
    hitting_chain_with_jumps,
)
from sfo.spectra.hitting_time.ranked_list import ranked_list_times_log
from sfo.spectra.hitting_time.scores import (
    ht_rank_margin,
    ht_rank_scores,
    standard_hitting_scores,
    steimann_hitting_scores,
)
from sfo.spectra.hitting_time.times import HittingTimes, hitting_times
from sfo.spectra.hitting_time.walks import CAP, WALKS, sample_hitting_walks
from sfo.spectra.matrix import MatrixUnit, make_coverage_matrix
from sfo.spectra.techniques import Technique

Model: TypeAlias = Literal["list", "jumps", "behaviours", "edges"]

MODELS: Final[tuple[Model, ...]] = ("list", "jumps", "behaviours", "edges")
"""Debugging models; ``edges``: the edges of the flow graph as suspicious behaviours, ranked by the technique."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class HittingStudyRanks:
    """The ranks of a version's first fault by one technique in one model; infinite where the model lacks the fault.

    ``standard`` is that of the report: of the ranked list, or of the first behaviour with a faulty unit. With several
    faulty units both are based on Steimann's score, as the paper recommends. The chain may be too large for exact
    times: ``margin`` is by how many ranks iterated ones may be wrong, ``sampled`` ones are means of random walks.
    """

    subject: str
    version: str
    technique: str
    model: Model
    standard: float
    hitting: float
    sampled: bool = False
    margin: int = 0


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class HittingStudyEstimation:
    """HT_Rank of walks against exact (or iterated) HT_Rank of the units that no walk missed: errors in per cent, and p.

    ``left_out`` units were missed by some walk; with fewer than two units left the numbers are None, and so are those
    that need exact or iterated times where the chain is too large for them. ``p`` is that of a t test, ``error`` the
    mean standard error in per cent.
    """

    units: int
    left_out: int
    error: float | None = None
    mean: float | None = None
    median: float | None = None
    deviation: float | None = None
    largest: float | None = None
    p: float | None = None
    within: float | None = None
    """Share of units whose exact time is within two standard errors of the estimate."""


def hitting_study_chain(
    version: CorpusVersion, technique: Way, model: Model, p_jump: float = P_JUMP
) -> HittingTimeChain:
    """The debugging model of a version. Raises UsageError for behaviours or edges that the version does not have.

    Spatial jumps come from the units' functions, behavioural ones from the version's neighbours.
    """
    matrix = version.matrix
    if model in {"behaviours", "edges"}:
        behaviours = _behaviours(version, technique, model)
        ranks = np.unique(-np.array(behaviours.scores), return_inverse=True)[1].tolist()
        return hitting_chain_with_behaviours(ranks, behaviours.units, len(matrix.units))
    groups = _groups(version, technique)
    if model == "list":
        return hitting_chain_of_list(groups)
    return hitting_chain_with_jumps(
        groups, [unit.function for unit in matrix.units], version.neighbours, p_jump
    )


def hitting_study_ranks(
    version: CorpusVersion, technique: Way, model: Model, p_jump: float = P_JUMP, *, seed: int = 0
) -> HittingStudyRanks:
    """Standard rank score and HT_Rank of the faulty unit that is best by each.

    Where the chain is too large for exact times, they are iterated; where that does not end either, random walks
    estimate them, as the paper does for its largest program.
    """
    faulty = list(version.faulty)
    several, sampled, errors = len(faulty) > 1, False, None
    if model == "list":
        groups = _groups(version, technique)
        logs = ranked_list_times_log(np.bincount(groups).tolist())[groups]
    else:
        chain = hitting_study_chain(version, technique, model, p_jump)
        found = _times(chain)
        sampled = found is None
        logs = np.log(sample_hitting_walks(chain, seed=seed).means) if found is None else found.logs
        errors = None if found is None else found.errors
    if model in {"behaviours", "edges"}:
        standard = _behaviour_rank(version, _behaviours(version, technique, model))
    else:
        groups = _groups(version, technique)
        ranks = steimann_hitting_scores(groups, faulty) if several else standard_hitting_scores(groups)
        standard = float(ranks[faulty].min())
    scores = ht_rank_scores(logs, faulty if several else None)
    best = min(faulty, key=lambda unit: (scores[unit], unit))
    return HittingStudyRanks(
        subject=version.subject,
        version=version.name,
        technique="behaviours" if model == "behaviours" else technique.name,
        model=model,
        standard=standard,
        hitting=float(scores[best]),
        sampled=sampled,
        margin=0 if errors is None else ht_rank_margin(logs, errors, best),
    )


def _times(chain: HittingTimeChain) -> HittingTimes | None:
    """Exact or iterated hitting times; None where the chain is too large for both."""
    try:
        return hitting_times(chain)
    except ResourceError:
        return None


def _groups(version: CorpusVersion, technique: Way) -> Indices:
    scored = rank_version_in_evaluation(version, technique)
    if scored is None:
        raise UsageError(
            f"version {version.name} of {version.subject} has no edge profile (with predicates), which {technique.name} needs"
        )
    return scored.groups


def _behaviours(version: CorpusVersion, technique: Way, model: Model) -> CorpusBehaviours:
    """The behaviours of a version, or its edges: the smallest subgraphs of dynamic control flow, scored by a measure.

    An edge has the units at its ends, and is covered by the executions that take it.
    """
    if model == "behaviours":
        if version.behaviours is None:
            raise UsageError(f"version {version.name} of {version.subject} has no behaviours")
        return version.behaviours
    profile = version.profile
    if profile is None or not isinstance(technique, Technique):
        raise UsageError(
            f"{technique.name} cannot rank the edges of version {version.name} of {version.subject}"
        )
    columns = {unit.name: column for column, unit in enumerate(version.matrix.units)}
    ends = [[columns[name] for name in block.members if name in columns] for block in profile.blocks]
    units = [tuple({*ends[a], *ends[b]}) for a, b in profile.edges]
    edges = make_coverage_matrix(
        [MatrixUnit(name=str(edge)) for edge in profile.edges],
        [np.flatnonzero(row).tolist() for row in profile.counts > 0],
        profile.failed.tolist(),
    )
    groups = technique.rank(edges).groups.tolist()
    kept = [edge for edge, of in enumerate(units) if of]
    return CorpusBehaviours(
        scores=tuple(-float(groups[edge]) for edge in kept), units=tuple(units[edge] for edge in kept)
    )


def _behaviour_rank(version: CorpusVersion, behaviours: CorpusBehaviours) -> float:
    """The standard rank score of the best behaviour with a faulty unit, in the list of behaviours."""
    groups = np.unique(-np.array(behaviours.scores), return_inverse=True)[1]
    ranks = standard_hitting_scores(groups)
    faulty = set(version.faulty)
    found = [rank for rank, units in zip(ranks, behaviours.units, strict=True) if faulty & set(units)]
    return float(min(found, default=np.inf))


def hitting_study_estimation(
    chain: HittingTimeChain, *, walks: int = WALKS, cap: int = CAP, seed: int = 0
) -> HittingStudyEstimation:
    """Error of HT_Rank estimated by random walks against exact HT_Rank.

    Units that a walk missed are left out of both.
    """
    exact = _times(chain)
    sample = sample_hitting_walks(chain, walks=walks, cap=cap, seed=seed)
    inside = chain.units >= 0
    kept = inside & (sample.capped == 0)
    counted = HittingStudyEstimation(units=int(kept.sum()), left_out=int(np.count_nonzero(inside & ~kept)))
    if counted.units < 2:
        return counted
    means, spread = sample.means[kept], sample.errors[kept]
    counted = replace(counted, error=float(np.mean(spread / means) * 100))
    if exact is None:
        return counted
    right, estimated = ht_rank_scores(exact.logs[kept]), ht_rank_scores(np.log(means))
    errors = np.abs(estimated - right) / right * 100
    same = bool((estimated == right).all())
    return replace(
        counted,
        mean=float(errors.mean()),
        median=float(np.median(errors)),
        deviation=float(errors.std(ddof=1)),
        largest=float(errors.max()),
        p=1.0 if same else float(ttest_ind(estimated, right).pvalue),
        within=float(np.mean(np.abs(means - np.exp(exact.logs[kept])) <= 2 * spread)),
    )


def hitting_study_mean_ranks(ranks: Sequence[HittingStudyRanks]) -> tuple[float, float]:
    """Means of the standard rank scores and of HT_Rank."""
    return float(np.mean([r.standard for r in ranks])), float(np.mean([r.hitting for r in ranks]))


def hitting_study_percent_change(before: float, after: float) -> float | None:
    """The change in per cent, negative where less is inspected; None where a model lacks some fault."""
    return (after - before) / before * 100 if np.isfinite(before) and np.isfinite(after) else None
