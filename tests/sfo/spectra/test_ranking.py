import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal

import pytest

from cfrontend.terms import Terms
from cfrontend.units import UnitId
from sfo.core.dataset import Dataset, DatasetSpectrum
from sfo.core.repairs import Repair, RepairOfSeveralUnits, RepairOfUnit, Repairs
from sfo.core.savings import AngelicSavings, Saving
from sfo.spectra.measures import find_measure
from sfo.spectra.ranking import (
    SURE,
    full_ranking_keys,
    rank_units,
    repairs_by_rank,
)
from tests.sfo.models import PAPER_SPECTRA, PAPER_VECTORS, execution, minmax, run, unit


def paper() -> Dataset:
    program = minmax(Terms())
    runs = tuple(run(program, vector, number) for number, vector in enumerate(PAPER_VECTORS, start=1))
    return Dataset(units=program.units, executions=runs)


def repair(
    of: int, *, size: Literal["small", "large"] = "small", kept: int | None = 1, evades: bool = False
) -> Repair:
    return Repair(
        unit=of,
        size=size,
        file="a.c",
        line=1,
        column=1,
        before="",
        after="",
        diff="",
        template="another variable",
        kept=kept,
        evades=evades,
    )


def edit_of(unit: int) -> RepairOfUnit:
    return RepairOfUnit(unit=unit, file="a.c", line=unit, column=1, before="", after="")


def test_example_7_of_the_paper() -> None:
    ranking = rank_units(paper(), find_measure("naish-i"))
    assert [line.unit for line in ranking] == [4, 1, 3, 5, 2]
    assert [line.rank for line in ranking] == [1, 2, 3, 4, 5]
    assert [line.score for line in ranking] == [2.875, 2.125, 0.75, 0.625, -0.375]
    counts = {line.unit: line.spectrum for line in ranking}
    assert [counts[u] for u in range(1, 6)] == [
        DatasetSpectrum(ef=a, ep=b, nf=c, np=d) for a, b, c, d in PAPER_SPECTRA
    ]


def test_example_8_ties_go_to_the_earlier_unit() -> None:
    dataset = paper()
    two = Dataset(units=dataset.units, executions=dataset.executions[:2])
    ranking = rank_units(two, find_measure("naish-i"))
    assert [(line.unit, line.score) for line in ranking] == [(1, 2), (4, 2), (3, 1), (5, 1), (2, 0)]


def test_ties_go_to_what_runs_evaluate_later_where_that_is_known() -> None:
    dataset = paper()
    two = Dataset(units=dataset.units, executions=dataset.executions[:2])
    late = {1: 0.0, 2: 0.5, 3: 0.2, 4: 0.3}
    two = replace(two, nearness=late)
    ranking = rank_units(two, find_measure("naish-i"))
    assert [(line.unit, line.score) for line in ranking] == [(4, 2), (1, 2), (3, 1), (5, 1), (2, 0)]
    keyed = rank_units(
        two, find_measure("naish-i"), {unit: (float(unit in (1, 2, 5)),) for unit in range(1, 6)}
    )
    assert [line.unit for line in keyed] == [1, 5, 2, 4, 3]


def test_infinity_comes_first() -> None:
    runs = (execution(1, "fail", [2]), execution(2, "pass", [1]))
    ranking = rank_units(Dataset(units=(unit(1), unit(2)), executions=runs), find_measure("dstar"))
    assert [(line.unit, line.score) for line in ranking] == [(2, math.inf), (1, 0)]


