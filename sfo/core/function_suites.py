"""Suites of the functions of a library: what is known of each of them, as it is kept from one execution to the next."""

from __future__ import annotations

from typing import Literal, TypeAlias, final

from cfrontend.record import dataclass
from cfrontend.units import GoalKind
from sfo.core.suite_coverage import GoalStatus

FunctionSuiteStatus: TypeAlias = Literal["suite", "no goals", "no execution", "passed over"]
"""What became of a function: a suite, nothing to reach, no execution that passes or fails, or it can be no entry."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionSuiteGoal:
    """A goal in a function that its suite does not reach, and why."""

    line: int
    text: str
    outcome: str
    status: GoalStatus
    reason: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionSuite:
    """The suite of one function: its ``goals``, how many of them are ``covered``, and the ``others``.

    ``said`` is the reason where there is none. ``digest`` is of all that it was made from.
    """

    function: str
    file: str
    line: int
    digest: str
    status: FunctionSuiteStatus
    said: str = ""
    tests: int = 0
    failing: int = 0
    goals: int = 0
    covered: int = 0
    others: tuple[FunctionSuiteGoal, ...] = ()

    def number(self, status: GoalStatus) -> int:
        """How many goals have this status."""
        if status == "covered":
            return self.covered
        return sum(goal.status == status for goal in self.others)

    @property
    def open(self) -> int:
        """How many goals are neither covered nor proved to be unreachable."""
        return self.goals - self.covered - self.number("unreachable")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LibrarySuite:
    """The suites of all functions of a library, in the order of the text, with the ``kind`` of their goals."""

    kind: GoalKind
    functions: tuple[FunctionSuite, ...]

    @property
    def goals(self) -> int:
        """How many goals all functions have."""
        return sum(function.goals for function in self.functions)

    @property
    def open(self) -> int:
        """How many of them are neither covered nor proved to be unreachable."""
        return sum(function.open for function in self.functions)

    def number(self, status: GoalStatus) -> int:
        """How many goals of all functions have this status."""
        return sum(function.number(status) for function in self.functions)
