"""Choice of a suite's executions: the fewest that reach what all do, and of an updated suite the tests that it had.

t1 reaches {1,2}  t2 {3}  new {1,2,3}     a new suite has one; one and a half times that is one: only new
t1 reaches {1,2}  t2 {3}  new {3,4}       a new suite has two: t1 and new
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, final

import numpy as np

from cfrontend.record import dataclass
from sfo.core.policy import policy
from sfo.pipeline.options import SuiteOptions
from sfo.spectra.set_cover import SetCover, distinct_rows, fewest_cover
from sfo.test_generation.goal_search import ReachingExecution


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteChoice:
    """Executions of a suite: those that it ``kept``, and those ``chosen`` for goals, by what they reach."""

    kept: tuple[ReachingExecution, ...]
    chosen: tuple[ReachingExecution, ...]
    at_least: int


class Confirm(Protocol):
    """Says what an execution reaches for sure; with ``ask``, after a look at all that it reaches perhaps."""

    def __call__(self, reaching: ReachingExecution, /, *, ask: bool = True) -> ReachingExecution:
        """The execution with the goals that it reaches."""


def as_it_is(reaching: ReachingExecution, /, *, ask: bool = True) -> ReachingExecution:
    """An execution of which it is known what it reaches."""
    del ask
    return reaching


def choose_confirmed(
    kept: Sequence[ReachingExecution],
    candidates: Sequence[ReachingExecution],
    suite: SuiteOptions,
    confirm: Confirm,
) -> tuple[SuiteChoice, list[ReachingExecution]]:
    """``choose_executions``, and the candidates, where the chosen ones have been confirmed.

    Where the user ends this, what was not looked at is not reached.
    """
    candidates = list(candidates)
    try:
        while True:
            choice = choose_executions(kept, candidates, suite)
            sure = {c.execution.id: confirm(c) for c in choice.chosen}
            if all(sure[c.execution.id] == c for c in choice.chosen):
                return choice, candidates
            candidates = [sure.get(c.execution.id, c) for c in candidates]
    except KeyboardInterrupt:
        candidates = [confirm(c, ask=False) for c in candidates]
        return choose_executions(kept, candidates, suite), candidates


def choose_executions(
    kept: Sequence[ReachingExecution], candidates: Sequence[ReachingExecution], suite: SuiteOptions
) -> SuiteChoice:
    """The fewest of ``candidates`` that reach what the ``kept`` ones do not; of ``most``, those that reach most.

    Tests of a suite that is updated come before others, as long as that does not make it much larger.
    """
    most = suite.most
    if most is not None:
        kept = kept[:most]
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
    if most is not None and len(chosen) > most - len(kept):
        chosen = _most_reaching(chosen, known, most - len(kept))
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
