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

from cfrontend import terms as T  # noqa: N812 - opcode namespace
from cfrontend.effort import charge_effort
from cfrontend.errors import InternalError
from cfrontend.terms import Term, Terms
from sfo.solvers.engine import SolverEngine
from sfo.solvers.protocol import SolverAnswer, SolverBudget

_KINDS: Final[dict[int, Any]] = {
    T.NOT: cvc5.Kind.NOT,
    T.AND: cvc5.Kind.AND,
    T.OR: cvc5.Kind.OR,
    T.EQ: cvc5.Kind.EQUAL,
    T.ULT: cvc5.Kind.BITVECTOR_ULT,
    T.SLT: cvc5.Kind.BITVECTOR_SLT,
    T.ITE: cvc5.Kind.ITE,
    T.ADD: cvc5.Kind.BITVECTOR_ADD,
    T.SUB: cvc5.Kind.BITVECTOR_SUB,
    T.MUL: cvc5.Kind.BITVECTOR_MULT,
    T.UDIV: cvc5.Kind.BITVECTOR_UDIV,
    T.UREM: cvc5.Kind.BITVECTOR_UREM,
    T.SDIV: cvc5.Kind.BITVECTOR_SDIV,
    T.SREM: cvc5.Kind.BITVECTOR_SREM,
    T.BAND: cvc5.Kind.BITVECTOR_AND,
    T.BOR: cvc5.Kind.BITVECTOR_OR,
    T.BXOR: cvc5.Kind.BITVECTOR_XOR,
    T.BNOT: cvc5.Kind.BITVECTOR_NOT,
    T.NEG: cvc5.Kind.BITVECTOR_NEG,
    T.SHL: cvc5.Kind.BITVECTOR_SHL,
    T.LSHR: cvc5.Kind.BITVECTOR_LSHR,
    T.ASHR: cvc5.Kind.BITVECTOR_ASHR,
    T.CONCAT: cvc5.Kind.BITVECTOR_CONCAT,
}
"""Operators whose arguments cvc5 takes as they stand."""

_INDEXED: Final[dict[int, Any]] = {
    T.EXTRACT: cvc5.Kind.BITVECTOR_EXTRACT,
    T.ZEXT: cvc5.Kind.BITVECTOR_ZERO_EXTEND,
    T.SEXT: cvc5.Kind.BITVECTOR_SIGN_EXTEND,
}


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
class Cvc5Solver(SolverEngine):
    """The ``SolverProtocol`` on top of cvc5."""

    name = "cvc5"
    version = cvc5.__version__
    price_of_term = 5_000

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self._manager = cvc5.TermManager()
        self._solver: Any = cvc5.Solver(self._manager)
        for option, value in _OPTIONS.items():
            self._solver.setOption(option, value)
        self._solver.setLogic("QF_BV")
        self._sorts: dict[int, Any] = {0: self._manager.getBooleanSort()}
        self._interrupted = False

    def interrupt(self) -> None:
        """End the check in progress after its slice, or the next one if there is none, with ``UNKNOWN``."""
        self._interrupted = True

    def _sort(self, width: int) -> Any:
        sort = self._sorts.get(width)
        if sort is None:
            sort = self._sorts[width] = self._manager.mkBitVectorSort(width)
        return sort

    def _make_nodes(self, order: Sequence[Term]) -> None:
        lowered, manager = self._lowered, self._manager
        op, args, names, width = self._terms.op, self._terms.args, self._terms.names, self._terms.width
        for term in order:
            kind = op[term]
            if kind in _KINDS:
                node = manager.mkTerm(_KINDS[kind], *(lowered[below] for below in args[term]))
            elif kind in _INDEXED:
                below, *indices = args[term]
                node = manager.mkTerm(manager.mkOp(_INDEXED[kind], *indices), lowered[below])
            elif kind == T.VAR:
                node = manager.mkConst(self._sort(width[term]), names[term])
            elif kind == T.CONST and width[term]:
                node = manager.mkBitVector(width[term], str(args[term][0]), 10)
            elif kind == T.CONST:
                node = manager.mkBoolean(bool(args[term][0]))
            else:
                raise InternalError(f"unknown operator {kind}")
            lowered[term] = node

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
