"""Glucose: terms as gates, gates as clauses, clauses to an incremental SAT solver.

The search runs on a thread of its own and lets go of the interpreter, so that the thread that waits for it can
end it: when the time is up, or when Ctrl-C or any other signal handler raises.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from threading import Event, Thread
from typing import Any, Final, final

import pysat
from pysat.solvers import Glucose42

from cfrontend.terms import Term, Terms
from sfo.solvers.bitblast import Blaster
from sfo.solvers.engine import Engine
from sfo.solvers.gates import Gates, Literal
from sfo.solvers.protocol import Answer, Budget

_NO_LIMIT: Final = -1
"""python-sat's word for no limit of conflicts."""

_MOST_CONFLICTS: Final = 2**31 - 1
"""Larger limits do not fit python-sat."""

_ANSWERS: Final = {True: Answer.SAT, False: Answer.UNSAT, None: Answer.UNKNOWN}


@final
class GlucoseSolver(Engine):
    """The ``Solver`` on top of Glucose 4.2 and our own gates."""

    name = "glucose"
    version = f"4.2.1 in python-sat {pysat.__version__}"

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self._gates = Gates()
        self._blaster = Blaster(self._gates)
        self._sat: Any = Glucose42()  # never with incr=True: that answers wrongly under assumptions
        weakref.finalize(self, self._sat.delete)  # before the interpreter takes its modules apart
        self._interrupted = False
        self._model: list[Literal] = []

    @property
    def conflicts(self) -> int:
        """Conflicts so far."""
        return int(self._sat.accum_stats()["conflicts"])

    def interrupt(self) -> None:
        """End the check in progress, or the next one if there is none, with ``UNKNOWN``."""
        self._interrupted = True
        self._sat.interrupt()

    def _make_nodes(self, order: Sequence[Term]) -> None:
        self._blaster.lower(self._terms, order, self._lowered)

    def _assert(self, node: Literal) -> None:
        self._gates.require(node)

    def _search(self, budget: Budget) -> Answer:
        add = self._sat.add_clause
        for clause in self._gates.take():
            add(clause)
        answer = None
        spent = (budget.seconds is not None and budget.seconds <= 0) or budget.conflicts == 0
        if not spent and not self._interrupted:
            assumed = list(dict.fromkeys(self._lowered[term] for term in self._assumptions))
            answer = self._run(assumed, budget)
        self._interrupted = False
        self._sat.clear_interrupt()
        self._model = self._sat.get_model() if answer else []
        return _ANSWERS[answer]

    def _run(self, assumed: list[Literal], budget: Budget) -> bool | None:
        sat, ended = self._sat, Event()
        limit = _NO_LIMIT if budget.conflicts is None else min(budget.conflicts, _MOST_CONFLICTS)
        answers: list[bool | None] = []

        def work() -> None:
            try:
                answers.append(sat.solve_limited(assumed, expect_interrupt=True))
            finally:
                ended.set()

        sat.conf_budget(limit)
        thread = Thread(target=work, name="glucose", daemon=True)
        thread.start()
        try:
            ended.wait(budget.seconds)
        finally:
            if not ended.is_set():
                sat.interrupt()
            thread.join()
        return answers[0]

    def _bit(self, literal: Literal) -> bool:
        """The value of a literal in the model; a variable that is in no clause is false."""
        variable, model = abs(literal), self._model
        return model[variable - 1] == literal if variable <= len(model) else literal < 0

    def _value(self, term: Term) -> int:
        node, bit = self._lowered[term], self._bit
        if not self._terms.width[term]:
            return int(bit(node))
        return sum(1 << i for i, literal in enumerate(node) if bit(literal))

    def _failed(self) -> tuple[Term, ...]:
        failed = set(self._sat.get_core() or ())
        core = []
        for term in self._assumptions:
            literal = self._lowered[term]
            if literal in failed:
                failed.remove(literal)
                core.append(term)
        return tuple(core)
