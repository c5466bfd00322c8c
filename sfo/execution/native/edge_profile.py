"""Native executions with step counters compiled in, from which edge profiles are made.

    (sfo_at(3), x = f(y));     step 3 4 17: unit 4 followed unit 3 seventeen times

They have what an edge profile is made from: how often each unit followed another within an activation, how conditions
came out, and how the execution ended. The interpreter's executions of the same inputs have the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cfrontend import instrument
from cfrontend.errors import ResourceError, UsageError
from cfrontend.host.child_processes import ChildProcessWorkplace
from cfrontend.program import Program
from cfrontend.units import UnitId
from sfo.core.dataset import Dataset
from sfo.core.executions import Execution, Native, Outcome
from sfo.core.policy import policy
from sfo.execution.native.build import NativeBuild, build_natively
from sfo.execution.native.compare import LOST, ComparedNativeExecution
from sfo.execution.native.execute import (
    SECONDS,
    ExecutableNativeProgram,
    NativeInputVector,
    interpreted_native_execution,
    native_vector_to_execute,
)
from sfo.formats.vectors import InputVector, VectorTable

_NEITHER: Final = frozenset({"assume", "missing", "unsupported", "unreachable"})
"""Ends of executions that neither fail nor pass."""


def native_edge_profile_dataset(
    program: Program, table: VectorTable, seconds: float = SECONDS, native: Native = "sandboxed"
) -> Dataset:
    """The executions of the vectors in ``table``, none of which may take more than ``seconds``.

    Where memory without a value may be read, an execution of ours says which inputs are its; then a native execution
    that goes on behind a violation that nothing shows, and asks for more inputs, has no outcome.

    Raises UsageError for a row that is too short or too long, ResourceError when gcc cannot compile the
    program or an execution was lost,
    InputError for a unit out of a macro and for an input without native value.
    """
    with ChildProcessWorkplace("sfo-steps-") as directory:
        built = build_natively(program, directory, coverage=False, steps=True, native=native)
        alone = not instrument.variables_to_instrument(
            program.goto
        ) and not instrument.instrument_needs_memory(program.goto)
        vectors = [
            NativeInputVector(values=row.values) if alone else _vector(program, built, row)
            for row in table.vectors
        ]
        runs = ExecutableNativeProgram(built, program).run(vectors, seconds)
        _must_have_ended(runs)
        executions = []
        units = frozenset(unit.id for unit in program.units)
        for number, (row, vector, execution) in enumerate(
            zip(table.vectors, vectors, runs, strict=True), start=1
        ):
            if alone and execution.end == "missing":
                raise UsageError("row too short: the program reads more inputs", row.location)
            _must_be_read(row, len(vector.values), len(execution.inputs), execution.end)
            steps = directory / "runs" / f"{number - 1}.end.steps"
            try:
                executions.append(_execution(number, execution, _words(steps), units))
            except (ValueError, LookupError):
                raise ResourceError(
                    f"the native execution of row {number} has written into its own profile"
                ) from None
    return Dataset(units=program.units, executions=tuple(executions))


def _must_have_ended(executions: Sequence[ComparedNativeExecution]) -> None:
    """Raises ResourceError for an execution that was lost: a profile without it would say something else."""
    for number, execution in enumerate(executions, start=1):
        if execution.end == LOST:
            raise ResourceError(f"the native execution of row {number} was lost: {execution.why}")


def _vector(program: Program, built: NativeBuild, row: InputVector) -> NativeInputVector:
    """The row for the harness, after an execution of ours."""
    execution = interpreted_native_execution(program, row.values)
    if execution is None:
        raise UsageError("row too short: the program reads more inputs", row.location)
    _must_be_read(row, len(row.values), len(execution.inputs), "pass")
    found = native_vector_to_execute(execution.inputs, built.plan)
    if isinstance(found, str):
        raise UsageError(found, row.location)
    return found


def _must_be_read(row: InputVector, given: int, read: int, end: str) -> None:
    if read < given <= policy().executions.profiled and _outcome(end) is not None:
        raise UsageError(f"row too long: {given - read} of its values are never read", row.location)


def _words(file: Path) -> list[list[str]]:
    return [line.split() for line in file.read_text().splitlines()] if file.exists() else []


def _execution(
    number: int,
    execution: ComparedNativeExecution,
    words: Sequence[Sequence[str]],
    units: frozenset[UnitId],
) -> Execution:
    """The execution with its profile. Raises ValueError or LookupError where ``words`` are none."""
    flow: dict[tuple[UnitId | None, UnitId | None], int] = {}
    tests: dict[UnitId, tuple[int, int]] = {}
    counts: dict[UnitId, int] = {}
    for kind, *cells in words:
        first, second, third = map(int, cells)
        if not {first, second if kind != "test" else 0} <= units | {0}:
            raise LookupError(first)
        if kind == "test":
            tests[first] = (second, third)
            continue
        flow[first or None, second or None] = third
        if second:
            counts[second] = counts.get(second, 0) + third
    return Execution(
        id=number,
        outcome=_outcome(execution.end),
        property=None,
        inputs=(),
        covered=frozenset(counts),
        counts=counts,
        output=execution.printed,
        ended=execution.end,
        flow=flow,
        tests=tests,
    )


def _outcome(end: str) -> Outcome | None:
    if end == "pass":
        return "pass"
    return None if end in _NEITHER or end.startswith("limit-") else "fail"
