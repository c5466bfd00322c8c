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
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError
from cfrontend.program import Program, encode_program
from cfrontend.terms import VAR
from cfrontend.terms.evaluate import evaluate_terms
from sfo.core.budget import BudgetClock
from sfo.core.decode_model import decode_model_execution, decode_only_execution, terms_to_decode_model
from sfo.core.executions import Execution
from sfo.core.halt import Stop, halt_reason_of
from sfo.core.policy import policy
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.protocol import UnknownOracleAnswer
from sfo.pipeline.mutant_goals import MutantGoals
from sfo.pipeline.session import AnalysisSession
from sfo.test_generation.goal_search import GoalsFound, ReachingExecution


def search_mutants(
    mutants: MutantGoals,
    session: AnalysisSession,
    start: Sequence[Execution],
    known: Collection[int],
    bounds: Sequence[Bound],
) -> GoalsFound:
    """Executions that kill mutants but for the ``known`` ones: those of ``start``, then the solver's."""
    search = _MutantSearch(mutants, session, known)
    stop: Stop | None = None
    try:
        search.tell(start)
        for bound in bounds:
            if not search.open:
                break
            search.within(bound)
    except KeyboardInterrupt as error:
        stop = halt_reason_of(error)
    return search.found(stop)


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

    def within(self, bound: Bound) -> None:
        """Ask the solver about each open mutant within ``bound``."""
        self._unwind = bound.unwind or 0
        base: EncodedProgram | None = None
        for mutant in list(self.open):
            if mutant not in self.open:
                continue
            if self._clock():
                self._stop = self._session.loop.stopped or "effort"
                return
            self._session.progress(
                f"executions that kill mutants within unwind {bound.unwind}: {len(self.open)} of"
                f" {len(self._mutants.goals.goals)} left"
            )
            share = max(policy().suites.mutant_least, self._clock.left / len(self.open))
            try:
                with self._clock.within(share):
                    failing = self._asked(mutant, bound)
                    if failing is None:
                        continue
                    base = self._mutants.beside(None, bound)[0] if base is None else base
                    execution = _execution_of_program(self._session.program, base, failing)
            except (InputError, ResourceError):
                continue
            if execution is not None:
                self.tell([execution], [mutant])

    def _asked(self, mutant: int, bound: Bound) -> Execution | None:
        """An execution of the mutant that shows a difference; where there is none, it is equivalent in this bound.

        One in which all is 0 that the mutant alone reads comes first: so it is when a test is executed.
        """
        encoded, loop = self._mutants.beside(mutant, bound)
        every = frozenset(v.property for v in encoded.violations)
        if (as_executed := _reading_zeros(encoded)) is not None:
            oracle = BmcOracle(as_executed, loop, every, solver_only=True)
            answer = oracle.violating(every, effort=policy().unreachable.goal_effort)
            if answer is not None:
                return None if isinstance(answer, UnknownOracleAnswer) else answer
        oracle = BmcOracle(encoded, loop, every, solver_only=True)
        answer = oracle.violating(every, effort=policy().unreachable.goal_effort)
        if isinstance(answer, UnknownOracleAnswer):
            return None
        if answer is None and oracle.not_compared is None:
            is_complete = oracle.complete() is True
            self._equivalent[mutant] = None if is_complete else bound.unwind
            if is_complete:
                self.open.remove(mutant)
        return answer

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
        )


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


def _execution_of_program(program: Program, base: EncodedProgram, failing: Execution) -> Execution | None:
    """The program's own execution on the inputs with which a mutant differs; None where it does not pass."""
    given = failing.reference_inputs
    variables = {base.terms.var(name, width): value for name, (value, width) in given.items()}
    values = evaluate_terms(base.terms, terms_to_decode_model(base), variables)
    there = decode_model_execution(base, values, 0)
    encoded = encode_program(
        program,
        Bound(unwind=None, free=True, free_limit=policy().executions.iterations),
        inputs=EncodeFixedValues(there.vector, reference=there.reference_inputs),
    )
    if encoded.concrete.missing_input is not None:
        return None
    execution = decode_only_execution(encoded, 0)
    return execution if execution.outcome == "pass" else None
