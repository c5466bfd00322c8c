"""Choice of a suite's executions: the fewest that reach what all do, and of an updated suite the tests that it had.

t1 reaches {1,2}  t2 {3}  new {1,2,3}     a new suite has one; one and a half times that is one: only new
t1 reaches {1,2}  t2 {3}  new {3,4}       a new suite has two: t1 and new

A test of an updated suite has its id as its name, so what it is called does not depend on what is left out beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias, final

import numpy as np

from cfrontend.record import dataclass
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.core.result import Result
from sfo.core.suite_coverage import ChangedExpectation, SuiteUpdate
from sfo.execution.test_import import ExecutedImportedTests, KeptSuiteTest
from sfo.pipeline.options import SuiteOptions
from sfo.spectra.matrix import coverage_matrix_from_dataset
from sfo.spectra.set_cover import SetCover, distinct_rows, fewest_cover
from sfo.spectra.suite_reduction import reduce_suite
from sfo.test_generation.goal_search import ReachingExecution
from sfo.test_generation.seed_tests import numbered_seed_tests


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteChoice:
    """Executions of a suite: those that it ``kept``, and those ``chosen`` for goals, by what they reach."""

    kept: tuple[ReachingExecution, ...]
    chosen: tuple[ReachingExecution, ...]
    at_least: int


Confirm: TypeAlias = Callable[[ReachingExecution, bool], ReachingExecution]
"""Says what an execution reaches for sure; with True, after a look at all that it reaches perhaps."""


def choose_confirmed(
    kept: Sequence[ReachingExecution],
    candidates: Sequence[ReachingExecution],
    suite: SuiteOptions,
    confirm: Confirm = lambda reaching, _ask: reaching,
) -> tuple[SuiteChoice, list[ReachingExecution]]:
    """``choose_executions``, and the candidates, where the chosen ones have been confirmed.

    Where the user ends this, what was not looked at is not reached.
    """
    candidates = list(candidates)
    try:
        while True:
            choice = choose_executions(kept, candidates, suite)
            sure = {c.execution.id: confirm(c, True) for c in choice.chosen}
            if all(sure[c.execution.id] == c for c in choice.chosen):
                return choice, candidates
            candidates = [sure.get(c.execution.id, c) for c in candidates]
    except KeyboardInterrupt:
        candidates = [confirm(c, False) for c in candidates]
        return choose_executions(kept, candidates, suite), candidates


def choose_executions(
    kept: Sequence[ReachingExecution], candidates: Sequence[ReachingExecution], suite: SuiteOptions
) -> SuiteChoice:
    """Suite reduction: the fewest of ``candidates`` that reach what the ``kept`` ones do not.

    Tests of a suite that is updated come before others, as long as that does not make it much larger.
    """
    known = goals_reached(kept)
    usual = [c for c in candidates if not has_turned(c, suite)]
    cover = _fewest([candidate.goals - known for candidate in usual])
    chosen = [usual[n] for n in cover.chosen]
    if suite.update is not None:
        size = int(policy().suites.growth * (len(kept) + len(chosen))) - len(kept)
        chosen = _older_first(usual, known, size)
        turned = [c for c in candidates if has_turned(c, suite)]
        chosen += _most_reaching(turned, known | goals_reached(chosen), size - len(chosen))
        chosen = _without_needless(chosen, known)
    return SuiteChoice(kept=tuple(kept), chosen=tuple(chosen), at_least=cover.at_least)


def goals_reached(executions: Iterable[ReachingExecution]) -> frozenset[int]:
    """The goals that any of ``executions`` reaches."""
    return frozenset[int]().union(*(e.goals for e in executions))


def has_turned(candidate: ReachingExecution, suite: SuiteOptions) -> bool:
    """Whether an execution is that of a test which passed before and fails now.

    What only such ones reach is no goal of a new suite.
    """
    return candidate.execution.outcome == "fail" and candidate.execution.test in suite.passed


def _older_first(
    candidates: Sequence[ReachingExecution], known: frozenset[int], most: int
) -> list[ReachingExecution]:
    """Up to ``most`` executions that reach what all do, and among them as many existing tests as that leaves room for.

    An existing test that the others make needless is left out again.
    """
    existing = [c for c in candidates if c.execution.test]
    older = [existing[n] for n in _fewest([c.goals - known for c in existing]).chosen]
    chosen: list[ReachingExecution] = []
    for number in range(len(older), -1, -1):
        some = _most_reaching(older, known, number)
        reached = known | goals_reached(some)
        rest = [candidates[n] for n in _fewest([c.goals - reached for c in candidates]).chosen]
        chosen = _without_needless([*some, *rest], known)
        if len(chosen) <= most:
            break
    return chosen


def _without_needless(chosen: Sequence[ReachingExecution], known: frozenset[int]) -> list[ReachingExecution]:
    return [chosen[n] for n in _fewest([c.goals - known for c in chosen]).chosen]


def _fewest(reached: Sequence[frozenset[int]]) -> SetCover:
    rows = sorted(frozenset[int]().union(*reached))
    if not rows:
        return SetCover(chosen=(), at_least=0)
    return fewest_cover(
        distinct_rows(np.array([[goal in goals for goals in reached] for goal in rows], dtype=np.bool_))
    )


def _most_reaching(
    candidates: Sequence[ReachingExecution], known: frozenset[int], number: int
) -> list[ReachingExecution]:
    """Up to ``number`` of ``candidates``, each of which reaches most of what is still open, and something."""
    chosen: list[ReachingExecution] = []
    for _ in range(number):
        best = max(candidates, key=lambda c: len(c.goals - known), default=None)
        if best is None or best.goals <= known:
            break
        chosen.append(best)
        known |= best.goals
    return [c for c in candidates if c in chosen]


# -- update ----------------------------------------------------------------------------------------------------


def with_executions_of_tests(
    result: Result, ran: ExecutedImportedTests, suite: SuiteOptions
) -> tuple[Result, tuple[Execution, ...]]:
    """``result`` with the tests that ``ran`` where it has no executions, and all these executions.

    In an updated suite, what ends in no way that is a test's is among the latter only.
    """
    executions = result.dataset.executions
    if not executions:
        executions = numbered_seed_tests(ran.executions, suite.ids)
    left = executions
    if suite.update is not None:
        left = tuple(e for e in executions if e.outcome is not None)
    return replace(result, dataset=replace(result.dataset, executions=left)), executions


def kept_by_update(
    result: Result, given: Sequence[ReachingExecution], telling: int
) -> tuple[list[ReachingExecution], list[ReachingExecution]]:
    """The executions that the updated suite has in any case, and those that it has where they reach a goal.

    In it are the fewest failing ones that share no more units than all do, and as many passing ones of different
    coverage as would tell them from passing ones in a new suite, ``telling``.
    """
    reduced = reduce_suite(coverage_matrix_from_dataset(result.dataset))
    wanted = set(reduced.failing)
    if wanted:
        wanted.update(reduced.passing[:telling])
    kept = [e for n, e in enumerate(given) if n in wanted]
    return kept, [e for e in given if e not in kept]


def updated_suite(
    tests: Sequence[KeptSuiteTest],
    ran: ExecutedImportedTests,
    tested: Sequence[Execution],
    executions: Sequence[Execution],
) -> SuiteUpdate:
    """What became of the ``tests``, which were ``tested``; some are among the ``executions`` of the suite."""
    left = {e.id: e for e in executions if e.test}
    ended = {e.test: e for e in tested if e.test}
    invalid: dict[int, str] = {}
    redundant: list[int] = []
    changed: list[ChangedExpectation] = []
    for test in tests:
        execution = ended.get(test.case.name)
        if execution is not None:
            changed += _changed_expectation(test, execution, named=test.id not in left)
        if test.id in left:
            continue
        if execution is None:
            invalid[test.id] = ran.unfit.get(test.case.name, "the limit was reached before its execution")
        elif execution.outcome is None:
            invalid[test.id] = execution.ended
        else:
            redundant.append(test.id)
    return SuiteUpdate(
        kept=tuple(test.id for test in tests if test.id in left),
        turned=tuple(t.id for t in tests if t.id in left and left[t.id].outcome != t.outcome),
        redundant=tuple(redundant),
        invalid=invalid,
        added=tuple(e.id for e in executions if not e.test),
        changed=tuple(changed),
    )


def _changed_expectation(
    test: KeptSuiteTest, execution: Execution, *, named: bool
) -> Iterator[ChangedExpectation]:
    """What a test printed where that is something else now, and how it ended where it is left out and so ``named``."""
    if execution.outcome is None:
        return
    name = f"test {test.id}"
    if named and test.outcome and execution.outcome != test.outcome:
        before = "passes" if test.outcome == "pass" else "fails"
        yield ChangedExpectation(test=name, before=before, now=execution.ended)
    elif test.outcome == execution.outcome == "pass" and test.output not in (None, execution.output):
        yield ChangedExpectation(test=name, before=_shown(test.output or ""), now=_shown(execution.output))


def _shown(printed: str) -> str:
    """Printed text as a literal that is short enough to be read."""
    return json.dumps(printed if len(printed) <= _MOST_SHOWN else f"{printed[:_MOST_SHOWN]}...")


_MOST_SHOWN: Final = 40
"""Characters of printed text that are shown of a changed expectation."""
