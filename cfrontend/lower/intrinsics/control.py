"""Intrinsics that end, leave or refuse an execution, and those that jump.

long abs(int);  n = abs(m)   ->   t = abs(m); IF t >= 0 GOTO 1; REFUSE ...; 1: n = (long)t
"""

from __future__ import annotations

from cfrontend import goto
from cfrontend.lower import calls, dialect, evaluation_order, jumps, pure
from cfrontend.lower.intrinsic_registry import CallSite, intrinsic
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import BOOL, INT, UCHAR


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
def _set_jump(c: CallSite) -> Expression:
    """A call of ``setjmp``: the jumps that the buffer stands for lead behind it."""
    x, e = c.x, c.e
    assert x.jumps is not None
    result = x.jumps.results.get(id(e))
    if result is None or x.jumps.here is None or x.statements is None:
        x.emit.refuse(f"'{c.name}' here is not supported yet", e.location)
        return pure.constant(0, e.type, e.location)
    buffer, *_ = evaluation_order.pure_arguments(x, e.arguments)
    place = 1 + list(x.jumps.results).index(id(e))
    here = x.jumps.here.reference(e.location)
    calls.of_model(x, e, jumps.SET, (buffer, here, pure.constant(place, here.type, e.location)), None)
    reference = result.reference(e.location)
    x.emit.assign(reference, pure.constant(0, INT, e.location))
    if not x.emit.is_trying:
        x.statements.label(jumps.label(place))
    return reference


@intrinsic("__builtin_expect", where=lambda c: c.given > 0)
def _expected(c: CallSite) -> Expression | None:
    evaluation_order.pure_arguments(c.x, c.e.arguments[1:])
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
    c.x.emit.refuse(pure.literal_text(c.e.arguments[0]) or "", c.e.location)


@intrinsic(dialect.CONVENTION)
def _passed(c: CallSite) -> Expression | None:
    """The value of the call: an error where its meaning is lost.

    With a third argument only whether the value is zero has a meaning, so it must be. A ``_Bool`` is read from the
    lowest byte, which must be 0 or 1. Else the value must not be negative, as nothing says whether the upper bits
    repeat its sign.
    """
    x, e = c.x, c.e
    if not c.wanted:
        x.effect(e.arguments[0])
        return None
    value = x.emit.saved(x.value(e.arguments[0]))
    if e.type == BOOL and len(e.arguments) == 2:
        value = tree.Cast(type=UCHAR, location=e.location, operand=value, implicit=False)
    zero = pure.constant(0, value.type, e.location)
    condition = tree.Binary(type=INT, location=e.location, op=">=", left=value, right=zero)
    if len(e.arguments) > 2:
        condition = tree.Binary(type=INT, location=e.location, op="==", left=value, right=zero)
    elif e.type == BOOL:
        one = pure.constant(1, UCHAR, e.location)
        condition = tree.Binary(type=INT, location=e.location, op="<=", left=value, right=one)
    end = x.emit.label()
    x.emit.branch(condition, end, when=True)
    # Of executions on free inputs the solver tells which come here: they are left out, as beyond the bound.
    x.emit.add(goto.LeaveInstruction(location=e.location, by_inputs=True))
    x.emit.refuse(pure.literal_text(e.arguments[1]) or "", e.location, unsupported=False)
    x.emit.place(end)
    return tree.Cast(type=e.type, location=e.location, operand=value, implicit=False)
