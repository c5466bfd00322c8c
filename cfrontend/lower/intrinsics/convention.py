"""Values that a call passes in one width and reads in another, where only some keep their meaning.

long abs(int);  n = abs(m)   ->   t = abs(m); IF t >= 0 GOTO 1; REFUSE ...; 1: n = (long)t
"""

from __future__ import annotations

from cfrontend import goto
from cfrontend.lower import calls, dialect
from cfrontend.lower.intrinsic_registry import CallSite, intrinsic
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import BOOL, INT, UCHAR


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
    zero = calls.constant(0, value.type, e.location)
    condition = tree.Binary(type=INT, location=e.location, op=">=", left=value, right=zero)
    if len(e.arguments) > 2:
        condition = tree.Binary(type=INT, location=e.location, op="==", left=value, right=zero)
    elif e.type == BOOL:
        one = calls.constant(1, UCHAR, e.location)
        condition = tree.Binary(type=INT, location=e.location, op="<=", left=value, right=one)
    end = x.emit.label()
    x.emit.branch(condition, end, when=True)
    # Of executions on free inputs the solver tells which come here: they are left out, as beyond the bound.
    x.emit.add(goto.LeaveInstruction(location=e.location, by_inputs=True))
    x.emit.refuse(calls.literal_text(e.arguments[1]) or "", e.location, unsupported=False)
    x.emit.place(end)
    return tree.Cast(type=e.type, location=e.location, operand=value, implicit=False)
