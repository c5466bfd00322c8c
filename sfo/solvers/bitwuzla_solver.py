"""bitwuzla: one incremental instance without preprocessing, or a fresh one with preprocessing for each check."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, final

import bitwuzla

from cfrontend.effort import charge_effort
from cfrontend.terms import Term, Terms
from sfo.core.interruption import INTERRUPTION, SIGNALS
from sfo.solvers.engine import WordEngine
from sfo.solvers.operators import operator_names
from sfo.solvers.protocol import SolverAnswer, SolverBudget

_KINDS: Final = {op: getattr(bitwuzla.Kind, name) for op, name in operator_names("bitwuzla").items()}

_ANSWERS: Final = {
    bitwuzla.Result.SAT: SolverAnswer.SAT,
    bitwuzla.Result.UNSAT: SolverAnswer.UNSAT,
    bitwuzla.Result.UNKNOWN: SolverAnswer.UNKNOWN,
}

_NEVER: Final = float("inf")

POLL: Final = 45_000
"""Effort between two polls, besides that for the size of the formula."""

POLL_OF_GATE: Final = 40
"""Effort between two polls for each gate of a product or quotient: bitwuzla polls where it decides, not where it
propagates."""

_SIGNALS: Final = (*SIGNALS, signal.SIGALRM)
"""Signals whose handlers are held back until bitwuzla has returned."""


@final
class _Watch:
    """Termination callback of bitwuzla's search, which keeps its budget.

    bitwuzla asks about once in ten decisions of its SAT solver (measured: from 20,000 times a second on small
    formulas to a few times on large ones). It counts no conflicts that could be read, but the number of these polls is
    the same in each run of equal queries, so they are the unit of ``SolverBudget.conflicts``. An exception raised in
    here would be printed and lost, hence the held signals.
    """

    def __init__(self) -> None:
        self.interrupted = False
        self.held: list[int] = []
        self.polls = 0
        self._deadline = _NEVER
        self._polls = _NEVER

    def start(self, deadline: float, polls: float) -> None:
        """Stop at the ``deadline`` of the monotonic clock or after ``polls`` calls."""
        self.polls, self._deadline, self._polls = 0, deadline, polls

    def hold(self, number: int, _frame: FrameType | None) -> None:
        """Signal handler while bitwuzla runs."""
        self.held.append(number)
        if number in SIGNALS:
            INTERRUPTION.tell()

    @property
    def stopped(self) -> bool:
        """True if the check is to end, whatever its budget."""
        return self.interrupted or bool(self.held)

    def __call__(self) -> bool:
        """True to stop."""
        self.polls += 1
        return self.polls > self._polls or self.stopped or time.monotonic() >= self._deadline


@contextmanager
def _signals_held(watch: _Watch) -> Iterator[None]:
    """Let Ctrl-C end the search: its handler runs right after, so KeyboardInterrupt comes out of ``check``.

    bitwuzla keeps the interpreter to itself, so that a handler could only run, and raise, inside ``_Watch``.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    ours = [number for number, handler in handlers.items() if callable(handler)]
    for number in ours:
        signal.signal(number, watch.hold)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, handlers[number])
        held, watch.held = watch.held, []
        for caught in dict.fromkeys(held):
            signal.raise_signal(caught)


@final
class BitwuzlaSolver(WordEngine):
    """The ``SolverProtocol`` on top of bitwuzla, which ``sfo.solvers.auto_solver`` asks in turns."""

    name = "bitwuzla"
    price_of_term = 1_500

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self._manager: Any = bitwuzla.TermManager()
        self._asserted: list[Any] = []
        self._gates = 0
        self._watch = _Watch()
        self._incremental = self._instance(preprocess=False)
        self._answering = self._incremental

    def interrupt(self) -> None:
        """End the check in progress, or the next one if there is none, with ``UNKNOWN``."""
        self._watch.interrupted = True

    def _instance(self, *, preprocess: bool) -> Any:
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        options.set(bitwuzla.Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
        options.set(bitwuzla.Option.PREPROCESS, preprocess)
        instance = bitwuzla.Bitwuzla(self._manager, options)
        instance.configure_terminator(self._watch)
        return instance

    def _make_nodes(self, order: Sequence[Term]) -> None:
        self._gates += self._terms.product_gates(order)
        super()._make_nodes(order)

    def _make_sort(self, width: int) -> Any:
        return self._manager.mk_bv_sort(width) if width else self._manager.mk_bool_sort()

    def _variable(self, term: Term) -> Any:
        return self._manager.mk_const(self._sort(self._terms.width[term]), self._terms.names[term])

    def _constant(self, value: int, width: int) -> Any:
        if width:
            return self._manager.mk_bv_value(self._sort(width), value)
        return self._manager.mk_true() if value else self._manager.mk_false()

    def _apply(self, op: int, nodes: list[Any], indices: Sequence[int] = ()) -> Any:
        if indices:
            return self._manager.mk_term(_KINDS[op], nodes, list(indices))
        return self._manager.mk_term(_KINDS[op], nodes)

    def _assert(self, node: Any) -> None:
        self._asserted.append(node)
        self._incremental.assert_formula(node)

    def _search(self, budget: SolverBudget) -> SolverAnswer:
        watch, price = self._watch, POLL + POLL_OF_GATE * self._gates
        seconds, polls, most = (
            _NEVER if limit is None else limit for limit in (budget.seconds, budget.conflicts, budget.effort)
        )
        deadline = time.monotonic() + seconds
        try:
            with _signals_held(watch):
                if watch.stopped or time.monotonic() >= deadline:
                    return SolverAnswer.UNKNOWN
                watch.start(deadline, min(polls, most // price))
                try:
                    return self._attempt()
                finally:
                    charge_effort(price * watch.polls)
        finally:
            watch.interrupted = False

    def _attempt(self) -> SolverAnswer:
        self._answering = self._incremental
        if self.preprocess:
            self._answering = self._instance(preprocess=True)
            for node in self._asserted:
                self._answering.assert_formula(node)
        return _ANSWERS[self._answering.check_sat(*(self._lowered[term] for term in self._assumptions))]

    def _value(self, term: Term) -> int:
        value = self._answering.get_value(self._lowered[term]).value(10)
        return int(value)

    def _failed(self) -> tuple[Term, ...]:
        failed = {node.id() for node in self._answering.get_unsat_assumptions()}
        return tuple(a for a in self._assumptions if self._lowered[a].id() in failed)
