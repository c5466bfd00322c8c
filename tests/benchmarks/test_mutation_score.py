"""Mutation scores and what CBMC says of equivalent mutants: against all inputs of a program that has few."""

from pathlib import Path

import pytest

from benchmarks.coverage_goals import SuiteQuestion
from benchmarks.mutation_score import faults_of, mutation_score, read_by_cbmc, sampled, score_of
from cfrontend.edit.text import apply_text_edits
from tests.conftest import require_tool
from tests.sfo.pipeline.test_mutant_goals import compiled, shown

PROGRAM = """\
#include <stdio.h>
int nondet_int(void);
int larger(int a, int b)
{
    if (a > b)
        return a;
    return b;
}
int main(void)
{
    int x = nondet_int();
    if (x < 0 || x > 3)
        return 1;
    if (x > 5)
        return 7;
    printf("%d\\n", larger(x, 2));
    return 0;
}
"""


@pytest.fixture
def question(tmp_path: Path) -> SuiteQuestion:
    path = tmp_path / "p.c"
    path.write_text(PROGRAM)
    return SuiteQuestion("p", str(path), "main", "mutants")


def test_a_score_and_its_equivalent_mutants_by_number(question: SuiteQuestion) -> None:
    row = score_of(question)
    assert row["undecided"] == 0
    assert (mutation_score(row), row["equivalent"]) == (1.0, len(row["mutants"]))
    assert row["killed"] > 10
    assert 0 < row["equivalent"] < row["killed"]
    assert len(sampled([row], 2)) == 2
    assert len(sampled([row], 100)) == row["equivalent"]


def test_cbmc_says_what_all_inputs_say(question: SuiteQuestion, tmp_path: Path) -> None:
    cbmc, _ = require_tool("cbmc"), require_tool("gcc")
    plain = compiled(PROGRAM, tmp_path / "plain")
    assert plain is not None
    inputs = [(x,) for x in (-2147483648, *range(-3, 8), 2147483647)]
    before = [shown(plain, x) for x in inputs]
    faults = faults_of(question)
    verdicts = set()
    for fault in faults[::4]:
        binary = compiled(apply_text_edits(PROGRAM, [fault.edit]), tmp_path / "mutant")
        assert binary is not None
        same = [f for f in faults if (f.line, str(f)) == (fault.line, str(fault))]
        mutant = {"line": fault.line, "outcome": str(fault), "number": same.index(fault)}
        verdict = read_by_cbmc(question, {"rounds": 1}, mutant, cbmc)
        assert verdict == ("equivalent" if [shown(binary, x) for x in inputs] == before else "differs"), fault
        verdicts.add(verdict)
    assert verdicts == {"equivalent", "differs"}
