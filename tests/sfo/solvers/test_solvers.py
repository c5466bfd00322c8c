"""What every engine must do, whichever it is."""

import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfrontend.effort import within_effort
from cfrontend.errors import InternalError, UsageError
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms.evaluate import evaluate_terms
from sfo.core.halt import SEARCH
from sfo.solvers import SOLVERS, SolverAnswer, SolverBudget, SolverProtocol, make_solver
from tests.cfrontend.randomterms import COMPARISONS, WORD_OPERATIONS, Program, build
from tests.sfo.solvers.hard import AfterWork, factoring, variables

ENGINES = sorted(SOLVERS.keys() - {"sat"})  # sat is glucose
"""Engines that can be ended within a check."""

OTHERS = ["pysmt:cvc5", "pysmt:z3"]
programs = st.binary(min_size=8, max_size=120).map(build)


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def solver(engine: str, t: Terms) -> SolverProtocol:
    return make_solver(engine, t)


@pytest.fixture(params=[*ENGINES, *OTHERS])
def any_solver(request: pytest.FixtureRequest, t: Terms) -> SolverProtocol:
    return make_solver(request.param, t)


def assert_model(terms: Terms, solver: SolverProtocol, asserted: Sequence[Term]) -> None:
    """The model satisfies ``asserted``, and every term of the store has the value that it must have."""
    inputs = variables(terms)
    model = dict(zip(inputs, solver.values(inputs), strict=True))
    everything = list(range(len(terms)))
    expected = evaluate_terms(terms, everything, model)
    assert [expected[term] for term in asserted] == [1] * len(asserted)
    assert solver.values(everything) == [expected[term] for term in everything]


def test_what_was_added_without_effort_counts_in_the_next_check(t: Terms, solver: SolverProtocol) -> None:
    x, y = t.var("x", 32), t.var("y", 32)
    product = t.mul(x, y)
    with within_effort(0):
        solver.add(t.eq(product, t.const(15, 32)))
        assert solver.check((t.ult(x, y),)) == SolverAnswer.UNKNOWN
    assert solver.check((t.eq(x, t.const(4, 32)),)) == SolverAnswer.UNSAT
    assert solver.check((t.eq(x, t.const(3, 32)),)) == SolverAnswer.SAT
    assert solver.values([y, product]) == [5, 15]


# -- making one ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "own"), [*((name, name) for name in [*ENGINES, *OTHERS]), ("sat", "glucose")]
)
def test_names(t: Terms, name: str, own: str) -> None:
    assert make_solver(name, t).name == own


def test_unknown_name(t: Terms) -> None:
    assert {"auto", "bitwuzla", "glucose", "sat", "z3"} <= set(SOLVERS)
    names = re.escape(", ".join(SOLVERS))
    with pytest.raises(UsageError, match=f"unknown solver 'yices': choose one of {names}, or pysmt:NAME"):
        make_solver("yices", t)


