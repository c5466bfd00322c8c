"""The value of a constant expression of the typed tree, with C's arithmetic; None when it is not constant.

Used where C asks for a constant: array lengths, case labels, enumerators, bit widths, static assertions.
Ordinary expressions are never folded.

    Binary("<<", 1, Cast(int, 3u))   ->   8        enum { SHIFT = __builtin_ctz(64) };   ->   6
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias, final

from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    BOOL,
    ArrayType,
    CType,
    DataModelOfTypes,
    FloatType,
    IntType,
    PointerType,
    StructTypeTable,
    size_of_type,
)
from cfrontend.terms import Terms
from cfrontend.terms.floats import FORMATS, exact, text
from cfrontend.terms.floats.format import FloatFormat


@final
@dataclass(frozen=True, slots=True)
class _RealConstant:
    """A floating value: its bits in a format."""

    format: FloatFormat
    bits: int


Value: TypeAlias = int | _RealConstant

_LARGEST: Final = (1 << 64) - 1
"""Pointers are unsigned words of 64 bits here; those of 32 bits are extended as gcc converts them to integers."""

_ARITHMETIC: Final = {
    "+": exact.exact_sum,
    "-": exact.exact_difference,
    "*": exact.exact_product,
    "/": exact.exact_quotient,
}
"""Operators of floating type on the bits of two numbers of one format."""

_REAL_COMPARISONS: Final[Mapping[str, Callable[[FloatFormat, int, int], bool]]] = {
    "==": exact.exact_equal,
    "!=": lambda f, a, b: not exact.exact_equal(f, a, b),
    "<": exact.exact_less,
    "<=": exact.exact_less_equal,
    ">": lambda f, a, b: exact.exact_less(f, b, a),
    ">=": lambda f, a, b: exact.exact_less_equal(f, b, a),
}

_INTEGER: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""Operators on integers of any size, but for divisions."""


def constant_value(expression: Expression, structs: StructTypeTable) -> int | None:
    """The integer value of a constant expression of integer type, else None."""
    if not isinstance(expression.type, IntType):
        return None
    value = _value(expression, structs)
    return value if isinstance(value, int) else None


def static_nan_constant(expression: Expression, structs: StructTypeTable) -> tree.FloatConstant | None:
    """The NaN that a floating initialiser of static storage is; None for all others.

    gcc computes it when it compiles, and a NaN that comes of no other is positive then; the processor's is negative.
    """
    value = _folded(expression, structs)
    if value is None or not exact.is_exact_nan(value.format, value.bits):
        return None
    spelled = text.show_float_text(value.format, value.bits)
    return tree.FloatConstant(type=expression.type, location=expression.location, value=spelled)


def folded_constant(
    expression: Expression, structs: StructTypeTable
) -> tree.IntConstant | tree.FloatConstant | None:
    """The constant that a constant expression of arithmetic type is; None where it is not constant."""
    ctype, at = expression.type, expression.location
    whole = constant_value(expression, structs)
    if whole is not None:
        return tree.IntConstant(type=ctype, location=at, value=whole)
    real = _folded(expression, structs)
    if real is None:
        return None
    return tree.FloatConstant(type=ctype, location=at, value=text.show_float_text(real.format, real.bits))


def _folded(expression: Expression, structs: StructTypeTable) -> _RealConstant | None:
    """A floating constant expression with the infinities and NaNs that its operations make."""
    match expression:
        case tree.Binary(op=op, left=left, right=right, type=FloatType()) if op in _ARITHMETIC:
            a, b = _folded(left, structs), _folded(right, structs)
            if a is None or b is None:
                return None
            bits = _ARITHMETIC[op](a.format, a.bits, b.bits)
            made = exact.is_exact_nan(a.format, bits) and not any(
                exact.is_exact_nan(a.format, x.bits) for x in (a, b)
            )
            return _RealConstant(a.format, bits & (a.format.sign_bit - 1) if made else bits)
        case tree.Unary(op="-", operand=operand, type=FloatType()):
            value = _folded(operand, structs)
            return (
                None
                if value is None
                else _RealConstant(value.format, exact.exact_negation(value.format, value.bits))
            )
        case tree.Cast(operand=operand, type=FloatType() as ctype) if isinstance(operand.type, FloatType):
            converted = _convert(_folded(operand, structs), ctype)
            return converted if isinstance(converted, _RealConstant) else None
        case _:
            known = _value(expression, structs)
            return known if isinstance(known, _RealConstant) else None


