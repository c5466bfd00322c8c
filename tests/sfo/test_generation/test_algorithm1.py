import random
from collections import Counter
from collections.abc import Collection, Sequence

from hypothesis import given
from hypothesis import strategies as st

from cfrontend.terms import FALSE, Term, Terms
from sfo.core.executions import Execution, covered_by_all_executions
from sfo.oracles.protocol import Found, PoolOracle, UnknownOracleAnswer
from sfo.solvers.hitting_sets import HittingSets
from sfo.test_generation.algorithm1 import algorithm1_failing_executions, algorithm1_passing_executions
from tests.sfo.models import PAPER_VECTORS, encoded, every_execution, execution, minmax, oracle_for, run


def test_example_8_of_the_paper() -> None:
    program = minmax(Terms())
    population = [run(program, vector, number) for number, vector in enumerate(PAPER_VECTORS, start=1)]
    result = algorithm1_failing_executions(PoolOracle(population), population[0])
    assert [e.id for e in result.executions] == [1, 2]
    assert covered_by_all_executions(result.executions) == {1, 4}
    assert result.optimal


def test_minmax_is_optimal_with_c1_and_c4() -> None:
    oracle = oracle_for(minmax(Terms()))
    seed = oracle.failing()
    assert isinstance(seed, Execution)
    result = algorithm1_failing_executions(oracle, seed)
    assert covered_by_all_executions(result.executions) == {1, 4}
    assert result.optimal
    assert len(result.executions) <= 5


def test_passing_runs_of_minmax_differ_and_are_exhausted() -> None:
    program = minmax(Terms())
    result = algorithm1_passing_executions(oracle_for(program).passing)
    expected = {e.covered for e in every_execution(minmax(Terms(), width=3)) if e.outcome == "pass"}
    assert {e.covered for e in result.executions} == expected
    assert len(result.executions) == len(expected)
    assert result.exhausted


def test_passing_runs_stop_after_the_attempts() -> None:
    result = algorithm1_passing_executions(oracle_for(minmax(Terms())).passing, attempts=2)
    assert len(result.executions) == 2
    assert not result.exhausted


# -- unknown -----------------------------------------------------------------------------------------------------


class Weak:
    """A pool that gives up on questions about more than ``limit`` units and on those about ``hard`` ones alone."""

    def __init__(self, pool: Sequence[Execution], *, limit: int = 100, hard: Collection[int] = ()) -> None:
        self.pool = PoolOracle(pool)
        self.limit = limit
        self.hard = hard

    def failing(self, not_all_of: Collection[int] | None = None) -> Found:
        units = not_all_of or ()
        if len(units) > self.limit or (len(units) == 1 and set(units) <= set(self.hard)):
            return UnknownOracleAnswer("unknown")
        return self.pool.failing(not_all_of)

    def passing(self, unlike: Sequence[frozenset[int]]) -> Found:
        return self.pool.passing(unlike) if len(unlike) < self.limit else UnknownOracleAnswer("timeout")


POOL = [execution(1, "fail", [1, 2, 3, 4]), execution(2, "fail", [1, 2, 4]), execution(3, "fail", [1, 2, 3])]


