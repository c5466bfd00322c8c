"""CBMC's questions about pointers, as pure functions of their values.

__CPROVER_r_ok(p, n)      ->   Intrinsic("__CPROVER_r_ok", (p, (unsigned long)n))
__CPROVER_r_ok(p)         ->   the same with the size of what p points to
__CPROVER_havoc_object(p) ->   all of the object is made an input
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from cfrontend import goto, tree
from cfrontend.ctext import text_of
from cfrontend.elaborate.constants import is_complete
from cfrontend.tree import Expression
from cfrontend.types import CHAR, FunctionType, PointerType, VoidType, size_of

if TYPE_CHECKING:
    from cfrontend.lower.expressions import Expressions

ACCESS: Final = frozenset({"__CPROVER_r_ok", "__CPROVER_w_ok", "__CPROVER_rw_ok"})
"""Whether so many bytes behind a pointer can be accessed."""

PLACE: Final = frozenset(
    {
        "__CPROVER_DYNAMIC_OBJECT",
        "__CPROVER_OBJECT_SIZE",
        "__CPROVER_POINTER_OBJECT",
        "__CPROVER_POINTER_OFFSET",
        "__CPROVER_same_object",
    }
)
"""What pointers point to."""


def question(x: Expressions, e: tree.Call, name: str, arguments: Sequence[Expression]) -> Expression:
    """The value of a call of one of these functions with these pure arguments."""
    given = list(arguments)
    pointer = given[0].type if given else None
    if not isinstance(pointer, PointerType):
        return _refused(x, e, f"{name} of what is no pointer")
    if name in ACCESS and len(given) == 1:
        if isinstance(pointer.target, VoidType | FunctionType) or not is_complete(pointer.target, x.structs):
            return _refused(x, e, f"{name} of a pointer to {pointer.target} without a size")
        amount = size_of(pointer.target, x.structs)
        given.append(tree.IntConstant(type=x.structs.model.size, location=e.location, value=amount))
    elif name in ACCESS:
        given[1] = tree.Cast(type=x.structs.model.size, location=e.location, operand=given[1], implicit=True)
    return tree.Intrinsic(type=e.type, location=e.location, name=name, arguments=tuple(given))


def _refused(x: Expressions, e: tree.Call, what: str) -> Expression:
    x.emit.refuse(f"{what} is not supported yet", e.location)
    return tree.IntConstant(type=e.type, location=e.location, value=0)


def havoc(x: Expressions, e: tree.Call, pointer: Expression) -> None:
    """The whole object that ``pointer`` points into becomes an input."""
    word, where = x.structs.model.size, e.location
    offset, size = (
        tree.Intrinsic(type=word, location=where, name=name, arguments=(pointer,))
        for name in ("__CPROVER_POINTER_OFFSET", "__CPROVER_OBJECT_SIZE")
    )
    bytes_of = PointerType(CHAR)
    first = tree.Cast(type=bytes_of, location=where, operand=pointer, implicit=True)
    start = tree.Binary(type=bytes_of, location=where, op="-", left=first, right=offset)
    x.emit.code.append(
        goto.Symbolic(location=where, unit=x.emit.unit, pointer=start, size=size, name=f"*{text_of(pointer)}")
    )
