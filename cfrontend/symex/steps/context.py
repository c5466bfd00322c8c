"""Compilation context of a function's steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from cfrontend import goto
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.symex.expressions import ExpressionCompiler
from cfrontend.symex.functions import (
    CompiledFunction,
    CompiledFunctionsWorld,
    CompiledFunctionVariables,
    Step,
)
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.steps.noted_conditions import NotedConditions, NotingExpressionCompiler

if TYPE_CHECKING:
    from cfrontend.symex.calls import Caller


@final
@dataclass(frozen=True, slots=True)
class StepContext:
    """Compilation context: the function whose instructions are compiled, and what it shares with the others."""

    world: CompiledFunctionsWorld
    compiled: CompiledFunction
    variables: CompiledFunctionVariables
    caller: Caller
    noted: NotedConditions | None = None

    @property
    def x(self) -> ExpressionCompiler:
        """The expression compiler of the function, or of an instruction whose conditions have goals."""
        if self.noted is not None:
            return NotingExpressionCompiler(self.variables, self.noted)
        return ExpressionCompiler(self.variables)


def refusal_step(_f: StepContext, _pc: int, i: goto.RefuseInstruction) -> Step:
    """The step that raises the message of ``i``: execution must not come there."""

    def refuse(m: SymbolicMachine) -> int | None:
        if i.unsupported:
            raise UnsupportedError(i.message, m.place_of(i.location))
        raise InputError(i.message, m.place_of(i.location))

    return refuse
