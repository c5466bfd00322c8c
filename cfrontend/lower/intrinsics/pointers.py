"""Intrinsics of CBMC that ask about pointers, as pure functions of their values, or change whole objects.

__CPROVER_r_ok(p, n)      ->   Intrinsic("__CPROVER_r_ok", (p, (unsigned long)n))
__CPROVER_r_ok(p)         ->   the same with the size of what p points to
__CPROVER_havoc_object(p) ->   all of the object is made an input
"""

from __future__ import annotations

from typing import Final

from cfrontend import goto
from cfrontend.lower import dialect, evaluation_order
from cfrontend.lower.context import Lowering
from cfrontend.lower.intrinsic_registry import CallSite, intrinsic
from cfrontend.syntax import tree
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    CHAR,
    FunctionType,
    PointerType,
    VoidType,
    is_complete_object_type,
    size_of_type,
)

_ACCESS: Final = frozenset({"__CPROVER_r_ok", "__CPROVER_w_ok", "__CPROVER_rw_ok"})
"""Predicates that so many bytes behind a pointer can be accessed."""

_PLACE: Final = frozenset(
    {
        "__CPROVER_DYNAMIC_OBJECT",
        "__CPROVER_OBJECT_SIZE",
        "__CPROVER_POINTER_OBJECT",
        "__CPROVER_POINTER_OFFSET",
        "__CPROVER_same_object",
    }
)
"""Functions of the object that a pointer points to."""


@intrinsic(*_ACCESS, *_PLACE)
def _question(c: CallSite) -> Expression:
    """The value of a call of one of these functions."""
    x, e, name = c.x, c.e, c.name
    given = evaluation_order.pure_arguments(x, e.arguments)
    pointer = given[0].type if given else None
    if not isinstance(pointer, PointerType):
        return _refused(x, e, f"{name} of what is no pointer")
    if name in _ACCESS and len(given) == 1:
        if isinstance(pointer.target, VoidType | FunctionType) or not is_complete_object_type(
            pointer.target, x.structs
        ):
            return _refused(x, e, f"{name} of a pointer to {pointer.target} without a size")
        amount = size_of_type(pointer.target, x.structs)
        given.append(tree.IntConstant(type=x.structs.model.size, location=e.location, value=amount))
    elif name in _ACCESS:
        given[1] = tree.Cast(type=x.structs.model.size, location=e.location, operand=given[1], implicit=True)
    return tree.MathFunctionCall(type=e.type, location=e.location, name=name, arguments=tuple(given))


def _refused(x: Lowering, e: tree.Call, what: str) -> Expression:
    x.emit.refuse(f"{what} is not supported yet", e.location)
    return tree.IntConstant(type=e.type, location=e.location, value=0)


@intrinsic(*dialect.HAVOC, where=lambda c: c.given > (c.name == "__CPROVER_havoc_slice"))
def _havoc(c: CallSite) -> None:
    """The whole object that the pointer points into becomes an input, or as many bytes behind it as are given."""
    x, e, name = c.x, c.e, c.name
    given = [x.emit.saved(value) for value in evaluation_order.pure_arguments(x, e.arguments)]
    word, where, pointer = x.structs.model.size, e.location, given[0]
    bytes_of = PointerType(CHAR)
    start: Expression = tree.Cast(type=bytes_of, location=where, operand=pointer, implicit=True)
    if name == "__CPROVER_havoc_object":
        offset, size = (
            tree.MathFunctionCall(type=word, location=where, name=each, arguments=(pointer,))
            for each in ("__CPROVER_POINTER_OFFSET", "__CPROVER_OBJECT_SIZE")
        )
        start = tree.Binary(type=bytes_of, location=where, op="-", left=start, right=offset)
        many: Expression = size
    else:
        many = tree.Cast(type=word, location=where, operand=given[1], implicit=True)
        valid = goto.ValidRangeCondition(pointer=start, size=many, write=True)
        x.emit.check("pointer", valid, f"invalid pointer in {x.text(e)}", where)
    x.emit.add(
        goto.SymbolicInstruction(
            location=where,
            pointer=start,
            size=many,
            name=f"*{print_syntax(pointer)}",
            is_partial=name == "__CPROVER_havoc_slice",
        )
    )
