"""Worked values of the papers and of the equations, and what holds of all measures."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfrontend.errors import UsageError
from sfo.core.dataset import DatasetSpectrum
from sfo.spectra.blockrank.techniques import PROFILE_TECHNIQUES
from sfo.spectra.measures import (
    MEASURES,
    Measure,
    find_measure,
    measure_to_unit_interval,
    optimal_measure_from,
)
from sfo.spectra.measures.arrays import array_tie_group_ranks, array_tie_groups, measure_array_scores
from sfo.spectra.measures.families import (
    EQUIVALENT,
    FORMULA_IDS,
    NEVER_WORSE,
    NON_XCKX,
    TOTAL_ORDER,
    XCKX,
    formulas_of_measure_family,
    measure_family_relations,
    measures_of_families_named,
)
from sfo.spectra.techniques import OTHERS
from tests.places import DOCS

FLEX = [(2, 4, 0, 0), (0, 2, 2, 2), (2, 3, 0, 1), (1, 2, 1, 2), (1, 0, 1, 4)]
"""s1, s2 (and s5), s3, s4 and s6 of Tang et al. 2017, table I, as (ef, ep, nf, np)."""

MINMAX = [(3, 7, 0, 0), (0, 3, 3, 4), (1, 2, 2, 5), (3, 1, 0, 6), (1, 3, 2, 4)]
"""C1 to C5 of Landsberg et al. 2018, Examples 4 to 7."""

FOUR_DECIMALS = [
    ("f1", [0.0, -1.0, 1.0, -1.0, -1.0, 0.0, -1.0, -1.0, 6.0, -1.0]),
    ("f2", [1.2, -0.4, 1.4, 0.6, 1.0, 2.125, -0.375, 0.75, 2.875, 0.625]),
    ("f3", [0.3333, 0.0, 0.4, 0.25, 0.5, 0.3, 0.0, 0.2, 0.75, 0.1667]),
    ("f4", [0.2, 0.0, 0.25, 0.1429, 0.3333, 0.1765, 0.0, 0.1111, 0.6, 0.0909]),
    ("f5", [0.5, 0.0, 0.5714, 0.4, 0.6667, 0.4615, 0.0, 0.3333, 0.8571, 0.2857]),
    ("f6", [0.6667, 0.0, 0.8, 0.5, 1.0, 0.6, 0.0, 0.4, 1.5, 0.3333]),
    ("f7", [0.0, -1.0, 0.1429, -0.2, 0.3333, -0.0769, -1.0, -0.3333, 0.7143, -0.4286]),
    ("f8", [0.5, 0.0, 0.5714, 0.5, 1.0, 0.5, 0.0, 0.5385, 0.875, 0.4375]),
    ("f9", [0.3333, 0.0, 0.4, 0.3333, 1.0, 0.3, 0.0, 0.3333, 0.75, 0.25]),
    ("f10", [0.0, -0.3333, 0.0667, 0.0, 0.6667, 0.0, -0.3, 0.0333, 0.45, -0.05]),
    ("f11", [-2.0, -2.0, -1.0, -1.0, 1.0, -4.0, -3.0, -1.0, 2.0, -2.0]),
    ("f12", [-0.3333, -0.3333, 0.0, 0.0, 0.6667, -0.4, -0.2, 0.2, 0.8, 0.0]),
    ("f13", [0.3333, 0.3333, 0.5, 0.5, 0.8333, 0.3, 0.4, 0.6, 0.9, 0.5]),
    ("f14", [0.5, 0.5, 0.6667, 0.6667, 0.9091, 0.4615, 0.5714, 0.75, 0.9474, 0.6667]),
    ("f15", [0.2, 0.2, 0.3333, 0.3333, 0.7143, 0.1765, 0.25, 0.4286, 0.8182, 0.3333]),
    ("f16", [2.0, 2.0, 3.0, 3.0, 5.0, 3.0, 4.0, 6.0, 9.0, 5.0]),
    ("f17", [1.4142, 1.4142, 1.7321, 1.7321, 2.2361, 1.7321, 2.0, 2.4495, 3.0, 2.2361]),
    ("f18", [2.0, 0.0, 2.0, 1.0, 1.0, 3.0, 0.0, 1.0, 3.0, 1.0]),
    ("f19", [0.3333, 0.0, 0.3333, 0.1667, 0.1667, 0.3, 0.0, 0.1, 0.3, 0.1]),
    ("f20", [1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]),
    ("f21", [-0.5, -0.5, -0.0286, -0.0286, 0.5556, -0.5385, -0.4286, 0.0476, 0.7802, -0.0989]),
    ("f22", [0.125, 0.125, 0.2429, 0.2429, 0.3889, 0.1154, 0.1429, 0.2619, 0.4451, 0.2253]),
    ("f23", [0.0, 0.5, 0.25, 0.0, 0.5, 0.0, 0.4286, 0.0476, 0.8571, 0.0952]),
    ("f24", [0.0, -0.5, 0.25, 0.0, 0.5, 0.0, -0.4286, 0.0476, 0.8571, -0.0952]),
    ("f25", [0.0, -0.5, 0.3077, 0.0, 0.6154, 0.0, -0.4286, 0.0476, 0.8, -0.0889]),
    ("f26", [0.0, -0.5, 0.1818, 0.0, 0.5714, 0.0, -0.4286, 0.0476, 0.7826, -0.087]),
    ("f27", [-1.3333, -1.3333, -0.0833, -0.0833, 1.25, -2.45, -1.8, 0.2, 3.55, -0.45]),
    ("f28", [0.0, -0.5, 0.3162, 0.0, 0.6325, 0.0, -0.4286, 0.0476, 0.8018, -0.0891]),
    ("f29", [0.0, -1.0, 0.65, 0.0, 1.3, 0.0, -0.8571, 0.0952, 1.6071, -0.1786]),
    ("f30", [0.5, 0.0, 0.6667, 0.3333, 1.0, 0.4286, 0.0, 0.25, 3.0, 0.2]),
    ("f31", [0.6667, 0.0, 0.7, 0.4167, 0.75, 0.65, 0.0, 0.3333, 0.875, 0.2917]),
    ("f32", [0.5, 0.5, 1.0, 1.0, 5.0, 0.4286, 0.6667, 1.5, 9.0, 1.0]),
    ("f33", [0.2, 0.0, 0.2222, 0.1111, 0.1429, 0.1765, 0.0, 0.0714, 0.2727, 0.0667]),
    ("f34", [0.5774, 0.0, 0.6325, 0.4082, 0.7071, 0.5477, 0.0, 0.3333, 0.866, 0.2887]),
    ("f35", [0.0, 0.0, 0.3162, 0.2357, 0.6325, 0.0, 0.0, 0.2381, 0.8018, 0.1782]),
    ("f36", [math.inf, 0.0, math.inf, 1.0, math.inf, math.inf, 0.0, 1.0, math.inf, 1.0]),
    ("f37", [0.3333, 0.25, 0.6625, 0.5, 0.825, 0.325, 0.2857, 0.5238, 0.9018, 0.4554]),
    ("f38", [-0.2, -2.0, -0.1, -1.0, 1.0, 0.5, -2.1, -1.0, 2.0, -1.1]),
    ("f39", [0.3333, 0.0, 0.4, 0.0, 0.5, 0.3, 0.0, 0.0, 0.75, 0.0]),
    ("f40", [0.0, -0.25, 0.1, 0.0, 0.4, 0.0, -0.1837, 0.0023, 0.6429, -0.0079]),
    ("f41", [1.0, 0.0, 1.3333, 0.3333, 1.0, 1.2857, 0.0, 0.25, 9.0, 0.2]),
    ("f42", [2.0, 0.0, 2.6667, 0.3333, 1.0, 3.8571, 0.0, 0.25, 27.0, 0.2]),
]
"""All 42 formulas on the two examples, worked out by hand from the equations, to four decimals."""


def spectrum(ef: int, ep: int, nf: int, np: int) -> DatasetSpectrum:
    return DatasetSpectrum(ef=ef, ep=ep, nf=nf, np=np)


def value(name: str, counts: tuple[int, int, int, int]) -> float:
    measure = find_measure(name)
    return measure.value(measure.score(spectrum(*counts)))


def by_units(name: str, units: list[tuple[int, int]], failing: int, passing: int) -> list[float]:
    return [value(name, (ef, ep, failing - ef, passing - ep)) for ef, ep in units]


@st.composite
def suites(draw: st.DrawFn, most: int = 40) -> tuple[int, int, list[tuple[int, int]]]:
    """Failing and passing executions in all, and (ef, ep) of some units that something covers."""
    failing, passing = draw(st.integers(1, most)), draw(st.integers(1, most))
    pairs = st.tuples(st.integers(0, failing), st.integers(0, passing))
    units = draw(st.lists(pairs.filter(lambda pair: sum(pair) > 0), min_size=2, max_size=12))
    return failing, passing, units


def exact(name: str, suite: tuple[int, int, list[tuple[int, int]]]) -> list[Fraction | float]:
    failing, passing, units = suite
    score = find_measure(name).score
    return [score(spectrum(ef, ep, failing - ef, passing - ep)) for ef, ep in units]


def order(values: list[Fraction | float]) -> list[int]:
    """How each pair compares."""
    return [(a > b) - (a < b) for a, b in combinations(values, 2)]


# -- printed and worked values -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "expected"), FOUR_DECIMALS, ids=lambda value: str(value)[:4])
def test_all_42_on_two_examples(name: str, expected: list[float]) -> None:
    assert [value(name, counts) for counts in FLEX + MINMAX] == pytest.approx(expected, abs=5.1e-5)


def test_table_1_of_accuracy_graphs() -> None:
    ef, ep = [2, 0, 2, 1, 0, 1], [4, 2, 3, 2, 2, 0]
    found = measure_array_scores(find_measure("naish2"), ef, ep, 2, 4)
    assert found.tolist() == pytest.approx([1.2, -0.4, 1.4, 0.6, -0.4, 1.0])
    ranks = array_tie_group_ranks(array_tie_groups(found))
    assert ranks.worst.tolist() == [2, 6, 1, 4, 6, 3]
    assert ranks.best.tolist() == [2, 5, 1, 4, 5, 3]
    assert ranks.average.tolist() == [2, 5.5, 1, 4, 5.5, 3]


def test_table_1_of_the_dstar_paper() -> None:
    units = [(4, 8), (4, 8), (4, 7), (4, 7), (1, 5), (3, 2), (1, 1), (2, 1), (0, 1)]
    assert [round(v, 2) for v in by_units("d2", units, 4, 8)] == [2, 2, 2.29, 2.29, 0.12, 3, 0.25, 1.33, 0]
    assert [round(v, 2) for v in by_units("d3", units, 4, 8)] == [8, 8, 9.14, 9.14, 0.12, 9, 0.25, 2.67, 0]
    assert find_measure("d2").score(spectrum(1, 5, 3, 3)) == Fraction(1, 8)  # printed 0.13


def test_the_mid_example_of_the_tarantula_paper() -> None:
    units = [(1, 5)] * 3 + [(1, 3), (0, 1), (1, 2), (1, 1), (0, 2), (0, 2), (0, 1), (0, 1), (0, 0), (1, 5)]
    found = np.array(by_units("tarantula", units, 1, 5))
    assert [round(v, 3) for v in found] == [0.5, 0.5, 0.5, 0.625, 0, 0.714, 0.833, 0, 0, 0, 0, 0, 0.5]
    worst = array_tie_group_ranks(array_tie_groups(found)).worst.tolist()
    assert worst == [7, 7, 7, 3, 13, 2, 1, 13, 13, 13, 13, 13, 7]


def test_the_baselines_of_blockrank() -> None:
    names = ("tarantula", "jaccard", "ochiai", "sbi", "cbi")
    assert [round(value(n, (3, 3, 0, 0)), 2) for n in names] == [0.5, 0.5, 0.71, 0.5, 0]


def test_wong2_of_doric() -> None:
    units = [(0, 2), (1, 1), (3, 0), (1, 1)]
    assert by_units("wong2", units, 3, 2) == [-2, 0, 3, 0]  # 2 is printed for the last


@pytest.mark.parametrize(
    ("name", "counts", "expected"),
    [
        ("gp02", (2, 4, 0, 9), 12.0),
        ("gp03", (1, 16, 0, 0), math.sqrt(3)),
        ("gp13", (2, 3, 0, 1), 2.25),
        ("gp19", (2, 3, 4, 1), 4.0),
        ("hyperbolic", (1, 1, 1, 1), 1 / 0.875 + 0.711 / 1.268),
        ("confidence", (2, 3, 1, 4), 2 / 3),
        ("added-value", (2, 3, 1, 4), 2 / 3 - 1 / 2),
        ("klosgen", (2, 3, 1, 4), math.sqrt(0.2) / 6),
        ("braun-banquet", (2, 3, 1, 4), 0.4),
        ("baroni-urbani-buser", (1, 3, 1, 4), 3 / 7),
        ("tarwid", (2, 3, 1, 4), 5 / 35),
        ("dennis", (2, 3, 1, 4), 5 / math.sqrt(150)),
        ("pearson", (2, 3, 1, 4), 10 * 25 / 525),
        ("cbi-sqrt", (2, 3, 1, 4), 2 / (10 + math.sqrt(1.5))),
        ("cbi-log", (2, 3, 1, 4), 2 / (10 + math.log(3) / math.log(2))),
        ("pair-scoring", (2, 3, 1, 4), 22),
        ("ideal", (2, 3, 0, 4), 0.4),
        ("ideal", (2, 3, 1, 4), 0),
        ("suppes", (2, 3, 1, 4), 0.2),
        ("lewis", (2, 3, 1, 4), 2),
        ("good", (2, 3, 1, 4), 4 / 3),
        ("pearl", (2, 3, 1, 4), 0.5),
        ("cheng", (2, 3, 1, 4), 0.25),
        ("recall", (2, 3, 1, 4), 2 / 3),
        ("specificity", (2, 3, 1, 4), 4 / 7),
        ("negative-precision", (2, 3, 1, 4), 0.8),
        ("positive-likelihood", (2, 3, 1, 4), 14 / 9),
        ("odds-ratio", (2, 3, 1, 4), 8 / 3),
        ("yule-q", (2, 3, 1, 4), 5 / 11),
        ("yule-y", (2, 3, 1, 4), (math.sqrt(8) - math.sqrt(3)) / (math.sqrt(8) + math.sqrt(3))),
        ("goodman-kruskal", (2, 3, 1, 4), 0.125),
        ("peirce", (2, 3, 1, 4), 0.25),
        ("earman", (2, 3, 1, 4), 1 / 6),
        ("carnap", (2, 3, 1, 4), 0.05),
        ("crupi", (2, 3, 1, 4), 1 / 3),
        ("rescher", (2, 3, 1, 4), 0.1),
        ("kemeny", (2, 3, 1, 4), 1 / 3),
        ("popper1", (2, 3, 1, 4), 1 / 35),
        ("popper2", (2, 3, 1, 4), 2 / 7),
        ("levi", (2, 3, 1, 4), 1 / 6),
        ("rips", (2, 3, 1, 4), 1 / 3),
        ("faith", (2, 3, 1, 4), 0.4),
        ("forbes1", (2, 3, 1, 4), 4 / 3),
        ("forbes2", (2, 3, 1, 4), 1 / 3),
        ("sorgenfrei", (2, 3, 1, 4), 4 / 15),
        ("mountford", (2, 3, 1, 4), 2 / 7),
        ("mcconnaughey", (2, 3, 1, 4), 1 / 15),
        ("simpson", (2, 3, 1, 4), 2 / 3),
        ("fager-mcgowan", (2, 3, 1, 4), 2 / math.sqrt(15) - 2.5),
        ("gower", (2, 3, 1, 4), 6 / math.sqrt(525)),
        ("cole", (2, 3, 1, 4), 1 / 7),
        ("michael", (2, 3, 1, 4), 5 / 13),
        ("baroni-urbani-buser2", (2, 3, 1, 4), (math.sqrt(8) - 2) / (math.sqrt(8) + 6)),
        ("shape-difference", (2, 3, 1, 4), -0.36),
        ("pattern-difference", (2, 3, 1, 4), -0.12),
        ("certainty", (2, 3, 1, 4), 1 / 3),
        ("laplace", (2, 3, 1, 4), 0.6),
        ("conviction", (2, 3, 1, 4), 1.5),
        ("gp01", (2, 3, 1, 4), 12 + 4 * math.sqrt(2)),
        ("gp04", (2, 3, 1, 4), math.sqrt(6)),
        ("gp06", (2, 3, 1, 4), 8),
        ("gp07", (2, 3, 1, 4), 14.5 + 2 * math.sqrt(2)),
        ("gp08", (2, 3, 1, 4), 88),
        ("gp09", (2, 3, 1, 4), 14.5),
        ("gp10", (2, 3, 1, 4), math.sqrt(1.75)),
        ("gp11", (2, 3, 1, 4), 24),
        ("gp12", (2, 3, 1, 4), math.sqrt(9 - math.sqrt(3))),
        ("gp14", (2, 3, 1, 4), 4),
        ("gp15", (2, 3, 1, 4), 2 + math.sqrt(3)),
        ("gp16", (2, 3, 1, 4), math.sqrt(4 + math.sqrt(8))),
        ("gp17", (2, 3, 1, 4), math.sqrt(8) - 8.5),
        ("gp18", (2, 3, 1, 4), 16),
        ("gp20", (2, 3, 1, 4), 36 / 7),
        ("gp21", (2, 3, 1, 4), math.sqrt(2 + math.sqrt(6))),
        ("gp22", (2, 3, 1, 4), 8),
        ("gp23", (2, 3, 1, 4), 13 * math.sqrt(2)),
        ("gp25", (2, 3, 1, 4), 4 + math.sqrt(2)),
        ("gp26", (2, 3, 1, 4), 10),
        ("gp27", (2, 3, 1, 4), math.sqrt(32) / 6),
        ("gp28", (2, 3, 1, 4), 10),
        ("gp29", (2, 3, 1, 4), 28 + 2 * math.sqrt(8)),
        ("gp30", (2, 3, 1, 4), math.sqrt(3)),
        ("relative-f1", (2, 3, 1, 4), 0.125),
        ("relative-jaccard", (2, 3, 1, 4), 1 / 30),
        ("relative-ochiai", (2, 3, 1, 4), math.sqrt(5 / 3) / 10),
        ("cole", (1, 4, 3, 2), -0.5),
        ("cole", (3, 4, 3, 1), -0.45),
        ("crupi", (1, 4, 3, 2), -0.5),
        ("gp23", (0, 1, 1, 4), 0),
        ("gp10", (2, 3, 1, 0), 1),
        ("dstar5", (2, 3, 1, 4), 8),
        ("opt-ochiai", (3, 7, 0, 0), 2),
        ("opt-ochiai", (1, 2, 2, 5), 1 / 3),
    ],
)
def test_measures_outside_the_42(name: str, counts: tuple[int, int, int, int], expected: float) -> None:
    assert value(name, counts) == pytest.approx(expected)


# -- arrays against exact numbers --------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", [*MEASURES, *map(optimal_measure_from, MEASURES)], ids=lambda m: m.name)
@settings(max_examples=20)
@given(suite=suites())
@pytest.mark.sample(66)
def test_arrays_agree_with_exact_numbers(
    measure: object, suite: tuple[int, int, list[tuple[int, int]]]
) -> None:
    failing, passing, units = suite
    ef, ep = np.array(units).T
    fast = measure_array_scores(measure, ef, ep, failing, passing)  # type: ignore[arg-type]
    slow = [measure.score(spectrum(a, b, failing - a, passing - b)) for a, b in units]  # type: ignore[attr-defined]
    assert fast.tolist() == pytest.approx([measure.value(s) for s in slow], rel=1e-9, abs=1e-7)  # type: ignore[attr-defined]
    places_of = {s: i for i, s in enumerate(sorted(set(slow), reverse=True))}
    assert array_tie_groups(fast).tolist() == [places_of[s] for s in slow]


@pytest.mark.parametrize("measure", MEASURES, ids=lambda m: m.name)
@settings(max_examples=30)
@given(ef=st.integers(0, 5), ep=st.integers(0, 5), nf=st.integers(0, 5), passing=st.integers(0, 5))
def test_no_value_is_undefined(measure: Measure, ef: int, ep: int, nf: int, passing: int) -> None:
    slow = measure.value(measure.score(spectrum(ef, ep, nf, passing)))
    fast = measure_array_scores(measure, [ef], [ep], ef + nf, ep + passing)
    assert fast.tolist() == pytest.approx([slow], rel=1e-9, abs=1e-7)
    assert not math.isnan(slow)


def test_groups_and_places_of_nothing() -> None:
    assert array_tie_groups(np.zeros(0)).tolist() == []
    assert array_tie_group_ranks(array_tie_groups(np.zeros(0))).best.tolist() == []


def test_infinities_tie() -> None:
    assert array_tie_groups(np.array([1.0, np.inf, -np.inf, np.inf, -np.inf])).tolist() == [1, 0, 2, 0, 2]
    assert array_tie_groups(np.array([-np.inf, np.inf, -np.inf])).tolist() == [1, 0, 1]


def test_true_ties_that_doubles_split() -> None:
    measure, counts = find_measure("tarantula"), [1, 2, 3]
    assert array_tie_groups(measure_array_scores(measure, counts, counts, 3, 4)).tolist() == [0, 0, 0]
    assert len({measure.score(spectrum(n, n, 3 - n, 4 - n)) for n in counts}) == 1


# -- what holds of the measures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("group", TOTAL_ORDER, ids="-".join)
@given(suite=suites())
def test_equivalent_formulas_order_all_units_alike(
    group: tuple[str, ...], suite: tuple[int, int, list[tuple[int, int]]]
) -> None:
    orders = [order(exact(name, suite)) for name in group]
    assert all(other == orders[0] for other in orders)


@pytest.mark.parametrize("group", EQUIVALENT.values(), ids=EQUIVALENT)
@given(suite=suites(), data=st.data())
def test_equivalent_formulas_give_a_single_fault_the_same_place(
    group: tuple[str, ...], suite: tuple[int, int, list[tuple[int, int]]], data: st.DataObject
) -> None:
    """The sense in which Xie et al. 2013 prove all six groups: the fault has nf = 0."""
    failing, passing, units = suite
    fault = (failing, data.draw(st.integers(0, passing)))
    positions = [
        [(s > all_[0]) - (s < all_[0]) for s in all_]
        for all_ in (exact(name, (failing, passing, [fault, *units])) for name in group)
    ]
    assert all(position == positions[0] for position in positions)


@pytest.mark.parametrize(
    ("a", "b", "suite"),
    [("f1", "f2", (2, 1, [(1, 1), (1, 0)])), ("f18", "f20", (3, 1, [(2, 0), (1, 0)]))],
)
def test_er1_and_er5_do_not_order_all_units_alike(
    a: str, b: str, suite: tuple[int, int, list[tuple[int, int]]]
) -> None:
    assert order(exact(a, suite)) != order(exact(b, suite))


@pytest.mark.parametrize("better", NEVER_WORSE)
@given(suite=suites(most=60), data=st.data())
def test_never_worse_for_a_single_fault(
    better: str, suite: tuple[int, int, list[tuple[int, int]]], data: st.DataObject
) -> None:
    failing, passing, units = suite
    whole = (failing, passing, [(failing, data.draw(st.integers(0, passing))), *units])
    above = exact(formulas_of_measure_family(better)[0], whole)
    for worse in NEVER_WORSE[better]:
        below = exact(formulas_of_measure_family(worse)[0], whole)
        assert all(s >= below[0] for s, t in zip(below, above, strict=True) if t > above[0])
        assert all(s <= below[0] for s, t in zip(below, above, strict=True) if t < above[0]) or all(
            t < above[0] for s, t in zip(below, above, strict=True) if s < below[0]
        )


def test_a_small_range_can_mislead() -> None:
    """Ochiai is not never worse than the arithmetic mean, but that takes thousands of runs."""
    fault, other = spectrum(5, 2646, 0, 354), spectrum(4, 1669, 1, 1331)
    assert find_measure("ochiai").score(fault) < find_measure("ochiai").score(other)
    assert find_measure("arithmetic-mean").score(fault) > find_measure("arithmetic-mean").score(other)


NOT_SCALED = {"f38"}
"""Wong3 counts the first two and the first ten passing executions apart."""


@pytest.mark.parametrize("name", [name for name in FORMULA_IDS if name not in NOT_SCALED])
@settings(max_examples=30)
@given(suite=suites(most=12), times=st.integers(2, 4))
def test_duplicated_tests_change_no_ranking(
    name: str, suite: tuple[int, int, list[tuple[int, int]]], times: int
) -> None:
    failing, passing, units = suite
    more = (failing * times, passing * times, [(ef * times, ep * times) for ef, ep in units])
    assert order(exact(name, suite)) == order(exact(name, more))


def test_duplicated_tests_change_wong3() -> None:
    assert order(exact("f38", (3, 2, [(1, 0), (3, 2)]))) == [0]
    assert order(exact("f38", (6, 4, [(2, 0), (6, 4)]))) == [-1]


NOT_MONOTONE = {"f23", "f36"}
"""Ample is an absolute value; Overlap's minimum may be ef itself."""


