"""Numeric values of addresses: where a program sees them, and symbolic ones that hold for every placement of objects.

p = malloc(4); n = (uintptr_t)p;      n is the word of p, or with ``is_placed`` the variable "address of p"

A pointer stays a word of object and offset. Only what is seen of it as a number is its address: a cast to an integer,
a load of it as an integer, a part of its bytes, its order or distance to a pointer into another object, and whether it
equals one that points to an object in whose place the other one may lie (one has ended before the other was made, or
the pointer is behind its end). An encoding by these words notes the places; one with ``is_placed`` has variables there,
each the address of one object, and ``placement`` says what C and the ABI say of them. Converted back to a pointer, such
a number is the word again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final

from cfrontend.errors import Location
from cfrontend.source.contract import HARNESS_FILE, UNDEFINED_FILE
from cfrontend.symex import pointers
from cfrontend.symex.linear_addresses import linear_address
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.paths import decided_on_path
from cfrontend.symex.state import LITERAL, MemoryObject, Target
from cfrontend.symex.unwritten import condition_of_evaluation
from cfrontend.syntax.types import ArrayType, CType, PointerType, alignment_of_type
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.terms.substitute import substitute_values

_PAGE: Final = 1 << 12
"""Number of the lowest bytes of memory in which no object lies."""

_TOP: Final = {64: 1 << 47, 32: (1 << 32) - 1}
"""End of the memory of a process, by bits of a pointer."""

_ALLOCATED: Final = 16
"""Alignment in bytes of allocated memory, and of arrays of at least as many bytes in the ABI."""

_FAR: Final = 1 << 17
"""Distance in bytes behind the start of an object up to which addresses do not wrap around."""

SURROUNDINGS: Final = frozenset({HARNESS_FILE, UNDEFINED_FILE})
"""Files that we write: what is allocated there stands for objects of a caller, or of an undefined function."""

_MOST_PAIRS: Final = 2_000
"""Maximum number of pairs of objects that are said to lie apart."""

_NEAR: Final = 9
"""Bits of an offset, but for those that it may have outside of its object: a constant beyond them is a number."""

_OF_POINTERS: Final = frozenset((T.ITE, T.ADD, T.SUB, T.BAND, T.BOR, T.BXOR, T.ZEXT))
"""Operators of words that are pointers (``cfrontend.symex.pointers``)."""

_SAMPLES: Final = 8
"""Number of random placements in which a number has to be the address of a place, to be a pointer to it."""


# -- where addresses are seen --------------------------------------------------------------------------------


def number_of_pointer(m: SymbolicMachine, pointer: Term) -> Term:
    """The numeric value of a pointer that the program sees."""
    if m.objects.is_placed:
        return _number(m, pointer)
    if not m.is_fixed and (pointers.possible_targets(m, pointer) or _has_place(m, pointer)):
        note_address(m)
    return pointer


def number_of_word(m: SymbolicMachine, word: Term) -> Term:
    """The numeric value of a word that may be a pointer, which the program sees."""
    return number_of_pointer(m, word) if leads_somewhere(m, word) else word


def note_address(m: SymbolicMachine) -> None:
    """Note that the program sees an address as a number here."""
    if m.is_fixed:
        return
    t, seen, here = m.t, m.objects.seen, m.here() or Location("", 0)
    condition = t.and_(m.path.term, condition_of_evaluation(m))
    if decided_on_path(t, m.path, condition) != FALSE:
        seen[here] = t.or_(seen.get(here, FALSE), condition)


def leads_somewhere(m: SymbolicMachine, word: Term) -> bool:
    """Whether a word may be a pointer into an object."""
    if m.is_fixed or m.t.width[word] != m.word:
        return False
    value = m.t.value[word]
    return _has_place(m, word) if value is None else _place(m, value) is not None


def _place(m: SymbolicMachine, value: int) -> tuple[MemoryObject, int] | None:
    """The object and the offset that a constant leads to; None where it is further from any than pointers are."""
    found, near = m.objects.at(value), 1 << (m.objects.offset_bits - _NEAR)
    return found if found is not None and -near <= found[1] <= found[0].layout.size + near else None


def _has_place(m: SymbolicMachine, word: Term) -> bool:
    """Whether a word is made of what may lead to an object: the address of one, or an input that was compared."""
    t = m.t

    def leads(a: Term) -> bool | None:
        if t.value[a] is not None:
            return _place(m, t.value[a] or 0) is not None
        if t.width[a] and t.op[a] in _OF_POINTERS:
            return None
        return a in m.objects.changed or (t.op[a] == T.CONCAT and m.objects.have_parts) or a in m.compared

    return _has_part(t, word, m.objects.leading, leads)


def _has_part(t: Terms, word: Term, known: dict[Term, bool], is_so: Callable[[Term], bool | None]) -> bool:
    """Whether something is so of a word: ``is_so`` says it, or None where it is what is so of any operand."""
    stack = [word]
    while stack:
        a = stack[-1]
        if a in known:
            stack.pop()
        elif (found := is_so(a)) is not None:
            known[a] = found
        elif open_parts := [part for part in t.operands(a) if part not in known]:
            stack += open_parts
        else:
            known[a] = any(known[part] for part in t.operands(a))
    return known[word]


def number_of_parts(m: SymbolicMachine, obj: MemoryObject, word: Term) -> Term:
    """A word that is copied or stored in parts, some of which ``obj`` has: a number where it was a pointer."""
    if not leads_somewhere(m, word):
        return word
    obj.has_parts = True
    if not m.objects.have_parts:
        m.objects.have_parts = True
        m.objects.leading.clear()
    return _number(m, word) if m.objects.is_placed else word


def as_type(m: SymbolicMachine, word: Term, ctype: CType) -> Term:
    """A word that is taken for a value of a type, whatever it was stored or passed as.

    It is a number where it was a pointer, and the other way round.
    """
    if not isinstance(ctype, PointerType):
        return number_of_word(m, word)
    return pointer_of_number(m, word) if m.objects.is_placed else word


def pointer_order(m: SymbolicMachine, one: Term, other: Term) -> tuple[Term, Term]:
    """Words that are ordered, or lie apart, as two pointers do. Library functions look at no order of objects."""
    if m.is_fixed or one == other or _lead_together(m, one, other):
        return one, other
    if m.frame is not None and m.frame.function.source.foreign:
        return one, other
    return number_of_pointer(m, one), number_of_pointer(m, other)


def _lead_together(m: SymbolicMachine, one: Term, other: Term) -> bool:
    """Whether two pointers lead into one object wherever both lead into some; with a constant number, none does."""
    first, second = (pointers.possible_targets(m, pointer) for pointer in (one, other))
    if not first or not second:
        number = m.t.value[other if first else one]
        return number is None or not (first or second)
    return len({obj.number for _, obj, _ in (*first, *second)}) == 1


# -- equality ------------------------------------------------------------------------------------------------


def note_end_of_object(m: SymbolicMachine, obj: MemoryObject, condition: Term) -> None:
    """Note that the lifetime of ``obj`` ends here in executions of which ``condition`` holds.

    What a library function has made before may have its address: ``realloc`` may leave an object where it is.
    """
    if m.is_fixed or condition == FALSE:
        return
    count, frame = m.objects.count, m.frame
    while frame is not None and frame.function.source.foreign:
        count, frame = frame.before, frame.outer
    obj.ends.append((count, condition))
    m.objects.first_end = min(m.objects.first_end, count)


def are_equal_pointers(m: SymbolicMachine, one: Term, other: Term) -> Term:
    """Whether two pointers are equal; one that is an input may from now on lead to where the other leads."""
    pointers.note_comparison_of_inputs(m, one, other)
    t = m.t
    same = t.eq(one, other)
    if same == TRUE or m.is_fixed or 0 in (t.value[one], t.value[other]) or not _may_meet(m, one, other):
        return same
    return t.eq(number_of_pointer(m, one), number_of_pointer(m, other))


def _may_meet(m: SymbolicMachine, one: Term, other: Term) -> bool:
    """Whether two pointers to different objects may have one address in executions that come here."""
    t = m.t
    if _lead_together(m, one, other):
        return False
    first, second = pointers.possible_targets(m, one), pointers.possible_targets(m, other)
    met = t.any_of((*_met(m, first, second), *_met(m, second, first)))
    if met == FALSE:
        return False
    return decided_on_path(t, m.path, t.and_(condition_of_evaluation(m), met)) != FALSE


def _met(m: SymbolicMachine, ones: tuple[Target, ...], others: tuple[Target, ...]) -> Iterator[Term]:
    """The conditions under which the first targets are where the others begin, or have been where they are now."""
    t = m.t
    ended = m.objects.count > m.objects.first_end
    for condition, obj, offset in ones:
        size = t.const(obj.layout.size, m.word) if obj.limit is None else obj.limit
        behind = t.and_(condition, t.eq(offset, size))
        if obj.number in m.functions or (not ended and behind == FALSE):
            continue
        for meanwhile, other, start in others:
            if other is obj or other.number in m.functions:
                continue
            if behind != FALSE:
                yield t.all_of((behind, meanwhile, t.eq(start, t.const(0, m.word))))
            yield t.all_of((condition, meanwhile, _may_share(m, obj, other)))


def _may_share(m: SymbolicMachine, one: MemoryObject, other: MemoryObject) -> Term:
    """The condition under which the second object may lie where the first one has been."""
    if (other.allocated, other.automatic) != (one.allocated, one.automatic):
        return FALSE
    return m.t.any_of(end for count, end in one.ends if count < other.number)


# -- placed objects ------------------------------------------------------------------------------------------


def _start(m: SymbolicMachine, obj: MemoryObject) -> Term:
    """The variable that is the address of the first byte of an object, but for the zeros that its alignment gives."""
    found = m.objects.starts.get(obj.number)
    if found is None:
        t = m.t
        low = _alignment(m, obj).bit_length() - 1
        variable = t.var(f"address of {obj.name}#{obj.number}", m.word)
        start = t.shl(variable, t.const(low, m.word))
        found = m.objects.starts[obj.number] = (variable, start, obj)
        m.objects.depending[variable] = True
    return found[1]


def _alignment(m: SymbolicMachine, obj: MemoryObject) -> int:
    """The alignment of an object in bytes: that of its type at least, and no more where a caller may have made it."""
    ctype = obj.layout.type
    if obj.location.file in SURROUNDINGS:
        return alignment_of_type(ctype, m.layouts.structs)
    is_array = isinstance(ctype, ArrayType) and obj.layout.size >= _ALLOCATED and obj.name != LITERAL
    if obj.allocated or (is_array and m.word == 64):
        return max(_ALLOCATED, obj.alignment)
    if obj.number in m.functions or obj.name == LITERAL:
        return 1
    return max(alignment_of_type(ctype, m.layouts.structs), obj.alignment)


def _number(m: SymbolicMachine, word: Term) -> Term:
    """The word with the address of its object in the place of the object's number, where it is a pointer."""
    t = m.t
    value = t.value[word]
    if value is not None:
        found = _place(m, value)
        return word if found is None else t.add(_start(m, found[0]), t.const(found[1], m.word))
    if t.op[word] == T.ITE:
        condition, then, otherwise = t.args[word]
        return t.ite(condition, _number(m, then), _number(m, otherwise))
    if depends_on_placement(m, word):
        return word
    result = word
    for condition, obj, offset in pointers.possible_targets(m, word):
        result = t.ite(condition, t.add(_start(m, obj), offset), result)
    return result


