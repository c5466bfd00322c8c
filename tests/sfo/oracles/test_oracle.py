import time
from dataclasses import replace
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.errors import InternalError
from cfrontend.events import InputEvent, OutputEvent, OutputEventArgument
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.terms import FALSE, TRUE, Term, Terms
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.protocol import PoolOracle, UnknownOracleAnswer
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.solvers import UNLIMITED, SolverAnswer, SolverBudget, SolverStatistics, make_solver
from tests.sfo.models import PAPER_VECTORS, encoded, execution, minmax, oracle_for, run, site
from tests.tuning import Tune


def found(answer: object) -> Execution:
    assert isinstance(answer, Execution)
    return answer


def test_the_paper_vectors_evaluate_as_in_the_paper() -> None:
    program = minmax(Terms())
    runs = [run(program, vector) for vector in PAPER_VECTORS]
    assert [r.outcome for r in runs] == ["fail"] * 3 + ["pass"] * 7
    assert [sorted(r.covered) for r in runs[:5]] == [[1, 3, 4], [1, 4, 5], [1, 4], [1, 2], [1, 3]]


def test_failing_execution_is_one_and_shows_its_inputs() -> None:
    program = minmax(Terms())
    answer = found(oracle_for(program).failing())
    assert answer.outcome == "fail"
    assert answer.property == "main.assertion.1"
    assert [value.name for value in answer.inputs] == ["input1", "input2", "input3"]
    again = run(program, [value.value for value in answer.inputs])
    assert (again.outcome, again.covered) == ("fail", answer.covered)


def test_failing_avoids_one_of_the_units() -> None:
    oracle = oracle_for(minmax(Terms()))
    answer = found(oracle.failing(not_all_of={3}))
    assert answer.outcome == "fail"
    assert 3 not in answer.covered


def test_units_of_every_failing_execution_cannot_be_avoided() -> None:
    assert oracle_for(minmax(Terms())).failing(not_all_of={1, 4}) is None


def test_no_units_cannot_be_avoided_and_need_no_call() -> None:
    oracle = oracle_for(minmax(Terms()))
    assert oracle.failing(not_all_of=()) is None
    assert oracle.loop.solver.statistics.calls == 0


def test_a_refuted_question_is_not_asked_twice() -> None:
    oracle = oracle_for(minmax(Terms()))
    assert oracle.failing(not_all_of={1, 4}) is None
    assert oracle.failing(not_all_of={4, 1}) is None
    assert oracle.loop.solver.statistics.calls == 1


def test_passing_executions_have_new_coverage_until_there_is_none() -> None:
    program = minmax(Terms(), width=2)
    oracle = oracle_for(program)
    coverages: list[frozenset[int]] = []
    while (answer := oracle.passing(unlike=coverages)) is not None:
        assert found(answer).outcome == "pass"
        assert found(answer).covered not in coverages
        coverages.append(found(answer).covered)
    assert len(coverages) > 3


def test_values_are_small_where_that_changes_nothing_else() -> None:
    values = [v.value for v in found(oracle_for(minmax(Terms())).failing()).inputs]
    assert all(abs(value) <= 3 for value in values)


def test_values_stay_where_smaller_ones_change_the_execution() -> None:
    t = Terms()
    x = t.var("x", 32)
    program = encoded(t, {1: TRUE}, t.eq(x, t.const(-77, 32)), inputs=[x])
    assert [v.value for v in found(oracle_for(program).failing()).inputs] == [-77]


def test_execution_ids_count_from_one() -> None:
    oracle = oracle_for(minmax(Terms()))
    assert [found(oracle.failing()).id, found(oracle.passing([])).id] == [1, 2]


def test_values_have_the_sign_of_their_type() -> None:
    t = Terms()
    x, y = t.var("x", 8), t.var("y", 8)
    program = encoded(t, {1: TRUE}, t.and_(t.eq(x, t.const(-1, 8)), t.eq(y, t.const(-1, 8))), inputs=[x, y])
    unsigned = replace(program.inputs[1], site=site("y", 8, signed=False))
    answer = oracle_for(replace(program, inputs=(program.inputs[0], unsigned))).failing()
    assert [value.value for value in found(answer).inputs] == [-1, 255]


