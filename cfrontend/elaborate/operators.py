"""Typed operands into typed operations: each operator's rules for types and its conversions.

The operands have decayed already; what gcc rejects is an InputError at the operator.

    int + long   ->   Binary("+", Cast(long, left), right), of type long
    void *p + 1  ->   Cast(void *, Binary("+", Cast(char *, p), Cast(long, 1)))
"""

from __future__ import annotations

from typing import Final, get_args
from typing import cast as typed

from cfrontend.elaborate.constants import is_complete_type, is_null_pointer_constant
from cfrontend.elaborate.conversions import (
    bit_field_width,
    common_pointer,
    common_type,
    convert_for_assignment,
    implicit_cast,
    promote_expression,
    require_scalar,
    type_in_words,
)
from cfrontend.elaborate.variable_length import (
    array_size_product,
    array_size_quotient,
    is_variable,
    variable_length_size,
)
from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.syntax import tree
from cfrontend.syntax.types import (
    CHAR,
    INT,
    VOID,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructTable,
    StructType,
    VoidType,
    carrier_type,
    is_bit_field_type,
    is_integer,
)

COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})
SHIFTS: Final = frozenset({"<<", ">>"})
INTEGER_ONLY: Final = frozenset({"%", "&", "|", "^", "<<", ">>"})
BINARY: Final = frozenset(get_args(tree.BinaryOp))

_BYTE_POINTER: Final = PointerType(CHAR)


# -- binary operators ----------------------------------------------------------------------------------------


def binary_operator(
    op: str, left: tree.Expression, right: tree.Expression, at: Location, structs: StructTable
) -> tree.Expression:
    """``left op right`` for operands whose arrays and functions have decayed."""
    operator = typed("tree.BinaryOp", op)
    has_pointer = isinstance(left.type, PointerType) or isinstance(right.type, PointerType)
    if op in COMPARISONS:
        return _comparison(operator, left, right, at, structs)
    if has_pointer and op in {"+", "-"}:
        return _pointer_arithmetic(operator, left, right, at, structs)
    left, right = promote_expression(left, structs), promote_expression(right, structs)
    common = common_type(left.type, right.type)
    if common is None or (op in INTEGER_ONLY and isinstance(common, FloatType)):
        raise _invalid_operands(op, left.type, right.type, at)
    if op in SHIFTS:
        return _computed(operator, left, right, at)
    return _computed(operator, implicit_cast(left, common), implicit_cast(right, common), at)


def _computed(
    op: tree.BinaryOp, left: tree.Expression, right: tree.Expression, at: Location
) -> tree.Expression:
    """Arithmetic in the type of the left operand; that of a wide bit-field is cut after each operation."""
    ctype = left.type
    if isinstance(ctype, IntType) and is_bit_field_type(ctype):
        left = implicit_cast(left, carrier_type(ctype))
        right = right if op in SHIFTS else implicit_cast(right, left.type)
    return implicit_cast(tree.Binary(type=left.type, location=at, op=op, left=left, right=right), ctype)


def _invalid_operands(op: str, left: CType, right: CType, at: Location) -> InputError:
    return InputError(f"invalid operands to '{op}': {type_in_words(left)} and {type_in_words(right)}", at)


def _comparison(
    op: tree.BinaryOp, left: tree.Expression, right: tree.Expression, at: Location, structs: StructTable
) -> tree.Expression:
    common: CType | None
    if isinstance(left.type, IntType | FloatType) and isinstance(right.type, IntType | FloatType):
        left, right = _comparable(left, structs), _comparable(right, structs)
        common = common_type(left.type, right.type)
    else:
        common = _compared_pointer(left, right, structs)
    if common is None:
        raise _invalid_operands(op, left.type, right.type, at)
    return tree.Binary(
        type=INT, location=at, op=op, left=implicit_cast(left, common), right=implicit_cast(right, common)
    )


def _comparable(expression: tree.Expression, structs: StructTable) -> tree.Expression:
    """The promoted operand; a bit-field wider than int compares like its declared type."""
    is_wide = (bit_field_width(expression, structs) or 0) > INT.width
    return expression if is_wide else promote_expression(expression, structs)


def _compared_pointer(left: tree.Expression, right: tree.Expression, structs: StructTable) -> CType | None:
    """The type in which two operands, one of them a pointer, are compared."""
    match left.type, right.type:
        case PointerType(target=VoidType()), PointerType():
            return right.type if is_null_pointer_constant(left, structs) else left.type
        case PointerType(), PointerType(target=VoidType()):
            return left.type if is_null_pointer_constant(right, structs) else right.type
        case (PointerType(), PointerType()) | (PointerType(), IntType()):
            return left.type
        case IntType(), PointerType():
            return right.type
        case _:
            return None


# -- pointer arithmetic --------------------------------------------------------------------------------------


