"""Intrinsics that end, leave or refuse an execution, and those that jump."""

from __future__ import annotations

from cfrontend import goto
from cfrontend.lower import calls, dialect, jumps
from cfrontend.lower.intrinsic_registry import CallSite, intrinsic
from cfrontend.syntax.tree import Expression


@intrinsic(*dialect.EXITS)
def _exit(c: CallSite) -> None:
    """Lower a call of ``exit`` and the like; the status is evaluated before the handlers are called."""
    x, e = c.x, c.e
    status = x.emit.saved(x.value(e.arguments[0])) if e.arguments else None
    if c.name == "exit":
        calls.exit_handlers(x, e.location)
        calls.by_attribute(x, "destructor", e.location)
    x.emit.check("leak", goto.AllFreedCondition(outermost=False), calls.LEAK, e.location)
    x.emit.add(goto.ExitInstruction(location=e.location, status=status))


@intrinsic(*dialect.SETS_JUMPS, instead_of="library", where=lambda c: c.defined == "library")
def _set_jump(c: CallSite) -> Expression | None:
    return jumps.set_jump(c.x, c.e, c.name)


@intrinsic("__builtin_expect", where=lambda c: c.given > 0)
def _expected(c: CallSite) -> Expression | None:
    calls.pure_arguments(c.x, c.e.arguments[1:])
    return c.x.evaluate(c.e.arguments[0], wanted=c.wanted)


@intrinsic("__sfo_leave_bound")
def _leave(c: CallSite) -> None:
    c.x.emit.add(goto.LeaveInstruction(location=c.e.location))


@intrinsic("__sfo_limit")
def _limit(c: CallSite) -> None:
    """An execution that a model cannot follow, for the inputs it has."""
    c.x.emit.add(goto.LeaveInstruction(location=c.e.location, by_inputs=True))
    _refuse(c)


@intrinsic("__sfo_refuse")
def _refuse(c: CallSite) -> None:
    c.x.emit.refuse(calls.literal_text(c.e.arguments[0]) or "", c.e.location)
