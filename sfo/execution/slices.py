"""Coverage of an execution under slicing: all units that it evaluated, or those in a static or dynamic slice.

    int x = f(); int y = g(); assert(x > 0);
    covered under none: x, y, ...      static: x, ...      dynamic: x, and of f only what its result came from

Executions of a static slice are run once more on the whole program, which has to end as the slice did; what they
print, and how often they evaluate a unit, is what they do there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, final

from cfrontend.encode_options import EncodeFixedValues
from cfrontend.errors import InternalError, ResourceError, UsageError
from cfrontend.program import Program, program_with_static_slice
from cfrontend.terms import Terms
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import Execution
from sfo.core.interpret import interpret
from sfo.core.result import ResultSlice, Slicing


@final
class ExecutionSlices:
    """The slices of one program; ``program`` is what has to be encoded to find its executions."""

    def __init__(
        self, program: Program, kind: Slicing, properties: Collection[str], deadline: float | None
    ) -> None:
        """Raises UsageError for what cannot be sliced."""
        if kind != "none" and program.options.reference:
            raise UsageError(f"--slice {kind} cannot be used with a --reference")
        self.kind: Final = kind
        self._whole: Final = replace(program)
        self._followed: Final = replace(program)
        self._terms: Final = Terms()
        self._properties: Final = properties
        self._deadline: Final = deadline
        everything = (program, frozenset(unit.id for unit in program.units))
        encoded, units = program_with_static_slice(program) if kind == "static" else everything
        self.program: Final = encoded
        self._units: Final = units

    @property
    def mattering(self) -> frozenset[str] | None:
        """The properties that things have to matter to for a dynamic slice; None for another one."""
        return frozenset(self._properties) if self.kind == "dynamic" else None

    @property
    def used(self) -> ResultSlice | None:
        """Record of the slicing for a result; None without slicing."""
        if self.kind == "none":
            return None
        removed = tuple(unit.id for unit in self._whole.units if unit.id not in self._units)
        return ResultSlice(kind=self.kind, removed=removed)

    def whole(self, executions: Sequence[Execution]) -> tuple[Execution, ...]:
        """Executions ``executions`` on the whole program. Raises InternalError where one ends otherwise there."""
        return (
            tuple(executions)
            if self.kind == "none"
            else tuple(self._again(execution, None) for execution in executions)
        )

    def found(self, executions: Sequence[Execution]) -> tuple[Execution, ...]:
        """Executions of ``program`` as executions of the whole program, covering what is in their slices.

        One for which there is no time stays what it is in the slice: what it prints is missing.
        """
        return tuple(map(self._found, executions)) if self.kind == "static" else tuple(executions)

    def _found(self, execution: Execution) -> Execution:
        if execution.is_cut:
            return self.cut(execution)
        try:
            return self.cut(self._again(execution, None))
        except (ResourceError, KeyboardInterrupt):  # an execution without its output is better than none
            return execution

    def of(self, execution: Execution) -> Execution:
        """An execution of the whole program, covering what is in its slice. Raises ResourceError past the deadline."""
        match self.kind:
            case "none":
                return execution
            case "static":
                return self.cut(execution)
            case "dynamic":
                return self._again(execution, self.mattering)

    def cut(self, execution: Execution) -> Execution:
        """The execution ``execution`` without what it covers outside a static slice."""
        counts = {unit: count for unit, count in execution.counts.items() if unit in self._units}
        return replace(execution, covered=execution.covered & self._units, counts=counts)

    def _again(self, execution: Execution, mattering: frozenset[str] | None) -> Execution:
        encoded = interpret(
            self._whole if mattering is None else self._followed,
            EncodeFixedValues(execution.vector),
            terms=self._terms,
            deadline=self._deadline,
            mattering=mattering,
        )
        again = decode_only_execution(encoded, execution.id, self._properties)
        same = (again.outcome, again.property) == (execution.outcome, execution.property)
        if not same or encoded.concrete.missing_input is not None or encoded.concrete.unused_inputs:
            raise InternalError(
                f"execution {execution.id} of the slice {execution.ended}, that of the whole program {again.ended}"
            )
        return replace(
            execution, inputs=again.inputs, covered=again.covered, counts=again.counts, output=again.output
        )