def test_a_variable_read_twice_is_one_input_at_its_first_read_that_happened() -> None:
    t = Terms()
    x, other = t.var("x", 8), t.var("other", 8)
    event = InputEvent(site=site("early", 8), value=x, condition=t.eq(other, t.const(1, 8)))
    late = InputEvent(site=site("late", 8), value=x, condition=TRUE)
    program = replace(encoded(t, {1: TRUE}, t.eq(other, t.const(1, 8))), inputs=(event, late))
    assert [v.name for v in found(oracle_for(program).failing()).inputs] == ["early"]
    assert [v.name for v in found(oracle_for(program).passing([])).inputs] == ["late"]


def test_equal_constants_are_inputs_of_their_own() -> None:
    t = Terms()
    zero = t.const(0, 8)
    events = tuple(InputEvent(site=site(name, 8), value=zero, condition=TRUE) for name in ("a", "b"))
    program = replace(encoded(t, {1: TRUE}, TRUE), inputs=events)
    assert [v.name for v in run_constant(program).inputs] == ["a", "b"]


def run_constant(program: object) -> Execution:
    return found(oracle_for(program).failing())  # type: ignore[arg-type]


def test_counts_are_the_instances_that_hold() -> None:
    t = Terms()
    x = t.var("x", 8)
    guards = tuple(t.ult(t.const(n, 8), x) for n in range(3))
    program = replace(encoded(t, {1: guards[0]}, t.eq(x, t.const(2, 8)), inputs=[x]), instances={1: guards})
    answer = found(oracle_for(program).failing())
    assert answer.counts == {1: 2}


def test_output_is_what_was_printed() -> None:
    t = Terms()
    x = t.var("x", 32)
    events = (
        OutputEvent(format=b"%d;", arguments=(OutputEventArgument(value=x, signed=True),), condition=TRUE),
        OutputEvent(format=b"never", arguments=(), condition=FALSE),
        OutputEvent(
            format=b"%s",
            arguments=(OutputEventArgument(value=x, signed=False, characters=(t.const(104, 8), t.const(0, 8), t.const(105, 8))),),
            condition=TRUE,
        ),
    )  # fmt: skip
    program = replace(encoded(t, {1: TRUE}, t.eq(x, t.const(-5, 32)), inputs=[x]), outputs=events)
    assert found(oracle_for(program).failing()).output == "-5;h"


def test_violating_another_property_is_no_outcome() -> None:
    t = Terms()
    x = t.var("x", 2)
    program = encoded(
        t, {1: TRUE}, {f"main.assertion.{n}": t.eq(x, t.const(n, 2)) for n in (1, 2)}, inputs=[x]
    )
    oracle = oracle_for(program, ["main.assertion.2"])
    assert found(oracle.failing()).property == "main.assertion.2"
    assert oracle.failing(not_all_of={1}) is None
    assert {run(program, [v]).property for v in range(4)} == {None, "main.assertion.1", "main.assertion.2"}


def test_cut_and_assumptions_are_no_outcome() -> None:
    t = Terms()
    x = t.var("x", 2)
    program = encoded(
        t,
        {1: TRUE},
        t.eq(x, t.const(0, 2)),
        inputs=[x],
        assumed=t.not_(t.eq(x, t.const(3, 2))),
        cut=t.eq(x, t.const(2, 2)),
    )
    runs = [run(program, [v]) for v in range(4)]
    assert [r.outcome for r in runs] == ["fail", "pass", None, None]
    assert [r.ended for r in runs[2:]] == ["leaves the bound", "breaks an assumption"]
    assert oracle_for(program).complete() is False


def test_a_program_that_cannot_be_cut_is_complete_without_a_call() -> None:
    oracle = oracle_for(minmax(Terms()))
    assert oracle.complete() is True
    assert oracle.loop.solver.statistics.calls == 0


class Liar:
    """A solver with one answer, whose models are all zero."""

    name = version = "liar"

    def __init__(self, answer: SolverAnswer) -> None:
        self.answer = answer
        self.budgets: list[SolverBudget] = []
        self.statistics = SolverStatistics()

    def add(self, term: Term) -> None: ...

    def check(self, _assumptions: object = (), budget: SolverBudget = UNLIMITED) -> SolverAnswer:
        self.budgets.append(budget)
        return self.answer

    def values(self, terms: list[Term]) -> list[int]:
        return [0] * len(terms)

    def core(self) -> tuple[Term, ...]:
        return ()

    def interrupt(self) -> None: ...


