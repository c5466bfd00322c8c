"""Typed operands into typed operations: each operator's rules for types and its conversions.

The operands have decayed already; what gcc rejects is an InputError at the operator.

    int + long   ->   Binary("+", Cast(long, left), right), of type long
    void *p + 1  ->   Cast(void *, Binary("+", Cast(char *, p), Cast(long, 1)))
"""

from __future__ import annotations

from typing import Final, get_args
from typing import cast as typed

from cfrontend.elaborate import variable_length
from cfrontend.elaborate.constants import is_null_pointer_constant
from cfrontend.elaborate.conversions import (
    bit_field_width,
    common_pointer_type,
    common_type,
    convert_for_assignment,
    implicit_conversion,
    promoted,
    require_complete,
    require_scalar,
)
from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.syntax import queries, tree
from cfrontend.syntax.printer import type_in_words
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    CHAR,
    INT,
    VOID,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    StructTypeTable,
    VoidType,
    carrier_of_type,
    is_bit_field_type,
)

COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})
SHIFTS: Final = frozenset({"<<", ">>"})
INTEGER_ONLY: Final = frozenset({"%", "&", "|", "^", "<<", ">>"})
BINARY: Final = frozenset(get_args(tree.BinaryOp))

_BYTE_POINTER: Final = PointerType(CHAR)


# -- binary operators ----------------------------------------------------------------------------------------


def binary(
    op: str, left: Expression, right: Expression, at: Location, structs: StructTypeTable
) -> Expression:
    """``left op right`` for operands whose arrays and functions have decayed."""
    operator = typed("tree.BinaryOp", op)
    has_pointer = isinstance(left.type, PointerType) or isinstance(right.type, PointerType)
    if op in COMPARISONS:
        return _comparison(operator, left, right, at, structs)
    if has_pointer and op in {"+", "-"}:
        return _pointer_arithmetic(operator, left, right, at, structs)
    left, right = promoted(left, structs), promoted(right, structs)
    common = common_type(left.type, right.type)
    if common is None or (op in INTEGER_ONLY and isinstance(common, FloatType)):
        raise _invalid_operands(op, left.type, right.type, at)
    if op in SHIFTS:
        return _computed(operator, left, right, at)
    return _computed(operator, implicit_conversion(left, common), implicit_conversion(right, common), at)


def _computed(op: tree.BinaryOp, left: Expression, right: Expression, at: Location) -> Expression:
    """Arithmetic in the type of the left operand; that of a wide bit-field is cut after each operation."""
    ctype = left.type
    if isinstance(ctype, IntType) and is_bit_field_type(ctype):
        left = implicit_conversion(left, carrier_of_type(ctype))
        right = right if op in SHIFTS else implicit_conversion(right, left.type)
    return implicit_conversion(tree.Binary(type=left.type, location=at, op=op, left=left, right=right), ctype)


def _invalid_operands(op: str, left: CType, right: CType, at: Location) -> InputError:
    return InputError(f"invalid operands to '{op}': {type_in_words(left)} and {type_in_words(right)}", at)


def _comparison(
    op: tree.BinaryOp, left: Expression, right: Expression, at: Location, structs: StructTypeTable
) -> Expression:
    common: CType | None
    if isinstance(left.type, IntType | FloatType) and isinstance(right.type, IntType | FloatType):
        left, right = _comparable(left, structs), _comparable(right, structs)
        common = common_type(left.type, right.type)
    else:
        common = _compared_pointer(left, right, structs)
    if common is None:
        raise _invalid_operands(op, left.type, right.type, at)
    return tree.Binary(
        type=INT,
        location=at,
        op=op,
        left=implicit_conversion(left, common),
        right=implicit_conversion(right, common),
    )


def _comparable(expression: Expression, structs: StructTypeTable) -> Expression:
    """The promoted operand; a bit-field wider than int compares like its declared type."""
    is_wide = (bit_field_width(expression, structs) or 0) > INT.width
    return expression if is_wide else promoted(expression, structs)


def _compared_pointer(left: Expression, right: Expression, structs: StructTypeTable) -> CType | None:
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
    op: tree.BinaryOp, left: Expression, right: Expression, at: Location, structs: StructTypeTable
) -> Expression:
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
    op: tree.BinaryOp,
    pointer: Expression,
    integer: Expression,
    at: Location,
    structs: StructTypeTable,
) -> Expression:
    steps = implicit_conversion(promoted(integer, structs), structs.model.long)
    if isinstance(pointer.type, PointerType) and variable_length.is_variable(pointer.type.target):
        steps = _bytes_of_steps(steps, pointer.type.target, at, structs)
        start = implicit_conversion(pointer, _BYTE_POINTER)
        moved = tree.Binary(type=_BYTE_POINTER, location=at, op=op, left=start, right=steps)
        return implicit_conversion(moved, pointer.type)
    counted = implicit_conversion(pointer, _countable_pointer(pointer.type, at, structs))
    moved = tree.Binary(type=counted.type, location=at, op=op, left=counted, right=steps)
    return implicit_conversion(moved, pointer.type)


