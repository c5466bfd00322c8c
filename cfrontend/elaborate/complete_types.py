"""Old views of a variable replaced by the final one, everywhere in the program.

Later stages compare symbols, so each variable must have one only.

    extern int a[]; int f(void) { return a[0]; } int a[4];
    -> the reference in f names an array of four elements, like the definition
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from cfrontend.elaborate.records import record_as_declared
from cfrontend.syntax import tree
from cfrontend.syntax.types import PointerType, StructType


def with_complete_types_of_symbols(
    node: Any, symbols: Mapping[str, tree.SyntaxSymbol], declared: Mapping[str, StructType]
) -> Any:
    """A node, or a tuple of nodes, with the symbols of the given keys in place of earlier ones.

    ``declared`` is that of ``elaborate.program``.
    """
    match node:
        case tuple():
            parts = tuple([with_complete_types_of_symbols(part, symbols, declared) for part in node])
            return parts if any(new is not old for new, old in zip(parts, node, strict=True)) else node
        case tree.VariableRef(symbol=symbol) if symbol.key in symbols:
            final = symbols[symbol.key]
            new = dataclasses.replace(node, symbol=final, type=final.type)
            return new if node.type == final.type else record_as_declared(new, declared)
        case tree.SyntaxTreeNode() | tree.SyntaxTreeStatement() | tree.Initializer() | tree.InitItem():
            return _with_refreshed_fields(node, symbols, declared)
        case _:
            return node


def _with_refreshed_fields(
    node: Any, symbols: Mapping[str, tree.SyntaxSymbol], declared: Mapping[str, StructType]
) -> Any:
    changes: dict[str, Any] = {}
    for part in dataclasses.fields(node):
        old = getattr(node, part.name)
        new = with_complete_types_of_symbols(old, symbols, declared)
        if new is not old:
            changes[part.name] = new
    if not changes:
        return node
    if isinstance(node, tree.AddressOf):
        changes["type"] = PointerType(changes["operand"].type)
    return dataclasses.replace(node, **changes)
