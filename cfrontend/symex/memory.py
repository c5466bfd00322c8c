"""Memory model: reads and writes of objects and blocks of them, and what is asked of pointers.

A constant offset touches one cell, a symbolic one splits over cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import gcd, prod
from typing import Final, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from cfrontend.effort import CELL, charge_effort
from cfrontend.errors import Location, UnsupportedError
from cfrontend.source.preprocess import LIBRARY
from cfrontend.symex import addresses, pointers, unwritten
from cfrontend.symex.ite_leaves import bit_slice_of_parts, parts_of_tree
from cfrontend.symex.layout import Layout
from cfrontend.symex.linear_addresses import first_offset, linear_address
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.pointers import followed_targets
from cfrontend.symex.state import MemoryObject, Target, WrittenPart
from cfrontend.syntax.types import LONG_DOUBLE, ArrayType, IntType, size_of_type
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace

_UNNAMED: Final = {"<literal>": "a compound literal", "allocated": "a variable-length array"}
"""Automatic objects without a name, by those that we give them."""

_CHAIN = 4
"""Maximum number of cells compared one by one; among more, the bits of the index select by a binary tree."""

_SELECTED: Final[WeakKeyDictionary[Terms, dict[tuple[Term, ...], Term]]] = WeakKeyDictionary()
"""If-then-else trees of each store by index and cells. A program reads a text in several ways at one position."""


# -- checks -------------------------------------------------------------------------------------------------


def is_valid_range(m: SymbolicMachine, pointer: Term, size: Term, *, write: bool) -> Term:
    """Pointer check: whether ``size`` bytes at ``pointer`` lie inside one live object, or are none.

    Where it is asked for, the object may also be written.
    """
    t, word, value, known = m.t, m.word, m.t.value[pointer], m.t.value[size]
    if known == 0:
        return TRUE
    if value is not None and known is not None:
        place = m.objects.at(value)
        if place is None or (write and not place[0].writable):
            return FALSE
        if place[0].limit is None and not (write and _written_parts(m)):
            fits = 0 <= place[1] <= place[0].layout.size - known
            return m.alive(place[0]) if fits else FALSE
    result = FALSE if known is not None else t.eq(size, t.const(0, word))
    for condition, obj, offset in followed_targets(m, pointer):
        if write and not obj.writable:
            continue
        fine = m.alive_where(condition, obj)
        if known is not None:
            fine = t.and_(fine, _in_bounds(m, obj, offset, known))
        else:
            room = t.const(obj.layout.size, word) if obj.limit is None else obj.limit
            fine = t.and_(fine, t.and_(t.ule(offset, room), t.ule(size, t.sub(room, offset))))
        if write:
            fine = t.and_(fine, _in_written_part(m, obj, offset, size))
        result = t.or_(result, t.and_(condition, fine))
    return result


def objection_to_access(m: SymbolicMachine, pointer: Term, *, write: bool) -> str:
    """Why the object at a constant ``pointer`` cannot be accessed, in words.

    It has ended, is not to be written, or not behind the part that a call of the library names.
    """
    value = m.t.value[pointer]
    place = None if value is None else m.objects.at(value)
    if place is None:
        return ""
    obj = place[0]
    if m.alive(obj) == FALSE:
        name = "a temporary" if obj.name.startswith("$") else _UNNAMED.get(obj.name, obj.name)
        return f"the lifetime of {name} has ended" if obj.automatic else ""
    if write and not obj.writable:
        return f"{obj.name} is const" if obj.made_by else ""
    is_within = write and 0 <= place[1] < obj.layout.size
    is_given = any(number == obj.number for _, number, _, room in _written_parts(m) if room is not None)
    return "what is written goes on behind the member or row that is named" if is_within and is_given else ""


def _written_parts(m: SymbolicMachine) -> tuple[WrittenPart, ...]:
    """The parts of objects that the library function which is executed may write to, where that is not all of them."""
    return () if m.frame is None else m.frame.written


def _in_written_part(m: SymbolicMachine, obj: MemoryObject, offset: Term, size: Term) -> Term:
    """Member check: a library function that was given parts of an object writes ``size`` bytes inside one of them."""
    t = m.t
    is_given, fits = FALSE, FALSE
    for condition, number, start, room in _written_parts(m):
        if number == obj.number:
            is_given = t.or_(is_given, condition)
            inside = TRUE
            if room is not None:
                within, bytes_ = t.sub(offset, start), t.const(room, m.word)
                inside = t.and_(t.ule(size, bytes_), t.ule(within, t.sub(bytes_, size)))
            fits = t.or_(fits, t.and_(condition, inside))
    return t.or_(t.not_(is_given), fits)


def is_valid_string(
    m: SymbolicMachine, pointer: Term, most: Term | None, *, width: int, or_null: bool
) -> Term:
    """Pointer check of a string: a zero at ``pointer`` or behind it in its object, or room for ``most`` characters.

    A negative ``most`` is no limit; a character has ``width`` bytes; ``or_null`` admits a null pointer.
    """
    t = m.t
    result = t.eq(pointer, t.const(0, m.word)) if or_null else FALSE
    if most is not None:
        size = t.mul(t.sext(most, m.word) if t.width[most] < m.word else most, t.const(width, m.word))
        room = is_valid_range(m, pointer, size, write=False)
        result = t.or_(result, t.and_(t.not_(t.slt(most, t.const(0, t.width[most]))), room))
    for condition, obj, offset in followed_targets(m, pointer):
        if result == TRUE:
            break
        here = t.and_(condition, t.not_(result))
        fine = m.under((here, None), _ends, m, obj, offset, width)
        result = t.or_(result, t.and_(condition, fine))
    return result


def _ends(m: SymbolicMachine, obj: MemoryObject, offset: Term, width: int) -> Term:
    """The condition under which an object lives, and a character in it at ``offset`` or behind it is zero."""
    t, lives = m.t, m.alive(obj)
    known = t.value[offset]
    first = 0 if known is None else t.signed(known, m.word)
    step = 1 if known is None else width
    result = FALSE
    for n in range(first if first >= 0 else obj.layout.size, obj.layout.size - width + 1, step):
        behind = _in_room(m, offset, n)
        if step != width:
            apart = t.sub(t.const(n, m.word), offset)
            behind = t.and_(behind, t.eq(t.urem(apart, t.const(width, m.word)), t.const(0, m.word)))
        if obj.limit is not None:
            behind = t.and_(behind, t.ule(t.const(n + width, m.word), obj.limit))
        if behind == FALSE:
            continue
        here = t.and_(behind, t.not_(result))  # behind the first zero nothing is read
        zero = t.eq(m.under((here, None), load_at, m, obj, n, width), t.const(0, 8 * width))
        result = t.or_(result, t.and_(behind, zero))
        if result == TRUE:
            break
    return t.and_(lives, result)


def _in_bounds(m: SymbolicMachine, obj: MemoryObject, offset: Term, size: int) -> Term:
    """Bounds check: ``0 <= offset <= size of the object - size``."""
    t = m.t
    if obj.limit is not None:
        end = t.add(offset, t.const(size, m.word))
        fixed = replace(obj, limit=None)
        return t.and_(_in_bounds(m, fixed, offset, size), t.ule(end, obj.limit))
    return _in_room(m, offset, obj.layout.size - size)


def _in_room(m: SymbolicMachine, offset: Term, room: int) -> Term:
    """Interval check: ``0 <= offset <= room``."""
    t = m.t
    if room < 0:
        return FALSE
    value = t.value[offset]
    if value is not None:
        return t.bool_const(value <= room)
    total = linear_address(t, offset)
    step = m.strides.common(total[1])
    first = first_offset(total, step, m.word) if step else total[0]
    if not step or first > room:
        return t.ule(offset, t.const(room, m.word))
    index = m.strides.scaled(total, first, step, m.word)
    return t.ult(index, t.const((room - first) // step + 1, m.word))


# -- constant offsets ----------------------------------------------------------------------------------------


def load_at(m: SymbolicMachine, obj: MemoryObject, offset: int, size: int, *, sees: bool = True) -> Term:
    """Load ``size`` bytes at a constant offset, put together from cells where they do not match one.

    Of a cell that was never written only the bytes that are asked for count as read. ``sees``: whether a part of a
    pointer counts as seen (``cfrontend.symex.addresses``).
    """
    if offset < 0 or offset + size > obj.layout.size:
        return m.t.const(0, 8 * size)
    if obj.untyped:
        give_type(m, obj, size)
    cell = obj.layout.cell(offset)
    if cell.offset == offset and cell.size == size:
        if sees and obj.has_parts and 8 * size != m.word:
            addresses.note_address(m)
        return unwritten.read_cell(m, obj.base + cell.number)
    result: Term | None = None
    position, end = offset, offset + size
    while position < end:
        cell = obj.layout.cell(position)
        last = min(cell.offset + cell.size, end)
        low = 8 * (position - cell.offset)
        if m.relevance is not None:
            m.relevance.read(m, obj.base + cell.number, obj.place)
        whole = raw_cell(m, obj.base + cell.number)
        if sees:
            whole = addresses.number_of_word(m, whole)
        part = word_slice(m, whole, 8 * (last - cell.offset) - 1, low)
        result = part if result is None else joined_words(m, part, result)
        position = last
    assert result is not None
    return unwritten.note_read(m, result) if result in m.unknown else result


def store_at(m: SymbolicMachine, obj: MemoryObject, offset: int, value: Term, condition: Term) -> None:
    """Store at a constant offset where ``condition`` holds."""
    t = m.t
    size = t.width[value] // 8
    if offset < 0 or offset + size > obj.layout.size:
        return
    if obj.untyped:
        give_type(m, obj, size)
    position, end = offset, offset + size
    while position < end:
        cell = obj.layout.cell(position)
        last = min(cell.offset + cell.size, end)
        if cell.size != size or last - position < size:
            value = addresses.number_of_parts(m, obj, value)
        part = word_slice(m, value, 8 * (last - offset) - 1, 8 * (position - offset))
        key = obj.base + cell.number
        if last - position < cell.size:
            part = _inserted(m, key, part, position - cell.offset)
        write_cell(m, key, part, condition)
        position = last


def give_type(m: SymbolicMachine, obj: MemoryObject, size: int) -> None:
    """Give an object of unknown type cells of the size it is first accessed with."""
    obj.untyped = False
    total = obj.layout.size
    if size == 10 and total % size_of_type(LONG_DOUBLE, m.layouts.structs) == 0:
        obj.layout = m.layouts.of(
            ArrayType(LONG_DOUBLE, total // size_of_type(LONG_DOUBLE, m.layouts.structs))
        )
    elif size in (2, 4, 8) and total % size == 0:
        word = IntType(f"unsigned {8 * size}-bit word", 8 * size, False, 9)
        obj.layout = m.layouts.of(ArrayType(word, total // size))


def object_size_at(m: SymbolicMachine, pointer: Term) -> Term:
    """The size in bytes of the object that ``pointer`` points into, 0 for none."""
    t = m.t
    result = t.const(0, m.word)
    for condition, obj, _ in followed_targets(m, pointer):
        size = t.const(obj.layout.size, m.word) if obj.limit is None else obj.limit
        result = t.ite(condition, size, result)
    return result


def is_freeable(m: SymbolicMachine, pointer: Term) -> Term:
    """Whether ``pointer`` is null or the start of a live allocated object."""
    t = m.t
    result = t.eq(pointer, t.const(0, m.word))
    for condition, obj, offset in followed_targets(m, pointer):
        if obj.allocated:
            start = t.and_(m.alive_where(condition, obj), t.eq(offset, t.const(0, m.word)))
            result = t.or_(result, t.and_(condition, start))
    return result


def end_pointed_objects(m: SymbolicMachine, pointer: Term, *, automatic: bool = False) -> None:
    """End the lifetime of the allocated (or ``automatic``) object that ``pointer`` points to."""
    for condition, obj, _ in followed_targets(m, pointer):
        if obj.automatic if automatic else obj.allocated:
            if m.frame is not None:
                m.reserve(m.frame, -obj.reserved, obj.location)
                obj.reserved = 0
            addresses.note_end_of_object(m, obj, m.t.and_(m.path.term, condition))
            m.writes[obj.base - 1] = m.t.and_(m.alive_where(condition, obj), m.t.not_(condition))
            if m.relevance is not None:
                m.relevance.wrote(m, obj.base - 1, condition, None)


def _inserted(m: SymbolicMachine, key: int, part: Term, offset: int) -> Term:
    """The cell with some of its bytes replaced; the others do not count as read."""
    t = m.t
    old = raw_cell(m, key)
    leads = addresses.leads_somewhere(m, old)
    if leads and m.objects.is_placed:
        old = addresses.number_of_pointer(m, old)
    if m.relevance is not None:
        m.relevance.keeps(key)
    low, high = 8 * offset, 8 * offset + t.width[part]
    if low:
        part = joined_words(m, part, word_slice(m, old, low - 1, 0))
    if high < t.width[old]:
        part = joined_words(m, word_slice(m, old, t.width[old] - 1, high), part)
    if leads:
        m.objects.changed.add(part)
    return part


def word_slice(m: SymbolicMachine, word: Term, high: int, low: int) -> Term:
    """A bit slice of a word, unread where these bits of it are."""
    if word not in m.unknown:
        return m.t.extract(word, high, low)
    bits = bit_slice_of_parts(m.t, word, high, low, m.unknown)
    mark_unread(m, bits)
    return bits


def mark_unread(m: SymbolicMachine, word: Term) -> bool:
    """Mark a word, some part of which was never written, as unread, with all words on the way to that part.

    The nested choices share their parts, so each word is looked at once for the whole encoding: what was found
    to be written stays so.
    """
    found = parts_of_tree(m.t, word, lambda a: a not in m.unknown and a not in m.written)
    for a in sorted(found):  # arguments before their users
        (m.written if m.unknown.isdisjoint(found[a]) else m.unknown).add(a)
    return word in m.unknown


def joined_words(m: SymbolicMachine, high: Term, low: Term) -> Term:
    """The concatenation of two parts of a word, unread where one of them is."""
    word = m.t.concat(high, low)
    if (high in m.unknown or low in m.unknown) and m.t.value[word] is None:
        mark_unread(m, word)  # the choices of both parts may have become one of joined parts
        m.unknown.add(word)
    return word


def write_cell(m: SymbolicMachine, key: int, value: Term, condition: Term) -> None:
    """Write one cell where ``condition`` holds."""
    if m.relevance is not None:
        m.relevance.wrote(m, key, condition, m.objects.place_at(key))
    if condition == TRUE:
        m.writes[key] = value
        return
    old = raw_cell(m, key)
    result = m.t.ite(condition, value, old)
    if (old in m.unknown or value in m.unknown) and m.t.op[result] != T.CONST:
        m.unknown.add(result)
    m.writes[key] = result


def raw_cell(m: SymbolicMachine, key: int) -> Term:
    """The value of a cell for copying: nothing counts as read."""
    value = m.overlay.lookup(key)
    if value is None:
        value = m.default_of(key)
        assert value is not None
    return value


# -- paths into objects --------------------------------------------------------------------------------------


def load_path(m: SymbolicMachine, obj: MemoryObject, offset: int, steps: Sequence[Step], size: int) -> Term:
    """Load ``size`` bytes at ``offset`` and then along ``steps``, whose indices are known to be in range."""
    return _load_along(m, obj, offset, followed_steps(m, steps, TRUE), size)


def _load_along(m: SymbolicMachine, obj: MemoryObject, offset: int, steps: Sequence[Step], size: int) -> Term:
    """Load along ``steps``, of which all elements are followed."""
    offset, steps = _behind_known_steps(m, offset, steps)
    if not steps:
        return load_at(m, obj, offset, size)
    (index, stride, length), rest = steps[0], steps[1:]
    if length is None:
        return load_symbolic(m, obj, flat_offset(m, offset, steps), size)

    def element(number: int) -> Term:
        at = offset + number * stride
        return _load_along(m, obj, at, rest, size) if rest else load_at(m, obj, at, size)

    if 0 < m.t.choices(index) <= LISTED:
        return _load_chosen(m, index, element)
    low = _low_bits(m, index, length)
    return _select(m, low, [m.under((low, k), element, k) for k in range(length)])


def _load_chosen(m: SymbolicMachine, index: Term, load: Callable[[int], Term]) -> Term:
    """Load at each of the few constants that ``index`` is one of."""
    t = m.t
    loaded: dict[Term, Term] = {}
    for leaf in _leaves(m, index):
        chosen = t.value[leaf] or 0
        loaded[leaf] = m.under((index, chosen), load, t.signed(chosen, m.word))
    return t.map_choices(index, loaded.__getitem__)


def _behind_known_steps(m: SymbolicMachine, offset: int, steps: Sequence[Step]) -> tuple[int, Sequence[Step]]:
    """The offset behind the first steps of a path, whose indices are constants, and the steps from there."""
    for n, (index, stride, _) in enumerate(steps):
        known = m.t.value[index]
        if known is None:
            return offset, steps[n:]
        offset += m.t.signed(known, m.word) * stride
    return offset, ()


def store_path(
    m: SymbolicMachine,
    obj: MemoryObject,
    offset: int,
    steps: Sequence[Step],
    value: Term,
    condition: Term = TRUE,
) -> None:
    """Store along a path where ``condition`` holds."""
    _store_along(m, obj, offset, followed_steps(m, steps, condition), value, condition)


def _store_along(
    m: SymbolicMachine,
    obj: MemoryObject,
    offset: int,
    steps: Sequence[Step],
    value: Term,
    condition: Term,
) -> None:
    """Store along ``steps``, of which all elements are followed, where ``condition`` holds."""
    t = m.t
    offset, steps = _behind_known_steps(m, offset, steps)
    if not steps:
        store_at(m, obj, offset, value, condition)
        return
    (index, stride, length), rest = steps[0], steps[1:]
    if length is None:
        store_symbolic(m, obj, flat_offset(m, offset, steps), value, condition)
        return
    if 0 < t.choices(index) <= LISTED:
        places = [(t.signed(t.value[leaf] or 0, m.word), t.eq(index, leaf)) for leaf in _leaves(m, index)]
    else:
        low = _low_bits(m, index, length)
        places = [(k, t.eq(low, t.const(k, t.width[low]))) for k in range(length)]
    for k, chosen in places:
        here = t.and_(condition, chosen)
        if here != FALSE:
            _store_along(m, obj, offset + k * stride, rest, value, here)


def load_through(m: SymbolicMachine, pointer: Term, offset: int, steps: Sequence[Step], size: int) -> Term:
    """Load ``size`` bytes along a path that starts where ``pointer`` points; invalid pointers are excluded."""
    t, value = m.t, m.t.value[pointer]

    def load(obj: MemoryObject, start: Term) -> Term:
        known = t.value[start]
        if known is None:
            return load_symbolic(m, obj, t.add(start, flat_offset(m, offset, steps)), size)
        return load_path(m, obj, t.signed(known, m.word) + offset, steps, size)

    if value is not None:
        place = m.objects.at(value)
        return (
            t.const(0, 8 * size) if place is None else load_path(m, place[0], place[1] + offset, steps, size)
        )
    result: Term | None = None
    found = followed_targets(m, pointer)
    for condition, obj, start in reversed(found):
        here = m.under((condition if len(found) > 1 else TRUE, None), load, obj, start)
        result = here if result is None else t.ite(condition, here, result)
    return t.const(0, 8 * size) if result is None else result


def store_through(m: SymbolicMachine, pointer: Term, offset: int, steps: Sequence[Step], value: Term) -> None:
    """Store along a path that starts where ``pointer`` points."""
    t = m.t
    constant = t.value[pointer]
    if constant is not None:
        place = m.objects.at(constant)
        if place is not None:
            store_path(m, place[0], place[1] + offset, steps, value, TRUE)
        return
    found = followed_targets(m, pointer)
    for condition, obj, start in found:
        here = TRUE if len(found) == 1 else condition
        known = t.value[start]
        if known is None:
            store_symbolic(m, obj, t.add(start, flat_offset(m, offset, steps)), value, here)
        else:
            store_path(m, obj, t.signed(known, m.word) + offset, steps, value, here)


def flat_offset(m: SymbolicMachine, offset: int, steps: Sequence[Step]) -> Term:
    """The byte offset of a path as one term."""
    t = m.t
    result = t.const(offset, m.word)
    for index, stride, _ in steps:
        result = t.add(t.mul(index, t.const(stride, m.word)), result)
    return result


def _low_bits(m: SymbolicMachine, index: Term, length: int) -> Term:
    """The bits of an index that tell ``length`` elements apart."""
    return m.t.extract(index, max(1, (length - 1).bit_length()) - 1, 0)


# -- followed elements: which elements of an array a symbolic index ranges over ------------------------------------

#   a[i] = 1;    with char a[100000] and any i    ->    i < 4096, and what accesses others leaves the bound
#
# Each element costs work in each access, so the accesses of an encoding share a number of elements; those that come
# when it is used up follow fewer.

Step: TypeAlias = tuple[Term, int, int | None]
"""Array index step of a path: (index as a word, bytes of an element, number of elements or None)."""

LISTED: Final = 64
"""Maximum number of constants that an offset may be one of, to be split into its if-then-else leaves."""

_LARGEST_ARRAY: Final = 1 << 16
"""Maximum number of elements of an array that a symbolic index ranges over; in larger arrays fewer are followed."""

_FOLLOWED: Final = 1 << 12
"""Number of first elements that a symbolic index follows in an array that is larger; those behind leave the bound."""

_ALL_ACCESSES: Final = 1 << 14
"""Number of elements that all symbolic indices of an encoding range over; those that come then follow fewer."""

_FOLLOWED_THEN: Final = 1 << 8
"""Number of first elements that a symbolic index follows then, while they all range over half as many more."""

_FOLLOWED_LAST: Final = 1 << 6
"""Number of first elements that a symbolic index follows when these are used up, too."""

_LARGEST_ROOM: Final = 1 << 12
"""Maximum bytes of an array of the library models that a symbolic index ranges over; only those of files are larger."""

_FOLLOWED_IN_ROOM: Final = 1 << 8
"""Number of first bytes that a symbolic index follows in a larger array of the library models."""

_ROUNDING: Final = 1e-9
"""Tolerance for the rounding error of a root of a number of elements."""


def followed_steps(m: SymbolicMachine, steps: Sequence[Step], condition: Term) -> Sequence[Step]:
    """The index steps limited to the followed elements: the first ones of large arrays, as many in each dimension."""
    t = m.t
    open_lengths = {
        n: length
        for n, (index, _, length) in enumerate(steps)
        if length is not None and t.value[index] is None and not 0 < t.choices(index) <= LISTED
    }
    total = prod(open_lengths.values())
    left = _followed_elements(m, total)
    if left == total:
        return steps
    limited = list(steps)
    for done, (n, length) in enumerate(sorted(open_lengths.items(), key=lambda item: item[1])):
        most = max(1, int(left ** (1 / (len(open_lengths) - done)) + _ROUNDING))
        left //= min(length, most)
        if length > most:
            index, stride, _ = steps[n]
            limited[n] = (index, stride, _least(m, index, most, condition))
    return limited


def _followed_elements(m: SymbolicMachine, count: int) -> int:
    """How many of the ``count`` elements that a symbolic index can mean it follows."""
    if count <= _FOLLOWED_THEN:
        return count
    if m.ranged_elements < _ALL_ACCESSES:
        followed = count if count <= _LARGEST_ARRAY else _FOLLOWED
        m.ranged_elements += followed
        m.fully_ranged_elements = m.ranged_elements
        return followed
    if m.ranged_elements >= m.fully_ranged_elements + _ALL_ACCESSES // 2:
        return _FOLLOWED_LAST
    m.ranged_elements += _FOLLOWED_THEN
    return _FOLLOWED_THEN


def _least(m: SymbolicMachine, index: Term, most: int, condition: Term) -> int:
    """The limit ``most``, where the bound cuts executions that access no element before that number."""
    t = m.t
    guards = [decider for decider, chosen in m.deciders if chosen is None]
    behind = t.all_of([condition, *guards, t.not_(t.ult(index, t.const(most, t.width[index])))])
    m.cut_where(behind, m.here() or Location("", 0))
    return most


def followed_count(m: SymbolicMachine, index: Term, count: int, condition: Term, *, of_library: bool) -> int:
    """How many of ``count`` elements ``index`` follows where ``condition`` holds; others are beyond the bound."""
    if of_library and count > _LARGEST_ROOM:
        return _least(m, index, _FOLLOWED_IN_ROOM, condition)
    followed = _followed_elements(m, count)
    return count if followed == count else _least(m, index, followed, condition)


# -- symbolic offsets ----------------------------------------------------------------------------------------


def load_symbolic(m: SymbolicMachine, obj: MemoryObject, offset: Term, size: int) -> Term:
    """Load ``size`` bytes at a symbolic offset; what is out of bounds has been excluded before."""
    t = m.t
    value = t.value[offset]
    if value is not None:
        return load_at(m, obj, t.signed(value, m.word), size)
    if 0 < t.choices(offset) <= LISTED:
        return _load_chosen(m, offset, lambda at: load_at(m, obj, at, size))
    index, places = _places(m, obj, offset, size, TRUE)
    charge_effort(CELL * len(places))
    cells = _written_cells(m, obj, places, size)
    if cells is None:
        cells = [(n, m.under((index, n), load_at, m, obj, at, size)) for n, at in places]
    if not cells:
        return t.const(0, 8 * size)
    if len(cells) == cells[-1][0] + 1:
        return _select(m, _low_bits(m, index, len(cells)), [cell for _, cell in cells])
    result = cells[-1][1]
    for n, cell in reversed(cells[:-1]):
        result = t.ite(t.eq(index, t.const(n, m.word)), cell, result)
    return result


def _written_cells(
    m: SymbolicMachine, obj: MemoryObject, places: Sequence[tuple[int, int]], size: int
) -> list[tuple[int, Term]] | None:
    """The values of the cells at ``places``, read at once; None where that is not all there is to reading one."""
    if m.relevance is not None or obj.untyped:
        return None
    cell_at, lookup, unwritten, base = obj.layout.cell, m.overlay.lookup, m.unknown, obj.base
    cells: list[tuple[int, Term]] = []
    for n, at in places:
        cell = cell_at(at)
        value = lookup(base + cell.number)
        if cell.offset != at or cell.size != size or value is None or value in unwritten:
            return None
        cells.append((n, value))
    return cells


def store_symbolic(m: SymbolicMachine, obj: MemoryObject, offset: Term, value: Term, condition: Term) -> None:
    """Store at a symbolic offset where ``condition`` holds."""
    t = m.t
    known = t.value[offset]
    if known is not None:
        store_at(m, obj, t.signed(known, m.word), value, condition)
        return
    if 0 < t.choices(offset) <= LISTED:
        ways = ((t.signed(t.value[leaf] or 0, m.word), t.eq(offset, leaf)) for leaf in _leaves(m, offset))
    else:
        index, places = _places(m, obj, offset, t.width[value] // 8, condition)
        low = _low_bits(m, index, places[-1][0] + 1 if places else 1)
        ways = ((at, t.eq(low, t.const(n, t.width[low]))) for n, at in places)
    for at, chosen in ways:
        here = t.and_(condition, chosen)
        if here != FALSE:
            store_at(m, obj, at, value, here)


def _leaves(m: SymbolicMachine, tree: Term) -> list[Term]:
    """The distinct constants of an if-then-else tree, in order."""
    inner = parts_of_tree(m.t, tree)
    leaves = {leaf for parts in inner.values() for leaf in parts if leaf not in inner}
    return sorted(leaves, key=lambda leaf: m.t.value[leaf] or 0)


def _places(
    m: SymbolicMachine, obj: MemoryObject, offset: Term, size: int, condition: Term
) -> tuple[Term, list[tuple[int, int]]]:
    """An index as a word and the (index, byte offset) pairs that a symbolic offset can mean inside the object."""
    t = m.t
    total = linear_address(t, offset)
    step = m.strides.common(total[1]) or 1
    first = first_offset(total, step, m.word)
    count = (obj.layout.size - size - first) // step + 1
    index = m.strides.scaled(total, first, step, m.word)
    values = m.values.of(index)
    if values is None:
        of_library = obj.location.file.startswith(LIBRARY)
        count = followed_count(m, index, count, condition, of_library=of_library)
    numbers = range(count) if values is None else sorted(v for v in values if v < count)
    return index, [(n, first + n * step) for n in numbers]


def _select(m: SymbolicMachine, index: Term, cells: list[Term]) -> Term:
    """The if-then-else tree of ``cells[index]``; the last cell where the index has none."""
    t = m.t
    width = t.width[index]
    if len(cells) <= _CHAIN:
        result = cells[-1]
        for n in range(len(cells) - 2, -1, -1):
            result = t.ite(t.eq(index, t.const(n, width)), cells[n], result)
        return result
    known = _SELECTED.setdefault(t, {})
    key = (index, *cells)
    selected = known.get(key)
    if selected is not None:
        return selected
    level = cells
    for bit in range(width):
        upper = t.eq(t.extract(index, bit, bit), t.const(1, 1))
        level = [
            t.ite(upper, level[n + 1], level[n]) if n + 1 < len(level) else level[n]
            for n in range(0, len(level), 2)
        ]
    known[key] = level[0]
    return level[0]


# -- block copy and fill -------------------------------------------------------------------------------------------

# Cell by cell: a pointer stays a pointer and nothing counts as read (memcpy, memset).
#
#   copy(m, &a, &b, 16)   with a, b of type struct { int n; char *p; }   ->   a.n = b.n, the padding, a.p = b.p
#
# A block whose place or size depends on inputs is cut into pieces of the size that all its possible places share.

_PIECES: Final = 256
"""Pieces of a block that are one step of the execution: between two steps it can be stopped."""

_PIECE: Final = 10_000
"""Effort of looking at a piece of a block, of which each is found, read and written."""

_Piece = TypeVar("_Piece")


def copy_block(m: SymbolicMachine, target: Term, source: Term, size: Term) -> None:
    """Copy ``size`` bytes from ``source`` to ``target``; what does not fit has been excluded before."""
    found, given = pointers.followed_targets(m, target), pointers.followed_targets(m, source)
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


def fill_block(m: SymbolicMachine, target: Term, byte: Term, size: Term) -> None:
    """Fill ``size`` bytes at ``target`` with the lowest byte of ``byte``."""
    t = m.t
    found = pointers.followed_targets(m, target)
    most = _most(m, size, found, ())
    if not most:
        return
    for _, obj, _ in found:
        if obj.untyped:
            give_type(m, obj, 8)
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


def _layout_from(m: SymbolicMachine, given: Layout, start: Term) -> Layout | None:
    """The layout of what begins at ``start``: of all, or of the elements if one begins there."""
    if m.t.value[start] == 0:
        return given
    if given.element is None or not given.element.size:
        return None
    constant, atoms = linear_address(m.t, start)
    return None if gcd(constant, m.strides.common(atoms)) % given.element.size else given.element


def _as_copied(m: SymbolicMachine, obj: MemoryObject, position: int, given: Layout) -> None:
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


def _cells(obj: MemoryObject, position: int, end: int) -> Iterator[int]:
    """The places from ``position`` to ``end`` at which a cell of ``obj`` begins, and the first one."""
    while position < end:
        yield position
        cell = obj.layout.cell(position)
        position = cell.offset + cell.size


def _piece(m: SymbolicMachine, obj: MemoryObject, offset: Term) -> int:
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


def _piece_of(m: SymbolicMachine, obj: MemoryObject, offset: Term, size: int) -> Term:
    start = m.t.value[offset]
    if start is not None and (place := m.t.signed(start, m.word)) >= 0 and place + size <= obj.layout.size:
        cell = obj.layout.cell(place)
        if place + size <= cell.offset + cell.size:
            if m.relevance is not None:
                m.relevance.read(m, obj.base + cell.number, obj.place)
            word, low = raw_cell(m, obj.base + cell.number), 8 * (place - cell.offset)
            if size < cell.size:
                word = addresses.number_of_parts(m, obj, word)
            return word_slice(m, word, low + 8 * size - 1, low)
    return load_symbolic(m, obj, offset, size)


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
                write_cell(m, obj.base + cell.number, value, here)
                continue
        if here != FALSE:
            store_symbolic(m, obj, at, value, here)


# -- CBMC's pointer predicates: the target of a pointer, and whether it can be accessed ----------------------------

# A pointer that is an input, or a number, points nowhere that is known: the question is refused.

Primitive: TypeAlias = Callable[..., Term]
"""Pointer predicate or function of (machine, pointers and sizes …), which gives a Boolean or a word."""


def _accessible(m: SymbolicMachine, pointer: Term, size: Term) -> Term:
    """Accessibility: whether ``size`` bytes, or none, lie inside one live object.

    CBMC does not ask whether they can be written.
    """
    t, result = m.t, FALSE
    for condition, obj, offset in _targets_of(m, pointer, or_null=True):
        room = t.const(obj.layout.size, m.word) if obj.limit is None else obj.limit
        fits = t.and_(t.ule(offset, room), t.ule(size, t.sub(room, offset)))
        result = t.or_(result, t.all_of((condition, m.alive_where(condition, obj), fits)))
    return result


def _is_dynamic(m: SymbolicMachine, pointer: Term) -> Term:
    """Whether the target object was allocated by ``malloc`` and its kin, or by ``alloca``."""
    places = _targets_of(m, pointer, or_null=True)
    return m.t.any_of(condition for condition, obj, _ in places if obj.allocated or obj.made_by == "alloca")


def _same_object(m: SymbolicMachine, one: Term, other: Term) -> Term:
    """Whether both pointers point into one object, or both are null."""
    return m.t.eq(_pointer_object(m, one), _pointer_object(m, other))


def _object_size(m: SymbolicMachine, pointer: Term) -> Term:
    """The size in bytes of the target object, dead or alive."""
    _targets_of(m, pointer, or_null=False)
    return object_size_at(m, pointer)


def _pointer_object(m: SymbolicMachine, pointer: Term) -> Term:
    """The number of the target object, 0 for null."""
    return _of_target(m, pointer, lambda obj, _: m.t.const(obj.number, m.word))


def _pointer_offset(m: SymbolicMachine, pointer: Term) -> Term:
    """The offset of the pointer in bytes from the start of its target object, 0 for null."""
    return _of_target(m, pointer, lambda _, offset: offset)


def _of_target(m: SymbolicMachine, pointer: Term, word: Callable[[MemoryObject, Term], Term]) -> Term:
    result = m.t.const(0, m.word)
    for condition, obj, offset in _targets_of(m, pointer, or_null=True):
        result = m.t.ite(condition, word(obj, offset), result)
    return result


def _targets_of(m: SymbolicMachine, pointer: Term, *, or_null: bool) -> tuple[Target, ...]:
    """The targets of a pointer. Raises UnsupportedError for one that may lead nowhere (but for null, ``or_null``)."""
    t = m.t
    found = pointers.targets_of(m, pointer)
    somewhere = t.any_of(condition for condition, _, _ in found)
    if or_null:
        somewhere = t.or_(somewhere, t.eq(pointer, t.const(0, m.word)))
    if somewhere != TRUE and not _is_led(m, pointer, or_null=or_null):
        message = "a question about a pointer that leads to no known object is not supported yet"
        raise UnsupportedError(message, m.here())
    return found


def _is_led(m: SymbolicMachine, pointer: Term, *, or_null: bool) -> bool:
    """Whether each leaf of a pointer has an object."""
    t = m.t
    seen: set[Term] = set()
    waiting = [pointer]
    while waiting:
        a = waiting.pop()
        if a in seen:
            continue
        seen.add(a)
        if t.op[a] == T.ITE:
            waiting += t.args[a][1:]
        elif not (or_null and t.value[a] == 0):
            found = pointers.targets_of(m, a)
            if t.any_of(condition for condition, _, _ in found) != TRUE:
                return False
    return True


POINTER_TESTS: Final[Mapping[str, Primitive]] = {
    "__CPROVER_r_ok": _accessible,
    "__CPROVER_w_ok": _accessible,
    "__CPROVER_rw_ok": _accessible,
    "__CPROVER_DYNAMIC_OBJECT": _is_dynamic,
    "__CPROVER_same_object": _same_object,
}
"""Pointer predicates by name: functions with a truth value."""

POINTER_WORDS: Final[Mapping[str, Primitive]] = {
    "__CPROVER_OBJECT_SIZE": _object_size,
    "__CPROVER_POINTER_OBJECT": _pointer_object,
    "__CPROVER_POINTER_OFFSET": _pointer_offset,
}
"""Pointer functions by name, which give a number."""
