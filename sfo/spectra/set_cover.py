"""Set cover: the fewest columns that together have every row.

         t1 t2 t3
goal 1    x  x           t2 and t3 cover all three goals; no single one does
goal 2    x     x
goal 3       x  x
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import block_array, csc_array
from scipy.sparse.csgraph import connected_components

Incidence: TypeAlias = NDArray[np.bool_]
"""Incidence matrix, rows times columns: true where the column covers the row."""

Numbers: TypeAlias = NDArray[np.int64]
"""Numbers of rows or columns."""

EXACT_CELLS: Final = 60_000
"""Rows times columns of a part up to which the minimum is looked for: the first node of a larger one takes seconds."""

EXACT_WORK: Final = 2_000_000
"""Nodes times cells of the search for a minimum, about ten seconds at most."""

_COMPARED: Final = 20_000_000_000
"""Cells that are compared with each other, up to which needless rows and columns are left out: a few seconds."""

_AT_ONCE: Final = 4_000_000
"""Pairs that are compared at once."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SetCover:
    """The columns of a cover in ascending order; no cover has fewer than ``at_least``."""

    chosen: tuple[int, ...]
    at_least: int


def greedy_cover(covers: Incidence) -> tuple[int, ...]:
    """Greedy set cover: take the column that covers most of the rows still open, the earliest of these."""
    still_open = np.ones(covers.shape[0], dtype=np.bool_)
    chosen: list[int] = []
    while still_open.any():
        column = int(np.argmax(covers[still_open].sum(axis=0)))
        chosen.append(column)
        still_open &= ~covers[:, column]
    for column in list(chosen):  # an early one may have become needless
        rest = [other for other in chosen if other != column]
        if rest and covers[:, rest].any(axis=1).all():
            chosen = rest
    return tuple(sorted(chosen))


def fewest_cover(covers: Incidence, *, cells: int = EXACT_CELLS, work: int = EXACT_WORK) -> SetCover:
    """Minimum set cover: what must be in it, and integer programming for each part of the rest.

    A row that is covered wherever another one is needs no column of its own, and a column that covers no more than
    another one is not needed. What is left falls into parts that share nothing. A part of more than ``cells`` rows
    times columns is covered greedily; the search in a part ends after so many nodes as ``work`` cells have. So the same
    incidence matrix gives the same cover on every machine.
    """
    kernel = _kernel(covers)
    chosen, at_least = list(kernel.chosen), len(kernel.chosen)
    for rows, columns in _parts(covers, kernel):
        part = covers[np.ix_(rows, columns)]
        found = _cover_of_part(part, nodes=max(1, work // part.size) if part.size <= cells else 0)
        chosen += [int(columns[column]) for column in found.chosen]
        at_least += found.at_least
    return SetCover(chosen=tuple(sorted(chosen)), at_least=at_least)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Kernel:
    """Columns that some minimum cover has, and the rows and columns among which the others are to be found."""

    chosen: tuple[int, ...]
    rows: Numbers
    columns: Numbers


def _kernel(covers: Incidence) -> _Kernel:
    rows, columns = np.arange(covers.shape[0]), np.arange(covers.shape[1])
    chosen: list[int] = []
    while rows.size and rows.size * columns.size * (rows.size + columns.size) <= _COMPARED:
        before = (rows.size, columns.size)
        part = covers[np.ix_(rows, columns)]
        needless = _contained(part.T)
        part, columns = part[:, ~needless], columns[~needless]
        implied = _contained(~part)
        part, rows = part[~implied], rows[~implied]
        alone = part.sum(axis=1) == 1
        if alone.any():
            essential = part[alone].any(axis=0)
            chosen += columns[essential].tolist()
            rows = rows[~part[:, essential].any(axis=1)]
            columns = columns[~essential]
        if (rows.size, columns.size) == before:
            break
    return _Kernel(chosen=tuple(chosen), rows=rows, columns=columns)


def _contained(sets: Incidence) -> NDArray[np.bool_]:
    """Which rows of ``sets`` are contained in another one; of equal ones, all but the first.

    Products of the rows are whole numbers that single precision holds exactly.
    """
    count = sets.shape[0]
    numbers = sets.astype(np.float32)
    sizes = sets.sum(axis=1)
    found = np.zeros(count, dtype=np.bool_)
    step = max(1, _AT_ONCE // max(1, count))
    for first in range(0, count, step):
        mine = np.arange(first, min(first + step, count))
        inside = numbers[mine] @ numbers.T >= sizes[mine, np.newaxis]
        equal = inside & (sizes[mine, np.newaxis] == sizes[np.newaxis, :])
        later = equal & (np.arange(count)[np.newaxis, :] < mine[:, np.newaxis])
        found[mine] = ((inside & ~equal) | later).any(axis=1)
    return found


def _parts(covers: Incidence, kernel: _Kernel) -> Iterator[tuple[Numbers, Numbers]]:
    """The rows and columns of each part that shares nothing with others."""
    if not kernel.rows.size:
        return
    part = csc_array(covers[np.ix_(kernel.rows, kernel.columns)].astype(np.int8))
    count, labels = connected_components(block_array([[None, part], [part.T, None]]), directed=False)
    of_rows, of_columns = labels[: kernel.rows.size], labels[kernel.rows.size :]
    for label in range(count):
        rows = kernel.rows[of_rows == label]
        if rows.size:
            yield rows, kernel.columns[of_columns == label]


def _cover_of_part(covers: Incidence, nodes: int) -> SetCover:
    """Minimum cover by a search of so many nodes, the earliest columns in ties; the greedy one where it finds none."""
    greedy = greedy_cover(covers)
    if nodes == 0:
        return SetCover(chosen=greedy, at_least=_independent_rows(covers))
    columns = covers.shape[1]
    early = np.arange(columns) / (
        columns * (columns + 1.0)
    )  # all of them together weigh less than one column
    found = milp(
        1 + early,
        constraints=LinearConstraint(csc_array(covers.astype(np.float64)), lb=1),
        integrality=np.ones(columns),
        bounds=Bounds(0, 1),
        options={"node_limit": nodes},
    )
    if found.status == 0:
        chosen = tuple(int(column) for column in np.flatnonzero(found.x > 0.5))
        return SetCover(chosen=chosen, at_least=len(chosen))
    bound = found.get("mip_dual_bound")
    proved = 1 if bound is None or not np.isfinite(bound) else max(1, int(np.ceil(bound - 0.5 - 1e-6)))
    if found.x is not None:
        chosen = tuple(int(column) for column in np.flatnonzero(found.x > 0.5))
        if len(chosen) < len(greedy) and covers[:, chosen].any(axis=1).all():
            return SetCover(chosen=chosen, at_least=proved)
    return SetCover(chosen=greedy, at_least=min(proved, len(greedy)))


def _independent_rows(covers: Incidence) -> int:
    """So many columns are needed: the number of rows of which no column covers two, found greedily."""
    taken = np.zeros(covers.shape[1], dtype=np.bool_)
    count = 0
    for row in np.argsort(covers.sum(axis=1), kind="stable"):
        if not (covers[row] & taken).any():
            taken |= covers[row]
            count += 1
    return count


def distinct_rows(covers: Incidence) -> Incidence:
    """The incidence matrix with each different row once, in their order."""
    rows = {row.tobytes(): row for row in covers}
    return np.array(list(rows.values()), dtype=np.bool_).reshape(len(rows), covers.shape[1])
