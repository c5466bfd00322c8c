"""CBMC's quantifiers over few values, as conditions on each of them.

    __CPROVER_forall { int i; (0 <= i && i < 2) ==> a[i] == 7 }
    ->   (!(0 <= 0 && 0 < 2) || a[0] == 7) && (!(0 <= 1 && 1 < 2) || a[1] == 7)

Which values count is read off the comparisons with constants that stand before ``==>``, or beside the others in
``__CPROVER_exists``; the other way round, a value that the comparisons leave out decides. An upper bound that is no
constant ends with the array that the variable is the index of: an execution with a larger bound reads behind the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from pycparser import c_ast

from cfrontend.elaborate.constants import constant_value
from cfrontend.elaborate.context import ElaborationContext, node_location_in_context
from cfrontend.elaborate.conversions import promotion_conversion
from cfrontend.elaborate.operators import elaborate_logical_operator
from cfrontend.elaborate.scope import ScopeEnumerator
from cfrontend.errors import Location, UnsupportedError
from cfrontend.source.parse import QuantifierNode
from cfrontend.syntax import queries, tree
from cfrontend.syntax.types import INT, ArrayType, CType, IntType

_MOST_VALUES: Final = 1024
"""A quantifier over more values is refused."""

_OF_ESBMC: Final = {"__ESBMC_forall": True, "__ESBMC_exists": False}
_MIRRORED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}
_DENIED: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_WRITING: Final = frozenset({"++", "--", "p++", "p--", "&"})
_CHANGES: Final = (tree.Call, tree.Assign, tree.CompoundAssign, tree.IncDec, tree.CompoundLiteral)


def elaborate_quantifier(context: ElaborationContext, node: QuantifierNode) -> tree.Expression:
    """The value of a quantifier, 0 or 1. Raises UnsupportedError where it is over too many values."""
    at = node_location_in_context(node)
    if any(each.init is not None for each in node.declarations):
        raise UnsupportedError("a quantifier with an initialiser is not supported yet", at)
    variables = [(each.name, context.types.of(each.type)) for each in node.declarations]
    return _quantified(context, node, variables)


def elaborate_esbmc_quantifier(
    context: ElaborationContext, name: str, arguments: Sequence[Any], at: Location
) -> tree.Expression | None:
    """``__ESBMC_forall(&i, body)`` over a variable that is there already; None for any other call."""
    if name not in _OF_ESBMC or len(arguments) != 2:
        return None
    first, body = arguments
    variable = first.expr if isinstance(first, c_ast.UnaryOp) and first.op == "&" else None
    if not isinstance(variable, c_ast.ID):
        raise UnsupportedError(f"{name} over what is no variable is not supported yet", at)
    node = QuantifierNode((), body, _OF_ESBMC[name], at)
    return _quantified(context, node, [(variable.name, context.expressions.designator(variable).type)])


def _quantified(
    context: ElaborationContext, node: QuantifierNode, variables: Sequence[tuple[str, CType]]
) -> tree.Expression:
    at = node_location_in_context(node)
    for name, _ in variables:
        if _is_written(node.body, name):
            raise UnsupportedError(
                f"writing to '{name}', the variable of a quantifier, is not supported yet", at
            )
    conditions = list(_conditions(context, node, variables))
    together = _joined("&&" if node.is_forall else "||", conditions, at)
    body = tree.Compound(location=at, items=(), end=at)
    return tree.StatementExpression(type=INT, location=at, body=body, result=together, is_written=False)


def _conditions(
    context: ElaborationContext, node: QuantifierNode, variables: Sequence[tuple[str, CType]]
) -> Iterator[tree.Expression]:
    """The body for all values of the variables."""
    if not variables:
        condition = context.expressions.condition(node.body)
        if any(isinstance(part, _CHANGES) for part in queries.syntax_nodes_within(condition)):
            raise UnsupportedError(
                "a call or an assignment in a quantifier is not supported yet", node_location_in_context(node)
            )
        yield condition
        return
    name, ctype = variables[0]
    if not isinstance(ctype, IntType):
        raise UnsupportedError(
            f"a quantifier over '{name}' of type {ctype} is not supported yet", node_location_in_context(node)
        )
    for value in _values(context, node, name, ctype):
        with context.scopes.block():
            context.scopes.declare(name, ScopeEnumerator(value, ctype))
            yield from _conditions(context, node, variables[1:])


def _joined(op: str, conditions: list[tree.Expression], at: Location) -> tree.Expression:
    """All conditions in one, no deeper than it has to be."""
    if not conditions:
        return tree.IntConstant(type=INT, location=at, value=int(op == "&&"))
    while len(conditions) > 1:
        pairs = [
            elaborate_logical_operator(op, one, two, at)
            for one, two in zip(conditions[::2], conditions[1::2], strict=False)
        ]
        conditions = pairs + conditions[len(conditions) & ~1 :]
    return conditions[0]


# -- values --------------------------------------------------------------------------------------------------


def _values(context: ElaborationContext, node: QuantifierNode, name: str, ctype: IntType) -> range:
    """The values for which the quantifier may depend on its body."""
    smallest = -(1 << (ctype.width - 1)) if ctype.signed else 0
    largest = smallest + (1 << ctype.width) - 1
    implied, claim = _implied(node.body, name)
    given = implied or list(_operands(node.body, "&&"))
    least, most, is_open = _between(context, name, given, smallest, largest)
    if bool(implied) != node.is_forall and (least > smallest or most < largest):
        # All others are left out: of a value that is, the body is true (implied) or false.
        return range(most + 1, most + 2) if most < largest else range(least - 1, least)
    if most - least >= _MOST_VALUES and is_open and implied:
        length = _indexed_length(context, name, claim)
        if length is not None and all(_is_bound(name, each) for each in implied):
            most = min(most, length)
    if most - least >= _MOST_VALUES:
        message = f"a quantifier over more than {_MOST_VALUES} values of '{name}' is not supported yet"
        raise UnsupportedError(message, node_location_in_context(node))
    return range(least, most + 1)


def _between(
    context: ElaborationContext, name: str, given: Sequence[Any], least: int, most: int
) -> tuple[int, int, bool]:
    """The values that meet all comparisons with constants: least, largest, and whether other upper bounds are there."""
    is_signed, is_open = least < 0, False
    for op, other in _comparisons(name, given):
        known = _constant(context, other)
        if known is None:
            is_open |= op in {"<", "<="}
            continue
        value, signed = known
        if is_signed and not signed:
            # The variable is compared as a number without a sign: below a small number is none that is negative.
            if op in {"<", "<=", "=="} and value <= most:
                least = max(least, 0)
            elif op in {">", ">="}:
                continue
        elif value < 0 and not is_signed:
            continue
        if op in {"<", "<=", "=="}:
            most = min(most, value - (op == "<"))
        if op in {">", ">=", "=="}:
            least = max(least, value + (op == ">"))
    return least, most, is_open


def _implied(body: Any, name: str) -> tuple[list[Any], Any]:
    """Split an implication: the premises before ``==>`` (or denied in ``!a || b``), and the first claim (or None)."""
    found: list[Any] = []
    parts = list(_operands(body, "||"))
    for n, part in enumerate(parts):
        if _is_not(part):
            found += _operands(part.expr, "&&")
        elif isinstance(part, c_ast.BinaryOp) and part.op in _DENIED and any(_comparisons(name, [part])):
            found.append(c_ast.BinaryOp(_DENIED[part.op], part.left, part.right, part.coord))
        else:
            return (found, part) if n else ([], None)
    return found, None


def _is_not(node: Any) -> bool:
    return isinstance(node, c_ast.UnaryOp) and node.op == "!"


def _operands(node: Any, op: str) -> Iterator[Any]:
    """The operands of a chain of one operator, in the order of their evaluation."""
    if isinstance(node, c_ast.BinaryOp) and node.op == op:
        yield from _operands(node.left, op)
        yield from _operands(node.right, op)
    else:
        yield node


def _comparisons(name: str, conditions: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Operator and other side of each comparison of the variable with what does not depend on it."""
    for each in conditions:
        if isinstance(each, c_ast.BinaryOp) and each.op in _MIRRORED:
            for op, one, other in (
                (each.op, each.left, each.right),
                (_MIRRORED[each.op], each.right, each.left),
            ):
                if isinstance(one, c_ast.ID) and one.name == name and not _names(other, name):
                    yield op, other


