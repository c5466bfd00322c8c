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

from cfrontend.effort import charge_effort
from cfrontend.terms import Term, Terms
from cfrontend.terms.operators import AND, OR
from sfo.solvers.engine import WordEngine
from sfo.solvers.operators import operator_names
from sfo.solvers.protocol import SolverAnswer, SolverBudget

_MAKERS: Final[dict[int, Callable[..., Any]]] = {
    op: getattr(z3core, f"Z3_mk_{name}") for op, name in operator_names("z3").items()
}

_NO_LIMIT: Final = 2**32 - 1
"""z3's word for no limit, of milliseconds and of conflicts."""

RESOURCE: Final = 250
"""Effort of one unit of z3's ``rlimit``."""

_RESOURCES: Final = "rlimit count"
"""How z3's statistics name it."""

_KEYBOARD: Final = "interrupted from keyboard"
"""Reason of an unknown answer after z3 itself caught Ctrl-C."""


@final
class Z3Solver(WordEngine):
    """The ``SolverProtocol`` on top of z3. Signals other than Ctrl-C wait until z3 returns."""

    name = "z3"
    price_of_term = 2_000

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self._context = z3.Context()
        self._solver: Any = z3.SolverFor("QF_BV", ctx=self._context)
        self._literals: dict[Term, Any] = {}
        self._limits = (_NO_LIMIT, _NO_LIMIT, 0)
        self._interrupted = False
        weakref.finalize(self, _release, self._context, self._lowered)

    def interrupt(self) -> None:
        """End the check in progress, or the next one if there is none, with ``UNKNOWN``."""
        self._interrupted = True
        self._context.interrupt()

    def _make_sort(self, width: int) -> Any:
        return z3.BitVecSort(width, self._context) if width else z3.BoolSort(self._context)

    def _variable(self, term: Term) -> Any:
        symbol = z3core.Z3_mk_string_symbol(self._context.ref(), self._terms.names[term])
        sort = self._sort(self._terms.width[term])
        return self._kept(z3core.Z3_mk_const(self._context.ref(), symbol, sort.ast))

    def _constant(self, value: int, width: int) -> Any:
        context = self._context.ref()
        if width:
            return self._kept(z3core.Z3_mk_numeral(context, str(value), self._sort(width).ast))
        return self._kept(z3core.Z3_mk_true(context) if value else z3core.Z3_mk_false(context))

    def _apply(self, op: int, nodes: list[Any], indices: Sequence[int] = ()) -> Any:
        if op in {AND, OR}:
            return self._kept(_MAKERS[op](self._context.ref(), 2, (z3.Ast * 2)(*nodes)))
        return self._kept(_MAKERS[op](self._context.ref(), *indices, *nodes))

    def _kept(self, node: Any) -> Any:
        z3core.Z3_inc_ref(self._context.ref(), node)
        return node

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
