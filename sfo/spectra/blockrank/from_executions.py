"""Edge profiles from executions of given inputs: every unit is a block, and every function has an exit block.

    x = f();  if (x > 0)  y = 1;     units 1, 2, 3      ->   edges 1-2, 2-3, 2-exit, 3-exit

Units that always follow each other could share a block; apart they get the same counts and the same score. An execution
that ends in a violation leaves no edge from the unit where it happened, nor from the calls that lead there. A condition
that one branch decides is a predicate too; one that takes several (``a() && b()``) is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cfrontend.errors import UsageError
from cfrontend.units import Unit, UnitId
from sfo.core.dataset import Dataset
from sfo.core.executions import Execution
from sfo.spectra.blockrank.profile import (
    BlockrankProfile,
    Counts,
    ProfileBlock,
    ProfilePredicate,
)
from sfo.spectra.matrix import coverage_matrix_unit_names


def blockrank_from_executions(
    dataset: Dataset, dependences: Sequence[tuple[UnitId, UnitId]] = ()
) -> BlockrankProfile:
    """The profile of the failing and passing executions, which must come from given inputs.

    ``dependences`` are edges of the program dependence graph. Raises UsageError unless some of them fail and some pass.
    """
    runs = [*dataset.failing, *dataset.passing]
    if not dataset.failing or not dataset.passing:
        raise UsageError("an edge profile needs a failing and a passing execution")
    functions = list(dict.fromkeys(unit.function for unit in dataset.units))
    index: dict[UnitId, int] = {unit.id: number for number, unit in enumerate(dataset.units)}
    exits = {function: len(index) + number for number, function in enumerate(functions)}
    units = {unit.id: unit for unit in dataset.units}
    taken = [_edges(execution, index, exits, units) for execution in runs]
    edges = sorted({edge for counts in taken for edge in counts})
    executions = np.zeros((len(runs), len(index) + len(exits)), dtype=np.int64)
    for row, (execution, counts) in enumerate(zip(runs, taken, strict=True)):
        for unit, count in execution.counts.items():
            executions[row, index[unit]] = count
        for (_, target), count in counts.items():
            if target >= len(index):
                executions[row, target] += count
    names = coverage_matrix_unit_names({unit.id: unit.label for unit in dataset.units})
    return BlockrankProfile(
        blocks=(
            *(ProfileBlock(name=names[unit.id], function=unit.function) for unit in dataset.units),
            *(
                ProfileBlock(name=f"exit of {function}", function=function, statements=())
                for function in functions
            ),
        ),
        edges=tuple(edges),
        counts=np.array([[counts.get(edge, 0) for edge in edges] for counts in taken], dtype=np.int64),
        executions=executions,
        failed=np.array([execution.outcome == "fail" for execution in runs], dtype=np.bool_),
        predicates=tuple(
            predicate
            for unit in dataset.units
            if unit.kind == "condition" and (predicate := _predicate(unit, names, index, runs)) is not None
        ),
        dependences=tuple((index[a], index[b]) for a, b in dependences if a in index and b in index),
    )


def _edges(
    execution: Execution, index: Mapping[UnitId, int], exits: Mapping[str, int], units: Mapping[UnitId, Unit]
) -> dict[tuple[int, int], int]:
    """Number of times that each edge was taken, by pairs of blocks; the begin of a function counts for no edge."""
    found: dict[tuple[int, int], int] = {}
    for (before, after), count in execution.flow.items():
        if before is not None:
            target = exits[units[before].function] if after is None else index[after]
            found[index[before], target] = count
    return found


def _predicate(
    unit: Unit, names: Mapping[UnitId, str], index: Mapping[UnitId, int], executions: list[Execution]
) -> ProfilePredicate | None:
    outcomes: Counts = np.array(
        [execution.tests.get(unit.id, (0, 0)) for execution in executions], dtype=np.int64
    )
    if not outcomes.any():
        return None
    return ProfilePredicate(
        name=names[unit.id],
        block=index[unit.id],
        true=outcomes[:, 0],
        false=outcomes[:, 1],
        sequences=outcomes,
    )
