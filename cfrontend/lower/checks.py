"""Checks of accesses (bounds, validity of pointers, that what is read was written) and of operators."""

from __future__ import annotations

from collections.abc import Sequence

from cfrontend import goto
from cfrontend.elaborate import variable_length
from cfrontend.elaborate.constants import constant_value, wrap_constant
from cfrontend.elaborate.conversions import implicit_conversion
from cfrontend.errors import Location
from cfrontend.lower import pure
from cfrontend.lower.context import Lowering
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    INT,
    ULLONG,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    is_exact_integer_type,
    size_of_type,
)


def access(x: Lowering, place: Expression, *, write: bool = False) -> None:
    """Bounds of every array index on the way, then validity of the pointer at the root.

    A member that ends its structure without a length may go on as far as the object does; behind a pointer,
    so may one of length 1, as programs wrote it before C99.
    """
    top: Expression = place
    through_pointer = False
    while True:
        if isinstance(top, tree.MemberAccess):
            top = top.base
        elif isinstance(top, tree.Index) and isinstance(top.base.type, ArrayType):
            if queries.is_flexible_array_syntax(top.base, x.structs):
                through_pointer = True
            else:
                _bounds_check(x, top, top.base.type, write=write)
            top = top.base
        else:
            if isinstance(top, tree.Index | tree.Deref):
                _element_check(x, top, write=write)
            through_pointer |= isinstance(top, tree.Index | tree.Deref)
            break
    if through_pointer:
        size = _accessed_bytes(x, place)
        pointer = tree.AddressOf(type=PointerType(place.type), location=place.location, operand=place)
        condition = goto.ValidPointerCondition(pointer=pointer, size=size, write=write)
        text = f"invalid pointer in {x.text(place)}"
        x.emit.check("pointer", condition, text, place.location, of_place=write)


def _element_check(x: Lowering, place: tree.Index | tree.Deref, *, write: bool) -> None:
    """The bounds of an array whose elements are accessed as another type of their size."""
    found = queries.element_of_array(place, x.structs)
    if found is None or queries.is_flexible_array_syntax(found.part, x.structs):
        return
    assert isinstance(found.part.type, ArrayType)
    index = sum_of_indices(x, [(op, index) for op, index, _ in found.steps], place.location)
    element = tree.Index(type=place.type, location=place.location, base=found.part, index=index)
    _bounds_check(x, element, found.part.type, write=write)


def sum_of_indices(
    x: Lowering, steps: Sequence[tuple[tree.BinaryOp, Expression]], location: Location
) -> Expression:
    """The sum of pure indices with their signs; it is checked as an index, and not as arithmetic."""
    word = x.structs.model.long
    total: Expression = tree.IntConstant(type=word, location=location, value=0)
    for op, index in steps:
        known = constant_value(index, x.structs)
        if isinstance(total, tree.IntConstant) and known is not None:
            value = total.value + (known if op == "+" else -known)
            value = wrap_constant(value, word)
            total = tree.IntConstant(type=word, location=location, value=value)
        elif isinstance(total, tree.IntConstant) and total.value == 0 and op == "+":
            total = index
        else:
            left, right = (
                tree.Cast(type=word, location=location, operand=one, implicit=True) for one in (total, index)
            )
            total = tree.Binary(type=word, location=location, op=op, left=left, right=right)
    return total


def read(x: Lowering, place: Expression, source: Expression) -> None:
    """Check that a scalar which is read has been written."""
    if "uninit" not in x.emit.checks or isinstance(place.type, StructType | ArrayType | FunctionType):
        return
    root = queries.root_of_place(place)
    is_written = isinstance(root, tree.StringLiteral) or (
        isinstance(root, tree.VariableRef)
        and (root.symbol.storage != "auto" or root.symbol.name.startswith("$"))
    )
    if not is_written:
        text = f"{x.text(source)} is read before it is written"
        x.emit.check("uninit", goto.InitialisedCondition(place=place), text, source.location)


def _accessed_bytes(x: Lowering, place: Expression) -> int:
    """Size of an access in bytes, from the address of its place on; a bit-field counts up to its last bit."""
    if isinstance(place, tree.MemberAccess):
        member = next(m for m in x.structs[place.struct_key].members if m.name == place.member)
        if member.bit_width is not None:
            return (member.bit_offset + member.bit_width + 7) // 8
    return size_of_type(place.type, x.structs)


def _bounds_check(x: Lowering, place: tree.Index, array: ArrayType, *, write: bool) -> None:
    """The index is below the array's length."""
    index, length = place.index, array.length
    model = x.structs.model
    unsigned = ULLONG if size_of_type(index.type, x.structs) > model.pointer_bytes else model.ulong
    at, text = index.location, f"index out of bounds in {x.text(place)}"
    if array.variable is not None:
        bound = implicit_conversion(variable_length.length_of(array, x.structs, place.location), unsigned)
    elif length is None or (isinstance(index, tree.IntConstant) and 0 <= index.value < length):
        return
    else:
        bound = tree.IntConstant(type=unsigned, location=at, value=length)
        text = f"index out of bounds 0 to {length - 1} in {x.text(place)}"
    below = pure.comparison("<", tree.Cast(type=unsigned, location=at, operand=index, implicit=True), bound)
    x.emit.check("bounds", below, text, place.location, of_place=write)


