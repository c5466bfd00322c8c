"""Search for executions that kill mutants, and proof that none kills the others.

    a mutant that no known execution kills  ->  within growing bounds: an execution, or equivalent within unwind 4

An execution that the solver finds for one mutant is held against all that are left. Within one bound it is asked for

    n + 1 -> n - 1    an execution that shows a difference
    i < n -> i <= n   none, but one in which the program has ended and the mutant goes on
    2 * n -> n + n    none, and no mutant goes on: equivalent in this bound
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final, final

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError
from cfrontend.program import Program, encode_program
from cfrontend.record import dataclass
from cfrontend.terms import VAR, Term, Terms
from cfrontend.terms.evaluate import evaluate_terms
from sfo.core.budget import BudgetClock
from sfo.core.decode_model import decode_model_execution, terms_to_decode_model
from sfo.core.executions import Execution
from sfo.core.halt import Stop, halt_reason_of
from sfo.core.interpret import inputs_of_execution, interpret_execution
from sfo.core.policy import policy
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.protocol import Found, UnknownOracleAnswer
from sfo.pipeline.mutant_goals import MutantGoals
from sfo.pipeline.session import AnalysisSession
from sfo.solvers import SolverAnswer
from sfo.test_generation.goal_search import GoalsFound, ReachingExecution

_OWN_READS: Final = "it differs only with some values of what the mutant alone reads: memory that nobody wrote, or further inputs of calls"
"""Why a mutant is not killed by an execution that the solver has found for it."""

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
        search.leave_endless()
        for bound in _in_turn(bounds, rounds):
            if not search.goes_on:
                break
            search.within(bound)
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

    def leave_endless(self) -> None:
        """Leave mutants that read on in each of some executions: any bound is too small for them."""
        runs = [reaching.execution for reaching in self._executions]
        for mutant in list(self.open):
            unit = self._mutants.goals.goals[mutant].unit
            tried = [run for run in runs if unit in run.covered][: policy().suites.endless_on]
            if tried and not self._clock() and not any(self._mutants.ends(mutant, run) for run in tried):
                self._said[mutant] = _OWN_READS
                self.open.remove(mutant)

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
                questions = _Questions(self._mutants, self._session, bound)
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

    def _ask_all(self, questions: _Questions, effort: int, *, is_complete: bool) -> None:
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

    def _take(self, mutant: int, answer: _Answer, bound: int, *, is_complete: bool) -> None:
        """Keep what an answer says of a mutant."""
        if answer.program is None:
            self._equivalent[mutant] = None if is_complete else bound
            if is_complete:
                self.open.remove(mutant)
            return
        if answer.goes_on:
            self._longer.add(mutant)
        execution = _execution(self._session.program, inputs_of_execution(answer.program))
        if execution is None:
            return
        self.tell([execution], [mutant])
        # A larger bound has no other reads of it.
        if mutant in self.open and not (answer.goes_on and self._mutants.ends(mutant, execution)):
            self._said[mutant] = _OWN_READS
            self.open.remove(mutant)

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
            said={n: why for n, why in self._said.items() if n not in killed},
        )


def _execution(program: Program, inputs: EncodeFixedValues) -> Execution | None:
    """The program's execution on ``inputs``; None where it does not pass."""
    execution = interpret_execution(program, inputs)
    return None if execution is None or execution.outcome != "pass" else execution


