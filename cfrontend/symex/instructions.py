"""Compiler of goto instructions to steps: closures that change the machine and say where execution goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias, assert_never

from cfrontend import goto
from cfrontend.slice.omitted_writes import NO_DECISIONS
from cfrontend.symex import memory, memory_blocks
from cfrontend.symex.access import SymexAccessSlot
from cfrontend.symex.functions import (
    CompiledFunction,
    CompiledFunctionsWorld,
    CompiledFunctionVariables,
    Step,
    fill_compiled_function_loops,
)
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.steps.angelic import angelic_step
from cfrontend.symex.steps.calls import call_step, exit_call_step, return_step_of_call
from cfrontend.symex.steps.context import StepContext, refusal_step_in_context
from cfrontend.symex.steps.control import (
    assume_control_step,
    branch_control_step,
    check_control_step,
    cover_control_step,
    jump_control_step,
    leave_bound_control_step,
)
from cfrontend.symex.steps.data import (
    allocate_data_step,
    assign_data_step,
    dead_data_step,
    declare_data_step,
    input_data_step,
    symbolic_data_step,
    variable_arguments_data_step,
)
from cfrontend.symex.steps.goals import noting_sides
from cfrontend.symex.steps.noted_conditions import noted_conditions
from cfrontend.symex.steps.printing import observed_printing_step, printing_step, side_effect_step
from cfrontend.symex.steps.slicing import slicing_step
from cfrontend.syntax.types import IntType, is_scalar_type, size_of_type

if TYPE_CHECKING:
    from cfrontend.symex.calls import Caller

_OfData: TypeAlias = (
    goto.CoverInstruction
    | goto.DeclareInstruction
    | goto.DeadInstruction
    | goto.AssignInstruction
    | goto.InputInstruction
    | goto.SymbolicInstruction
    | goto.AllocateInstruction
    | goto.FreeInstruction
    | goto.ObjectSizeInstruction
    | goto.CopyInstruction
    | goto.FillInstruction
    | goto.VariableArgumentsInstruction
)
"""Instructions that read or write memory and have one successor, the next instruction."""


def compile_function_instructions(
    world: CompiledFunctionsWorld, name: str, caller: Caller
) -> CompiledFunction:
    """The compiled function ``name``, made once."""
    found = world.compiled.get(name)
    if found is not None:
        return found
    source = world.program.start if name == world.program.start.name else world.program.functions[name]
    cells = world.value_cells(source.result)
    variables = CompiledFunctionVariables(world, source, cells)
    tested = goto.goto_program_single_conditions(source)
    result = CompiledFunction(
        source=source,
        slots=0,
        objects=0,
        result_slots=cells,
        may_end_without_value=goto.goto_function_may_lack_value(source),
        tested_once=tested,
        decisions=NO_DECISIONS if world.omissions is None else world.omissions.of(source),
        static_slots=world.static_slots,
        slot_of=variables.slots,
    )
    fill_compiled_function_loops(source, result)
    for parameter in source.parameters:
        width = (
            8 * size_of_type(parameter.type, world.program.structs)
            if isinstance(parameter.type, IntType)
            else 0
        )
        slot: SymexAccessSlot | int
        if is_scalar_type(parameter.type) and parameter.key not in world.program.escaping:
            found_slot = variables.find(parameter)
            assert isinstance(found_slot, SymexAccessSlot)
            slot = found_slot
        else:
            slot = variables.object_index(parameter)
        result.parameters.append((slot, parameter, width))
    context = StepContext(world, result, variables, caller)
    for pc, instruction in enumerate(source.instructions):
        noted = noted_conditions(world.goals, source.name, pc, instruction)
        step = _step(context if noted is None else replace(context, noted=noted), pc, instruction)
        result.steps.append(_at_head(result, pc, step) if pc in result.heads else step)
    result.slots = max(variables.next_slot, result.decisions.count)
    result.objects = len(variables.symbols)
    world.compiled[name] = result
    return result


def _at_head(function: CompiledFunction, pc: int, step: Step) -> Step:
    """The step of a loop head: entering from outside the loop resets its iteration counts."""
    backs = function.heads[pc]

    def head(m: SymbolicMachine) -> int | None:
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


def _step(f: StepContext, pc: int, i: goto.Instruction) -> Step:
    """The step of one instruction."""
    step = _plain(f, pc, i)
    return step if f.world.omissions is None else slicing_step(f, pc, i, step)


def _plain(f: StepContext, pc: int, i: goto.Instruction) -> Step:
    """The step of one instruction without recording for the dynamic slice."""
    match i:
        case goto.AssumeInstruction():
            return assume_control_step(f, i)
        case goto.AssertInstruction():
            return check_control_step(f, pc, i)
        case goto.BranchInstruction():
            return noting_sides(f, pc, i, branch_control_step(f, pc, i))
        case goto.JumpInstruction():
            return jump_control_step(pc, i)
        case goto.CallInstruction():
            return call_step(f, i)
        case goto.ReturnInstruction():
            return return_step_of_call(f, i)
        case goto.ExitInstruction():
            return exit_call_step(f, i)
        case goto.OutputInstruction():
            return printing_step(f, i)
        case goto.ObserveInstruction():
            return observed_printing_step(f, i)
        case goto.EffectInstruction():
            return side_effect_step(f, i)
        case goto.RefuseInstruction():
            return refusal_step_in_context(i)
        case goto.LeaveInstruction():
            return leave_bound_control_step(i)
        case _:
            return _of_data(f, pc, i)


def _of_data(f: StepContext, pc: int, i: _OfData) -> Step:
    """The step of an instruction that reads or writes memory and has one successor."""
    match i:
        case goto.CoverInstruction():
            return cover_control_step(i)
        case goto.DeclareInstruction():
            return declare_data_step(f, i)
        case goto.DeadInstruction():
            return dead_data_step(f, i)
        case goto.AssignInstruction():
            return assign_data_step(f, i)
        case goto.InputInstruction():
            return input_data_step(f, i)
        case goto.SymbolicInstruction():
            return symbolic_data_step(f, i)
        case goto.AllocateInstruction():
            return allocate_data_step(f, pc, i)
        case goto.FreeInstruction():
            freed = angelic_step(f, i, f.x.value(i.pointer), i.pointer.type)
            return lambda m: memory.end_pointed_objects(m, freed(m))
        case goto.ObjectSizeInstruction():
            write, pointer = f.x.store(i.target), f.x.value(i.pointer)
            return lambda m: write(m, memory.memory_object_size_at(m, pointer(m)))
        case goto.CopyInstruction():
            to, source, size = f.x.value(i.target), f.x.value(i.source), f.x.value(i.size)
            return lambda m: memory_blocks.copy_memory_block(m, to(m), source(m), size(m))
        case goto.FillInstruction():
            to, byte, size = f.x.value(i.target), f.x.value(i.byte), f.x.value(i.size)
            return lambda m: memory_blocks.fill_memory_block(m, to(m), byte(m), size(m))
        case goto.VariableArgumentsInstruction():
            return variable_arguments_data_step(f, i)
        case _:
            assert_never(i)