def _is_bound(name: str, condition: Any) -> bool:
    """True if a condition is a bound of a variable: smaller values fulfil it, too, down to a lower bound."""
    return any(op != "==" for op, _ in _comparisons(name, [condition]))


def _names(node: Any, name: str) -> bool:
    if isinstance(node, c_ast.ID) and node.name == name:
        return True
    return any(_names(child, name) for _, child in node.children())


def _is_written(node: Any, name: str) -> bool:
    """True if a variable is assigned to, counted, or has its address taken."""
    target = node.lvalue if isinstance(node, c_ast.Assignment) else None
    if isinstance(node, c_ast.UnaryOp) and node.op in _WRITING:
        target = node.expr
    if isinstance(target, c_ast.ID) and target.name == name:
        return True
    return any(_is_written(child, name) for _, child in node.children())


def _constant(context: ElaborationContext, node: Any) -> tuple[int, bool] | None:
    """The value of a constant of integer type, and whether that type has a sign once it is promoted."""
    try:
        found = context.expressions.value(node)
    except UnsupportedError:
        return None
    if not isinstance(found.type, IntType):
        return None
    found = promotion_conversion(found, context.structs)
    value = constant_value(found, context.structs)
    return (value, found.type.signed) if isinstance(value, int) and isinstance(found.type, IntType) else None


def _indexed_length(context: ElaborationContext, name: str, claim: Any) -> int | None:
    """The length of an array whose element ``name`` is read wherever the claim is evaluated."""
    match claim:
        case c_ast.ArrayRef(name=array, subscript=c_ast.ID(name=index)) if index == name:
            if not _names(array, name):
                found = context.expressions.designator(array).type
                return found.length if isinstance(found, ArrayType) and found.variable is None else None
            return None
        case c_ast.BinaryOp(op="&&" | "||", left=left):
            return _indexed_length(context, name, left)
        case c_ast.BinaryOp(left=left, right=right):
            lengths = [_indexed_length(context, name, part) for part in (left, right)]
            return min((length for length in lengths if length is not None), default=None)
        case c_ast.UnaryOp(op="!" | "-" | "+" | "~", expr=operand) | c_ast.Cast(expr=operand):
            return _indexed_length(context, name, operand)
        case c_ast.StructRef(name=record, type="."):
            return _indexed_length(context, name, record)
        case _:
            return None
