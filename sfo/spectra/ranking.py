"""Ranking of units by falling suspiciousness; ties go to the unit nearer to the failure, then to the earlier one.

    rank(dataset of the paper's Example 6, find("naish-i"))  ->  units 4, 1, 3, 5, 2

Scores are compared as exact numbers, so that two units tie when they should.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal, final

from cfrontend.record import dataclass
from cfrontend.units import UnitId
from sfo.core.dataset import Dataset, DatasetSpectrum, RankedDatasetUnit
from sfo.core.executions import covered_by_any_execution
from sfo.core.repairs import (
    KeptPart,
    Repair,
    RepairOfSeveralUnits,
    Repairs,
    part_kept_by_repair,
    place_of_unchanged_part,
)
from sfo.core.savings import AngelicSavings
from sfo.spectra.measures import Measure, Score

SURE: Final = 5
"""Units that the keys alone put in front, at least: most faults that they show are among them."""


_LIKELY: Final[Mapping[tuple[Literal["small", "large"], KeptPart | None], float]] = {
    ("small", "nearly all"): 1.0,
    ("large", "nearly all"): 0.75,
    ("small", None): 0.7,
    ("small", "many"): 0.6,
    ("large", None): 0.6,
    ("small", "few"): 0.5,
    ("large", "many"): 0.3,
    ("large", "few"): 0.25,
}
"""How likely a verified repair is what was meant.

