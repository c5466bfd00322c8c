"""z3: the second engine, to compare with. QF_BV only, which is all that terms can say.

Nodes are made by the C functions of ``z3core``, five times faster than by z3's Python operators; the few formulas and
values that cross the border are wrapped. In a reference counting context each new node must be referenced before the
next one is made, and released before the context goes. Deleting a context of 16,000 deeply nested live nodes took 34 s,
releasing them first took 0.2 s.
"""

from __future__ import annotations

import signal
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Final, final

import z3
from z3 import z3core

from cfrontend import terms as T  # noqa: N812 - opcode namespace
from cfrontend.effort import charge_effort
from cfrontend.errors import InternalError
from cfrontend.terms import Term, Terms
from sfo.solvers.engine import SolverEngine
from sfo.solvers.protocol import SolverAnswer, SolverBudget

_MAKERS: Final[dict[int, Callable[..., Any]]] = {
    T.NOT: z3core.Z3_mk_not,
    T.EQ: z3core.Z3_mk_eq,
    T.ULT: z3core.Z3_mk_bvult,
    T.SLT: z3core.Z3_mk_bvslt,
    T.ITE: z3core.Z3_mk_ite,
    T.ADD: z3core.Z3_mk_bvadd,
    T.SUB: z3core.Z3_mk_bvsub,
    T.MUL: z3core.Z3_mk_bvmul,
    T.UDIV: z3core.Z3_mk_bvudiv,
    T.UREM: z3core.Z3_mk_bvurem,
    T.SDIV: z3core.Z3_mk_bvsdiv,
    T.SREM: z3core.Z3_mk_bvsrem,
    T.BAND: z3core.Z3_mk_bvand,
    T.BOR: z3core.Z3_mk_bvor,
    T.BXOR: z3core.Z3_mk_bvxor,
    T.BNOT: z3core.Z3_mk_bvnot,
    T.NEG: z3core.Z3_mk_bvneg,
    T.SHL: z3core.Z3_mk_bvshl,
    T.LSHR: z3core.Z3_mk_bvlshr,
    T.ASHR: z3core.Z3_mk_bvashr,
    T.CONCAT: z3core.Z3_mk_concat,
}
"""Operators whose arguments z3 takes as they stand."""

_NO_LIMIT: Final = 2**32 - 1
"""z3's word for no limit, of milliseconds and of conflicts."""

RESOURCE: Final = 250
"""Effort of one unit of z3's ``rlimit``."""

_RESOURCES: Final = "rlimit count"
"""How z3's statistics name it."""

_KEYBOARD: Final = "interrupted from keyboard"
"""Reason of an unknown answer after z3 itself caught Ctrl-C."""


