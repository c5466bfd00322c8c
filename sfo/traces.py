"""The steps of executions, for reports: each is one more run of ours on the inputs of the execution.

traced(program, result, 10)  ->  result with traces={1: Trace(steps=(TraceStep(unit=1, ...), ...), left_out=0)}
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cfrontend.errors import SfoError
from cfrontend.formula import Bound
from cfrontend.program import Program, encode
from sfo.data import Execution, Result, Trace

STEPS: Final = 2000
"""Steps that a trace keeps: the last ones."""

_ITERATIONS: Final = 1_000_000
"""What a loop may take; an execution of so many is not traced."""


def traced(program: Program, result: Result, count: int, deadline: float | None = None) -> Result:
    """``result`` with the traces of its first ``count`` failing executions, and of as many passing ones.

    What time or Ctrl-C leaves out is missing.
    """
    traces: dict[int, Trace] = {}
    try:
        for run in (*result.dataset.failing[:count], *result.dataset.passing[:count]):
            traces[run.id] = trace(program, run, deadline)
    except (SfoError, KeyboardInterrupt):  # a report without the rest is better than none
        pass
    return replace(result, traces=traces)


def trace(program: Program, run: Execution, deadline: float | None = None) -> Trace:
    """The steps of ``run``. Raises ResourceError past the deadline."""
    encoded = encode(
        program,
        Bound(unwind=None, free=True, free_limit=_ITERATIONS),
        fixed_inputs=[value.value for value in run.inputs],
        reference_inputs=run.reference_inputs,
        deadline=deadline,
        steps=True,
    )
    return Trace(steps=encoded.steps[-STEPS:], left_out=max(0, len(encoded.steps) - STEPS))
