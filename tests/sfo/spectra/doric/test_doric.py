"""The worked values of Landsberg and Barr 2018, and the closed forms against all causal models."""

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfrontend.errors import UsageError
from sfo.spectra.doric.hypotheses import count_doric_models, doric_model_probability
from sfo.spectra.doric.likelihood import (
    causal_likelihood,
    cause_likelihood_of_units,
    fault_likelihood,
    updated_likelihood_order,
)
from sfo.spectra.matrix import CoverageMatrix, coverage_matrix_from_dense
from sfo.spectra.techniques import technique_named

MINMAX = coverage_matrix_from_dense(
    [[0, 1, 1, 0], [0, 0, 1, 1], [0, 0, 1, 0], [1, 0, 0, 1], [1, 1, 0, 0]],
    [True, True, True, False, False],
    ["u1", "u2", "u3", "u4"],
)
"""Figure 2 of the paper."""


def p(text: str, given_: str | None = None, matrix: CoverageMatrix = MINMAX) -> Fraction:
    return doric_model_probability(matrix, text, given_)


@st.composite
def matrices(draw: st.DrawFn) -> CoverageMatrix:
    """Up to 4 units and 4 runs; every failing execution covers something."""
    units = draw(st.integers(1, 4))
    rows = draw(st.lists(st.lists(st.integers(0, 1), min_size=units, max_size=units), min_size=1, max_size=4))
    failed = draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    return coverage_matrix_from_dense(rows, [f and any(row) for f, row in zip(failed, rows, strict=True)])


# -- the paper ---------------------------------------------------------------------------------------------------


def test_there_are_nine_models() -> None:
    assert count_doric_models(MINMAX) == 9


def test_causal_and_fault_likelihoods_of_the_running_example() -> None:
    assert causal_likelihood(MINMAX).values.tolist() == pytest.approx([0, 1 / 6, 5 / 9, 1 / 6])
    assert fault_likelihood(MINMAX).tolist() == pytest.approx([0, 2 / 3, 1, 2 / 3])
    assert not np.signbit(fault_likelihood(MINMAX)).any()
    assert [p(f"H{i}", f"u{i}") for i in (1, 2, 3, 4)] == [0, Fraction(1, 6), Fraction(5, 9), Fraction(1, 6)]
    assert [p(f"f{i}") for i in (1, 2, 3, 4)] == [0, Fraction(2, 3), 1, Fraction(2, 3)]


def test_hypotheses_of_example_3_5() -> None:
    assert p("[1]h2") == Fraction(6, 9)
    assert p("[1]H2") == p("[1](h2 & !h1 & !h3 & !h4)") == Fraction(3, 9)
    assert p("[3]h3") == 1
    assert p("[1]u1") == 0
    assert p("[1]u2") == 1


def test_the_first_fundamental_scenario() -> None:
    """u3 is certain to be a fault, u1 and u2 are not; all three have one spectrum."""
    matrix = coverage_matrix_from_dense([[1, 1, 0], [0, 0, 1]], [True, True])
    assert causal_likelihood(matrix).values.tolist() == pytest.approx([1 / 3, 1 / 3, 1])
    assert matrix.ef.tolist() == [1, 1, 1]


def test_the_second_fundamental_scenario() -> None:
    """Once u1 is known to be right, u2 is certain to be a fault."""
    matrix = coverage_matrix_from_dense([[0, 0, 1, 1], [1, 1, 0, 0]], [True, True])
    assert causal_likelihood(matrix).values.tolist() == pytest.approx([1 / 3] * 4)
    updated = causal_likelihood(matrix, np.array([0]))
    assert updated.values.tolist() == pytest.approx([0, 1, 1 / 3, 1 / 3])
    assert updated_likelihood_order(matrix)[0].tolist() == [0, 1, 2, 3]
    assert p("H2", "u2 & !f1", matrix) == 1


