"""Passing executions beyond the bound: they cover all that every failing execution does, and are longer than these.

    while (scanf("%d", &i) == 1) use(i);      a failing execution ends in the first iteration, a passing one never does

Within the smallest bound that has a failing execution there may be no passing one of this kind. Without any, nothing
tells an edit that leaves right executions on their way from one that leads all of them around the fault.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from cfrontend.bound import Bound
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError
from cfrontend.program import Program, encode_program
from cfrontend.terms import FALSE, VAR, Term, Terms
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.units import UnitId
from sfo.core.budget import BudgetClock
from sfo.core.decode_model import decode_model_execution, terms_to_decode_model
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.solvers import SolverAnswer
from sfo.solvers.ask import solver_to_ask


def passing_executions_beyond_bound(
    program: Program,
    bound: Bound,
    units: Collection[UnitId],
    properties: Collection[str],
    solver: str,
    clock: BudgetClock,
) -> list[Execution]:
    """Passing executions within twice ``bound`` that cover ``units``, each with other inputs; none where none is found.

    ``properties`` are the ids of the specification. The ``clock`` ends the search.
    """
    if bound.unwind is None or clock():
        return []
    terms = Terms()
    with clock.within(policy().validation.beyond_seconds):
        try:
            encoded = encode_program(program, bound_beyond_another(bound), terms=terms, deadline=clock.until)
        except (InputError, ResourceError):
            return []
        question = [encoded.passing, *(encoded.coverage.get(unit, FALSE) for unit in sorted(units))]
        loop = SolverQueryLoop(solver_to_ask(solver, terms), clock.until, halts=True)
        found: list[Execution] = []
        while FALSE not in question and len(found) < policy().validation.beyond:
            if loop.ask(tuple(question), effort=policy().questions.first_effort) is not SolverAnswer.SAT:
                break
            values = values_of_solved_program(encoded, loop)
            found.append(decode_model_execution(encoded, values, 0, properties))
            read = [event.value for event in encoded.inputs if values[event.condition]]
            same = [terms.eq(word, terms.const(values[word], terms.width[word])) for word in read]
            question.append(terms.not_(terms.all_of(same)))
    return found


def values_of_solved_program(encoded: EncodedProgram, loop: SolverQueryLoop) -> Mapping[Term, int]:
    """What ``decode_model_execution`` needs of the model that a solver has just found."""
    terms, roots = encoded.terms, terms_to_decode_model(encoded)
    inputs = [term for term in terms.cone(roots) if terms.op[term] == VAR]
    return evaluate_terms(terms, roots, dict(zip(inputs, loop.solver.values(inputs), strict=True)))


def bound_beyond_another(bound: Bound) -> Bound:
    """Twice a bound, and a bit more; the same where it does not unwind."""
    return bound if bound.unwind is None else replace(bound, unwind=2 * bound.unwind + 1)
