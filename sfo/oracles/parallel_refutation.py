"""Parallel refutation: one question about many ends in several processes that share what they refute.

    shared = Sharing(loop, terms, ends, also, processes=2, ...)
    shared.open(group)      # what of it no other process has refuted yet
    shared.leave(group)     # the others need not refute it
    shared.close()

The process that asks goes from the first end to the last, a copy of it from the last to the first. What a copy learns
besides is lost: it is for questions after which few are asked.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, final

from cfrontend.terms import Term, Terms
from sfo.core.parallel import LARGE, ParallelWorkerProcess, resident_memory_in_parallel
from sfo.core.policy import policy
from sfo.oracles.protocol import Question
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.solvers import SolverAnswer


@final
class ParallelRefutation:
    """Refutation by copies of this process, beside it: can one of ``ends`` hold with all of ``also``?

    They are one less than ``processes``. Each asks about ``together`` ends at a time, and a question may take the part
    ``share`` of the time that is left.
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
        self._place: Final = {end: n for n, end in enumerate(ends)}
        # Of each end a byte: a copy has refuted it, nobody here asks about it any more.
        self._refuted: Final = mmap.mmap(-1, len(ends))
        self._left: Final = mmap.mmap(-1, len(ends))
        groups = [ends[n : n + together] for n in range(0, len(ends), together)]
        copies = (
            0 if ParallelWorkerProcess.is_here or resident_memory_in_parallel() > LARGE else processes - 1
        )
        self._copies: list[ParallelWorkerProcess[Any]] = []
        for part in range(1, copies + 1):
            mine = [groups[n] for n in parallel_refutation_order(len(groups), part, processes)]
            self._copies.append(ParallelWorkerProcess(partial(self._ask, mine)))

    def open(self, group: Sequence[Term]) -> Sequence[Term]:
        """Ends of ``group`` that no copy has refuted."""
        return [end for end in group if end not in self._place or not self._refuted[self._place[end]]]

    def leave(self, group: Sequence[Term]) -> None:
        """Tell the copies that they need not ask about ``group``."""
        for end in group:
            if end in self._place:
                self._left[self._place[end]] = 1

    def close(self) -> None:
        """End the copies."""
        while self._copies:
            self._copies.pop().end()

    def _ask(self, groups: Sequence[Sequence[Term]]) -> None:
        """In a copy: refute what has no model; what has one is for the process that asks."""
        effort = policy().questions.first_effort
        left = list(groups)
        while left and not self._loop.must_stop():
            hard: list[Sequence[Term]] = []
            stack = left[::-1]
            while stack:
                group = [end for end in self.open(stack.pop()) if not self._left[self._place[end]]]
                if not group:
                    continue
                question = (self._terms.any_of(group), *self._also)
                answer = self._loop.ask(question, self._share, effort)
                if answer is SolverAnswer.UNSAT:
                    for end in group:
                        self._refuted[self._place[end]] = 1
                elif answer is SolverAnswer.UNKNOWN and len(group) > 1:
                    half = len(group) // 2
                    stack += [group[:half], group[half:]]
                elif answer is SolverAnswer.UNKNOWN and effort < policy().questions.proof_effort:
                    hard.append(group)
            left, effort = hard, min(effort * policy().questions.more_effort, policy().questions.proof_effort)


def parallel_refutation_order(count: int, part: int, parts: int) -> list[int]:
    """In which order ``part`` of ``parts`` processes does ``count`` pieces: neighbours go towards each other.

    order(4, 0, 2)  ->  [0, 1, 2, 3]
    order(4, 1, 2)  ->  [3, 2, 1, 0]
    """
    if part % 2 == 0:
        begin = count * part // parts
        return [*range(begin, count), *range(begin)]
    end = count * (part + 1) // parts
    return [*range(end - 1, -1, -1), *range(count - 1, end - 1, -1)]
