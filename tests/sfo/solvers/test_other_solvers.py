"""cvc5, and solvers by way of pysmt: the same answers as ours, within what they can be told."""

import sys
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.manifest import PROGRAMS
from cfrontend.errors import UsageError
from cfrontend.program import ProgramOptions
from cfrontend.terms import FALSE, TRUE, VAR, Terms
from cfrontend.terms.evaluate import evaluate_terms
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.solvers import SolverAnswer, SolverBudget, SolverProtocol, make_solver
from tests.cfrontend.randomterms import Program, build
from tests.sfo.solvers.hard import factoring

OTHERS = ["cvc5", "pysmt:cvc5", "pysmt:z3"]


@pytest.fixture
def t() -> Terms:
    return Terms()


@pytest.fixture(params=OTHERS)
def solver(request: pytest.FixtureRequest, t: Terms) -> SolverProtocol:
    return make_solver(request.param, t)


def test_answers_values_and_assumptions(t: Terms, solver: SolverProtocol) -> None:
    x, y, p = t.var("x", 8), t.var("main::y!2 |", 70), t.var("p", 0)
    assert solver.check() is SolverAnswer.SAT
    solver.add(t.implies(p, t.eq(x, t.const(200, 8))))
    solver.add(t.eq(y, t.const(1 << 69, 70)))
    assert solver.check([p, TRUE]) is SolverAnswer.SAT
    assert solver.values([x, y, p, t.slt(x, t.const(0, 8))]) == [200, 1 << 69, 1, 1]
    low = t.ult(x, t.const(5, 8))
    assert solver.check([low, p]) is SolverAnswer.UNSAT
    assert set(solver.core()) == {low, p}
    assert solver.check([FALSE]) is SolverAnswer.UNSAT
    assert solver.check([low]) is SolverAnswer.SAT
    assert solver.name in OTHERS
    assert solver.statistics.calls == 5


def test_a_spent_budget_and_an_interrupt_are_unknown(t: Terms, solver: SolverProtocol) -> None:
    p = t.var("p", 0)
    assert solver.check([p], SolverBudget(seconds=0)) is SolverAnswer.UNKNOWN
    assert solver.check([p], SolverBudget(conflicts=0)) is SolverAnswer.UNKNOWN
    solver.interrupt()
    assert solver.check([p]) is SolverAnswer.UNKNOWN
    assert solver.check([p]) is SolverAnswer.SAT


@pytest.mark.parametrize("budget", [SolverBudget(seconds=0.3), SolverBudget(conflicts=100)])
def test_cvc5_ends_a_hard_question_in_time(t: Terms, budget: SolverBudget) -> None:
    problem = factoring(t, 48)
    solver = make_solver("cvc5", t)
    solver.add(problem.equation)
    start = time.monotonic()
    assert solver.check(budget=budget) is SolverAnswer.UNKNOWN
    assert time.monotonic() - start < 30


@settings(max_examples=25)
@given(program=st.binary(min_size=8, max_size=80).map(build))
def test_random_formulas(program: Program) -> None:
    t = program.terms
    formulas = [term for term in range(len(t)) if t.width[term] == 0][-3:]
    expected = make_solver("auto", t).check(formulas)
    for name in OTHERS:
        solver = make_solver(name, t)
        assert solver.check(formulas) is expected
        if expected is SolverAnswer.SAT:
            inputs = [term for term, op in enumerate(t.op) if op == VAR]
            values = evaluate_terms(t, formulas, dict(zip(inputs, solver.values(inputs), strict=True)))
            assert all(values[formula] for formula in formulas)


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
