"""GNU vector types: structures with one array as their only member, known by their key.

    int __attribute__((vector_size(16)))   ->   StructType("__attribute__((vector_size(16))) int"), int[4] at 0

The key is the type as C text. The name of the member is one that no program can write.
"""

from __future__ import annotations

import re
from typing import Final, TypeGuard

from cfrontend.syntax.types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    StructMember,
    StructType,
    StructTypeLayout,
    StructTypeTable,
    size_of_type,
)

VECTOR_ELEMENTS: Final = "<elements>"
"""Name of the only member of a vector type."""

TRUTHS: Final = "<truths>"
"""Name of the variable that holds what a comparison of vectors says."""

REREAD: Final = "<reread>"
"""Name of the variable that holds a value whose bits are read as another type of its size."""

CHOICES: Final = "<choices>"
"""Name of the array that ``__builtin_shuffle`` chooses from, by indices cut to its length."""

_KEY: Final = re.compile(r"__attribute__\(\(vector_size\((\d+)\)\)\) ")


def is_vector_type(ctype: CType) -> TypeGuard[StructType]:
    """True if a type is a vector of numbers."""
    return isinstance(ctype, StructType) and _KEY.search(ctype.key) is not None


def size_of_vector_type(ctype: StructType) -> int:
    """Size of a vector in bytes."""
    found = _KEY.search(ctype.key)
    assert found is not None
    return int(found[1])


def elements_of_vector_type(ctype: StructType, structs: StructTypeTable) -> ArrayType:
    """The array type that the elements of a vector make up."""
    array = structs[ctype.key].members[0].type
    assert isinstance(array, ArrayType)
    return array


def add_vector_type(element: IntType | FloatType, size: int, structs: StructTypeTable) -> StructType:
    """The vector type of ``size`` bytes of elements, with its layout in the table.

    gcc aligns vectors to their size, but for those of integers in 8 bytes where there is no register for them.
    """
    key = f"__attribute__((vector_size({size}))) {element}"
    if key not in structs:
        array = ArrayType(element, size // size_of_type(element, structs))
        is_word = size == 8 and isinstance(element, IntType)
        align = min(size, structs.model.largest_align) if is_word else size
        structs[key] = StructTypeLayout(key, (StructMember(VECTOR_ELEMENTS, array, 0),), size, align)
    return StructType(key)
