"""Indeterminate values (C11 3.19.2): memory that nobody has written becomes an input where it is read.

int a; int b = a; if (b) ...      ->   an input a, which is read at the if
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, final
from weakref import WeakKeyDictionary

from cfrontend.effort import CELL, charge_effort
from cfrontend.errors import InternalError
from cfrontend.record import dataclass
from cfrontend.symex.ite_leaves import conditions_of_leaves, rebuilt_tree
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.state import UnwrittenLeaf
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace

_REMEMBERED: Final = 2
"""Parts that a value has more of when its never-written cells are remembered."""


def read_cell(m: SymbolicMachine, key: int) -> Term:
    """Read the value of a scalar cell."""
    if m.relevance is not None:
        m.relevance.read(m, key, m.objects.place_at(key))
    value = m.writes.get(key)
    if value is None:
        value = m.overlay.lookup(key)
        if value is None:
            value = m.default_of(key)
            if value is None:
                raise InternalError(f"cell {key} is read before it is declared")
    return note_read(m, value) if value in m.unknown else value


def note_read(m: SymbolicMachine, value: Term) -> Term:
    """Note that an indeterminate value is read here: it becomes an input of the executions that read it."""
    if m.unread_here is not None:
        m.unread_here.append(m.t.and_(condition_of_evaluation(m), is_unwritten(m, value)))
        return value
    if m.source.takes_certain_cells(m):
        # The last decider chooses among the cells of an array: it tells most often, and first.
        if all(_holds_always(m.t, *decider) for decider in reversed(m.deciders)):
            for leaf in _certain_leaves(m, value):
                value = m.source.unwritten(m, value, leaf, TRUE)
        return value
    leaves = _unknown_leaves(m, value)
    if leaves:
        for condition, leaf in m.source.cells_to_note(m, leaves):
            charge_effort(CELL)
            value = m.source.unwritten(m, value, leaf, condition)
    return value


def leaves_where_evaluated(m: SymbolicMachine, leaves: Sequence[UnwrittenLeaf]) -> Sequence[UnwrittenLeaf]:
    """The never-written cells, each with the condition, beside the path, under which it is evaluated and chosen."""
    if not m.deciders:
        return leaves
    evaluated = condition_of_evaluation(m)
    conditions = [(m.t.and_(evaluated, chosen), leaf) for chosen, leaf in leaves]
    return [(condition, leaf) for condition, leaf in conditions if condition != FALSE]


def is_written(m: SymbolicMachine, read: Callable[[SymbolicMachine], Term]) -> Term:
    """Whether what ``read`` evaluates depends on no never-written cell; nothing counts as read."""
    found: list[Term] = []
    m.unread_here = found
    read(m)
    m.unread_here = None
    return m.t.not_(m.t.any_of(found))


def unread_value(m: SymbolicMachine, read: Callable[[SymbolicMachine], Term]) -> Term:
    """The value that ``read`` evaluates, without reading it: a part of it is kept, nothing depends on it."""
    before, m.unread_here = m.unread_here, []
    value = read(m)
    m.unread_here = before
    return value


def is_unwritten(m: SymbolicMachine, value: Term) -> Term:
    """The condition under which a value comes from never-written memory."""
    if value not in m.unknown:
        return FALSE
    return m.t.any_of(chosen for chosen, _ in _unknown_leaves(m, value))


def written_bits_differ(m: SymbolicMachine, expected: Term, value: Term) -> Term:
    """The condition under which a bit that was written in ``expected`` is another one, or unwritten, in ``value``."""
    t = m.t
    mask, mask_too = _mask_of_written_bits(m, expected), _mask_of_written_bits(m, value)
    every = t.const((1 << t.width[value]) - 1, t.width[value])
    if mask == mask_too == every:
        return t.not_(t.eq(expected, value))
    apart = t.bor(t.bxor(expected, value), t.bnot(mask_too))
    return t.not_(t.eq(t.band(mask, apart), t.const(0, t.width[value])))


def _mask_of_written_bits(m: SymbolicMachine, value: Term) -> Term:
    """A word with a one for each bit of ``value`` that somebody has written: bit-fields share a cell."""
    t = m.t
    if value not in m.unknown:
        return t.const((1 << t.width[value]) - 1, t.width[value])

    def mask(a: Term) -> Term:
        is_leaf = a in m.unknown and a in m.sites
        return t.const(0 if is_leaf else (1 << t.width[a]) - 1, t.width[a])

    return rebuilt_tree(t, value, mask)


def condition_of_evaluation(m: SymbolicMachine) -> Term:
    """The condition, beside the path, under which the current operand is evaluated."""
    t = m.t
    return t.all_of(
        decider if value is None else t.eq(decider, t.const(value, t.width[decider]))
        for decider, value in m.deciders
    )


def _holds_always(t: Terms, decider: Term, value: int | None) -> bool:
    """Whether a decision is known to be so: a constant is compared, everything else is folded when it is made."""
    return decider == TRUE if value is None else t.value[decider] == value


@final
@dataclass(frozen=True, slots=True)
class _KnownLeaves:
    """The never-written cells that a value may come from, and what that was found by.

    ``opened`` are the other parts that may be unwritten, ``closed`` those that are written.
    """

    leaves: list[UnwrittenLeaf]
    cells: frozenset[Term]
    opened: frozenset[Term]
    closed: frozenset[Term]

    def holds(self, m: SymbolicMachine) -> bool:
        """Whether looking again would find the same: a part may have become unwritten, or be of another encoding."""
        sites = m.sites.keys()
        return (
            self.opened <= m.unknown
            and m.unknown.isdisjoint(self.closed)
            and self.cells <= sites
            and sites.isdisjoint(self.opened)
        )


_KNOWN: Final[WeakKeyDictionary[Terms, dict[Term, _KnownLeaves]]] = WeakKeyDictionary()
"""Leaves of the values of each store. The same reads come back in each bound, and in each round of a loop."""


def _unknown_leaves(m: SymbolicMachine, value: Term) -> list[UnwrittenLeaf]:
    """The never-written cells that ``value`` may come from."""
    remembered = _KNOWN.setdefault(m.t, {})
    if (known := remembered.get(value)) is not None and known.holds(m):
        return known.leaves
    written: set[Term] = set()

    def may_be_unwritten(a: Term) -> bool:
        if a not in m.unknown:
            written.add(a)
        return a in m.unknown

    chosen = conditions_of_leaves(m.t, value, lambda a: a in m.unknown and a not in m.sites, may_be_unwritten)
    leaves = [(condition, a) for a, condition in chosen.items() if a in m.sites and condition != FALSE]
    if len(chosen) + len(written) > _REMEMBERED:
        cells = frozenset(a for a in chosen if a in m.sites)
        remembered[value] = _KnownLeaves(leaves, cells, frozenset(chosen) - cells, frozenset(written))
    return leaves


def _certain_leaves(m: SymbolicMachine, value: Term) -> list[Term]:
    """The never-written cells that are parts of ``value`` whatever any condition says."""
    found: list[Term] = []
    waiting = [value]
    while waiting:
        a = waiting.pop()
        if a not in m.unknown:
            continue
        if a in m.sites:
            found.append(a)
        elif m.t.op[a] in (T.CONCAT, T.EXTRACT):
            waiting.extend(m.t.operands(a))
    return sorted(set(found), reverse=True)  # users before arguments, as the other leaves
