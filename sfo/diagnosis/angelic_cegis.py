"""The exact angelic question: is there a failing input that no values at a unit can save?

The filter of ``sfo.diagnosis.angelic`` looks at a few failing executions. Here all inputs within the bound are asked
about, by counterexample-guided synthesis. A failing input is found that the values known so far do not save. Values
that do save it go to the others; where there are none the input is beyond saving.

    fails with x = 5;  most = 5 saves it  ->  fails with x = 7, where most = 5 does not help;  most = 7 saves it
        ->  no failing input is left that none of these saves:  the unit can save every failing input

Two formulas share the inputs: the program as it is, and the program with one unit relaxed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import final

from cfrontend.bound import Bound
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError
from cfrontend.program import Program, encode_program
from cfrontend.terms import VAR, Term, Terms
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.terms.substitute import substitute_values
from cfrontend.units import UnitId
from sfo.core.budget import BudgetClock
from sfo.core.decode_model import (
    decode_model_execution,
    decode_model_failing_condition,
    terms_to_decode_model,
)
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.diagnosis.angelic import angelic_filter_bound, angelic_violation_behind
from sfo.oracles.protocol import Found, UnknownOracleAnswer
from sfo.solvers import SolverAnswer, SolverBudget
from sfo.solvers.ask import Model, ask_for_model, solver_to_ask
from sfo.solvers.guess import guessed_value_in_range
from sfo.solvers.protocol import SolverProtocol


@final
class AngelicCegis:
    """Asks about single units and all inputs of one program within one bound, until ``clock`` is over.

    All inputs of a failing execution are fixed, also those that it does not come to before it fails: the right value
    lets it pass whatever follows. ``reactive``: an execution that leaves the bound with nothing violated counts as
    saved.
    """

    def __init__(
        self,
        program: Program,
        bound: Bound,
        solver: str,
        properties: Collection[str],
        clock: BudgetClock,
        *,
        reactive: bool,
    ) -> None:
        self._program = program
        self._bound = bound
        self._solver = solver
        self._properties = properties
        self._clock = clock
        self._reactive = reactive
        self._terms = Terms()
        self._plain: EncodedProgram | None = None

    def beyond_saving(self, unit: UnitId) -> Found:
        """A failing execution that no values at ``unit`` save.

        None where it is proved that there is none within the bound.
        """
        with self._clock.within():
            return self._beyond_saving(unit)

    def _beyond_saving(self, unit: UnitId) -> Found:
        """``beyond_saving`` as far as the effort goes."""
        terms = self._terms
        try:
            plain = self._encoded_plain()
            bound = angelic_filter_bound(self._bound, plain.unrolled.unwindset)
            relaxed = encode_program(
                self._program, bound, terms=terms, relax=(unit,), deadline=self._clock.until
            )
        except (InputError, ResourceError):
            return UnknownOracleAnswer("timeout" if self._clock() else "unknown")
        good = terms.or_(relaxed.passing, angelic_violation_behind(relaxed, terms, self._properties, None))
        good = terms.or_(good, relaxed.cut) if self._reactive else good
        inputs = {event.value for event in plain.inputs if terms.op[event.value] == VAR}
        free = [v for v in terms.cone((good,)) if terms.op[v] == VAR and v not in inputs]
        outer = self._new_solver()
        left, is_sure = decode_model_failing_condition(plain, self._properties), True
        for _ in range(policy().angelic.cegis_rounds):
            failing = self._model(left, outer)
            if failing is None:
                return None if is_sure else UnknownOracleAnswer("unknown")
            if isinstance(failing, UnknownOracleAnswer):
                return failing
            given = self._filled(failing, inputs)
            saving = self._model(substitute_values(terms, good, given), self._new_solver())
            if saving is None:
                if self._model(substitute_values(terms, relaxed.cut, given), self._new_solver()) is None:
                    return self._read(plain, given)
                is_sure = False  # it may pass beyond the bound
                same = (terms.eq(v, terms.const(value, terms.width[v])) for v, value in given.items())
                left = terms.and_(left, terms.not_(terms.all_of(same)))
            elif isinstance(saving, UnknownOracleAnswer):
                return saving
            else:
                with_these = substitute_values(terms, good, self._filled(saving, free))
                left = terms.and_(left, terms.not_(with_these))
        return UnknownOracleAnswer("unknown")

    def _filled(self, values: Mapping[Term, int], variables: Iterable[Term]) -> dict[Term, int]:
        """``values`` of all ``variables``: those that do not matter are 0, or the nearest that they can be."""
        return {v: values.get(v, guessed_value_in_range(self._terms, v, 0)) for v in variables}

    def _new_solver(self) -> SolverProtocol:
        return solver_to_ask(self._solver, self._terms)

    def _encoded_plain(self) -> EncodedProgram:
        if self._plain is None:
            self._plain = encode_program(
                self._program, self._bound, terms=self._terms, deadline=self._clock.until
            )
        return self._plain

    def _model(self, goal: Term, solver: SolverProtocol) -> Model | UnknownOracleAnswer | None:
        """Values of the variables with which ``goal`` holds; None where there are none."""
        if self._clock():
            return UnknownOracleAnswer("timeout")
        budget = SolverBudget(seconds=self._clock.seconds, conflicts=policy().angelic.cegis_effort)
        found = ask_for_model(solver, self._terms, goal, budget)
        if found is SolverAnswer.UNKNOWN:
            return UnknownOracleAnswer("timeout" if self._clock() else "unknown")
        return None if found is SolverAnswer.UNSAT else found

    def _read(self, plain: EncodedProgram, given: Mapping[Term, int]) -> Execution:
        """The execution with the inputs ``given``, and the values of those that it does not come to."""
        terms = self._terms
        execution = decode_model_execution(
            plain, evaluate_terms(terms, terms_to_decode_model(plain), given), 0, self._properties
        )
        came_to = evaluate_terms(terms, [event.condition for event in plain.inputs], given)
        further = {
            terms.names[event.value]: given[event.value]
            for event in plain.inputs
            if event.value in given and not came_to[event.condition]
        }
        return replace(execution, further=tuple(sorted(further.items())))