def wrap_constant(value: int, ctype: IntType) -> int:
    """An integer converted to an integer type, as gcc does it: modulo two to the width."""
    if ctype == BOOL:
        return int(value != 0)
    reduced = value & ((1 << ctype.width) - 1)
    return reduced - (1 << ctype.width) if ctype.signed and reduced >> (ctype.width - 1) else reduced


def is_null_pointer_constant(expression: Expression, structs: StructTypeTable) -> bool:
    """True if the expression is a constant zero, perhaps cast to ``void *`` (C11 6.3.2.3)."""
    if isinstance(expression, tree.Cast) and str(expression.type) == "void *":
        expression = expression.operand
    return constant_value(expression, structs) == 0


def _value(expression: Expression, structs: StructTypeTable) -> Value | None:
    match expression:
        case tree.IntConstant(value=value):
            return value
        case tree.FloatConstant(value=spelled, type=ctype):
            return _real(spelled, ctype)
        case tree.Unary(op=op, operand=operand, type=ctype):
            return _unary(op, _value(operand, structs), ctype)
        case tree.Binary():
            return _binary(expression, structs)
        case tree.Logical(op=op, left=left, right=right):
            first = _value(left, structs)
            if first is None or _truth(first) == (op == "||"):
                return None if first is None else int(_truth(first))
            second = _value(right, structs)
            return None if second is None else int(_truth(second))
        case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
            chosen = _value(condition, structs)
            return None if chosen is None else _value(then if _truth(chosen) else otherwise, structs)
        case tree.Cast(operand=operand, type=ctype):
            converted = _convert(_value(operand, structs), ctype)
            if isinstance(ctype, PointerType) and isinstance(converted, int):
                return (
                    Terms.signed(converted & ((1 << structs.model.word) - 1), structs.model.word) & _LARGEST
                )
            return converted
        case tree.AddressOf(operand=operand) | tree.Decay(operand=operand):
            return _address(operand, structs)
        case tree.Call(type=IntType() as ctype):
            return _convert(_folded_call(expression, structs), ctype)
        case _:
            return None


def _real(spelled: str, ctype: CType) -> _RealConstant | None:
    assert isinstance(ctype, FloatType)
    f = FORMATS[ctype.width]
    bits = text.parse_float_text(f, spelled)
    return None if bits is None else _RealConstant(f, bits)


def _truth(value: Value) -> bool:
    if isinstance(value, _RealConstant):
        return value.bits & (value.format.sign_bit - 1) != 0
    return value != 0


def _convert(value: Value | None, ctype: CType) -> Value | None:
    if value is None:
        return None
    match ctype:
        case IntType() if ctype == BOOL:
            return int(_truth(value))
        case IntType():
            return wrap_constant(_whole(value, ctype) if isinstance(value, _RealConstant) else value, ctype)
        case FloatType(width=width):
            f = FORMATS[width]
            if isinstance(value, _RealConstant):
                return (
                    _RealConstant(f, exact.exact_conversion(value.format, f, value.bits))
                    if value.format != f
                    else value
                )
            return _RealConstant(f, exact.exact_from_integer(f, value))
        case PointerType():
            return value & _LARGEST if isinstance(value, int) else None
        case _:
            return None


def _whole(value: _RealConstant, ctype: IntType) -> int:
    """The integral part, or the end of the type's range that is nearest to it, as gcc folds constants."""
    least = -(1 << (ctype.width - 1)) if ctype.signed else 0
    most = (1 << (ctype.width - ctype.signed)) - 1
    if exact.is_exact_nan(value.format, value.bits):
        return 0
    whole = exact.exact_whole_part(value.format, value.bits)
    if whole is None:
        return least if value.bits & value.format.sign_bit else most
    return max(least, min(most, whole))


