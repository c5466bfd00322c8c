"""Query splitting: which of many ends can an execution come to, split where the question is hard.

A question about all violations at once can be hard because of one of them, and it makes the engine know the whole
program before the first answer:

assert(n != 7); for (i = 0; i < 100; i++) s = s * n % m; assert(s != 3);   ->   the first is asked about alone
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, final

from cfrontend.terms import Term, Terms
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
    ) -> M | UnknownOracleAnswer | None:
        """A model of one of ``ends`` and all of ``also``; ``refuted`` collects the ends that have none.

        ``effort`` is in conflicts for a single end, ``share`` the part of the time left for one question.

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
