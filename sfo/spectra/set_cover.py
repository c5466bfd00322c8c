"""Set cover: the fewest columns that together have every row.

         t1 t2 t3
goal 1    x  x           t2 and t3 cover all three goals; no single one does
goal 2    x     x
goal 3       x  x
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_array

Incidence: TypeAlias = NDArray[np.bool_]
"""Incidence matrix, rows times columns: true where the column covers the row."""


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


def fewest_cover(
    covers: Incidence, greedy: tuple[int, ...], *, seconds: float | None = None, nodes: int | None = None
) -> SetCover:
    """Minimum set cover by integer programming, the earliest columns in ties; ``greedy`` where it finds none.

    The search ends after ``seconds``, which may vary with the machine, or ``nodes``, which do not.
    """
    columns = covers.shape[1]
    early = np.arange(columns) / (
        columns * (columns + 1.0)
    )  # all of them together weigh less than one column
    limits: dict[str, Any] = {"time_limit": seconds, "node_limit": nodes}
    found = milp(
        1 + early,
        constraints=LinearConstraint(csc_array(covers.astype(np.float64)), lb=1),
        integrality=np.ones(columns),
        bounds=Bounds(0, 1),
        options={name: limit for name, limit in limits.items() if limit is not None},
    )
    if found.status == 0:
        chosen = tuple(int(column) for column in np.flatnonzero(found.x > 0.5))
        return SetCover(chosen=chosen, at_least=len(chosen))
    bound = found.get("mip_dual_bound")
    at_least = 1 if bound is None or not np.isfinite(bound) else max(1, int(np.ceil(bound - 0.5 - 1e-6)))
    if found.x is not None:
        chosen = tuple(int(column) for column in np.flatnonzero(found.x > 0.5))
        if len(chosen) < len(greedy) and covers[:, chosen].any(axis=1).all():
            return SetCover(chosen=chosen, at_least=at_least)
    return SetCover(chosen=greedy, at_least=min(at_least, len(greedy)))


def distinct_rows(covers: Incidence) -> Incidence:
    """The incidence matrix with each different row once, in their order."""
    rows = {row.tobytes(): row for row in covers}
    return np.array(list(rows.values()), dtype=np.bool_).reshape(len(rows), covers.shape[1])
