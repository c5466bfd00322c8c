"""Points-to analysis of symbolic pointers: the objects that a pointer term can point to.

A pointer is a word of 64 bits (32 in ILP32), (object, offset) for a constant. The targets of a symbolic pointer are
read off its term, so a pointer that only ever had one target is a plain access.

A pointer may be computed from its bits in some executions only (``n + 1`` beside other members of a structure that
an index could mean, but never does). These are left out, and the solver says whether there are any.
"""

from __future__ import annotations

from functools import reduce
from typing import Final

from cfrontend.errors import Location, UnsupportedError
from cfrontend.symex.linear_addresses import Sum, linear_address
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.paths import decided_on_path
from cfrontend.symex.state import PointsToSet, Target
from cfrontend.symex.unwritten import condition_of_evaluation
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace


class ComputedPointerError(UnsupportedError):
    """Unsupported pointer: one that was computed from its bits, in terms that no execution may need."""


_NOWHERE: Final = PointsToSet()
"""What a number can point to."""

_MOST_CASES: Final = 16
"""The cases of computed pointers from which on no further case is looked at: each condition can double them."""


def targets_of(m: SymbolicMachine, pointer: Term) -> tuple[Target, ...]:
    """The points-to set of a pointer, one entry an object; the conditions exclude each other.

    Raises UnsupportedError for a pointer that may be computed from its bits.
    """
    known = _points_to(m, pointer)
    if known.computed != FALSE:
        raise _computed_from_bits(m)
    return known.targets


def possible_targets(m: SymbolicMachine, pointer: Term) -> tuple[Target, ...]:
    """The targets of a pointer as far as they are known; where it was computed from its bits, it has none."""
    return _points_to(m, pointer).targets


def followed_targets(m: SymbolicMachine, pointer: Term) -> tuple[Target, ...]:
    """The points-to set of a pointer that is followed here.

    Executions in which it was computed from its bits are left out. Raises UnsupportedError where all are such.
    """
    t, known = m.t, _points_to(m, pointer)
    if known.computed == FALSE:
        return known.targets
    here = decided_on_path(t, m.path, t.and_(condition_of_evaluation(m), known.computed))
    if here == TRUE:
        raise _computed_from_bits(m)
    if here != FALSE:
        error = _computed_from_bits(m)
        m.refused[error] = t.and_(m.path.term, here)
        m.cut_where(here, error.location or Location("", 0))
    return known.targets


def _computed_from_bits(m: SymbolicMachine) -> ComputedPointerError:
    return ComputedPointerError("a pointer computed from its bits is not supported yet", m.here())


def _points_to(m: SymbolicMachine, pointer: Term) -> PointsToSet:
    """What a pointer can point to, found once for each pointer."""
    known = m.targets.get(pointer)
    if known is None:
        m.targets[pointer] = _NOWHERE
        known = m.targets[pointer] = _find_targets(m, pointer)
    return known


def _find_targets(m: SymbolicMachine, pointer: Term) -> PointsToSet:
    t = m.t
    op = t.op[pointer]
    value = t.value[pointer]
    if value is not None:
        found = m.objects.at(value)
        return _NOWHERE if found is None else PointsToSet(((TRUE, found[0], t.const(found[1], m.word)),))
    if op == T.ITE:
        c, then, otherwise = t.args[pointer]
        return _either(m, c, then, otherwise)
    if op == T.CONCAT or _hides_a_pointer(m, pointer):
        return _targets_of_parts(m, pointer)
    if op == T.VAR:
        return _targets_of_input(m, pointer)
    if op in (T.BAND, T.BOR, T.BXOR):
        return _targets_of_bits(m, pointer)
    if op not in (T.ADD, T.SUB):
        return _NOWHERE if _is_number(m, pointer) else PointsToSet(computed=TRUE, cases=1)
    return _targets_of_sum(m, pointer)


def _targets_of_bits(m: SymbolicMachine, pointer: Term) -> PointsToSet:
    """The points-to set of a pointer whose lowest bits were taken away or set: that of the word before.

    ``p & ~7`` is aligned, ``p | 1`` has a tag. All objects begin at aligned addresses, so that the same bits of the
    offset are changed.
    """
    t = m.t
    op, (a, b) = t.op[pointer], t.args[pointer]
    apply = {T.BAND: t.band, T.BOR: t.bor, T.BXOR: t.bxor}[op]
    for word, bits in ((a, b), (b, a)):
        changed = _largest_value(t, t.bnot(bits) if op == T.BAND else bits)
        if changed >= m.objects.alignment:
            continue
        found = _points_to(m, word)
        if found.targets:
            moved = tuple((c, obj, apply(offset, bits)) for c, obj, offset in found.targets)
            return PointsToSet(moved, found.computed, found.cases)
    return PointsToSet(computed=TRUE, cases=1)


