"""Protocol of solvers: incremental checks under assumptions with three answers and a budget.

``UNKNOWN`` is an answer of its own. It never counts as ``UNSAT``: what nobody could decide is neither safe nor
optimal.

    solver.add(t.ult(x, t.const(5, 8)))
    solver.check([t.eq(x, t.const(3, 8))], Budget(seconds=10))  ->  Answer.SAT
    solver.values([x])                                          ->  [3]
    solver.check([t.eq(x, t.const(9, 8))], Budget(seconds=10))  ->  Answer.UNSAT
    solver.core()                                               ->  (x = 9,)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass as mutable_dataclass
from enum import Enum, unique
from typing import Final, Protocol, final

from cfrontend.record import dataclass
from cfrontend.terms import Term


@unique
class SolverAnswer(Enum):
    """Outcome of one check."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


@final
@dataclass(frozen=True, slots=True)
class SolverBudget:
    """Budget of one check; None is without limit.

    ``seconds`` is wall time. ``conflicts`` is search effort in the engine's own unit, ``effort`` is effort as
    ``cfrontend.effort`` counts it; both do not depend on the machine: equal queries in equal order end equally. A
    check that spends any of them ends in ``UNKNOWN``.
    """

    seconds: float | None = None
    conflicts: int | None = None
    effort: int | None = None


UNLIMITED: Final = SolverBudget()
"""Search until there is an answer."""


@final
@mutable_dataclass(slots=True)
class SolverStatistics:
    """Totals since the solver was made.

    ``calls`` of check and the wall ``seconds`` of their searches; the wall seconds it took to ``translate`` terms into
    those of the engine (narrowing included).
    """

    calls: int = 0
    seconds: float = 0.0
    translate: float = 0.0


class SolverProtocol(Protocol):
    """An incremental solver over the terms of one store."""

    @property
    def name(self) -> str:
        """Name by which ``make_solver`` knows it."""

    @property
    def statistics(self) -> SolverStatistics:
        """Totals so far."""

    def add(self, term: Term) -> None:
        """Assert the Boolean ``term`` for good. Values and core of the last check are gone after it."""

    def check(self, assumptions: Sequence[Term] = (), budget: SolverBudget = UNLIMITED) -> SolverAnswer:
        """Decide whether everything added and, for this call only, all ``assumptions`` can be true together."""

    def values(self, terms: Sequence[Term]) -> list[int]:
        """Unsigned values (Booleans 0 or 1) in the model of the last check.

        Any term can be asked for; a variable that the solver never met is 0. Raises InternalError unless the
        last check answered SAT.
        """

    def core(self) -> tuple[Term, ...]:
        """Assumptions of the last check that cannot all hold, in their order; empty when none is needed.

        Raises InternalError unless the last check answered UNSAT.
        """

    def interrupt(self) -> None:
        """End the check in progress, or the next one if there is none, with ``UNKNOWN``."""
