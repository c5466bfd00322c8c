"""Complex types: records of two parts, the real and the imaginary one, which C knows by ``_Complex``.

They are laid out like structures, so that copies, parameters and memory are those of structures. No structure of a
program has such a key or such members.

    complex_type(DOUBLE, structs)   ->   StructType("double _Complex") of two members of type double
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias, TypeGuard

from cfrontend.syntax.types import (
    CType,
    FloatType,
    IntType,
    StructMember,
    StructType,
    StructTypeLayout,
    StructTypeTable,
    alignment_of_type,
    size_of_type,
)

REAL: Final = "__real__"
IMAGINARY: Final = "__imag__"
"""Names of the two members; in C they are operators before the number."""

_SUFFIX: Final = " _Complex"

PartType: TypeAlias = IntType | FloatType


def complex_type(part: PartType, structs: StructTypeTable) -> StructType:
    """The complex type with parts of a type, which ``structs`` then knows."""
    ctype = StructType(f"{part}{_SUFFIX}")
    if ctype.key not in structs:
        size = size_of_type(part, structs)
        members = (StructMember(REAL, part, 0), StructMember(IMAGINARY, part, size))
        structs[ctype.key] = StructTypeLayout(ctype.key, members, 2 * size, alignment_of_type(part, structs))
    return ctype


def is_complex_type(ctype: CType | None) -> bool:
    """True for complex types."""
    return isinstance(ctype, StructType) and is_complex_key(ctype.key)


def is_complex_key(key: str) -> bool:
    """True for the key of a complex type."""
    return key.endswith(_SUFFIX)


def member_text(text: str, member: str) -> str:
    """The text of a member of the object that ``text`` names."""
    return f"{member} {text}" if member in (REAL, IMAGINARY) else f"{text}.{member}"


def is_record_type(ctype: CType | None) -> TypeGuard[StructType]:
    """True for a structure or union, whose members a program can name."""
    return isinstance(ctype, StructType) and not is_complex_key(ctype.key)


def complex_part_type(ctype: CType, structs: Mapping[str, StructTypeLayout]) -> PartType | None:
    """The type of the parts of a complex type; None for all other types."""
    if not isinstance(ctype, StructType) or not is_complex_key(ctype.key):
        return None
    part = structs[ctype.key].members[0].type
    assert isinstance(part, IntType | FloatType)
    return part