def test_engines_are_imported_only_when_used() -> None:
    code = (
        "import sys; import sfo.solvers as s; from cfrontend.terms import Terms\n"
        "assert not {'bitwuzla', 'pysat', 'z3'} & set(sys.modules)\n"
        "t = Terms(); solver = s.make_solver('auto', t); x = t.var('x', 32)\n"
        "solver.add(t.eq(t.mul(x, x), t.const(49, 32))); solver.check(); solver.values([x])\n"
        "assert not {'bitwuzla', 'z3'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# -- answers ---------------------------------------------------------------------------------------------------


def test_nothing_added_is_satisfiable(any_solver: SolverProtocol) -> None:
    assert any_solver.check() is SolverAnswer.SAT


def test_values_of_lowered_and_other_terms(t: Terms, any_solver: SolverProtocol) -> None:
    x, y, p = t.var("x", 8), t.var("y", 8), t.var("p", 0)
    any_solver.add(t.eq(t.mul(x, t.const(3, 8)), t.const(15, 8)))
    assert any_solver.check([p]) is SolverAnswer.SAT
    assert any_solver.values([x, t.sub(y, x), p, t.not_(p), t.const(9, 8), TRUE]) == [5, 251, 1, 0, 9, 1]


def test_variables_made_after_the_check_are_zero(t: Terms, any_solver: SolverProtocol) -> None:
    assert any_solver.check() is SolverAnswer.SAT
    assert any_solver.values([t.var("late", 8), t.add(t.var("later", 8), t.const(2, 8))]) == [0, 2]


def test_wide_words(t: Terms, any_solver: SolverProtocol) -> None:
    x = t.var("x", 128)
    any_solver.add(t.eq(x, t.const(3**80, 128)))
    assert any_solver.check() is SolverAnswer.SAT
    assert any_solver.values([x, t.extract(x, 127, 64)]) == [3**80, 3**80 >> 64]


def test_odd_names(t: Terms, any_solver: SolverProtocol) -> None:
    x, y = t.var("a|b \\ €", 8), t.var("", 8)
    any_solver.add(t.ult(x, y))
    assert any_solver.check() is SolverAnswer.SAT
    assert_model(t, any_solver, [t.ult(x, y)])


def test_assumptions_hold_for_one_call(t: Terms, any_solver: SolverProtocol) -> None:
    x = t.var("x", 8)
    any_solver.add(t.ult(x, t.const(5, 8)))
    for value in range(5):
        assert any_solver.check([t.eq(x, t.const(value, 8))]) is SolverAnswer.SAT
        assert any_solver.values([x]) == [value]
    assert any_solver.check([t.eq(x, t.const(5, 8))]) is SolverAnswer.UNSAT
    assert any_solver.check() is SolverAnswer.SAT


def test_added_terms_stay(t: Terms, any_solver: SolverProtocol) -> None:
    x = t.var("x", 8)
    left = set(range(8))
    any_solver.add(t.ult(x, t.const(8, 8)))
    while left:
        assert any_solver.check() is SolverAnswer.SAT
        (value,) = any_solver.values([x])
        left.remove(value)
        any_solver.add(t.not_(t.eq(x, t.const(value, 8))))
    assert any_solver.check() is SolverAnswer.UNSAT


def test_core(t: Terms, solver: SolverProtocol) -> None:
    x, y, p = t.var("x", 8), t.var("y", 8), t.var("p", 0)
    solver.add(t.ult(x, y))
    high, low = t.ult(t.const(100, 8), x), t.ult(y, t.const(50, 8))
    assert solver.check([p, low, t.not_(t.eq(x, y)), high, low]) is SolverAnswer.UNSAT
    assert solver.core() == (low, high)


def test_core_of_contradicting_literals(t: Terms, solver: SolverProtocol) -> None:
    p, q = t.var("p", 0), t.var("q", 0)
    assert solver.check([p, q, t.not_(p)]) is SolverAnswer.UNSAT
    assert solver.core() == (p, t.not_(p))


def test_core_with_constants(t: Terms, solver: SolverProtocol) -> None:
    assert solver.check([TRUE, t.var("p", 0), FALSE]) is SolverAnswer.UNSAT
    assert solver.core() == (FALSE,)


def test_core_is_empty_without_need_of_assumptions(t: Terms, solver: SolverProtocol) -> None:
    p = t.var("p", 0)
    solver.add(p)
    solver.add(t.not_(p))
    assert solver.check([t.var("q", 0)]) is SolverAnswer.UNSAT
    assert solver.core() == ()


def test_no_model_and_no_core_without_the_answer(t: Terms, solver: SolverProtocol) -> None:
    p = t.var("p", 0)
    with pytest.raises(InternalError, match="answered nothing yet, not sat"):
        solver.values([p])
    assert solver.check([FALSE]) is SolverAnswer.UNSAT
    with pytest.raises(InternalError, match="answered unsat, not sat"):
        solver.values([p])
    assert solver.check() is SolverAnswer.SAT
    with pytest.raises(InternalError, match="answered sat, not unsat"):
        solver.core()
    solver.add(p)
    with pytest.raises(InternalError, match="answered nothing yet"):
        solver.values([p])


def test_words_are_no_formulas(t: Terms, solver: SolverProtocol) -> None:
    with pytest.raises(InternalError, match="must be Boolean, but x is a word"):
        solver.add(t.var("x", 8))


def test_statistics(t: Terms, solver: SolverProtocol) -> None:
    p, q = t.var("p", 0), t.var("q", 0)
    solver.add(t.or_(p, q))
    solver.add(t.or_(p, q))
    solver.check()
    solver.check([t.not_(p)])
    solver.check([FALSE])
    solver.check(budget=SolverBudget(seconds=0))
    found = solver.statistics
    assert found.calls == 4
    assert 0 < found.seconds < 30


# -- limits ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "budget",
    [SolverBudget(seconds=0.3), SolverBudget(conflicts=100), SolverBudget(5, 50), SolverBudget(0, 0)],
)
def test_hard_question_ends_in_unknown_and_the_next_is_answered(
    t: Terms, solver: SolverProtocol, budget: SolverBudget
) -> None:
    problem = factoring(t, 48)
    solver.add(problem.equation)
    start = time.monotonic()
    assert solver.check(budget=budget) is SolverAnswer.UNKNOWN
    assert time.monotonic() - start < 30
    with pytest.raises(InternalError, match="answered unknown, not sat"):
        solver.values([problem.x])
    with pytest.raises(InternalError, match="answered unknown, not unsat"):
        solver.core()
    assert solver.check([t.eq(problem.x, problem.factor)], SolverBudget(seconds=60)) is SolverAnswer.SAT
    assert_model(t, solver, [problem.equation])


