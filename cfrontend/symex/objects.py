"""Object table of the memory model: the cells and the addresses of each object.

An address is a word of (number of the object, byte offset). Objects get cells one behind the other, from ``OBJECTS``
on; one cell before them says whether the object lives, one behind them whether it was made.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Final, final

from cfrontend.errors import Location, ResourceError
from cfrontend.slice.points_to import Place
from cfrontend.symex.state import StateOfMemoryObject
from cfrontend.terms import Term

OBJECTS: Final = 1 << 40
"""Number of the first cell of objects; scalars that never need an address are below."""

OFFSET_BITS: Final[Mapping[int, int]] = {64: 40, 32: 18}
"""Number of offset bits in a pointer, by bits of a pointer; the object's number stands above.

Half of its offsets are below zero. In 32 bits, where there are few, a large object has several numbers, and a
pointer that is computed to be further than 128 KiB outside its object may be one into another.
"""

_FIRST_BYTE: Final[Mapping[int, int]] = {64: 1 << 12}
"""Offset in bytes, by bits of a pointer, at which an object begins, so that no half of an address is null.

It lies in the middle of the offsets.
"""

_LARGEST_OBJECT: Final = 1 << 39
"""Maximum size of an object in bytes."""


@final
class SymexObjects:
    """Table of all objects so far; ``word`` is the bits of a pointer."""

    def __init__(self, word: int, *, is_placed: bool = False) -> None:
        self.word: Final = word
        self.offset_bits: Final = OFFSET_BITS[word]
        self._bias: Final = (1 << (self.offset_bits - 1)) + _FIRST_BYTE.get(word, 0)
        self.alignment: Final = self._bias & -self._bias
        """Alignment in bytes of the address of each object, a power of two."""
        self._all: Final[list[StateOfMemoryObject]] = []
        self._first = 0
        self._numbered: Final[list[StateOfMemoryObject]] = []
        self._bases: Final[list[int]] = []
        self._next_base = OBJECTS
        self.first_end = sys.maxsize
        """The number of the youngest object at the first end of one that is followed."""
        self.is_placed = is_placed
        """Whether an address that is seen is a variable (``cfrontend.symex.addresses``)."""
        self.seen: dict[Location, Term] = {}
        """Places where the program sees an address as a number, each with the condition under which it does."""
        self.have_parts = False
        """Whether cells of some object are parts of pointers."""
        self.leading: dict[Term, bool] = {}
        """Whether words may lead to an object."""
        self.changed: set[Term] = set()
        """Pointers of which a part was written."""
        self.starts: dict[int, tuple[Term, Term, StateOfMemoryObject]] = {}
        """The variable and the address of each placed object, by its number."""
        self.depending: dict[Term, bool] = {}
        """Whether words depend on the address of some object."""

    def add(self, obj: StateOfMemoryObject) -> None:
        """Register ``obj`` under the next number, with the next cells. Raises ResourceError where there is no room."""
        layout, where = obj.layout, obj.location
        obj.number = len(self._numbered) + 1
        obj.base = self._next_base + 1
        obj.made = obj.base + layout.count
        numbers = 1 + ((layout.size + self._bias) >> self.offset_bits)
        if layout.size >= _LARGEST_OBJECT:
            raise ResourceError(f"{obj.name} is too large: {layout.size} bytes", where)
        if obj.number + numbers > 1 << (self.word - self.offset_bits):
            raise ResourceError(f"no room for {obj.name} in {self.word}-bit addresses", where)
        self._all.append(obj)
        self._numbered.extend([obj] * numbers)
        self._bases.append(obj.base - 1)
        self._next_base += layout.count + 2

    def begin_anew(self) -> None:
        """Begin the objects of the program: those made so far are not the program's."""
        self._first = len(self._all)

    def youngest_first(self) -> Iterator[StateOfMemoryObject]:
        """All objects of the program so far, the youngest first."""
        return reversed(self._all[self._first :])

    def of_all(self) -> Iterator[StateOfMemoryObject]:
        """All objects so far, the oldest first, also those of a reference."""
        return iter(self._all)

    def of_cell(self, key: int) -> StateOfMemoryObject:
        """The object of a cell that belongs to no plain variable."""
        return self._all[bisect_right(self._bases, key) - 1]

    def place_at(self, key: int) -> Place | None:
        """The name of the object of a cell; None for a plain variable."""
        if key < OBJECTS:
            return None
        return self.of_cell(key).place

    def at(self, pointer: int) -> tuple[StateOfMemoryObject, int] | None:
        """The object and byte offset of a constant pointer; None for null and for plain numbers."""
        number = pointer >> self.offset_bits
        if not 0 < number <= len(self._numbered):
            return None
        obj = self._numbered[number - 1]
        return obj, pointer - self.address(obj)

    @property
    def count(self) -> int:
        """The number of the youngest object so far."""
        return len(self._numbered)

    def is_allocated_after(self, number: int, pointer: int) -> bool:
        """Whether a constant pointer points into an allocated object younger than object ``number``.

        Of other objects nothing is said: they are made when they are first named.
        """
        found = self.at(pointer)
        return found is not None and found[0].allocated and found[0].number > number

    def address(self, obj: StateOfMemoryObject, offset: int = 0) -> int:
        """The pointer value of a byte of the object."""
        return ((obj.number << self.offset_bits) + self._bias + offset) & ((1 << self.word) - 1)
