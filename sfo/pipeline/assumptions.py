"""Assumptions of a bound about the inputs, besides how far loops are followed, in words and as options.

int f(char *s) { return strlen(s) > 5; }     no execution is longer, but s has up to 4 characters
"""

from __future__ import annotations

from collections.abc import Mapping

from cfrontend.environment.assumed_options import EnvironmentOption
from cfrontend.program import Program
from sfo.core.result import ResultBound


def bound_of_program(
    program: Program, unwind: int | None, unwindset: Mapping[str, int], *, complete: bool | None
) -> ResultBound:
    """The bound ``unwind`` with what else it takes for granted, and the command line of a ``main`` that reads it."""
    arguments = program.options.arguments if program.reads_arguments else None
    return ResultBound(
        unwind=unwind,
        unwindset=unwindset,
        complete=complete,
        argc=None if arguments is None else arguments.count,
        argv_length=None if arguments is None or arguments.count < 2 else arguments.length,
        assumptions=assumptions(program),
        options=assumption_options(program),
    )


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


def assumption_options(program: Program) -> tuple[EnvironmentOption, ...]:
    """The options that make the surroundings of ``program`` what they are, whoever has said so."""
    around = () if program.around is None else program.around.said_by
    if not program.reads_arguments or program.harness is not None:
        return around
    arguments = program.options.arguments
    length = (("--argv-length", str(arguments.length)),) if arguments.count > 1 else ()
    return (("--argv", str(arguments.count)), *length, *around)
