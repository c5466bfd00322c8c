"""Compiler of goto instructions to steps: closures that change the machine and say where execution goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, assert_never

from cfrontend import goto
from cfrontend.slice.omitted_writes import NO_DECISIONS
from cfrontend.symex import memory, memory_blocks
from cfrontend.symex.access import AccessSlot
from cfrontend.symex.functions import CompiledFunction, FunctionVariables, Step, World, fill_function_loops
from cfrontend.symex.machine import Machine
from cfrontend.symex.steps.angelic import relaxable_step
from cfrontend.symex.steps.calls import call_step, end_program, return_
from cfrontend.symex.steps.context import CompiledContext, refusal_step
from cfrontend.symex.steps.control import (
    assume_step,
    branch_step,
    check_step,
    cover_step,
    jump_step,
    leave_bound,
)
from cfrontend.symex.steps.data import (
    allocate_step,
    assign_step,
    dead_step,
    declare_step,
    read_input,
    symbolic_step,
    variable_arguments,
)
from cfrontend.symex.steps.goals import noting_goals
from cfrontend.symex.steps.printing import observe_step, output_step
from cfrontend.symex.steps.slicing import followed_step
from cfrontend.syntax.types import IntType, is_scalar, size_of

if TYPE_CHECKING:
    from cfrontend.symex.calls import Caller

_OfData: TypeAlias = (
    goto.Cover
    | goto.Declare
    | goto.Dead
    | goto.Assign
    | goto.Input
    | goto.Symbolic
    | goto.Allocate
    | goto.Free
    | goto.ObjectSize
    | goto.Copy
    | goto.Fill
    | goto.VariableArguments
)
"""Instructions that read or write memory and have one successor, the next instruction."""


def compile_function(world: World, name: str, caller: Caller) -> CompiledFunction:
    """The compiled function ``name``, made once."""
    found = world.compiled.get(name)
    if found is not None:
        return found
    source = world.program.start if name == world.program.start.name else world.program.functions[name]
    cells = world.value_cells(source.result)
    variables = FunctionVariables(world, source, cells)
    tested = goto.tested_once(source)
    result = CompiledFunction(
        source=source,
        slots=0,
        objects=0,
        result_slots=cells,
        may_end_without_value=goto.may_end_without_value(source),
        tested_once=tested,
        decisions=NO_DECISIONS if world.omissions is None else world.omissions.of(source),
        static_slots=world.static_slots,
        slot_of=variables.slots,
    )
    fill_function_loops(source, result)
    for parameter in source.parameters:
        width = (
            8 * size_of(parameter.type, world.program.structs) if isinstance(parameter.type, IntType) else 0
        )
        slot: AccessSlot | int
        if is_scalar(parameter.type) and parameter.key not in world.program.escaping:
            found_slot = variables.find(parameter)
            assert isinstance(found_slot, AccessSlot)
            slot = found_slot
        else:
            slot = variables.object_index(parameter)
        result.parameters.append((slot, parameter, width))
    context = CompiledContext(world, result, variables, caller)
    for pc, instruction in enumerate(source.instructions):
        step = _step(context, pc, instruction)
        result.steps.append(_at_head(result, pc, step) if pc in result.heads else step)
    result.slots = max(variables.next_slot, result.decisions.count)
    result.objects = len(variables.symbols)
    world.compiled[name] = result
    return result


def _at_head(function: CompiledFunction, pc: int, step: Step) -> Step:
    """The step of a loop head: entering from outside the loop resets its iteration counts."""
    backs = function.heads[pc]

    def head(m: Machine) -> int | None:
        frame = m.frame
        assert frame is not None
        if frame.came_back:
            frame.came_back = False
        else:
            for back in backs:
                frame.counts.pop(back, None)
                frame.rounds.pop(back, None)
                frame.progress.pop(back, None)
                frame.forks.pop(back, None)
                frame.advanced.discard(back)
                frame.older[back] = m.objects.count
        return step(m)

    return head


def _step(f: CompiledContext, pc: int, i: goto.Instruction) -> Step:
    """The step of one instruction."""
    step = _plain(f, pc, i)
    return step if f.world.omissions is None else followed_step(f, pc, i, step)


def _plain(f: CompiledContext, pc: int, i: goto.Instruction) -> Step:
    """The step of one instruction without recording for the dynamic slice."""
    match i:
        case goto.Assume():
            return assume_step(f, i)
        case goto.Assert():
            return check_step(f, pc, i)
        case goto.Branch():
            return noting_goals(f, pc, i, branch_step(f, pc, i))
        case goto.Jump():
            return jump_step(pc, i)
        case goto.Call():
            return call_step(f, i)
        case goto.Return():
            return return_(f, i)
        case goto.Exit():
            return end_program(f, i)
        case goto.Output():
            return output_step(f, i)
        case goto.Observe():
            return observe_step(f, i)
        case goto.Refuse():
            return refusal_step(i)
        case goto.Leave():
            return leave_bound(i)
        case _:
            return _of_data(f, pc, i)


def _of_data(f: CompiledContext, pc: int, i: _OfData) -> Step:
    """The step of an instruction that reads or writes memory and has one successor."""
    match i:
        case goto.Cover():
            return cover_step(i)
        case goto.Declare():
            return declare_step(f, i)
        case goto.Dead():
            return dead_step(f, i)
        case goto.Assign():
            return assign_step(f, pc, i)
        case goto.Input():
            return read_input(f, i)
        case goto.Symbolic():
            return symbolic_step(f, i)
        case goto.Allocate():
            return allocate_step(f, pc, i)
        case goto.Free():
            freed = relaxable_step(f, i, f.x.value(i.pointer), i.pointer.type)
            return lambda m: memory.free_object(m, freed(m))
        case goto.ObjectSize():
            write, pointer = f.x.store(i.target), f.x.value(i.pointer)
            return lambda m: write(m, memory.object_size_at(m, pointer(m)))
        case goto.Copy():
            to, source, size = f.x.value(i.target), f.x.value(i.source), f.x.value(i.size)
            return lambda m: memory_blocks.copy_block(m, to(m), source(m), size(m))
        case goto.Fill():
            to, byte, size = f.x.value(i.target), f.x.value(i.byte), f.x.value(i.size)
            return lambda m: memory_blocks.fill_block(m, to(m), byte(m), size(m))
        case goto.VariableArguments():
            return variable_arguments(f, i)
        case _:
            assert_never(i)