def _unary(op: str, value: Value | None, ctype: CType) -> Value | None:
    if value is None:
        return None
    if op == "!":
        return int(not _truth(value))
    if isinstance(value, _RealConstant):
        return _RealConstant(value.format, exact.exact_negation(value.format, value.bits))
    return _convert(-value if op == "-" else ~value, ctype)


def _binary(expression: tree.Binary, structs: StructTypeTable) -> Value | None:
    left, right = _value(expression.left, structs), _value(expression.right, structs)
    if left is None or right is None:
        return None
    if isinstance(left, _RealConstant) or isinstance(right, _RealConstant):
        return _real_binary(expression.op, left, right)
    if isinstance(expression.left.type, PointerType):
        return _pointer_binary(expression, left, right, structs)
    result = _arithmetic(expression.op, left, right, expression.type)
    return _convert(result, expression.type)


def _real_binary(op: str, left: Value, right: Value) -> Value | None:
    """Fold a binary operator of floating type, as gcc does: not where only the result is not finite."""
    if not isinstance(left, _RealConstant) or not isinstance(right, _RealConstant):
        return None
    f, a, b = left.format, left.bits, right.bits
    if op in _REAL_COMPARISONS:
        return int(_REAL_COMPARISONS[op](f, a, b))
    result = _ARITHMETIC[op](f, a, b)
    return _RealConstant(f, result) if exact.decode_exact_float(f, result).kind == "finite" else None


def _pointer_binary(expression: tree.Binary, left: int, right: int, structs: StructTypeTable) -> int | None:
    """Addresses that are numbers: ``(char *)0 + 4``, ``(char *)&((T *)0)->m - (char *)0``."""
    if expression.op not in {"+", "-"}:
        return _arithmetic(expression.op, left, right, expression.type) or 0
    if not isinstance(expression.left.type, PointerType):
        return None
    size = size_of_type(expression.left.type.target, structs)
    if isinstance(expression.right.type, PointerType):
        return (left - right) // size
    return left + size * right if expression.op == "+" else left - size * right


def _arithmetic(op: str, left: int, right: int, ctype: CType) -> int | None:
    """The exact value of an operator on integers; None where C leaves it undefined."""
    if op in ("/", "%"):
        return _divide(op, left, right)
    width = ctype.width if isinstance(ctype, IntType) else 64
    return None if op in ("<<", ">>") and not 0 <= right < width else int(_INTEGER[op](left, right))


def _divide(op: str, left: int, right: int) -> int | None:
    """Division toward zero; a zero divisor makes the expression not constant."""
    if right == 0:
        return None
    quotient = abs(left) // abs(right)
    quotient = quotient if (left < 0) == (right < 0) else -quotient
    return quotient if op == "/" else left - quotient * right


def _address(place: Expression, structs: StructTypeTable) -> int | None:
    """The address of an lvalue below a constant pointer, as in the classic ``offsetof``."""
    match place:
        case tree.Deref(pointer=pointer):
            value = _value(pointer, structs)
            return value if isinstance(value, int) else None
        case tree.MemberAccess(base=base, struct_key=key, member=name):
            start = _address(base, structs)
            member = next((m for m in structs[key].members if m.name == name), None)
            return None if start is None or member is None else start + member.offset
        case tree.Index(base=base, index=index):
            start = (
                _address(base, structs) if isinstance(base.type, ArrayType) else _int(_value(base, structs))
            )
            position = _int(_value(index, structs))
            return (
                None
                if start is None or position is None
                else start + position * size_of_type(place.type, structs)
            )
        case _:
            return None


def _int(value: Value | None) -> int | None:
    return value if isinstance(value, int) else None


# -- functions that gcc computes when it compiles -------------------------------------------------------------

