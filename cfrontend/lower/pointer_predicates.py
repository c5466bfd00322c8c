"""CBMC's questions about pointers, as pure functions of their values.

__CPROVER_r_ok(p, n)      ->   Intrinsic("__CPROVER_r_ok", (p, (unsigned long)n))
__CPROVER_r_ok(p)         ->   the same with the size of what p points to
__CPROVER_havoc_object(p) ->   all of the object is made an input
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from cfrontend import goto
from cfrontend.syntax import queries, tree
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    CHAR,
    INT,
    ArrayType,
    CType,
    FunctionType,
    IntType,
    PointerType,
    VoidType,
    is_complete_object_type,
    size_of_type,
)

if TYPE_CHECKING:
    from cfrontend.lower.expressions import ExpressionLowering

ACCESS: Final = frozenset({"__CPROVER_r_ok", "__CPROVER_w_ok", "__CPROVER_rw_ok"})
"""Predicates that so many bytes behind a pointer can be accessed."""

PLACE: Final = frozenset(
    {
        "__CPROVER_DYNAMIC_OBJECT",
        "__CPROVER_OBJECT_SIZE",
        "__CPROVER_POINTER_OBJECT",
        "__CPROVER_POINTER_OFFSET",
        "__CPROVER_same_object",
    }
)
"""Functions of the object that a pointer points to."""

ARRAYS: Final = frozenset(
    {"__CPROVER_array_copy", "__CPROVER_array_equal", "__CPROVER_array_replace", "__CPROVER_array_set"}
)
"""Operations on whole arrays."""

_MOST_ELEMENTS: Final = 1024
"""An array with more elements is not compared, and not filled with anything but bytes."""


def lower_pointer_predicate(
    x: ExpressionLowering, e: tree.Call, name: str, arguments: Sequence[Expression]
) -> Expression:
    """The value of a call of one of these functions with these pure arguments."""
    given = list(arguments)
    pointer = given[0].type if given else None
    if not isinstance(pointer, PointerType):
        return _refused(x, e, f"{name} of what is no pointer")
    if name in ACCESS and len(given) == 1:
        if isinstance(pointer.target, VoidType | FunctionType) or not is_complete_object_type(
            pointer.target, x.structs
        ):
            return _refused(x, e, f"{name} of a pointer to {pointer.target} without a size")
        amount = size_of_type(pointer.target, x.structs)
        given.append(tree.IntConstant(type=x.structs.model.size, location=e.location, value=amount))
    elif name in ACCESS:
        given[1] = tree.Cast(type=x.structs.model.size, location=e.location, operand=given[1], implicit=True)
    return tree.MathFunctionCall(type=e.type, location=e.location, name=name, arguments=tuple(given))


def _refused(x: ExpressionLowering, e: tree.Call, what: str) -> Expression:
    x.emit.refuse(f"{what} is not supported yet", e.location)
    return tree.IntConstant(type=e.type, location=e.location, value=0)


def lower_pointer_havoc(x: ExpressionLowering, e: tree.Call, name: str, given: Sequence[Expression]) -> None:
    """The whole object that the pointer points into becomes an input, or as many bytes behind it as are given."""
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
    x.emit.code.append(
        goto.SymbolicInstruction(
            location=where,
            unit=x.emit.unit,
            pointer=start,
            size=many,
            name=f"*{print_syntax(pointer)}",
            is_partial=name == "__CPROVER_havoc_slice",
        )
    )


def lower_pointer_array_operation(x: ExpressionLowering, e: tree.Call, name: str) -> Expression | None:
    """A whole array copied to another one, compared with it, or filled with a value."""
    given = [x.value(argument) for argument in e.arguments]
    arrays = [queries.syntax_below_conversions(argument) for argument in given]
    target = _array(arrays[0]) if len(given) == 2 else None
    source = _array(arrays[1]) if len(given) == 2 else None
    if target is None or (source is None) != (name == "__CPROVER_array_set"):
        return _refused(x, e, f"{name} of what is no array")
    if name == "__CPROVER_array_set":
        _fill(x, e, target, given[1])
        return None
    same = _element(target) == (None if source is None else _element(source))
    sizes = [0 if array is None else size_of_type(array.type, x.structs) for array in (target, source)]
    fits = sizes[1] <= sizes[0] if name == "__CPROVER_array_replace" else sizes[1] == sizes[0]
    if not same or not fits:
        return _refused(x, e, f"{name} of arrays of different types")
    if name == "__CPROVER_array_equal":
        return _equal(x, e, target, source)
    size = tree.IntConstant(type=x.structs.model.size, location=e.location, value=sizes[1])
    x.emit.code.append(
        goto.CopyInstruction(
            location=e.location, unit=x.emit.unit, target=given[0], source=given[1], size=size
        )
    )
    return None


def _array(e: Expression) -> Expression | None:
    """The array of known length that decays here."""
    if not isinstance(e, tree.Decay) or not isinstance(e.operand.type, ArrayType):
        return None
    ctype = e.operand.type
    return e.operand if ctype.length is not None and ctype.variable is None else None


def _element(array: Expression) -> CType:
    assert isinstance(array.type, ArrayType)
    return array.type.element


def _elements(x: ExpressionLowering, array: Expression) -> list[Expression]:
    assert isinstance(array.type, ArrayType)
    index, at = x.structs.model.size, array.location
    return [
        tree.Index(
            type=array.type.element,
            location=at,
            base=array,
            index=tree.IntConstant(type=index, location=at, value=n),
        )
        for n in range(array.type.length or 0)
    ]


def _fill(x: ExpressionLowering, e: tree.Call, target: Expression, value: Expression) -> None:
    element = _element(target)
    elements = _elements(x, target)
    if not isinstance(element, IntType) or len(elements) > _MOST_ELEMENTS:
        _refused(x, e, f"__CPROVER_array_set of {target.type}")
        return
    saved = x.emit.saved(tree.Cast(type=element, location=e.location, operand=value, implicit=True))
    for place in elements:
        x.emit.assign(place, saved)


def _equal(x: ExpressionLowering, e: tree.Call, one: Expression, other: Expression | None) -> Expression:
    pairs = zip(_elements(x, one), [] if other is None else _elements(x, other), strict=True)
    same: list[Expression] = [
        tree.Binary(type=INT, location=e.location, op="==", left=left, right=right) for left, right in pairs
    ]
    if not isinstance(_element(one), IntType) or not 0 < len(same) <= _MOST_ELEMENTS:
        return _refused(x, e, f"__CPROVER_array_equal of {one.type}")
    while len(same) > 1:
        halves = zip(same[::2], same[1::2], strict=False)
        joined = [tree.Logical(type=INT, location=e.location, op="&&", left=a, right=b) for a, b in halves]
        same = [*joined, *same[len(same) & ~1 :]]
    return tree.Cast(type=e.type, location=e.location, operand=same[0], implicit=True)