def depends_on_placement(m: SymbolicMachine, word: Term) -> bool:
    """Whether the address of some object is a part of a word."""
    if not m.objects.starts:
        return False
    return _has_part(m.t, word, m.objects.depending, lambda a: None if m.t.operands(a) else False)


def pointer_of_number(m: SymbolicMachine, word: Term) -> Term:
    """The pointer that a number is: object and offset again, where that is the same in every placement."""
    t = m.t
    if not depends_on_placement(m, word):
        return word
    if t.op[word] == T.ITE:
        condition, then, otherwise = t.args[word]
        return t.ite(condition, pointer_of_number(m, then), pointer_of_number(m, otherwise))
    values = {
        variable: m.objects.address(obj) // _alignment(m, obj)
        for variable, _, obj in m.objects.starts.values()
    }
    constant, atoms = linear_address(t, word)
    if all(atom in values or not depends_on_placement(m, atom) for _, atom in atoms):
        rest = tuple((factor, atom) for factor, atom in atoms if atom not in values)
        constant += sum(factor * values[atom] for factor, atom in atoms if atom in values)
        return pointers.rebuilt_sum(m, (constant, rest))
    pointer = substitute_values(t, word, values)
    return pointer if _leads_there(m, word, pointer) else word


def _leads_there(m: SymbolicMachine, number: Term, pointer: Term) -> bool:
    """Whether a number is the address of the place that ``pointer`` leads to, in random placements on random inputs.

    Numbers are put together from bits and bytes in many ways; of one that is no address, this says so almost surely.
    """
    t, chance = m.t, random.Random(0)  # noqa: S311 - a repeatable choice, no secret
    targets = pointers.possible_targets(m, pointer)
    expected = pointer
    for condition, obj, offset in targets:
        expected = t.ite(condition, t.add(_start(m, obj), offset), expected)
    variables = [a for a in t.cone((number, expected)) if t.op[a] == T.VAR]
    for _ in range(_SAMPLES):
        given = {a: chance.getrandbits(t.width[a] or 1) for a in variables}
        values = evaluate_terms(t, (number, expected), given)
        if values[number] != values[expected]:
            return False
    return bool(targets)


