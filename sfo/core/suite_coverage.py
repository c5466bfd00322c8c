"""Coverage of a test suite: which goals its executions reach, and what is proved of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Literal, TypeAlias, final

from cfrontend.record import dataclass
from cfrontend.units import Goal, GoalKind

GoalStatus: TypeAlias = Literal["covered", "unreachable", "undecided", "left out"]
"""What is known of a goal. ``left out``: an execution reaches it that the suite has no place for."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedGoal:
    """A goal and what is known of it: the ids of the ``executions`` that reach it, or the ``reason`` for none.

    ``unwind`` is the bound within which no execution reaches an unreachable one; None: none does within any.
    """

    goal: Goal
    status: GoalStatus
    executions: tuple[int, ...] = ()
    unwind: int | None = None
    reason: str = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedExpectation:
    """Changed expectation: what a ``test`` of a suite expected ``before`` the update, and what it sees ``now``."""

    test: str
    before: str
    now: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteUpdate:
    """Suite update: the ids of the tests that were kept, turned, redundant, invalid or added.

    Of those ``kept``, the outcome of some has ``turned``. ``redundant`` ones are left out because others reach what
    they reach, ``invalid`` ones because they are no execution of the program any more, with the reason. ``added`` ones
    are new. ``changed`` are the recorded results that are others now, also of tests that are left out.
    """

    kept: tuple[int, ...]
    turned: tuple[int, ...]
    redundant: tuple[int, ...]
    invalid: Mapping[int, str] = field(default_factory=dict)
    added: tuple[int, ...]
    changed: tuple[ChangedExpectation, ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteCoverage:
    """What a suite covers of the goals of one kind.

    ``chosen`` executions were chosen for goals, beside those that the suite has anyway; no ``at_least`` - 1 of all that
    were found reach as many. ``unwind`` is the largest bound that was looked at. ``update`` says what became of the
    tests of a suite that was updated, None of a new one.
    """

    kind: GoalKind
    goals: tuple[DecidedGoal, ...]
    chosen: int
    at_least: int
    unwind: int
    update: SuiteUpdate | None = None

    def of(self, status: GoalStatus) -> tuple[DecidedGoal, ...]:
        """The goals with this status."""
        return tuple(goal for goal in self.goals if goal.status == status)

    @property
    def score(self) -> Fraction | None:
        """Mutation score: the part of the mutants that are not proved equivalent that executions kill.

        None for another goal, and where all are equivalent.
        """
        counted = len(self.goals) - len(self.of("unreachable"))
        return Fraction(len(self.of("covered")), counted) if self.kind == "mutants" and counted else None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GoalsOfTests:
    """The goals of one kind: how many there are, and which of them each execution reaches."""

    kind: GoalKind
    number: int
    reached: tuple[frozenset[int], ...]

    def reached_by(self, executions: Sequence[int]) -> frozenset[int]:
        """The goals that some of the ``executions`` reach, which are numbers."""
        return frozenset[int]().union(*(self.reached[execution] for execution in executions))


def goals_together(kinds: Sequence[GoalsOfTests]) -> tuple[frozenset[int], ...]:
    """Goals of several kinds, numbered through, that each execution reaches; all kinds are of the same executions."""
    found = [frozenset[int]() for _ in kinds[0].reached]
    first = 0
    for goals in kinds:
        found = [
            known | {first + goal for goal in reached}
            for known, reached in zip(found, goals.reached, strict=True)
        ]
        first += goals.number
    return tuple(found)
