"""Refusals: constructs of a goto program that have no form in C for CBMC, named where an execution can reach them."""

from __future__ import annotations

from collections.abc import Iterator

from cfrontend import goto
from cfrontend.goto import GotoProgram, goto_expressions_of, goto_subexpressions
from cfrontend.syntax import tree
from cfrontend.syntax.types import LONG_DOUBLE


def reachable_refusals(program: GotoProgram, entry: str) -> tuple[goto.RefuseInstruction, ...]:
    """The unmodelled constructs in the functions that are reachable from ``entry``, in order."""
    return tuple(refused for _, refused in refused_instructions(program, entry))


def refused_instructions(
    program: GotoProgram, entry: str
) -> Iterator[tuple[goto.Instruction, goto.RefuseInstruction]]:
    """The unmodelled instructions, which become ends, each with the message for it."""
    reachable = functions_with_possible_refusals(program, entry)
    for name, function in program.functions.items():
        for i in function.instructions if name in reachable else ():
            if isinstance(i, goto.RefuseInstruction):
                yield i, i
            elif (
                isinstance(i, goto.CallInstruction)
                and isinstance(i.callee, tree.FunctionRef)
                and i.callee.name not in program.functions
            ):
                said = f"undefined function '{i.callee.name}' is called; define it or give its file"
                yield i, goto.RefuseInstruction(location=i.location, message=said, unsupported=False)
            elif (what := _unwritable(i)) is not None:
                said = f"{what} is not supported with --backend cbmc yet"
                yield i, goto.RefuseInstruction(location=i.location, message=said)


def _unwritable(i: goto.Instruction) -> str | None:
    """The construct of an instruction that has no form in the text."""
    if isinstance(i, goto.VariableArgumentsInstruction):
        return "a function with variable arguments"
    if isinstance(i, goto.AssumeInstruction | goto.AssertInstruction):
        match i.condition:
            case goto.InitialisedCondition():
                return "the check of unwritten reads"
            case goto.AllFreedCondition():
                return "the check of leaks"
            case _:
                pass
    for top in goto_expressions_of(i):
        for e in goto_subexpressions(top):
            if isinstance(e, tree.MathFunctionCall):
                return f"the function '{e.name}'"
            if e.type == LONG_DOUBLE:
                return "long double"
    return None


def functions_with_possible_refusals(program: GotoProgram, entry: str) -> frozenset[str]:
    """Functions reachable from ``entry``: called directly, or with their address taken there."""
    found = {entry}
    waiting = [program.functions[entry], program.start]
    while waiting:
        function = waiting.pop()
        for i in function.instructions:
            for top in goto_expressions_of(i):
                for e in goto_subexpressions(top):
                    if (
                        isinstance(e, tree.FunctionRef)
                        and e.name in program.functions
                        and e.name not in found
                    ):
                        found.add(e.name)
                        waiting.append(program.functions[e.name])
    return frozenset(found)
