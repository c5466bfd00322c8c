"""Search for executions that reach coverage goals, and proof that none reaches the others.

    open goals 1, 2, 3   ->  an execution that reaches 1; asked for more, one that reaches 1 and 3
    open goal 2          ->  refuted: no execution within the bound reaches it

One question asks for any open goal. Its model is asked, cheaply, for more of them. A refutation decides all that are
open. Bounds grow until every goal is reached, no execution leaves the bound, or the effort is used up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field
from typing import Final, final

from cfrontend.bound import Bound
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError
from cfrontend.record import dataclass
from cfrontend.terms import FALSE, TRUE, VAR, Term
from cfrontend.terms.evaluate import evaluate_terms_in_order
from sfo.core.decode_model import decode_model_execution, terms_to_decode_model
from sfo.core.executions import Execution
from sfo.core.halt import Stop, halt_reason_of
from sfo.core.policy import policy
from sfo.oracles.minimise_inputs import minimise_inputs, minimised_input_values
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.solvers import SolverAnswer


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ReachingExecution:
    """An execution and all the goals that it reaches."""

    execution: Execution
    goals: frozenset[int]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GoalsFound:
    """What a search found: ``executions``, and for goals that none reaches the largest bound where that is proved.

    That bound is None where what is proved of a goal holds without one.
    ``complete``: no execution leaves the largest bound ``unwind``, so that what is proved there holds without a bound.
    ``stop`` says what ended the search before it was complete, None where nothing was left to look for.
    ``said`` is what has to be said of goals, where they are reached.
    """

    executions: tuple[ReachingExecution, ...]
    unreached: Mapping[int, int | None]
    unwind: int
    complete: bool
    stop: Stop | None = None
    said: Mapping[int, str] = field(default_factory=dict)


def search_goals(
    bounds: Sequence[Bound],
    encoded_within: Callable[[Bound], EncodedProgram],
    loop: SolverQueryLoop,
    goals: Collection[int],
    known: Collection[int] = (),
) -> GoalsFound:
    """Executions that pass and reach ``goals`` but for the ``known`` ones, in growing ``bounds``."""
    left = set(goals) - set(known)
    executions: list[ReachingExecution] = []
    unreached: dict[int, int] = {}
    unwind, complete = 0, False
    stop: Stop | None = None
    try:
        for bound in bounds:
            if not left or loop.must_stop():
                break
            within = _GoalsWithin(encoded_within(bound), loop, len(executions))
            unwind = bound.unwind or 0
            for found in within.search(left):
                executions.append(found)
                left -= found.goals
            unreached |= dict.fromkeys(sorted(within.refuted), unwind)
            if left and left <= within.refuted and within.is_complete():
                complete = True
                break
    except (InputError, ResourceError):
        stop = None if loop.must_stop() else "effort"
    except KeyboardInterrupt as error:
        loop.stop(halt_reason_of(error))
    stop = loop.stopped or (stop if left and not complete else None)
    return GoalsFound(
        executions=tuple(executions),
        unreached={goal: unreached[goal] for goal in sorted(left) if goal in unreached},
        unwind=unwind,
        complete=complete,
        stop=stop,
    )


def split_questions(
    left: AbstractSet[int], ask: Callable[[Sequence[int]], SolverAnswer], most: float = math.inf
) -> Iterator[tuple[Sequence[int], SolverAnswer]]:
    """Questions about groups of what is ``left``, at most so many, and their answers: SAT or UNSAT.

    The caller takes out of ``left`` what is decided. Without an answer the halves of a group are asked about, and after
    a model the rest of it again, until nothing is left, or too much has no answer.
    """
    groups = [sorted(left)]
    asked = unanswered = 0
    while groups and asked < most and unanswered < policy().unreachable.open_answers:
        group = [one for one in groups.pop() if one in left]
        if not group:
            continue
        asked += 1
        answer = ask(group)
        if answer is SolverAnswer.UNKNOWN:
            unanswered += 1
            half = len(group) // 2
            groups += [group[half:], group[:half]] if half else []
            continue
        yield group, answer
        if answer is SolverAnswer.SAT:
            groups.append(group)


@final
class _GoalsWithin:
    """The goals that are looked for within one bound; ``refuted`` are those that no execution reaches there."""

    def __init__(self, encoded: EncodedProgram, loop: SolverQueryLoop, number: int) -> None:
        self.refuted: set[int] = set()
        self._encoded: Final = encoded
        self._loop: Final = loop
        self._number = number
        terms = encoded.terms
        self._order: Final = terms.cone([*terms_to_decode_model(encoded), *encoded.goals.values()])
        self._variables: Final = [term for term in self._order if terms.op[term] == VAR]

    def search(self, wanted: Collection[int]) -> Iterator[ReachingExecution]:
        """Executions that reach further goals of ``wanted``, until each is reached, refuted or given up."""
        left = set(wanted)

        def ask(group: Sequence[int]) -> SolverAnswer:
            return self._ask(self._encoded.terms.any_of(sorted({self._term(goal) for goal in group})))

        for group, answer in split_questions(left, ask):
            if answer is SolverAnswer.UNSAT:
                self.refuted.update(group)
                left.difference_update(group)
                continue
            found = self._widened(left)
            if not found.goals & left:  # never to be asked for again
                return
            left -= found.goals
            yield found

    def is_complete(self) -> bool:
        """Whether no execution is proved to leave the bound."""
        cut = self._encoded.cut
        return self._loop.ask((cut,), 1.0, policy().unreachable.goal_effort) is SolverAnswer.UNSAT

    def _term(self, goal: int) -> Term:
        return self._encoded.goals.get(goal, FALSE)

    def _ask(self, term: Term, *also: Term, effort: int | None = None) -> SolverAnswer:
        effort = policy().unreachable.goal_effort if effort is None else effort
        return self._loop.ask((self._encoded.passing, *also, term), policy().unreachable.share, effort)

    def _widened(self, left: Collection[int]) -> ReachingExecution:
        """The execution of the solver's model, or one that reaches more of ``left`` as far as that costs little."""
        terms = self._encoded.terms
        values = self._model()
        for _ in range(policy().questions.leaner_tries):
            reached = self._reached(values)
            held = sorted({self._term(goal) for goal in reached.intersection(left)} - {TRUE})
            open_terms = {self._term(goal) for goal in set(left) - reached} - {FALSE}
            if not open_terms:
                break
            more = terms.any_of(sorted(open_terms))
            if self._ask(more, *held, effort=policy().questions.leaner_effort) is not SolverAnswer.SAT:
                break
            values = self._model()
        return self._legible(values, left)

    def _model(self) -> dict[Term, int]:
        """Values of all terms in the solver's model."""
        inputs = dict(zip(self._variables, self._loop.solver.values(self._variables), strict=True))
        return self._evaluate(inputs)

    def _evaluate(self, inputs: Mapping[Term, int]) -> dict[Term, int]:
        return dict(evaluate_terms_in_order(self._encoded.terms, self._order, inputs))

    def _reached(self, values: Mapping[Term, int]) -> frozenset[int]:
        return frozenset(goal for goal, term in self._encoded.goals.items() if values[term])

    def _legible(self, values: Mapping[Term, int], left: Collection[int]) -> ReachingExecution:
        """The execution of a model, with inputs that are easier to read and reach the same goals of ``left``."""
        wanted = self._reached(values).intersection(left)
        last = dict(values)

        def is_as_good(inputs: Mapping[Term, int]) -> bool:
            nonlocal last
            other = self._evaluate(inputs)
            is_good = bool(other[self._encoded.passing]) and self._reached(other) >= wanted
            last = other if is_good else last
            return is_good

        if len(self._order) <= policy().questions.simplify_limit:
            inputs: Mapping[Term, int] = {v: values[v] for v in self._variables}
            small = minimised_input_values(self._encoded, inputs)
            inputs = small if is_as_good(small) else inputs
            tries = policy().questions.simpler_work // max(1, len(self._order))
            minimise_inputs(self._encoded, inputs, is_as_good, tries)
        self._number += 1
        execution = decode_model_execution(self._encoded, last, self._number)
        return ReachingExecution(execution=execution, goals=self._reached(last))
