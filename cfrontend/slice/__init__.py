"""Static slicing: a program without what can influence no property, no assumption, no end and no bound.

    x = f(a); y = g(b); assert(x > 0);      ->      x = f(a); assert(x > 0);

The slice violates what the program violates, on the same inputs. It keeps every decision by which a property, an
assumption, an exit, a recursive call or the next round of a loop is reached, and all that they are computed from
(Weiser 1984, with every one of those as criterion). What is kept beside that keeps the input vectors the
same: reads of inputs and of memory that may never have been written. It has no units of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import final

from cfrontend import goto
from cfrontend.goto import GotoFunction, GotoProgram, Instruction
from cfrontend.slice.dependence import ITSELF, RESULT, Node, ProgramDependence
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import INT, is_scalar_type
from cfrontend.units import UnitId


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class StaticSlice:
    """Static slice of a program.

    ``units`` are those that matter; ``program`` has all units and properties, and evaluates only ``units``.
    """

    program: GotoProgram
    units: frozenset[UnitId]


def slice_statically(program: GotoProgram, entry: str) -> StaticSlice:
    """The static slice of a program that starts in ``entry``."""
    graph = ProgramDependence(program, entry)
    recursive = graph.recursive()
    criteria = [node for node, i in graph.nodes() if _is_criterion(graph, node, i, recursive)]
    relevant = _closure(graph, criteria)
    units = frozenset(unit for node in relevant if (unit := graph.instruction(node).unit) is not None)
    also = [node for node, i in graph.nodes() if _keeps_the_run(graph, node, i, units)]
    kept = frozenset(_closure(graph, [*relevant, *also]))
    functions = {
        name: _reduced(function, kept) if name in graph.functions else function
        for name, function in program.functions.items()
    }
    return StaticSlice(program=replace(program, functions=functions), units=units)


def _is_criterion(graph: ProgramDependence, node: Node, i: Instruction, recursive: frozenset[str]) -> bool:
    """Slicing criterion: whether an execution may end at an instruction, or leave the bound there."""
    if node[2] != ITSELF:
        return False
    match i:
        case (
            goto.AssertInstruction()
            | goto.AssumeInstruction()
            | goto.ExitInstruction()
            | goto.RefuseInstruction()
            | goto.FreeInstruction()
            | goto.AllocateInstruction()
            | goto.LeaveInstruction()
        ):
            return True
        case goto.JumpInstruction(target=target) | goto.BranchInstruction(target=target):
            return target <= node[1]
        case goto.CallInstruction():
            return any(name in recursive for name in graph.pointers.callees(i)) or not graph.pointers.callees(
                i
            )
        case _:
            return False


def _keeps_the_run(graph: ProgramDependence, node: Node, i: Instruction, units: frozenset[UnitId]) -> bool:
    """Whether the input vector or the coverage of an execution needs a part of an instruction."""
    match i:
        case goto.CoverInstruction():
            return i.unit in units
        case goto.InputInstruction() | goto.SymbolicInstruction():
            return True
        case goto.ReturnInstruction(value=value) if node[2] == RESULT and value is not None:
            return not is_scalar_type(value.type) or graph.may_be_unwritten(node)
        case goto.CallInstruction() if node[2] >= 0:
            return not is_scalar_type(i.arguments[node[2]].type) or graph.may_be_unwritten(node)
        case _:
            return graph.may_be_unwritten(node)


def _closure(graph: ProgramDependence, criteria: Iterable[Node]) -> set[Node]:
    """Backward closure of ``criteria`` in the dependence graph: they and all that some of them depends on."""
    found = set(criteria)
    seen: dict[str, int] = {}
    waiting = sorted(found)
    while waiting:
        for node in graph.on(waiting.pop(), seen):
            if node not in found:
                found.add(node)
                waiting.append(node)
    return found


def _reduced(function: GotoFunction, kept: frozenset[Node]) -> GotoFunction:
    """The reduced function, without the instructions that are not ``kept``; its loops stay as many, and apart."""
    heads = {head for _, head, _ in function.loops()}
    code: list[Instruction] = []
    place: list[int] = []
    for pc, i in enumerate(function.instructions):
        place.append(len(code))
        if (function.name, pc, ITSELF) in kept or isinstance(i, _ALWAYS_KEPT):
            code.append(_with_parts(function.name, pc, i, kept))
        elif pc in heads:
            # Two loops that begin at one instruction would be counted as one.
            code.append(goto.JumpInstruction(location=i.location, target=pc + 1))
    place.append(len(code))
    moved = (replace(i, target=place[i.target]) if isinstance(i, goto.JumpOrBranch) else i for i in code)
    return replace(function, instructions=tuple(moved))


def _with_parts(name: str, pc: int, i: Instruction, kept: frozenset[Node]) -> Instruction:
    """The instruction without the values that are not ``kept``."""
    match i:
        case goto.CallInstruction():
            arguments = (
                argument if (name, pc, n) in kept else _zero(argument)
                for n, argument in enumerate(i.arguments)
            )
            return replace(i, arguments=tuple(arguments))
        case goto.ReturnInstruction(value=value) if value is not None and (name, pc, RESULT) not in kept:
            return replace(i, value=_zero(value))
        case _:
            return i


def _zero(e: Expression) -> Expression:
    """The constant 0 in the type of ``e``, a scalar."""
    zero = tree.IntConstant(type=INT, location=e.location, value=0)
    return tree.Cast(type=e.type, location=e.location, operand=zero, implicit=True)


_ALWAYS_KEPT = (goto.JumpInstruction, goto.ReturnInstruction, goto.DeclareInstruction, goto.DeadInstruction)
"""Instructions that stay in every slice: they only say where execution goes on and what lives."""
