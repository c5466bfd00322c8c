"""Conversions and comparisons of pure expressions."""

from __future__ import annotations

from cfrontend.lower import calls
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    BOOL,
    INT,
    CType,
    FloatType,
    IntType,
    is_exact_integer_type,
)


def lower_constant_conversion(value: int, ctype: IntType) -> int:
    """A constant converted to an integer type, cut as gcc cuts it."""
    if ctype == BOOL:
        return int(value != 0)
    value &= (1 << ctype.width) - 1
    return value - (1 << ctype.width) if ctype.signed and value >> (ctype.width - 1) else value


def lower_conversion_width(ctype: CType) -> int | None:
    """The width of an integer type; None for any other."""
    return ctype.width if isinstance(ctype, IntType) else None


def lower_comparison_conversion(op: tree.BinaryOp, left: Expression, right: Expression) -> tree.Binary:
    """A comparison, of type int."""
    return tree.Binary(type=INT, location=left.location, op=op, left=left, right=right)


def lower_truth_conversion(e: Expression) -> Expression:
    """``e != 0`` as an int, unless it is one already."""
    if isinstance(e, tree.Logical) or (isinstance(e, tree.Unary) and e.op == "!"):
        return e
    if isinstance(e, tree.Binary) and e.op in ("==", "!=", "<", "<=", ">", ">="):
        return e
    return lower_comparison_conversion("!=", e, calls.lowered_call_constant(0, e.type, e.location))


def lower_conversion_to(e: Expression, ctype: CType) -> Expression:
    """``e`` converted to a type, if it has another one."""
    return e if e.type == ctype else tree.Cast(type=ctype, location=e.location, operand=e, implicit=True)


def lower_conversion_may_lose(e: tree.Cast) -> bool:
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
