"""The three debugging models as sparse Markov chains (Henderson et al. 2019, appendix and Definition 26).

    ranked list             g0 <-> g1 <-> g2 ...    groups of equal score, best first; each <-> its units
    with jumps              units also jump to other units of their function and to neighbours in the flow graph
    suspicious behaviours   g0 <-> g1 ...           groups of behaviours; each <-> its behaviours <-> their units

A step from a group leads up with (n - 1)/2n, down with 1/2n (at the ends the group itself) and to one of its members
with 1/2. Jumps between all units of a function would be quadratic in its size, so they lead through one silent state
for the function, which takes no time. From there every unit is equally likely, and a return to the unit where the jump
began is no jump at all. So a unit may take several attempts, and its step is shared out among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from cfrontend.errors import UsageError

Doubles: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]

P_JUMP: Final = 0.5
"""Probability of a jump where nothing is known about programmers (section on jumps)."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class HittingTimeChain:
    """A chain that starts in state 0, the best group.

    ``transitions`` has rows that add up to 1; ``costs`` are the expected steps that a visit takes; ``silent`` states
    take none. ``units`` has the state of each unit, -1 for one that the model does not contain. ``hubs`` counts the
    first states, which are no units: ``groups`` of the list from its top, then functions or behaviours. ``depth`` says
    of every state how far down the list it belongs.
    """

    transitions: csr_array
    costs: Doubles
    silent: NDArray[np.bool_]
    units: Indices
    hubs: int
    groups: int
    depth: Indices


class _Builder:
    """Transitions as they are found."""

    def __init__(self) -> None:
        self._rows: list[Indices] = []
        self._columns: list[Indices] = []
        self._values: list[Doubles] = []

    def add(
        self, rows: Iterable[int] | Indices, columns: Iterable[int] | Indices, values: Doubles | float
    ) -> None:
        row, column = np.asarray(rows, dtype=np.intp), np.asarray(columns, dtype=np.intp)
        self._rows.append(row)
        self._columns.append(column)
        self._values.append(np.broadcast_to(np.asarray(values, dtype=float), row.shape))

    def groups(self, sizes: Indices, count: int) -> None:
        """The list of groups, states from 0, over ``count`` members in all."""
        last = len(sizes) - 1
        here = np.arange(len(sizes))
        self.add(here, np.maximum(here - 1, 0), (count - 1) / (2 * count))
        self.add(here, np.minimum(here + 1, last), 1 / (2 * count))

    def matrix(self, size: int) -> csr_array:
        """The sum of what was added, as a matrix."""
        entries = (np.concatenate(self._values), (np.concatenate(self._rows), np.concatenate(self._columns)))
        matrix = csr_array(coo_array(entries, shape=(size, size)))
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        return matrix


def hitting_chain_of_list(groups: Indices) -> HittingTimeChain:
    """The ranked list (Definition 28); ``groups`` has the place of each unit's tie group, from 0."""
    return hitting_chain_with_jumps(groups, (), (), p_jump=0.0)


def hitting_chain_with_jumps(
    groups: Indices,
    functions: Sequence[str],
    neighbours: Sequence[tuple[int, int] | tuple[int, int, float]],
    p_jump: float = P_JUMP,
) -> HittingTimeChain:
    """The ranked list with spatial and behavioural jumps (Definitions 26 and 29).

    ``functions`` names the function of each unit (empty: there are none, or that unit is in none); ``neighbours``
    are pairs of units that follow each other in an execution, with the weight of a jump between them where that is not
    1. Units of one function weigh 1 or that, whichever is more: a jump matrix J other than that of Definition 26, which
    the paper leaves open. Definition 26 relates a unit with itself too, which is
    read as the text beside it says: *other* locations of the function. A unit with nowhere to jump returns to its
    group with probability 1.
    """
    _check_groups(groups)
    count = len(groups)
    sizes = np.bincount(groups)
    builder = _Builder()
    builder.groups(sizes, count)
    members, function_of, function_sizes = _functions(functions, count)
    hubs = len(sizes) + len(function_sizes)
    state = hubs + np.arange(count)
    builder.add(groups, state, 1 / (2 * sizes[groups]))
    builder.add(len(sizes) + function_of[members], state[members], 1 / function_sizes[function_of[members]])

    sources, targets, weights = _weighted_pairs(neighbours, function_of, count)
    far = np.bincount(sources, weights=weights, minlength=count)
    near = np.where(function_of >= 0, function_sizes[function_of] - 1 if len(function_sizes) else 0, 0)
    places = near + far
    jump = np.where(places > 0, p_jump, 0.0)
    single = np.divide(jump, places, out=np.zeros(count), where=places > 0)
    attempts = 1 + np.where(near > 0, single, 0.0)
    builder.add(state, groups, (1 - jump) / attempts)
    inside = np.flatnonzero((near > 0) & (jump > 0))
    builder.add(state[inside], len(sizes) + function_of[inside], (single * (near + 1) / attempts)[inside])
    builder.add(state[sources], state[targets], weights * (single / attempts)[sources])

    best = np.full(len(function_sizes), len(sizes), dtype=np.intp)
    np.minimum.at(best, function_of[members], groups[members])
    silent = np.zeros(hubs + count, dtype=np.bool_)
    silent[len(sizes) : hubs] = True
    costs = np.ones(hubs + count)
    costs[silent] = 0
    costs[state] = 1 / attempts
    return HittingTimeChain(
        transitions=builder.matrix(hubs + count),
        costs=costs,
        silent=silent,
        units=state,
        hubs=hubs,
        groups=len(sizes),
        depth=np.concatenate([np.arange(len(sizes)), best, groups]),
    )


