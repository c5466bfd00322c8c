"""Recorded full ranking: all that it was made from, so that it can be made again without an edit template or a key.

    with recording() as made: found = sfo.localize(...)
    reranked(found.result, made[-1], template="negated condition")   ->   Result(ranking=..., repairs=...)

A full ranking is a pure function of the dataset, the angelic savings and the edits. What is made again is what would be
left of the same search: effort that an edit has taken is not given to others.
"""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final
from unittest.mock import patch

from benchmarks.scoring import MEASURE
from cfrontend.units import UnitId
from sfo.core.dataset import Dataset, RankedDatasetUnit
from sfo.core.repairs import RepairOfSeveralUnits, Repairs
from sfo.core.result import Result
from sfo.core.savings import AngelicSavings
from sfo.pipeline import localize_tests, refinement
from sfo.spectra.measures import find_measure
from sfo.spectra.ranking import full_ranking_keys, rank_units, repairs_by_rank


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRanking:
    """Arguments of one full ranking, and the ranking; ``joint`` are edits of several units."""

    dataset: Dataset
    angelic: AngelicSavings
    repairs: Repairs | None
    joint: tuple[RepairOfSeveralUnits, ...]
    driver: frozenset[UnitId]
    last: Collection[UnitId]
    near: Collection[UnitId]
    ranking: tuple[RankedDatasetUnit, ...]


@contextmanager
def recording() -> Iterator[list[RecordedRanking]]:
    """Inside, every full ranking is added to the list."""
    made: list[RecordedRanking] = []
    keyed: list[tuple[Any, ...]] = []

    def keys(
        dataset: Dataset,
        angelic: AngelicSavings,
        repairs: Repairs | None,
        joint: Collection[RepairOfSeveralUnits] = (),
        driver: frozenset[UnitId] = frozenset(),
    ) -> dict[UnitId, tuple[float, ...]]:
        keyed.append((dataset, angelic, repairs, tuple(joint), driver))
        return full_ranking_keys(*keyed[-1])

    def rank(
        dataset: Dataset,
        measure: Any,
        keys: Mapping[UnitId, tuple[float, ...]] | None = None,
        last: Collection[UnitId] = (),
        near: Collection[UnitId] = (),
    ) -> tuple[RankedDatasetUnit, ...]:
        ranking = rank_units(dataset, measure, keys, last, near)
        if keys is not None:
            names = ("dataset", "angelic", "repairs", "joint", "driver")
            given = dict(zip(names, keyed[-1], strict=True))
            made.append(
                RecordedRanking(
                    **given,
                    last=tuple(last),
                    near=tuple(near),
                    ranking=ranking,
                )
            )
        return ranking

    with ExitStack() as patches:
        for module in (localize_tests, refinement):
            patches.enter_context(patch.object(module, "full_ranking_keys", keys))
            patches.enter_context(patch.object(module, "rank_units", rank))
        yield made


def write_recording(made: list[RecordedRanking], result: Result, file: Path) -> None:
    """Keep a result with the full ranking that it shows; nothing where it shows none."""
    shown = next((one for one in reversed(made) if one.ranking == result.ranking), None)
    if shown is not None:
        file.write_bytes(pickle.dumps((result, shown)))


def read_recording(file: Path) -> tuple[Result, RecordedRanking] | None:
    """Recorded result with its full ranking; None where none was kept."""
    return pickle.loads(file.read_bytes()) if file.exists() else None  # noqa: S301 - written by our own process


def reranked(result: Result, made: RecordedRanking, *, template: str = "", key: int | None = None) -> Result:
    """The result as it is without the edits of a ``template``, or without the ranking key at a place."""
    repairs = made.repairs
    joint = made.joint
    if repairs is not None and template:
        found = tuple(one for one in repairs.found if one.template != template)
        undecided = tuple(one for one in repairs.undecided if one.template != template)
        edited = {one.unit for one in (*found, *undecided)}
        definitions = tuple(one for one in repairs.definitions if one.unit.id in edited)
        repairs = replace(repairs, found=found, undecided=undecided, definitions=definitions)
    keys = full_ranking_keys(made.dataset, made.angelic, repairs, joint, made.driver)
    if key is not None:
        keys = {unit: (*values[:key], *values[key + 1 :]) for unit, values in keys.items()}
    measure = find_measure(MEASURE)
    ranking = rank_units(made.dataset, measure, keys, made.last, made.near)
    return replace(result, ranking=ranking, repairs=repairs_by_rank(repairs, ranking))
