"""Any solver that pysmt can drive, as ``pysmt:NAME``: z3, cvc5, msat, yices, ... and what a user adds to pysmt.

pysmt has no common way to limit a search or to end one: a budget that is used up before a check begins is kept, and
Ctrl-C is heard where the solver lets Python hear it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, final

from pysmt.environment import Environment
from pysmt.exceptions import PysmtException, SolverReturnedUnknownResultError
from pysmt.logics import QF_BV

from cfrontend.errors import UsageError
from cfrontend.terms import Term, Terms
from sfo.core.extras import EXTRA_OF_LIBRARY, how_to_install_extra
from sfo.solvers.engine import WordEngine
from sfo.solvers.operators import operator_names
from sfo.solvers.protocol import SolverAnswer, SolverBudget


@final
class PysmtSolver(WordEngine):
    """The ``SolverProtocol`` on top of pysmt. Raises UsageError for a solver that pysmt does not have."""

    price_of_term = 20_000

    def __init__(self, terms: Terms, engine: str) -> None:
        super().__init__(terms)
        self.name = f"pysmt:{engine}"
        environment = Environment()
        self._manager = environment.formula_manager
        known = sorted(environment.factory.all_solvers(logic=QF_BV))
        if engine not in known:
            how = "pysmt-install adds others"
            if engine in EXTRA_OF_LIBRARY:
                how = f"{how_to_install_extra(engine)} adds it"
            raise UsageError(
                f"pysmt has no solver {engine!r} for bit-vectors here: it has {', '.join(known) or 'none'}; {how}"
            )
        try:
            self._solver: Any = environment.factory.Solver(name=engine, logic=QF_BV)
        except PysmtException as error:
            raise UsageError(f"pysmt cannot start the solver {engine!r}: {error}") from error
        self._makers: dict[int, Callable[..., Any]] = {
            op: getattr(self._manager, name) for op, name in operator_names("pysmt").items()
        }
        self._interrupted = False

    def interrupt(self) -> None:
        """End the next check with ``UNKNOWN``; one in progress goes on."""
        self._interrupted = True

    def _make_sort(self, width: int) -> Any:
        types = self._manager.env.type_manager
        return types.BVType(width) if width else types.BOOL()

    def _variable(self, term: Term) -> Any:
        return self._manager.Symbol(f"v{term}", self._sort(self._terms.width[term]))

    def _constant(self, value: int, width: int) -> Any:
        return self._manager.BV(value, width) if width else self._manager.Bool(bool(value))

    def _apply(self, op: int, nodes: list[Any], indices: Sequence[int] = ()) -> Any:
        return self._makers[op](*nodes, *reversed(indices))  # of an extract pysmt wants the lowest bit first

    def _assert(self, node: Any) -> None:
        self._solver.add_assertion(node)

    def _search(self, budget: SolverBudget) -> SolverAnswer:
        spent = (budget.seconds is not None and budget.seconds <= 0) or 0 in (budget.conflicts, budget.effort)
        if spent or self._interrupted:
            self._interrupted = False
            return SolverAnswer.UNKNOWN
        try:
            found = self._solver.solve([self._lowered[term] for term in self._assumptions])
        except SolverReturnedUnknownResultError:
            return SolverAnswer.UNKNOWN
        return SolverAnswer.SAT if found else SolverAnswer.UNSAT

    def _value(self, term: Term) -> int:
        return int(self._solver.get_py_value(self._lowered[term]))

    def _failed(self) -> tuple[Term, ...]:
        """All assumptions: pysmt does not say which took part."""
        return self._assumptions