@pytest.mark.parametrize("name", [name for name in FORMULA_IDS if name not in NOT_MONOTONE])
@settings(max_examples=30)
@given(suite=suites(), data=st.data())
def test_more_failing_runs_are_never_less_suspicious(
    name: str, suite: tuple[int, int, list[tuple[int, int]]], data: st.DataObject
) -> None:
    failing, passing, _ = suite
    ef, ep = data.draw(st.integers(0, failing - 1)), data.draw(st.integers(0, passing))
    less, more = exact(name, (failing, passing, [(ef, ep), (ef + 1, ep)]))
    assert less <= more


@given(suite=suites())
def test_identities(suite: tuple[int, int, list[tuple[int, int]]]) -> None:
    failing, passing, units = suite
    for ef, ep in units:
        s = spectrum(ef, ep, failing - ef, passing - ep)
        get = {name: find_measure(name).score(s) for name in FORMULA_IDS}
        assert get["f7"] == 2 * get["f5"] - 1
        assert get["f3"] == get["f5"] / (2 - get["f5"])
        assert get["f6"] == 2 * get["f3"]
        assert get["f10"] == get["f9"] - Fraction(failing, failing + passing)
        assert get["f12"] == 2 * get["f13"] - 1
        assert get["f11"] == get["f16"] - passing
        assert get["f21"] == 4 * get["f22"] - 1
        assert get["f28"] == get["f40"]  # the geometric mean is kept as its signed square
        if s.nf + s.np:
            assert get["f29"] == 4 * get["f37"] - 2


