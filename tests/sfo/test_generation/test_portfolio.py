"""Fuzzing beside a formula that takes long: when it begins, and what becomes of the formula."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cfrontend import effort
from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions
from sfo.core.executions import Execution
from sfo.oracles.bmc import BmcOracle
from sfo.pipeline.bound_phase import _BoundPhase, run_bound_phase
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.session import AnalysisSession, no_session_progress
from sfo.test_generation.fuzzing import FuzzingOracle
from tests.sfo.test_generation.test_fuzzing import MAGIC
from tests.tuning import Tune

TERMS_OF_TERMS = """#include <assert.h>
#include <stdio.h>
static char text[12];
static int at, lines;
static int sum(void);
static int factor(void)
{
    int value = 0;
    if (text[at] == '-') {
        at++;
        return -factor();
    }
    if (text[at] != '(')
        return text[at] != 0 ? text[at++] - '0' : 0;
    at++;
    value = sum();
    if (text[at] == ')')
        at++;
    return value;
}
static int product(void)
{
    int value = factor();
    while (text[at] == '*' || text[at] == '/')
        if (text[at++] == '*')
            value *= factor();
        else {
            int by = factor();
            assert(by != 0 || lines < 2);
            value -= by;
        }
    return value;
}
static int sum(void)
{
    int value = product();
    while (text[at] == '+' || text[at] == '-')
        if (text[at++] == '+')
            value += product();
        else
            value -= product();
    return value;
}
int main(void)
{
    int value = 0;
    while (fgets(text, sizeof text, stdin) != 0) {
        lines++;
        at = 0;
        value = sum();
    }
    return value;
}
"""


def made(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """The bounds whose formulas are begun."""
    bounds: list[int | None] = []
    original = AnalysisSession.encode

    def noted(self: AnalysisSession, bound: Bound, *arguments: Any, **options: Any) -> Any:
        bounds.append(bound.unwind)
        return original(self, bound, *arguments, **options)

    monkeypatch.setattr(AnalysisSession, "encode", noted)
    return bounds


@pytest.mark.parametrize("jobs", [1, 2])
def test_fuzzing_begins_in_the_middle_of_a_formula_and_ends_it(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    """The formula of the second bound would take more effort than the search has."""
    tune(
        portfolio={
            "fuzz_after": 0.1,
            "round": 0.1,
            "content_after": 0.3,
            "least_searched": 0.3,
            "seeded": 0.2,
        }
    )
    tune(bound={"seconds": 2.0, "seconds_of_instruction": 0.0}, fuzzing={"least_seconds": 0.1})
    path = tmp_path / "p.c"
    path.write_text(TERMS_OF_TERMS)
    bounds = made(monkeypatch)
    session = AnalysisSession(
        [str(path)], PipelineOptions(program=ProgramOptions(), jobs=jobs), no_session_progress
    )
    before = effort.spent_effort()
    found = run_bound_phase(session)
    assert effort.spent_effort() - before < effort.SECOND
    assert isinstance(found.oracle, FuzzingOracle)
    assert isinstance(found.first, Execution)
    assert found.first.property == "product.assertion.1"
    assert bounds == [1, 2]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_formula_that_is_made_is_told_of_what_failed(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    """No bound has its formula made twice."""
    tune(portfolio={"fuzz_after": 0.0, "round": 1.0}, bound={"near": 60})
    tune(fuzzing={"least_seconds": 1.0})
    path = tmp_path / "p.c"
    path.write_text(MAGIC)
    bounds = made(monkeypatch)
    original = _BoundPhase._oracle

    def tried_before(self: _BoundPhase, *arguments: Any) -> BmcOracle:
        """The oracle, which is asked when the rounds are due that find something."""
        while self.trial._found() is None:
            effort.charge_effort(effort.SECOND)
        return original(self, *arguments)

    monkeypatch.setattr(_BoundPhase, "_oracle", tried_before)
    session = AnalysisSession(
        [str(path)], PipelineOptions(program=ProgramOptions(), jobs=jobs), no_session_progress
    )
    found = run_bound_phase(session)
    assert isinstance(found.oracle, BmcOracle)
    assert isinstance(found.first, Execution)
    assert bounds == list(range(1, len(bounds) + 1))
    assert len(bounds) > 1
