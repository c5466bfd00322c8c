"""Pure expressions: constants, comparisons, conversions and computed functions."""

from __future__ import annotations

from cfrontend.elaborate.constants import constant_value
from cfrontend.elaborate.conversions import bit_field_width, implicit_conversion
from cfrontend.errors import Location
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    BOOL,
    INT,
    UINT,
    CType,
    FloatType,
    IntType,
    PointerType,
    StructTypeTable,
    is_exact_integer_type,
)


def placeholder(e: Expression) -> Expression:
    """A value that stands where an execution does not come."""
    return constant(0, e.type, e.location)


def constant(value: int, ctype: CType, location: Location) -> Expression:
    """A constant of a scalar type (of int for any other type)."""
    if isinstance(ctype, FloatType):
        return tree.FloatConstant(type=ctype, location=location, value=f"{value}.0")
    ctype = ctype if isinstance(ctype, IntType | PointerType) else INT
    return tree.IntConstant(type=ctype, location=location, value=value)


def literal_text(e: Expression) -> str | None:
    """The text of a string literal, through conversions."""
    while isinstance(e, tree.Cast | tree.Decay):
        e = e.operand
    return e.data[:-1].decode("latin-1") if isinstance(e, tree.StringLiteral) else None


def computed(e: Expression, name: str, ctype: CType, arguments: list[Expression]) -> tree.MathFunctionCall:
    """The value of a function that symbolic execution computes."""
    return tree.MathFunctionCall(type=ctype, location=e.location, name=name, arguments=tuple(arguments))


def integer_width(ctype: CType) -> int | None:
    """The width of an integer type; None for any other."""
    return ctype.width if isinstance(ctype, IntType) else None


def comparison(op: tree.BinaryOp, left: Expression, right: Expression) -> tree.Binary:
    """A comparison, of type int."""
    return tree.Binary(type=INT, location=left.location, op=op, left=left, right=right)


def truth(e: Expression) -> Expression:
    """``e != 0`` as an int, unless it is one already."""
    if isinstance(e, tree.Logical) or (isinstance(e, tree.Unary) and e.op == "!"):
        return e
    if isinstance(e, tree.Binary) and e.op in ("==", "!=", "<", "<=", ">", ">="):
        return e
    return comparison("!=", e, constant(0, e.type, e.location))


def may_lose(e: tree.Cast) -> bool:
    """True if an integer conversion goes to a type that cannot hold every value."""
    source, target = e.operand.type, e.type
    if target == BOOL:
        return False
    if isinstance(source, FloatType) and isinstance(target, IntType):
        return True
    if not isinstance(source, IntType) or not isinstance(target, IntType) or is_exact_integer_type(source):
        return False
    grows = target.width > source.width and (target.signed or not source.signed)
    return not grows and (target.width, target.signed) != (source.width, source.signed)


def converted_constant(e: tree.Cast, structs: StructTypeTable) -> tree.IntConstant | None:
    """A floating constant converted to an integer type: gcc does it itself, and takes the nearest in range."""
    if not isinstance(e.operand.type, FloatType) or not isinstance(e.type, IntType):
        return None
    value = constant_value(e, structs)
    return None if value is None else tree.IntConstant(type=e.type, location=e.location, value=value)


_UP_AND_DOWN: tuple[tree.BinaryOp, ...] = ("<<", ">>")


def kept_bits(place: Expression, value: Expression, structs: StructTypeTable) -> Expression:
    """Convert ``value`` to the width of ``place``: a bit-field keeps its own bits only."""
    width, ctype = bit_field_width(place, structs), place.type
    if width is None or not isinstance(ctype, IntType) or ctype == BOOL or width >= ctype.width:
        return value
    shifted = ctype if ctype.width >= INT.width else INT if ctype.signed else UINT
    distance = tree.IntConstant(type=INT, location=value.location, value=shifted.width - width)
    result: Expression = implicit_conversion(value, shifted)
    for op in _UP_AND_DOWN:
        result = tree.Binary(type=shifted, location=value.location, op=op, left=result, right=distance)
    return implicit_conversion(result, ctype)