@given(suite=suites(), more=st.integers(1, 2))
def test_er3_holds_for_units_that_nothing_covers(
    suite: tuple[int, int, list[tuple[int, int]]], more: int
) -> None:
    """0/0 is taken fraction by fraction: were all of CBI Inc. 0 there, the group would fall apart."""
    failing, passing, units = suite
    orders = [
        order(exact(name, (failing, passing, [*units, *[(0, 0)] * more]))) for name in EQUIVALENT["ER3"]
    ]
    assert all(other == orders[0] for other in orders)
    assert value("cbi-inc", (0, 0, 3, 1)) == -0.75


def test_without_passing_runs() -> None:
    assert value("tarantula", (1, 0, 4, 0)) == 1
    assert value("ample2", (1, 0, 4, 0)) == value("ample", (1, 0, 4, 0)) == 0.2
    assert (
        value("scott", (5, 0, 0, 0))
        == value("geometric-mean", (2, 0, 3, 0))
        == value("cbt", (2, 0, 3, 0))
        == 0
    )


@pytest.mark.parametrize(
    "name", ["tarantula", "ample", "ample2", "kulczynski2", "ochiai", "ochiai2", "cbt", "harmonic-mean"]
)
def test_without_failing_runs(name: str) -> None:
    assert value(name, (0, 2, 0, 2)) in {0.0, -0.5, 0.5}
    assert value(name, (0, 0, 0, 4)) == 0


