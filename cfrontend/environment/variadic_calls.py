"""Calls of undefined functions with variable arguments: which arguments are where, told from how the code calls them.

    get(f, "44", &rows, &cols);    ->    where the format is "44", there are two pointers to int

Constants among the arguments before them, such as a format or the number of a command, tell the calls apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import final

from cfrontend.lower import pure
from cfrontend.record import dataclass
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CType, FloatType, FunctionType, IntType, PointerType


@final
@dataclass(frozen=True, slots=True)
class VariadicCall:
    """A way of calling a function: the constants among its named arguments, by number, and the types of the others."""

    constants: tuple[tuple[int, str | int], ...]
    types: tuple[CType, ...]


def type_as_called(name: str, ctype: FunctionType, bodies: Iterable[object]) -> FunctionType:
    """The type of a function that is declared without its parameters, as all calls in ``bodies`` have it.

    It is ``ctype`` where they differ, where the function is not only called, or something else is given than numbers
    and pointers.
    """
    if ctype.prototyped:
        return ctype
    nodes = [node for body in bodies for node in queries.syntax_nodes_within(body)]
    calls = [node for node in nodes if isinstance(node, tree.Call) and _is_of(node.callee, name)]
    given = {tuple(e.type for e in call.arguments) for call in calls}
    if len(given) != 1 or sum(_is_of(node, name) for node in nodes) != len(calls):
        return ctype
    types = next(iter(given))
    if not all(isinstance(each, IntType | FloatType | PointerType) for each in types):
        return ctype
    return FunctionType(result=ctype.result, parameters=types)


def _is_of(node: object, name: str) -> bool:
    return isinstance(node, tree.FunctionRef) and node.name == name


def find_variadic_calls(name: str, ctype: FunctionType, bodies: Iterable[object]) -> tuple[VariadicCall, ...]:
    """The ways in which ``bodies`` call ``name`` with numbers and pointers behind its parameters.

    Where equal constants stand before arguments of other types, nothing is known of these.
    """
    found: dict[tuple[tuple[int, str | int], ...], set[tuple[CType, ...]]] = {}
    for body in bodies if ctype.variadic else ():
        for node in queries.syntax_nodes_within(body):
            if isinstance(node, tree.Call) and _is_of(node.callee, name):
                count = len(ctype.parameters)
                types = tuple(e.type for e in node.arguments[count:])
                found.setdefault(_constants(node.arguments[:count]), set()).add(types)
    return tuple(
        VariadicCall(constants, next(iter(types)))
        for constants, types in sorted(found.items(), key=str)
        if len(types) == 1
        and all(isinstance(each, IntType | FloatType | PointerType) for each in next(iter(types)))
    )


def _constants(given: Sequence[Expression]) -> tuple[tuple[int, str | int], ...]:
    """The literals among arguments, by their numbers."""
    found: list[tuple[int, str | int]] = []
    for n, argument in enumerate(given):
        text = pure.literal_text(argument)
        inner = queries.syntax_below_conversions(argument)
        if text is not None:
            found.append((n, text))
        elif isinstance(inner, tree.IntConstant) and isinstance(argument.type, IntType):
            found.append((n, inner.value))
    return tuple(found)
