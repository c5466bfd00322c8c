"""Effects on pure values and places: questions by which gcc's order of evaluation is followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard, final

from cfrontend import goto
from cfrontend.elaborate.conversions import implicit_conversion
from cfrontend.lower import pure
from cfrontend.lower.context import Lowering
from cfrontend.lower.emitter import Code, has_effects
from cfrontend.record import dataclass
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import BOOL, ArrayType, CType, FloatType, IntType, PointerType, StructType

_ARITHMETIC = frozenset({"+", "-", "*", "/", "<<", ">>"})

PLACES = (tree.VariableRef, tree.MemberAccess, tree.Index, tree.Deref, tree.StringLiteral)
"""The nodes that read an object."""


def innermost_assignment(e: tree.Assign) -> tree.Assign | None:
    """The assignment whose value all of a chain gets; None where there is but one."""
    inner = queries.syntax_below_implicit_conversions(e.value)
    if not isinstance(inner, tree.Assign):
        return None
    return innermost_assignment(inner) or inner


def is_call(value: Expression) -> bool:
    """True if a value is nothing but a call: conversions that change neither width nor sign are nothing."""
    return isinstance(_below_empty_conversions(value), tree.Call)


def _below_empty_conversions(value: Expression) -> Expression:
    """Operand below conversions that change neither width nor sign; the value itself below all others."""
    inner = value
    while isinstance(inner, tree.Cast) and _same_width(inner.type, inner.operand.type):
        inner = inner.operand
    signs = [ctype.signed for ctype in (value.type, inner.type) if isinstance(ctype, IntType)]
    return inner if len(set(signs)) <= 1 else value


def _same_width(one: CType, other: CType) -> bool:
    if isinstance(one, IntType) and isinstance(other, IntType):
        return one.width == other.width and BOOL not in (one, other)
    return isinstance(one, PointerType) and isinstance(other, PointerType)


def is_fixed(place: Expression) -> bool:
    """True if a pure place is the same whatever is written anywhere."""
    while isinstance(place, tree.MemberAccess) or (
        isinstance(place, tree.Index)
        and isinstance(place.base.type, ArrayType)
        and isinstance(place.index, tree.IntConstant)
    ):
        place = place.base
    return isinstance(place, tree.VariableRef)


def place_of_call(code: Code, value: Expression) -> int:
    """Where in ``code``, which evaluates a call to ``value``, the call itself begins, behind its arguments."""
    if not isinstance(value, tree.VariableRef):
        return 0
    instructions = enumerate(code)
    return max(
        (n for n, i in instructions if isinstance(i, goto.CallInstruction) and i.result == value.symbol),
        default=0,
    )


def hoisted_commas(e: tree.Binary) -> tuple[list[Expression], tree.Binary]:
    """Comma operators hoisted out of a binary operator: their left operands, which gcc evaluates first, and the rest.

    f() + (g(), h())   ->   g(), f() + h()
    """
    if not _has_comma(e):
        return [], e
    effects: list[Expression] = []
    rest = _without_commas(e, effects)
    assert isinstance(rest, tree.Binary)
    return effects, rest


def _has_comma(e: Expression) -> bool:
    while isinstance(e, tree.Unary | tree.Cast):
        e = e.operand
    if isinstance(e, tree.Binary):
        return _has_comma(e.left) or _has_comma(e.right)
    return isinstance(e, tree.Comma)


def _without_commas(e: Expression, effects: list[Expression]) -> Expression:
    """``e`` without what stands before commas in it, which is added to ``effects``."""
    match e:
        case tree.Comma():
            effects.append(e.left)
            return _without_commas(e.right, effects)
        case tree.Unary() | tree.Cast():
            return replace(e, operand=_without_commas(e.operand, effects))
        case tree.Binary():
            left = _without_commas(e.left, effects)
            return replace(e, left=left, right=_without_commas(e.right, effects))
        case _:
            return e


def may_change(code: Code, value: Expression) -> bool:
    """True if effects of ``code`` may change what a pure value reads."""
    if not has_effects(code):
        return False
    writes = [i for i in code if has_effects([i])]
    places = [i.target if isinstance(i, goto.AssignInstruction) else None for i in writes]
    written = {place.symbol for place in places if isinstance(place, tree.VariableRef)}
    read = [e for e in goto.goto_subexpressions(value) if isinstance(e, PLACES)]
    if all(isinstance(place, tree.VariableRef) for place in places):
        return any(isinstance(e, tree.VariableRef) and e.symbol in written for e in read)
    return not all(is_local(e) for e in read)


def is_local(e: Expression) -> TypeGuard[tree.VariableRef]:
    """True if ``e`` is a variable of the function, which gcc reads where an operator is computed."""
    return isinstance(e, tree.VariableRef) and e.symbol.storage in ("auto", "parameter")


def register(e: Expression, escaping: frozenset[str]) -> Expression | None:
    """The local variable whose address is not taken that ``e`` is for gcc: named, or assigned to; as of its type."""
    place = _place_of_value(e)
    is_register = is_local(place) and place.symbol.key not in escaping
    return implicit_conversion(place, e.type) if is_register else None


def _place_of_value(e: Expression) -> Expression:
    """The place that ``e`` reads last: what is assigned to, or the expression itself."""
    inner = _below_empty_conversions(e)
    while isinstance(inner, tree.Comma):
        inner = _below_empty_conversions(inner.right)
    is_written = isinstance(inner, tree.Assign | tree.CompoundAssign)
    if is_written or (isinstance(inner, tree.IncDec) and inner.is_prefix):
        assert isinstance(inner, tree.Assign | tree.CompoundAssign | tree.IncDec)
        return inner.target
    return inner


def reads_itself(initializer: tree.Initializer, symbol: tree.SyntaxSymbol) -> bool:
    """True if the initialiser of a variable reads the variable itself, whose value is indeterminate until then."""
    values = queries.syntax_nodes_within(tuple(item.value for item in initializer.items))
    return any(isinstance(node, tree.VariableRef) and node.symbol == symbol for node in values)


def is_plain(e: Expression, width: int | None) -> bool:
    """True if ``e`` is a variable of ``width`` bits that no conversion on the way makes narrower."""
    while (
        isinstance(e, tree.Cast)
        and e.type != BOOL
        and width is not None
        and (pure.integer_width(e.type) or 0) >= width
    ):
        e = e.operand
    return isinstance(e, tree.VariableRef) and pure.integer_width(e.type) == width


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorEvaluationOrder:
    """The ``op`` that gcc computes in place of an operator, with ``left`` of it, and what becomes of the operands.

    ``right_first``: the right operand is evaluated first. ``negates_right``: minus the right operand is computed.
    """

    op: str
    left: Expression
    right_first: bool = False
    negates_right: bool = False


def of_operator(e: tree.Binary, *, wraps: bool, negated: bool) -> OperatorEvaluationOrder:
    """Evaluation order that gcc's algebra gives an operator, or minus its value where it is ``negated``.

        -a + b  ->  b - a        a - -b  ->  a + b        (a + 1) + b  ->  (a + b) + 1        -(a - b)  ->  b - a
        (1 - a) - b  ->  1 - (a + b)        (a ^ 1) ^ b  ->  (a ^ b) ^ 1        a * 2 + b * 2  ->  (a + b) * 2

    Without ``wraps`` signed arithmetic overflows, and keeps its order.
    """
    left, right = e.left, e.right
    if e.op in ("&", "|", "^") or (e.op == "*" and _is_algebraic(e, wraps=wraps)):
        return OperatorEvaluationOrder(op=e.op, left=_without_factors(_without_signs(e), e))
    if e.op not in ("+", "-") or not _is_algebraic(e, wraps=wraps):
        return OperatorEvaluationOrder(op=e.op, left=left)
    in_sums = isinstance(e.type, IntType)
    negated = negated and in_sums
    negates_right = in_sums and e.op == "-" and _is_difference(right)
    if negated and negates_right:
        return OperatorEvaluationOrder(op="-", left=left, right_first=True)
    is_plus = (e.op == "+") != (negates_right or _is_negative(right, in_sums=in_sums))
    if is_plus and _is_negative(left, in_sums=in_sums):
        return OperatorEvaluationOrder(
            op="-", left=left, right_first=not negated, negates_right=negates_right != negated
        )
    if in_sums and not negated and (one := _without_common_constant(e, is_plus=is_plus)) is not None:
        return OperatorEvaluationOrder(op="+", left=one, negates_right=negates_right)
    rest = _without_constants(right)
    below = _below_conversions_of_width(rest)
    is_one = not isinstance(below, tree.Binary) or below.op not in ("+", "-")
    return OperatorEvaluationOrder(
        op="+" if is_plus else "-",
        left=_without_constants(left) if is_plus and in_sums and is_one else left,
        right_first=negated and not is_plus and rest is right and _without_constants(left) is left,
        negates_right=negates_right,
    )


def _without_signs(e: tree.Binary) -> Expression:
    """The left operand without what gcc does to a product or to bits as a whole: ``-a * -b`` is ``a * b``."""
    left, right = e.left, _below_conversions_of_width(e.right)
    if not isinstance(left, tree.Unary):
        return left
    is_alike = isinstance(right, tree.Unary) and right.op == left.op
    if left.op == "-":
        return left.operand if e.op == "*" and _is_negative(right, in_sums=False) else left
    return left.operand if left.op == "~" and (e.op == "^" or (e.op == "&" and is_alike)) else left


def _without_factors(left: Expression, e: tree.Binary) -> Expression:
    """The left operand of a product, or of bits, without the constants beside it: ``a * 2 * b`` is ``a * b * 2``."""
    right = _below_conversions_of_width(e.right)
    if not isinstance(e.type, IntType) or (
        e.op != "*" and isinstance(right, tree.Binary) and right.op in ("+", "-")
    ):
        return left
    inner = _below_conversions_of_width(left)
    while isinstance(inner, tree.Binary) and inner.op == e.op:
        if queries.is_made_of_constants(inner.right):
            left = inner.left
        elif queries.is_made_of_constants(inner.left):
            left = inner.right
        else:
            break
        inner = _below_conversions_of_width(left)
    return left


def _without_common_constant(e: tree.Binary, *, is_plus: bool) -> Expression | None:
    """Part of the left operand of a sum that gcc's reassociation joins to the right one first; None: the whole of it.

    It is ``a`` in ``(1 - a) - b`` and in ``a * 2 + b * 2``.
    """
    left, right = (_below_conversions_of_width(operand) for operand in (e.left, e.right))
    if not isinstance(left, tree.Binary):
        return None
    if not is_plus:
        return left.right if left.op == "-" and queries.is_made_of_constants(left.left) else None
    if not isinstance(right, tree.Binary) or left.op != "*" or right.op != "*" or e.op != "+":
        return None
    (one, number), (_, other) = _factor(left), _factor(right)
    return one if number is not None and number == other else None


def _factor(e: tree.Binary) -> tuple[Expression, int | None]:
    """A product as what is multiplied and the constant; without one the constant is None."""
    for constant, rest in ((e.right, e.left), (e.left, e.right)):
        if isinstance(constant, tree.IntConstant):
            return rest, constant.value
    return e, None


def _is_difference(e: Expression) -> bool:
    """True if gcc gets minus ``e`` for nothing, by exchange of what is subtracted."""
    if isinstance(e, tree.Unary) and e.op == "-":
        return _is_difference(e.operand)
    if not isinstance(e, tree.Binary) or not isinstance(e.type, IntType):
        return False
    if (
        e.op not in ("+", "-")
        or queries.is_made_of_constants(e.left)
        or queries.is_made_of_constants(e.right)
    ):
        return False
    is_negative = _is_negative(e.right, in_sums=True)
    return not is_negative if e.op == "-" else is_negative or _is_negative(e.left, in_sums=True)


def _is_algebraic(e: Expression, *, wraps: bool) -> bool:
    """True if gcc computes ``e`` with sums of another form: they have the same value."""
    if isinstance(e.type, FloatType):
        return True
    return isinstance(e.type, IntType) and (wraps or not e.type.signed)


def _below_conversions_of_width(e: Expression) -> Expression:
    """The operand below conversions that keep the width."""
    while isinstance(e, tree.Cast) and _same_width(e.type, e.operand.type):
        e = e.operand
    return e


def _is_negative(e: Expression, *, in_sums: bool) -> bool:
    """True if gcc subtracts ``-e`` where ``e`` is added; ``in_sums`` sums with constants count, too."""
    e = _below_conversions_of_width(e)
    match e:
        case tree.Unary(op="-" | "~" as op):
            operand = _below_conversions_of_width(e.operand)
            if isinstance(operand, tree.Binary) and operand.op in _ARITHMETIC:
                return in_sums and op == "-" and operand is not _without_constants(operand)
            is_folded = isinstance(operand, tree.Unary | tree.Comma | tree.Conditional)
            return (in_sums or op == "-") and not is_folded and not queries.is_made_of_constants(operand)
        case tree.Binary(op="-") if in_sums and queries.is_made_of_constants(e.left):
            return not _is_negative(e.right, in_sums=True)
        case tree.Binary(op="+" | "-") if in_sums:
            rest = _without_constants(e)
            return rest is not e and _is_negative(rest, in_sums=True)
        case _:
            return False


def _without_constants(e: Expression) -> Expression:
    """Operand of a sum without the constants that are added to it or taken from it."""
    inner = _below_conversions_of_width(e)
    if not isinstance(inner, tree.Binary) or not isinstance(inner.type, IntType):
        return e
    if inner.op in ("+", "-") and queries.is_made_of_constants(inner.right):
        return _without_constants(inner.left)
    if inner.op == "+" and queries.is_made_of_constants(inner.left):
        return _without_constants(inner.right)
    return e


# -- arguments -----------------------------------------------------------------------------------------------


def pure_arguments(x: Lowering, given: Sequence[Expression]) -> list[Expression]:
    """Pure values of arguments, evaluated from the last to the first as gcc does on x86-64.

    Structures, and local variables that are in registers for gcc, are read by the call itself, behind all effects.
    """
    values: list[Expression] = []
    for position, argument in reversed(list(enumerate(given))):
        with x.emit.captured() as code:
            value = x.value(argument)
        if has_effects(code):
            values = [_argument_kept(x, e, v) for e, v in zip(given[position + 1 :], values, strict=True)]
        x.emit.code += code
        values.insert(0, value)
    return values


def _argument_kept(x: Lowering, e: Expression, value: Expression) -> Expression:
    """The ``value`` of argument ``e`` before the effects of one to its left, unless the call itself reads it."""
    if isinstance(value.type, StructType):
        return x.frozen(value)
    return register(e, x.escaping) or x.emit.saved(value)


def arguments_before_place(x: Lowering, source: Expression, code: Code) -> Code:
    """The ``code`` of a call behind effects of the place its result goes to: these do not change its arguments."""
    call = code[0]
    given = queries.syntax_below_conversions(source)
    if not isinstance(call, goto.CallInstruction) or not isinstance(given, tree.Call):
        return code
    if len(given.arguments) != len(call.arguments):
        return code
    pairs = zip(given.arguments, call.arguments, strict=True)
    kept = tuple([_argument_kept(x, argument, value) for argument, value in pairs])
    return [replace(call, arguments=kept), *code[1:]]
