"""Final values of an execution on given inputs: what global and static variables hold at its end.

int total;   total += 3;   ->   (("total", 0, 3),)

Two versions of a program leave the same where these are equal. Pointers are left out: addresses differ for no reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, final

from cfrontend.encoded_program import FinalValue
from cfrontend.settings import SETTINGS
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.symex.observer import Observer
from cfrontend.syntax.types import PointerType
from cfrontend.terms import Term

_STATUS: Final = 0xFF
"""Bits of an exit status that can be seen."""

if TYPE_CHECKING:
    from cfrontend.goto import GotoProgram
    from cfrontend.symex.functions import CompiledFunctionsWorld
    from cfrontend.symex.machine import SymbolicMachine


@final
class FinalValues(Observer):
    """Observer that takes the values of the written variables of ``program`` at the end of its only execution.

    ``status`` is that of the process, where it is executed from ``main`` on.
    """

    def __init__(self, world: CompiledFunctionsWorld, program: GotoProgram) -> None:
        self._world = world
        self._symbols = [
            variable.symbol
            for variable in program.variables
            if variable.symbol.key not in SETTINGS
            and not is_preprocessed_foreign_file(variable.symbol.location.file)
        ]
        self.values: frozenset[FinalValue] = frozenset()
        self.status: int | None = None

    def ends(self, m: SymbolicMachine, *, exits: bool, value: Sequence[Term]) -> bool:
        """Take the values; what is not known, as nobody wrote it, is left out."""
        written = m.overlay.keys()
        found: set[FinalValue] = set()
        for symbol in self._symbols:
            for number, ctype in self._world.written_scalars(m, symbol, written).items():
                bits = m.t.value[self._world.static_scalar(m, symbol, number)]
                if bits is not None and not isinstance(ctype, PointerType):
                    found.add((symbol.key, number, bits))
        self.values = frozenset(found)
        status = m.t.value[value[0]] if value else None
        self.status = None if status is None else status & _STATUS
        return True