# -- closed forms ------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(matrix=matrices())
def test_closed_forms_agree_with_all_models(matrix: CoverageMatrix) -> None:
    likelihood = causal_likelihood(matrix).values
    for unit in range(len(matrix.units)):
        assert fault_likelihood(matrix)[unit] == pytest.approx(float(p(f"f{unit + 1}", None, matrix)))
        assert cause_likelihood_of_units(matrix)[unit] == pytest.approx(
            float(p(f"h{unit + 1}", None, matrix))
        )
        covered = p(f"u{unit + 1}", None, matrix)
        expected = p(f"H{unit + 1}", f"u{unit + 1}", matrix) if covered else 0
        assert likelihood[unit] == pytest.approx(float(expected))


@settings(max_examples=40)
@given(matrix=matrices(), data=st.data())
def test_knowing_a_unit_right_is_conditioning(matrix: CoverageMatrix, data: st.DataObject) -> None:
    known = data.draw(st.integers(1, len(matrix.units)))
    if not p(f"!f{known}", None, matrix):
        return  # the unit is certain to be a fault
    updated = causal_likelihood(matrix, np.array([known - 1])).values
    for unit in range(1, len(matrix.units) + 1):
        covered = p(f"u{unit}", None, matrix)
        expected = p(f"H{unit}", f"u{unit} & !f{known}", matrix) if covered else 0
        assert updated[unit - 1] == pytest.approx(float(expected))


@settings(max_examples=40)
@given(matrix=matrices(), data=st.data())
def test_learning_that_a_unit_is_right_makes_no_other_less_likely(
    matrix: CoverageMatrix, data: st.DataObject
) -> None:
    known = data.draw(st.integers(0, len(matrix.units) - 1))
    before, after = causal_likelihood(matrix).values, causal_likelihood(matrix, np.array([known])).values
    certain = any(row.sum() == 1 and row[known] for row in matrix.covered.toarray()[matrix.failed])
    if not certain:
        others = np.arange(len(matrix.units)) != known
        assert (after[others] >= before[others] - 1e-12).all()


def test_runs_that_cover_thousands_of_units_keep_their_order() -> None:
    """2^-3000 is no double, but the unit that only the longer run covers is still the less likely one."""
    table = np.ones((2, 3001), dtype=int)
    table[1, 3000] = 0
    likelihood = causal_likelihood(coverage_matrix_from_dense(table.tolist(), [True, True]))
    assert likelihood.groups().tolist() == [0] * 3000 + [1]
    assert likelihood.values.tolist() == [0.0] * 3001


def test_updates_end_at_the_bound() -> None:
    matrix = coverage_matrix_from_dense([[1, 1, 1, 1]], [True])
    order, likelihood = updated_likelihood_order(matrix, bound=2)
    assert order.tolist() == [0, 1, 2, 3]
    assert likelihood.values.tolist() == pytest.approx([1 / 15, 1 / 7, 1 / 3, 1 / 3])


# -- the language ------------------------------------------------------------------------------------------------


def test_formulas() -> None:
    strongest_first = p("(h3 & (!h2)) | ([1]H3)")
    assert p("h3 & !h2 | [1]H3") == p("[1]H3 | h3&!h2") == strongest_first
    assert p("h3 & (!h2 | [1]H3)") != strongest_first != p("h3 & !(h2 | [1]H3)")
    assert p("[3]h3 & h2") == p("h2") != p("[3](h3 & h2)") == 0
    assert p(" ( f2 ) ") == p("f2")
    assert p("e") == Fraction(3, 5)
    assert p("h2 | h3 | h4", "e") == 1


@pytest.mark.parametrize("text", ["", "h", "h0", "h1 &", "(h1", "h1 h2", "[0]h1", "x1"])
def test_malformed_formulas(text: str) -> None:
    with pytest.raises(UsageError, match="formula"):
        p(text)


