"""Solvers behind one protocol. The engine libraries are imported when a solver is made, not before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cfrontend.errors import UsageError
from cfrontend.terms import Terms
from sfo.solvers.protocol import UNLIMITED, SolverAnswer, SolverBudget, SolverProtocol, SolverStatistics

__all__ = [
    "SOLVERS",
    "UNLIMITED",
    "SolverAnswer",
    "SolverBudget",
    "SolverProtocol",
    "SolverStatistics",
    "make_solver",
]


def _auto(terms: Terms) -> SolverProtocol:
    """Glucose on a bit-blasted formula, and bitwuzla where that takes long (the default)"""
    from sfo.solvers.auto_solver import TurnTakingSolver

    return TurnTakingSolver(terms, "auto")


def _glucose(terms: Terms) -> SolverProtocol:
    """Glucose 4.2 by way of python-sat"""
    from sfo.solvers.sat_solver import GlucoseSolver

    return GlucoseSolver(terms)


def _bitwuzla(terms: Terms) -> SolverProtocol:
    """The solver bitwuzla"""
    from sfo.solvers.auto_solver import TurnTakingSolver

    return TurnTakingSolver(terms, "bitwuzla")


def _z3(terms: Terms) -> SolverProtocol:
    """The solver z3"""
    from sfo.solvers.z3_solver import Z3Solver

    return Z3Solver(terms)


SOLVERS: Final[dict[str, Callable[[Terms], SolverProtocol]]] = {
    "auto": _auto,
    "bitwuzla": _bitwuzla,
    "glucose": _glucose,
    "sat": _glucose,
    "z3": _z3,
}
"""Solver makers by the name a user gives; what each is docs/backends.md takes from its docstring."""

PYSMT: Final = "pysmt:"
"""Prefix of the name of a solver that is asked by way of pysmt."""


def make_solver(name: str, terms: Terms) -> SolverProtocol:
    """A new solver over the store ``terms``, one of ``SOLVERS`` or ``pysmt:NAME``.

    Raises UsageError for another name and for a solver that is not installed.
    """
    if name.startswith(PYSMT):
        from sfo.solvers.pysmt_solver import PysmtSolver

        return PysmtSolver(terms, name.removeprefix(PYSMT))
    maker = SOLVERS.get(name)
    if maker is None:
        raise UsageError(f"unknown solver {name!r}: choose one of {', '.join(SOLVERS)}, or {PYSMT}NAME")
    return maker(terms)