def _pointer_difference(
    left: Expression, right: Expression, at: Location, structs: StructTypeTable
) -> Expression:
    if isinstance(left.type, PointerType) and variable_length.is_variable(left.type.target):
        one, two = implicit_conversion(left, _BYTE_POINTER), implicit_conversion(right, _BYTE_POINTER)
        distance = tree.Binary(type=structs.model.difference, location=at, op="-", left=one, right=two)
        return implicit_conversion(
            variable_length.size_quotient(
                distance, variable_length.size_of(left.type.target, structs, at), at
            ),
            structs.model.difference,
        )
    counted = _countable_pointer(left.type, at, structs)
    ctype = structs.model.difference
    return tree.Binary(
        type=ctype,
        location=at,
        op="-",
        left=implicit_conversion(left, counted),
        right=implicit_conversion(right, counted),
    )


def _bytes_of_steps(steps: Expression, target: CType, at: Location, structs: StructTypeTable) -> Expression:
    """Byte offset of a pointer that is moved by ``steps`` arrays of variable length."""
    size = variable_length.size_of(target, structs, at)
    return implicit_conversion(variable_length.size_product(steps, size, at), structs.model.long)


def _countable_pointer(ctype: CType, at: Location, structs: StructTypeTable) -> CType:
    """The pointer type whose elements arithmetic counts: ``void`` and functions count as bytes (GNU)."""
    if not isinstance(ctype, PointerType):
        raise InputError(f"{type_in_words(ctype)} where a pointer is required", at)
    if isinstance(ctype.target, VoidType | FunctionType):
        return _BYTE_POINTER
    require_complete(ctype.target, structs, at, "arithmetic on a pointer to")
    return ctype


# -- unary operators -----------------------------------------------------------------------------------------


def unary(op: str, operand: Expression, at: Location, structs: StructTypeTable) -> Expression:
    """``+ - ~ !`` on a decayed operand."""
    if op == "!":
        scalar = require_scalar(operand, "the operand of '!'")
        return tree.Unary(type=INT, location=at, op="!", operand=scalar)
    value = promoted(operand, structs)
    allowed = isinstance(value.type, IntType) or (op != "~" and isinstance(value.type, FloatType))
    if not allowed:
        raise InputError(f"wrong type argument to unary '{op}': {type_in_words(operand.type)}", at)
    if op == "+":
        # The result is a value, no longer the place it came from.
        return (
            value
            if value is not operand
            else tree.Cast(type=value.type, location=at, operand=value, implicit=True)
        )
    word = (
        implicit_conversion(value, carrier_of_type(value.type)) if isinstance(value.type, IntType) else value
    )
    result = tree.Unary(type=word.type, location=at, op="-" if op == "-" else "~", operand=word)
    return implicit_conversion(result, value.type)


def increment(
    op: str, *, is_prefix: bool, target: Expression, at: Location, structs: StructTypeTable
) -> Expression:
    """``++`` and ``--``."""
    _require_modifiable(target, at, structs)
    if isinstance(target.type, PointerType):
        _countable_pointer(target.type, at, structs)
        if variable_length.is_variable(target.type.target):
            one = tree.IntConstant(type=INT, location=at, value=1)
            moved = compound(op, target, one, at, structs)
            back = _moved_pointer("-" if op == "+" else "+", moved, one, at, structs)
            return moved if is_prefix else back
    elif not isinstance(target.type, IntType | FloatType):
        raise InputError(f"wrong type argument to '{op * 2}': {type_in_words(target.type)}", at)
    sign = typed("tree.BinaryOp", op)
    return tree.IncDec(
        type=target.type, location=at, op="+" if sign == "+" else "-", is_prefix=is_prefix, target=target
    )


# -- assignment ----------------------------------------------------------------------------------------------


def is_lvalue(expression: Expression) -> bool:
    """True if the expression names an object."""
    match expression:
        case tree.VariableRef() | tree.Deref() | tree.StringLiteral() | tree.CompoundLiteral():
            return True
        case tree.Index():  # an array in a structure that is a value lasts as long as the full expression
            return True
        case tree.MemberAccess(base=base):
            return is_lvalue(base)
        case _:
            return False


def _require_modifiable(target: Expression, at: Location, structs: StructTypeTable) -> None:
    """Raise unless the expression can stand left of an assignment."""
    if not is_lvalue(target) or isinstance(target.type, FunctionType):
        raise InputError("the left of an assignment is not an lvalue", at)
    root = queries.root_of_place(target)
    if not isinstance(root, tree.Call) and not is_lvalue(root):
        # gcc writes to a copy or to an operand, by the form of the expression.
        message = "changing an element of an array in a structure that is a value"
        raise UnsupportedError(f"{message} is not supported yet", at)
    require_complete(target.type, structs, at, "assignment to an object of")