@pytest.mark.parametrize(
    ("text", "given_", "message"),
    [
        ("h5", None, "no unit 5"),
        ("[6]h1", None, "no execution 6"),
        ("h1", "h1", "probability 0"),
    ],
)
def test_impossible_questions(text: str, given_: str | None, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        p(text, given_)


def test_too_many_models() -> None:
    with pytest.raises(UsageError, match="too many to list"):
        p("h1", None, coverage_matrix_from_dense([[1] * 25], [True]))
    with pytest.raises(UsageError, match="covers no unit"):
        p("h1", None, coverage_matrix_from_dense([[0, 0]], [True]))


def weighed(table: list[list[int]], failed: list[bool], unit: int, odds: Fraction) -> Fraction:
    """P(H | u) by listing: a model gives each failing execution some of its units as causes and weighs odds^causes."""
    sets = [
        [c for c in product((0, 1), repeat=len(row)) if any(c) and all(x <= y for x, y in zip(c, row, strict=True))]
        for row, fails in zip(table, failed, strict=True)
        if fails
    ]  # fmt: skip
    covering = sum(row[unit] for row in table)
    total = right = 0
    for model in product(*sets):
        causes = sum(map(sum, model))
        weight = odds.numerator**causes * odds.denominator ** (20 - causes)
        total += weight * covering
        right += weight * sum(chosen[unit] == sum(chosen) == 1 for chosen in model)
    return Fraction(right, total) if total else Fraction(0)


@pytest.mark.parametrize(
    ("name", "odds"), [("cl", Fraction(1)), ("cl-w0.1", Fraction(1, 10)), ("cl-w0.75", Fraction(3, 4))]
)
def test_weights_agree_with_all_models_of_500_random_matrices(name: str, odds: Fraction) -> None:
    random = Random(odds.denominator)
    for _ in range(500):
        table = [[random.randint(0, 1) for _ in range(3)] for _ in range(random.randint(1, 5))]
        failed = [any(row) and random.random() < 0.6 for row in table]
        found = technique_named(name).rank(coverage_matrix_from_dense(table, failed)).values
        wanted = [float(weighed(table, failed, unit, odds)) for unit in range(3)]
        assert found.tolist() == pytest.approx(wanted, rel=1e-12)


def test_few_causes_are_likelier_with_small_odds() -> None:
    """Almost surely a single cause: each of rho units with 1/rho."""
    assert technique_named("cl-w0.000001").rank(MINMAX).values.tolist() == pytest.approx(
        [0, 1 / 4, (1 / 2 + 1 / 2 + 1) / 3, 1 / 4], rel=1e-5
    )
    many = coverage_matrix_from_dense([[1] * 5000 + [0], [1] * 4999 + [0, 0]], [True, True])
    assert technique_named("cl-w0.5").rank(many).groups[[0, 4999, 5000]].tolist() == [0, 1, 2]
    with pytest.raises(UsageError, match="unknown measure"):
        technique_named("cl-w0")


def test_the_bound_is_part_of_the_name() -> None:
    matrix = coverage_matrix_from_dense([[0, 0, 1, 1], [1, 1, 0, 0]], [True, True])
    for name, bound in (("cl-u", 20), ("cl-u0", 0), ("cl-u1", 1)):
        assert (
            technique_named(name).rank(matrix).order().tolist()
            == updated_likelihood_order(matrix, bound)[0].tolist()
        )
    assert technique_named("cl-u0").rank(matrix).order().tolist() == [0, 1, 2, 3]
    assert technique_named("cl-u0").rank(matrix).values.tolist() == pytest.approx([1 / 3] * 4)
    assert technique_named("cl-u1").rank(matrix).values.tolist() == pytest.approx([1 / 3, 1, 1 / 3, 1 / 3])


# -- printed statements that do not hold -----------------------------------------------------------------------------


def test_equation_13_is_not_its_recipe() -> None:
    matrix = coverage_matrix_from_dense([[1, 1, 0], [0, 1, 1]], [True, True])
    assert doric_model_probability(matrix, "H2", "u2 & !h1") == Fraction(1, 2)
    recipe = causal_likelihood(matrix, np.array([0])).values
    assert recipe.tolist() == pytest.approx([0, 2 / 3, 1 / 3])


@pytest.mark.parametrize(("shared_fails", "strict"), [(True, True), (False, False)])
def test_proposition_3_12_is_strict_only_where_the_shared_execution_fails(
    shared_fails: bool, strict: bool
) -> None:
    matrix = coverage_matrix_from_dense([[1, 1, 0], [1, 0, 1]], [shared_fails, True])
    before = doric_model_probability(matrix, "H1", "u1")
    after = doric_model_probability(matrix, "H1", "u1 & !h2")
    assert (before < after) if strict else (before == after > 0)