def simpler_number(m: SymbolicMachine, operator: str, one: Term, other: Term, result: Term) -> Term:
    """``result`` of an operator on numbers, without the address of an object where it cancels out.

    So it does in differences and exclusive ors, and in lowest bits and what is left of them: objects are aligned.
    """
    t = m.t
    if not depends_on_placement(m, result):
        return result
    if operator in ("+", "-"):
        return pointers.rebuilt_sum(m, linear_address(t, result)) if t.width[result] == m.word else result
    if operator == "^":
        return _without_pairs(m, result)
    value, width = t.value[other], t.width[one]
    if value is None:
        return result
    last = value - 1 if operator == "%" else min(value, value ^ ((1 << width) - 1))
    constant, atoms = linear_address(t, one)
    step = m.strides.common(atoms) & -m.strides.common(atoms)
    if last & (last + 1) or last >= step:
        return result
    low = t.const(constant & last, width)
    return low if operator == "%" or last == value else t.sub(one, low)


def _without_pairs(m: SymbolicMachine, word: Term) -> Term:
    """An exclusive or without the operands that occur in it twice."""
    t, stack, left = m.t, [word], dict[Term, None]()
    while stack:
        a = stack.pop()
        if t.op[a] == T.BXOR:
            stack += t.args[a]
        elif a in left:
            del left[a]
        else:
            left[a] = None
    result = t.const(0, t.width[word])
    for a in left:
        result = t.bxor(result, a)
    return result