def test_a_condition_is_as_suspicious_as_what_it_decides_and_stands_behind_it() -> None:
    """The true side of condition 1 is the block of statement 2; both are before statement 3, which all cover."""
    units = (replace(unit(1), kind="condition"), unit(2), unit(3))
    runs = tuple(
        replace(execution(number, outcome, covered), observed=frozenset(observed))
        for number, outcome, covered, observed in (
            (1, "fail", [1, 2, 3], [11, 2, 3]),
            (2, "pass", [1, 3], [12, 3]),
            (3, "pass", [1, 3], [12, 3]),
        )
    )
    sides = {11: "when true", 12: "when false"}
    dataset = Dataset(units=units, executions=runs, finer={1: (11, 12)}, sides=sides)
    ranking = rank_units(dataset, find_measure("naish-i"))
    assert [(line.unit, line.spectrum.ep, line.side) for line in ranking] == [
        (2, 0, ""),
        (1, 0, "when true"),
        (3, 2, ""),
    ]
    own = replace(dataset, finer={1: ()})
    assert [line.unit for line in rank_units(own, find_measure("naish-i"))] == [2, 3, 1]


def test_executions_without_an_outcome_count_for_nothing() -> None:
    runs = (execution(1, "fail", [1]), execution(2, None, [1, 2]))
    ranking = rank_units(Dataset(units=(unit(1), unit(2)), executions=runs), find_measure("naish2"))
    assert [line.spectrum.ep for line in ranking] == [0, 0]


def test_no_units_no_ranking() -> None:
    assert rank_units(Dataset(units=(), executions=()), find_measure("naish2")) == ()


def test_keys_come_before_the_score_and_behind_the_first_the_score_has_every_other_place() -> None:
    units = [unit(number) for number in range(1, 13)]
    runs = [execution(1, "fail", range(1, 13))]
    runs += [execution(number, "pass", range(1, number)) for number in range(2, 13)]  # the later, the better
    keys = {item.id: (float(item.id < 9), float(-item.id)) for item in units}  # those without are left out
    ranking = rank_units(Dataset(units=tuple(units), executions=tuple(runs)), find_measure("naish2"), keys)
    order = [line.unit for line in ranking]
    assert order[:SURE] == [1, 2, 3]
    assert order[SURE:] == [12, 4, 11, 5, 10, 6, 9, 7, 8]
    assert [line.rank for line in ranking] == list(range(1, 13))
    assert [line.rank_keys for line in ranking] == [keys[line.unit] for line in ranking]


def test_without_any_edit_the_score_has_every_other_place_from_the_first_on() -> None:
    """Values of the units 1 to 3 save more, and do not outweigh the better score of 4, which saves nothing."""
    runs = (execution(1, "fail", [1, 2, 3, 4]), execution(2, "pass", [1, 2, 3]))
    dataset = Dataset(units=tuple(map(unit, range(1, 5))), executions=runs)
    savings = {1: ("saved",), 2: ("undecided",), 3: ("undecided",), 4: ("lost",)}
    angelic = AngelicSavings(runs=runs[:1], savings=savings, complete=False)
    measure = find_measure("naish-i")
    ranking = rank_units(dataset, measure, full_ranking_keys(dataset, angelic, None))
    assert [line.unit for line in ranking] == [4, 1, 2, 3]
    repairs = Repairs(found=(repair(2),), complete=True, passing=0)
    ranking = rank_units(dataset, measure, full_ranking_keys(dataset, angelic, repairs))
    assert [line.unit for line in ranking] == [2, 1, 3, 4]


def ranked(
    savings: dict[UnitId, tuple[Saving, ...]],
    *,
    found: Sequence[Repair] = (),
    undecided: Sequence[Repair] = (),
    joint: Sequence[RepairOfSeveralUnits] = (),
    driver: Sequence[UnitId] = (),
    **marks: frozenset[UnitId],
) -> dict[UnitId, tuple[float, ...]]:
    """The keys of four units that the only execution covers, in the order of their ranking."""
    runs = (execution(1, "fail", [1, 2, 3, 4]),)
    dataset = Dataset(units=tuple(map(unit, range(1, 5))), executions=runs)
    angelic = AngelicSavings(runs=runs, savings=savings, complete=True, **marks)
    repairs = Repairs(found=tuple(found), undecided=tuple(undecided), complete=True, passing=20)
    keys = full_ranking_keys(dataset, angelic, repairs, joint, frozenset(driver))
    ranking = rank_units(dataset, find_measure("naish-i"), keys)
    return {line.unit: line.rank_keys for line in ranking}


