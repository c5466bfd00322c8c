"""Query of one question to one solver: plain values first, then the engine.

find_model(solver, terms, x < 8 and y == x + 1, budget)  ->  {x: 0, y: 1}, Answer.UNSAT, or Answer.UNKNOWN
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from cfrontend.terms import FALSE, VAR, Term, Terms
from sfo.solvers import make_solver
from sfo.solvers.abstracting_solver import AbstractingSolver
from sfo.solvers.guess import guess_model
from sfo.solvers.narrowing_solver import NarrowingSolver
from sfo.solvers.protocol import SolverAnswer, SolverBudget, SolverProtocol

Model: TypeAlias = Mapping[Term, int]
"""Model: unsigned values of variables; those that are not in it do not matter."""


def solver_to_ask(name: str, terms: Terms) -> SolverProtocol:
    """A new solver over the store ``terms``; errors as of ``make_solver``.

    It sees words of the width they need, and is first asked without the circuits of hard functions.
    """
    return AbstractingSolver(lambda: NarrowingSolver(make_solver(name, terms), terms), terms)


def ask_for_model(
    solver: SolverProtocol, terms: Terms, goal: Term, budget: SolverBudget
) -> Model | Literal[SolverAnswer.UNSAT, SolverAnswer.UNKNOWN]:
    """Values of the variables with which the Boolean ``goal`` holds, or why there are none."""
    if goal == FALSE:
        return SolverAnswer.UNSAT
    values = guess_model(terms, goal)
    if values is not None:
        return values
    answer = solver.check((goal,), budget)
    if answer is not SolverAnswer.SAT:
        return answer
    variables = [term for term in terms.cone((goal,)) if terms.op[term] == VAR]
    return dict(zip(variables, solver.values(variables), strict=True))
