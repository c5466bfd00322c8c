"""Lvalue access paths, compiled to closures that load and store.

x          a slot of the frame, or an object         a[i].b     bytes and steps into an object
p->b       bytes and steps beyond a pointer value
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias, final

from cfrontend.record import dataclass
from cfrontend.symex import addresses, memory, unwritten
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.state import MemoryObject, Slot
from cfrontend.terms import TRUE, Term

Value: TypeAlias = Callable[[SymbolicMachine], Term]
Values: TypeAlias = Callable[[SymbolicMachine], list[Term]]
ObjectOf: TypeAlias = Callable[[SymbolicMachine], MemoryObject]


Step: TypeAlias = tuple[Value, int, int | None]
"""Array index step of an access path: (index, bytes of an element, number of elements or None)."""


@final
@dataclass(frozen=True, slots=True)
class AccessPath:
    """Access path: ``offset`` bytes, then ``steps``, into the object ``base`` or where that pointer leads."""

    base: Callable[[SymbolicMachine], Any]
    is_pointer: bool
    offset: int
    steps: tuple[Step, ...] = ()

    def further(self, offset: int, steps: tuple[Step, ...] = ()) -> AccessPath:
        """The path that goes on into the same object."""
        return AccessPath(self.base, self.is_pointer, self.offset + offset, self.steps + steps)

    def indices(self, m: SymbolicMachine) -> list[memory.Step]:
        """The steps, with the indices as they are now."""
        return [(index(m), stride, length) for index, stride, length in self.steps]


@final
@dataclass(frozen=True, slots=True)
class BitField:
    """Bit-field access: ``bits`` from bit ``first`` of the byte that is ``byte`` bytes beyond the member's offset."""

    byte: int
    first: int
    bits: int

    @property
    def size(self) -> int:
        """Number of bytes that the bit-field touches."""
        return (self.first + self.bits + 7) // 8


def loader_of(access: AccessPath, beyond: int, size: int) -> Value:
    """The closure that loads ``size`` bytes at ``beyond`` bytes behind an access."""
    offset, base = access.offset + beyond, access.base
    if not access.is_pointer and not access.steps:
        return lambda m: memory.load_at(m, base(m), offset, size)
    load = memory.load_through if access.is_pointer else memory.load_path
    return lambda m: load(m, base(m), offset, access.indices(m), size)


def storer_of(access: AccessPath, beyond: int) -> Callable[[SymbolicMachine, Term], None]:
    """The closure that stores at ``beyond`` bytes behind an access."""
    offset, base = access.offset + beyond, access.base
    if not access.is_pointer and not access.steps:
        return lambda m, v: memory.store_at(m, base(m), offset, v, TRUE)
    store = memory.store_through if access.is_pointer else memory.store_path
    return lambda m, v: store(m, base(m), offset, access.indices(m), v)


def copied_cells(
    m: SymbolicMachine, obj: MemoryObject, start: int, cells: list[tuple[int, int]]
) -> list[Term]:
    """The (offset, size) cells from ``start`` of an object; copying does not count as reading them."""
    values: list[Term] = []
    if obj.untyped and cells:
        memory.give_type(m, obj, cells[0][1])
    for offset, size in cells:
        cell = obj.layout.cell(start + offset)
        if cell.offset == start + offset and cell.size == size:
            if m.relevance is not None:
                m.relevance.read(m, obj.base + cell.number, obj.place)
            values.append(memory.raw_cell(m, obj.base + cell.number))
        else:
            load = partial(memory.load_at, obj=obj, offset=start + offset, size=size)
            values.append(_unread(m, load))
    return values


def copier(access: AccessPath, beyond: int, size: int) -> Value:
    """The closure that loads ``size`` bytes behind an access for a copy, which does not count as reading them."""
    load = loader_of(access, beyond, size)
    return lambda m: _unread(m, load)


def _unread(m: SymbolicMachine, load: Value) -> Term:
    """Load that counts as no read: the word is an uninitialised value where a part of it was never written."""
    value = unwritten.unread_value(m, load)
    memory.mark_unread(m, value)
    return value


def slot_reader(slot: Slot, *, is_followed: bool) -> Value:
    """The closure that reads a scalar without an address; ``is_followed``: the dynamic slice records it."""
    number = slot.number
    if is_followed:
        return lambda m: unwritten.read_cell(m, number if slot.is_static else m.base + number)

    def read_static(m: SymbolicMachine) -> Term:
        value = m.writes.get(number)
        return unwritten.read_cell(m, number) if value is None or value in m.unknown else value

    def read_local(m: SymbolicMachine) -> Term:
        value = m.writes.get(m.base + number)
        return unwritten.read_cell(m, m.base + number) if value is None or value in m.unknown else value

    return read_static if slot.is_static else read_local


def slot_writer(slot: Slot, *, is_followed: bool) -> Callable[[SymbolicMachine, Term], None]:
    """The closure that writes a scalar without an address; ``is_followed``: the dynamic slice records it."""
    number, is_static = slot.number, slot.is_static

    def write(m: SymbolicMachine, value: Term) -> None:
        m.writes[number if is_static else m.base + number] = value

    def write_followed(m: SymbolicMachine, value: Term) -> None:
        write(m, value)
        if m.relevance is not None:
            m.relevance.wrote(m, number if is_static else m.base + number, TRUE, None)

    return write_followed if is_followed else write


def bits_loader(access: AccessPath, place: BitField, width: int, *, signed: bool) -> Value:
    """The closure that extracts a bit-field from the bytes it stands in, as a word of ``width`` bits."""
    read = loader_of(access, place.byte, place.size)
    first, bits = place.first, place.bits

    def load(m: SymbolicMachine) -> Term:
        old = addresses.number_of_word(m, _unread(m, read))
        word = memory.word_slice(m, old, first + bits - 1, first)
        word = unwritten.note_read(m, word) if word in m.unknown else word
        return m.t.sext(word, width) if signed else m.t.zext(word, width)

    return load


def bits_storer(access: AccessPath, place: BitField) -> Callable[[SymbolicMachine, Term], None]:
    """The closure that inserts a bit-field into the bytes it stands in."""
    read, write = loader_of(access, place.byte, place.size), storer_of(access, place.byte)
    first, bits, whole = place.first, place.bits, 8 * place.size

    def store(m: SymbolicMachine, value: Term) -> None:
        word = m.t.extract(value, bits - 1, 0)
        if first or whole > bits:
            old = addresses.number_of_word(m, _unread(m, read))
            if first:
                word = memory.joined_words(m, word, memory.word_slice(m, old, first - 1, 0))
            if whole > first + bits:
                word = memory.joined_words(m, memory.word_slice(m, old, whole - 1, first + bits), word)
        write(m, word)

    return store
