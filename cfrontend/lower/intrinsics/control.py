"""Intrinsics that end, leave or refuse an execution, and those that jump."""

from __future__ import annotations

from cfrontend import goto
from cfrontend.lower import calls, dialect, jumps
from cfrontend.lower.intrinsic_registry import (
    IntrinsicCallSite,
    intrinsic,
    intrinsic_registry_condition_at_least,
)
from cfrontend.syntax.tree import Expression


@intrinsic(*dialect.EXITS)
def _exit(c: IntrinsicCallSite) -> None:
    """Lower a call of ``exit`` and the like; the status is evaluated before the handlers are called."""
    x, e = c.x, c.e
    status = x.emit.saved(x.value(e.arguments[0])) if e.arguments else None
    if c.name == "exit":
        calls.lower_calls_of_exit_handlers(x, e.location)
        calls.lower_calls_by_attribute(x, "destructor", e.location)
    x.emit.check("leak", goto.AllFreedCondition(outermost=False), calls.LEAK, e.location)
    x.emit.code.append(goto.ExitInstruction(location=e.location, unit=x.emit.unit, status=status))


@intrinsic(*dialect.SETS_JUMPS, instead_of="library", where=lambda c: c.defined == "library")
def _set_jump(c: IntrinsicCallSite) -> Expression | None:
    return jumps.lower_setjmp_jumps(c.x, c.e, c.name)


@intrinsic("__builtin_expect", where=intrinsic_registry_condition_at_least(1))
def _expected(c: IntrinsicCallSite) -> Expression | None:
    calls.lower_call_arguments(c.x, c.e.arguments[1:])
    return c.x.evaluate(c.e.arguments[0], wanted=c.wanted)


@intrinsic("__sfo_leave_bound")
def _leave(c: IntrinsicCallSite) -> None:
    c.x.emit.code.append(goto.LeaveInstruction(location=c.e.location, unit=c.x.emit.unit))


@intrinsic("__sfo_limit")
def _limit(c: IntrinsicCallSite) -> None:
    """An execution that a model cannot follow, for the inputs it has."""
    c.x.emit.code.append(goto.LeaveInstruction(location=c.e.location, unit=c.x.emit.unit, by_inputs=True))
    _refuse(c)


@intrinsic("__sfo_refuse")
def _refuse(c: IntrinsicCallSite) -> None:
    c.x.emit.refuse(calls.lowered_call_literal_argument(c.e.arguments[0]) or "", c.e.location)