By its size, and by the part of the passing executions that it keeps on their way, of those that the one keeps which
keeps most; None where none could be compared.
"""

_LESS: Final = 0.1
"""Less where no passing execution could be compared, and failing ones no longer evaluate all units that they did."""

_UNPROVED: Final = 0.75
"""Factor of that likelihood for a plausible patch, whose proof was not decided."""


FULL_RANKING_KEYS: Final = (
    "likelihood of the likeliest repair",
    "evaluated by a failing execution, not in a test driver, nor only stating what is right",
    "verified repair",
    "final values that passing executions keep",
    "the best edit of all",
    "failing executions saved by values",
    "not by other inputs or fewer assertions",
    "failing executions saved by other places",
    "evaluated by all failing executions",
    "evaluated by no passing execution",
    "more than a value handed on",
)
"""Names of the keys of ``full_ranking_keys``, in their order, where the exact angelic question is not asked."""


def rank_units(
    dataset: Dataset,
    measure: Measure,
    keys: Mapping[UnitId, tuple[float, ...]] | None = None,
    last: Collection[UnitId] = (),
    near: Collection[UnitId] = (),
    undecided: Collection[UnitId] = (),
) -> tuple[RankedDatasetUnit, ...]:
    """Every unit once, ranked (Landsberg et al. 2018, section 2.3); scores are compared exactly.

    ``keys``, larger ones first, come before the score; a unit without an entry has only zeros. Behind the first
    ``SURE`` every other place is for the unit with the best score that has none yet. The keys can be wrong about a
    unit, as beside a statement that is missing, and then it should not stand behind all others. So it is before
    the first one that is ``undecided``, whose keys only say that nothing is known of it.

    Ties go to the unit with the more suspicious of the finer units of the dataset, as a condition is as suspicious as
    what it decides; then to the one nearer to the failure, as less happens between them; then to the earlier one in
    the text. Of units with equal keys those that only state what is right stand behind the others. Units of ``last``
    are no suspects: they stand behind all others. Units of ``near``, where a known failure is, stand before all
    others with their keys.
    """
    scored = {unit.id: _scored(dataset, measure, unit.id) for unit in dataset.units}
    scores = {unit: one.score for unit, one in scored.items()}
    given = keys or {}
    length = max(map(len, given.values()), default=0)
    before = {unit: given.get(unit, (0.0,) * length) for unit in scores}
    when, stating = dataset.nearness, dataset.stating
    order = sorted(
        scores,
        key=lambda unit: (
            unit not in near,
            unit in stating,
            -scores[unit],
            -scored[unit].finer,
            -when.get(unit, 0.0),
            unit,
        ),
    )
    by_score = [unit for unit in order if unit not in last]
    if length:
        by_keys = sorted(by_score, key=lambda unit: [-key for key in before[unit]])
        suspects = _in_turns(by_keys, by_score, _sure(by_keys, undecided))
        order = [*suspects, *(unit for unit in order if unit in last)]
    elif last:
        order = [*by_score, *(unit for unit in order if unit in last)]
    return tuple(
        RankedDatasetUnit(
            rank=place,
            unit=unit,
            score=measure.value(scores[unit]),
            spectrum=scored[unit].spectrum,
            rank_keys=before[unit],
            side=scored[unit].side,
        )
        for place, unit in enumerate(order, start=1)
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Scored:
    """Score of a unit, with the counts that it is from, and the best score of its ``finer`` units."""

    score: Score
    spectrum: DatasetSpectrum
    finer: Score
    side: str = ""


def _scored(dataset: Dataset, measure: Measure, unit: UnitId) -> _Scored:
    """The scores of a unit; those of its finer units are its own where it has none."""
    spectrum = dataset.spectrum(unit)
    score = measure.score(spectrum)
    finer = [(measure.score(one), one) for one in dataset.finer_spectra(unit)]
    if not finer:
        return _Scored(score=score, spectrum=spectrum, finer=score)
    best = max(one for one, _ in finer)
    most = [number for number, (one, _) in enumerate(finer) if one == best]
    side = dataset.sides.get(dataset.finer[unit][most[0]], "") if len(most) < len(finer) else ""
    if not dataset.is_of_finer:
        return _Scored(score=score, spectrum=spectrum, finer=best, side=side)
    return _Scored(score=best, spectrum=finer[most[0]][1], finer=score, side=side)


def _sure(by_keys: Sequence[UnitId], undecided: Collection[UnitId]) -> int:
    """Number of units that the keys alone put in front: ``SURE``, or those before the first ``undecided`` one."""
    return next((place for place, unit in enumerate(by_keys[:SURE]) if unit in undecided), SURE)


def _in_turns(by_keys: Sequence[UnitId], by_score: Sequence[UnitId], sure: int) -> Iterator[UnitId]:
    """The ``sure`` first of ``by_keys``, then the next of the other and the next of this in turns, each unit once."""
    left = dict.fromkeys(by_keys)
    orders = (iter(by_keys), iter(by_score))
    for place in range(len(by_keys)):
        order = orders[place >= sure and (place - sure) % 2 == 0]
        unit = next(unit for unit in order if unit in left)
        del left[unit]
        yield unit


def repairs_by_rank(repairs: Repairs | None, ranking: Sequence[RankedDatasetUnit]) -> Repairs | None:
    """``repairs`` in the order of their units in a ``ranking``, those of one unit as they were."""
    if repairs is None:
        return None
    places = {line.unit: line.rank for line in ranking}

    def place(repair: Repair) -> int:
        return places.get(repair.unit, len(places))

    found, undecided = sorted(repairs.found, key=place), sorted(repairs.undecided, key=place)
    return replace(repairs, found=tuple(found), undecided=tuple(undecided))


def full_ranking_keys(
    dataset: Dataset,
    angelic: AngelicSavings,
    repairs: Repairs | None,
    never: Collection[UnitId] = (),
    joint: Iterable[RepairOfSeveralUnits] = (),
    driver: frozenset[UnitId] = frozenset(),
) -> dict[UnitId, tuple[float, ...]]:
    """Lexicographic keys of the full ranking by unit: its likeliest repair, any verified repair, angelic fixability.

    Of units whose likeliest repairs are as good, the one of the edit that stands first comes first. What a repair
    counts: see ``_LIKELY``; a plausible patch, whose proof was not decided, counts ``_UNPROVED`` of that.
    Units that an edit of several units together changes (``joint``) count as repaired, half where that likely overfits.
    Repairs of a test ``driver`` are half as likely, and its units stand behind others that failing executions evaluate
    and whose repairs are as likely.

    Where the exact question was asked, whether it saves every failing input comes before the part of those that are
    known. Units that save only by other inputs or fewer come behind those that save as much; between them stand units
    that print what has to be right. The part that it can save by what it yields comes before the part that it can save
    by where it writes. Then comes whether it is one of those that ``never`` a passing execution covers, and last
    whether it does more than hand on a variable or a constant, or has an edit. An execution that is not
    decided counts half where no execution is lost, so that nothing is put behind units that are known to be no help; so
    does one that is saved by asserting less. A definition, which no value can be yielded for, is there because an edit
    saves all.
    """
    likely, repaired = _worth(repairs, joint, driver)
    first = _unit_of_best_edit(repairs)
    unchanged = _worth_of_unchanged(repairs, joint, likely)
    common, executions = frozenset(dataset.intersection), max(1, len(angelic.runs))
    evaluated = covered_by_any_execution(dataset.failing)
    definitions = set() if repairs is None else {one.unit.id for one in repairs.definitions}

    def saved(unit: UnitId) -> float:
        """Number of failing executions that the unit could save."""
        if unit in definitions:
            return executions
        if unit in angelic.asserting:
            return angelic.saved(unit) / 2
        return angelic.saved(unit) + angelic.may_save_all(unit) * angelic.undecided(unit) / 2

    return {
        unit.id: (
            likely.get(unit.id, 0.0),
            float(unit.id in evaluated - driver - angelic.asserting),
            repaired.get(unit.id, 0.0),
            unchanged.get(unit.id, 0.0),
            float(unit.id == first),
            *(
                ()
                if angelic.exact is None
                else (max(angelic.saves_every_input(unit.id), unit.id in definitions),)
            ),
            saved(unit.id) / executions,
            0.0 if unit.id in angelic.evading else 0.5 if unit.id in angelic.printing else 1.0,
            angelic.saved_elsewhere(unit.id) / executions,
            float(unit.id in common),
            float(unit.id in never),
            float(repairs is None or unit.id not in angelic.plain - likely.keys()),
        )
        for unit in dataset.units
    }


def _unit_of_best_edit(repairs: Repairs | None) -> UnitId | None:
    """The unit of the edit that stands first among those that do not likely overfit."""
    edits = () if repairs is None else (*repairs.found, *repairs.undecided)
    return next((edit.unit for edit in edits if edit.behaviour != "changed"), None)


def units_without_decision(
    angelic: AngelicSavings, repairs: Repairs | None, joint: Iterable[RepairOfSeveralUnits] = ()
) -> frozenset[UnitId]:
    """Units of which the keys of the full ranking only say that nothing was decided: no edit or value is known."""
    edits = () if repairs is None else (*repairs.found, *repairs.undecided)
    edited = {edit.unit for edit in edits} | {unit for pair in joint for unit in pair.units}
    asked = {unit for unit in angelic.savings if angelic.undecided(unit) and not angelic.saved(unit)}
    return frozenset(asked - edited)


def _worth_of_unchanged(
    repairs: Repairs | None, joint: Iterable[RepairOfSeveralUnits], likely: Mapping[UnitId, float]
) -> dict[UnitId, float]:
    """Ranking key by unit, from 0 to 1: in how many passing executions its likeliest repairs keep the final values.

    It is that of the repair which changes least, compared with those of other units; 1 where none can be compared, and
    for edits of several units.
    """
    found = () if repairs is None else (*repairs.found, *repairs.undecided)
    patches = [patch for patch in found if patch.behaviour != "changed" and likely.get(patch.unit)]
    most = max((patch.unchanged or 0 for patch in patches), default=0)
    worth = dict.fromkeys([unit for pair in joint for unit in pair.units], 1.0)
    for patch in patches:
        part = 2 - place_of_unchanged_part(patch.unchanged, most)
        worth[patch.unit] = max(worth.get(patch.unit, 0.0), part / 2)
    return worth


def _worth(
    repairs: Repairs | None, joint: Iterable[RepairOfSeveralUnits], driver: Collection[UnitId]
) -> tuple[dict[UnitId, float], dict[UnitId, float]]:
    """How likely the likeliest repair or plausible patch of a unit is, and 1 where one is verified, by unit.

    One that likely overfits counts for nothing, but half where passing executions only go elsewhere and no other one
    is known.
    """
    found = () if repairs is None else repairs.found
    plausible = () if repairs is None else repairs.undecided
    most = max((patch.kept or 0 for patch in (*found, *plausible) if patch.behaviour == "kept"), default=0)
    uncompared = [patch for patch in (*found, *plausible) if patch.kept is None]
    most_covering = max((patch.unchanged or 0 for patch in uncompared), default=0)
    are_strays = all(repair.behaviour == "changed" for repair in found)

    def likelihood(patch: Repair) -> float:
        if patch.behaviour == "changed":
            return 0.0
        if patch.kept is None:
            place = place_of_unchanged_part(patch.unchanged, most_covering)
            return _LIKELY[patch.size, None] - (_LESS if place else 0.0)
        return _LIKELY[patch.size, part_kept_by_repair(patch.kept, most)]

    likely: dict[UnitId, float] = {}
    for patch in plausible:
        likely[patch.unit] = max(likely.get(patch.unit, 0.0), _UNPROVED * likelihood(patch))
    verified: dict[UnitId, float] = {}
    for repair in found:
        likely[repair.unit] = max(likely.get(repair.unit, 0.0), likelihood(repair))
        counts = (are_strays and not repair.evades) / 2 if repair.behaviour == "changed" else 1.0
        verified[repair.unit] = max(verified.get(repair.unit, 0.0), counts)
    for pair in joint:
        if pair.strays:
            verified.update({unit: max(verified.get(unit, 0.0), 0.5) for unit in pair.units})
            continue
        verified.update(dict.fromkeys(pair.units, 1.0))
        likely.update(dict.fromkeys(pair.units, _LIKELY[pair.size, "nearly all"]))
    return {unit: own / (2 if unit in driver else 1) for unit, own in likely.items()}, verified
