"""Memory layout of a C type: one cell for each scalar in it, and one for each byte of padding.

Cells are numbered in address order, so that an element of an array of structures is found by arithmetic and
a large array costs nothing until its cells are used.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import TypeAlias, final

from cfrontend.cbmc.drawn_values import members_of_drawn_values
from cfrontend.record import dataclass
from cfrontend.syntax.types import (
    UCHAR,
    ArrayType,
    CType,
    StructMember,
    StructType,
    StructTypeTable,
    size_of_type,
    value_bytes_of_type,
)
from cfrontend.syntax.vectors import VECTOR_ELEMENTS


@final
@dataclass(frozen=True, slots=True)
class LayoutCell:
    """Memory cell: number ``number`` of its object, ``size`` bytes from ``offset``; ``type`` is None for padding."""

    number: int
    offset: int
    size: int
    type: CType | None
    name: str
    """Suffix to the name of the object, which is different for each cell."""

    def within(self, number: int, offset: int, name: str) -> LayoutCell:
        """The cell where its layout is the part of another one that begins at a cell and an offset."""
        return LayoutCell(number + self.number, offset + self.offset, self.size, self.type, name + self.name)


@final
@dataclass(slots=True)
class Layout:
    """Cells of one object type: ``size`` in bytes, ``count`` cells."""

    type: CType
    size: int
    count: int
    parts: tuple[Part, ...]
    """Parts in address order."""
    stride: int = 0
    element: Layout | None = None
    _found: dict[int, LayoutCell] = field(default_factory=dict)
    _numbered: dict[int, LayoutCell] = field(default_factory=dict)

    def cell(self, offset: int) -> LayoutCell:
        """The cell that covers the byte at ``offset``; raises IndexError outside the object."""
        found = self._found.get(offset)
        if found is None:
            if not 0 <= offset < self.size:
                raise IndexError(offset)
            found = self._found[offset] = self._descend(offset, by_number=False)
        return found

    def cell_with_number(self, number: int) -> LayoutCell:
        """The cell with a given number, found by descent into the layout."""
        found = self._numbered.get(number)
        if found is None:
            found = self._numbered[number] = self._descend(number, by_number=True)
        return found

    def _descend(self, key: int, *, by_number: bool) -> LayoutCell:
        """The cell at an offset, or with a number."""
        if self.element is not None:
            index, key = divmod(key, self.element.count if by_number else self.stride)
            cell = self.element.cell_with_number(key) if by_number else self.element.cell(key)
            return cell.within(index * self.element.count, index * self.stride, f"[{index}]")
        at = bisect_right(self.parts, key, key=lambda part: part[1] if by_number else part[0]) - 1
        start, first, name, layout, scalar = self.parts[at]
        behind = key - (first if by_number else start)
        if layout is not None:
            cell = layout.cell_with_number(behind) if by_number else layout.cell(behind)
            return cell.within(first, start, name)
        if scalar is not None:
            end = self.parts[at + 1][0] if at + 1 < len(self.parts) else self.size
            return LayoutCell(first, start, end - start, scalar, name)
        return LayoutCell(first + behind, start + behind, 1, None, f"{name}[{start + behind}]")

    def scalars(self) -> Iterator[LayoutCell]:
        """The scalar cells in address order, without padding."""
        offset = 0
        while offset < self.size:
            cell = self.cell(offset)
            if cell.type is not None:
                yield cell
            offset = cell.offset + cell.size


Part: TypeAlias = tuple[int, int, str, Layout | None, CType | None]
"""Part of a layout: (offset, first cell, name, layout, scalar type); padding has neither of the last two."""


def _filled(layout: Layout) -> Layout:
    """The layout with data in place of padding: where one member of a union has padding, another may have data."""
    if layout.element is not None:
        return replace(layout, element=_filled(layout.element), _found={})
    parts: list[Part] = []
    for part, end in zip(layout.parts, [*(p[0] for p in layout.parts[1:]), layout.size], strict=True):
        start, first, name, inner, scalar = part
        if inner is not None:
            parts.append((start, first, name, _filled(inner), None))
        elif scalar is not None:
            parts.append(part)
        else:
            parts += [(at, first + at - start, f"{name}[{at}]", None, UCHAR) for at in range(start, end)]
    return replace(layout, parts=tuple(parts), _found={})


class Layouts:
    """Cache of layouts by type."""

    def __init__(self, structs: StructTypeTable) -> None:
        self.structs = structs
        self._known: dict[CType, Layout] = {}

    def of(self, ctype: CType) -> Layout:
        """The layout of an object type; a type that stays incomplete has an address and no parts."""
        found = self._known.get(ctype)
        if found is None:
            found = self._known[ctype] = self._make(ctype)
        return found

    def bytes(self, size: int) -> Layout:
        """The layout of untyped memory: one cell for each byte."""
        return self.of(ArrayType(UCHAR, size))

    def elements(self, element: Layout, size: int) -> Layout | None:
        """The layout of ``size`` bytes used as elements; a structure that is cut short of a second one has a tail.

        So has one that ends with a flexible array member, however large: nobody makes arrays of it. None where
        elements do not fit.
        """
        if not element.size or size < element.size:
            return None
        flexible = self._flexible_member(element.type)
        if size % element.size == 0 and (flexible is None or size == element.size):
            return self.of(ArrayType(element.type, size // element.size))
        if not isinstance(element.type, StructType):
            return None
        tail, begin, name = flexible or (self.of(UCHAR), element.size, ".tail")
        cells = next((part[1] for part in element.parts if part[0] >= begin), element.count)
        made = _Parts(self, [part for part in element.parts if part[0] < begin], begin, cells)
        made.add(name, ArrayType(tail.type, (size - begin) // tail.size if tail.size else 0))
        made.pad(size)
        return made.layout(ArrayType(UCHAR, size))

    def _flexible_member(self, ctype: CType) -> tuple[Layout, int, str] | None:
        """The flexible array member at the end of a structure: its elements, where they begin, its suffix."""
        members = self.structs[ctype.key].members if isinstance(ctype, StructType) else ()
        last = members[-1] if members else None
        if last is None or not isinstance(last.type, ArrayType) or last.type.length:
            return None
        return self.of(last.type.element), last.offset, f".{last.name}"

    def arguments(self, types: Sequence[CType]) -> Layout:
        """The layout of variadic arguments, which lie one behind the other, each in whole words."""
        made, word = _Parts(self), self.structs.model.pointer_bytes
        for number, ctype in enumerate(types, start=1):
            made.add(f"[{number}]", ctype)
            made.pad(made.position + -made.position % word)
        return made.layout(ArrayType(UCHAR, made.position))

    def _make(self, ctype: CType) -> Layout:
        match ctype:
            case ArrayType(element=element, length=length):
                inner = self.of(element)
                count = length or 0
                return Layout(ctype, count * inner.size, count * inner.count, (), inner.size, inner)
            case StructType():
                return self._make_struct(ctype) if ctype.key in self.structs else Layout(ctype, 0, 0, ())
            case _:
                size, used = size_of_type(ctype, self.structs), value_bytes_of_type(ctype, self.structs)
                scalar = (0, 0, "", None, ctype)
                if used < size:
                    padding = (used, 1, ".padding", None, None)
                    return Layout(ctype, size, 1 + size - used, (scalar, padding))
                return Layout(ctype, size, 1, (scalar,))

    def _make_struct(self, ctype: StructType) -> Layout:
        table, made = self.structs[ctype.key], _Parts(self)
        for member in members_of_drawn_values(table, self.structs):
            if member.bit_width is not None:
                self._add_bit_field(member, made)
            elif member.offset >= made.position and not (
                isinstance(member.type, ArrayType) and not member.type.length
            ):
                made.pad(member.offset)
                made.add("" if member.name == VECTOR_ELEMENTS else f".{member.name}", member.type)
        made.pad(table.size)
        layout = made.layout(ctype)
        return _filled(layout) if table.is_union and len(table.members) > 1 else layout

    @staticmethod
    def _add_bit_field(member: StructMember, made: _Parts) -> None:
        """Add cells for the bytes that a bit-field is the first to touch."""
        first = member.offset + member.bit_offset // 8
        end = member.offset + (member.bit_offset + (member.bit_width or 0) + 7) // 8
        made.pad(first)
        first = made.position
        while made.position < end:
            byte = f"[{made.position - first}]" if made.position > first else ""
            made.add(f".{member.name}{byte}", UCHAR)


class _Parts:
    """Layout that is made part by part, in address order, so far up to ``position``."""

    def __init__(
        self, layouts: Layouts, parts: Sequence[Part] = (), position: int = 0, cells: int = 0
    ) -> None:
        self._layouts = layouts
        self._parts = list(parts)
        self.position = position
        self._cells = cells

    def add(self, name: str, ctype: CType) -> None:
        """Add a part of a type."""
        layout = self._layouts.of(ctype)
        is_scalar = layout.count == 1 and not isinstance(ctype, ArrayType | StructType)
        inner = (None, ctype) if is_scalar else (layout, None)
        self._parts.append((self.position, self._cells, name, *inner))
        self.position, self._cells = self.position + layout.size, self._cells + layout.count

    def pad(self, end: int) -> None:
        """Add padding up to ``end``, a cell for each byte."""
        if end > self.position:
            self._parts.append((self.position, self._cells, ".padding", None, None))
            self.position, self._cells = end, self._cells + end - self.position

    def layout(self, ctype: CType) -> Layout:
        """The layout of ``ctype`` that was made."""
        return Layout(ctype, self.position, self._cells, tuple(self._parts))
