"""C's conversions as explicit casts around typed expressions.

Nothing is wrapped when the type already fits.

    int i; long n;  n = i      ->   Assign(n, Cast(long, i, implicit))
    char c;         c + 1      ->   Binary("+", Cast(int, c), 1)
    int a[4];       a          ->   Decay(a), of type int *
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cfrontend.elaborate.constants import is_null_pointer_constant
from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.syntax import tree
from cfrontend.syntax.printer import type_in_words
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    DOUBLE,
    FLOAT,
    INT,
    UCHAR,
    UINT,
    UINT128,
    ULLONG,
    USHORT,
    VOID,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    StructTypeTable,
    VoidType,
    is_bit_field_type,
    is_complete_object_type,
    is_scalar_type,
    promoted_bit_field_type,
    promoted_integer_type,
    usual_arithmetic_type,
)


def decayed(expression: Expression) -> Expression:
    """Decay an array to the pointer to its first element, a function to its address; others stay as they are."""
    match expression.type:
        case ArrayType(element=element):
            return tree.Decay(type=PointerType(element), location=expression.location, operand=expression)
        case FunctionType() if isinstance(expression, tree.Deref):
            return expression.pointer
        case FunctionType():
            pointer = PointerType(expression.type)
            return tree.AddressOf(type=pointer, location=expression.location, operand=expression)
        case _:
            return expression


def implicit_conversion(expression: Expression, ctype: CType) -> Expression:
    """The expression converted without the programmer having said so; nothing when it has the type."""
    if expression.type == ctype:
        return expression
    return tree.Cast(type=ctype, location=expression.location, operand=expression, implicit=True)


def require_scalar(expression: Expression, what: str) -> Expression:
    """The expression, which must be usable as a condition."""
    if is_scalar_type(expression.type):
        return expression
    raise InputError(
        f"{what} has {type_in_words(expression.type)} where a scalar is required", expression.location
    )


def require_complete(ctype: CType, structs: StructTypeTable, at: Location, what: str) -> None:
    """Raises InputError where objects of a type cannot exist: ``what`` is said of its incomplete type."""
    if not is_complete_object_type(ctype, structs):
        raise InputError(f"{what} incomplete {type_in_words(ctype)}", at)


# -- arithmetic ----------------------------------------------------------------------------------------------


def promoted(expression: Expression, structs: StructTypeTable) -> Expression:
    """Integer promotion (C11 6.3.1.1), which for a bit-field looks at its width; floats as they are."""
    if not isinstance(expression.type, IntType):
        return expression
    width = bit_field_width(expression, structs)
    if width is None:
        return implicit_conversion(expression, promoted_integer_type(expression.type))
    if width < INT.width or (width == INT.width and expression.type.signed):
        return implicit_conversion(expression, INT)
    if width == INT.width:
        return implicit_conversion(expression, UINT)
    return (
        expression
        if width == expression.type.width
        else implicit_conversion(expression, promoted_bit_field_type(expression.type, width))
    )


def bit_field_width(expression: Expression, structs: StructTypeTable) -> int | None:
    """The width when the expression is a bit-field or the value of an assignment to one."""
    match expression:
        case tree.MemberAccess(struct_key=key, member=name):
            return next((m.bit_width for m in structs[key].members if m.name == name), None)
        case tree.Assign(target=target) | tree.CompoundAssign(target=target) | tree.IncDec(target=target):
            return bit_field_width(target, structs)
        case tree.Comma(right=value) | tree.StatementExpression(result=tree.SyntaxTreeNode() as value):
            return bit_field_width(value, structs)
        case _:
            return None


def measured_type(expression: Expression, structs: StructTypeTable) -> CType:
    """The type whose size and alignment an expression has: a value in a bit-field has the fewest bytes for its bits."""
    width = bit_field_width(expression, structs)
    return expression.type if width is None else next(t for t in _BY_SIZE if t.width >= width)


def nameable_type(expression: Expression, structs: StructTypeTable, what: str) -> CType:
    """The type of an expression for a variable, as by ``typeof``; an error for one of another width than its words."""
    width, ctype = bit_field_width(expression, structs), expression.type
    if isinstance(expression, tree.MemberAccess) and width is not None:
        raise InputError(f"{what} of a bit-field", expression.location)
    if isinstance(ctype, IntType) and (is_bit_field_type(ctype) or width not in {None, ctype.width}):
        said = f"{what} of a value with the {width or ctype.width} bits of a bit-field is not supported yet"
        raise UnsupportedError(said, expression.location)
    return ctype


_BY_SIZE: Final = (UCHAR, USHORT, UINT, ULLONG, UINT128)


def common_type(left: CType, right: CType) -> IntType | FloatType | None:
    """The usual arithmetic conversions of two promoted types (C11 6.3.1.8), None for other types."""
    if isinstance(left, FloatType) or isinstance(right, FloatType):
        floats = [t for t in (left, right) if isinstance(t, FloatType)]
        others = [t for t in (left, right) if not isinstance(t, FloatType | IntType)]
        return None if others else max(floats, key=lambda t: t.width)
    if isinstance(left, IntType) and isinstance(right, IntType):
        return usual_arithmetic_type(left, right)
    return None


def default_promoted(expression: Expression, structs: StructTypeTable) -> Expression:
    """The promotion of an argument without a prototype: float becomes double (C11 6.5.2.2)."""
    if isinstance(expression.type, VoidType):
        raise InputError("an argument has no value", expression.location)
    if (bit_field_width(expression, structs) or 0) > INT.width:
        return expression
    if expression.type == FLOAT:
        return implicit_conversion(expression, DOUBLE)
    return promoted(expression, structs)


# -- assignment ----------------------------------------------------------------------------------------------


def convert_for_assignment(expression: Expression, ctype: CType, what: str) -> Expression:
    """The value as it arrives in an object of another type (C11 6.5.16.1).

    What gcc only warns about, mixing integers and pointers, is accepted with a cast. ``what`` names the place
    in the error: ``assignment``, ``argument 2 of 'f'``.
    """
    source = expression.type
    if isinstance(source, VoidType):
        raise InputError(f"{what}: the expression has no value", expression.location)
    if source == ctype or isinstance(ctype, VoidType):
        return expression
    match source, ctype:
        case (IntType() | FloatType(), IntType() | FloatType()) | (PointerType() | IntType(), PointerType()):
            return implicit_conversion(expression, ctype)
        case (PointerType(), IntType()):
            return implicit_conversion(expression, ctype)
        case _:
            message = f"incompatible types in {what}: {type_in_words(source)} where {type_in_words(ctype)} is needed"
            raise InputError(message, expression.location)


def explicit_cast(expression: Expression, ctype: CType, location: Location) -> Expression:
    """Convert by an explicit cast, ``(ctype) expression``. Raises InputError where C does not allow it."""
    source = expression.type
    is_same = isinstance(ctype, StructType) and source == ctype
    if not is_same and not isinstance(ctype, VoidType):
        if isinstance(ctype, StructType):
            raise InputError(f"conversion to non-scalar type '{ctype}' requested", location)
        if not is_scalar_type(ctype):
            raise InputError(f"cast specifies {type_in_words(ctype)}", location)
        if not is_scalar_type(source) or {type(source), type(ctype)} == {PointerType, FloatType}:
            raise InputError(f"cannot convert {type_in_words(source)} to {type_in_words(ctype)}", location)
    return tree.Cast(type=ctype, location=location, operand=expression, implicit=False)


# -- pointers ------------------------------------------------------------------------------------------------


def common_pointer_type(left: Expression, right: Expression, structs: StructTypeTable) -> CType | None:
    """The type of ``c ? left : right`` when one of them is a pointer; None when they do not go together."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one.type, PointerType) and isinstance(other.type, IntType):
            return one.type
        if is_null_pointer_constant(one, structs) and isinstance(other.type, PointerType):
            return other.type
    if not (isinstance(left.type, PointerType) and isinstance(right.type, PointerType)):
        return None
    if left.type == right.type:
        return left.type
    composite = composite_type(left.type, right.type)
    return composite if composite is not None else PointerType(VOID)


