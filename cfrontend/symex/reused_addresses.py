"""Addresses that objects may share with objects whose lifetime has ended, which the memory model never lets them.

p = malloc(4); free(p); q = malloc(4);      here p == q is false, and natively it may be true

C leaves it undefined to look at ``p`` (C11 6.2.4p2). An execution goes on as with two addresses; where one comes to
such a comparison, that no execution fails is no proof.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfrontend.errors import Location
from cfrontend.symex import pointers
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.path_facts import decided_on_path
from cfrontend.symex.state import StateOfMemoryObject, Target
from cfrontend.symex.unwritten import condition_of_evaluation
from cfrontend.terms import FALSE, Term


def note_end_of_object(m: SymbolicMachine, obj: StateOfMemoryObject, condition: Term) -> None:
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


def note_pointer_comparison(m: SymbolicMachine, one: Term, other: Term) -> None:
    """Note a comparison of pointers: of inputs, and of one to an object that has ended with one to a later object."""
    pointers.note_comparison_of_inputs(m, one, other)
    t = m.t
    if m.objects.count <= m.objects.first_end or 0 in (t.value[one], t.value[other]):
        return
    first, second = pointers.possible_targets(m, one), pointers.possible_targets(m, other)
    met = [*_met(m, first, second), *_met(m, second, first)]
    if not met:
        return
    here = decided_on_path(t, m.path, t.and_(condition_of_evaluation(m), t.any_of(met)))
    if here != FALSE:
        place = m.here() or Location("", 0)
        m.objects.reused[place] = t.or_(m.objects.reused.get(place, FALSE), t.and_(m.path.term, here))


def _met(m: SymbolicMachine, ended: tuple[Target, ...], later: tuple[Target, ...]) -> Iterator[Term]:
    """The conditions under which the first targets have ended before the others, of the same kind, were made."""
    t = m.t
    youngest = max((obj.number for _, obj, _ in later), default=0)
    for condition, obj, _ in ended:
        for count, end in obj.ends:
            if count >= youngest:
                continue
            for meanwhile, other, _ in later:
                is_alike = (other.allocated, other.automatic) == (obj.allocated, obj.automatic)
                if is_alike and other is not obj and other.number > count:
                    yield t.all_of((condition, end, meanwhile))
