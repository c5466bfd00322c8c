"""Cross-check of refutations by another engine, on the terms as they were built, narrowed nowhere.

    refute_again(terms, claim, execution_on, units, "auto", deadline)  ->  SecondOpinion(solver="bitwuzla", ...)

A model is evaluated before it is believed. Nothing can check a refutation so: a fault in the narrowing, in the gates
or in an engine could lose an execution, and the proof would still be called one. Here none of the three is what it
was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, final

from cfrontend.record import dataclass
from cfrontend.terms import VAR, Term, Terms
from cfrontend.units import UnitId
from sfo.core.executions import Execution
from sfo.solvers import SolverAnswer, SolverBudget, make_solver

SECOND: Final = {"bitwuzla": "glucose"}
"""Engine of the second opinion, by engine of the first. For all others, which are or use Glucose, it is bitwuzla."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CrossCheckOpinion:
    """Answer of a second engine, ``solver``, to a question that was refuted: UNSAT confirms it.

    ``execution`` is one that was said not to exist; None with SAT: the model is no such execution, so that the second
    engine is the one in error.
    """

    solver: str
    answer: SolverAnswer
    execution: Execution | None = None


def cross_check_refutation(
    terms: Terms,
    claim: Sequence[Term],
    execution_on: Callable[[Mapping[Term, int]], Execution],
    avoiding: Collection[UnitId] | None,
    first: str,
    deadline: float | None,
) -> CrossCheckOpinion:
    """Refute ``claim`` again: an execution fails and leaves out a unit of ``avoiding``.

    ``execution_on`` gives the execution on values of the inputs. ``first`` is the name of the solver that refuted it;
    ``deadline`` is a time of ``time.monotonic``.
    """
    solver = make_solver(SECOND.get(first, "bitwuzla"), terms)
    for term in (*claim, *_ranges(terms, terms.cone(claim))):
        solver.add(term)
    left = None if deadline is None else max(0.0, deadline - time.monotonic())
    answer = solver.check((), SolverBudget(seconds=left))
    if answer is not SolverAnswer.SAT:
        return CrossCheckOpinion(solver=solver.name, answer=answer)
    variables = [term for term in terms.cone(claim) if terms.op[term] == VAR]
    execution = execution_on(dict(zip(variables, solver.values(variables), strict=True)))
    real = execution.outcome == "fail" and (avoiding is None or not execution.seen.issuperset(avoiding))
    return CrossCheckOpinion(solver=solver.name, answer=answer, execution=execution if real else None)


def _ranges(terms: Terms, cone: Collection[Term]) -> list[Term]:
    """Assumed ranges of inputs in ``cone``, as terms: the builder folded terms with them."""
    found = []
    for term in cone:
        if term in terms.ranges:
            low, high = terms.ranges[term]
            width = terms.width[term]
            found += [terms.sle(terms.const(low, width), term), terms.sle(term, terms.const(high, width))]
    return found