class Spent:
    """An oracle whose budget is spent: it decides nothing, not even of no units. ``asked`` are its questions."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def failing(self, not_all_of: Collection[int] | None = None) -> Found:
        self.asked.append(not_all_of)
        assert len(self.asked) < 100, "the same is asked for ever"
        return UnknownOracleAnswer("tried")

    def passing(self, unlike: Sequence[frozenset[int]]) -> Found:
        self.asked.append(unlike)
        return UnknownOracleAnswer("tried")


def test_the_rounds_end_where_the_oracle_decides_nothing_any_more() -> None:
    result = algorithm1_failing_executions(Spent(), POOL[0])
    assert result.executions == (POOL[0],)
    assert result.undecided == (1, 2, 3, 4)
    assert result.stop == "tried"


def test_what_is_undecided_together_is_decided_one_by_one() -> None:
    result = algorithm1_failing_executions(Weak(POOL, limit=1), POOL[0])
    assert covered_by_all_executions(result.executions) == {1, 2}
    assert result.optimal
    assert result.stop is None


def test_a_unit_undecided_alone_is_reported_and_the_others_go_on() -> None:
    result = algorithm1_failing_executions(Weak(POOL, limit=1, hard={2}), POOL[0])
    assert covered_by_all_executions(result.executions) == {1, 2}
    assert result.undecided == (2,)
    assert not result.optimal
    assert result.stop == "unknown"


def test_an_undecided_unit_that_a_later_run_avoids_is_decided() -> None:
    pool = [execution(1, "fail", [1, 2, 3]), execution(2, "fail", [1])]
    result = algorithm1_failing_executions(Weak(pool, limit=1, hard={2}), pool[0])
    assert covered_by_all_executions(result.executions) == {1}
    assert result.optimal


def test_nothing_is_proved_when_the_oracle_has_stopped() -> None:
    result = algorithm1_failing_executions(Weak(POOL, limit=0), POOL[0])
    assert result.undecided == (1, 2, 3, 4)
    assert result.executions == (POOL[0],)


def test_passing_runs_keep_what_they_have() -> None:
    pool = [execution(n, "pass", [n]) for n in range(1, 6)]
    result = algorithm1_passing_executions(Weak(pool, limit=3).passing)
    assert [e.id for e in result.executions] == [1, 2, 3]
    assert (result.exhausted, result.stop) == (False, "timeout")


# -- against all inputs ------------------------------------------------------------------------------------------


@st.composite
def conditions(draw: st.DrawFn, t: Terms, words: Sequence[Term], depth: int = 3) -> Term:
    """A Boolean term over ``words``."""
    kinds = ["eq", "ult", "slt"] + (["not", "and", "or"] if depth else [])
    kind = draw(st.sampled_from(kinds))
    if kind == "not":
        return t.not_(draw(conditions(t, words, depth - 1)))
    if kind in ("and", "or"):
        a, b = draw(conditions(t, words, depth - 1)), draw(conditions(t, words, depth - 1))
        return t.and_(a, b) if kind == "and" else t.or_(a, b)
    width = t.width[words[0]]
    a = draw(st.sampled_from(words))
    b = draw(st.one_of(st.sampled_from(words), st.integers(0, 2**width - 1).map(lambda v: t.const(v, width))))
    b = t.add(b, draw(st.sampled_from(words))) if draw(st.booleans()) else b
    return {"eq": t.eq, "ult": t.ult, "slt": t.slt}[kind](a, b)


@given(data=st.data())
def test_the_intersection_is_that_of_all_failing_executions_there_are(data: st.DataObject) -> None:
    t = Terms()
    width = data.draw(st.sampled_from([1, 4]))
    words = [t.var(f"x{i}", width) for i in range(2)]
    boolean = conditions(t, words)
    coverage = {n: data.draw(boolean) for n in range(1, data.draw(st.integers(1, 6)) + 1)}
    program = encoded(
        t,
        coverage,
        {
            f"main.assertion.{n}": term
            for n, term in enumerate(_disjoint(t, [data.draw(boolean) for _ in range(2)]), 1)
        },
        inputs=words,
        assumed=data.draw(boolean),
        cut=data.draw(st.one_of(st.just(FALSE), boolean)),
    )
    failing = [e for e in every_execution(program) if e.outcome == "fail"]
    oracle = oracle_for(program)
    seed = oracle.failing()
    if not failing:
        assert seed is None
        return
    assert isinstance(seed, Execution)
    result = algorithm1_failing_executions(oracle, seed)
    assert result.optimal
    assert covered_by_all_executions(result.executions) == covered_by_all_executions(failing)
    assert all(run(program, _vector(e)).covered == e.covered for e in result.executions)
    passing = algorithm1_passing_executions(oracle.passing, attempts=100)
    assert {e.covered for e in passing.executions} == {
        e.covered for e in every_execution(program) if e.outcome == "pass"
    }


def _random_condition(chance: random.Random, t: Terms, words: Sequence[Term], depth: int = 3) -> Term:
    kind = chance.choice(["eq", "ult", "slt", *(["not", "and", "or"] if depth else [])])
    if kind == "not":
        return t.not_(_random_condition(chance, t, words, depth - 1))
    if kind in ("and", "or"):
        a, b = (_random_condition(chance, t, words, depth - 1) for _ in range(2))
        return t.and_(a, b) if kind == "and" else t.or_(a, b)
    a, width = chance.choice(words), t.width[words[0]]
    b = chance.choice([chance.choice(words), t.const(chance.randrange(1 << width), width)])
    return {"eq": t.eq, "ult": t.ult, "slt": t.slt}[kind](a, b)


def _fewest(failing: Sequence[frozenset[int]]) -> int:
    """The size of a smallest set of failing executions that cover in common what all do: a hitting set."""
    avoidable = frozenset.union(*failing) - frozenset.intersection(*failing)
    sets = HittingSets()
    for unit in sorted(avoidable):
        sets.demand([n for n, covered in enumerate(failing, start=1) if unit not in covered])
    smallest = sets.smallest()
    assert smallest is not None
    return max(1, len(smallest))


def test_there_is_at_most_one_failing_execution_more_than_needed() -> None:
    """Against the exact minimum, on programs that fail in several ways."""
    surplus: Counter[int] = Counter()
    for seed in range(250):
        chance, t = random.Random(seed), Terms()
        words = [t.var(f"x{i}", 3) for i in range(3)]
        coverage = {n: _random_condition(chance, t, words) for n in range(1, chance.randrange(4, 14))}
        program = encoded(t, coverage, _random_condition(chance, t, words, 2), inputs=words)
        failing = sorted({e.covered for e in every_execution(program) if e.outcome == "fail"}, key=sorted)
        if failing:
            oracle = oracle_for(program)
            seed_run = oracle.failing()
            assert isinstance(seed_run, Execution)
            surplus[len(algorithm1_failing_executions(oracle, seed_run).executions) - _fewest(failing)] += 1
    assert set(surplus) <= {0, 1}
    assert surplus[0] > 20 * surplus[1]
    assert surplus.total() > 150


def _disjoint(t: Terms, items: Sequence[Term]) -> list[Term]:
    """An execution ends at its first violation."""
    first, second = items
    return [first, t.and_(t.not_(first), second)]


def _vector(e: Execution) -> list[int]:
    return [value.value for value in e.inputs]