def test_example_4_taken_literally() -> None:
    """Its vector for test 5 says C2 where the program covers C3; the examples after it follow the program."""
    assert [value("naish-i", s) for s in ((0, 4, 3, 3), (1, 1, 2, 6))] == [-0.5, 0.875]
    assert [value("naish-i", s) for s in (MINMAX[1], MINMAX[2], (3, 0, 0, 7))] == [-0.375, 0.75, 3.0]


def test_rogot2_and_the_harmonic_mean_part_where_every_run_covers_a_unit() -> None:
    assert (value("f29", FLEX[0]), value("f37", FLEX[0])) == (0, pytest.approx(1 / 3))
    assert (value("f29", FLEX[3]), value("f37", FLEX[3])) == (0, 0.5)


# -- optimality ----------------------------------------------------------------------------------------------------


def test_naish_i_of_the_paper_is_not_naish1() -> None:
    assert find_measure("naish-i").name == "naish2"
    assert find_measure("op2").name == "naish2"
    assert find_measure("op1").name == "naish1"


@pytest.mark.parametrize(
    "name", ["naish2", "jaccard", "tarantula", "ochiai", "sbi", "dstar", "zoltar", "gp13"]
)
def test_a_unit_that_nothing_covers_scores_0(name: str) -> None:
    assert value(name, (0, 0, 2, 3)) == 0


