"""Reading and writing objects: constant offsets touch one cell, symbolic ones choose between cells.

A pointer is a 64-bit word, (object, offset) for a constant; what a symbolic pointer can point to is read off
its term, so a pointer that only ever had one target is a plain access.
"""

from __future__ import annotations

from cfrontend import terms as T  # noqa: N812 - opcode namespace
from cfrontend.symex.linear import Sum, linear, scaled, stride
from cfrontend.symex.machine import BIAS, OFFSET_BITS, Machine, MemoryObject
from cfrontend.terms import FALSE, TRUE, Term

Target = tuple[Term, MemoryObject, Term]
"""(condition, object, 64-bit byte offset)."""

_MASK = (1 << 64) - 1
_CHAIN = 4
"""Up to this many cells are compared one by one; more are chosen by the bits of the index."""


# -- pointers ------------------------------------------------------------------------------------------------


def targets(m: Machine, pointer: Term) -> tuple[Target, ...]:
    """Where a pointer can point, one entry an object; the conditions exclude each other."""
    known = m._targets.get(pointer)  # noqa: SLF001 - the cache lives with the objects it names
    if known is None:
        known = m._targets[pointer] = _find_targets(m, pointer)  # noqa: SLF001
    return known


def _find_targets(m: Machine, pointer: Term) -> tuple[Target, ...]:
    t = m.t
    op = t.op[pointer]
    value = t.value[pointer]
    if value is not None:
        found = m.object_at(value)
        return () if found is None else ((TRUE, found[0], t.const(found[1], 64)),)
    if op == T.ITE:
        c, then, otherwise = t.args[pointer]
        return _either(m, c, targets(m, then), targets(m, otherwise))
    if op not in (T.ADD, T.SUB):
        return ()
    constant, atoms = linear(t, pointer)
    base = m.object_at(constant)
    if base is not None:
        offset = rebuild(m, (base[1] & _MASK, atoms))
        return ((TRUE, base[0], offset),)
    for coefficient, atom in atoms:
        if coefficient == 1 and targets(m, atom):
            rest = rebuild(m, (constant, tuple(pair for pair in atoms if pair[1] != atom)))
            return tuple((c, obj, t.add(offset, rest)) for c, obj, offset in targets(m, atom))
    return ()


def _either(m: Machine, c: Term, one: tuple[Target, ...], two: tuple[Target, ...]) -> tuple[Target, ...]:
    t = m.t
    merged: dict[int, Target] = {obj.number: (t.and_(c, cond), obj, offset) for cond, obj, offset in one}
    not_c = t.not_(c)
    for cond, obj, offset in two:
        here = t.and_(not_c, cond)
        before = merged.get(obj.number)
        if before is None:
            merged[obj.number] = (here, obj, offset)
        else:
            merged[obj.number] = (t.or_(before[0], here), obj, t.ite(c, before[2], offset))
    return tuple(entry for entry in merged.values() if entry[0] != FALSE)


def rebuild(m: Machine, total: Sum) -> Term:
    """The 64-bit term of a sum."""
    t = m.t
    constant, atoms = total
    result = t.const(constant, 64)
    for coefficient, atom in atoms:
        result = t.add(t.mul(atom, t.const(coefficient, 64)), result)
    return result


def valid(m: Machine, pointer: Term, size: int, *, write: bool) -> Term:
    """Whether ``size`` bytes at ``pointer`` lie inside one live object (that may be written)."""
    t = m.t
    result = FALSE
    for condition, obj, offset in targets(m, pointer):
        if write and not obj.writable:
            continue
        fine = t.and_(m.alive(obj), in_bounds(m, obj, offset, size))
        result = t.or_(result, t.and_(condition, fine))
    return result


