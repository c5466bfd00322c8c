"""Parallel refutation: one question about many ends, of which another process refutes the second half.

    shared = ParallelRefutation(loop, terms, ends, also, processes=2, ...)
    shared.open(group)      # what of it the other process has not refuted; waits until that is known
    shared.close()

The other process is a copy of this one as it is at the beginning, and goes through its ends in their order, a round for
each few of them. Which of them count as refuted does not depend on how fast it is: with one process at a time it does
a round when it is asked for, with more it works ahead. What it learns besides is lost: it is for questions after which
few are asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, final

from cfrontend.effort import charge_effort, spent_effort
from cfrontend.terms import Term, Terms
from sfo.core.parallel import (
    LARGE,
    ParallelWorkerProcess,
    ParallelWorkerRounds,
    may_work_in_parallel,
    resident_memory_in_parallel,
)
from sfo.core.policy import policy
from sfo.oracles.protocol import Question
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.solvers import SolverAnswer

_Round = tuple[Sequence[Term], int]
"""Ends of a round that are refuted, and the effort that it took."""


@final
class ParallelRefutation:
    """Refutation by a copy of this process, beside it: can one of ``ends`` hold with all of ``also``?

    It asks about ``together`` ends at a time, and a question may take the part ``share`` of the time that is left. It
    works at the same time as this process where so many ``processes`` may.
    """

    def __init__(
        self,
        loop: SolverQueryLoop,
        terms: Terms,
        ends: Sequence[Term],
        also: Question,
        *,
        processes: int,
        together: int,
        share: float,
    ) -> None:
        self._loop = loop
        self._terms = terms
        self._also = also
        self._share = share
        groups = [ends[n : n + together] for n in range(0, len(ends), together)]
        second_half = groups[(len(groups) + 1) // 2 :]
        self._round: Final = {end: number for number, group in enumerate(second_half, 1) for end in group}
        self._taken = 0
        self._refuted: set[Term] = set()
        self._worker: ParallelWorkerRounds[_Round] | None = None
        is_possible = may_work_in_parallel() and resident_memory_in_parallel() <= LARGE
        if second_half and is_possible and not ParallelWorkerProcess.is_here:
            ahead = len(second_half) if processes > 1 else 0
            self._worker = ParallelWorkerRounds(partial(self._rounds, second_half), ahead)

    def open(self, group: Sequence[Term]) -> Sequence[Term]:
        """Ends of ``group`` that the other process has not refuted, which are all of the first half."""
        last = max((self._round.get(end, 0) for end in group), default=0)
        while self._worker is not None and self._taken < last:
            self._taken += 1
            found = self._worker.take()
            if found is None:
                self.close()
                break
            refuted, spent = found
            self._refuted.update(refuted)
            charge_effort(spent)
        return [end for end in group if end not in self._refuted]

    def close(self) -> None:
        """End the other process."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()

    def _rounds(self, groups: Sequence[Sequence[Term]]) -> Iterator[_Round]:
        """In the other process: what is refuted of each of ``groups``."""
        for group in groups:
            begin = spent_effort()
            refuted = self._refuted_of(group)
            yield refuted, spent_effort() - begin

    def _refuted_of(self, group: Sequence[Term]) -> Sequence[Term]:
        """Ends of ``group`` that have no model; where the question is hard, it is asked about its halves."""
        refuted: list[Term] = []
        stack = [group]
        while stack and not self._loop.must_stop():
            asked = stack.pop()
            question = (self._terms.any_of(asked), *self._also)
            answer = self._loop.ask(question, self._share, policy().questions.first_effort)
            if answer is SolverAnswer.UNSAT:
                refuted += asked
            elif answer is SolverAnswer.UNKNOWN and len(asked) > 1:
                half = len(asked) // 2
                stack += [asked[half:], asked[:half]]
        return refuted
