import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfrontend.errors import UsageError
from sfo.core.dataset import DatasetSpectrum
from sfo.spectra.measures import MEASURES, find_measure, measure_to_unit_interval, optimal_measure_from
from tests.sfo.models import PAPER_SPECTRA

COUNT = st.integers(0, 9)
SPECTRA = st.builds(DatasetSpectrum, ef=COUNT, ep=COUNT, nf=COUNT, np=COUNT)


def spectrum(ef: int, ep: int, nf: int, np: int) -> DatasetSpectrum:
    return DatasetSpectrum(ef=ef, ep=ep, nf=nf, np=np)


def value(name: str, counts: DatasetSpectrum) -> float:
    measure = find_measure(name)
    return measure.value(measure.score(counts))


def test_naish_i_of_the_paper() -> None:
    assert [value("naish-i", spectrum(*s)) for s in PAPER_SPECTRA] == [2.125, -0.375, 0.75, 2.875, 0.625]


def test_naish_i_of_the_paper_is_not_naish1() -> None:
    assert find_measure("naish-i").name == "naish2"
    assert find_measure("op2").name == "naish2"
    assert find_measure("op1").name == "naish1"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("naish1", [0, -1, -1, 6, -1]),
        ("ochiai", [3 / math.sqrt(30), 0, 1 / 3, 3 / math.sqrt(12), 1 / math.sqrt(12)]),
        ("tarantula", [1 / 2, 0, 7 / 13, 7 / 8, 7 / 16]),
        ("jaccard", [3 / 10, 0, 1 / 5, 3 / 4, 1 / 6]),
        ("sorensen-dice", [6 / 13, 0, 1 / 3, 6 / 7, 2 / 7]),
        ("sbi", [3 / 10, 0, 1 / 3, 3 / 4, 1 / 4]),
        ("dstar", [9 / 7, 0, 1 / 4, 9, 1 / 5]),
        ("kulczynski2", [13 / 20, 0, 1 / 3, 7 / 8, 7 / 24]),
        ("ample2", [0, -3 / 7, 1 / 21, 6 / 7, -2 / 21]),
        ("wong1", [3, 0, 1, 3, 1]),
        ("wong2", [-4, -3, -1, 2, -2]),
        ("zoltar", [3 / 10, 0, 1 / 40005, 3 / 4, 1 / 60006]),
        ("opt-ochiai", [2, 0, 1 / 3, 8, 1 / math.sqrt(12)]),
    ],
)
def test_values_on_the_paper_spectra(name: str, expected: list[float]) -> None:
    assert [value(name, spectrum(*s)) for s in PAPER_SPECTRA] == pytest.approx(expected)


@pytest.mark.parametrize(
    "name", ["naish2", "jaccard", "tarantula", "ochiai", "sbi", "dstar", "zoltar", "gp13"]
)
def test_a_unit_that_nothing_covers_scores_0(name: str) -> None:
    assert value(name, spectrum(0, 0, 2, 3)) == 0


@pytest.mark.parametrize("measure", MEASURES, ids=lambda m: m.name)
@given(counts=SPECTRA)
def test_every_measure_has_a_value_everywhere(measure: object, counts: DatasetSpectrum) -> None:
    score = measure.score(counts)  # type: ignore[attr-defined]
    assert isinstance(score, Fraction | float)
    assert not math.isnan(measure.value(score))  # type: ignore[attr-defined]


def test_a_perfect_unit_is_infinite_for_dstar() -> None:
    assert value("dstar", spectrum(2, 0, 0, 3)) == math.inf
    assert value("dstar", spectrum(0, 0, 0, 3)) == 0
    assert find_measure("D*").name == "dstar"
    assert find_measure("opt-d*3").name == "opt-dstar3"


def test_tarantula_ties_are_exact() -> None:
    measure = find_measure("tarantula")
    assert len({measure.score(spectrum(n, n, 3 - n, 4 - n)) for n in (1, 2, 3)}) == 1


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


def test_names_are_unique_and_cited() -> None:
    names = [name for m in MEASURES for name in (m.name, *m.aliases)]
    assert len(names) == len(set(names))
    assert all(m.source for m in MEASURES)