def test_conflicts_repeat(engine: str) -> None:
    """Where the limit lies does not depend on the clock."""
    outcomes = []
    for _ in range(2):
        t = Terms()
        problem = factoring(t, 14)
        solver = make_solver(engine, t)
        solver.add(problem.equation)
        answers = [
            solver.check(budget=SolverBudget(conflicts=limit)) for limit in (5, 50, 500, 5000, 500_000)
        ]
        outcomes.append((answers, solver.values([problem.x, problem.y])))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][0][0] is SolverAnswer.UNKNOWN
    assert outcomes[0][0][-1] is SolverAnswer.SAT


def test_interrupt_from_another_thread(t: Terms, solver: SolverProtocol) -> None:
    problem = factoring(t, 48)
    solver.add(problem.equation)
    timer = AfterWork(0.3, solver.interrupt)
    timer.start()
    assert solver.check(budget=SolverBudget(seconds=120)) is SolverAnswer.UNKNOWN
    timer.join()
    assert time.monotonic() - timer.acted < 60
    assert solver.check([t.eq(problem.x, problem.factor)]) is SolverAnswer.SAT


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("budget", [SolverBudget(), SolverBudget(seconds=60), SolverBudget(conflicts=10**9)])
def test_control_c_comes_out_of_check(t: Terms, solver: SolverProtocol, budget: SolverBudget) -> None:
    problem = factoring(t, 48)
    solver.add(problem.equation)
    timer = AfterWork(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solver.check(budget=budget)
    timer.join()
    assert time.monotonic() - timer.acted < 30
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert SEARCH not in {thread.name for thread in threading.enumerate()}
    assert solver.statistics.calls == 1
    assert solver.check([t.eq(problem.x, problem.factor)], SolverBudget(seconds=60)) is SolverAnswer.SAT


def test_a_spent_budget_or_an_interrupt_ends_one_check(t: Terms, any_solver: SolverProtocol) -> None:
    p = t.var("p", 0)
    assert any_solver.check([p], SolverBudget(seconds=0)) is SolverAnswer.UNKNOWN
    assert any_solver.check([p], SolverBudget(conflicts=0)) is SolverAnswer.UNKNOWN
    any_solver.interrupt()
    assert any_solver.check([p]) is SolverAnswer.UNKNOWN
    assert any_solver.check([p]) is SolverAnswer.SAT


def test_check_outside_the_main_thread(t: Terms, solver: SolverProtocol) -> None:
    answers: list[SolverAnswer] = []
    p = t.var("p", 0)
    thread = Thread(target=lambda: answers.append(solver.check([p])))
    thread.start()
    thread.join()
    assert answers == [SolverAnswer.SAT]


# -- random terms ----------------------------------------------------------------------------------------------


@settings(max_examples=150)
@given(programs, st.data())
def test_random_formulas(program: Program, data: st.DataObject) -> None:
    """Models are models, refutations agree, and cores are enough to refute."""
    t = program.terms
    pool = [node.term for node in program.booleans]
    pool.extend(
        t.eq(node.term, t.const(data.draw(st.integers(0, 2**node.width - 1)), node.width))
        for node in program.words
    )
    literals = [term for formula in pool for term in (formula, t.not_(formula))]
    added = data.draw(st.lists(st.sampled_from(literals), max_size=3))
    rounds = data.draw(st.lists(st.lists(st.sampled_from(literals), max_size=5), min_size=1, max_size=3))
    solvers = [make_solver(engine, t) for engine in (*ENGINES, *OTHERS)]
    for solver in solvers:
        for term in added:
            solver.add(term)
    for assumptions in rounds:
        answers = [solver.check(assumptions) for solver in solvers]
        assert len(set(answers)) == 1
        assert answers[0] is not SolverAnswer.UNKNOWN
        for solver in solvers:
            if answers[0] is SolverAnswer.SAT:
                assert_model(t, solver, [*added, *assumptions])
            else:
                core = solver.core()
                assert set(core) <= set(assumptions)
                assert solver.check(core) is SolverAnswer.UNSAT


@settings(max_examples=150)
@given(programs)
def test_known_assignments_are_models(program: Program) -> None:
    """With all variables fixed the solver computes what the terms mean."""
    t = program.terms
    inputs = variables(t)
    fresh = [t.eq(node.term, t.var(f"value {i}", node.width)) for i, node in enumerate(program.nodes)]
    for engine in ENGINES:
        solver = make_solver(engine, t)
        for equation in fresh:
            solver.add(equation)
        for index, assignment in enumerate(program.assignments[:3]):
            fixed = [t.eq(x, t.const(assignment[x], t.width[x])) for x in inputs if t.width[x]]
            fixed += [x if assignment[x] else t.not_(x) for x in inputs if not t.width[x]]
            assert solver.check(fixed) is SolverAnswer.SAT
            results = solver.values([t.var(f"value {i}", node.width) for i, node in enumerate(program.nodes)])
            assert results == [node.values[index] for node in program.nodes]
            same = t.all_of(
                t.eq(node.term, t.const(node.values[index], node.width)) for node in program.nodes
            )
            assert solver.check([*fixed, t.not_(same)]) is SolverAnswer.UNSAT


@pytest.mark.parametrize("width", [3, 4])
def test_operators_on_all_small_words(t: Terms, solver: SolverProtocol, width: int) -> None:
    """The engine's operators mean what folding computes."""
    x, y = t.var("x", width), t.var("y", width)
    results = {}
    for name in WORD_OPERATIONS | COMPARISONS:
        applied = getattr(t, name)(x, y)
        results[name] = t.var(f"result of {name}", t.width[applied])
        solver.add(t.eq(applied, results[name]))
    for a in range(2**width):
        for b in range(2**width):
            one, two = t.const(a, width), t.const(b, width)
            assert solver.check([t.eq(x, one), t.eq(y, two)]) is SolverAnswer.SAT
            folded = [t.value[getattr(t, name)(one, two)] for name in results]
            assert solver.values(list(results.values())) == folded, (a, b)


# -- depth -----------------------------------------------------------------------------------------------------


def test_deep_terms_are_lowered(t: Terms, solver: SolverProtocol) -> None:
    root, parts = t.var("p", 0), [t.var(f"q{i}", 0) for i in range(7)]
    for i in range(25_000):
        root = t.not_(t.and_(root, parts[i % 7]))
    solver.add(root)
    assert solver.check([t.not_(parts[(25_000 - 1) % 7])]) is SolverAnswer.SAT
    assert solver.values([root]) == [1]


def test_a_solver_of_deep_terms_goes_away_quickly(t: Terms) -> None:
    x, y = t.var("x", 8), t.var("y", 8)
    word = x
    for _ in range(8_000):
        word = t.sub(y, t.bxor(word, x))
    solver = make_solver("z3", t)
    solver.add(t.eq(word, y))
    start = time.monotonic()
    del solver
    gc.collect()
    assert time.monotonic() - start < 30