_KNOWN: Final = re.compile(
    r"(?:__builtin_)?(?:(?:(?:a?(?:sin|cos|tan)h?|atan2|exp|exp2|expm1|log|log2|log10|log1p|pow|sqrt|cbrt|hypot|fmod"
    r"|fabs|ceil|floor|trunc|round|fmin|fmax|fdim|copysign)[fl]?)|l?l?abs|strlen|strcmp)"
    r"|__builtin_(?:(?:inf|huge_val|nans?)[fl]?|(?:clz|ctz|ffs|clrsb|popcount|parity)l?l?|bswap(?:16|32|64)|expect"
    r"|is(?:nan|inf|finite|normal)|signbit)"
)
"""Names of functions whose calls are constants of static initialisers."""

_BITS: Final = re.compile(r"__builtin_(clz|ctz|ffs|clrsb|popcount|parity)(l?l?)")
_SWAPS: Final = re.compile(r"__builtin_bswap(16|32|64)")


def _folded_call(call: tree.Call, structs: StructTypeTable) -> int | None:
    """The value of a call in a constant expression of integer type; None where it is not constant."""
    name = call.callee.name if isinstance(call.callee, tree.FunctionRef) else ""
    values = [constant_value(argument, structs) for argument in call.arguments]
    known = [one for one in values if one is not None]
    return _folded_function(name, known, structs.model) if known and len(known) == len(values) else None


def _folded_function(name: str, values: Sequence[int], model: DataModelOfTypes) -> int | None:
    if found := _SWAPS.fullmatch(name):
        size = int(found[1]) // 8
        return int.from_bytes(values[0].to_bytes(size, "little"), "big")
    if found := _BITS.fullmatch(name):
        width = {"": 32, "l": model.word, "ll": 64}[found[2]]
        return _of_bits(found[1], values[0], values[0] & ((1 << width) - 1), width)
    return values[0] if name == "__builtin_expect" else None


def _of_bits(what: str, value: int, bits: int, width: int) -> int | None:
    match what:
        case "popcount":
            return bits.bit_count()
        case "parity":
            return bits.bit_count() & 1
        case "clrsb":
            return width - 1 - (value if value >= 0 else ~value).bit_length()
        case "ffs":
            return (bits & -bits).bit_length()
        case "clz" if bits:
            return width - bits.bit_length()
        case "ctz" if bits:
            return (bits & -bits).bit_length() - 1
        case _:
            return None


# -- initialisers of static storage --------------------------------------------------------------------------


def is_constant_initializer(value: Expression, constants: AbstractSet[str]) -> bool:
    """True if the value is known before the program starts (C11 6.6): arithmetic on constants, a static address.

    ``constants`` are the keys of ``const`` variables whose value gcc knows at this point.
    """
    match value:
        case tree.IntConstant() | tree.FloatConstant() | tree.FunctionRef():
            return True
        case tree.Call(callee=tree.FunctionRef(name=name), arguments=arguments):
            return _KNOWN.fullmatch(name) is not None and all(
                is_constant_initializer(argument, constants) for argument in arguments
            )
        case tree.VariableRef(symbol=symbol):
            return symbol.key in constants
        case tree.AddressOf(operand=place) | tree.Decay(operand=place):
            return _is_static_place(place, constants)
        case tree.Unary(operand=operand) | tree.Cast(operand=operand):
            return is_constant_initializer(operand, constants)
        case tree.Binary(left=left, right=right) | tree.Logical(left=left, right=right):
            return is_constant_initializer(left, constants) and is_constant_initializer(right, constants)
        case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
            return all(is_constant_initializer(part, constants) for part in (condition, then, otherwise))
        case _:
            return False


def _is_static_place(place: Expression, constants: AbstractSet[str]) -> bool:
    match place:
        case tree.VariableRef(symbol=symbol):
            return symbol.storage in {"static", "extern"}
        case tree.StringLiteral() | tree.FunctionRef():
            return True
        case tree.MemberAccess(base=base):
            return _is_static_place(base, constants)
        case tree.Deref(pointer=pointer):
            return is_constant_initializer(pointer, constants)
        case tree.Index(base=base, index=index):
            is_array = isinstance(base.type, ArrayType)
            is_known = (
                _is_static_place(base, constants) if is_array else is_constant_initializer(base, constants)
            )
            return is_known and is_constant_initializer(index, constants)
        case _:
            return False