SAVED: Final[tuple[Saving, ...]] = ("saved",)
LOST: Final[tuple[Saving, ...]] = ("lost",)
ALL_SAVE: Final = dict.fromkeys(range(1, 5), SAVED)
PAIR: Final = RepairOfSeveralUnits(edits=tuple(map(edit_of, (4, 2))), diff="", size="small", kept=20)


@pytest.mark.parametrize(
    ("savings", "edits", "order", "first_keys"),
    [
        # A repair with which executions go on says more than one that leads them elsewhere.
        ({1: SAVED, 2: LOST, 3: SAVED}, {"found": (repair(1, size="large", evades=True), repair(2, size="large"))},
         [2, 1, 3, 4], [1, 0, 0, 0]),
        # Units stand in the order of their best edits; proved ones come before plausible ones.
        (ALL_SAVE, {"found": (repair(3), repair(1), repair(3, size="large")), "undecided": (repair(4),)},
         [3, 1, 4, 2], [1, 1 / 2, 1 / 4, 0]),
        ({1: SAVED, 2: LOST, 4: SAVED}, {"found": (repair(3),), "undecided": (repair(2),)}, [3, 2, 1, 4], [1, 1 / 2, 0, 0]),
        ({1: SAVED, 2: LOST, 4: SAVED},
         {"undecided": (repair(1), repair(2, size="large"), repair(4, size="large", kept=0, evades=True))},
         [1, 2, 4, 3], [1, 1 / 2, 0, 0]),
        # Edits of several units together stand before those of one, but for those that stray.
        (ALL_SAVE, {"undecided": (repair(1),), "joint": (replace(PAIR, kept=0), PAIR)}, [2, 4, 1, 3], [1, 1, 1 / 2, 0]),
        # A test driver stands behind what has as likely a repair.
        ({1: SAVED, 2: SAVED, 4: LOST}, {"found": (repair(1), repair(3, size="large")), "driver": (1, 2)},
         [3, 1, 4, 2], [1, 1 / 2, 0, 0]),
        # What prints stands between what saves as much and what evades.
        (ALL_SAVE, {"evading": frozenset({1}), "printing": frozenset({2})}, [3, 4, 2, 1], [0, 0, 0, 0]),
    ],
)  # fmt: skip
def test_keys_of_the_full_ranking(
    savings: dict[UnitId, tuple[Saving, ...]],
    edits: dict[str, Any],
    order: list[UnitId],
    first_keys: list[float],
) -> None:
    keys = ranked(savings, **edits)
    assert list(keys) == order
    assert [key[0] for key in keys.values()] == first_keys


def test_repairs_are_told_in_the_order_of_their_units() -> None:
    runs = (execution(1, "fail", [1, 2, 3]),)
    dataset = Dataset(units=tuple(map(unit, range(1, 4))), executions=runs)
    ranking = rank_units(dataset, find_measure("naish-i"), {3: (1.0,), 2: (0.5,)})
    second = repair(3, size="large")
    repairs = Repairs(found=(repair(1), repair(3), repair(2), second), complete=True, passing=0)
    ordered = repairs_by_rank(repairs, ranking)
    assert ordered is not None
    assert [one.unit for one in ordered.found] == [3, 3, 2, 1]
    assert ordered.found[1] == second
    assert repairs_by_rank(None, ranking) is None


def test_what_is_no_suspect_is_last_whatever_keys_and_scores_say() -> None:
    units = [unit(number) for number in range(1, 10)]
    dataset = Dataset(units=tuple(units), executions=(execution(1, "fail", [1, 2]),))
    keys = {item.id: (float(item.id == 2),) for item in units}
    for given in (keys, None):
        ranking = rank_units(dataset, find_measure("naish2"), given, last=frozenset({2}))
        order = [line.unit for line in ranking]
        assert order[0] == 1
        assert order[-1] == 2
        assert sorted(order) == list(range(1, 10))
