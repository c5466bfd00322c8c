"""Single properties are asked about where the question about all of them took the effort."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions
from sfo.oracles.protocol import UnknownOracleAnswer
from sfo.pipeline import localize
from sfo.pipeline.bound_phase import run_bound_phase
from sfo.pipeline.localize import localize_pipeline_checks, run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.session import AnalysisSession
from sfo.test_generation.bound_search import BoundSearch

HARD = """\
unsigned int __VERIFIER_nondet_uint(void);
int table[8];
int main(void) {
    unsigned long a = __VERIFIER_nondet_uint() % 65536u, b = __VERIFIER_nondet_uint() % 65536u;
    unsigned long c = __VERIFIER_nondet_uint() % 65536u;
    int x = table[a % 8];
    if (a > 0 && b > 0)
        __CPROVER_assert(a * a * a + b * b * b != c * c * c, "Fermat");
    __CPROVER_assert(x == 0, "nothing written");
    return 0;
}
"""
"""The first assertion is Fermat's last theorem for cubes, which takes a solver long."""

EASY = """\
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    __CPROVER_assert(n % 3 < 3, "right");
    __CPROVER_assert(n != 5, "wrong");
    return 0;
}
"""


def test_a_hard_assertion_does_not_hide_that_others_are_never_violated(tmp_path: Path) -> None:
    path = tmp_path / "hard.c"
    path.write_text(HARD, encoding="utf-8")
    options = PipelineOptions(program=ProgramOptions(), effort=0.02)
    result = localize_pipeline_checks([str(path)], options)
    assert (result.verdict, result.stopped) == ("unknown", "effort")
    status = {item.property.id: item.status for item in result.properties}
    assert status["main.assertion.1"] == "unknown"
    assert {status[name] for name in status.keys() - {"main.assertion.1"}} == {"safe"}
    assert len(status) > 1


@pytest.mark.parametrize("command", [localize_pipeline_checks, run_localize_pipeline])
def test_an_execution_that_one_property_alone_shows_is_the_answer(
    command: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "easy.c"
    path.write_text(EASY, encoding="utf-8")

    def spent(session: AnalysisSession) -> BoundSearch:
        found = run_bound_phase(session)
        return replace(found, first=UnknownOracleAnswer("effort"))

    monkeypatch.setattr(localize, "run_bound_phase", spent)
    assert callable(command)
    result = command([str(path)], PipelineOptions(program=ProgramOptions()))
    assert result.verdict == "violated"
    assert {execution.property for execution in result.dataset.failing} == {"main.assertion.2"}
