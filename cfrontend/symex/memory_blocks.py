"""Block copy and fill (``memcpy``, ``memset``), cell by cell: a pointer stays a pointer and nothing counts as read.

copy(m, &a, &b, 16)   with a, b of type struct { int n; char *p; }   ->   a.n = b.n, the padding, a.p = b.p

A block whose place or size depends on inputs is cut into pieces of the size that all its possible places share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import gcd
from typing import Final, TypeVar

from cfrontend.effort import charge_effort
from cfrontend.symex import addresses, memory, pointers
from cfrontend.symex.layout import SymexLayout
from cfrontend.symex.linear_addresses import linear_address
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.state import StateOfMemoryObject, Target
from cfrontend.syntax.types import ArrayType
from cfrontend.terms import FALSE, Term

_PIECES: Final = 256
"""Pieces of a block that are one step of the execution: between two steps it can be stopped."""

_PIECE: Final = 10_000
"""Effort of looking at a piece of a block, of which each is found, read and written."""

_Piece = TypeVar("_Piece")


def copy_memory_block(m: SymbolicMachine, target: Term, source: Term, size: Term) -> None:
    """Copy ``size`` bytes from ``source`` to ``target``; what does not fit has been excluded before."""
    found, given = pointers.followed_pointer_targets(m, target), pointers.followed_pointer_targets(m, source)
    most = _most(m, size, found, given)
    if not most:
        return
    _adopt_type(m, found, given)
    edges = _edges(m, found, given, size, most)
    values: list[Term] = []
    for first, end in _in_steps(m, pairwise(edges)):
        values.append(m.under((_reaches(m, size, end), None), _read, m, given, first, end))
    if any(obj.has_parts for _, obj, _ in given):
        for _, obj, _ in found:
            obj.has_parts = True
    for (first, end), value in _in_steps(m, zip(pairwise(edges), values, strict=True)):
        _write(m, found, first, value, _reaches(m, size, end))


def fill_memory_block(m: SymbolicMachine, target: Term, byte: Term, size: Term) -> None:
    """Fill ``size`` bytes at ``target`` with the lowest byte of ``byte``."""
    t = m.t
    found = pointers.followed_pointer_targets(m, target)
    most = _most(m, size, found, ())
    if not most:
        return
    for _, obj, _ in found:
        if obj.untyped:
            memory.give_memory_object_type(m, obj, 8)
    value = t.extract(byte, 7, 0)
    for first, end in _in_steps(m, pairwise(_edges(m, found, (), size, most))):
        word = value
        for _ in range(end - first - 1):
            word = t.concat(word, value)
        _write(m, found, first, word, _reaches(m, size, end))


def _in_steps(m: SymbolicMachine, pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """``pieces`` of a block, with a step of the execution for each so many: it can be stopped between two."""
    for number, piece in enumerate(pieces, start=1):
        charge_effort(_PIECE)
        if number % _PIECES == 0:
            m.tick()
        yield piece


def _most(m: SymbolicMachine, size: Term, found: tuple[Target, ...], given: tuple[Target, ...]) -> int:
    """The maximum number of bytes of a block."""
    known = m.t.value[size]
    if known is not None:
        return known if found else 0
    rooms = [
        max((obj.layout.size for _, obj, _ in targets), default=0) for targets in (found, given) if targets
    ]
    possible = m.values.of(size)
    most = min(rooms, default=0)
    return most if possible is None else max((n for n in possible if n <= most), default=0)


def _reaches(m: SymbolicMachine, size: Term, end: int) -> Term:
    """The condition under which the block has the bytes before ``end``."""
    possible = m.values.of(size)
    if possible is not None and len({end <= n for n in possible}) == 1:
        return m.t.bool_const(end <= min(possible))
    return m.t.ule(m.t.const(end, m.word), size)


def _adopt_type(m: SymbolicMachine, found: tuple[Target, ...], given: tuple[Target, ...]) -> None:
    """Settle the type of an untyped object: it takes that of what is copied into it, or stays one of bytes.

    Either way that is settled before a cell of it is read or written: cells are numbered by the layout.
    """
    for _, obj, offset in found:
        position = m.t.value[offset]
        for _, other, start in given if position is not None else ():
            layout = None if other.untyped else _layout_from(m, other.layout, start)
            if obj.untyped and layout is not None:
                _as_copied(m, obj, position or 0, layout)
    for _, obj, _ in (*found, *given):
        obj.untyped = False


def _layout_from(m: SymbolicMachine, given: SymexLayout, start: Term) -> SymexLayout | None:
    """The layout of what begins at ``start``: of all, or of the elements if one begins there."""
    if m.t.value[start] == 0:
        return given
    if given.element is None or not given.element.size:
        return None
    constant, atoms = linear_address(m.t, start)
    return None if gcd(constant, m.strides.common(atoms)) % given.element.size else given.element


def _as_copied(m: SymbolicMachine, obj: StateOfMemoryObject, position: int, given: SymexLayout) -> None:
    """Give ``obj`` the type ``given``, or an array of it or of its elements, if one can begin at ``position``."""
    if position == 0 and obj.layout.size == given.size:
        obj.layout, obj.untyped = given, False
        return
    element = given if given.element is None else given.element
    if element.size and obj.layout.size % element.size == 0 and position % element.size == 0:
        obj.layout = m.layouts.of(ArrayType(element.type, obj.layout.size // element.size))
        obj.untyped = False


def _edges(
    m: SymbolicMachine,
    found: tuple[Target, ...],
    given: tuple[Target, ...],
    size: Term,
    most: int,
) -> list[int]:
    """The boundaries of the pieces: the ends of every cell that is touched, and of all possible blocks."""
    t = m.t
    edges = {0, most}
    for _, obj, offset in (*found, *given):
        start = t.value[offset]
        if start is None:
            edges |= set(range(0, most, _piece(m, obj, offset)))
            continue
        position = t.signed(start, m.word)
        end = min(position + most, obj.layout.size)
        edges |= {
            place - t.signed(start, m.word) for place in _in_steps(m, _cells(obj, max(position, 0), end))
        }
    if t.value[size] is None:
        possible = m.values.of(size)
        constant, atoms = linear_address(t, size)
        if possible is not None:
            edges |= {n for n in possible if n <= most}
        else:
            step = m.strides.common(atoms) or 1
            edges |= set(range(constant % step, most, step))
    return sorted(edges)


def _cells(obj: StateOfMemoryObject, position: int, end: int) -> Iterator[int]:
    """The places from ``position`` to ``end`` at which a cell of ``obj`` begins, and the first one."""
    while position < end:
        yield position
        cell = obj.layout.cell(position)
        position = cell.offset + cell.size


def _piece(m: SymbolicMachine, obj: StateOfMemoryObject, offset: Term) -> int:
    """The size in bytes of the pieces that all places of a symbolic offset can be cut into."""
    constant, atoms = linear_address(m.t, offset)
    step = m.strides.common(atoms) or 1
    element = obj.layout.element
    cell = obj.layout.cell(constant % step) if constant % step < obj.layout.size else None
    if cell is None or element is None or element.count != 1:
        return 1
    aligned = cell.offset == constant % step and step % cell.size == 0
    return cell.size if aligned else 1


def _read(m: SymbolicMachine, given: tuple[Target, ...], first: int, end: int) -> Term:
    """Read the bytes of a piece; one within a cell is taken as it is, read or not."""
    t = m.t
    result: Term | None = None
    for condition, obj, offset in reversed(given):
        value = _piece_of(m, obj, t.add(offset, t.const(first, m.word)), end - first)
        if result is None:
            result = value
            continue
        chosen = t.ite(condition, value, result)
        if (value in m.unknown or result in m.unknown) and t.value[chosen] is None:
            m.unknown.add(chosen)
        result = chosen
    return t.const(0, 8 * (end - first)) if result is None else result


def _piece_of(m: SymbolicMachine, obj: StateOfMemoryObject, offset: Term, size: int) -> Term:
    start = m.t.value[offset]
    if start is not None and (place := m.t.signed(start, m.word)) >= 0 and place + size <= obj.layout.size:
        cell = obj.layout.cell(place)
        if place + size <= cell.offset + cell.size:
            if m.relevance is not None:
                m.relevance.read(m, obj.base + cell.number, obj.place)
            word, low = memory.raw_memory_cell(m, obj.base + cell.number), 8 * (place - cell.offset)
            if size < cell.size:
                word = addresses.number_of_parts(m, obj, word)
            return memory.memory_word_slice(m, word, low + 8 * size - 1, low)
    return memory.load_symbolic_memory(m, obj, offset, size)


def _write(m: SymbolicMachine, found: tuple[Target, ...], first: int, value: Term, reached: Term) -> None:
    """Write a piece where the block reaches so far."""
    t = m.t
    if reached == FALSE:
        return
    for condition, obj, offset in found:
        here = reached if len(found) == 1 else t.and_(condition, reached)
        at = t.add(offset, t.const(first, m.word))
        start = t.value[at]
        size = t.width[value] // 8
        if start is not None and 0 <= (place := t.signed(start, m.word)) < obj.layout.size:
            cell = obj.layout.cell(place)
            if cell.offset == place and cell.size == size and place + size <= obj.layout.size:
                memory.write_memory_cell(m, obj.base + cell.number, value, here)
                continue
        if here != FALSE:
            memory.store_symbolic_memory(m, obj, at, value, here)