def test_a_model_that_does_not_fail_is_an_internal_error() -> None:
    with pytest.raises(InternalError, match="liar"):
        BmcOracle(minmax(Terms()), SolverQueryLoop(Liar(SolverAnswer.SAT))).failing()


def test_two_ends_are_an_internal_error() -> None:
    program = minmax(Terms())
    with pytest.raises(InternalError, match="more than one way"):
        run(replace(program, cut=TRUE), (0, 0, 0))


def test_unknown_stays_unknown() -> None:
    oracle = BmcOracle(minmax(Terms()), SolverQueryLoop(Liar(SolverAnswer.UNKNOWN)), solver_only=True)
    assert oracle.failing() == UnknownOracleAnswer("unknown")
    assert oracle.passing([]) == UnknownOracleAnswer("unknown")


def test_after_the_deadline_nothing_is_asked() -> None:
    solver = Liar(SolverAnswer.SAT)
    oracle = BmcOracle(minmax(Terms()), SolverQueryLoop(solver, time.monotonic() - 1))
    assert oracle.failing() == UnknownOracleAnswer("timeout")
    assert not solver.budgets


def test_a_question_among_others_gets_a_share_of_the_time_left() -> None:
    solver = Liar(SolverAnswer.UNKNOWN)
    oracle = BmcOracle(minmax(Terms()), SolverQueryLoop(solver, time.monotonic() + 100), solver_only=True)
    assert oracle.failing() == UnknownOracleAnswer("timeout")
    oracle.failing(not_all_of={2, 3})
    oracle.failing(not_all_of={2})
    rounds = (
        solver.budgets.index(
            next(b for b in solver.budgets if b.conflicts == policy().questions.proof_effort)
        )
        + 1
    )
    seconds = [budget.seconds for budget in solver.budgets]
    assert seconds == pytest.approx([75] * rounds + [50] * rounds + [12.5], abs=5)
    assert solver.budgets[0].conflicts == solver.budgets[-1].conflicts == policy().questions.first_effort


def test_ctrl_c_in_the_solver_ends_all_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Liar(SolverAnswer.SAT)
    oracle = BmcOracle(minmax(Terms()), SolverQueryLoop(solver))

    def interrupted(*_: object) -> SolverAnswer:
        raise KeyboardInterrupt

    monkeypatch.setattr(solver, "check", interrupted)
    assert oracle.failing() == UnknownOracleAnswer("interrupt")
    monkeypatch.undo()
    assert oracle.failing() == UnknownOracleAnswer("interrupt")


def test_oracles_of_growing_programs_share_a_solver() -> None:
    t = Terms()
    x = t.var("x", 8)
    loop = SolverQueryLoop(make_solver("auto", t))
    small = BmcOracle(encoded(t, {1: TRUE}, FALSE, inputs=[x]), loop)
    large = BmcOracle(encoded(t, {1: TRUE}, t.eq(x, t.const(7, 8)), inputs=[x]), loop)
    assert small.failing() is None
    assert [v.value for v in found(large.failing()).inputs] == [7]


def test_pool_takes_the_first_that_fits() -> None:
    pool = [
        execution(1, "pass", [1]),
        execution(2, "fail", [1, 2]),
        execution(3, "fail", [1]),
        execution(4, "pass", [2]),
    ]
    oracle = PoolOracle(pool)
    assert found(oracle.failing()).id == 2
    assert found(oracle.failing(not_all_of={1, 2})).id == 3
    assert oracle.failing(not_all_of={1}) is None
    assert found(oracle.passing([frozenset({1})])).id == 4
    assert oracle.passing([frozenset({1}), frozenset({2})]) is None


PRODUCTS = """#include <assert.h>
extern int nondet_int(void);
int main(void)
{
    int a = nondet_int(), b = nondet_int(), c = nondet_int();
    if (1 < a && a < b && b < c)
        assert(a * c != b * b);
    return 0;
}
"""


