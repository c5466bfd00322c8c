"""Native replay of executions: the program compiled by gcc, executed on the same inputs, compared.

    replay(program, executions)  ->  (NativeCheck(execution=1, status="agrees", ...), ...)

No execution is trusted on the word of the formula alone. gcc's code is run on each input vector, with sanitizers
that observe what the checks in force look for; the outcome, the place of the violation and the lines that gcov
counts have to be those of the execution.
"""

from sfo.execution.native.execute import (
    NativeExecutionReplayer,
    execute_native_replays,
)

__all__ = [
    "NativeExecutionReplayer",
    "execute_native_replays",
]
