"""Operations on complex numbers as operations on their parts, with the meaning that gcc gives them.

An operand of which more than one part is read is kept in a variable; only products and quotients of two complex
numbers are calls, of the functions that gcc's own library has for them.

    z + 1.0     ->   (double _Complex){__real__ z + 1.0, __imag__ z}
    z * f()     ->   ({ double _Complex o = f(); __muldc3(__real__ z, __imag__ z, __real__ o, __imag__ o); })
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final, final
from typing import cast as typed

from cfrontend.elaborate import builtins, operators
from cfrontend.elaborate.constants import real_constant_bits
from cfrontend.elaborate.context import Context
from cfrontend.elaborate.conversions import common_type, implicit_conversion, promoted
from cfrontend.elaborate.held_values import behind_declarations, hold_value, place_found_once
from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.record import dataclass
from cfrontend.syntax import queries, tree
from cfrontend.syntax.complex_types import (
    IMAGINARY,
    REAL,
    PartType,
    complex_part_type,
    complex_type,
    is_complex_type,
)
from cfrontend.syntax.printer import type_in_words
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import BOOL, INT, CType, FloatType, IntType, StructType, StructTypeTable
from cfrontend.terms.floats import FORMATS, exact, text
from cfrontend.terms.floats.format import FloatFormat

_ARITHMETIC: Final = frozenset({"+", "-", "*", "/"})
_MODES: Final = {32: "sc", 64: "dc", 80: "xc"}
"""The letters by which gcc's library calls complex numbers, by the width of their parts."""


_GUARD: Final = 3
"""Bits of a quotient beyond the precision, besides the one that tells whether there are more."""


@final
@dataclass(slots=True)
class _Held:
    """The variables that hold the operands of one operation."""

    context: Context
    location: Location
    items: list[tree.Statement]

    def plain(self, e: Expression, *, before: Expression | None = None) -> Expression:
        """The operand as an expression that may be evaluated again, and after ``before``."""
        e = self._opened(e)
        if _is_plain(e) and (before is None or _is_constant(e) or not queries.has_side_effects(before)):
            return e
        return hold_value(self.context, "<operand>", e, self.items)

    def address(self, target: Expression) -> Expression:
        """A place as one that may be named again."""
        return place_found_once(self.context, "<operand>", target, self.items)

    def _opened(self, e: Expression) -> Expression:
        """The pair at the end of an operation, whose own variables become some of this one."""
        if not isinstance(e, tree.StatementExpression) or e.is_written or not _is_pair(e.result):
            return e
        assert e.result is not None
        self.items += e.body.items
        return e.result

    def around(self, result: Expression, *, is_whole: bool = False) -> Expression:
        """The result behind the declarations; alone where there are none, unless it is to be seen as a whole."""
        if not self.items and not is_whole:
            return result
        return behind_declarations(self.items, result, self.location)


def _is_pair(e: Expression | None) -> bool:
    return isinstance(e, tree.CompoundLiteral) and is_complex_type(e.type)


def complex_parts_of_pair(e: Expression) -> tuple[Expression, Expression] | None:
    """Both parts of a complex number that is made of two values here; None for all others."""
    if isinstance(e, tree.Cast) and e.type == e.operand.type:
        return complex_parts_of_pair(e.operand)
    if isinstance(e, tree.CompoundLiteral) and is_complex_type(e.type) and len(e.initializer.items) == 2:
        first, second = e.initializer.items
        return first.value, second.value
    return None


def _is_plain(e: Expression) -> bool:
    """True for a variable, a member of one or a constant, and for a pair, whose parts are evaluated once each."""
    match e:
        case tree.VariableRef() | tree.IntConstant() | tree.FloatConstant():
            return True
        case tree.MemberAccess(base=base):
            return _is_plain(base)
        case tree.CompoundLiteral():
            return _is_pair(e)
        case _:
            return _is_constant(e)


def _is_constant(e: Expression) -> bool:
    """True for an expression of constants, and for a pair of such."""
    parts = complex_parts_of_pair(e) or (e,)
    return all(map(queries.is_made_of_constants, parts))


