"""Compilation context of a function's steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from cfrontend import goto
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.symex.expressions import ExpressionCompiler
from cfrontend.symex.functions import CompiledFunction, FunctionVariables, Step, World, compiler_for
from cfrontend.symex.machine import Machine

if TYPE_CHECKING:
    from cfrontend.symex.calls import Caller


@final
@dataclass(frozen=True, slots=True)
class CompiledContext:
    """Compilation context: the function whose instructions are compiled, and what it shares with the others."""

    world: World
    compiled: CompiledFunction
    variables: FunctionVariables
    caller: Caller

    @property
    def x(self) -> ExpressionCompiler:
        """The expression compiler of the function."""
        return compiler_for(self.world, self.variables)


def idle_step(_: Machine) -> None:
    """The step without an effect."""
    return


def refusal_step(i: goto.Refuse) -> Step:
    """The step that raises the message of ``i``: execution must not come there."""

    def refuse(m: Machine) -> int | None:
        if i.unsupported:
            raise UnsupportedError(i.message, m.place_of(i.location))
        raise InputError(i.message, m.place_of(i.location))

    return refuse
