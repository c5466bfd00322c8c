"""Calls of undefined functions with variable arguments: which arguments are where, told from how the code calls them.

    get(f, "44", &rows, &cols);    ->    where the format is "44", there are two pointers to int

Constants among the arguments before them, such as a format or the number of a command, tell the calls apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import final

from cfrontend.lower.calls import lowered_call_literal_argument
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


def find_variadic_calls(name: str, ctype: FunctionType, bodies: Iterable[object]) -> tuple[VariadicCall, ...]:
    """The ways in which ``bodies`` call ``name`` with numbers and pointers behind its parameters.

    Where equal constants stand before arguments of other types, nothing is known of these.
    """
    found: dict[tuple[tuple[int, str | int], ...], set[tuple[CType, ...]]] = {}
    for body in bodies if ctype.variadic else ():
        for node in queries.syntax_nodes_within(body):
            if (
                isinstance(node, tree.Call)
                and isinstance(node.callee, tree.FunctionRef)
                and node.callee.name == name
            ):
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
        text = lowered_call_literal_argument(argument)
        inner = queries.syntax_below_conversions(argument)
        if text is not None:
            found.append((n, text))
        elif isinstance(inner, tree.IntConstant) and isinstance(argument.type, IntType):
            found.append((n, inner.value))
    return tuple(found)
