"""The number of solver calls of a result is that of all loops of questions that the session made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cfrontend.program import ProgramOptions
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.pipeline.localize import localize_pipeline_checks, run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.session import AnalysisSession

FAULTY = """#include <assert.h>
int nondet_int(void);
int main(void)
{
    int n = nondet_int(), s = 0;
    for (int i = 0; i < 4 && i < n; i++)
        s += n > 2 ? i : 1;
    assert(s * s < 30);
    assert(s != 6 || n < 3);
    return 0;
}
"""

OLD = """#include <stdio.h>
int main(void)
{
    int n = 0;
    scanf("%d", &n);
    while (n > 3)
        n -= 2;
    printf("%d\\n", n);
    return 0;
}
"""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[SolverQueryLoop]:
    """The loops that sessions make; those of the filter and of the repairs are not among them."""
    loops: list[SolverQueryLoop] = []
    begin, another = AnalysisSession.__init__, AnalysisSession.another_loop

    def noted(self: AnalysisSession, *given: Any) -> None:
        begin(self, *given)
        assert self.solver_loop is not None
        loops.append(self.solver_loop)

    def noted_too(self: AnalysisSession) -> Any:
        terms, loop = another(self)
        loops.append(loop)
        return terms, loop

    monkeypatch.setattr(AnalysisSession, "__init__", noted)
    monkeypatch.setattr(AnalysisSession, "another_loop", noted_too)
    return loops


def test_the_calls_of_one_loop(tmp_path: Path, made: list[SolverQueryLoop]) -> None:
    path = tmp_path / "faulty.c"
    path.write_text(FAULTY)
    result = run_localize_pipeline(
        [str(path)], PipelineOptions(program=ProgramOptions(), passing=20, rank="coverage")
    )
    assert result.verdict == "violated"
    assert result.statistics.calls == sum(loop.solver.statistics.calls for loop in made) > 0
    assert sum(result.statistics.stage_calls.values()) == result.statistics.calls


def test_the_calls_of_another_loop_count(tmp_path: Path, made: list[SolverQueryLoop]) -> None:
    old, new = tmp_path / "old.c", tmp_path / "new.c"
    old.write_text(OLD)
    new.write_text(OLD.replace("n -= 2", "n -= n > 40 ? 0 : 2"))
    program = ProgramOptions(reference=(str(old),))
    result = localize_pipeline_checks(
        [str(new)], PipelineOptions(program=program, native="off", max_unwind=5)
    )
    assert len(made) == 3  # of the bound, of what differs beyond it, and whether what differs is reached
    assert all(loop.solver.statistics.calls for loop in made)
    assert result.statistics.calls == sum(loop.solver.statistics.calls for loop in made)
