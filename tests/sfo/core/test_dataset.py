"""Datasets: which passing executions stand for all."""

from __future__ import annotations

import pytest

from sfo.core.dataset import Dataset
from tests.sfo.models import execution, unit


@pytest.mark.parametrize(
    ("most", "expected"),
    [(0, []), (1, [3]), (2, [1, 3]), (3, [1, 3, 5]), (4, [1, 2, 3, 5]), (9, [1, 2, 3, 4, 5])],
)
def test_a_few_passing_executions_cover_what_all_do(most: int, expected: list[int]) -> None:
    covered = ([1, 2], [1], [2, 3, 4], [3, 4], [4, 5])
    passing = [execution(number, "pass", units) for number, units in enumerate(covered, start=1)]
    dataset = Dataset(
        units=tuple(map(unit, range(1, 6))), executions=(execution(9, "fail", [1, 2, 3, 4, 5]), *passing)
    )
    assert [one.id for one in dataset.passing_that_cover_most(most)] == expected
