"""Call sites of a function: what is known of each argument, and the places where its address is taken.

f(4); f(x & 3);     ->   CallSites(calls=((Integers(4, 4),), (Integers(0, 3),)), taken=())
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import final

from cfrontend.environment.callers.caller_statements import hear_of_calls
from cfrontend.environment.callers.value_sets import (
    Integers,
    Pointer,
    ValueSet,
    all_integers_of,
    converted_integers,
    joined_values,
)
from cfrontend.errors import Location
from cfrontend.record import dataclass
from cfrontend.syntax import queries, tree
from cfrontend.syntax.types import IntType, PointerType


@final
@dataclass(frozen=True, slots=True)
class CallSites:
    """Direct calls of a function that executions can come to, with the values of its parameters in each.

    ``taken`` are the places where its address is taken.
    """

    calls: tuple[tuple[ValueSet, ...], ...]
    taken: tuple[Location, ...]


def find_call_sites(function: tree.Function, unit: tree.TranslationUnit) -> CallSites:
    """All calls of ``function`` in the program."""
    found: dict[int, tuple[ValueSet, ...]] = {}

    def heard(call: tree.Call, name: str, arguments: Sequence[ValueSet]) -> None:
        if name != function.name:
            return
        given = tuple(
            _as_parameter(arguments[number] if number < len(arguments) else None, parameter)
            for number, parameter in enumerate(function.parameters)
        )
        before = found.get(id(call))
        found[id(call)] = given if before is None else tuple(map(joined_values, before, given))

    for caller in unit.functions.values():
        hear_of_calls(caller, unit, heard)
    return CallSites(tuple(found.values()), tuple(_places_of_address(function.name, unit)))


def _as_parameter(value: ValueSet, parameter: tree.SyntaxSymbol) -> ValueSet:
    """The value that a parameter gets, whose type an argument without a prototype may not have."""
    match parameter.type:
        case IntType() as ctype:
            every = all_integers_of(ctype)
            return converted_integers(value, ctype) if isinstance(value, Integers) else every
        case PointerType():
            return value if isinstance(value, Pointer) else None
        case _:
            return None


def _places_of_address(name: str, unit: tree.TranslationUnit) -> Iterator[Location]:
    """The places that name a function and do not call it."""
    parts: list[object] = [function.body for function in unit.functions.values()]
    parts += [variable.initializer for variable in unit.variables]
    called: set[int] = set()
    named: list[tree.FunctionRef] = []
    for node in queries.syntax_nodes_within(tuple(parts)):
        if isinstance(node, tree.Call):
            called.add(id(node.callee))
        elif isinstance(node, tree.FunctionRef) and node.name == name:
            named.append(node)
    yield from (node.location for node in named if id(node) not in called)
