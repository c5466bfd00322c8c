"""Floating-point operators and conversions (IEEE 754), as closures from machines to terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from cfrontend.syntax.types import CType, FloatType, IntType, StructTypeTable, value_bytes_of_type
from cfrontend.terms.floats import FORMATS, FloatTerms
from cfrontend.terms.floats.format import FloatFormat

if TYPE_CHECKING:
    from cfrontend.symex.access import Value

ARITHMETIC: Final[Mapping[str, str]] = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
"""Method of ``FloatTerms`` for each arithmetic operator."""


def float_operator_format(ctype: CType) -> FloatFormat:
    """The IEEE 754 format of a floating type."""
    assert isinstance(ctype, FloatType)
    return FORMATS[ctype.width]


def float_arithmetic_operators(
    floats: FloatTerms, f: FloatFormat, operator: str, left: Value, right: Value
) -> Value:
    """The floating operators ``+ - * /`` in the format of the operands."""
    apply = getattr(floats, ARITHMETIC[operator])
    return lambda m: apply(f, left(m), right(m))


def float_comparison_operators(
    floats: FloatTerms, f: FloatFormat, operator: str, left: Value, right: Value
) -> Value:
    """The floating comparisons ``== != < <= > >=``; with a NaN only ``!=`` holds."""
    not_ = floats.t.not_
    match operator:
        case "==":
            return lambda m: floats.equal(f, left(m), right(m))
        case "!=":
            return lambda m: not_(floats.equal(f, left(m), right(m)))
        case "<":
            return lambda m: floats.less(f, left(m), right(m))
        case "<=":
            return lambda m: floats.less_equal(f, left(m), right(m))
        case ">":
            return lambda m: floats.less(f, right(m), left(m))
        case _:
            return lambda m: floats.less_equal(f, right(m), left(m))


def float_conversion_operators(
    floats: FloatTerms, operand: Value, source: CType, target: CType, structs: StructTypeTable
) -> Value:
    """A conversion from or to a floating type."""
    if isinstance(source, FloatType) and isinstance(target, FloatType):
        have, want = float_operator_format(source), float_operator_format(target)
        return lambda m: floats.convert(have, want, operand(m))
    if isinstance(source, FloatType):
        assert isinstance(target, IntType)
        f, width, signed = (
            float_operator_format(source),
            8 * value_bytes_of_type(target, structs),
            target.signed,
        )
        i386 = structs.model.word == 32
        return lambda m: floats.to_integer(f, operand(m), width, signed=signed, i386=i386)
    assert isinstance(source, IntType)
    f, signed = float_operator_format(target), source.signed
    return lambda m: floats.from_integer(f, operand(m), signed=signed)
