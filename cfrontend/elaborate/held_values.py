"""Held values: variables without a name in the program, which an operator written out as statements reads twice."""

from __future__ import annotations

from cfrontend.elaborate.context import ElaborationContext
from cfrontend.syntax import tree


def hold_value(
    context: ElaborationContext, name: str, value: tree.Expression, declared: list[tree.Statement]
) -> tree.VariableRef:
    """A variable of its own for a value, whose declaration is appended to ``declared``."""
    symbol = context.new_local(name, value.type, value.location)
    held = tree.VariableRef(type=value.type, location=value.location, symbol=symbol)
    item = tree.InitItem(target=held, value=value)
    initializer = tree.Initializer(items=(item,), zero_fill=False, location=value.location)
    declared.append(tree.Declaration(location=value.location, symbol=symbol, initializer=initializer))
    return held
