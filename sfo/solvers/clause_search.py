"""A search for a model of clauses that can be ended: by a budget, by another thread, by Ctrl-C.

It runs on a thread of its own and lets go of the interpreter, so that the thread that waits for it can end it:
when the time is up, or when Ctrl-C or any other signal handler raises.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable, Sequence
from threading import Event, Thread
from typing import Any, Final, final

import pysolvers
from pysat.solvers import Glucose42

from cfrontend.effort import charge_effort
from sfo.core.halt import SEARCH
from sfo.solvers.gates import Literal
from sfo.solvers.protocol import UNLIMITED, SolverAnswer, SolverBudget

PROPAGATION: Final = 150
"""Effort of a propagation."""

CONFLICT: Final = 10_000
"""Effort of a conflict, besides its propagations."""

CLAUSE: Final = 100
"""Effort of a clause in each search, which is looked at when it begins."""

_NO_LIMIT: Final = -1
"""python-sat's word for no limit of conflicts."""

_MOST_CONFLICTS: Final = 2**31 - 1
"""Larger limits do not fit python-sat."""

_ANSWERS: Final = {True: SolverAnswer.SAT, False: SolverAnswer.UNSAT, None: SolverAnswer.UNKNOWN}


@final
class ClauseSearch:
    """Glucose, incrementally: clauses stay, assumptions hold for one search. ``model`` is that of the last SAT."""

    def __init__(self) -> None:
        self._sat: Any = Glucose42()  # never with incr=True: that answers wrongly under assumptions
        self._ends: list[Event] = []
        weakref.finalize(self, _release, self._sat, self._ends)
        self._interrupted = False
        self.model: list[Literal] = []

    @property
    def conflicts(self) -> int:
        """Conflicts so far."""
        return int(self._sat.accum_stats()["conflicts"])

    def add(self, clauses: Iterable[Iterable[Literal]]) -> None:
        """Demand that each clause holds, for good."""
        add, engine = pysolvers.glucose421_add_cl, self._sat.glucose  # a third quicker than its add_clause()
        for clause in clauses:
            add(engine, clause)

    def prefer(self, literals: Sequence[Literal]) -> None:
        """Try first to make ``literals`` true, where nothing speaks against it."""
        self._sat.set_phases(list(literals))

    def search(self, assumed: Sequence[Literal] = (), budget: SolverBudget = UNLIMITED) -> SolverAnswer:
        """Decide whether all clauses and all of ``assumed`` can hold."""
        answer = None
        spent = (budget.seconds is not None and budget.seconds <= 0) or 0 in (budget.conflicts, budget.effort)
        if not spent and not self._interrupted:
            answer = self._run(list(dict.fromkeys(assumed)), budget)
        self._interrupted = False
        self._sat.clear_interrupt()
        self.model = self._sat.get_model() if answer else []
        return _ANSWERS[answer]

    def holds(self, literal: Literal) -> bool:
        """The value of a literal in the model; a variable that is in no clause is false."""
        variable, model = abs(literal), self.model
        return model[variable - 1] == literal if variable <= len(model) else literal < 0

    def failed(self) -> set[Literal]:
        """The assumptions that took part in the last refutation."""
        return set(self._sat.get_core() or ())

    def interrupt(self) -> None:
        """End the search in progress, or the next one if there is none, with ``UNKNOWN``."""
        self._interrupted = True
        self._sat.interrupt()

    def _run(self, assumed: list[Literal], budget: SolverBudget) -> bool | None:
        sat, ended = self._sat, Event()
        limit = _NO_LIMIT if budget.conflicts is None else min(budget.conflicts, _MOST_CONFLICTS)
        answers: list[bool | None] = []
        begun, called_off = threading.Event(), threading.Event()

        def work() -> None:
            begun.wait()
            try:
                if not called_off.is_set():
                    answers.append(sat.solve_limited(assumed, expect_interrupt=True))
            finally:
                ended.set()

        sat.conf_budget(_NO_LIMIT)  # which takes away both
        if limit != _NO_LIMIT:
            sat.conf_budget(limit)
        if budget.effort is not None and budget.effort // PROPAGATION < _MOST_CONFLICTS:
            sat.prop_budget(budget.effort // PROPAGATION + 1)
        begin = self._effort()
        thread = Thread(target=work, name=SEARCH, daemon=True)
        self._ends[:] = [ended]
        try:
            thread.start()
            begun.set()
            ended.wait(budget.seconds)
        finally:
            if begun.is_set():
                if not ended.is_set():
                    sat.interrupt()
                thread.join()
            else:  # interrupted while it started, of which nobody knows how far it came
                called_off.set()
                begun.set()
                self._ends.clear()
            charge_effort(self._effort() - begin + CLAUSE * sat.nof_clauses())
        return answers[0]

    def _effort(self) -> int:
        """The effort of all searches so far."""
        totals = self._sat.accum_stats()
        return PROPAGATION * int(totals["propagations"]) + CONFLICT * int(totals["conflicts"])


def _release(sat: Any, ends: Sequence[Event]) -> None:
    """Give back a SAT solver before the interpreter takes its modules apart.

    Whoever was interrupted while a search came to its end has left that on its thread. Then the solver belongs to the
    thread, which gives it back as it lets go of it. Of a thread whose ``join`` was interrupted Python says that it
    is not alive, though it is.
    """
    if all(ended.is_set() for ended in ends):
        sat.delete()