def assignment(target: Expression, value: Expression, at: Location, structs: StructTypeTable) -> Expression:
    """``target = value``."""
    _require_modifiable(target, at, structs)
    if not isinstance(target.type, IntType | FloatType | PointerType | StructType):
        raise InputError(f"assignment to an object of {type_in_words(target.type)}", at)
    converted = convert_for_assignment(value, target.type, "assignment")
    return tree.Assign(type=target.type, location=at, target=target, value=converted)


def compound(
    op: str, target: Expression, value: Expression, at: Location, structs: StructTypeTable
) -> Expression:
    """``target op= value``."""
    _require_modifiable(target, at, structs)
    if not is_lvalue(queries.root_of_place(target)):
        message = "a compound assignment to an element of what a call returns"  # gcc calls it twice
        raise UnsupportedError(f"{message} is not supported yet", at)
    operation, converted = _operation(op, target, value, at, structs)
    operator = typed("tree.BinaryOp", op)
    return tree.CompoundAssign(
        type=target.type, location=at, op=operator, target=target, value=converted, operation_type=operation
    )


def _operation(
    op: str, target: Expression, value: Expression, at: Location, structs: StructTypeTable
) -> tuple[CType, Expression]:
    """The type a compound assignment computes in, and its right side converted."""
    if isinstance(target.type, PointerType):
        if op not in {"+", "-"} or not isinstance(value.type, IntType):
            raise _invalid_operands(f"{op}=", target.type, value.type, at)
        counted = _countable_pointer(target.type, at, structs)
        steps = implicit_conversion(promoted(value, structs), structs.model.long)
        if variable_length.is_variable(target.type.target):
            return _BYTE_POINTER, _bytes_of_steps(steps, target.type.target, at, structs)
        return counted, steps
    left, right = promoted(target, structs), promoted(value, structs)
    common = common_type(left.type, right.type)
    if common is None or (op in INTEGER_ONLY and isinstance(common, FloatType)):
        raise _invalid_operands(f"{op}=", target.type, value.type, at)
    if op in SHIFTS:
        return carrier_of_type(left.type) if isinstance(left.type, IntType) else left.type, right
    right = implicit_conversion(right, common)
    return (
        (carrier_of_type(common), implicit_conversion(right, carrier_of_type(common)))
        if isinstance(common, IntType)
        else (common, right)
    )


# -- conditions ----------------------------------------------------------------------------------------------


def logical(op: str, left: Expression, right: Expression, at: Location) -> Expression:
    """``&&`` and ``||``."""
    left, right = (
        require_scalar(left, f"the operand of '{op}'"),
        require_scalar(right, f"the operand of '{op}'"),
    )
    return tree.Logical(type=INT, location=at, op="&&" if op == "&&" else "||", left=left, right=right)


def conditional(
    condition: Expression,
    then: Expression,
    otherwise: Expression,
    at: Location,
    structs: StructTypeTable,
) -> Expression:
    """``condition ? then : otherwise`` (C11 6.5.15)."""
    require_scalar(condition, "the condition of '?:'")
    common = _branch_type(then, otherwise, structs)
    if common is None:
        message = f"type mismatch in '?:': {type_in_words(then.type)} and {type_in_words(otherwise.type)}"
        raise InputError(message, at)
    then, otherwise = implicit_conversion(then, common), implicit_conversion(otherwise, common)
    return tree.Conditional(type=common, location=at, condition=condition, then=then, otherwise=otherwise)


def _branch_type(then: Expression, otherwise: Expression, structs: StructTypeTable) -> CType | None:
    if isinstance(then.type, VoidType) or isinstance(otherwise.type, VoidType):
        return VOID
    if isinstance(then.type, StructType) or isinstance(otherwise.type, StructType):
        return then.type if then.type == otherwise.type else None
    if isinstance(then.type, PointerType) or isinstance(otherwise.type, PointerType):
        return common_pointer_type(then, otherwise, structs)
    return common_type(promoted(then, structs).type, promoted(otherwise, structs).type)


def condition_operand(expression: Expression) -> Expression:
    """The argument of ``assert`` and its like: what is not an integer is compared with zero."""
    if isinstance(expression.type, IntType):
        return expression
    require_scalar(expression, "the argument of an assertion")
    zero: Expression = tree.IntConstant(type=INT, location=expression.location, value=0)
    zero = implicit_conversion(zero, expression.type)
    return tree.Binary(type=INT, location=expression.location, op="!=", left=expression, right=zero)
