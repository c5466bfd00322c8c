from collections import Counter

from click.testing import CliRunner

from benchmarks.cbmc_agreement import BEGIN, END, main, text_table
from benchmarks.publish import RESULTS
from tests.conftest import require_tool
from tests.differential.agreement import Comparison
from tests.differential.feature_programs import load_features


def test_verdicts_are_counted_by_chapter() -> None:
    first, *_, last = load_features()
    table = text_table(
        [
            Comparison(first, 3, Counter({"order": 1}), ()),
            Comparison(first, 2, Counter(), ()),
            Comparison(last, 4, Counter(), ("line 3: bounds: sfo finds 1 violated, 0 expected",)),
        ]
    )
    assert f"| {first.chapter} | 2 | 6 | 5 | 1 | 0 |\n" in table
    assert f"| {last.chapter} | 1 | 5 | 4 | 0 | 1 |\n" in table
    assert "| all | 3 | 11 | 9 | 1 | 1 |\n" in table
    assert table.endswith("Documented differences: order 1.")


def test_the_command_runs_what_is_asked_for() -> None:
    require_tool("cbmc")
    done = CliRunner().invoke(
        main, ["--only", "arrays/index_violated", "--only", "evaluation/first_violation_violated"]
    )
    assert done.exit_code == 0, done.output
    assert "| all | 2 |" in done.output
    assert "first-violation 1" in done.output
    assert CliRunner().invoke(main, ["--only", "nowhere"]).exit_code == 2


def test_the_results_have_a_place_for_the_table() -> None:
    text = RESULTS.read_text(encoding="utf-8")
    assert text.count(BEGIN) == text.count(END) == 1
