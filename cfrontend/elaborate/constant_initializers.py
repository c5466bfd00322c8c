"""Whether an initialiser of static storage is known before the program starts (C11 6.6).

gcc rejects every other initialiser of a static variable, and so does sfo.

    int *p = &a[2] + 1;   ->   yes        int x = f();   ->   no
"""

from __future__ import annotations

from cfrontend import tree
from cfrontend.types import ArrayType


def is_static_constant(value: tree.Expression) -> bool:
    """Whether the value is arithmetic on constants, or an address in static storage."""
    match value:
        case tree.IntConstant() | tree.FloatConstant() | tree.FunctionRef():
            return True
        case tree.AddressOf(operand=place) | tree.Decay(operand=place):
            return _is_static_place(place)
        case tree.Unary(operand=operand) | tree.Cast(operand=operand):
            return is_static_constant(operand)
        case tree.Binary(left=left, right=right) | tree.Logical(left=left, right=right):
            return is_static_constant(left) and is_static_constant(right)
        case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
            return is_static_constant(condition) and is_static_constant(then) and is_static_constant(otherwise)
        case _:
            return False


def _is_static_place(place: tree.Expression) -> bool:
    match place:
        case tree.VariableRef(symbol=symbol):
            return symbol.storage in {"static", "extern"}
        case tree.StringLiteral() | tree.FunctionRef():
            return True
        case tree.MemberAccess(base=base):
            return _is_static_place(base)
        case tree.Deref(pointer=pointer):
            return is_static_constant(pointer)
        case tree.Index(base=base, index=index):
            is_known = _is_static_place(base) if isinstance(base.type, ArrayType) else is_static_constant(base)
            return is_known and is_static_constant(index)
        case _:
            return False