@final
class Z3Solver(SolverEngine):
    """The ``SolverProtocol`` on top of z3. Signals other than Ctrl-C wait until z3 returns."""

    name = "z3"
    version = z3.get_version_string()
    price_of_term = 2_000

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self._context = z3.Context()
        self._solver: Any = z3.SolverFor("QF_BV", ctx=self._context)
        self._sorts: dict[int, Any] = {0: z3.BoolSort(self._context)}
        self._literals: dict[Term, Any] = {}
        self._limits = (_NO_LIMIT, _NO_LIMIT, 0)
        self._interrupted = False
        weakref.finalize(self, _release, self._context, self._lowered)

    def interrupt(self) -> None:
        """End the check in progress, or the next one if there is none, with ``UNKNOWN``."""
        self._interrupted = True
        self._context.interrupt()

    def _sort(self, width: int) -> Any:
        sort = self._sorts.get(width)
        if sort is None:
            sort = self._sorts[width] = z3.BitVecSort(width, self._context)
        return sort.ast

    def _make_nodes(self, order: Sequence[Term]) -> None:
        lowered, context, keep = self._lowered, self._context.ref(), z3core.Z3_inc_ref
        op, args, makers = self._terms.op, self._terms.args, _MAKERS
        for term in order:
            make = makers.get(op[term])
            if make is None:
                node = self._other(context, term)
            else:
                node = make(context, *[lowered[argument] for argument in args[term]])
            keep(context, node)
            lowered[term] = node

    def _other(self, context: Any, term: Term) -> Any:
        terms, lowered = self._terms, self._lowered
        args = terms.args[term]
        match terms.op[term]:
            case T.AND:
                return z3core.Z3_mk_and(context, 2, (z3.Ast * 2)(lowered[args[0]], lowered[args[1]]))
            case T.OR:
                return z3core.Z3_mk_or(context, 2, (z3.Ast * 2)(lowered[args[0]], lowered[args[1]]))
            case T.EXTRACT:
                return z3core.Z3_mk_extract(context, args[1], args[2], lowered[args[0]])
            case T.ZEXT:
                return z3core.Z3_mk_zero_ext(context, args[1], lowered[args[0]])
            case T.SEXT:
                return z3core.Z3_mk_sign_ext(context, args[1], lowered[args[0]])
            case T.VAR:
                symbol = z3core.Z3_mk_string_symbol(context, terms.names[term])
                return z3core.Z3_mk_const(context, symbol, self._sort(terms.width[term]))
            case T.CONST if terms.width[term]:
                return z3core.Z3_mk_numeral(context, str(args[0]), self._sort(terms.width[term]))
            case T.CONST:
                return z3core.Z3_mk_true(context) if args[0] else z3core.Z3_mk_false(context)
            case operator:
                raise InternalError(f"unknown operator {operator}")

    def _assert(self, node: Any) -> None:
        self._solver.add(z3.BoolRef(node, self._context))

    def _literal(self, term: Term) -> Any:
        """A literal that implies ``term``: z3 promises to take literals as assumptions, not formulas."""
        literal = self._literals.get(term)
        if literal is None:
            formula = z3.BoolRef(self._lowered[term], self._context)
            literal = self._literals[term] = z3.FreshBool("assume", self._context)
            self._solver.add(z3.Implies(literal, formula, self._context))
        return literal

    def _search(self, budget: SolverBudget) -> SolverAnswer:
        if self._interrupted or (budget.seconds is not None and budget.seconds <= 0):
            self._interrupted = False
            return SolverAnswer.UNKNOWN
        literals = [self._literal(term) for term in self._assumptions]
        self._limit(budget)
        begin = self._resources()
        try:
            result = self._solver.check(*literals)
        finally:
            self._interrupted = False
            charge_effort(RESOURCE * (self._resources() - begin))
        if result == z3.sat:
            return SolverAnswer.SAT
        if result == z3.unsat:
            return SolverAnswer.UNSAT
        if self._solver.reason_unknown() == _KEYBOARD:
            signal.raise_signal(signal.SIGINT)
        return SolverAnswer.UNKNOWN

    def _resources(self) -> int:
        """The units of z3's ``rlimit`` that were used so far; the context is this solver's own."""
        statistics = self._solver.statistics()
        return int(statistics.get_key_value(_RESOURCES)) if _RESOURCES in statistics.keys() else 0  # noqa: SIM118

    def _limit(self, budget: SolverBudget) -> None:
        milliseconds = _NO_LIMIT if budget.seconds is None else min(int(budget.seconds * 1000) + 1, _NO_LIMIT)
        conflicts = _NO_LIMIT if budget.conflicts is None else min(budget.conflicts, _NO_LIMIT)
        resources = 0 if budget.effort is None else min(budget.effort // RESOURCE + 1, _NO_LIMIT)
        if (milliseconds, conflicts, resources) != self._limits:
            self._limits = (milliseconds, conflicts, resources)
            self._solver.set("timeout", milliseconds)
            self._solver.set("max_conflicts", conflicts)
            self._solver.set("rlimit", resources)

    def _value(self, term: Term) -> int:
        node, model = self._lowered[term], self._solver.model()
        if self._terms.width[term]:
            value = model.eval(z3.BitVecRef(node, self._context), model_completion=True)
            return int(value.as_long())
        return int(z3.is_true(model.eval(z3.BoolRef(node, self._context), model_completion=True)))

    def _failed(self) -> tuple[Term, ...]:
        failed = {literal.get_id() for literal in self._solver.unsat_core()}
        return tuple(a for a in self._assumptions if self._literals[a].get_id() in failed)


def _release(context: Any, nodes: list[Any]) -> None:
    for node in nodes:
        if node is not None:
            z3core.Z3_dec_ref(context.ref(), node)