def compared_numbers(m: SymbolicMachine, operator: str, one: Term, other: Term) -> Term | None:
    """``==`` (also for ``!=``), ``<`` or ``<=`` of addresses around one object, or of one and 0; None elsewhere."""
    t = m.t
    if t.width[one] != m.word or not (depends_on_placement(m, one) or depends_on_placement(m, other)):
        return None
    (first, atoms), (second, others) = linear_address(t, one), linear_address(t, other)
    alignments = {variable: _alignment(m, obj) for variable, _, obj in m.objects.starts.values()}
    is_address = len(atoms) == 1 and alignments.get(atoms[0][1]) == atoms[0][0]
    far = [t.signed(constant, m.word) for constant in (first, second)]
    if operator in ("==", "!="):
        if t.value[other] == 0 and is_address and 0 <= far[0] < _FAR:
            return FALSE
        return t.bool_const(first == second) if atoms == others else None
    if atoms != others or not is_address or not all(-_PAGE <= offset < _FAR for offset in far):
        return None
    return t.bool_const(far[0] < far[1] if operator in ("<", ">") else far[0] <= far[1])


def placement(m: SymbolicMachine) -> Term:
    """What is known of the addresses of objects: each lies in memory, and two that live at one time lie apart."""
    t = m.t
    placed = sorted(m.objects.starts.values(), key=lambda one: one[2].number)
    sizes = [
        t.const(max(obj.layout.size, 1), m.word) if obj.limit is None else obj.limit for _, _, obj in placed
    ]
    known = [
        t.and_(
            t.ule(t.const(_PAGE, m.word), start),
            t.ule(start, t.const(_TOP[m.word] - max(obj.layout.size, 1), m.word)),
        )
        for _, start, obj in placed
    ]
    if len(placed) * (len(placed) - 1) > 2 * _MOST_PAIRS:
        return t.all_of(known)
    for n, (_, start, obj) in enumerate(placed):
        for k in range(n):
            _, before, older = placed[k]
            apart = t.or_(t.ule(t.add(before, sizes[k]), start), t.ule(t.add(start, sizes[n]), before))
            known.append(t.or_(apart, _may_share(m, older, obj)))
    return t.all_of(known)
