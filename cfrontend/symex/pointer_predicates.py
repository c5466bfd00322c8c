"""CBMC's pointer predicates: the target of a pointer, and whether it can be accessed.

    m, p of a live object of 10 bytes, 3 bytes into it, 7   ->   VALUES["__CPROVER_r_ok"](m, p, 7) is TRUE

A pointer that is an input, or a number, points nowhere that is known: the question is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from cfrontend import terms as T  # noqa: N812 - opcode namespace
from cfrontend.errors import UnsupportedError
from cfrontend.symex import memory, pointers
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.state import Target
from cfrontend.terms import FALSE, TRUE, Term

Primitive: TypeAlias = Callable[..., Term]
"""Pointer predicate or function of (machine, pointers and sizes …), which gives a Boolean or a word."""


def _accessible(m: SymbolicMachine, pointer: Term, size: Term) -> Term:
    """Accessibility: whether ``size`` bytes, or none, lie inside one live object.

    CBMC does not ask whether they can be written.
    """
    t, result = m.t, FALSE
    for condition, obj, offset in _places(m, pointer, or_null=True):
        room = t.const(obj.layout.size, m.word) if obj.limit is None else obj.limit
        fits = t.and_(t.ule(offset, room), t.ule(size, t.sub(room, offset)))
        result = t.or_(result, t.all_of((condition, m.alive_where(condition, obj), fits)))
    return result


def _is_dynamic(m: SymbolicMachine, pointer: Term) -> Term:
    """Whether the target object was allocated by ``malloc`` and its kin, or by ``alloca``."""
    places = _places(m, pointer, or_null=True)
    return m.t.any_of(condition for condition, obj, _ in places if obj.allocated or obj.made_by == "alloca")


def _same_object(m: SymbolicMachine, one: Term, other: Term) -> Term:
    """Whether both pointers point into one object, or both are null."""
    return m.t.eq(_pointer_object(m, one), _pointer_object(m, other))


def _object_size(m: SymbolicMachine, pointer: Term) -> Term:
    """The size in bytes of the target object, dead or alive."""
    _places(m, pointer, or_null=False)
    return memory.memory_object_size_at(m, pointer)


def _pointer_object(m: SymbolicMachine, pointer: Term) -> Term:
    """The number of the target object, 0 for null."""
    t = m.t
    result = t.const(0, m.word)
    for condition, obj, _ in _places(m, pointer, or_null=True):
        result = t.ite(condition, t.const(obj.number, m.word), result)
    return result


def _pointer_offset(m: SymbolicMachine, pointer: Term) -> Term:
    """The offset of the pointer in bytes from the start of its target object, 0 for null."""
    t = m.t
    result = t.const(0, m.word)
    for condition, _, offset in _places(m, pointer, or_null=True):
        result = t.ite(condition, offset, result)
    return result


def _places(m: SymbolicMachine, pointer: Term, *, or_null: bool) -> tuple[Target, ...]:
    """The targets of a pointer. Raises UnsupportedError for one that may lead nowhere (but for null, ``or_null``)."""
    t = m.t
    found = pointers.pointer_targets(m, pointer)
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
            found = pointers.pointer_targets(m, a)
            if t.any_of(condition for condition, _, _ in found) != TRUE:
                return False
    return True


TESTS: Final[Mapping[str, Primitive]] = {
    "__CPROVER_r_ok": _accessible,
    "__CPROVER_w_ok": _accessible,
    "__CPROVER_rw_ok": _accessible,
    "__CPROVER_DYNAMIC_OBJECT": _is_dynamic,
    "__CPROVER_same_object": _same_object,
}
"""Pointer predicates by name: functions with a truth value."""

WORDS: Final[Mapping[str, Primitive]] = {
    "__CPROVER_OBJECT_SIZE": _object_size,
    "__CPROVER_POINTER_OBJECT": _pointer_object,
    "__CPROVER_POINTER_OFFSET": _pointer_offset,
}
"""Pointer functions by name, which give a number."""
