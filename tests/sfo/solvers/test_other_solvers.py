"""cvc5, and solvers by way of pysmt: the same answers as ours, within what they can be told."""

import sys
import time
from dataclasses import replace

import pytest

from benchmarks.manifest import PROGRAMS
from cfrontend.errors import UsageError
from cfrontend.program import ProgramOptions
from cfrontend.terms import Terms
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.solvers import SolverAnswer, SolverBudget, make_solver
from tests.sfo.solvers.hard import factoring

OTHERS = ["cvc5", "pysmt:cvc5", "pysmt:z3"]


@pytest.mark.parametrize("budget", [SolverBudget(seconds=0.3), SolverBudget(conflicts=100)])
def test_cvc5_ends_a_hard_question_in_time(t: Terms, budget: SolverBudget) -> None:
    problem = factoring(t, 48)
    solver = make_solver("cvc5", t)
    solver.add(problem.equation)
    start = time.monotonic()
    assert solver.check(budget=budget) is SolverAnswer.UNKNOWN
    assert time.monotonic() - start < 30


@pytest.mark.parametrize("name", ["z3", "cvc5", "pysmt:z3"])
def test_the_benchmarks_have_the_same_intersections(name: str) -> None:
    for path in (PROGRAMS / "minmax" / "fault1.c", PROGRAMS / "bsearch" / "fault1.c"):
        options = PipelineOptions(program=ProgramOptions(), passing=3)
        ours = run_localize_pipeline([str(path)], options)
        theirs = run_localize_pipeline([str(path)], replace(options, solver=name))
        assert (theirs.verdict, theirs.optimal, theirs.intersection, theirs.bound) == (
            ours.verdict,
            True,
            ours.intersection,
            ours.bound,
        )
        assert theirs.statistics.solver == name


def test_what_is_not_installed_is_said(t: Terms, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"pysmt has no solver 'msat' for bit-vectors here: it has .*z3"):
        make_solver("pysmt:msat", t)
    monkeypatch.setitem(sys.modules, "cvc5", None)
    monkeypatch.delitem(sys.modules, "sfo.solvers.cvc5_solver", raising=False)
    with pytest.raises(
        UsageError, match=r"this needs cvc5, which is not installed: pip install '\.\[cvc5\]'"
    ):
        make_solver("cvc5", t)