def hitting_chain_with_behaviours(
    ranks: Sequence[int], behaviours: Sequence[Sequence[int]], count: int
) -> HittingTimeChain:
    """Suspicious behaviours (Definition 30): sets of units, each with its place in the list, equal ones tied.

    ``count`` is the number of units; one in no behaviour is not in the chain. Raises UsageError for an empty list,
    an empty behaviour and a unit that does not exist.
    """
    if not behaviours:
        raise UsageError("a list of suspicious behaviours needs at least one")
    sets = [sorted(set(behaviour)) for behaviour in behaviours]
    for number, units in enumerate(sets, start=1):
        if not units:
            raise UsageError(f"suspicious behaviour {number} has no unit")
        if units[0] < 0 or units[-1] >= count:
            raise UsageError(f"suspicious behaviour {number} has a unit that does not exist")
    groups = np.unique(np.asarray(ranks), return_inverse=True)[1]
    sizes = np.bincount(groups)
    builder = _Builder()
    builder.groups(sizes, len(sets))
    hubs = len(sizes) + len(sets)
    behaviour_states = len(sizes) + np.arange(len(sets))
    builder.add(groups, behaviour_states, 1 / (2 * sizes[groups]))
    builder.add(behaviour_states, groups, 0.5)
    owners = np.repeat(np.arange(len(sets)), [len(units) for units in sets])
    inside = np.array([unit for units in sets for unit in units], dtype=np.intp)
    present, place = np.unique(inside, return_inverse=True)
    appearances = np.bincount(place)
    widths = np.array([len(units) for units in sets])
    builder.add(behaviour_states[owners], hubs + place, 1 / (2 * widths[owners]))
    builder.add(hubs + place, behaviour_states[owners], 1 / appearances[place])
    best = np.full(len(present), len(sizes), dtype=np.intp)
    np.minimum.at(best, place, groups[owners])
    state = np.full(count, -1, dtype=np.intp)
    state[present] = hubs + np.arange(len(present))
    total = hubs + len(present)
    return HittingTimeChain(
        transitions=builder.matrix(total),
        costs=np.ones(total),
        silent=np.zeros(total, dtype=np.bool_),
        units=state,
        hubs=hubs,
        groups=len(sizes),
        depth=np.concatenate([np.arange(len(sizes)), groups, best]),
    )


def _check_groups(groups: Indices) -> None:
    if not len(groups):
        raise UsageError("a ranked list needs at least one unit")
    assert set(np.unique(groups).tolist()) == set(range(int(groups.max()) + 1)), (
        "groups are counted without gaps"
    )


def _functions(names: Sequence[str], count: int) -> tuple[Indices, Indices, Indices]:
    """Units in functions of at least two, the number of each unit's function (else -1), and the functions' sizes."""
    function_of = np.full(count, -1, dtype=np.intp)
    if len(names):
        found, number = np.unique(np.asarray(names), return_inverse=True)
        sizes = np.bincount(number)
        kept = (sizes > 1) & (found != "")
        renumbered = np.where(kept, np.cumsum(kept) - 1, -1)
        function_of = renumbered[number]
    members = np.flatnonzero(function_of >= 0)
    sizes = np.bincount(function_of[members]) if len(members) else np.zeros(0, dtype=np.intp)
    return members, function_of, sizes


def _weighted_pairs(
    pairs: Sequence[tuple[int, int] | tuple[int, int, float]], function_of: Indices, count: int
) -> tuple[Indices, Indices, Doubles]:
    """Both directions of the neighbours, each once with its largest weight, less the 1 of units in one function."""
    table = np.array([(a, b, *(rest or (1.0,))) for a, b, *rest in pairs], dtype=float).reshape(-1, 3)
    if len(table) and (table[:, :2].min() < 0 or table[:, :2].max() >= count):
        raise UsageError("a neighbour of a unit does not exist")
    if not np.isfinite(table).all() or (table[:, 2] <= 0).any():
        raise UsageError("the weight of a jump between neighbours is a positive number")
    a, b = (np.concatenate([table[:, k], table[:, 1 - k]]).astype(np.intp) for k in (0, 1))
    weights = np.concatenate([table[:, 2]] * 2)
    weights = weights - ((function_of[a] == function_of[b]) & (function_of[a] >= 0))
    codes, place = np.unique(a * count + b, return_inverse=True)
    largest = np.zeros(len(codes))
    np.maximum.at(largest, place, weights)
    kept = (codes // count != codes % count) & (largest > 0)
    return codes[kept] // count, codes[kept] % count, largest[kept]
