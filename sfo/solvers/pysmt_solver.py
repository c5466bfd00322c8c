"""Any solver that pysmt can drive, as ``pysmt:NAME``: z3, cvc5, msat, yices, ... and what a user adds to pysmt.

pysmt has no common way to limit a search or to end one: a budget that is used up before a check begins is kept, and
Ctrl-C is heard where the solver lets Python hear it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, final

import pysmt
from pysmt.environment import Environment
from pysmt.exceptions import PysmtException, SolverReturnedUnknownResultError
from pysmt.logics import QF_BV

from cfrontend import terms as T  # noqa: N812 - opcode namespace
from cfrontend.errors import InternalError, UsageError
from cfrontend.terms import Term, Terms
from sfo.solvers.engine import SolverEngine
from sfo.solvers.protocol import SolverAnswer, SolverBudget

_MAKERS: Final[dict[int, str]] = {
    T.NOT: "Not",
    T.AND: "And",
    T.OR: "Or",
    T.EQ: "EqualsOrIff",
    T.ULT: "BVULT",
    T.SLT: "BVSLT",
    T.ITE: "Ite",
    T.ADD: "BVAdd",
    T.SUB: "BVSub",
    T.MUL: "BVMul",
    T.UDIV: "BVUDiv",
    T.UREM: "BVURem",
    T.SDIV: "BVSDiv",
    T.SREM: "BVSRem",
    T.BAND: "BVAnd",
    T.BOR: "BVOr",
    T.BXOR: "BVXor",
    T.BNOT: "BVNot",
    T.NEG: "BVNeg",
    T.SHL: "BVLShl",
    T.LSHR: "BVLShr",
    T.ASHR: "BVAShr",
    T.CONCAT: "BVConcat",
}
"""Methods of pysmt's formula manager by operator."""


@final
class PysmtSolver(SolverEngine):
    """The ``SolverProtocol`` on top of pysmt. Raises UsageError for a solver that pysmt does not have."""

    version = ".".join(map(str, pysmt.VERSION))
    price_of_term = 20_000

    def __init__(self, terms: Terms, engine: str) -> None:
        super().__init__(terms)
        self.name = f"pysmt:{engine}"
        environment = Environment()
        self._manager = environment.formula_manager
        known = sorted(environment.factory.all_solvers(logic=QF_BV))
        if engine not in known:
            raise UsageError(
                f"pysmt has no solver {engine!r} for bit-vectors here: it has {', '.join(known) or 'none'};"
                " pysmt-install adds others"
            )
        try:
            self._solver: Any = environment.factory.Solver(name=engine, logic=QF_BV)
        except PysmtException as error:
            raise UsageError(f"pysmt cannot start the solver {engine!r}: {error}") from error
        makers = {op: getattr(self._manager, name) for op, name in _MAKERS.items()}
        self._makers: dict[int, Callable[..., Any]] = makers
        self._interrupted = False

    def interrupt(self) -> None:
        """End the next check with ``UNKNOWN``; one in progress goes on."""
        self._interrupted = True

    def _make_nodes(self, order: Sequence[Term]) -> None:
        lowered, manager, makers = self._lowered, self._manager, self._makers
        op, args, width = self._terms.op, self._terms.args, self._terms.width
        for term in order:
            kind = op[term]
            match kind:
                case T.EXTRACT:
                    below, high, low = args[term]
                    node = manager.BVExtract(lowered[below], low, high)
                case T.ZEXT:
                    node = manager.BVZExt(lowered[args[term][0]], args[term][1])
                case T.SEXT:
                    node = manager.BVSExt(lowered[args[term][0]], args[term][1])
                case T.VAR:
                    node = manager.Symbol(f"v{term}", self._type(width[term]))
                case T.CONST if width[term]:
                    node = manager.BV(args[term][0], width[term])
                case T.CONST:
                    node = manager.Bool(bool(args[term][0]))
                case _ if kind in makers:
                    node = makers[kind](*(lowered[below] for below in args[term]))
                case _:
                    raise InternalError(f"unknown operator {kind}")
            lowered[term] = node

    def _type(self, width: int) -> Any:
        types = self._manager.env.type_manager
        return types.BVType(width) if width else types.BOOL()

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
