"""Mean ranks against scikit-posthocs, letters against their definition."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kruskal, rankdata

from sfo.spectra.evaluation.statistics import (
    group_statistics,
    group_statistics_label,
    paired_difference,
    statistics_letter_labels,
    statistics_quantiles,
)


@st.composite
def tables(draw: st.DrawFn) -> np.ndarray:
    """Up to 6 groups of one size, with ties, some shifted."""
    random = np.random.default_rng(draw(st.integers(0, 10_000)))
    groups, size = draw(st.integers(2, 6)), draw(st.integers(3, 25))
    shift = random.integers(0, 6, size=(groups, 1))
    return random.integers(0, 8, size=(groups, size)) + shift.astype(float)


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=40)
@given(table=tables())
def test_pairs_differ_as_by_dunns_test(table: np.ndarray) -> None:
    from scikit_posthocs import posthoc_dunn

    found = group_statistics(table)
    if (table == table[0, 0]).all() or kruskal(*table).pvalue >= 0.05:
        assert not found.differ.any()
        return
    p = posthoc_dunn(list(table), p_adjust="bonferroni").to_numpy()
    assert found.differ.tolist() == (p < 0.05).tolist()


@given(table=tables())
def test_the_effect_is_the_share_of_the_variance_of_ranks(table: np.ndarray) -> None:
    ranks = rankdata(table.ravel()).reshape(table.shape)
    between = table.shape[1] * ((ranks.mean(axis=1) - ranks.mean()) ** 2).sum()
    whole = ((ranks - ranks.mean()) ** 2).sum()
    assert group_statistics(table).effect == pytest.approx(between / whole if whole else 0.0)


@given(pairs=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=9))
def test_pairs_differ_as_by_all_ways_to_sign_their_ranks(pairs: list[tuple[int, int]]) -> None:
    p, effect = paired_difference(*zip(*pairs, strict=True))
    unlike = [(a, b) for a, b in pairs if a != b]
    ranks = rankdata([abs(b - a) for a, b in unlike])
    more = sum(rank for rank, (a, b) in zip(ranks, unlike, strict=True) if b > a)
    assert effect == pytest.approx((2 * more - sum(ranks)) / sum(ranks) if unlike else 0.0)
    if len({*ranks}) == len(ranks):  # with ties the test is by the normal distribution
        sums = [float(np.dot(ranks, signs)) for signs in product((0, 1), repeat=len(ranks))]
        extreme = min(sum(s <= more for s in sums), sum(s >= more for s in sums))
        assert p == pytest.approx(min(1.0, 2 * extreme / len(sums)))


@given(data=st.data())
def test_letters_are_the_maximal_groups_without_a_difference(data: st.DataObject) -> None:
    means = np.array(data.draw(st.lists(st.integers(0, 20), min_size=1, max_size=8)), dtype=float)
    critical = data.draw(st.integers(0, 12))
    differ = np.abs(means[:, None] - means[None, :]) > critical
    labels = statistics_letter_labels(means, differ)
    letters = {n for low, high in labels for n in range(low, high + 1)}
    groups = [{i for i, (low, high) in enumerate(labels) if low <= n <= high} for n in sorted(letters)]
    cliques = [
        set(part)
        for size in range(1, len(means) + 1)
        for part in combinations(range(len(means)), size)
        if not differ[np.ix_(part, part)].any()
    ]
    maximal = [c for c in cliques if not any(c < other for other in cliques)]
    assert sorted(map(sorted, groups)) == sorted(map(sorted, maximal))
    assert [min(means[list(g)]) for g in groups] == sorted(min(means[list(g)]) for g in groups)
    for i, j in combinations(range(len(means)), 2):
        shared = labels[i][0] <= labels[j][1] and labels[j][0] <= labels[i][1]
        assert shared == (not differ[i, j])


def test_labels_of_three_groups() -> None:
    table = np.array([np.arange(30), np.arange(30) + 1, np.arange(30) + 100], dtype=float)
    assert [group_statistics_label(label) for label in group_statistics(table).labels] == ["A", "A", "B"]
    assert [group_statistics_label(label) for label in group_statistics(np.ones((3, 5))).labels] == [
        "A",
        "A",
        "A",
    ]
    assert group_statistics_label((25, 27)) == "Z(AA)(AB)"


def test_quantiles() -> None:
    assert statistics_quantiles([0, 1, 2, 3, 4]) == (0, 1, 2, 3, 4)