def composite_type(left: CType, right: CType) -> CType | None:
    """The one type two declarations of a thing agree on (C11 6.2.7), None when they conflict."""
    if left == right:
        return left
    match left, right:
        case PointerType(target=one), PointerType(target=other):
            target = composite_type(one, other)
            return None if target is None else PointerType(target)
        case ArrayType(element=one, length=m), ArrayType(element=other, length=n) if None in {m, n}:
            element = composite_type(one, other)
            known = left if n is None and right.variable is None else right
            return None if element is None else replace(known, element=element)
        case FunctionType(), FunctionType():
            return _composite_function(left, right)
        case _:
            return None


def _composite_function(left: FunctionType, right: FunctionType) -> FunctionType | None:
    result = composite_type(left.result, right.result)
    if result is None:
        return None
    if not (left.prototyped and right.prototyped):
        known = left if left.prototyped or (left.parameters and not right.prototyped) else right
        return FunctionType(result, known.parameters, known.variadic, known.prototyped)
    if len(left.parameters) != len(right.parameters) or left.variadic != right.variadic:
        return None
    parameters = [
        composite_type(one, other) for one, other in zip(left.parameters, right.parameters, strict=True)
    ]
    found = tuple([parameter for parameter in parameters if parameter is not None])
    return FunctionType(result, found, left.variadic) if len(found) == len(parameters) else None
