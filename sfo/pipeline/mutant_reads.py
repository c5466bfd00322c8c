"""Values of what a mutant alone reads: memory that nobody wrote, and inputs of calls that the program does not make.

    for (i = 0; i < n; i++)  ->  for (; i < n; i++)     i is 1 where the test wants it, and 0 where it is executed

Every value there may differ from run to run. So a mutant that comes out otherwise with one of them is killed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final, final

from cfrontend.units import InputNumber, InputSite
from sfo.core.executions import Execution, ExecutionInputValue
from sfo.core.policy import policy

_STANDARD_INPUT: Final = "standard input"
"""What all reads of the library share."""


@final
class MutantReads:
    """Supply of the ``inputs`` of an execution to a mutant, and of ``other`` for what it alone reads.

    ``has_own``: it has read such. The standard input has an end, behind which there is nothing to choose.
    """

    def __init__(self, inputs: Sequence[ExecutionInputValue], other: InputNumber) -> None:
        self.has_own = False
        self._other: Final = other
        self._memory: Final = [value for value in inputs if value.memory is not None]
        self._streams: Final[dict[str, deque[InputNumber]]] = {}
        for value in inputs:
            if value.memory is None:
                self._streams.setdefault(_stream(value), deque()).append(value.value)

    def __call__(self, site: InputSite) -> InputNumber:
        """The value of the input that is read next."""
        if site.memory is not None:
            place = site.memory
            known = [v.value for v in self._memory if v.memory is not None and v.memory.is_like(place)]
            return known[0] if known else self._own()
        waiting = self._streams.get(_stream(site))
        if waiting:
            return waiting.popleft()
        return self._own() if site.reading is None else site.at_end

    def _own(self) -> InputNumber:
        self.has_own = True
        return self._other


def mutant_reads_to_try(execution: Execution) -> list[InputNumber]:
    """Values to try for what only a mutant reads: small ones, and those that the execution has read."""
    own = [value.value for value in execution.inputs if value.reading is None]
    return list(dict.fromkeys((*policy().suites.mutant_reads, *own)))[: policy().suites.mutant_reads_tried]


def _stream(read: InputSite | ExecutionInputValue) -> str:
    """Name of the sequence of inputs that is read."""
    return _STANDARD_INPUT if read.reading is not None else read.function or read.name
