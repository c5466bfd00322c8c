"""Other variables that an assignment may have meant to write.

    int least, most, n; char c;        most = n   ->   least = n

A variable of the same type that lives: a local one that is declared above, or a static one of the program's own. One
whose block has ended before counts, too: to write it is to write nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from cfrontend import goto, tree
from cfrontend.preprocess import is_foreign
from cfrontend.symex.expressions import ExpressionCompiler, Slot, Value
from cfrontend.symex.functions import FunctionVariables
from cfrontend.symex.machine import Machine
from cfrontend.terms import FALSE, Term


@final
@dataclass(frozen=True, slots=True)
class _Variable:
    """Whether it lives, and the closures that read and write it."""

    lives: Callable[[Machine], bool]
    read: Value
    write: Callable[[Machine, Term], None]


@final
class OtherVariables:
    """The variables that may be meant instead of ``target`` at ``pc`` of a function, looked up on first use."""

    def __init__(
        self, pc: int, target: tree.VariableRef, x: ExpressionCompiler, variables: FunctionVariables
    ) -> None:
        self._pc = pc
        self._target = target
        self._x = x
        self._variables = variables
        self._found: list[_Variable] | None = None

    def write(self, m: Machine, value: Term, choice: str) -> bool:
        """One of them takes ``value``: the variable ``choice`` says which. False when there is none."""
        if self._found is None:
            self._found = [self._variable(symbol) for symbol in self._symbols()]
        alive = [variable for variable in self._found if variable.lives(m)]
        t = m.t
        which = t.var(f"{choice} of {len(alive)}", max(1, len(alive).bit_length()))
        chosen = [t.eq(which, t.const(number, t.width[which])) for number in range(len(alive))]
        if not m.assume(t.any_of(chosen)):
            return False
        for here, variable in zip(chosen, alive, strict=True):
            variable.write(m, t.ite(here, value, m.unread(variable.read)))
        return True

    def _symbols(self) -> list[tree.Symbol]:
        function, world = self._variables.function, self._variables.world
        above = function.instructions[: self._pc]
        declared = [i.symbol for i in above if isinstance(i, goto.Declare)]
        static = [
            variable.symbol
            for variable in world.program.variables
            if variable.symbol.function in (None, function.name)
            and not is_foreign(variable.symbol.location.file)
        ]
        own = self._target.symbol
        return [
            symbol
            for symbol in dict.fromkeys((*function.parameters, *declared, *static))
            if symbol.type == own.type and symbol.key != own.key and symbol.name.isidentifier()
        ]

    def _variable(self, symbol: tree.Symbol) -> _Variable:
        reference = tree.VariableRef(type=symbol.type, location=self._target.location, symbol=symbol)
        found = self._variables.find(symbol)
        if isinstance(found, Slot):
            lives = _slot_lives(found)
        elif symbol.storage in ("static", "extern"):
            lives = _always
        else:
            lives = _object_lives(self._variables.object_index(symbol))
        return _Variable(lives, self._x.load(reference), self._x.store(reference))


def _always(m: Machine) -> bool:  # noqa: ARG001 - a static variable lives in every state
    return True


def _slot_lives(slot: Slot) -> Callable[[Machine], bool]:
    return lambda m: m.is_written(slot.number if slot.is_static else m.base + slot.number)


def _object_lives(index: int) -> Callable[[Machine], bool]:
    def lives(m: Machine) -> bool:
        obj = None if m.frame is None else m.frame.objects[index]
        return obj is not None and m.alive(obj) != FALSE

    return lives
