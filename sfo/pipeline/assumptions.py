"""Assumptions of a bound about the inputs, besides how far loops are followed.

int f(char *s) { return strlen(s) > 5; }     no execution is longer, but s has up to 4 characters
"""

from __future__ import annotations

from cfrontend.program import Program


def assumptions(program: Program) -> tuple[str, ...]:
    """Assumptions about the inputs of ``program`` in a few words each, most important first.

    Where there is one, executions with other inputs were not looked at, so that no bound is beyond all of them.
    """
    around = () if program.around is None else program.around.assumptions
    if not program.reads_arguments or program.harness is not None:
        return around
    arguments = program.options.arguments
    count = f"argc = {arguments.count} (--argv)"
    if arguments.count < 2:
        return (count, *around)
    return (count, f"arguments with up to {arguments.length} characters (--argv-length)", *around)
