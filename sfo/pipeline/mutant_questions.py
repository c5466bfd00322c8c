"""Questions to the solver about mutants beside their program, within one bound.

n + 1 -> n - 1    an execution that shows a difference
i < n -> i <= n   none, but one in which the program has ended and the mutant goes on
2 * n -> n + n    none, and no mutant goes on: equivalent in this bound
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Final, final

from cfrontend.bound import Bound
from cfrontend.encoded_program import EncodedProgram
from cfrontend.program import encode_program
from cfrontend.record import dataclass
from cfrontend.terms import VAR, Term, Terms
from cfrontend.terms.evaluate import evaluate_terms
from sfo.core.decode_model import decode_model_execution, terms_to_decode_model
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.protocol import Found, UnknownOracleAnswer
from sfo.pipeline.mutant_goals import MutantGoals
from sfo.pipeline.session import AnalysisSession
from sfo.solvers import SolverAnswer


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MutantAnswer:
    """What is known of a mutant within a bound.

    ``program``: inputs of the program on which the two differ, or on which the program ends in the bound and the mutant
    does not. ``failing`` is the mutant's execution that shows a difference. ``is_equivalent``: in the bound there are
    no such executions, and with ``is_proved_beyond`` there are none at all.
    """

    program: Execution | None = None
    failing: Execution | None = None
    is_equivalent: bool = False
    is_proved_beyond: bool = False


@final
class MutantQuestions:
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

    def ask(self, mutant: int, effort: int) -> MutantAnswer | None:
        """What is known of a mutant, by questions of so many conflicts; None where nothing is."""
        if self._asked >= policy().suites.mutants_together:
            self._begin()
        self._asked += 1
        if mutant in self._mutants.infection and not self._infects(mutant):
            return MutantAnswer(is_equivalent=True, is_proved_beyond=True)
        encoded = self._encoded(mutant)
        # One in which all is 0 that the mutant alone reads comes first: so it is when a test is executed.
        zeros = _reading_zeros(encoded)
        answer = None if zeros is None else self._violating(self._oracle(zeros), effort)
        oracle = self._oracle(encoded)
        answer = answer or self._violating(oracle, effort)
        if isinstance(answer, UnknownOracleAnswer):
            return None
        if answer is not None:
            known = self._program_with(_values_of(encoded.terms, answer))
            return MutantAnswer(program=known, failing=answer)
        return None if oracle.not_compared is not None else self._longer(encoded, effort)

    def _infects(self, mutant: int) -> bool:
        """Whether a mutant may infect an execution, or some leave the bound; one that infects none is equivalent."""
        infected = self._mutants.infection.within(mutant, self.bound, self._terms, self._loop.deadline)
        return self._ask(infected, policy().unreachable.goal_effort) is not SolverAnswer.UNSAT

    def _oracle(self, encoded: EncodedProgram) -> BmcOracle:
        return BmcOracle(encoded, self._loop, solver_only=True)

    def _violating(self, oracle: BmcOracle, effort: int) -> Found:
        return oracle.violating({v.property for v in oracle.encoded.violations}, effort=effort)

    def _longer(self, encoded: EncodedProgram, effort: int) -> MutantAnswer | None:
        """What is known of a mutant that differs nowhere in the bound: whether it leaves it where the program ends."""
        if not self.is_comparable:
            return None
        beyond = encoded.terms.and_(encoded.cut, self._base.passing)
        match self._ask(beyond, effort):
            case SolverAnswer.UNSAT:
                return MutantAnswer(is_equivalent=True)
            case SolverAnswer.SAT:
                roots = [beyond, *terms_to_decode_model(self._base)]
                variables = [term for term in self._terms.cone(roots) if self._terms.op[term] == VAR]
                values = dict(zip(variables, self._loop.solver.values(variables), strict=True))
                return MutantAnswer(program=self._program_with(values))
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
