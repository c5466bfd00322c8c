"""Misplaced writes: other variables that an assignment may have meant to write.

    int least, most, n; char c;        most = n   ->   least = n

A variable of the same type that lives: a local one that is declared above, or a static one of the program's own. One
whose block has ended before counts, too: to write it is to write nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from cfrontend import goto
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.symex import unwritten
from cfrontend.symex.access import SymexAccessSlot, Value
from cfrontend.symex.expressions import ExpressionCompiler
from cfrontend.symex.functions import CompiledFunctionVariables
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.syntax import tree
from cfrontend.terms import FALSE, Term


@final
@dataclass(frozen=True, slots=True)
class _Variable:
    """Candidate target of a misplaced write: whether it lives, and the closures that read and write it."""

    lives: Callable[[SymbolicMachine], bool]
    read: Value
    write: Callable[[SymbolicMachine, Term], None]


def write_to_other_targets(
    pc: int, target: tree.VariableRef, x: ExpressionCompiler, variables: CompiledFunctionVariables
) -> Callable[[SymbolicMachine, Term, str], bool]:
    """The closure that writes a value to a variable that may be meant instead of ``target`` at ``pc`` of a function.

    It takes the value and the name of what chooses the variable; False where there is none.
    """
    found = [_variable(symbol, target, x, variables) for symbol in _symbols(pc, target.symbol, variables)]

    def write(m: SymbolicMachine, value: Term, choice: str) -> bool:
        alive = [variable for variable in found if variable.lives(m)]
        t = m.t
        which = t.var(f"{choice} of {len(alive)}", max(1, len(alive).bit_length()))
        chosen = [t.eq(which, t.const(number, t.width[which])) for number in range(len(alive))]
        if not m.assume(t.any_of(chosen)):
            return False
        for here, variable in zip(chosen, alive, strict=True):
            variable.write(m, t.ite(here, value, unwritten.unwritten_unread_parts(m, variable.read)))
        return True

    return write


def _symbols(
    pc: int, own: tree.SyntaxSymbol, variables: CompiledFunctionVariables
) -> list[tree.SyntaxSymbol]:
    function, world = variables.function, variables.world
    declared = [i.symbol for i in function.instructions[:pc] if isinstance(i, goto.DeclareInstruction)]
    static = [
        variable.symbol
        for variable in world.program.variables
        if variable.symbol.function in (None, function.name)
        and not is_preprocessed_foreign_file(variable.symbol.location.file)
    ]
    return [
        symbol
        for symbol in dict.fromkeys((*function.parameters, *declared, *static))
        if symbol.type == own.type and symbol.key != own.key and symbol.name.isidentifier()
    ]


def _variable(
    symbol: tree.SyntaxSymbol,
    target: tree.VariableRef,
    x: ExpressionCompiler,
    variables: CompiledFunctionVariables,
) -> _Variable:
    reference = tree.VariableRef(type=symbol.type, location=target.location, symbol=symbol)
    found = variables.find(symbol)
    if isinstance(found, SymexAccessSlot):
        lives = _slot_lives(found)
    elif symbol.storage in ("static", "extern"):
        lives = _always
    else:
        lives = _object_lives(variables.object_index(symbol))
    return _Variable(lives, x.load(reference), x.store(reference))


def _always(m: SymbolicMachine) -> bool:  # noqa: ARG001 - a static variable lives in every state
    return True


def _slot_lives(slot: SymexAccessSlot) -> Callable[[SymbolicMachine], bool]:
    return lambda m: m.is_written(slot.number if slot.is_static else m.base + slot.number)


def _object_lives(index: int) -> Callable[[SymbolicMachine], bool]:
    def lives(m: SymbolicMachine) -> bool:
        obj = None if m.frame is None else m.frame.objects[index]
        return obj is not None and m.alive(obj) != FALSE

    return lives
