"""Report of ``sfo reduce``: the executions that are kept, and whether fewer would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sfo.spectra.matrix import CoverageMatrix
from sfo.spectra.suite_reduction import SuiteReduction


def report_reduction_text(matrix: CoverageMatrix, kept: SuiteReduction) -> str:
    """The names of the executions, one a line."""
    names = matrix.names()
    return "".join(f"{line}\n" for line in _lines(matrix, kept, names))


def _lines(matrix: CoverageMatrix, kept: SuiteReduction, names: Sequence[str]) -> Iterator[str]:
    common = int(np.count_nonzero(matrix.ef == matrix.failing)) if matrix.failing else 0
    if kept.failing:
        how = (
            "no fewer will do" if kept.minimal else f"found greedily; fewer than {kept.at_least} will not do"
        )
        yield f"{len(kept.failing)} of {matrix.failing} failing executions have the same {common} units in common as all ({how}):"
        yield from (f"  {names[execution]}" for execution in kept.failing)
    if kept.passing:
        yield f"{len(kept.passing)} of {matrix.passing} passing executions have different coverage:"
        yield from (f"  {names[execution]}" for execution in kept.passing)