# -- operators -----------------------------------------------------------------------------------------------


def arithmetic(x: Lowering, result: tree.Binary | tree.Unary, e: Expression) -> None:
    """Division by zero, overflow and shift checks of one operator on pure operands."""
    if is_exact_integer_type(result.type):
        return
    if isinstance(result.type, FloatType) and isinstance(result, tree.Binary):
        floating_operation(x, result, e)
        return
    if isinstance(result, tree.Binary) and result.op in ("/", "%") and isinstance(result.type, IntType):
        _division_check(x, result, e)
    if isinstance(result, tree.Binary) and result.op in ("<<", ">>"):
        _shift_check(x, result, e)
    if not isinstance(result.type, IntType):
        return
    is_arithmetic = isinstance(result, tree.Unary) or result.op in ("+", "-", "*", "/", "<<")
    kind = "overflow" if result.type.signed else "unsigned-overflow"
    shift_of_unsigned = (
        isinstance(result, tree.Binary) and result.op in ("<<", "/") and not result.type.signed
    )
    if is_arithmetic and not shift_of_unsigned and kind in x.emit.checks:
        words = "arithmetic overflow" if result.type.signed else "unsigned arithmetic wraps around"
        x.emit.check(kind, goto.FitsCondition(expression=result), f"{words} in {x.text(e)}", e.location)


def _division_check(x: Lowering, e: tree.Binary, source: Expression) -> None:
    """The divisor is not zero, and not -1 where the dividend is the smallest number."""
    if not isinstance(e.type, IntType):
        return
    divisor = e.right
    if not (isinstance(divisor, tree.IntConstant) and divisor.value != 0):
        condition = pure.comparison(
            "!=", divisor, tree.IntConstant(type=divisor.type, location=e.location, value=0)
        )
        x.emit.check("div0", condition, f"division by zero in {x.text(source)}", source.location)
    constant = isinstance(divisor, tree.IntConstant) and divisor.value != -1
    if e.type.signed and not constant and not isinstance(e.left, tree.IntConstant):
        smallest = tree.IntConstant(type=e.type, location=e.location, value=-(1 << (e.type.width - 1)))
        minus_one = tree.IntConstant(type=e.type, location=e.location, value=-1)
        fine = tree.Logical(
            type=INT,
            location=e.location,
            op="||",
            left=pure.comparison("!=", e.left, smallest),
            right=pure.comparison("!=", divisor, minus_one),
        )
        x.emit.check("div0", fine, f"quotient out of range in {x.text(source)}", source.location)


def _shift_check(x: Lowering, e: tree.Binary, source: Expression) -> None:
    """The shift distance is in 0 … width-1."""
    if not isinstance(e.type, IntType) or not isinstance(e.right.type, IntType):
        return
    distance = e.right
    if isinstance(distance, tree.IntConstant) and 0 <= distance.value < e.type.width:
        return
    unsigned = IntType(f"unsigned {distance.type}", e.right.type.width, False, e.right.type.rank)
    as_unsigned = tree.Cast(type=unsigned, location=e.location, operand=distance, implicit=True)
    width = tree.IntConstant(type=unsigned, location=e.location, value=e.type.width)
    if "shift" in x.emit.checks:
        text = f"shift distance out of range in {x.text(source)}"
        x.emit.check("shift", pure.comparison("<", as_unsigned, width), text, source.location)


def floating_operation(
    x: Lowering, result: tree.Binary | tree.Cast | tree.MathFunctionCall, e: Expression
) -> None:
    """Emit the checks of one operation on pure floating operands that gives a floating value.

    ``float-div0``: the divisor is not zero. ``float-overflow``: the value is infinite only where an operand is,
    or the divisor is zero. ``nan``: it is a NaN only where an operand is.
    """
    operands = [a for a in goto.direct_goto_subexpressions(result) if isinstance(a.type, FloatType)]
    text = x.text(e)
    by_zero: list[Expression] = []
    if isinstance(result, tree.Binary) and result.op == "/":
        zero = pure.constant(0, result.right.type, e.location)
        by_zero = [tree.Binary(type=INT, location=e.location, op="==", left=result.right, right=zero)]
        if "float-div0" in x.emit.checks:
            x.emit.check(
                "float-div0", _not(by_zero[0]), f"floating-point division by zero in {text}", e.location
            )
    if "float-overflow" in x.emit.checks:
        excused = [_not(pure.computed(e, "isfinite", INT, [a])) for a in operands] + by_zero
        fine = _any(_not(pure.computed(e, "isinf", INT, [result])), excused)
        x.emit.check("float-overflow", fine, f"floating-point overflow in {text}", e.location)
    if "nan" in x.emit.checks and not isinstance(result, tree.Cast):
        excused = [pure.computed(e, "isnan", INT, [a]) for a in operands]
        fine = _any(_not(pure.computed(e, "isnan", INT, [result])), excused)
        x.emit.check("nan", fine, f"result is not a number in {text}", e.location)


def _not(e: Expression) -> Expression:
    return tree.Unary(type=INT, location=e.location, op="!", operand=e)


def _any(first: Expression, others: list[Expression]) -> Expression:
    for other in others:
        first = tree.Logical(type=INT, location=first.location, op="||", left=first, right=other)
    return first
