"""Offsets of the members of a structure, as gcc puts them on x86-64 (System V ABI 3.1.2) and i386.

A bit-field goes right behind the bits before it, unless it would cross a boundary of its declared type.

    struct { char a; int b : 20; int c : 10; }
    -> a at byte 0, b at bits 8-27 of the int at byte 0, c at bits 0-9 of the int at byte 4; size 8
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from cfrontend.record import dataclass
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    StructMember,
    StructTypeLayout,
    StructTypeTable,
    alignment_of_type,
    size_of_type,
)


@final
@dataclass(frozen=True, slots=True)
class Field:
    """A member before it has a place. An unnamed one is a bit-field that only takes room.

    ``align`` is what ``_Alignas`` asked for, 1 if nothing; ``is_packed`` drops the alignment of the type;
    ``most_align`` is what ``#pragma pack`` cuts any alignment to, 0 for no limit; ``type_align`` is the alignment that
    a typedef gave its type.
    """

    name: str | None
    type: CType
    bit_width: int | None = None
    align: int = 1
    is_packed: bool = False
    most_align: int = 0
    type_align: int | None = None


def laid_out(
    key: str, fields: Iterable[Field], *, is_union: bool, structs: StructTypeTable, least_align: int = 1
) -> StructTypeLayout:
    """The layout of a structure or union whose members all have complete types."""
    members: list[StructMember] = []
    end, size, align = 0, 0, least_align
    for member in fields:
        start = 0 if is_union else end
        if member.bit_width is None:
            placed, end = _place(member, start, structs)
            align = max(align, alignment(member, structs))
        else:
            placed, end = _place_bits(member, member.bit_width, start, structs)
            align = max(align, _bits_alignment(member, structs)) if member.name is not None else align
        members += [placed] if placed is not None else []
        size = max(size, end)
    return StructTypeLayout(key, tuple(members), rounded_up(_bytes(size), align), align, is_union)


def _place(member: Field, start: int, structs: StructTypeTable) -> tuple[StructMember | None, int]:
    """A whole member from bit ``start`` on, and the first bit behind it."""
    offset = rounded_up(_bytes(start), alignment(member, structs))
    is_flexible = isinstance(member.type, ArrayType) and member.type.length is None
    size = 0 if is_flexible else size_of_type(member.type, structs)
    placed = None if member.name is None else StructMember(member.name, member.type, offset)
    return placed, 8 * (offset + size)


def alignment(member: Field, structs: StructTypeTable) -> int:
    """Alignment of a whole member, in bytes."""
    natural = member.type_align or alignment_of_type(member.type, structs)
    return _cut(max(1 if member.is_packed else natural, member.align), member)


def _bits_alignment(member: Field, structs: StructTypeTable) -> int:
    """Alignment that a bit-field with a name gives its structure, in bytes; the pragma comes before the attribute."""
    if member.is_packed and not member.most_align:
        return member.align
    return _cut(max(alignment_of_type(member.type, structs), member.align), member)


def _cut(align: int, member: Field) -> int:
    return min(align, member.most_align) if member.most_align else align


def _place_bits(
    member: Field, width: int, start: int, structs: StructTypeTable
) -> tuple[StructMember | None, int]:
    """A bit-field from bit ``start`` on, and the first bit behind it.

    Packed ones cross the boundaries of their type; one of width 0 goes to the next boundary even there.
    """
    unit, room = 8 * alignment_of_type(member.type, structs), 8 * size_of_type(member.type, structs)
    if width == 0:
        return None, rounded_up(start, unit)
    start = rounded_up(start, 8 * _cut(member.align, member)) if member.align > 1 else start
    if start % unit + width > room and not (member.is_packed or member.most_align):
        start = rounded_up(start, unit)
    if member.name is None:
        return None, start + width
    first = start // unit * unit
    return StructMember(member.name, member.type, first // 8, width, start - first), start + width


def _bytes(bits: int) -> int:
    return (bits + 7) // 8


def rounded_up(value: int, multiple: int) -> int:
    """The least multiple that is not below ``value``."""
    return -(-value // multiple) * multiple