def test_a_perfect_unit_is_infinite_for_dstar() -> None:
    assert value("dstar", (2, 0, 0, 3)) == math.inf
    assert value("dstar", (0, 0, 0, 3)) == 0
    assert find_measure("D*").name == "dstar"
    assert find_measure("opt-d*3").name == "opt-dstar3"


@pytest.mark.parametrize("name", ["naish1", "naish2", *(f"opt-{m.name}" for m in MEASURES)])
@given(failing=st.integers(1, 6), passing=st.integers(0, 6), data=st.data())
@pytest.mark.sample(39)
def test_single_fault_optimal(name: str, failing: int, passing: int, data: st.DataObject) -> None:
    """Definition 6 of Landsberg et al. 2018."""
    score = find_measure(name).score
    ep = data.draw(st.integers(0, passing))
    full = spectrum(failing, ep, 0, passing - ep)
    other = data.draw(st.integers(0, passing))
    partial = data.draw(st.integers(0, failing - 1))
    assert score(full) > score(spectrum(partial, other, failing - partial, passing - other))
    if other < ep:
        assert score(spectrum(failing, other, 0, passing - other)) > score(full)


@given(a=st.fractions(), b=st.fractions())
def test_the_map_to_the_unit_interval_keeps_the_order(a: Fraction, b: Fraction) -> None:
    x, y = measure_to_unit_interval(a), measure_to_unit_interval(b)
    assert 0 < x < 1
    assert (a < b) == (x < y)
    assert x < measure_to_unit_interval(math.inf) == 1
    assert measure_to_unit_interval(-math.inf) == 0 < x