def _pointer_arithmetic(
    op: tree.BinaryOp, left: tree.Expression, right: tree.Expression, at: Location, structs: StructTable
) -> tree.Expression:
    match left.type, right.type:
        case PointerType(), PointerType() if op == "-":
            return _pointer_difference(left, right, at, structs)
        case PointerType(), IntType():
            return _moved_pointer(op, left, right, at, structs)
        case IntType(), PointerType() if op == "+":
            return _moved_pointer(op, right, left, at, structs)
        case _:
            raise _invalid_operands(op, left.type, right.type, at)


def _moved_pointer(
    op: tree.BinaryOp, pointer: tree.Expression, integer: tree.Expression, at: Location, structs: StructTable
) -> tree.Expression:
    steps = implicit_cast(promote_expression(integer, structs), structs.model.long)
    if isinstance(pointer.type, PointerType) and is_variable(pointer.type.target):
        steps = implicit_cast(
            array_size_product(steps, variable_length_size(pointer.type.target, structs, at), at),
            structs.model.long,
        )
        start = implicit_cast(pointer, _BYTE_POINTER)
        moved = tree.Binary(type=_BYTE_POINTER, location=at, op=op, left=start, right=steps)
        return implicit_cast(moved, pointer.type)
    counted = implicit_cast(pointer, _countable_pointer(pointer.type, at, structs))
    moved = tree.Binary(type=counted.type, location=at, op=op, left=counted, right=steps)
    return implicit_cast(moved, pointer.type)


def _pointer_difference(
    left: tree.Expression, right: tree.Expression, at: Location, structs: StructTable
) -> tree.Expression:
    if isinstance(left.type, PointerType) and is_variable(left.type.target):
        one, two = implicit_cast(left, _BYTE_POINTER), implicit_cast(right, _BYTE_POINTER)
        distance = tree.Binary(type=structs.model.difference, location=at, op="-", left=one, right=two)
        return implicit_cast(
            array_size_quotient(distance, variable_length_size(left.type.target, structs, at), at),
            structs.model.difference,
        )
    counted = _countable_pointer(left.type, at, structs)
    ctype = structs.model.difference
    return tree.Binary(
        type=ctype,
        location=at,
        op="-",
        left=implicit_cast(left, counted),
        right=implicit_cast(right, counted),
    )


def _refuse_variable_steps(ctype: PointerType, at: Location) -> None:
    if is_variable(ctype.target):
        raise UnsupportedError("moving a pointer to variable-length arrays is not supported yet", at)


def _countable_pointer(ctype: CType, at: Location, structs: StructTable) -> CType:
    """The pointer type whose elements arithmetic counts: ``void`` and functions count as bytes (GNU)."""
    if not isinstance(ctype, PointerType):
        raise InputError(f"{type_in_words(ctype)} where a pointer is required", at)
    if isinstance(ctype.target, VoidType | FunctionType):
        return _BYTE_POINTER
    if not is_complete_type(ctype.target, structs):
        raise InputError(f"arithmetic on a pointer to incomplete {type_in_words(ctype.target)}", at)
    return ctype


# -- unary operators -----------------------------------------------------------------------------------------


def unary_operator(op: str, operand: tree.Expression, at: Location, structs: StructTable) -> tree.Expression:
    """``+ - ~ !`` on a decayed operand."""
    if op == "!":
        scalar = require_scalar(operand, "the operand of '!'")
        return tree.Unary(type=INT, location=at, op="!", operand=scalar)
    value = promote_expression(operand, structs)
    allowed = is_integer(value.type) or (op != "~" and isinstance(value.type, FloatType))
    if not allowed:
        raise InputError(f"wrong type argument to unary '{op}': {type_in_words(operand.type)}", at)
    if op == "+":
        # The result is a value, no longer the place it came from.
        return (
            value
            if value is not operand
            else tree.Cast(type=value.type, location=at, operand=value, implicit=True)
        )
    word = implicit_cast(value, carrier_type(value.type)) if isinstance(value.type, IntType) else value
    result = tree.Unary(type=word.type, location=at, op="-" if op == "-" else "~", operand=word)
    return implicit_cast(result, value.type)


def increment_operator(
    op: str, *, is_prefix: bool, target: tree.Expression, at: Location, structs: StructTable
) -> tree.Expression:
    """``++`` and ``--``."""
    _require_modifiable(target, at, structs)
    if isinstance(target.type, PointerType):
        _refuse_variable_steps(target.type, at)
        _countable_pointer(target.type, at, structs)
    elif not isinstance(target.type, IntType | FloatType):
        raise InputError(f"wrong type argument to '{op * 2}': {type_in_words(target.type)}", at)
    sign = typed("tree.BinaryOp", op)
    return tree.IncDec(
        type=target.type, location=at, op="+" if sign == "+" else "-", is_prefix=is_prefix, target=target
    )


# -- assignment ----------------------------------------------------------------------------------------------


def is_lvalue(expression: tree.Expression) -> bool:
    """True if the expression names an object."""
    match expression:
        case tree.VariableRef() | tree.Deref() | tree.StringLiteral() | tree.CompoundLiteral():
            return True
        case tree.Index(base=base):
            return isinstance(base.type, PointerType) or is_lvalue(base)
        case tree.MemberAccess(base=base):
            return is_lvalue(base)
        case _:
            return False


