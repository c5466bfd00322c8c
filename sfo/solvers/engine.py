"""Base of all engines: the terms they have met, the last answer, the totals.

An engine adds only its own part: making nodes, asserting one, searching, reading a value, reading a core.
"""

from __future__ import annotations

import gc
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final

from cfrontend import effort
from cfrontend.errors import InternalError
from cfrontend.terms import VAR, Term, Terms
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.terms.operators import CONST, EXTRACT
from sfo.solvers.protocol import UNLIMITED, SolverAnswer, SolverBudget, SolverStatistics

QUESTION: Final = 300_000
"""Effort of a check, besides that of its terms and its search."""

_TERMS_AT_ONCE: Final = 500
"""Terms that are lowered between two looks at the clock."""


class SolverEngine(ABC):
    """A ``SolverProtocol`` up to the calls into a library.

    ``_lowered`` is indexed by term: the library's node, or None for a term it never met. Each term is lowered
    at most once. ``_waiting`` are terms that are to be asserted, and for whose nodes there was no effort yet.
    """

    name: str
    price_of_term: int
    """Effort of making the library's node of one term."""
    preprocess: bool = False
    """Whether checks begin with preprocessing, where the engine leaves the choice."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._lowered: list[Any] = []
        self._waiting: list[Term] = []
        self._assumptions: tuple[Term, ...] = ()
        self._answer: SolverAnswer | None = None
        self.statistics: Final = SolverStatistics()

    def add(self, term: Term) -> None:
        """Assert the Boolean ``term`` for good; where the effort ends before, the next check does it."""
        self._waiting.append(term)
        self._answer = None
        self._assert_waiting()

    def check(self, assumptions: Sequence[Term] = (), budget: SolverBudget = UNLIMITED) -> SolverAnswer:
        """Decide whether everything added and all ``assumptions`` can be true together."""
        start = time.monotonic()
        self._answer = None
        self._assumptions = tuple(dict.fromkeys(assumptions))
        answer = SolverAnswer.UNKNOWN
        deadline = math.inf if budget.seconds is None else start + budget.seconds
        try:
            with effort.within_effort(math.inf if budget.effort is None else budget.effort):
                is_lowered = self._assert_waiting(deadline) and self._lower(self._assumptions, deadline)
                start = time.monotonic()
                effort.charge_effort(QUESTION)
                if is_lowered and not effort.is_effort_exhausted():
                    seconds = None if budget.seconds is None else deadline - start
                    answer = self._search(SolverBudget(seconds, budget.conflicts, effort.effort_left()))
        finally:
            self.statistics.calls += 1
            self.statistics.seconds += time.monotonic() - start
        self._answer = answer
        return answer

    def values(self, terms: Sequence[Term]) -> list[int]:
        """Unsigned values in the model of the last check, which must have answered SAT."""
        self._require(SolverAnswer.SAT)
        self._extend()
        lowered = self._lowered
        strange = [term for term in terms if lowered[term] is None]
        outside: dict[Term, int] = {}
        if strange:
            op = self._terms.op
            cone = self._terms.cone(strange)
            met = (t for t in cone if op[t] == VAR and lowered[t] is not None)
            outside = evaluate_terms(self._terms, strange, {t: self._value(t) for t in met})
        return [self._value(t) if lowered[t] is not None else outside[t] for t in terms]

    def core(self) -> tuple[Term, ...]:
        """Assumptions of the last check, which must have answered UNSAT, that cannot all hold."""
        self._require(SolverAnswer.UNSAT)
        return self._failed()

    @abstractmethod
    def interrupt(self) -> None:
        """End the check in progress, or the next one if there is none, with ``UNKNOWN``."""

    def _require(self, wanted: SolverAnswer) -> None:
        if self._answer is not wanted:
            last = "nothing yet" if self._answer is None else self._answer.value
            raise InternalError(f"the last check answered {last}, not {wanted.value}")

    def _assert_waiting(self, deadline: float = math.inf) -> bool:
        """Assert the terms that wait for it; False where ``deadline`` or the end of the effort came before."""
        while self._waiting:
            if not self._lower(self._waiting[:1], deadline):
                return False
            self._assert(self._lowered[self._waiting.pop(0)])
        return True

    def _extend(self) -> None:
        self._lowered.extend([None] * (len(self._terms) - len(self._lowered)))

    def _lower(self, roots: Sequence[Term], deadline: float = math.inf) -> bool:
        """Make the library's node of everything below the Boolean ``roots`` that has none yet.

        False where ``deadline``, a time of ``time.monotonic``, or the end of the effort came before the last was made.
        """
        self._extend()
        lowered, terms = self._lowered, self._terms
        for root in roots:
            if terms.width[root]:
                raise InternalError(f"a formula must be Boolean, but {terms.show(root, 3)} is a word")
        op, args = terms.op, terms.args
        seen: set[Term] = set()
        stack = [root for root in roots if lowered[root] is None]
        if not stack:
            return True
        if effort.is_effort_exhausted() or time.monotonic() >= deadline:
            return False  # what is below is not even counted: nothing of it would be made
        pop, push, see = stack.pop, stack.append, seen.add
        while stack:
            term = pop()
            if term in seen:
                continue
            see(term)
            kind = op[term]
            if kind >= EXTRACT:
                below = args[term][0]
                if lowered[below] is None:
                    push(below)
            elif kind > VAR:
                for below in args[term]:
                    if lowered[below] is None and below not in seen:
                        push(below)
        order = sorted(seen)
        done = 0
        start = time.monotonic()
        collecting = gc.isenabled()
        gc.disable()  # a node made is a node kept: collecting in between costs a fifth of the time
        try:
            while done < len(order) and time.monotonic() < deadline and not effort.is_effort_exhausted():
                piece = order[done : done + _TERMS_AT_ONCE]
                self._make_nodes(piece)
                effort.charge_effort(self.price_of_term * len(piece))
                done += _TERMS_AT_ONCE
        finally:
            if collecting:
                gc.enable()
            self.statistics.translate += time.monotonic() - start
        return done >= len(order)

    @abstractmethod
    def _make_nodes(self, order: Sequence[Term]) -> None:
        """Fill ``_lowered`` for the terms of ``order``, arguments first."""

    @abstractmethod
    def _assert(self, node: Any) -> None:
        """Assert a Boolean node."""

    @abstractmethod
    def _search(self, budget: SolverBudget) -> SolverAnswer:
        """Decide everything asserted together with ``_assumptions``, all lowered."""

    @abstractmethod
    def _value(self, term: Term) -> int:
        """Value of a lowered term in the model."""

    @abstractmethod
    def _failed(self) -> tuple[Term, ...]:
        """The assumptions that took part in the refutation."""


class WordEngine(SolverEngine):
    """An engine whose library has words, operators and sorts of its own: a node of it for each term."""

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self._sorts: Final[dict[int, Any]] = {}

    def _make_nodes(self, order: Sequence[Term]) -> None:
        lowered, apply = self._lowered, self._apply
        ops, arguments, width = self._terms.op, self._terms.args, self._terms.width
        for term in order:
            op, args = ops[term], arguments[term]
            if op >= EXTRACT:
                lowered[term] = apply(op, [lowered[args[0]]], args[1:])
            elif op > VAR:
                lowered[term] = apply(op, [lowered[below] for below in args])
            elif op == CONST:
                lowered[term] = self._constant(args[0], width[term])
            else:
                lowered[term] = self._variable(term)

    def _sort(self, width: int) -> Any:
        """The sort of words of this width, of Booleans where it is 0."""
        if width not in self._sorts:
            self._sorts[width] = self._make_sort(width)
        return self._sorts[width]

    @abstractmethod
    def _make_sort(self, width: int) -> Any:
        """A new sort."""

    @abstractmethod
    def _variable(self, term: Term) -> Any:
        """The node of a variable."""

    @abstractmethod
    def _constant(self, value: int, width: int) -> Any:
        """The node of a constant, a Boolean where ``width`` is 0."""

    @abstractmethod
    def _apply(self, op: int, nodes: list[Any], indices: Sequence[int] = ()) -> Any:
        """The node of an operator; ``indices`` are the bits of an extract, or the number of bits of an extension."""
