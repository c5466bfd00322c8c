"""Multiple comparison of groups of numbers: Kruskal-Wallis test, comparison of mean ranks in pairs, letter display.

    labels([[1, 2, 3], [1, 2, 4], [9, 9, 8]])    ->  A A B with enough numbers

Mean ranks are compared as MATLAB's ``multcompare`` does after ``kruskalwallis`` with Bonferroni's correction (Dunn
1964, with the correction for ties): two groups differ when their mean ranks are further apart than

    z * sqrt(s^2 (1/n_i + 1/n_j)),      s^2 = (N (N + 1) - T / (N - 1)) / 12,      T = sum of t^3 - t over ties

with z the normal quantile for ALPHA / (2 * number of pairs). Groups of equal size that differ from exactly the same
ones get one label, and a letter is a maximal run of groups, in order of mean rank, that do not differ (Piepho 2004):
``A`` has the smallest numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kruskal, norm, rankdata, wilcoxon

ALPHA: Final = 0.05
"""Significance level (Tang et al. 2017, section III.E)."""

Label: TypeAlias = tuple[int, int]
"""First and last letter of a label, from 0; the letters between them belong to it."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GroupStatistics:
    """``p`` of the Kruskal-Wallis test with its effect size, mean ranks, which pairs differ, each group's label.

    ``effect`` is epsilon squared, H / (N - 1): the share of the variance of ranks that the groups account for.
    """

    p: float
    effect: float
    mean_ranks: NDArray[np.float64]
    differ: NDArray[np.bool_]
    labels: tuple[Label, ...]


def group_statistics(groups: NDArray[np.float64]) -> GroupStatistics:
    """``groups`` has a row for each group, all of one size.

    Without a difference by Kruskal-Wallis all share a label.
    """
    count, size = groups.shape
    total = groups.size
    ranks = rankdata(groups.ravel()).reshape(groups.shape)
    means = ranks.mean(axis=1)
    differ = np.zeros((count, count), dtype=np.bool_)
    constant = bool((groups == groups.flat[0]).all())
    h, p = (0.0, 1.0) if constant or count < 2 else map(float, kruskal(*groups))
    if p < ALPHA:
        ties = np.unique(ranks, return_counts=True)[1].astype(float)
        variance = (total * (total + 1) - (ties**3 - ties).sum() / (total - 1)) / 12
        pairs = count * (count - 1) / 2
        critical = norm.isf(ALPHA / (2 * pairs)) * np.sqrt(variance * 2 / size)
        differ = np.abs(means[:, None] - means[None, :]) > critical
    return GroupStatistics(
        p=p,
        effect=h / max(1, total - 1),
        mean_ranks=means,
        differ=differ,
        labels=statistics_letter_labels(means, differ),
    )


def paired_difference(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """``p`` of Wilcoxon's signed-rank test of pairs, and the matched-pairs rank-biserial correlation (Kerby 2014).

    The effect is 1 where each of the ``first`` is smaller, -1 where each is larger. Equal pairs count for neither.
    """
    differences = np.subtract(second, first)
    differences = differences[differences != 0]
    if not differences.size:
        return 1.0, 0.0
    ranks = rankdata(np.abs(differences))
    effect = float((ranks * np.sign(differences)).sum() / ranks.sum())
    return float(wilcoxon(differences).pvalue), effect


def statistics_letter_labels(means: NDArray[np.float64], differ: NDArray[np.bool_]) -> tuple[Label, ...]:
    """The letters of each group, where groups differ that are far enough apart in ``means``."""
    order = np.argsort(means, kind="stable")
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    sorted_differ = differ[np.ix_(order, order)]
    reach = [int(np.flatnonzero(~row)[-1]) for row in sorted_differ]  # the last group each one is like
    begins = [k for k in range(len(order)) if k == 0 or reach[k] > reach[k - 1]]
    letters = [(k, reach[k]) for k in begins]
    labels = []
    for group in range(len(order)):
        own = [n for n, (low, high) in enumerate(letters) if low <= place[group] <= high]
        labels.append((own[0], own[-1]))
    return tuple(labels)


def group_statistics_label(label: Label) -> str:
    """``A``, ``BCD``; after Z come AA, AB and so on, in brackets."""
    return "".join(_letter(number) for number in range(label[0], label[1] + 1))


def _letter(number: int) -> str:
    if number < 26:
        return chr(ord("A") + number)
    return f"({_letter(number // 26 - 1)}{_letter(number % 26)})"


def statistics_quantiles(
    values: Sequence[float] | NDArray[np.float64],
) -> tuple[float, float, float, float, float]:
    """Minimum, lower quartile, median, upper quartile and maximum."""
    low, first, middle, third, high = np.quantile(
        np.asarray(values, dtype=float), (0, 0.25, 0.5, 0.75, 1)
    ).tolist()
    return low, first, middle, third, high
