"""Which repairs may be all that is wrong with a program: by how many passing executions they leave on their way."""

import pytest

from cfrontend.units import UnitId
from sfo.core.repairs import Repair, Repairs, is_enough_kept_by_repair


def patch(kept: int | None) -> Repair:
    return Repair(
        unit=UnitId(1),
        size="small",
        file="p.c",
        line=1,
        column=1,
        before="a",
        after="b",
        diff="",
        kept=kept,
        template="t",
    )


@pytest.mark.parametrize(
    ("kept", "passing", "is_enough"), [(None, 9, True), (0, 0, True), (1, 3, True), (1, 4, False)]
)
def test_a_third_of_the_passing_executions_is_enough(kept: int | None, passing: int, is_enough: bool) -> None:
    assert is_enough_kept_by_repair(kept, passing) == is_enough


@pytest.mark.parametrize(
    ("known", "kept", "may"), [(True, 0, True), (False, 2, False), (False, 3, True), (False, 5, True)]
)
def test_plausible_patches_explain_like_repairs(known: bool, kept: int, may: bool) -> None:
    repairs = Repairs(found=(), complete=True, passing=8, keep_known=known, undecided=(patch(kept),))
    assert repairs.may_explain == may


def test_two_edits_may_each_send_two_thirds_another_way() -> None:
    assert is_enough_kept_by_repair(1, 9, edits=2)
    assert not is_enough_kept_by_repair(0, 9, edits=2)
