"""An interruption ends all phases, wherever it comes: what was known by then is the result."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cfrontend.program import ProgramOptions
from sfo.core.halt import Halt, Stop
from sfo.oracles.protocol import UnknownOracleAnswer
from sfo.pipeline import bound_phase, localize, refinement
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.refinement import refine_by_minimal_diagnoses


class Clock:
    """A clock that never ends."""

    def __call__(self) -> bool:
        return False

    def within(self) -> Any:
        return nullcontext()


def test_no_sets_of_units_are_searched_behind_an_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = SimpleNamespace(stopped=None)

    def others(*_: object) -> list[object]:
        loop.stopped = "interrupt"
        return []

    monkeypatch.setattr(refinement, "_with_other_causes", others)
    problem: Any = SimpleNamespace(
        patient=False,
        searched=1.0,
        clock=lambda *_: Clock(),
        oracle=SimpleNamespace(loop=loop),
        ranking=lambda *_: pytest.fail("it goes on"),
    )
    angelic: Any = SimpleNamespace(stop=None, runs=())
    with pytest.raises(Halt):
        refine_by_minimal_diagnoses(problem, angelic, None)


@pytest.mark.parametrize(("stop", "goes_on"), [("interrupt", False), ("memory", False), ("effort", True)])
def test_no_bound_is_searched_for_tried_executions_behind_an_interruption(
    stop: Stop, goes_on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = SimpleNamespace(first=UnknownOracleAnswer(stop), oracle=SimpleNamespace(lacks=()))
    monkeypatch.setattr(bound_phase, "run_bound_search", lambda *_: stopped)
    monkeypatch.setattr(bound_phase, "_effort_of_search", lambda _: 1.0)
    asked: list[str] = []
    session: Any = SimpleNamespace(
        solver_loop=None,
        loop=SimpleNamespace(stopped=None),
        options=SimpleNamespace(bounds=lambda: iter(())),
        chosen=("p",),
    )
    trial: Any = SimpleNamespace(news=lambda: asked.append("news"))
    made: Any = bound_phase
    phase = made._BoundPhase(session=session, trial=trial, began=0.0)
    assert phase.found() is stopped
    assert asked == ["news"] * goes_on


FAILS = """#include <assert.h>
int nondet_int(void);
int main(void)
{
    int x = nondet_int();
    assert(x != 7);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("analysis", "part"),
    [
        (localize.run_localize_pipeline, "find_passing"),
        (localize.run_localize_pipeline, "decide_completeness"),
        (localize.run_localize_pipeline, "result_with_traces"),
        (localize.localize_pipeline_dataset, "algorithm1_failing_executions"),
        (localize.localize_pipeline_checks, "decide_completeness"),
    ],
)
def test_a_violation_that_was_found_is_reported_whatever_ends_the_work(
    analysis: Any, part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "fails.c"
    path.write_text(FAILS)

    def ended(*_given: Any, **_more: Any) -> Any:
        raise Halt("timeout")

    monkeypatch.setattr(localize, part, ended)
    result = analysis([str(path)], PipelineOptions(program=ProgramOptions(), passing=2, replay=False))
    assert (result.verdict, result.stopped) == ("violated", "timeout")
    assert [execution.vector for execution in result.dataset.failing] == [(7,)]
    assert [one.property.id for one in result.properties if one.status == "violated"] == ["main.assertion.1"]
    assert part != "algorithm1_failing_executions" or not result.optimal