# -- questions to the solver -----------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What is known of a mutant within a bound.

    ``program`` is an execution of the program on whose inputs the two differ, or which ends in the bound where the
    mutant does not (``goes_on``); None: there is none in the bound.
    """

    program: Execution | None = None
    goes_on: bool = False


@final
class _Questions:
    """Questions about mutants within ``bound``. Some of them share a solver, which knows the program then."""

    def __init__(self, mutants: MutantGoals, session: AnalysisSession, bound: Bound) -> None:
        self.bound: Final = bound
        self._mutants: Final = mutants
        self._session: Final = session
        self._begin()

    def _begin(self) -> None:
        """Begin with an empty store of terms."""
        self._terms, self._loop = self._session.another_loop()
        self._loop.deadline = self._session.deadline
        self._base = self._encoded(None)
        self._asked = 0

    @cached_property
    def is_comparable(self) -> bool:
        """Whether the program reads nothing that its reference may not read: memory that nobody wrote."""
        own = encode_program(
            self._session.program, self.bound, terms=self._terms, deadline=self._loop.deadline
        )
        reading = own.terms.any_of(event.condition for event in own.inputs if event.site.memory is not None)
        effort = policy().unreachable.goal_effort
        return self._ask(reading, effort) is SolverAnswer.UNSAT or self.is_complete

    @cached_property
    def is_complete(self) -> bool:
        """Whether no execution of the program is proved to leave the bound."""
        return self._ask(self._base.cut, policy().unreachable.goal_effort) is SolverAnswer.UNSAT

    def ask(self, mutant: int, effort: int) -> _Answer | None:
        """What is known of a mutant, by questions of so many conflicts; None where nothing is."""
        if self._asked >= policy().suites.mutants_together:
            self._begin()
        self._asked += 1
        encoded = self._encoded(mutant)
        # One in which all is 0 that the mutant alone reads comes first: so it is when a test is executed.
        zeros = _reading_zeros(encoded)
        answer = None if zeros is None else self._violating(self._oracle(zeros), effort)
        oracle = self._oracle(encoded)
        answer = answer or self._violating(oracle, effort)
        if isinstance(answer, UnknownOracleAnswer):
            return None
        if answer is not None:
            return _Answer(program=self._program_with(_values_of(encoded.terms, answer)))
        return None if oracle.not_compared is not None else self._longer(encoded, effort)

    def _oracle(self, encoded: EncodedProgram) -> BmcOracle:
        return BmcOracle(encoded, self._loop, solver_only=True)

    def _violating(self, oracle: BmcOracle, effort: int) -> Found:
        return oracle.violating({v.property for v in oracle.encoded.violations}, effort=effort)

    def _longer(self, encoded: EncodedProgram, effort: int) -> _Answer | None:
        """What is known of a mutant that differs nowhere in the bound: whether it leaves it where the program ends."""
        if not self.is_comparable:
            return None
        beyond = encoded.terms.and_(encoded.cut, self._base.passing)
        match self._ask(beyond, effort):
            case SolverAnswer.UNSAT:
                return _Answer()
            case SolverAnswer.SAT:
                roots = [beyond, *terms_to_decode_model(self._base)]
                variables = [term for term in self._terms.cone(roots) if self._terms.op[term] == VAR]
                values = dict(zip(variables, self._loop.solver.values(variables), strict=True))
                return _Answer(program=self._program_with(values), goes_on=True)
            case SolverAnswer.UNKNOWN:
                return None

    def _encoded(self, mutant: int | None) -> EncodedProgram:
        return self._mutants.beside(mutant, self.bound, self._terms, self._loop.deadline)

    def _ask(self, term: Term, effort: int) -> SolverAnswer:
        return self._loop.ask((term,), policy().unreachable.share, effort)

    def _program_with(self, variables: Mapping[Term, int]) -> Execution:
        """The program's execution in the bound with these values of inputs."""
        values = evaluate_terms(self._terms, terms_to_decode_model(self._base), dict(variables))
        return decode_model_execution(self._base, values, 0)


def _values_of(terms: Terms, failing: Execution) -> dict[Term, int]:
    """Values of the inputs of the reference, in the execution of a mutant."""
    return {terms.var(name, width): value for name, (value, width) in failing.reference_inputs.items()}


def _reading_zeros(encoded: EncodedProgram) -> EncodedProgram | None:
    """``encoded`` with violations only where all inputs that the reference has not are 0; None: it has all of them."""
    terms = encoded.terms
    known = set(encoded.comparison.inputs.values())
    others = {event.value for event in encoded.inputs if terms.op[event.value] == VAR} - known
    if not others:
        return None
    zeros = terms.all_of(terms.eq(value, terms.const(0, terms.width[value])) for value in sorted(others))
    violations = (replace(v, condition=terms.and_(v.condition, zeros)) for v in encoded.violations)
    return replace(encoded, violations=tuple(violations))
