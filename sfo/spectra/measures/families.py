"""Families of measures: the two lists of Tang et al. 2017, the equivalence groups and the theory.

A group of Xie et al. 2013 has measures that give a single fault (a unit with nf = 0) the same place: the same
units before it and the same ones tied with it. ``TOTAL_ORDER`` lists those that order *all* units alike; the groups
ER1 and ER5 do not, which is why table III splits them into a and b.
"""

from __future__ import annotations

from typing import Final

from cfrontend.errors import UsageError
from sfo.spectra.measures import MEASURES, find_measure

FORMULA_IDS: Final = tuple(f"f{number}" for number in range(1, 43))
"""F1 to F42 of table III, all of them aliases of a measure."""

NON_XCKX: Final = tuple(f"f{number}" for number in (23, 28, 29, 30, 32, 35, 36, 37, 39, 40, 41, 42))
"""The 12 formulas that Xie et al. 2013 do not treat."""

XCKX: Final = tuple(name for name in FORMULA_IDS if name not in NON_XCKX)
"""The 30 formulas of Xie et al. 2013."""

EQUIVALENT: Final[dict[str, tuple[str, ...]]] = {
    "ER1": ("f1", "f2"),
    "ER2": ("f3", "f4", "f5", "f6", "f7"),
    "ER3": ("f8", "f9", "f10"),
    "ER4": ("f11", "f12", "f13", "f14", "f15", "f16", "f17"),
    "ER5": ("f18", "f19", "f20"),
    "ER6": ("f21", "f22"),
}
"""The groups of Xie et al. 2013: equal places for a single fault."""

TOTAL_ORDER: Final = (
    *(EQUIVALENT[name] for name in ("ER2", "ER3", "ER4", "ER6")),
    ("f18", "f19"),
    ("f30", "f3"),  # Kulczynski1 = Jaccard / (1 - Jaccard)
    ("f32", "f13"),  # M1 = s / (1 - s), s simple matching
    ("f28", "f40"),  # CBT is the signed square of the geometric mean
)
"""Measures that order every pair of units alike, ties included."""

NEVER_WORSE: Final[dict[str, tuple[str, ...]]] = {
    "ER1": ("f31", "f33", "f34", "f38", "ER2", "ER3", "ER4", "ER6", "f24", "f25", "f26", "f27"),
    "f31": ("f34", "ER2", "ER3", "ER4", "ER6", "f25", "f26"),
    "f33": ("f34", "ER2", "ER3", "ER4", "ER6", "f24", "f26", "f27"),
    "f34": ("ER2", "ER3", "ER4", "ER6", "f26"),
    "ER2": ("ER3", "ER4", "ER6", "f26"),
    "f24": ("ER3",),
    "f25": ("ER3",),
    "f26": ("ER3",),
    "f38": ("ER4",),
}
"""Never worse for a single fault: the key than each value.

Searched with all spectra up to 6 failing and 7 or 14 passing executions and random larger ones: each relation that is
missing was refuted, each that stands was not refuted. They are not proofs; the figure of the proved relations
(figure 2 of Tang et al. 2017, after Xie et al. 2013) is a picture whose text has no edges.
"""


def formulas_of_measure_family(node: str) -> tuple[str, ...]:
    """The formula ids of a group, or the one of a formula."""
    return EQUIVALENT.get(node, (node,))


def measure_family_relations() -> tuple[frozenset[tuple[str, str]], frozenset[frozenset[str]]]:
    """The relations as pairs of measure names: (never worse, than) and the unordered equal ones."""
    never = {
        (find_measure(a).name, find_measure(b).name)
        for better, others in NEVER_WORSE.items()
        for worse in others
        for a in formulas_of_measure_family(better)
        for b in formulas_of_measure_family(worse)
    }
    equal = {
        frozenset((find_measure(a).name, find_measure(b).name))
        for group in EQUIVALENT.values()
        for a in group
        for b in group
        if a != b
    }
    return frozenset(never), frozenset(equal)


_LISTS: Final = {"xckx": XCKX, "all": FORMULA_IDS, "every": (*FORMULA_IDS, *(m.name for m in MEASURES))}


def measures_of_families_named(which: str) -> tuple[str, ...]:
    """Measure names, each once, of names and lists separated by commas: ``xckx``, ``all`` (the 42), ``every``."""
    words = [word.strip() for word in which.split(",") if word.strip()]
    if not words:
        raise UsageError("no measures: name some, or use xckx, all or every")
    return tuple(
        dict.fromkeys(find_measure(name).name for word in words for name in _LISTS.get(word, (word,)))
    )
