"""Drawn values: nondeterministic values of an execution, in the order in which they come into being.

    int a; int b = nondet_int(); int c[2];     ->   a, b, c[0], c[1] are drawn, whatever is read later

An input vector has the values in the order in which they are *read*, and only those that are. A model checker that
executes another text of the program knows when a value comes into being, but not who reads it first; what it
reports is therefore in this order, and ``encode(..., drawn=values)`` finds the input vector.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    PointerType,
    StructMember,
    StructType,
    StructTypeLayout,
    StructTypeTable,
    size_of_type,
)

MOST_DRAWN: Final = 64
"""Maximum number of scalars of an uninitialised object that are drawn; an object with more is not drawn."""

MOST_OF_MANY: Final = 512
"""Maximum number of scalars of an object, and of bytes of an allocation, that are drawn where much is.

Much is drawn once an answer depends on it.
"""


def cells_of_drawn_values(
    symbol: SyntaxSymbol, structs: StructTypeTable, *, much: bool = False
) -> tuple[tuple[str, CType], ...]:
    """The scalars (path from the variable, type) that are drawn when an uninitialised variable comes to life.

    Of a union those of its largest member, as it is laid out.

    None for objects with bit-fields in them, and for those with more than ``MOST_DRAWN``, or ``MOST_OF_MANY`` where
    ``much`` is drawn; never pointers, for two tools do not agree about what a number points to.
    """
    found: list[tuple[str, CType]] = []
    most = MOST_OF_MANY if much else MOST_DRAWN
    for cell in scalars_of_drawn_values(symbol.type, structs, of_unions=True):
        if cell is None or len(found) == most:
            return ()
        if not isinstance(cell[1], PointerType):
            found.append(cell)
    return tuple(found)


def scalars_of_drawn_values(
    ctype: CType, structs: StructTypeTable, path: str = "", *, of_unions: bool = False
) -> Iterator[tuple[str, CType] | None]:
    """The scalars of an object in address order; None stands for a union or a bit-field.

    ``of_unions``: in the place of a union come those of its largest member.
    """
    match ctype:
        case ArrayType(element=element, length=length):
            for n in range(length or 0):
                yield from scalars_of_drawn_values(element, structs, f"{path}[{n}]", of_unions=of_unions)
        case StructType(key=key) if structs[key].is_union and not of_unions:
            yield None
        case StructType(key=key):
            for member in members_of_drawn_values(structs[key], structs):
                if member.bit_width is not None:
                    yield None
                else:
                    yield from scalars_of_drawn_values(
                        member.type, structs, f"{path}.{member.name}", of_unions=of_unions
                    )
        case _:
            yield path, ctype


def members_of_drawn_values(table: StructTypeLayout, structs: StructTypeTable) -> tuple[StructMember, ...]:
    """The members that make up an object's cells: all of a structure, the largest one of a union."""
    if not table.is_union:
        return table.members
    return tuple(sorted(table.members, key=lambda member: -size_of_type(member.type, structs))[:1])
