"""Mutants by reads beside a suite in C: a lost initial value is noticed where variables begin as a pattern."""

from pathlib import Path

from benchmarks.coverage_goals import SuiteQuestion
from benchmarks.noticed_reads import WAYS, noticed_reads
from tests.conftest import require_tool

PROGRAM = """\
#include <assert.h>
int nondet_int(void);
int main(void)
{
    int x = nondet_int();
    int sum;
    sum = 0;
    if (x > 3)
        sum += 2;
    assert(sum == 2 * (x > 3));
    return 0;
}
"""


def test_a_lost_initial_value_is_noticed_with_a_pattern(tmp_path: Path) -> None:
    require_tool("make")
    path = tmp_path / "sum.c"
    path.write_text(PROGRAM)
    row = noticed_reads(SuiteQuestion("sum", str(path), "main", "mutants"))
    assert row["by_reads"] > 0
    assert row["noticed"]["pattern"] == row["by_reads"]
    assert row["noticed"].keys() == WAYS.keys()
