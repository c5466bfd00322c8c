"""A random program with a ranking, of any size, to try hitting times on.

Functions have geometrically distributed sizes (on average 20 lines, unless told otherwise). A tenth of the lines call a
function, and three quarters of the calls go to one of the 50 functions declared before the caller. Each of 200
executions covers a random stretch of the functions and of each of them a random prefix. The lines are ranked by Ochiai
for 20 failing executions. A line is a neighbour of the line after it, of the first line of a function that it calls,
and of the last one of that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from sfo.spectra.hitting_time.chain import Indices
from sfo.spectra.measures import find_measure
from sfo.spectra.measures.arrays import array_tie_groups, measure_array_scores

GO_COMPILER_LINES: Final = 51_873
"""Lines of the largest program of Henderson et al. 2019."""


@final
@dataclass(frozen=True, slots=True)
class SyntheticProgram:
    """Tie groups and functions of its lines, and the pairs of neighbours."""

    groups: Indices
    functions: list[str]
    neighbours: list[tuple[int, int]]


def synthetic_program(
    lines: int = GO_COMPILER_LINES, seed: int = 0, lines_of_function: float = 20
) -> SyntheticProgram:
    """The program with this many lines, on average so many in a function; the same seed gives the same one."""
    random = np.random.default_rng(seed)
    sizes: list[int] = []
    while sum(sizes) < lines:
        sizes.append(min(int(random.geometric(1 / lines_of_function)), lines - sum(sizes)))
    first = np.concatenate([[0], np.cumsum(sizes)])
    function = np.repeat(np.arange(len(sizes)), sizes)

    callers = np.flatnonzero(random.random(lines) < 0.1)
    near = np.maximum(function[callers] - random.integers(1, 51, size=len(callers)), 0)
    callees = np.where(
        random.random(len(callers)) < 0.75, near, random.integers(0, len(sizes), size=len(callers))
    )
    pairs = [(line, line + 1) for line in range(lines - 1) if function[line] == function[line + 1]]
    pairs += list(zip(callers.tolist(), first[callees].tolist(), strict=True))
    pairs += list(zip(callers.tolist(), (first[callees + 1] - 1).tolist(), strict=True))

    ef, ep = np.zeros(lines, dtype=np.int64), np.zeros(lines, dtype=np.int64)
    position = np.arange(lines) - first[function]
    for execution in range(200):
        low, high = np.sort(random.integers(0, len(sizes) + 1, size=2))
        depth = np.ceil(random.random(len(sizes)) * 2 * np.asarray(sizes))
        covered = (function >= low) & (function < high) & (position < depth[function])
        if execution < 20:
            ef += covered
        else:
            ep += covered
    ranked = array_tie_groups(measure_array_scores(find_measure("ochiai"), ef, ep, 20, 180))
    return SyntheticProgram(ranked, [f"f{number}" for number in function.tolist()], pairs)
