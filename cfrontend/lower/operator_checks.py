"""Checks of operators: division by zero, overflow, and the distance of a shift."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cfrontend import goto
from cfrontend.lower import floating
from cfrontend.lower.conversions import lower_comparison_conversion
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    INT,
    FloatType,
    IntType,
    is_exact_integer_type,
)

if TYPE_CHECKING:
    from cfrontend.lower.expressions import ExpressionLowering


def arithmetic_operator_checks(
    x: ExpressionLowering, result: tree.Binary | tree.Unary, e: Expression
) -> None:
    """Division by zero, overflow and shift checks of one operator on pure operands."""
    if is_exact_integer_type(result.type):
        return
    if isinstance(result.type, FloatType) and isinstance(result, tree.Binary):
        floating.floating_checks(x, result, e)
        return
    if isinstance(result, tree.Binary) and result.op in ("/", "%") and isinstance(result.type, IntType):
        _division_check(x, result, e)
    if isinstance(result, tree.Binary) and result.op in ("<<", ">>"):
        _shift_check(x, result, e)
    if not isinstance(result.type, IntType):
        return
    arithmetic = isinstance(result, tree.Unary) or result.op in ("+", "-", "*", "/", "<<")
    kind = "overflow" if result.type.signed else "unsigned-overflow"
    shift_of_unsigned = (
        isinstance(result, tree.Binary) and result.op in ("<<", "/") and not result.type.signed
    )
    if arithmetic and not shift_of_unsigned and kind in x.emit.checks:
        words = "arithmetic overflow" if result.type.signed else "unsigned arithmetic wraps around"
        x.emit.check(kind, goto.FitsCondition(expression=result), f"{words} in {x.text(e)}", e.location)


def _division_check(x: ExpressionLowering, e: tree.Binary, source: Expression) -> None:
    """The divisor is not zero, and not -1 where the dividend is the smallest number."""
    if not isinstance(e.type, IntType):
        return
    divisor = e.right
    if not (isinstance(divisor, tree.IntConstant) and divisor.value != 0):
        condition = lower_comparison_conversion(
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
            left=lower_comparison_conversion("!=", e.left, smallest),
            right=lower_comparison_conversion("!=", divisor, minus_one),
        )
        x.emit.check("div0", fine, f"quotient out of range in {x.text(source)}", source.location)


def _shift_check(x: ExpressionLowering, e: tree.Binary, source: Expression) -> None:
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
        x.emit.check("shift", lower_comparison_conversion("<", as_unsigned, width), text, source.location)
