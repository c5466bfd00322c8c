"""Observers of a symbolic execution: they are told its events, and may end or keep its states.

A machine tells each observer what happens. An observer is a trace, a text that has to be printed, or the comparison
with a reference, and overrides what it has to know of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cfrontend.events import OutputEvent, TraceStepEvent
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.terms import Term
from cfrontend.units import InputSite, UnitId

if TYPE_CHECKING:
    from cfrontend.symex.machine import SymbolicMachine


class Observer:
    """Observer that does nothing: the base class, which lets everything pass.

    Only one that ``traces`` is told of single steps, and only of those of the program, not of its reference.
    ``compares_output``: what is printed has to be what is expected.
    """

    traces: bool = False
    compares_output: bool = False

    def begin(self, m: SymbolicMachine) -> None:
        """Begin: static memory is initialised, and nothing has been executed."""

    # -- single steps ------------------------------------------------------------------------------------------

    def step(self, m: SymbolicMachine, unit: UnitId) -> None:
        """Note that the evaluation of ``unit`` begins."""

    def test(self, m: SymbolicMachine, unit: UnitId, outcome: bool) -> None:
        """Note that the condition ``unit`` comes out true or false."""

    def write(
        self,
        m: SymbolicMachine,
        unit: UnitId | None,
        target: Expression,
        pointer: Term | None,
        values: Sequence[Term],
    ) -> None:
        """Note that ``unit`` writes the scalars of ``target``, at ``pointer`` unless it is a plain variable."""

    def enter(self, m: SymbolicMachine, parameter: SyntaxSymbol, value: Term) -> None:
        """Note that a function is entered with this value of a scalar parameter."""

    def reads_unwritten(self, m: SymbolicMachine, site: InputSite, value: Term) -> None:
        """Note that memory that nobody wrote is read, and so has a value from here on."""

    def steps(self) -> tuple[TraceStepEvent, ...]:
        """The recorded steps of the execution."""
        return ()

    # -- what can be seen from outside ---------------------------------------------------------------------------

    def prints(self, m: SymbolicMachine, event: OutputEvent) -> bool:
        """Observe output of the current path: False when none of its executions goes on."""
        return True

    def ends(self, m: SymbolicMachine, *, exits: bool, value: Sequence[Term]) -> bool:
        """Observe the end of the program, by ``exit`` with a status or with the result of the entry function.

        False when no execution passes: the observer has dropped the state, or keeps it.
        """
        return True
