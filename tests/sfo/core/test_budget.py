"""Budgets of effort: what a part of the work has in any case, and what a user's factor does to it."""

from __future__ import annotations

import pytest

from cfrontend.effort import SECOND, charge_effort
from sfo.core.budget import BudgetClock


def test_what_a_part_of_the_work_has_in_any_case_is_multiplied_as_all_else_is() -> None:
    clock = BudgetClock(0.0, factor=0.25)
    assert clock()
    clock.extend(2.0)
    assert clock.left == pytest.approx(0.5)
    charge_effort(SECOND // 4)
    assert not clock()
    charge_effort(SECOND // 4)
    assert clock()


def test_work_with_more_effort_left_than_it_has_in_any_case_keeps_that() -> None:
    clock = BudgetClock(3.0, factor=0.25)
    clock.extend(2.0)
    assert clock.left == pytest.approx(3.0)
