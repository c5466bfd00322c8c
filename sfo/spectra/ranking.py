"""Ranking of units by falling suspiciousness; ties go to the unit nearer to the failure, then to the earlier one.

    rank(dataset of the paper's Example 6, find("naish-i"))  ->  units 4, 1, 3, 5, 2

Scores are compared as exact numbers, so that two units tie when they should.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, final

from cfrontend.record import dataclass
from cfrontend.units import Unit, UnitId
from sfo.core.dataset import Dataset, DatasetSpectrum, RankedDatasetUnit
from sfo.core.executions import covered_by_any_execution
from sfo.core.repairs import Repair, RepairOfSeveralUnits, Repairs
from sfo.core.savings import AngelicSavings
from sfo.spectra.measures import Measure, Score

SURE: Final = 3
"""Units that the keys alone put in front where an edit is known: most faults that edits show are among them."""


FULL_RANKING_KEYS: Final = (
    "place of its best edit",
    "evaluated by a failing execution, not in a test driver, nor only stating what is right",
    "failing executions saved by values",
    "not by other inputs or fewer assertions",
)
"""Names of the keys of ``full_ranking_keys``, in their order."""


def rank_units(
    dataset: Dataset,
    measure: Measure,
    keys: Mapping[UnitId, tuple[float, ...]] | None = None,
    last: Collection[UnitId] = (),
    near: Collection[UnitId] = (),
) -> tuple[RankedDatasetUnit, ...]:
    """Every unit once, ranked (Landsberg et al. 2018, section 2.3); scores are compared exactly.

    ``keys``, larger ones first, come before the score; a unit without an entry has only zeros. Behind the first
    ``SURE`` every other place is for the unit with the best score that has none yet: the keys can be wrong about a
    unit, as beside a statement that is missing, and then it should not stand behind all others. So it is from the
    beginning where the first key is zero for all: no edit is known.

    A condition is as suspicious as the more suspicious of what it decides, and stands behind what is as suspicious, as
    that comes of it. Ties go to the unit with the larger keys; then to the one nearer to the failure, as less happens
    between them; then to the earlier one in the text. Of units with equal keys those that only state what is right
    stand behind the others. Units of ``last`` are no suspects: they stand behind all others. Units of ``near``, where a
    known failure is, stand before all others with their keys.
    """
    scored = {unit.id: _scored(dataset, measure, unit) for unit in dataset.units}
    conditions = {unit.id for unit in dataset.units if unit.kind == "condition"}
    scores = {unit: one.score for unit, one in scored.items()}
    given = keys or {}
    length = max(map(len, given.values()), default=0)
    before = {unit: given.get(unit, (0.0,) * length) for unit in scores}
    larger_first = {unit: [-key for key in values] for unit, values in before.items()}
    when, stating = dataset.nearness, dataset.stating
    order = sorted(
        scores,
        key=lambda unit: (
            unit not in near,
            unit in stating,
            -scores[unit],
            unit in conditions,
            larger_first[unit],
            -when.get(unit, 0.0),
            unit,
        ),
    )
    by_score = [unit for unit in order if unit not in last]
    if length:
        by_keys = sorted(by_score, key=larger_first.__getitem__)
        is_edited = any(before[unit][0] for unit in by_keys)
        suspects = _in_turns(by_keys, by_score, SURE if is_edited else 0)
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
    """Score of a unit with the counts that it is from, and the ``side`` of a condition that has it."""

    score: Score
    spectrum: DatasetSpectrum
    side: str = ""


def _scored(dataset: Dataset, measure: Measure, unit: Unit) -> _Scored:
    """The score of a unit: of a condition, or in a dataset of finer units, the best of its finer units."""
    spectrum = dataset.spectrum(unit.id)
    own = _Scored(score=measure.score(spectrum), spectrum=spectrum)
    finer = [(measure.score(one), one) for one in dataset.finer_spectra(unit.id)]
    best = max((one for one, _ in finer), default=own.score)
    most = [number for number, (one, _) in enumerate(finer) if one == best]
    side = dataset.sides.get(dataset.finer[unit.id][most[0]], "") if 0 < len(most) < len(finer) else ""
    if finer and (dataset.is_of_finer or (unit.kind == "condition" and best > own.score)):
        return _Scored(score=best, spectrum=finer[most[0]][1], side=side)
    return replace(own, side=side)


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
    joint: Iterable[RepairOfSeveralUnits] = (),
    driver: frozenset[UnitId] = frozenset(),
) -> dict[UnitId, tuple[float, ...]]:
    """Lexicographic keys of the full ranking by unit: the place of its best edit, then angelic fixability.

    1 is the best edit of all, 1/2 the next one, 0 that there is none; see ``_places_of_edits``. Units of a test
    ``driver`` stand behind others that failing executions evaluate, and their edits behind all others.

    Units that save only by other inputs or fewer come behind those that save as much; between them stand units
    that print what has to be right. An execution that is not decided counts half where no execution is lost, so that
    nothing is put behind units that are known to be no help; so does one that is saved by asserting less. A definition,
    which no value can be yielded for, is there because an edit saves all.
    """
    places = _places_of_edits(repairs, joint, driver)
    executions = max(1, len(angelic.runs))
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
            1 / places[unit.id] if unit.id in places else 0.0,
            float(unit.id in evaluated - driver - angelic.asserting),
            saved(unit.id) / executions,
            0.0 if unit.id in angelic.evading else 0.5 if unit.id in angelic.printing else 1.0,
        )
        for unit in dataset.units
    }


def _places_of_edits(
    repairs: Repairs | None, joint: Iterable[RepairOfSeveralUnits], driver: frozenset[UnitId]
) -> dict[UnitId, int]:
    """The place of the best edit of each unit, from 1: verified edits and plausible ones, in the order shown.

    Edits of several units together come first: they are there because no edit of one unit explains all. Those that
    likely overfit have no place.
    """
    together = (sorted(pair.units) for pair in joint if not pair.strays)
    edits = () if repairs is None else (*repairs.found, *repairs.undecided)
    alone = ([edit.unit, *edit.further_units] for edit in edits if edit.behaviour != "changed")
    places: dict[UnitId, int] = {}
    for place, units in enumerate(
        sorted([*together, *alone], key=lambda units: not driver.isdisjoint(units)), start=1
    ):
        for unit in units:
            places.setdefault(unit, place)
    return places
