"""cvc5: a third opinion. QF_BV only, which is all that terms can say.

cvc5 has limits of time only and holds the interpreter while it searches, so a search goes in slices, each twice as
long as the one before: between two of them Ctrl-C and other threads are heard.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any, Final, final

import cvc5

from cfrontend.effort import charge_effort
from cfrontend.terms import Term, Terms
from sfo.solvers.engine import WordEngine
from sfo.solvers.operators import operator_names
from sfo.solvers.protocol import SolverAnswer, SolverBudget

_KINDS: Final = {op: getattr(cvc5.Kind, name) for op, name in operator_names("cvc5").items()}

_GOES_ON: Final = (cvc5.UnknownExplanation.TIMEOUT, cvc5.UnknownExplanation.RESOURCEOUT)
"""Why a slice ends that another one may follow."""

_FIRST_SLICE: Final = 0.25
"""Seconds of the first slice."""

RESOURCE: Final = 200_000
"""Effort of one unit of cvc5's resources."""

_RESOURCES: Final = 10_000
"""Units that one slice may use, which cvc5 wants to know before its first question."""

_CONFLICT: Final = 5
"""Units that a conflict of a budget stands for: cvc5 does not count conflicts."""

_OPTIONS: Final = {
    "incremental": "true",
    "produce-models": "true",
    "produce-unsat-assumptions": "true",
    "rlimit-per": str(_RESOURCES),
}


@final
class Cvc5Solver(WordEngine):
    """The ``SolverProtocol`` on top of cvc5."""

    name = "cvc5"
    price_of_term = 5_000

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self._manager = cvc5.TermManager()
        self._solver: Any = cvc5.Solver(self._manager)
        for option, value in _OPTIONS.items():
            self._solver.setOption(option, value)
        self._solver.setLogic("QF_BV")
        self._interrupted = False

    def interrupt(self) -> None:
        """End the check in progress after its slice, or the next one if there is none, with ``UNKNOWN``."""
        self._interrupted = True

    def _make_sort(self, width: int) -> Any:
        return self._manager.mkBitVectorSort(width) if width else self._manager.getBooleanSort()

    def _variable(self, term: Term) -> Any:
        return self._manager.mkConst(self._sort(self._terms.width[term]), self._terms.names[term])

    def _constant(self, value: int, width: int) -> Any:
        manager = self._manager
        return manager.mkBitVector(width, str(value), 10) if width else manager.mkBoolean(bool(value))

    def _apply(self, op: int, nodes: list[Any], indices: Sequence[int] = ()) -> Any:
        kind = self._manager.mkOp(_KINDS[op], *indices) if indices else _KINDS[op]
        return self._manager.mkTerm(kind, *nodes)

    def _assert(self, node: Any) -> None:
        self._solver.assertFormula(node)

    def _search(self, budget: SolverBudget) -> SolverAnswer:
        nodes = [self._lowered[term] for term in self._assumptions]
        deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        units, length = _resources(budget), _FIRST_SLICE
        try:
            while not self._interrupted and units > 0:
                left = length if deadline is None else min(length, deadline - time.monotonic())
                if left <= 0:
                    break
                if deadline is not None:
                    self._solver.setOption("tlimit-per", str(int(left * 1000) + 1))
                before = self._used()
                result = self._solver.checkSatAssuming(*nodes)
                used = self._used() - before
                units -= used
                charge_effort(RESOURCE * used)
                if result.isSat():
                    return SolverAnswer.SAT
                if result.isUnsat():
                    return SolverAnswer.UNSAT
                if result.getUnknownExplanation() not in _GOES_ON:
                    break
                length *= 2
        finally:
            self._interrupted = False
        return SolverAnswer.UNKNOWN

    def _used(self) -> int:
        """The units of resources that were used so far."""
        return int(self._solver.getStatistics().get(True, True)["resource::resourceUnitsUsed"]["value"])

    def _value(self, term: Term) -> int:
        value = self._solver.getValue(self._lowered[term])
        if self._terms.width[term]:
            return int(value.getBitVectorValue(10))
        return int(value.getBooleanValue())

    def _failed(self) -> tuple[Term, ...]:
        failed = set(self._solver.getUnsatAssumptions())
        return tuple(term for term in self._assumptions if self._lowered[term] in failed)


def _resources(budget: SolverBudget) -> float:
    """The units that a budget allows."""
    conflicts = math.inf if budget.conflicts is None else budget.conflicts * _CONFLICT
    return min(conflicts, math.inf if budget.effort is None else budget.effort / RESOURCE)
