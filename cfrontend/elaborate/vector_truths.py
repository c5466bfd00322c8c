"""Truths: what a comparison of vectors says. gcc converts them to any vector of their size, and nothing else.

v4si x, y; v4ui z = x < y;   ->   ({ v4si truths = ...; *(v4ui *)&truths; })
"""

from __future__ import annotations

from dataclasses import replace

from cfrontend.syntax import tree
from cfrontend.syntax.types import CType, PointerType, StructType
from cfrontend.syntax.vectors import TRUTHS, is_vector_type, size_of_vector_type


def bits_as_type(held: tree.Expression, ctype: CType) -> tree.Expression:
    """The object ``held`` read as one of another type."""
    at = held.location
    pointer = tree.AddressOf(type=PointerType(held.type), location=at, operand=held)
    cast = tree.Cast(type=PointerType(ctype), location=at, operand=pointer, implicit=False)
    return tree.Deref(type=ctype, location=at, pointer=cast)


def are_truths(value: tree.Expression) -> bool:
    """True if a vector says for each element whether something holds: gcc converts it to other types of its size."""
    match value:
        case tree.StatementExpression(result=tree.VariableRef(symbol=symbol)):
            return symbol.name == TRUTHS
        case tree.Cast(operand=operand, implicit=True):
            return are_truths(operand)
        case tree.Conditional(then=then, otherwise=otherwise):
            return are_truths(then) and are_truths(otherwise)
        case tree.Comma(right=right):
            return are_truths(right)
        case _:
            return False


def truths_as_type(value: tree.Expression, ctype: CType) -> tree.Expression | None:
    """The implicit conversion of a comparison result to another vector type of its size; None for what is no such."""
    if value.type == ctype or not (
        is_vector_type(value.type) and is_vector_type(ctype) and are_truths(value)
    ):
        return None
    if size_of_vector_type(value.type) != size_of_vector_type(ctype):
        return None
    return _converted(value, ctype)


def _converted(value: tree.Expression, ctype: StructType) -> tree.Expression:
    match value:
        case tree.StatementExpression(result=tree.VariableRef() as result):
            return replace(value, type=ctype, result=bits_as_type(result, ctype))
        case tree.Cast(operand=operand):
            return replace(value, type=ctype, operand=_converted(operand, ctype))
        case tree.Conditional(then=then, otherwise=otherwise):
            return replace(
                value, type=ctype, then=_converted(then, ctype), otherwise=_converted(otherwise, ctype)
            )
        case tree.Comma(right=right):
            return replace(value, type=ctype, right=_converted(right, ctype))
        case _:
            raise AssertionError(value)
