import pytest

from benchmarks.scoring import Score, Scores, faulty_units, lines_of_code, score, scores
from cfrontend.errors import Location
from cfrontend.units import Unit
from sfo.core.dataset import Dataset
from sfo.core.executions import Execution, Outcome
from sfo.spectra.measures import find_measure
from tests.sfo.models import PAPER_VECTORS


def unit(number: int, line: int, end: int | None = None, file: str = "a.c") -> Unit:
    location = Location(file, line, 1, end or line, 9)
    return Unit(id=number, kind="assignment", function="main", location=location, text="x = 1")


def execution(number: int, outcome: Outcome, covered: set[int]) -> Execution:
    return Execution(id=number, outcome=outcome, property=None, inputs=(), covered=frozenset(covered))


FIVE = [unit(number, 10 * number) for number in range(1, 6)]
TWO_ON_A_LINE = [unit(1, 10), unit(2, 10), unit(3, 11), unit(4, 12), unit(5, 12)]


@pytest.mark.parametrize(
    ("lines", "faulty"),
    [([10], {1}), ([20], {2}), ([21], {2}), ([22], {2}), ([23], set()), ([10, 22], {1, 2}), ([9, 11], set())],
)
def test_a_unit_is_faulty_when_it_reaches_over_a_faulty_line(lines: list[int], faulty: set[int]) -> None:
    units = [unit(1, 10), unit(2, 20, 22), unit(3, 10, file="b.c")]
    assert faulty_units(units, "a.c", lines) == faulty


def test_a_unit_without_an_end_has_one_line() -> None:
    bare = Unit(id=1, kind="call", function="f", location=Location("a.c", 7), text="f()")
    assert faulty_units([bare], "a.c", [7]) == {1}


@pytest.mark.parametrize(
    ("units", "faulty", "expected"),
    [
        (FIVE, {1}, Score(units=0, lines=0)),
        (FIVE, {4}, Score(units=3, lines=3)),
        (FIVE, {4, 2}, Score(units=1, lines=1)),
        (TWO_ON_A_LINE, {3}, Score(units=2, lines=1)),
        (TWO_ON_A_LINE, {2}, Score(units=1, lines=0)),
        (TWO_ON_A_LINE, {5}, Score(units=4, lines=2)),
        (FIVE, {6}, None),
        (FIVE, set(), None),
    ],
)
def test_the_score_counts_what_comes_before_the_first_fault(
    units: list[Unit], faulty: set[int], expected: Score | None
) -> None:
    assert score(units, faulty) == expected


def test_scores_of_the_three_strategies() -> None:
    executions = (
        execution(1, "fail", {1, 2, 3, 4}),
        execution(2, "fail", {1, 3, 4, 5}),
        execution(3, "pass", {1, 3}),
    )
    found = scores(Dataset(units=tuple(FIVE), executions=executions), find_measure("naish-i"), {4})
    assert found == Scores(
        one_failing=Score(units=3, lines=3),  # 1 2 3 4
        failing=Score(units=2, lines=2),  # 1 3 4
        failing_and_passing=Score(units=0, lines=0),  # 4
    )


def test_the_order_of_executions_does_not_mix_passing_ones_into_one_failing() -> None:
    executions = (execution(1, "pass", {1}), execution(2, "fail", {1, 2}))
    found = scores(Dataset(units=tuple(FIVE), executions=executions), find_measure("naish-i"), {2})
    assert found is not None
    assert (found.one_failing.units, found.failing.units, found.failing_and_passing.units) == (1, 1, 0)


def test_there_are_no_scores_without_a_failing_execution_or_a_faulty_unit() -> None:
    passing = Dataset(units=tuple(FIVE), executions=(execution(1, "pass", {1}),))
    failing = Dataset(units=tuple(FIVE), executions=(execution(1, "fail", {1}),))
    assert scores(passing, find_measure("naish-i"), {1}) is None
    assert scores(failing, find_measure("naish-i"), {9}) is None


def test_the_running_example_of_the_paper() -> None:
    """Example 7: C4 is inspected first; Example 8: without passing executions C1 comes before it."""
    coverage = ((1, 3, 4), (1, 4, 5), (1, 4), (1, 2), (1, 3), (1, 5), (1, 4, 5), (1,), (1, 2, 5), (1, 2, 3))
    executions = tuple(
        execution(number, "fail" if number <= 3 else "pass", set(covered))
        for number, covered in enumerate(coverage, start=1)
    )
    assert len(executions) == len(PAPER_VECTORS)
    found = scores(Dataset(units=tuple(FIVE), executions=executions), find_measure("naish-i"), {4})
    assert found is not None
    assert (found.one_failing.units, found.failing.units, found.failing_and_passing.units) == (2, 1, 0)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("int a;\n\n  \nint b;", 2),
        ("// one\nint a; // two\n/* three\n four */\n", 1),
        ("/* a */ int a; /* b\n */ int b;\n", 2),
        ('char *s = "/*";\nint a;\nchar *t = "*/";\n', 3),
        ("char c = '\"'; // \"\nint a; /* ' */\n", 2),
        ('char *s = "\\"//";\n', 1),
    ],
)
def test_lines_of_code_are_neither_blank_nor_comments(text: str, count: int) -> None:
    assert lines_of_code(text) == count