# -- numbers and their parts -----------------------------------------------------------------------------


def pair(context: Context, real: Expression, imaginary: Expression, at: Location) -> Expression:
    """The complex number of two parts of one type."""
    part = real.type
    assert isinstance(part, IntType | FloatType)
    ctype = complex_type(part, context.structs)
    symbol = context.new_local("<literal>", ctype, at)
    whole = symbol.reference(at)
    items = tuple(
        [
            tree.InitItem(target=_member(whole, name, part), value=value)
            for name, value in ((REAL, real), (IMAGINARY, imaginary))
        ]
    )
    initializer = tree.Initializer(items=items, zero_fill=False, location=at)
    return tree.CompoundLiteral(type=ctype, location=at, symbol=symbol, initializer=initializer)


def of_parts(context: Context, real: Expression, imaginary: Expression, at: Location) -> Expression:
    """``__builtin_complex``, and so ``CMPLX``: the number of two parts of one floating type."""
    if not isinstance(real.type, FloatType) or real.type != imaginary.type:
        raise InputError("'__builtin_complex' needs two operands of one floating type", at)
    return pair(context, real, imaginary, at)


def imaginary(context: Context, part: Expression) -> Expression:
    """The number whose imaginary part is given, and whose real part is zero."""
    assert isinstance(part.type, IntType | FloatType)
    return pair(context, _zero(part.type, part.location), part, part.location)


def part_of(context: Context, e: Expression, name: str, at: Location) -> Expression:
    """One part of a complex number, as a place where the number is one; of others the value, or zero."""
    ctype = _part(context, e.type)
    if ctype is not None:
        part: Expression = replace(_component(context, e, name), location=at)
        return part
    if not isinstance(e.type, IntType | FloatType):
        raise InputError(f"wrong type argument to {name}: {type_in_words(e.type)}", e.location)
    if name == REAL:
        return e
    zero = _zero(e.type, e.location)
    return (
        tree.Comma(type=e.type, location=e.location, left=e, right=zero)
        if queries.has_side_effects(e)
        else zero
    )


def _component(context: Context, e: Expression, name: str) -> Expression:
    parts = complex_parts_of_pair(e)
    if parts is not None and not any(map(queries.has_side_effects, parts)):
        return parts[name == IMAGINARY]
    part = _part(context, e.type)
    assert part is not None
    return _member(e, name, part)


def _both(context: Context, e: Expression) -> tuple[Expression, Expression]:
    """Both parts of a plain operand."""
    return complex_parts_of_pair(e) or (_component(context, e, REAL), _component(context, e, IMAGINARY))


def _part(context: Context, ctype: CType) -> PartType | None:
    return complex_part_type(ctype, context.structs)


# -- conversions -----------------------------------------------------------------------------------------


def converted(context: Context, e: Expression, ctype: CType) -> Expression:
    """A number converted where it is complex or is to be; everything else as it is."""
    source, target = _part(context, e.type), _part(context, ctype)
    if e.type == ctype or (source is None and target is None):
        return e
    if target is None:
        return _as_real(context, e, ctype)
    if source is None:
        if not isinstance(e.type, IntType | FloatType):
            return e
        return pair(context, implicit_conversion(e, target), _zero(target, e.location), e.location)
    held = _held(context, e.location)
    real, imaginary = _both(context, held.plain(e))
    return held.around(
        pair(context, implicit_conversion(real, target), implicit_conversion(imaginary, target), e.location)
    )


def _as_real(context: Context, e: Expression, ctype: CType) -> Expression:
    if ctype == BOOL:
        return implicit_conversion(truth(context, e), BOOL)
    if not isinstance(ctype, IntType | FloatType):
        return e
    return implicit_conversion(_component(context, e, REAL), ctype)


def truth(context: Context, e: Expression) -> Expression:
    """Whether a complex number is not zero, as an int; all other operands as they are."""
    part = _part(context, e.type)
    return e if part is None else _compared(context, "!=", e, _zero(part, e.location), e.location)


# -- operators -------------------------------------------------------------------------------------------


