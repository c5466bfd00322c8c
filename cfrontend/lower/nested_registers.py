"""Variables that nested functions reach through pointers of ours, and that nobody else takes the address of.

For gcc they are registers: an argument ``x`` beside a call that changes ``x`` is read when all arguments are there.
"""

from __future__ import annotations

from collections import Counter

from cfrontend.elaborate.nested_functions import LINK, nested_function_variable
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression


def nested_registers(program: tree.TranslationUnit) -> frozenset[str]:
    """The keys of these variables."""
    taken, linked = Counter[str](), Counter[str]()
    bodies = tuple(f.body for f in program.functions.values() if f.body is not None)
    for node in queries.syntax_nodes_within(bodies) if program.nested else ():
        if isinstance(node, tree.AddressOf | tree.Decay):
            taken[_taken(node.operand)] += 1
        elif isinstance(node, tree.Declaration) and node.symbol.name == LINK and node.initializer is not None:
            linked.update(
                _taken(item.value.operand)
                for item in node.initializer.items
                if isinstance(item.value, tree.AddressOf)
            )
    return frozenset(variable for variable, links in linked.items() if taken[variable] == links)


def _taken(place: Expression) -> str:
    """The key of the variable that a place is part of, also in a nested function; empty for others."""
    while isinstance(place, tree.MemberAccess | tree.Index):
        place = place.base
    if isinstance(place, tree.VariableRef):
        return place.symbol.key
    return nested_function_variable(place) or ""
