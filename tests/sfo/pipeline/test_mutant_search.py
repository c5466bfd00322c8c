"""Search for kills of mutants: what only they read, what does not end, and what is no proof of equivalence."""

import json
from pathlib import Path
from typing import Any

import pytest

from sfo.cli import main

COUNTING = """\
#include <stdio.h>
int nondet_int(void);
int main(void)
{
    int i, s = 1;
    int n = nondet_int();
    if (n < 0 || n > 4)
        return 1;
    for (i = 0; i < n; i++)
        s = 2 * s;
    printf("%d\\n", s);
    return 0;
}
"""

UNWRITTEN = """\
#include <stdio.h>
int nondet_int(void);
static int pick(int n)
{
    int t[2];
    t[0] = n;
    return t[1] > 3 ? t[0] : 0 * n;
}
int main(void)
{
    int n = nondet_int();
    if (n < 0 || n > 9)
        return 1;
    printf("%d\\n", pick(n));
    return 0;
}
"""


ROUNDS = """\
#include <stdio.h>
int nondet_int(void);
int main(void)
{
    int i, k, t = 0, n = nondet_int(), m = n;
    if (n < 0 || n > 9)
        return 1;
    for (k = 0; k < 4; k++)
        t += k;
    if (n < m)
        t = 0;
    for (i = 0; i < 2; i++)
        t++;
    printf("%d\\n", t);
    return 0;
}
"""


def coverage_of(path: Path, text: str, *words: str) -> dict[str, Any]:
    path.write_text(text)
    directory = path.with_suffix("")
    assert main(["generate", str(path), "--goal", "mutants", "-o", str(directory), "-q", *words]) == 0
    coverage: dict[str, Any] = json.loads((directory / "dataset.json").read_text())["coverage"]
    return coverage


def goal_of(coverage: dict[str, Any], line: int, outcome: str) -> dict[str, Any]:
    (goal,) = [g for g in coverage["goals"] if (g["line"], g["outcome"]) == (line, outcome)]
    found: dict[str, Any] = goal
    return found


@pytest.mark.parametrize("native", ["sandboxed", "off"])
def test_a_mutant_that_differs_by_what_it_alone_reads_is_undecided_and_that_is_said(
    tmp_path: Path, native: str
) -> None:
    coverage = coverage_of(tmp_path / "p.c", COUNTING, "--native", native)
    goal = goal_of(coverage, 9, "missing: i = 0 becomes nothing")
    assert goal["status"] == "undecided"
    assert "memory that nobody wrote" in goal["reason"]


def test_nothing_is_compared_where_the_program_reads_what_nobody_wrote(tmp_path: Path) -> None:
    coverage = coverage_of(tmp_path / "p.c", UNWRITTEN, "--no-replay")
    other = goal_of(coverage, 7, "off-by-one: > becomes >=")
    assert (other["status"], other["executions"]) == ("undecided", [])
    assert "reads memory that nobody wrote" in other["reason"]
    of_pick = [g for g in coverage["goals"] if g["line"] in {5, 6, 7}]
    assert {g["status"] for g in of_pick} == {"undecided"}
    assert {g["status"] for g in coverage["goals"] if g["line"] == 13} == {"covered"}


@pytest.fixture(scope="module")
def counting(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The program ``COUNTING`` with its suite beside it, and the coverage of that."""
    path = tmp_path_factory.mktemp("counting") / "p.c"
    return path, coverage_of(path, COUNTING, "--no-replay")


def test_what_no_execution_of_the_program_leaves_is_proved_without_a_bound(
    counting: tuple[Path, dict[str, Any]],
) -> None:
    _, coverage = counting
    equivalent = [g for g in coverage["goals"] if g["status"] == "unreachable"]
    assert equivalent
    assert {g["unwind"] for g in equivalent} == {None}


def test_a_mutant_that_makes_more_rounds_is_not_equivalent_within_those_of_the_program(
    tmp_path: Path,
) -> None:
    """Within unwind 2 each execution of the mutant that goes on beyond the program is left out."""
    text = COUNTING.replace("n > 4", "n > 1").replace("s = 2 * s;", "if (i < 1 && n > 0) s = 5;")
    for unwind, status in (("2", "undecided"), ("4", "unreachable")):
        words = ("--unwind", unwind, "--no-replay", "--native", "off")
        goal = goal_of(coverage_of(tmp_path / "p.c", text, *words), 9, "off-by-one: < becomes <=")
        assert goal["status"] == status


def test_a_bound_that_is_too_small_for_the_edits_proves_nothing(tmp_path: Path) -> None:
    """Loops with constant conditions are followed to their ends in the program, and not where edits may change them."""
    coverage = coverage_of(tmp_path / "p.c", ROUNDS, "--no-replay")
    assert goal_of(coverage, 10, "variable: m becomes i")["status"] == "undecided"
    assert goal_of(coverage, 10, "relational: < becomes ==")["status"] == "covered"