def _largest_value(t: Terms, word: Term, depth: int = 4) -> int:
    """An upper bound of a word without a sign, as far as its outermost operators say one."""
    value, op, args, most = t.value[word], t.op[word], t.args[word], (1 << t.width[word]) - 1
    if value is not None:
        return value
    if depth and op in (T.BAND, T.ITE):
        parts = [_largest_value(t, a, depth - 1) for a in args[-2:]]
        return min(parts) if op == T.BAND else max(parts)
    if depth and op in (T.ZEXT, T.SEXT):
        narrow = _largest_value(t, args[0], depth - 1)
        if op == T.ZEXT or narrow < 1 << (t.width[args[0]] - 1):
            return narrow
    return most


def _targets_of_sum(m: SymbolicMachine, pointer: Term) -> PointsToSet:
    """The points-to set of a sum: that of the terms in it which are pointers, each moved by the others.

    Beside one that leads somewhere, the others are numbers, however they are computed, unless a pointer is subtracted:
    then one that was computed from its bits could be the pointer, and the difference of two what it is moved by.
    """
    t = m.t
    constant, atoms = linear_address(t, pointer)
    base = m.objects.at(constant)
    if base is not None:
        offset = rebuilt_sum(m, (base[1] & ((1 << m.word) - 1), atoms))
        return PointsToSet(((TRUE, base[0], offset),))
    leads, computed, of_numbers = FALSE, FALSE, FALSE
    found = _NOWHERE
    for coefficient, atom in atoms:
        if coefficient != 1 or leads == TRUE:
            continue
        one = _points_to(m, atom)
        if not one.targets:
            of_numbers = t.or_(of_numbers, one.computed)
            continue
        rest = rebuilt_sum(m, (constant, tuple(pair for pair in atoms if pair[1] != atom)))
        moved = tuple((c, obj, t.add(offset, rest)) for c, obj, offset in one.targets)
        found = _merged(m, leads, found, PointsToSet(moved))
        computed = t.or_(computed, one.computed)
        leads = reduce(t.or_, (c for c, _, _ in found.targets), FALSE)
    computed = t.and_(computed, t.not_(leads))
    if not found.targets or any(c < 0 and _points_to(m, atom).targets for c, atom in atoms):
        computed = t.or_(computed, of_numbers)
    return PointsToSet(found.targets, computed)


def pointer_difference(m: SymbolicMachine, one: Term, other: Term, size: int) -> Term:
    """The difference of two pointers to elements of ``size`` bytes, in elements.

    Of bytes, it is that of the offsets where both lead into one object: a number that does not look like a pointer
    to where one of them leads once it is added to a third.
    """
    t = m.t
    distance = t.sub(one, other)
    if size != 1:
        return t.sdiv(distance, t.const(size, m.word))
    if not any(abs(c) == 1 and _points_to(m, atom).targets for c, atom in linear_address(t, distance)[1]):
        return distance
    there = {obj.number: (condition, offset) for condition, obj, offset in _points_to(m, other).targets}
    for condition, obj, offset in _points_to(m, one).targets:
        if obj.number in there:
            same, from_there = there[obj.number]
            distance = t.ite(t.and_(condition, same), t.sub(offset, from_there), distance)
    return distance


def note_comparison_of_inputs(m: SymbolicMachine, one: Term, other: Term) -> None:
    """Note a comparison of pointers: one that is an input may from now on lead to where the other leads."""
    t = m.t
    for pointer, place in ((one, other), (other, one)):
        if t.op[pointer] != T.VAR or pointer == place:
            continue
        places = m.compared.setdefault(pointer, [])
        if place not in places and _points_to(m, place).targets:
            places.append(place)
            m.targets.clear()
            m.objects.leading.clear()


def _targets_of_input(m: SymbolicMachine, pointer: Term) -> PointsToSet:
    """The points-to set of a pointer that is an input: the places it was compared with, where it is equal to them."""
    found = _NOWHERE
    for place in m.compared.get(pointer, ()):
        found = _merged(m, m.t.eq(pointer, place), _points_to(m, place), found)
    return found


