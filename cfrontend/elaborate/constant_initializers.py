"""Constant initialisers: known before the program starts, as static storage needs them (C11 6.6).

gcc rejects every other initialiser of a static variable, and so does sfo.

    int *p = &a[2] + 1;   ->   yes        int x = f();   ->   no
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from cfrontend.elaborate.folded_builtins import is_folded_function
from cfrontend.syntax import tree
from cfrontend.syntax.types import ArrayType


def is_constant_initializer(value: tree.Expression, constants: AbstractSet[str]) -> bool:
    """True if the value is arithmetic on constants, or an address in static storage.

    ``constants`` are the keys of ``const`` variables whose value gcc knows at this point.
    """
    match value:
        case tree.IntConstant() | tree.FloatConstant() | tree.FunctionRef():
            return True
        case tree.Call(callee=tree.FunctionRef(name=name), arguments=arguments):
            return is_folded_function(name) and all(
                is_constant_initializer(argument, constants) for argument in arguments
            )
        case tree.VariableRef(symbol=symbol):
            return symbol.key in constants
        case tree.AddressOf(operand=place) | tree.Decay(operand=place):
            return _is_static_place(place, constants)
        case tree.Unary(operand=operand) | tree.Cast(operand=operand):
            return is_constant_initializer(operand, constants)
        case tree.Binary(left=left, right=right) | tree.Logical(left=left, right=right):
            return is_constant_initializer(left, constants) and is_constant_initializer(right, constants)
        case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
            return all(is_constant_initializer(part, constants) for part in (condition, then, otherwise))
        case _:
            return False


def _is_static_place(place: tree.Expression, constants: AbstractSet[str]) -> bool:
    match place:
        case tree.VariableRef(symbol=symbol):
            return symbol.storage in {"static", "extern"}
        case tree.StringLiteral() | tree.FunctionRef():
            return True
        case tree.MemberAccess(base=base):
            return _is_static_place(base, constants)
        case tree.Deref(pointer=pointer):
            return is_constant_initializer(pointer, constants)
        case tree.Index(base=base, index=index):
            is_array = isinstance(base.type, ArrayType)
            is_known = (
                _is_static_place(base, constants) if is_array else is_constant_initializer(base, constants)
            )
            return is_known and is_constant_initializer(index, constants)
        case _:
            return False
