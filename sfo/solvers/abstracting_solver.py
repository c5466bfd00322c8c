"""Any solver behind an abstraction of hard functions: first asked what follows from equal operands alone.

mean == other  with  mean = sum / n  and  other = s / k   ->   unsat as soon as  sum == s  and  n == k  do not both hold
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Final, final

from cfrontend.effort import spent_effort
from cfrontend.record import dataclass
from cfrontend.terms import VAR, Term, Terms
from cfrontend.terms.abstraction import TermAbstraction
from cfrontend.terms.evaluate import evaluate_more_terms, evaluate_terms, evaluate_terms_in_order
from sfo.core.policy import policy
from sfo.solvers.protocol import UNLIMITED, SolverAnswer, SolverBudget, SolverProtocol, SolverStatistics


@final
@dataclass(frozen=True, slots=True)
class _Limits:
    """Budget that several checks share but for its conflicts, as it was at the beginning of the first of them."""

    budget: SolverBudget
    begin: float = field(default_factory=time.monotonic)
    spent: int = field(default_factory=spent_effort)

    def with_conflicts(self, conflicts: int | None) -> SolverBudget:
        """What is left of it, with so many conflicts."""
        seconds, effort = self.budget.seconds, self.budget.effort
        return SolverBudget(
            seconds=None if seconds is None else max(0.0, seconds - (time.monotonic() - self.begin)),
            conflicts=conflicts,
            effort=None if effort is None else max(0, effort - (spent_effort() - self.spent)),
        )


@final
class AbstractingSolver:
    """A ``SolverProtocol`` that answers from abstract terms where these are enough, and else from the terms.

    Where nothing holds of the abstract terms, nothing holds of the terms. A model of the abstract ones is one only if
    the terms hold of its inputs.
    """

    def __init__(self, make: Callable[[], SolverProtocol], terms: Terms) -> None:
        self.terms: Final = terms
        self._whole: Final = make()
        self._make: Final = make
        self._abstraction: Final = TermAbstraction(terms)
        self._abstract: SolverProtocol | None = None
        self._added: Final[list[Term]] = []
        self._handed_over = self._constrained = 0
        self._failures = self._waiting = 0
        self._answering: SolverProtocol = self._whole
        self._assumed: dict[Term, Term] = {}
        self._order: tuple[tuple[Term, ...], Sequence[Term]] | None = None
        self._model: Mapping[Term, int] | None = None
        self._calls = 0

    @property
    def name(self) -> str:
        """The name of the engine."""
        return self._whole.name

    @property
    def statistics(self) -> SolverStatistics:
        """Calls of this solver; seconds of both engines."""
        one = self._whole.statistics
        two = SolverStatistics() if self._abstract is None else self._abstract.statistics
        return SolverStatistics(self._calls, one.seconds + two.seconds, one.translate + two.translate)

    def add(self, term: Term) -> None:
        """Assert a Boolean for good."""
        self._whole.add(term)
        self._added.append(term)
        self._model, self._answering = None, self._whole

    def check(self, assumptions: Sequence[Term] = (), budget: SolverBudget = UNLIMITED) -> SolverAnswer:
        """Can the assumptions hold together with what was asserted?"""
        self._calls += 1
        self._model, self._answering, self._assumed = None, self._whole, {}
        left = _Limits(budget)
        if self._is_worth_it(assumptions, budget):
            answer = self._ask_abstract(assumptions, left)
            if answer is not SolverAnswer.UNKNOWN:
                self._failures = 0
                return answer
            self._failures += 1
            self._waiting = 1 << min(self._failures, policy().solving.most_waiting)
        self._answering, self._assumed = self._whole, {}
        return self._whole.check(assumptions, left.with_conflicts(budget.conflicts))

    def values(self, terms: Sequence[Term]) -> list[int]:
        """Unsigned values of whole words in the model of the last SAT answer."""
        if self._model is None:
            return self._answering.values(terms)
        found = evaluate_terms(self.terms, terms, self._model)
        return [found[term] for term in terms]

    def core(self) -> tuple[Term, ...]:
        """Assumptions that cannot hold together, after UNSAT."""
        core = self._answering.core()
        return tuple(self._assumed[term] for term in core) if self._assumed else core

    def interrupt(self) -> None:
        """End the running check with UNKNOWN."""
        if self._answering is not self._whole:
            self._answering.interrupt()
        self._whole.interrupt()

    def _is_worth_it(self, assumptions: Sequence[Term], budget: SolverBudget) -> bool:
        """Whether the abstract terms are asked: a small question not soon after they gave no answer several times."""
        if not (self.terms.applications or self._abstraction.may_prove):
            return False
        is_small = budget.conflicts is not None and budget.conflicts < policy().solving.abstract_conflicts[0]
        if self._waiting and is_small:
            self._waiting -= 1
            return False
        self._abstraction.of((*self._added[self._handed_over :], *assumptions))
        return self._abstraction.may_prove

    def _ask_abstract(self, assumptions: Sequence[Term], left: _Limits) -> SolverAnswer:
        if self._abstract is None:
            self._abstract = self._make()
        solver, abstraction = self._abstract, self._abstraction
        for term in abstraction.of(self._added[self._handed_over :]):
            solver.add(term)
        self._handed_over = len(self._added)
        asked = abstraction.of(assumptions)
        self._answering, self._assumed = solver, dict(zip(asked, assumptions, strict=True))
        least, most = policy().solving.abstract_conflicts
        conflicts = max(least, min(most, left.budget.conflicts or most))
        for _ in range(policy().solving.refinements):
            for term in abstraction.constraints[self._constrained :]:
                solver.add(term)
            self._constrained = len(abstraction.constraints)
            answer = solver.check(asked, left.with_conflicts(conflicts))
            if answer is not SolverAnswer.SAT:
                return answer
            if self._is_real(solver, assumptions):
                return SolverAnswer.SAT
            if len(abstraction.constraints) == self._constrained:
                break
        return SolverAnswer.UNKNOWN

    def _is_real(self, solver: SolverProtocol, assumptions: Sequence[Term]) -> bool:
        """Whether the terms hold of the inputs of a model of the abstract ones; else it is refined by their values."""
        t, roots = self.terms, (*self._added, *assumptions)
        if self._order is None or self._order[0] != roots:
            self._order = roots, t.cone(roots)
        order = self._order[1]
        variables = [term for term in order if t.op[term] == VAR]
        model = dict(zip(variables, solver.values(variables), strict=True))
        found = evaluate_terms_in_order(t, order, model)
        evaluate_more_terms(t, self._abstraction.applied, model, found)
        if all(found[root] for root in roots):
            self._model = model
            return True
        self._abstraction.refine(found)
        return False
