"""Rankings of a version by any technique, on its coverage matrix or on its edge profile where it has one.

rank_version(version, ways("blockrank")[0])     the units of the matrix, each with the score of its block
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias, assert_never

from sfo.spectra.blockrank.techniques import (
    PROFILE_TECHNIQUES,
    BlockrankTechnique,
    blockrank_technique_on_statements,
)
from sfo.spectra.evaluation.corpus import CorpusVersion
from sfo.spectra.techniques import (
    OTHERS,
    Technique,
    TechniqueScores,
    listed_techniques,
    technique_named,
    technique_names_as_asked,
    techniques_named,
)

Way: TypeAlias = Technique | BlockrankTechnique
"""A way to rank the units of a version."""

OTHER_WAYS: Final[tuple[Way, ...]] = (*OTHERS, *PROFILE_TECHNIQUES.values())
"""Techniques that are no functions of the four counts of a spectrum."""


def parse_evaluation_rankings(names: str) -> tuple[Way, ...]:
    """Techniques named in a list separated by commas; ``all`` is every one. Raises UsageError for other names."""
    if names.strip() == "all":
        return (*techniques_named("all"), *PROFILE_TECHNIQUES.values())
    return tuple(
        PROFILE_TECHNIQUES.get(name.lower()) or technique_named(name) for name in listed_techniques(names)
    )


def name_evaluation_rankings_as_asked(chosen: Sequence[Way], names: str) -> tuple[Way, ...]:
    """The techniques, each called as the list ``names`` calls it, for tables: ``barinel (sbi)``."""
    titles = technique_names_as_asked(names, [way.name for way in chosen])
    return tuple(replace(way, name=title) for way, title in zip(chosen, titles, strict=True))


def can_rank_in_evaluation(version: CorpusVersion, way: Way) -> bool:
    """True if the version has what the technique needs."""
    return isinstance(way, Technique) or (version.profile is not None and way.applies_to(version.profile))


def rank_version_in_evaluation(version: CorpusVersion, way: Way) -> TechniqueScores | None:
    """The ranking of the version's units; None where the version lacks the edge profile that it is made from."""
    match way:
        case Technique():
            return way.rank(version.matrix)
        case BlockrankTechnique():
            if version.profile is None or not way.applies_to(version.profile):
                return None
            return blockrank_technique_on_statements(
                version.profile, way, [unit.name for unit in version.matrix.units]
            )
    assert_never(way)
