"""Weights that are learned from rows of candidates, and where these put the fixes."""

from typing import Any

import pytest

from benchmarks.learn import cross_validated, learned, places_of_fixes

RIGHT, WRONG = "the right rule", "the wrong rule"


def row(name: str, *edits: tuple[str, str, str, int, int]) -> dict[str, Any]:
    """The candidates of one program: rule, distance, signs, how many there are, how many of them are the fix."""
    return {"id": name, "edits": [list(one) for one in edits]}


ROWS = [
    row(
        f"{100 + n}-A-bug-1-2",
        (RIGHT, "distance 0", "< -> <=", 3, 1),
        (RIGHT, "distance 5", "", 3, 0),
        (WRONG, "distance 0", "", 9, 0),
    )
    for n in range(10)
]


def test_the_rule_that_makes_fixes_is_the_likeliest_and_so_is_what_is_near() -> None:
    weights = learned(ROWS)
    assert weights[RIGHT] > 0 > weights[WRONG]
    assert weights["distance 0"] > weights["distance 5"]
    assert weights["< -> <="] > weights[""]
    assert places_of_fixes(ROWS, weights) == [1.0] * len(ROWS), "behind half of the two that are as likely"
    assert places_of_fixes(ROWS, {}) == [7.0] * len(ROWS)


def test_programs_without_a_fix_teach_nothing() -> None:
    without = [
        {"id": "1-A-bug-1-2", "refused": "no program"},
        row("2-A-bug-1-2", (WRONG, "distance 0", "", 5, 0)),
    ]
    assert learned([*ROWS, *without]) == learned(ROWS)
    assert places_of_fixes(without, learned(ROWS)) == []


@pytest.mark.parametrize("is_one_problem", [True, False])
def test_what_is_learned_from_a_problem_does_not_order_its_own_candidates(is_one_problem: bool) -> None:
    """Where all programs are of one problem, each fix stands where it does without weights."""
    rows = [{**one, "id": f"7-A-bug-{n}-1"} for n, one in enumerate(ROWS)] if is_one_problem else ROWS
    assert cross_validated(rows) == [7.0 if is_one_problem else 1.0] * len(ROWS)
