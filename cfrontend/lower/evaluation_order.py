"""Effects on pure values and places: questions by which gcc's order of evaluation is followed."""

from __future__ import annotations

from typing import TypeGuard

from cfrontend import goto
from cfrontend.elaborate.nested_functions import LINK, nested_function_variable
from cfrontend.lower.conversions import lower_conversion_to, lower_conversion_width
from cfrontend.lower.emitter import Code, emitted_code_has_effects
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    BOOL,
    ArrayType,
    CType,
    IntType,
    PointerType,
)

PLACES = (tree.VariableRef, tree.MemberAccess, tree.Index, tree.Deref, tree.StringLiteral)
"""The nodes that read an object."""


def innermost_in_evaluation_order(e: tree.Assign) -> tree.Assign | None:
    """The assignment whose value all of a chain gets; None where there is but one."""
    inner = queries.syntax_below_implicit_conversions(e.value)
    if not isinstance(inner, tree.Assign):
        return None
    return innermost_in_evaluation_order(inner) or inner


def is_call_in_evaluation_order(value: Expression) -> bool:
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


def is_fixed_in_evaluation_order(place: Expression) -> bool:
    """True if a pure place is the same whatever is written anywhere."""
    while isinstance(place, tree.MemberAccess) or (
        isinstance(place, tree.Index)
        and isinstance(place.base.type, ArrayType)
        and isinstance(place.index, tree.IntConstant)
    ):
        place = place.base
    return isinstance(place, tree.VariableRef)


def evaluation_order_may_change(code: Code, value: Expression) -> bool:
    """True if effects of ``code`` may change what a pure value reads."""
    if not emitted_code_has_effects(code):
        return False
    writes = [i for i in code if emitted_code_has_effects([i])]
    places = [i.target if isinstance(i, goto.AssignInstruction) else None for i in writes]
    written = {place.symbol for place in places if isinstance(place, tree.VariableRef)}
    read = [e for e in goto.goto_subexpressions(value) if isinstance(e, PLACES)]
    if all(isinstance(place, tree.VariableRef) for place in places):
        return any(isinstance(e, tree.VariableRef) and e.symbol in written for e in read)
    return not all(is_read_late_in_evaluation_order(e) for e in read)


def is_local_in_evaluation_order(e: Expression) -> TypeGuard[tree.VariableRef]:
    """True if ``e`` is a variable of the function that is lowered."""
    return isinstance(e, tree.VariableRef) and e.symbol.storage in ("auto", "parameter")


def nested_register_in_evaluation_order(e: Expression, registers: frozenset[str]) -> Expression | None:
    """The place that ``e`` is for gcc, read last by any operator: a register that nested functions change."""
    place = _place_of_value(e)
    key = place.symbol.key if isinstance(place, tree.VariableRef) else nested_function_variable(place)
    return lower_conversion_to(place, e.type) if key in registers else None


def is_read_late_in_evaluation_order(e: Expression) -> bool:
    """True if gcc reads ``e`` where an operator is computed: a local variable, also of a function around this one."""
    is_link = isinstance(e, tree.VariableRef) and e.symbol.name == LINK
    return is_link or is_local_in_evaluation_order(e) or nested_function_variable(e) is not None


def register_in_evaluation_order(e: Expression, escaping: frozenset[str]) -> Expression | None:
    """The local variable whose address is not taken that ``e`` is for gcc: named, or assigned to; as of its type."""
    place = _place_of_value(e)
    if is_local_in_evaluation_order(place) and place.symbol.key not in escaping:
        return lower_conversion_to(place, e.type)
    around = nested_function_variable(place)
    return lower_conversion_to(place, e.type) if around is not None and around not in escaping else None


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


def evaluation_order_reads_itself(initializer: tree.Initializer, symbol: tree.SyntaxSymbol) -> bool:
    """True if the initialiser of a variable reads the variable itself, whose value is indeterminate until then."""
    values = queries.syntax_nodes_within(tuple(item.value for item in initializer.items))
    return any(isinstance(node, tree.VariableRef) and node.symbol == symbol for node in values)


def is_plain_in_evaluation_order(e: Expression, width: int | None) -> bool:
    """True if ``e`` is a variable of ``width`` bits that no conversion on the way makes narrower."""
    while (
        isinstance(e, tree.Cast)
        and e.type != BOOL
        and width is not None
        and (lower_conversion_width(e.type) or 0) >= width
    ):
        e = e.operand
    is_variable = isinstance(e, tree.VariableRef) or nested_function_variable(e) is not None
    return is_variable and lower_conversion_width(e.type) == width
