"""Executions that a suite has: against every choice there is, on executions whose goals are drawn."""

from itertools import combinations
from random import Random

import pytest

from sfo.core.executions import Execution
from sfo.execution.test_import import KeptSuiteTest
from sfo.execution.test_import.cases import VectorTestCase
from sfo.formats.vectors import NO_VECTOR
from sfo.pipeline.options import SuiteOptions
from sfo.pipeline.suite_choice import choose_confirmed, choose_executions, goals_reached
from sfo.test_generation.goal_search import ReachingExecution


def execution(
    number: int, goals: frozenset[int], *, test: str = "", fails: bool = False
) -> ReachingExecution:
    return ReachingExecution(
        execution=Execution(
            id=number,
            outcome="fail" if fails else "pass",
            property="main.assertion.1" if fails else None,
            inputs=(),
            covered=frozenset(),
            test=test,
        ),
        goals=goals,
    )


def updated(names: list[str]) -> SuiteOptions:
    """The update of a suite whose tests all passed."""
    tests = tuple(
        KeptSuiteTest(
            id=number,
            outcome="pass",
            output=None,
            case=VectorTestCase(name=name, vector=NO_VECTOR.vectors[0]),
        )
        for number, name in enumerate(names)
    )
    return SuiteOptions(update=tests)


def fewest(candidates: list[ReachingExecution]) -> int:
    """The size of the smallest choice that reaches what all reach, of all choices."""
    everything = goals_reached(candidates)
    return next(
        size
        for size in range(len(candidates) + 1)
        for some in combinations(candidates, size)
        if goals_reached(some) == everything
    )


@pytest.mark.parametrize("seed", range(60))
def test_an_updated_suite_reaches_everything_and_is_at_most_half_as_large_again_as_the_smallest(
    seed: int,
) -> None:
    draw = Random(seed)
    drawn = [
        (number, frozenset(draw.sample(range(9), draw.randint(1, 5))), draw.random() < 0.5, draw.random())
        for number in range(1, 9)
    ]
    candidates = [
        execution(n, goals, test=f"t{n}" if old else "", fails=old and chance < 0.3)
        for n, goals, old, chance in drawn
    ]
    usual = [c for c in candidates if c.execution.outcome == "pass"]
    suite = updated([f"t{n}" for n, _, old, _ in drawn if old])
    chosen = choose_executions([], candidates, suite).chosen
    assert goals_reached(usual) <= goals_reached(chosen)
    assert len(chosen) <= 1.5 * fewest(usual)
    for one in chosen:  # none is there for nothing
        assert not one.goals <= goals_reached(c for c in chosen if c is not one)
    fresh = choose_executions([], candidates, SuiteOptions()).chosen
    assert len(fresh) == fewest(candidates)


def test_tests_come_before_others_where_there_is_room() -> None:
    old = [execution(1, frozenset({1, 2}), test="a"), execution(2, frozenset({3, 4}), test="b")]
    new = [execution(3, frozenset({1, 2, 5})), execution(4, frozenset({3, 4, 6}))]
    chosen = choose_executions([], [*old, *new], updated(["a", "b"])).chosen
    assert [c.execution.id for c in chosen] == [3, 4]  # needed both, and they reach the rest, too
    both = execution(5, frozenset(range(1, 7)))
    assert choose_executions([], [*old, *new, both], updated(["a", "b"])).chosen == (both,)
    one = execution(6, frozenset({5, 6}))
    chosen = choose_executions([], [*old, *new, one], updated(["a", "b"])).chosen
    assert [c.execution.test for c in chosen] == ["a", "b", ""]


def test_what_only_a_test_that_fails_now_reaches_makes_no_suite_much_larger() -> None:
    turned = execution(1, frozenset({7, 8}), test="a", fails=True)
    needed = execution(2, frozenset({1}), fails=True)
    assert choose_executions([needed], [turned], updated(["a"])).chosen == ()
    others = [execution(3, frozenset({2}))]
    chosen = choose_executions([needed], [turned, *others], updated(["a"])).chosen
    assert {c.execution.id for c in chosen} == {1, 3}


@pytest.mark.parametrize("seed", range(30))
def test_a_suite_counts_on_nothing_that_is_not_confirmed(seed: int) -> None:
    draw = Random(seed)
    perhaps = [execution(n, frozenset(draw.sample(range(9), draw.randint(1, 6)))) for n in range(1, 8)]
    real = {c.execution.id: frozenset(g for g in c.goals if draw.random() < 0.6) for c in perhaps}
    asked = []

    def confirm(reaching: ReachingExecution, ask: bool) -> ReachingExecution:
        asked.append(reaching.execution.id)
        if ask and len(asked) > 12 and seed % 3 == 0:
            raise KeyboardInterrupt
        return ReachingExecution(execution=reaching.execution, goals=real[reaching.execution.id])

    choice, candidates = choose_confirmed([], perhaps, SuiteOptions(), confirm)
    assert all(c.goals == real[c.execution.id] for c in choice.chosen)
    truth = [ReachingExecution(execution=c.execution, goals=real[c.execution.id]) for c in perhaps]
    assert goals_reached(choice.chosen) == goals_reached(truth)
    assert len(choice.chosen) == fewest(truth)
    assert choice.at_least <= fewest(truth)
    assert goals_reached(choice.chosen) == goals_reached(candidates)