def binary(context: Context, op: str, left: Expression, right: Expression, at: Location) -> Expression | None:
    """``left op right``; None where neither operand is complex."""
    if _part(context, left.type) is None and _part(context, right.type) is None:
        return None
    common = _common(context, left, right)
    if common is None or op not in _ARITHMETIC | {"==", "!="}:
        message = f"invalid operands to '{op}': {type_in_words(left.type)} and {type_in_words(right.type)}"
        raise InputError(message, at)
    if op in {"==", "!="}:
        return _compared(context, op, left, right, at)
    is_mixed = _part(context, left.type) is None or _part(context, right.type) is None
    if is_mixed and isinstance(common, FloatType) and (op != "/" or _part(context, right.type) is None):
        return _with_real(context, op, left, right, common, at)
    return _of_complex(context, op, left, right, common, at)


def _common(context: Context, left: Expression, right: Expression) -> PartType | None:
    """The type of the parts in which two operands are computed."""
    types = [_part(context, e.type) or promoted(e, context.structs).type for e in (left, right)]
    if types[0] == types[1] and isinstance(types[0], IntType):
        return types[0]
    return common_type(types[0], types[1])


def _with_real(
    context: Context, op: str, left: Expression, right: Expression, common: FloatType, at: Location
) -> Expression:
    """An operation with a real operand, which is not converted to a complex number first."""
    held = _held(context, at)
    first = held.plain(_in_parts(context, left, common), before=right)
    second = held.plain(_in_parts(context, right, common))
    if _part(context, first.type) is not None:
        real, imaginary = _both(context, first)
        if op in {"*", "/"}:
            imaginary = _computed(context, op, imaginary, second, at)
        return held.around(pair(context, _computed(context, op, real, second, at), imaginary, at))
    real, imaginary = _both(context, second)
    if op == "*":
        imaginary = _computed(context, op, first, imaginary, at)
    elif op == "-":
        imaginary = operators.unary("-", imaginary, at, context.structs)
    return held.around(pair(context, _computed(context, op, first, real, at), imaginary, at))


def _of_complex(
    context: Context, op: str, left: Expression, right: Expression, common: PartType, at: Location
) -> Expression:
    """An operation of two complex numbers."""
    if op == "/" and isinstance(common, IntType):
        raise UnsupportedError("a quotient of complex integers is not supported yet", at)
    held, ctype = _held(context, at), complex_type(common, context.structs)
    first = held.plain(converted(context, left, ctype), before=right)
    second = held.plain(converted(context, right, ctype))
    (a, b), (c, d) = _both(context, first), _both(context, second)
    if op in {"+", "-"}:
        real, imaginary = _computed(context, op, a, c, at), _computed(context, op, b, d, at)
        return held.around(pair(context, real, imaginary, at))
    if isinstance(common, FloatType):
        known = _constant_operation(op, (a, b, c, d), context.structs, at)
        if known is not None:
            return pair(context, *known, at)
        called = _library(context, "mul" if op == "*" else "div", common, (a, b, c, d), ctype, at)
        return held.around(called, is_whole=True)
    a, b, c, d = (held.plain(operand) for operand in (a, b, c, d))
    return held.around(
        pair(
            context,
            _computed(context, "-", _computed(context, "*", a, c, at), _computed(context, "*", b, d, at), at),
            _computed(context, "+", _computed(context, "*", a, d, at), _computed(context, "*", b, c, at), at),
            at,
        )
    )


def _library(
    context: Context,
    name: str,
    part: FloatType,
    arguments: tuple[Expression, ...],
    ctype: StructType,
    at: Location,
) -> Expression:
    """A call of a function that gcc calls for an operator."""
    called = f"__{name}{_MODES[part.width]}3"
    declared = builtins.declare_builtin(context, called, at)
    assert declared is not None
    program = context.program
    program.used.add(declared.key)
    function = program.functions[declared.key].seen_from(context.path)
    callee = tree.FunctionRef(type=function, location=at, name=declared.key)
    return tree.Call(type=ctype, location=at, callee=callee, arguments=arguments)