@pytest.mark.parametrize("solver_only", [False, True])
def test_what_is_hard_to_solve_is_looked_for_among_small_numbers(solver_only: bool, tmp_path: Path) -> None:
    path = tmp_path / "products.c"
    path.write_text(PRODUCTS)
    formula = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1))
    oracle = BmcOracle(formula, SolverQueryLoop(Liar(SolverAnswer.UNKNOWN)), solver_only=solver_only)
    answer = oracle.failing()
    if solver_only:
        assert answer == UnknownOracleAnswer("unknown")
        return
    a, b, c = (item.value for item in found(answer).inputs)
    assert 1 < int(a) < int(b) < int(c)
    assert int(a) * int(c) == int(b) * int(b)


@pytest.mark.parametrize("is_large", [True, False])
def test_of_the_first_violations_of_a_large_program_the_solver_need_not_know_the_last_ones(
    tmp_path: Path, tune: Tune, *, is_large: bool
) -> None:
    tune(questions={"large": 100 if is_large else 100_000, "products": 100_000})
    checks = "    x = nondet_uint();\n    assert(x * x != 49u);\n" * 40
    path = tmp_path / "many.c"
    path.write_text(
        "#include <assert.h>\nextern unsigned nondet_uint(void);\n"
        f"int main(void)\n{{\n    unsigned x;\n{checks}    return 0;\n}}\n"
    )
    terms = Terms()
    formula = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1), terms=terms)
    oracle = BmcOracle(formula, SolverQueryLoop(make_solver("glucose", terms)))
    answer = found(oracle.failing())
    assert answer.property in {f"main.assertion.{n}" for n in range(1, 9 if is_large else 41)}
    whole = len(terms.cone([violation.condition for violation in formula.violations]))
    lowered = sum(node is not None for node in oracle.loop.solver._lowered)
    assert (lowered < whole / 2) == is_large
    seen = {answer.property}
    while (answer := found(oracle.violating({f"main.assertion.{n}" for n in range(1, 41)} - seen))).property:
        seen.add(answer.property)
        if len(seen) == 40:
            break
    assert len(seen) == 40


def test_a_part_of_the_time_ends_what_is_asked_within_it_only(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[-1])
    loop = SolverQueryLoop(make_solver("z3", Terms()), 200.0)
    with loop.within(0.6):
        clock.append(159.0)
        assert not loop.must_stop()
        clock.append(161.0)
        assert loop.must_stop()
    assert not loop.must_stop()
    with loop.within(0.5):
        clock.append(181.0)
        assert loop.must_stop()
        clock.append(200.0)
    assert loop.must_stop()
    unlimited = SolverQueryLoop(make_solver("z3", Terms()))
    with unlimited.within(0.0):
        assert not unlimited.must_stop()


def test_ctrl_c_in_a_part_of_the_time_ends_all_of_it() -> None:
    loop = SolverQueryLoop(make_solver("z3", Terms()), time.monotonic() + 100)
    with loop.within(0.5):
        loop.stop("interrupt")
    assert loop.must_stop()


def test_an_assertion_is_asked_about_before_the_products_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        """void assert(int condition);
        unsigned __VERIFIER_nondet_uint(void);
        int main(void) {
          unsigned s = __VERIFIER_nondet_uint(), t = s;
          assert(s != 77);
          for (int i = 0; i < 40; i++) { s = s * t + s / (t | 1); t = t * 31 + s % (t | 3); }
          assert(s != 3 * t);
        }""",
        encoding="utf-8",
    )
    program = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1, free=True))
    loop = SolverQueryLoop(make_solver("glucose", program.terms))
    answer = found(BmcOracle(program, loop).failing())
    assert (answer.property, [value.value for value in answer.inputs]) == ("main.assertion.1", [77])
    assert sum(node is not None for node in loop.solver._lowered) < 20


def test_solver_only_asks_one_question_for_each_execution() -> None:
    program = minmax(Terms())
    plain = BmcOracle(program, oracle_for(program).loop, solver_only=True)
    assert plain.failing() is not None
    assert plain.loop.solver.statistics.calls == 1
    assert plain.failing(not_all_of={1, 4}) is None
    assert plain.loop.solver.statistics.calls == 2
