"""What every step of a function is compiled with."""

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
class FunctionContext:
    """The function whose instructions are compiled, and what it shares with the others."""

    world: World
    compiled: CompiledFunction
    variables: FunctionVariables
    caller: Caller

    @property
    def x(self) -> ExpressionCompiler:
        """The compiler of its expressions."""
        return compiler_for(self.world, self.variables)


def nothing(_: Machine) -> None:
    """A step that does nothing."""
    return


def refusal(i: goto.Refuse) -> Step:
    """A step that ends with the message of ``i``: execution must not come there."""

    def refuse(m: Machine) -> int | None:
        if i.unsupported:
            raise UnsupportedError(i.message, m.place_of(i.location))
        raise InputError(i.message, m.place_of(i.location))

    return refuse
