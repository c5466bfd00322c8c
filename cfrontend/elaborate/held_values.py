"""Held values: variables without a name in the program, which an operator written out as statements reads twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cfrontend.elaborate import variable_length
from cfrontend.elaborate.context import Context
from cfrontend.errors import Location
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CType, PointerType


def hold_value(
    context: Context, name: str, value: Expression, declared: list[tree.Statement]
) -> tree.VariableRef:
    """A variable of its own for a value, whose declaration is appended to ``declared``."""
    symbol = context.new_local(name, value.type, value.location)
    declared.append(declaration_of(symbol, value, value.location))
    return symbol.reference(value.location)


def declaration_of(
    symbol: tree.SyntaxSymbol, value: Expression, location: Location, *, is_written: bool = True
) -> tree.Declaration:
    """The declaration of a variable with its initial value."""
    item = tree.InitItem(target=symbol.reference(value.location), value=value)
    initializer = tree.Initializer(items=(item,), zero_fill=False, location=value.location)
    return tree.Declaration(location=location, symbol=symbol, initializer=initializer, is_written=is_written)


def behind_declarations(
    declared: Sequence[tree.Statement], result: Expression, at: Location
) -> tree.StatementExpression:
    """The statement expression of ``declared`` with ``result`` as its value."""
    body = tree.Compound(location=at, items=tuple(declared), end=at)
    return tree.StatementExpression(type=result.type, location=at, body=body, result=result, is_written=False)


def behind_own_lengths(context: Context, elaborate: Callable[[], Expression]) -> Expression:
    """A value behind the lengths that its type names compute: they are computed where it is evaluated, or never.

    Those that the type of the value names are left for whoever uses it.
    """
    function = context.function
    if function is None:
        return elaborate()
    mark = len(function.lengths)
    value = elaborate()
    if len(function.lengths) == mark or _has_variable_length(value.type):
        return value
    return behind_declarations(function.new_lengths(mark), value, value.location)


def _has_variable_length(ctype: CType) -> bool:
    while isinstance(ctype, PointerType):
        ctype = ctype.target
    return variable_length.is_variable(ctype)