def _compared(context: Context, op: str, left: Expression, right: Expression, at: Location) -> Expression:
    """``==`` and ``!=``: of both parts."""
    common = _common(context, left, right)
    assert common is not None
    held, ctype = _held(context, at), complex_type(common, context.structs)
    first = held.plain(converted(context, left, ctype), before=right)
    second = held.plain(converted(context, right, ctype))
    (a, b), (c, d) = _both(context, first), _both(context, second)
    both = "&" if op == "==" else "|"
    one, other = (operators.binary(op, *pair, at, context.structs) for pair in ((a, c), (b, d)))
    result = tree.Binary(type=INT, location=at, op=typed("tree.BinaryOp", both), left=one, right=other)
    return held.around(result, is_whole=True)


def _computed(context: Context, op: str, left: Expression, right: Expression, at: Location) -> Expression:
    """An operation on parts, in their type."""
    result = operators.binary(op, left, right, at, context.structs)
    return implicit_conversion(result, left.type)


def _in_parts(context: Context, e: Expression, part: PartType) -> Expression:
    """An operand whose parts, or which itself, has a type."""
    if _part(context, e.type) is None:
        return implicit_conversion(e, part)
    return converted(context, e, complex_type(part, context.structs))


def unary(context: Context, op: str, operand: Expression, at: Location) -> Expression | None:
    """``+ - ~ !``; None where the operand is not complex. ``~`` conjugates (GNU)."""
    part = _part(context, operand.type)
    if part is None:
        return None
    if op == "!":
        return _compared(context, "==", operand, _zero(part, at), at)
    held = _held(context, at)
    real, imaginary = _both(context, held.plain(operand))
    if op == "-":
        real = _negative(context, real, at)
    if op != "+":
        imaginary = _negative(context, imaginary, at)
    return held.around(pair(context, real, imaginary, at))


def _negative(context: Context, e: Expression, at: Location) -> Expression:
    return implicit_conversion(operators.unary("-", e, at, context.structs), e.type)


# -- operators that write --------------------------------------------------------------------------------


def compound(
    context: Context, op: str, target: Expression, value: Expression, at: Location
) -> Expression | None:
    """``target op= value``; None where neither is complex. The value is computed before the target is read."""
    if _part(context, target.type) is None and _part(context, value.type) is None:
        return None
    if not operators.is_lvalue(target):
        raise InputError("the left of an assignment is not an lvalue", at)
    held = _held(context, at)
    if queries.has_side_effects(value):
        value = held.plain(value)
    place = held.address(target)
    result = binary(context, op, place, value, at)
    assert result is not None
    result = converted(context, result, target.type)
    assign = tree.Assign(type=target.type, location=at, target=place, value=result)
    return held.around(assign)


def increment(
    context: Context, op: str, *, is_prefix: bool, target: Expression, at: Location
) -> Expression | None:
    """``++`` and ``--`` of the real part; None where the target is not complex."""
    if _part(context, target.type) is None:
        return None
    if not operators.is_lvalue(target):
        raise InputError(f"the operand of '{op * 2}' is not an lvalue", at)
    held = _held(context, at)
    place = held.address(target)
    result = place if is_prefix else hold_value(context, "<old>", place, held.items)
    structs = context.structs
    changed = operators.increment(
        op, is_prefix=True, target=_component(context, place, REAL), at=at, structs=structs
    )
    held.items.append(tree.ExpressionStatement(location=at, expression=changed))
    return held.around(result)


# -- expressions with branches ---------------------------------------------------------------------------


def branches(context: Context, then: Expression, otherwise: Expression) -> tuple[Expression, Expression]:
    """Both values of ``?:`` in their common type, where one of them is complex."""
    if _part(context, then.type) is None and _part(context, otherwise.type) is None:
        return then, otherwise
    common = _common(context, then, otherwise)
    if common is None:
        return then, otherwise
    ctype = complex_type(common, context.structs)
    return converted(context, then, ctype), converted(context, otherwise, ctype)


def _held(context: Context, at: Location) -> _Held:
    return _Held(context, at, [])