def _targets_of_parts(m: SymbolicMachine, pointer: Term) -> PointsToSet:
    """The points-to set of a pointer that was put together from parts of others, byte by byte as a rule.

    Once the conditions that the parts are chosen by are decided, parts of one pointer are that pointer again.
    """
    t = m.t
    condition = next((t.args[part][0] for part in _parts(t, pointer) if t.op[part] == T.ITE), None)
    if condition is None:
        return _NOWHERE if _is_number(m, pointer) else PointsToSet(computed=TRUE, cases=1)
    then, otherwise = (_decided(t, pointer, condition, truth) for truth in (True, False))
    return _either(m, condition, then, otherwise)


def _parts(t: Terms, word: Term) -> list[Term]:
    """The parts that a word is a concatenation of, the most significant one first."""
    narrow = t.args[word][0] if t.op[word] == T.ZEXT else word
    if narrow != word and t.width[narrow] and t.op[narrow] in (T.CONCAT, T.ITE):
        return [t.const(0, t.width[word] - t.width[narrow]), *_parts(t, narrow)]
    if t.op[word] != T.CONCAT:
        return [word]
    return [part for arg in t.args[word] for part in _parts(t, arg)]


def _hides_a_pointer(m: SymbolicMachine, word: Term) -> bool:
    """Whether a word is a zero extension of one wide enough for an object's number, as simplified upper bytes are."""
    t = m.t
    return t.op[word] == T.ZEXT and t.width[t.args[word][0]] > m.objects.offset_bits


def _decided(t: Terms, word: Term, condition: Term, truth: bool) -> Term:
    """The concatenated parts of a word, simplified where ``condition`` is ``truth``."""
    memo: dict[Term, Term] = {}

    def decide(a: Term) -> Term:
        known = memo.get(a)
        if known is None:
            known = a
            if t.op[a] == T.ITE:
                c, then, otherwise = t.args[a]
                if c == condition:
                    known = decide(then if truth else otherwise)
                else:
                    known = t.ite(c, decide(then), decide(otherwise))
            memo[a] = known
        return known

    parts = [decide(part) for part in _parts(t, word)]
    result = parts[-1]
    for part in reversed(parts[:-1]):
        result = t.concat(part, result)
    return result


def _is_number(m: SymbolicMachine, word: Term) -> bool:
    """Whether a word leads nowhere: False where it was put together in a way that does not show where it points."""
    t = m.t
    stack = [word]
    while stack:
        a = stack.pop()
        if t.op[a] == T.CONCAT or _hides_a_pointer(m, a):
            stack += t.args[a]
        elif t.op[a] not in (T.VAR, T.CONST, T.ZEXT, T.SEXT):
            return False
    return True


def _either(m: SymbolicMachine, c: Term, then: Term, otherwise: Term) -> PointsToSet:
    """The points-to set of a pointer that is ``then`` where ``c`` holds, and ``otherwise`` elsewhere.

    Where many cases are of computed pointers, all of them count as such.
    """
    one = _points_to(m, then)
    if one.cases >= _MOST_CASES:
        return PointsToSet(computed=TRUE, cases=one.cases)
    two = _points_to(m, otherwise)
    return _merged(m, c, one, two)


def _merged(m: SymbolicMachine, c: Term, one: PointsToSet, two: PointsToSet) -> PointsToSet:
    """The points-to set that is ``one`` where ``c`` holds, and ``two`` elsewhere."""
    t = m.t
    others = {target[1].number: target for target in two.targets}
    merged: dict[int, Target] = {}
    for cond, obj, offset in one.targets:
        other = others.pop(obj.number, None)
        if other is None:
            merged[obj.number] = (t.and_(c, cond), obj, offset)
        else:
            merged[obj.number] = (t.ite(c, cond, other[0]), obj, t.ite(c, offset, other[2]))
    not_c = t.not_(c)
    for cond, obj, offset in others.values():
        merged[obj.number] = (t.and_(not_c, cond), obj, offset)
    computed = t.ite(c, one.computed, two.computed)
    targets = tuple(entry for entry in merged.values() if entry[0] != FALSE)
    return PointsToSet(targets, computed, one.cases + two.cases)


def rebuilt_sum(m: SymbolicMachine, total: Sum) -> Term:
    """The word that is a sum."""
    t = m.t
    constant, atoms = total
    result = t.const(constant, m.word)
    for coefficient, atom in atoms:
        result = t.add(t.mul(atom, t.const(coefficient, m.word)), result)
    return result
