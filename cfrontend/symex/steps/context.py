"""What every step of a function is compiled with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from cfrontend import goto, tree
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.symex.expressions import ExpressionCompiler
from cfrontend.symex.functions import CompiledFunction, FunctionVariables, Step, World, compiler_for
from cfrontend.symex.machine import Machine
from cfrontend.terms import Term
from cfrontend.types import StructType

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


def note_write(f: FunctionContext, m: Machine, i: goto.Assign | goto.Input, values: Sequence[Term]) -> None:
    """Where steps are recorded: what is about to be written, and where if that is not a plain variable."""
    if m.recorder is None:
        return
    is_plain = isinstance(i.target, tree.VariableRef) and not isinstance(i.target.type, StructType)
    has_address = not is_plain and f.x.bit_field(i.target) is None
    m.note_write(i.unit, i.target, f.x.address(i.target)(m) if has_address else None, values)