def _require_modifiable(target: tree.Expression, at: Location, structs: StructTable) -> None:
    """Raise unless the expression can stand left of an assignment."""
    if not is_lvalue(target) or isinstance(target.type, FunctionType):
        raise InputError("the left of an assignment is not an lvalue", at)
    if not is_complete_type(target.type, structs):
        raise InputError(f"assignment to an object of incomplete {type_in_words(target.type)}", at)


def elaborate_assignment(
    target: tree.Expression, value: tree.Expression, at: Location, structs: StructTable
) -> tree.Expression:
    """``target = value``."""
    _require_modifiable(target, at, structs)
    if not isinstance(target.type, IntType | FloatType | PointerType | StructType):
        raise InputError(f"assignment to an object of {type_in_words(target.type)}", at)
    converted = convert_for_assignment(value, target.type, "assignment")
    return tree.Assign(type=target.type, location=at, target=target, value=converted)


def compound_assign(
    op: str, target: tree.Expression, value: tree.Expression, at: Location, structs: StructTable
) -> tree.Expression:
    """``target op= value``."""
    _require_modifiable(target, at, structs)
    operation, converted = _operation(op, target, value, at, structs)
    operator = typed("tree.BinaryOp", op)
    return tree.CompoundAssign(
        type=target.type, location=at, op=operator, target=target, value=converted, operation_type=operation
    )


def _operation(
    op: str, target: tree.Expression, value: tree.Expression, at: Location, structs: StructTable
) -> tuple[CType, tree.Expression]:
    """The type a compound assignment computes in, and its right side converted."""
    if isinstance(target.type, PointerType):
        if op not in {"+", "-"} or not is_integer(value.type):
            raise _invalid_operands(f"{op}=", target.type, value.type, at)
        _refuse_variable_steps(target.type, at)
        return _countable_pointer(target.type, at, structs), implicit_cast(
            promote_expression(value, structs), structs.model.long
        )
    left, right = promote_expression(target, structs), promote_expression(value, structs)
    common = common_type(left.type, right.type)
    if common is None or (op in INTEGER_ONLY and isinstance(common, FloatType)):
        raise _invalid_operands(f"{op}=", target.type, value.type, at)
    if op in SHIFTS:
        return carrier_type(left.type) if isinstance(left.type, IntType) else left.type, right
    right = implicit_cast(right, common)
    return (
        (carrier_type(common), implicit_cast(right, carrier_type(common)))
        if isinstance(common, IntType)
        else (common, right)
    )


# -- conditions ----------------------------------------------------------------------------------------------


def logical_operator(op: str, left: tree.Expression, right: tree.Expression, at: Location) -> tree.Expression:
    """``&&`` and ``||``."""
    left, right = (
        require_scalar(left, f"the operand of '{op}'"),
        require_scalar(right, f"the operand of '{op}'"),
    )
    return tree.Logical(type=INT, location=at, op="&&" if op == "&&" else "||", left=left, right=right)


def conditional_operator(
    condition: tree.Expression,
    then: tree.Expression,
    otherwise: tree.Expression,
    at: Location,
    structs: StructTable,
) -> tree.Expression:
    """``condition ? then : otherwise`` (C11 6.5.15)."""
    require_scalar(condition, "the condition of '?:'")
    common = _branch_type(then, otherwise, structs)
    if common is None:
        message = f"type mismatch in '?:': {type_in_words(then.type)} and {type_in_words(otherwise.type)}"
        raise InputError(message, at)
    then, otherwise = _branch(then, common), _branch(otherwise, common)
    return tree.Conditional(type=common, location=at, condition=condition, then=then, otherwise=otherwise)


def _branch(expression: tree.Expression, common: CType) -> tree.Expression:
    return implicit_cast(expression, common)


def _branch_type(then: tree.Expression, otherwise: tree.Expression, structs: StructTable) -> CType | None:
    if isinstance(then.type, VoidType) or isinstance(otherwise.type, VoidType):
        return VOID
    if isinstance(then.type, StructType) or isinstance(otherwise.type, StructType):
        return then.type if then.type == otherwise.type else None
    if isinstance(then.type, PointerType) or isinstance(otherwise.type, PointerType):
        return common_pointer(then, otherwise, structs)
    return common_type(promote_expression(then, structs).type, promote_expression(otherwise, structs).type)


def as_condition(expression: tree.Expression) -> tree.Expression:
    """The argument of ``assert`` and its like: what is not an integer is compared with zero."""
    if is_integer(expression.type):
        return expression
    require_scalar(expression, "the argument of an assertion")
    zero: tree.Expression = tree.IntConstant(type=INT, location=expression.location, value=0)
    zero = implicit_cast(zero, expression.type)
    return tree.Binary(type=INT, location=expression.location, op="!=", left=expression, right=zero)