def _member(e: Expression, name: str, part: PartType) -> Expression:
    assert isinstance(e.type, StructType)
    return tree.MemberAccess(type=part, location=e.location, base=e, struct_key=e.type.key, member=name)


def _zero(part: PartType, at: Location) -> Expression:
    if isinstance(part, FloatType):
        return tree.FloatConstant(type=part, location=at, value="0.0")
    return tree.IntConstant(type=part, location=at, value=0)


# -- constants ------------------------------------------------------------------------------------------------


def _constant_operation(
    op: str, operands: tuple[Expression, ...], structs: StructTypeTable, at: Location
) -> tuple[tree.FloatConstant, tree.FloatConstant] | None:
    """Both parts of ``(a + bi) op (c + di)`` for ``*`` and ``/``; None where gcc leaves it to the program.

    gcc computes products and quotients of constants exactly and rounds once (with MPC), where the program itself
    would round thrice. What does not fit the type is left to the program.
    """
    ctype = operands[0].type
    assert isinstance(ctype, FloatType)
    f = FORMATS[ctype.width]
    known = [real_constant_bits(operand, structs) for operand in operands]
    bits = [x for x in known if x is not None and exact.decode_exact_float(f, x).kind == "finite"]
    if len(bits) < len(operands):
        return None
    a, b, c, d = bits
    minus_a, minus_b = exact.exact_negation(f, a), exact.exact_negation(f, b)
    by = Fraction(1) if op == "*" else _value(f, c) ** 2 + _value(f, d) ** 2
    sums = (((a, c), (minus_b, d)), ((a, d), (b, c)))
    if op == "/":
        sums = (((a, c), (b, d)), ((b, c), (minus_a, d)))
    real, imaginary = (_of_products(f, *pair, by) if by else None for pair in sums)
    if real is None or imaginary is None:
        return None
    return _constant(f, ctype, real, at), _constant(f, ctype, imaginary, at)


def _constant(f: FloatFormat, ctype: FloatType, bits: int, at: Location) -> tree.FloatConstant:
    return tree.FloatConstant(type=ctype, location=at, value=text.show_float_text(f, bits))


def _of_products(f: FloatFormat, one: tuple[int, int], other: tuple[int, int], by: Fraction) -> int | None:
    """The sum of two products, divided, to nearest; None where the type cannot hold what its precision can."""
    value = (_value(f, one[0]) * _value(f, one[1]) + _value(f, other[0]) * _value(f, other[1])) / by
    if not value:
        are_negative = all((x ^ y) & f.sign_bit for x, y in (one, other))
        is_cancelled = any(_value(f, x) * _value(f, y) for x, y in (one, other))
        return f.sign_bit if are_negative and not is_cancelled else 0
    numerator, denominator = abs(value.numerator), value.denominator
    up = f.precision + _GUARD + denominator.bit_length() - numerator.bit_length()
    up = max(up, 0)
    quotient, rest = divmod(numerator << up, denominator)
    return _fitting(f, int(value < 0), quotient, -up, sticky=rest != 0)


def _fitting(f: FloatFormat, sign: int, significand: int, exponent: int, *, sticky: bool) -> int | None:
    """A number rounded to the precision of a format, whatever its exponent; None where the format lacks that."""
    extra = significand.bit_length() - f.precision
    if extra > 0:
        rest = significand & ((1 << extra) - 1)
        half = 1 << (extra - 1)
        significand >>= extra
        exponent += extra
        is_up = rest > half or (rest == half and (sticky or significand & 1))
        significand += is_up
    bits = exact.exact_rounding(f, sign, significand, exponent)
    is_held = (
        exact.decode_exact_float(f, bits).kind == "finite"
        and abs(_value(f, bits)) == Fraction(significand) * Fraction(2) ** exponent
    )
    return bits if is_held else None


def _value(f: FloatFormat, bits: int) -> Fraction:
    number = exact.decode_exact_float(f, bits)
    magnitude = Fraction(number.significand) * Fraction(2) ** number.exponent
    return -magnitude if number.sign else magnitude