def in_bounds(m: Machine, obj: MemoryObject, offset: Term, size: int) -> Term:
    """``0 <= offset <= size of the object - size``."""
    t = m.t
    room = obj.layout.size - size
    if room < 0:
        return FALSE
    value = t.value[offset]
    if value is not None:
        return t.bool_const(value <= room)
    total = linear(t, offset)
    step = stride(t, total[1])
    first = total[0] % step if step else total[0]
    if not step or first > room:
        return t.ule(offset, t.const(room, 64))
    index = scaled(t, total, first, step, 64)
    return t.ult(index, t.const((room - first) // step + 1, 64))


def null_or_address(value: int) -> str:
    """A constant pointer for people."""
    if value == 0:
        return "NULL"
    return f"object {value >> OFFSET_BITS} + {(value & ((1 << OFFSET_BITS) - 1)) - BIAS}"


# -- constant offsets ----------------------------------------------------------------------------------------


def load_at(m: Machine, obj: MemoryObject, offset: int, size: int) -> Term:
    """``size`` bytes at a constant offset, put together from cells where they do not match one."""
    if offset < 0 or offset + size > obj.layout.size:
        return m.t.const(0, 8 * size)
    cell = obj.layout.cell(offset)
    if cell.offset == offset and cell.size == size:
        return m.read(obj.base + cell.number)
    result: Term | None = None
    position, end = offset, offset + size
    while position < end:
        cell = obj.layout.cell(position)
        last = min(cell.offset + cell.size, end)
        low = 8 * (position - cell.offset)
        part = m.t.extract(m.read(obj.base + cell.number), 8 * (last - cell.offset) - 1, low)
        result = part if result is None else m.t.concat(part, result)
        position = last
    assert result is not None
    return result


def store_at(m: Machine, obj: MemoryObject, offset: int, value: Term, condition: Term) -> None:
    """Write at a constant offset where ``condition`` holds."""
    t = m.t
    size = t.width[value] // 8
    if offset < 0 or offset + size > obj.layout.size:
        return
    position, end = offset, offset + size
    while position < end:
        cell = obj.layout.cell(position)
        last = min(cell.offset + cell.size, end)
        part = t.extract(value, 8 * (last - offset) - 1, 8 * (position - offset))
        key = obj.base + cell.number
        if last - position < cell.size:
            part = _inserted(m, key, part, position - cell.offset)
        write(m, key, part, condition)
        position = last


def _inserted(m: Machine, key: int, part: Term, offset: int) -> Term:
    """The cell with some of its bytes replaced."""
    t = m.t
    old = m.read(key)
    low, high = 8 * offset, 8 * offset + t.width[part]
    if low:
        part = t.concat(part, t.extract(old, low - 1, 0))
    if high < t.width[old]:
        part = t.concat(t.extract(old, t.width[old] - 1, high), part)
    return part


def write(m: Machine, key: int, value: Term, condition: Term) -> None:
    """Write one cell where ``condition`` holds."""
    if condition == TRUE:
        m.writes[key] = value
        return
    old = raw(m, key)
    result = m.t.ite(condition, value, old)
    if (old in m.unknown or value in m.unknown) and m.t.op[result] != T.CONST:
        m.unknown.add(result)
    m.writes[key] = result


def raw(m: Machine, key: int) -> Term:
    """A cell's value for copying: nothing counts as read."""
    value = m.overlay.lookup(key)
    if value is None:
        value = m._default_of(key)  # noqa: SLF001 - same package, same concern
        assert value is not None
    return value


# -- symbolic offsets ----------------------------------------------------------------------------------------


def load(m: Machine, obj: MemoryObject, offset: Term, size: int) -> Term:
    """``size`` bytes at any offset; what is out of bounds has been excluded before."""
    value = m.t.value[offset]
    if value is not None:
        return load_at(m, obj, m.t.signed(value, 64), size)
    first, step, count, index = _choices(m, obj, offset, size)
    if count <= 0:
        return m.t.const(0, 8 * size)
    cells = [load_at(m, obj, first + n * step, size) for n in range(count)]
    return _select(m, index, cells)


def store(m: Machine, obj: MemoryObject, offset: Term, value: Term, condition: Term) -> None:
    """Write at any offset where ``condition`` holds."""
    t = m.t
    known = t.value[offset]
    if known is not None:
        store_at(m, obj, t.signed(known, 64), value, condition)
        return
    first, step, count, index = _choices(m, obj, offset, t.width[value] // 8)
    width = t.width[index]
    for n in range(count):
        here = t.and_(condition, t.eq(index, t.const(n, width)))
        if here != FALSE:
            store_at(m, obj, first + n * step, value, here)


def _choices(m: Machine, obj: MemoryObject, offset: Term, size: int) -> tuple[int, int, int, Term]:
    """(first offset, step, count, index): the places a symbolic offset can mean inside the object."""
    t = m.t
    total = linear(t, offset)
    step = stride(t, total[1]) or 1
    first = total[0] % step
    count = (obj.layout.size - size - first) // step + 1
    width = max(1, (count - 1).bit_length())
    return first, step, count, scaled(t, total, first, step, width)


def _select(m: Machine, index: Term, cells: list[Term]) -> Term:
    """``cells[index]``; the last cell where the index has none."""
    t = m.t
    width = t.width[index]
    if len(cells) <= _CHAIN:
        result = cells[-1]
        for n in range(len(cells) - 2, -1, -1):
            result = t.ite(t.eq(index, t.const(n, width)), cells[n], result)
        return result
    level = cells
    for bit in range(width):
        upper = t.eq(t.extract(index, bit, bit), t.const(1, 1))
        level = [
            t.ite(upper, level[n + 1], level[n]) if n + 1 < len(level) else level[n] for n in range(0, len(level), 2)
        ]
    return level[0]


def load_pointer(m: Machine, pointer: Term, size: int) -> Term:
    """``size`` bytes where ``pointer`` points; what is invalid has been excluded before."""
    result: Term | None = None
    for condition, obj, offset in reversed(targets(m, pointer)):
        here = load(m, obj, offset, size)
        result = here if result is None else m.t.ite(condition, here, result)
    return m.t.const(0, 8 * size) if result is None else result


def store_pointer(m: Machine, pointer: Term, value: Term) -> None:
    """Write where ``pointer`` points; what is invalid has been excluded before."""
    found = targets(m, pointer)
    for condition, obj, offset in found:
        store(m, obj, offset, value, TRUE if len(found) == 1 else condition)
