"""Search for executions that kill mutants, and proof that none kills the others.

    a mutant that no known execution kills  ->  within growing bounds: an execution, or equivalent within unwind 4

An execution that the solver finds for one mutant is held against all that are left.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, final

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.errors import InputError, ResourceError
from cfrontend.goto.spoken_constants import spoken_integers
from cfrontend.program import Program, encode_program
from sfo.core.budget import BudgetClock
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import Execution
from sfo.core.halt import Stop, halt_reason_of
from sfo.core.policy import policy
from sfo.pipeline.mutant_goals import MutantGoals
from sfo.pipeline.mutant_questions import MutantAnswer, MutantQuestions
from sfo.pipeline.session import AnalysisSession
from sfo.test_generation.goal_search import GoalsFound, ReachingExecution
from sfo.test_generation.near_vectors import NearVector, NearVectors

_NOT_COMPARED: Final = "the program reads memory that nobody wrote, and is not compared where it does"
"""Why a mutant that nothing kills is not proved equivalent."""


def search_mutants(
    mutants: MutantGoals,
    session: AnalysisSession,
    start: Sequence[Execution],
    known: Collection[int],
    bounds: Sequence[Bound],
    rounds: int | None,
) -> GoalsFound:
    """Executions that kill mutants but for the ``known`` ones: those of ``start``, then the solver's.

    ``rounds``: no loop of the program makes more, where that is known.
    """
    search = _MutantSearch(mutants, session, known)
    stop: Stop | None = None
    try:
        search.tell(start)
        search.near()
        search.reading()
        for bound in _in_turn(bounds, rounds):
            if not search.goes_on:
                break
            search.within(bound)
        search.settle()
    except KeyboardInterrupt as error:
        stop = halt_reason_of(error)
    return search.found(stop)


def _in_turn(bounds: Sequence[Bound], rounds: int | None) -> Sequence[Bound]:
    """The smallest of growing bounds, where it is easy to see a difference, then those that have all executions."""
    later = [bound for bound in bounds[1:] if (bound.unwind or 0) >= (rounds or 0)]
    return [*bounds[:1], *later] if later else bounds


@final
class _MutantSearch:
    """Mutants that are ``open``, and what was found for the others."""

    def __init__(self, mutants: MutantGoals, session: AnalysisSession, known: Collection[int]) -> None:
        self.open = [goal.id for goal in mutants.goals.goals if goal.id not in set(known)]
        self._mutants: Final = mutants
        self._session: Final = session
        self._executions: list[ReachingExecution] = []
        self._killing: dict[tuple[object, ...], ReachingExecution] = {}
        self._equivalent: dict[int, int | None] = {}
        self._known: dict[int, int] = {}
        self._longer: set[int] = set()
        self._said: dict[int, str] = {}
        self._is_last = False
        self._stop: Stop | None = None
        self._unwind = 0
        self._clock: Final = BudgetClock(
            session.options.effort * policy().suites.mutant_seconds, session.loop.must_stop
        )

    def tell(self, executions: Sequence[Execution], aimed: Collection[int] = ()) -> None:
        """Hold executions against the mutants, in any case against those ``aimed`` at; what kills some is kept."""
        for reaching in self._mutants.perhaps_reached_by(executions, aimed):
            vector = reaching.execution.vector
            self._killing.setdefault(vector, reaching)
            self._killing[vector] = replace(self._killing[vector], goals=reaching.goals)
        self._executions = [reaching for reaching in self._killing.values() if reaching.goals]
        killed = frozenset[int]().union(*(e.goals for e in self._executions))
        self.open = [mutant for mutant in self.open if mutant not in killed]

    def near(self) -> None:
        """Hold native executions on inputs near those of known ones against the open mutants."""
        limits = policy().suites
        vectors = NearVectors(list(spoken_integers(self._session.program.goto)))
        for _ in range(limits.near_rounds):
            known = [reaching.execution for reaching in self._executions]
            if not known or not self.open or self._clock():
                return
            drawn = vectors.of(known, limits.near_vectors)
            for vector, mutants in self._mutants.killing_natively(self.open, drawn, known[0]).items():
                left = [mutant for mutant in mutants if mutant in self.open]
                execution = _execution_on(self._session.program, vector) if left else None
                if execution is not None:
                    self.tell([execution], left)

    def reading(self) -> None:
        """Try values for what open mutants alone read, on the known executions that kill most."""
        self._mutants.with_own_reads(self._executions, self.open, self._clock)
        self._look_again()

    def settle(self) -> None:
        """Where the executions that are needed anyway kill what others do by such values, these need not be there."""
        self._look_again()
        own = frozenset(self._mutants.own_reads)
        if own:
            self._mutants.with_own_reads(_needed(self._executions, own), own, self._clock)
            self._look_again()

    def _look_again(self) -> None:
        """Take over what is known of the executions now."""
        self.tell([reaching.execution for reaching in self._killing.values()])

    @property
    def goes_on(self) -> bool:
        """Whether a larger bound may say more of some mutant."""
        return not self._longer.isdisjoint(self.open) if self._is_last else bool(self.open)

    def within(self, bound: Bound) -> None:
        """Ask the solver about each open mutant within ``bound``."""
        self._unwind = bound.unwind or 0
        if self._clock():
            self._stop = self._session.loop.stopped or "effort"
            return
        try:
            with self._clock.within(self._clock.left / 2):
                questions = MutantQuestions(self._mutants, self._session, bound)
                is_complete = questions.is_complete
                is_comparable = questions.is_comparable
        except (InputError, ResourceError):
            return
        if not is_comparable:
            self._said |= dict.fromkeys(self.open, _NOT_COMPARED)
        self._ask_all(questions, policy().unreachable.goal_effort, is_complete=is_complete)
        if is_complete:
            # No larger bound has more executions of the program: what is not known is asked again here, for longer.
            self._ask_all(questions, policy().suites.mutant_effort, is_complete=True)
            self._is_last = True

    def _ask_all(self, questions: MutantQuestions, effort: int, *, is_complete: bool) -> None:
        """Ask about each open mutant of which nothing is known in the bound."""
        bound = questions.bound.unwind or 0
        waiting = [mutant for mutant in self.open if self._known.get(mutant) != bound]
        if self._is_last:
            waiting = [mutant for mutant in waiting if mutant in self._longer]
        for place, mutant in enumerate(waiting):
            if mutant not in self.open:
                continue
            if self._clock():
                self._stop = self._session.loop.stopped or "effort"
                return
            self._session.progress(
                f"executions that kill mutants within unwind {bound}: {len(self.open)} of"
                f" {len(self._mutants.goals.goals)} left"
            )
            share = max(policy().suites.mutant_least, self._clock.left / (len(waiting) - place))
            try:
                with self._clock.within(share):
                    answer = questions.ask(mutant, effort)
                    if answer is not None:
                        self._known[mutant] = bound
                        self._take(mutant, answer, bound, is_complete=is_complete)
            except (InputError, ResourceError):
                continue

    def _take(self, mutant: int, answer: MutantAnswer, bound: int, *, is_complete: bool) -> None:
        """Keep what an answer says of a mutant."""
        if answer.program is None:
            is_everywhere = is_complete or answer.is_proved_beyond
            self._equivalent[mutant] = None if is_everywhere else bound
            if is_everywhere:
                self.open.remove(mutant)
            return
        if answer.failing is None:
            self._longer.add(mutant)
        there, program = answer.program, self._session.program
        execution = _execution(program, EncodeFixedValues(there.vector, reference=there.reference_inputs))
        if execution is None:
            return
        self.tell([execution], [mutant])
        if mutant in self.open:
            failing, mutants = answer.failing, self._mutants
            if (failing is not None and mutants.kills_as(mutant, execution, failing)) or (
                mutants.kills_by_own_reads(mutant, execution)
            ):
                self.tell([execution])

    def found(self, stop: Stop | None) -> GoalsFound:
        """What is known now."""
        killed = frozenset[int]().union(*(e.goals for e in self._executions))
        stop = stop or self._session.loop.stopped or self._stop
        return GoalsFound(
            executions=tuple(self._executions),
            unreached={n: unwind for n, unwind in sorted(self._equivalent.items()) if n not in killed},
            unwind=self._unwind,
            complete=False,
            stop=stop,
            said={**{n: why for n, why in self._said.items() if n not in killed}, **self._mutants.own_reads},
        )


def _needed(executions: Sequence[ReachingExecution], but: frozenset[int]) -> list[ReachingExecution]:
    """Few executions that reach what all do, ``but`` for some goals."""
    left = frozenset[int]().union(*(e.goals for e in executions)) - but
    found: list[ReachingExecution] = []
    while left:
        found.append(max(executions, key=lambda e: len(e.goals & left)))
        left -= found[-1].goals
    return found


def _execution_on(program: Program, vector: NearVector) -> Execution | None:
    """The program's execution on the values of ``vector``; None where it does not pass."""
    try:
        return _execution(program, EncodeFixedValues([value.value for value in vector]))
    except (InputError, ResourceError):
        return None


def _execution(program: Program, inputs: EncodeFixedValues) -> Execution | None:
    """The program's execution on ``inputs``; None where it does not pass."""
    bound = Bound(unwind=None, free=True, free_limit=policy().executions.iterations)
    encoded = encode_program(program, bound, inputs=inputs)
    if encoded.concrete.missing_input is not None:
        return None
    execution = decode_only_execution(encoded, 0)
    return execution if execution.outcome == "pass" else None
