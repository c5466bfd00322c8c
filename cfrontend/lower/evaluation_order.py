"""Effects on pure values and places: questions by which gcc's order of evaluation is followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard

from cfrontend import goto
from cfrontend.elaborate.conversions import implicit_conversion
from cfrontend.lower.context import Lowering
from cfrontend.lower.emitter import Code, has_effects
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import BOOL, ArrayType, CType, IntType, PointerType, StructType

_COMMUTATIVE = frozenset({"+", "*", "&", "|", "^", "==", "!=", "<", "<=", ">", ">="})
"""Operators whose operands gcc may exchange: commutative ones and comparisons."""

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
    inner = _below_conversions_of_width(value)
    signs = [ctype.signed for ctype in (value.type, inner.type) if isinstance(ctype, IntType)]
    return inner if len(set(signs)) <= 1 else value


def _below_conversions_of_width(e: Expression) -> Expression:
    """The operand below conversions that keep the width."""
    while isinstance(e, tree.Cast) and _same_width(e.type, e.operand.type):
        e = e.operand
    return e


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


def is_read_last(e: tree.Binary) -> bool:
    """True if the left operand is a variable, maybe converted, that gcc reads behind the effects of the right one."""
    left = _below_conversions_of_width(e.left)
    return e.op in _COMMUTATIVE and isinstance(left, tree.VariableRef)


def reads_itself(initializer: tree.Initializer, symbol: tree.SyntaxSymbol) -> bool:
    """True if the initialiser of a variable reads the variable itself, whose value is indeterminate until then."""
    values = queries.syntax_nodes_within(tuple(item.value for item in initializer.items))
    return any(isinstance(node, tree.VariableRef) and node.symbol == symbol for node in values)


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