def test_opt_keeps_values_that_are_scaled_already() -> None:
    inner = spectrum(1, 2, 2, 5)
    assert optimal_measure_from(find_measure("jaccard")).score(inner) == find_measure("jaccard").score(inner)
    assert find_measure("opt-dstar").score(inner) == measure_to_unit_interval(
        find_measure("dstar").score(inner)
    )


@pytest.mark.parametrize("name", ["naish3", "opt-", "opt-opt-jaccard", "", "opt"])
def test_unknown_names(name: str) -> None:
    with pytest.raises(UsageError, match="'sfo measures' lists them all"):
        find_measure(name)


def test_as_many_as_landsberg_and_barr_compare() -> None:
    assert len(MEASURES) == 127
    named = (
        "klosgen",
        "certainty",
        "lewis",
        "gower",
        "gp23",
        "dennis",
        "added-value",
        "sokal-sneath4",
        "naish",
        "d3",
    )
    assert all(find_measure(name) for name in named)


def test_names_are_unique_and_cited() -> None:
    names = [name for m in MEASURES for name in (m.name, *m.aliases)]
    assert len(names) == len(set(names))
    assert all(m.equation and m.source for m in MEASURES)


# -- names -------------------------------------------------------------------------------------------------------


def test_the_42_formulas() -> None:
    assert (len(XCKX), len(NON_XCKX)) == (30, 12)
    assert len(measures_of_families_named("all")) == 42
    assert len(measures_of_families_named("xckx")) == 30
    assert measures_of_families_named("f2, ochiai") == ("naish2", "ochiai")
    assert measures_of_families_named("ochiai,xckx,f2")[:3] == ("ochiai", "naish1", "naish2")
    assert set(measures_of_families_named("every")) == {measure.name for measure in MEASURES}
    assert len(measures_of_families_named("every")) == len(MEASURES)


def test_theory_is_about_the_30() -> None:
    never, equal = measure_family_relations()
    names = set(measures_of_families_named("xckx"))
    assert {name for pair in never for name in pair} <= names
    assert {name for pair in equal for name in pair} <= names
    assert ("naish2", "jaccard") in never
    assert frozenset(("jaccard", "goodman")) in equal


def test_the_documentation_has_every_measure() -> None:
    text = (DOCS / "measures.md").read_text(encoding="utf-8")
    for measure in MEASURES:
        assert f"| `{measure.name}` |" in text
        assert f"| {measure.equation} |" in text
    assert all(f"`{name}`" in text for name in (*PROFILE_TECHNIQUES, *(other.name for other in OTHERS)))
