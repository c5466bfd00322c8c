"""Values that a program does not determine, in the order in which they come into being.

    int a; int b = nondet_int(); int c[2];     ->   a, b, c[0], c[1] are drawn, whatever is read later

An input vector has the values in the order in which they are *read*, and only those that are. A model checker that
executes another text of the program knows when a value comes into being, but not who reads it first; what it
reports is therefore in this order, and ``encode(..., drawn=values)`` finds the input vector.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cfrontend.tree import Symbol
from cfrontend.types import ArrayType, CType, PointerType, StructTable, StructType

MOST_DRAWN: Final = 64
"""Scalars of one uninitialised object that are drawn; one that has more is never drawn."""


def cells_drawn(symbol: Symbol, structs: StructTable) -> tuple[tuple[str, CType], ...]:
    """The scalars (path from the variable, type) that are drawn when an uninitialised variable comes to life.

    None for objects with unions or bit-fields in them, and for those with more than ``MOST_DRAWN``; never pointers,
    for two tools do not agree about what a number points to.
    """
    found: list[tuple[str, CType]] = []
    for cell in scalars(symbol.type, structs):
        if cell is None or len(found) == MOST_DRAWN:
            return ()
        if not isinstance(cell[1], PointerType):
            found.append(cell)
    return tuple(found)


def scalars(ctype: CType, structs: StructTable, path: str = "") -> Iterator[tuple[str, CType] | None]:
    """The scalars of an object in address order; None stands for a union or a bit-field."""
    match ctype:
        case ArrayType(element=element, length=length):
            for n in range(length or 0):
                yield from scalars(element, structs, f"{path}[{n}]")
        case StructType(key=key) if structs[key].is_union:
            yield None
        case StructType(key=key):
            for member in structs[key].members:
                if member.bit_width is not None:
                    yield None
                else:
                    yield from scalars(member.type, structs, f"{path}.{member.name}")
        case _:
            yield path, ctype
