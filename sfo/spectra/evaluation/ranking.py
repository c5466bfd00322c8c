"""Rankings of a version by any technique, on its coverage matrix or on its edge profile where it has one.

rank_version(version, ways("blockrank")[0])     the units of the matrix, each with the score of its block
"""

from __future__ import annotations

from typing import Final, TypeAlias, assert_never

from sfo.spectra.blockrank.techniques import PROFILE_TECHNIQUES, ProfileTechnique, blockrank_of_statements
from sfo.spectra.evaluation.corpus import Version
from sfo.spectra.techniques import OTHERS, Scored, Technique, techniques

Way: TypeAlias = Technique | ProfileTechnique
"""A way to rank the units of a version."""

OTHER_WAYS: Final[tuple[Way, ...]] = (*OTHERS, *PROFILE_TECHNIQUES.values())
"""Techniques that are no functions of the four counts of a spectrum."""


def parse_ranking_ways(names: str) -> tuple[Way, ...]:
    """Techniques named in a list separated by commas; ``all`` is every one. Raises UsageError for other names."""
    if names.strip() == "all":
        return (*techniques("all"), *PROFILE_TECHNIQUES.values())
    words = [word.strip() for word in names.split(",") if word.strip()]
    if not words:
        return techniques(names)
    return tuple(PROFILE_TECHNIQUES.get(word.lower()) or techniques(word)[0] for word in words)


def can_rank(version: Version, way: Way) -> bool:
    """True if the version has what the technique needs."""
    return isinstance(way, Technique) or (version.profile is not None and way.applies_to(version.profile))


def rank_version(version: Version, way: Way) -> Scored | None:
    """The ranking of the version's units; None where the version lacks the edge profile that it is made from."""
    match way:
        case Technique():
            return way.rank(version.matrix)
        case ProfileTechnique():
            if version.profile is None or not way.applies_to(version.profile):
                return None
            return blockrank_of_statements(version.profile, way, [unit.name for unit in version.matrix.units])
    assert_never(way)
