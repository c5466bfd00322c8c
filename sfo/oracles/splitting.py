"""Query splitting: which of many ends can an execution come to, split where the question is hard.

A question about all violations at once can be hard because of one of them, and it makes the engine know the whole
program before the first answer:

assert(n != 7); for (i = 0; i < 100; i++) s = s * n % m; assert(s != 3);   ->   the first is asked about alone

The second half of the ends may be refuted by another process beside this one: a copy of it as it is at the beginning,
which goes through its ends in their order, a round for each few of them. Which of them count as refuted does not depend
on how fast it is: with one process at a time it does a round when it is asked for, with more it works ahead. What it
learns besides is lost: it is for questions after which few are asked.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, Generic, TypeVar, final

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
from sfo.oracles.protocol import Question, UnknownOracleAnswer
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.solvers import SolverAnswer

M = TypeVar("M")


@final
class SplittingSearch(Generic[M]):
    """A search for a model of one of some ends.

    ``model`` reads the solver's model of an end; ``sampled`` tries small numbers and finds a model of a question, or
    None; without it, only the solver is asked. In a small program (``is_small``) all ends are asked about together.
    ``hard`` are ends that earlier searches could not decide with little effort; this one adds to them.
    """

    def __init__(
        self,
        terms: Terms,
        loop: SolverQueryLoop,
        model: Callable[[Term], M],
        sampled: Callable[[Question], M | None] | None,
        hard: set[Term],
        *,
        is_small: bool,
    ) -> None:
        self._any_of = terms.any_of
        self._terms = terms
        self._loop = loop
        self._model = model
        self._sampled = sampled
        self._hard = hard
        self._is_small = is_small

    def search(
        self,
        ends: Sequence[Term],
        also: Question,
        *,
        effort: int,
        share: float,
        refuted: set[Term] | None = None,
        shared: ParallelRefutation | None = None,
    ) -> M | UnknownOracleAnswer | None:
        """A model of one of ``ends`` and all of ``also``; ``refuted`` collects the ends that have none.

        Those that ``shared`` has refuted are not asked about. ``effort`` is in conflicts for a single end, ``share``
        the part of the time left for one question.

        A few ends at a time are asked about with a small budget, in evaluation order, those that need few products
        first: of these the solver need not know what comes later. Where that does not do, some small numbers are tried,
        and they are asked about in two halves. What stays open is asked about again, one by one, with a larger budget;
        in small programs together at first, as all ends are there.
        """
        limits = policy().questions
        budget, together = limits.first_effort, max(1, len(ends)) if self._is_small else limits.together
        # What was hard with more units to leave out is not asked about with the small budget again.
        aside: set[Term] = set() if refuted is None or budget >= effort else self._hard
        left, later = [e for e in ends if e not in aside], [e for e in ends if e in aside]
        while left or later:
            hard, later = later, []
            stack = _groups(left, together)
            stack += self._by_products(stack.pop(), also) if stack and budget == limits.first_effort else ()
            while stack:
                group = stack.pop()
                if shared is not None and not (group := shared.open(group)):
                    continue
                self._loop.hear_left(len(group) + sum(map(len, stack)) + len(hard))
                question = (self._any_of(group), *also)
                has_others = bool(stack) or len(group) > 1
                part = limits.last_share if len(left) == 1 and not also else _part(share, budget, has_others)
                answer = self._loop.ask(question, part, budget)
                if answer is SolverAnswer.SAT:
                    return self._model(question[0])
                if answer is SolverAnswer.UNSAT:
                    self._leave(group, also, refuted)
                    continue
                if self._loop.must_stop():
                    return UnknownOracleAnswer(self._loop.why())
                if (model := self._tried(left, also)) is not None:
                    return model
                if len(group) == 1 or (self._is_small and budget < effort):
                    hard += group
                    if refuted is not None and not self._is_small:
                        self._hard.update(group)
                else:
                    half = len(group) // 2
                    stack += [group[half:], group[:half]]
            if hard and budget >= effort:
                return UnknownOracleAnswer(self._loop.why())
            left = hard
            together = together if self._is_small and budget == limits.first_effort else 1
            budget = min(budget * limits.more_effort, max(effort, budget + 1))
        return None

    def _by_products(self, ends: Sequence[Term], also: Question) -> list[Sequence[Term]]:
        """``ends`` in groups, the first ones last, each of which needs several times the products of those before."""
        terms, limits, groups = self._terms, policy().questions, list[Sequence[Term]]()

        def gates(count: int) -> int:
            return terms.product_gates(terms.cone((*ends[:count], *also)))

        whole, limit, first = gates(len(ends)), limits.products, 0
        while limit < limits.more_effort * whole and whole > limits.products:
            count = bisect_right(range(1, len(ends)), limit // limits.more_effort, lo=first, key=gates)
            groups, first, limit = [*groups, ends[first:count]], count, limit * limits.more_effort
        return [group for group in (*groups, ends[first:]) if group][::-1]

    def _leave(self, group: Sequence[Term], also: Question, refuted: set[Term] | None) -> None:
        """Remember that no execution comes to an end of ``group``."""
        if refuted is not None:
            refuted.update(group)
        if not also:
            self._loop.exclude(self._terms, group)

    def _tried(self, ends: Sequence[Term], also: Question) -> M | None:
        """A model of small numbers of one of ``ends`` and all of ``also``; they are tried once in a search."""
        sampled, self._sampled = self._sampled, None
        return None if sampled is None else sampled((self._any_of(ends), *also))


def _part(share: float, budget: int, has_others: bool) -> float:
    """The part of the time for one question: little at first, where a hard one may hide easy ones."""
    limits = policy().questions
    return min(share, limits.small_share) if has_others and budget <= limits.first_effort else share


def _groups(ends: Sequence[Term], together: int) -> list[Sequence[Term]]:
    """``ends`` in groups of so many, or more where they would be too many groups; the first ones last."""
    size = max(together, len(ends) // policy().questions.most_groups)
    return [ends[begin : begin + size] for begin in range(0, len(ends), size)][::-1]


# -- beside another process ------------------------------------------------------------------------------------


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
