import json
from dataclasses import replace

import pytest

from benchmarks.run import Row
from benchmarks.scoring import Score, Scores
from benchmarks.table import (
    COLUMNS,
    agrees,
    as_json,
    average,
    markdown_table,
    replay_summary,
    text_table,
    verdict,
)

ROW = Row(
    program="minmax",
    version="fault1",
    lines=16,
    units=11,
    scores=Scores(
        one_failing=Score(units=6, lines=5),
        failing=Score(units=4, lines=3),
        failing_and_passing=Score(units=1, lines=0),
        full=Score(units=0, lines=0),
    ),
    covered_by_all=True,
    optimal=True,
    failing=2,
    passing=7,
    calls=10,
    unwind=1,
    seconds=0.5,
    seconds_one_failing=0.25,
    seconds_full=0.75,
)
WITHOUT_SCORES = Row(program="sort", version="fault2", lines=20, units=5, problem="no failing execution")


def test_rows_and_averages_stand_below_their_titles() -> None:
    title, first, second, averages = text_table([ROW, WITHOUT_SCORES]).splitlines()
    assert title.split("  ")[0] == "program"
    assert " ".join(first.split()) == "minmax fault1 16 11 6 4 1 0 5 3 0 0 2 7 10 1 0.25 0.50 0.75 yes"
    assert " ".join(second.split()) == "sort fault2 20 5 - - - - - - - - 0 0 0 - 0.00 0.00 - no"
    assert " ".join(averages.split()) == (
        "AVG 18.00 8.00 6.00 4.00 1.00 0.00 5.00 3.00 0.00 0.00 1.00 3.50 5.00 1.00 0.12 0.25 0.75 1 of 2, 1 proved"
    )
    assert first.index("16") + len("16") == title.index("lines") + len("lines")


def test_markdown_has_one_cell_for_each_column() -> None:
    title, rule, row, other, averages = markdown_table([ROW, ROW, WITHOUT_SCORES]).splitlines()
    assert rule == "| --- | " + " | ".join(["---:"] * 18) + " | --- |"
    assert r"\|E\|" in title
    for line in (title, row, other, averages):
        assert len(line.replace(r"\|", "").split("|")) == len(COLUMNS) + 2
    assert row.startswith("| minmax | 2 | 16.00 | 11.00 | 6.00 |")
    assert averages.startswith("| all | 3 | ")
    assert averages.endswith("| 2 of 3, 2 proved |")


def test_columns_that_no_row_fills_are_left_out() -> None:
    assert ROW.scores is not None
    title, *_ = text_table([replace(ROW, scores=replace(ROW.scores, full=None))]).splitlines()
    assert "full" not in title
    assert "sfo_p s" in title


@pytest.mark.parametrize(
    ("row", "word", "located"),
    [
        (ROW, "yes", True),
        (replace(ROW, optimal=False), "unproved", False),
        (replace(ROW, covered_by_all=False), "no", False),
    ],
)
def test_only_a_proof_locates_a_fault(row: Row, word: str, located: bool) -> None:
    assert verdict(row) == word
    assert row.located is located


def test_averages_leave_out_what_is_not_there() -> None:
    assert average([1, None, 2.0, "text"]) == pytest.approx(1.5)
    assert average([None]) is None


def test_json_holds_the_rows() -> None:
    first, second = json.loads(json.dumps(as_json([ROW, WITHOUT_SCORES])))
    assert first["scores"]["failing"] == {"units": 4, "lines": 3}
    assert first["located"] is True
    assert second["scores"] is None
    assert second["problem"] == "no failing execution"


def test_what_native_runs_say_is_summed_up() -> None:
    one = replace(ROW, native={"agrees": 7, "unobserved": 2})
    two = replace(ROW, version="fault2", native={"agrees": 3, "disagrees": 1})
    assert [agrees(row) for row in (ROW, one, two)] == [True, True, False]
    assert replay_summary([ROW, one, two]) == (
        "native replay: 10 of 13 executions of 3 versions agree; 1 disagree (minmax/fault2); the violation of 2"
        " cannot be observed natively; 0 could not be replayed; nothing was replayed of minmax/fault1"
    )
