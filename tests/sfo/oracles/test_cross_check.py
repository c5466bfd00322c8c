"""The second opinion: it confirms what is true, and what an engine got wrong is said loudly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from cfrontend.errors import UsageError
from cfrontend.program import ProgramOptions
from cfrontend.terms import Term, Terms
from sfo import cli
from sfo.core.result import Result
from sfo.oracles import cross_check
from sfo.pipeline import localize
from sfo.pipeline.options import PipelineOptions
from sfo.solvers import UNLIMITED, SolverAnswer, SolverBudget, SolverProtocol, make_solver
from sfo.solvers import ask as asking

FAULTY = "benchmarks/programs/minmax/fault1.c"
CORRECT = "benchmarks/programs/minmax/correct.c"


class Liar:
    """A solver that says UNSAT from its ``truths``-th check on, or that gives models in which all is 0."""

    def __init__(self, inner: SolverProtocol, truths: int | None) -> None:
        self._inner = inner
        self._truths = truths
        self._zeros = truths is None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def check(self, assumptions: Sequence[Term] = (), budget: SolverBudget = UNLIMITED) -> SolverAnswer:
        if self._zeros:
            return SolverAnswer.SAT
        assert self._truths is not None
        self._truths -= 1
        return self._inner.check(assumptions, budget) if self._truths >= 0 else SolverAnswer.UNSAT

    def values(self, terms: Sequence[Term]) -> list[int]:
        return [0] * len(terms) if self._zeros else self._inner.values(terms)


def lying(truths: int | None) -> Callable[[str, Terms], Any]:
    return lambda name, terms: Liar(make_solver(name, terms), truths)


def result(path: str, run: Callable[..., Result] = localize.run_localize_pipeline, **options: Any) -> Result:
    return run([path], PipelineOptions(program=ProgramOptions(), double_check=True, **options))


@pytest.mark.parametrize(
    ("first", "second"), [("auto", "bitwuzla"), ("bitwuzla", "glucose"), ("z3", "bitwuzla")]
)
@pytest.mark.parametrize("path", [FAULTY, CORRECT, "benchmarks/programs/bsearch/fault2.c"])
def test_what_is_true_is_confirmed_by_another_engine(path: str, first: str, second: str) -> None:
    found = result(path, solver=first)
    assert f"double check: {second} proves it again on the terms as they were built" in found.notes
    assert found.optimal is (None if path == CORRECT else True)
    assert "double check" in found.statistics.seconds


def test_a_wrong_certificate_is_taken_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The program takes two failing executions; the second one is denied."""
    path = "benchmarks/programs/elevator/fault1.c"
    honest = result(path)
    truths = next(n for n in range(1, 10) if _with_truths(monkeypatch, path, n).optimal is False)
    found = _with_truths(monkeypatch, path, truths)
    assert set(honest.intersection) < set(found.intersection)
    assert (found.stopped, found.undecided) == ("unknown", found.intersection)
    assert "DISAGREES" in (found.reason or "")
    assert any("there is an execution that violates main." in note for note in found.notes)
    monkeypatch.setattr(asking, "make_solver", lying(truths))
    code = cli.main(["localize", path, "--rank", "coverage", "--no-replay", "--double-check"])
    assert code == 5
    assert "DISAGREES" in capsys.readouterr().out


def _with_truths(monkeypatch: pytest.MonkeyPatch, path: str, truths: int) -> Result:
    monkeypatch.setattr(asking, "make_solver", lying(truths))
    return result(path)


@pytest.mark.parametrize("run", [localize.run_localize_pipeline, localize.localize_pipeline_checks])
def test_a_wrong_safe_is_taken_back(monkeypatch: pytest.MonkeyPatch, run: Callable[..., Result]) -> None:
    monkeypatch.setattr(asking, "make_solver", lying(0))
    found = result(FAULTY, run)
    assert (found.verdict, found.stopped) == ("unknown", "unknown")
    assert {item.status for item in found.properties} == {"unknown"}
    assert any("on the inputs input1=" in note for note in found.notes)


def test_a_wrong_second_engine_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_check, "make_solver", lying(None))
    found = result(CORRECT)
    assert found.verdict == "unknown"
    assert any("gives a model that is no such execution" in note for note in found.notes)


def test_the_properties_that_are_left_are_double_checked(tmp_path: Any) -> None:
    program = tmp_path / "two.c"
    program.write_text(
        "#include <assert.h>\nint nondet_int(void);\n"
        "int main(void) { int x = nondet_int(); assert(x != 3); assert(x * 2 != 9); return 0; }\n"
    )
    found = result(str(program), localize.localize_pipeline_checks)
    assert [item.status for item in found.properties] == ["violated", "safe"]
    assert any(note.startswith("double check: bitwuzla proves it again") for note in found.notes)


def test_a_second_opinion_that_does_not_end_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(Liar):
        def check(self, assumptions: Sequence[Term] = (), budget: SolverBudget = UNLIMITED) -> SolverAnswer:  # noqa: ARG002
            return SolverAnswer.UNKNOWN

    monkeypatch.setattr(cross_check, "make_solver", lambda name, terms: Silent(make_solver(name, terms), 0))
    found = result(FAULTY)
    assert found.optimal is True
    assert "double check: bitwuzla did not end: the last refutation is that of one engine" in found.notes


def test_cbmc_has_none() -> None:
    with pytest.raises(UsageError, match="--double-check is for refutations by sfo itself"):
        result(FAULTY, backend="cbmc")
