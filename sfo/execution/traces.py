"""The steps of executions, for reports and for ties: each is executed again, concretely, on its inputs.

traced(program, result, 10)  ->  result with traces={1: Trace(steps=(TraceStep(unit=1, ...), ...), left_out=0)}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cfrontend.effort import SECOND, within_effort
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.errors import SfoError
from cfrontend.events import TraceStepEvent
from cfrontend.program import Program
from cfrontend.terms import Terms
from cfrontend.units import UnitId
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import ENDLESS, Execution, ExecutionTrace
from sfo.core.interpret import inputs_of_execution, interpret
from sfo.core.policy import policy
from sfo.core.result import Result, ResultOfProperty


def result_with_violations_and_traces(
    program: Program, entry: str, result: Result, count: int, deadline: float | None = None
) -> Result:
    """``result`` with its violations told in full, and the traces of ``count`` executions of each outcome.

    Executions begin in ``entry``. What time or Ctrl-C leaves out is missing.
    """
    result = _with_violations(program, entry, result, deadline)
    traces: dict[int, ExecutionTrace] = {}
    try:
        for execution in (*result.dataset.failing[:count], *result.dataset.passing[:count]):
            traces[execution.id] = _trace_of(program, execution, deadline)
    except (SfoError, KeyboardInterrupt):  # a report without the rest is better than none
        pass
    return replace(result, traces=traces)


def _with_violations(program: Program, entry: str, result: Result, deadline: float | None = None) -> Result:
    """``result`` with the call stack, the differences from the reference and the invalid pointer of each violation.

    What time, effort or Ctrl-C leaves out is missing.
    """
    end = None if program.reference is None else program.reference.end
    seen: dict[str, ResultOfProperty] = {}
    first = {one.property: one for one in reversed(result.dataset.failing)}
    try:
        for item in result.properties:
            execution = first.get(item.property.id)
            in_entry = item.property.function == entry and item.property.kind != "pointer"
            if execution is not None and (not in_entry or item.property.id == end):
                seen[item.property.id] = _with_violation(item, program, execution, deadline)
    except (SfoError, KeyboardInterrupt):  # a report without the rest is better than none
        pass
    return replace(result, properties=tuple(seen.get(item.property.id, item) for item in result.properties))


def _with_violation(
    item: ResultOfProperty, program: Program, execution: Execution, deadline: float | None
) -> ResultOfProperty:
    """``item`` as ``execution`` violates it; unchanged for one that has no end."""
    if execution.ended == ENDLESS:
        return item
    with within_effort(policy().traces.order_seconds * SECOND):
        inputs, rounds = inputs_of_execution(execution), policy().traces.iterations
        encoded = interpret(program, inputs, rounds, deadline=deadline)
    found = next((v for v in encoded.violations if v.property == execution.property), None)
    violated = item.property
    if found is not None and found.because:
        violated = replace(violated, description=f"{violated.description}: {found.because}")
    ends = program.reference is not None and execution.property == program.reference.end
    return replace(
        item,
        property=violated,
        called_from=() if found is None else found.called_from,
        differences=encoded.comparison.differences if ends else (),
    )


def _trace_of(program: Program, execution: Execution, deadline: float | None = None) -> ExecutionTrace:
    """Steps of the execution ``execution``. Raises ResourceError past the deadline."""
    steps = _steps(program, execution, deadline)
    return ExecutionTrace(
        steps=steps[-policy().traces.steps :], left_out=max(0, len(steps) - policy().traces.steps)
    )


def trace_nearness(
    program: Program, executions: Sequence[Execution], deadline: float | None = None
) -> dict[UnitId, float]:
    """Nearness of units to the failures, from 0 to 1: those that are evaluated late, and matter to the violation.

    A unit that is first evaluated in the last step of an execution is nearly 1; one outside of the dynamic slice of an
    execution counts as evaluated earlier in it. It is the mean over those of the first executions that evaluate the
    unit and are not too long to be traced, before the ``deadline``.
    """
    found: dict[UnitId, list[float]] = {}
    weight = policy().traces.slice_weight
    traced, followed = ((replace(program), Terms()) for _ in range(2))
    for execution in executions[: policy().traces.ordered]:
        try:
            with within_effort(policy().traces.order_seconds * SECOND):
                steps = _steps(traced[0], execution, deadline, traced[1])
                matters = _mattering_units(*followed, execution, deadline)
        except SfoError:
            continue
        first: dict[UnitId, int] = {}
        for number, step in enumerate(steps):
            first.setdefault(step.unit, number)
        for unit, number in first.items():
            place = number / len(steps) + weight * (matters is None or unit in matters)
            found.setdefault(unit, []).append(place / (1 + weight))
    return {unit: sum(places) / len(places) for unit, places in found.items()}


def _mattering_units(
    program: Program, terms: Terms, execution: Execution, deadline: float | None
) -> frozenset[UnitId] | None:
    """The units in the dynamic slice of a failing execution; None where it has none, as beside a reference."""
    if program.reference is not None or execution.property is None:
        return None
    inputs, mattering = EncodeFixedValues(execution.vector), frozenset([execution.property])
    encoded = interpret(program, inputs, terms=terms, deadline=deadline, mattering=mattering)
    again = decode_only_execution(encoded, execution.id)
    return again.covered if again.property == execution.property else None


def trace_with_unread_inputs(
    program: Program, execution: Execution, deadline: float | None = None
) -> Execution:
    """A failing execution with the inputs that only its reference reads; unchanged where that takes long."""
    if program.reference is None or execution.outcome != "fail":
        return execution
    try:
        with within_effort(policy().traces.order_seconds * SECOND):
            rounds = policy().traces.iterations
            encoded = interpret(
                program, inputs_of_execution(execution), rounds, patience=1, deadline=deadline
            )
    except SfoError:
        return execution
    if encoded.concrete.missing_input is not None:
        return execution
    again = decode_only_execution(encoded, execution.id)
    return replace(execution, unread=again.unread) if again.property == execution.property else execution


def _steps(
    program: Program, execution: Execution, deadline: float | None, terms: Terms | None = None
) -> tuple[TraceStepEvent, ...]:
    """Steps of the execution ``execution``; of one that does not end, the first ones."""
    limits = policy().traces
    limit = limits.endless_iterations if execution.ended == ENDLESS else limits.iterations
    inputs = inputs_of_execution(execution)
    return interpret(program, inputs, limit, terms=terms, deadline=deadline, steps=True).concrete.steps
