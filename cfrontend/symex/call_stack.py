"""Call stack of an execution on fixed inputs: the calls that have not returned at its current instruction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cfrontend.events import CallSite, ViolationEvent
from cfrontend.terms import Term

if TYPE_CHECKING:
    from cfrontend.symex.machine import SymbolicMachine


def violation_here(m: SymbolicMachine, name: str, condition: Term, because: str) -> ViolationEvent:
    """Violation of the property ``name`` at the current instruction where ``condition`` holds."""
    return ViolationEvent(property=name, condition=condition, called_from=_call_stack(m), because=because)


def _call_stack(m: SymbolicMachine) -> tuple[CallSite, ...]:
    """The calls that have not returned, by the program's own functions, the innermost first.

    Empty where the inputs are not fixed: states of several call stacks may have been joined there.
    """
    sites: list[CallSite] = []
    frame = m.caller() if m.is_fixed else None
    while frame is not None and (frame := frame.outer) is not None:
        if (where := frame.instruction().location) is not None:
            sites.append(CallSite(function=frame.function.source.name, location=where))
    return tuple(sites)
