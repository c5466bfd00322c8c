"""Glucose: terms as gates, gates as clauses, clauses to an incremental SAT solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from cfrontend.terms import Term, Terms
from sfo.solvers.bitblast import BitBlaster
from sfo.solvers.clause_search import ClauseSearch
from sfo.solvers.engine import SolverEngine
from sfo.solvers.gates import Gates, Literal
from sfo.solvers.protocol import SolverAnswer, SolverBudget


@final
class GlucoseSolver(SolverEngine):
    """The ``SolverProtocol`` on top of Glucose 4.2 and our own gates."""

    name = "glucose"
    price_of_term = 13_000

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self._gates = Gates()
        self._blaster = BitBlaster(self._gates)
        self._sat = ClauseSearch()

    @property
    def conflicts(self) -> int:
        """Conflicts so far."""
        return self._sat.conflicts

    def interrupt(self) -> None:
        """End the check in progress, or the next one if there is none, with ``UNKNOWN``."""
        self._sat.interrupt()

    def _make_nodes(self, order: Sequence[Term]) -> None:
        self._blaster.lower(self._terms, order, self._lowered)

    def _assert(self, node: Literal) -> None:
        self._gates.require(node)

    def _search(self, budget: SolverBudget) -> SolverAnswer:
        self._sat.add(self._gates.take())
        return self._sat.search([self._lowered[term] for term in self._assumptions], budget)

    def _value(self, term: Term) -> int:
        node, bit = self._lowered[term], self._sat.holds
        if not self._terms.width[term]:
            return int(bit(node))
        return sum(1 << i for i, literal in enumerate(node) if bit(literal))

    def _failed(self) -> tuple[Term, ...]:
        failed = self._sat.failed()
        core = []
        for term in self._assumptions:
            literal = self._lowered[term]
            if literal in failed:
                failed.remove(literal)
                core.append(term)
        return tuple(core)
