"""Any solver behind the narrowing pass: it sees words of the width they need, its users see the whole words.

check(x * 3 < 50)  with  x in 0..100   ->   the engine gets  x' * 3 < 50  on 10 bits and  0 <= x' <= 100
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, final

from cfrontend.effort import charge_effort
from cfrontend.terms import VAR, Term, Terms
from cfrontend.terms.narrow import TermNarrower
from sfo.core.policy import policy
from sfo.solvers.protocol import UNLIMITED, SolverAnswer, SolverBudget, SolverProtocol, SolverStatistics


@final
class NarrowingSolver:
    """A ``SolverProtocol`` that narrows every term before it reaches ``inner``.

    Only assignments in which every input is in its assumed range are considered.
    """

    def __init__(self, inner: SolverProtocol, terms: Terms) -> None:
        self.inner: Final = inner
        self.terms: Final = terms
        self._narrower = TermNarrower(terms)
        self._asserted = 0
        self._assumed: dict[Term, Term] = {}
        self._seconds = 0.0

    @property
    def name(self) -> str:
        """The name of the engine."""
        return self.inner.name

    @property
    def statistics(self) -> SolverStatistics:
        """Calls and seconds of the engine, and what narrowing took."""
        totals = self.inner.statistics
        return replace(totals, translate=totals.translate + self._seconds)

    def add(self, term: Term) -> None:
        """Assert a Boolean for good."""
        self._narrow((term,))
        narrow = self._narrower.of(term)
        self._assert_ranges()
        self.inner.add(narrow)

    def check(self, assumptions: Sequence[Term] = (), budget: SolverBudget = UNLIMITED) -> SolverAnswer:
        """Can the assumptions hold together with what was asserted?"""
        self._narrow(assumptions)
        self._assumed = {self._narrower.of(term): term for term in assumptions}
        self._assert_ranges()
        return self.inner.check(tuple(self._assumed), budget)

    def values(self, terms: Sequence[Term]) -> list[int]:
        """Unsigned values of whole words in the model of the last SAT answer."""
        self._narrow(terms)
        narrow = [self._narrower.of(term) for term in terms]
        given = self.inner.values(narrow)
        return [
            self._widened(term, word, value) for term, word, value in zip(terms, narrow, given, strict=True)
        ]

    def core(self) -> tuple[Term, ...]:
        """Assumptions that cannot hold together, after UNSAT."""
        return tuple(self._assumed[term] for term in self.inner.core())

    def interrupt(self) -> None:
        """End the running check with UNKNOWN."""
        self.inner.interrupt()

    def _narrow(self, terms: Sequence[Term]) -> None:
        start, before = time.monotonic(), len(self.terms)
        self._narrower.narrow(terms)
        charge_effort(policy().solving.narrowed * (len(self.terms) - before))
        self._seconds += time.monotonic() - start

    def _assert_ranges(self) -> None:
        constraints = self._narrower.constraints
        while self._asserted < len(constraints):
            self.inner.add(constraints[self._asserted])
            self._asserted += 1

    def _widened(self, term: Term, word: Term, value: int) -> int:
        t = self.terms
        width = t.width[term]
        if width == 0:
            return value
        signed = t.signed(value, t.width[word])
        if t.op[term] == VAR and term in t.ranges:
            low, high = t.ranges[term]
            signed = signed if low <= signed <= high else low
        return signed & ((1 << width) - 1)
