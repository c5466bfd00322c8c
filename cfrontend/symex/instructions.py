"""Compiler of goto instructions to steps: closures that change the machine and say where execution goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from cfrontend import goto
from cfrontend.slice.omitted_writes import NO_DECISIONS
from cfrontend.symex.functions import (
    FunctionVariables,
    Step,
    World,
    fill_loops,
)
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.state import CompiledFunction, LoopState, Slot
from cfrontend.symex.steps import calls, control, data, printing
from cfrontend.symex.steps.context import Calls, StepContext, noted_conditions, refusal_step
from cfrontend.symex.steps.slicing import slicing_step
from cfrontend.syntax.types import IntType, is_scalar_type, size_of_type

_STEPS: Final[Mapping[type[goto.InstructionNode], Callable[[StepContext, int, Any], Step]]] = {
    goto.CoverInstruction: control.cover_step,
    goto.DeclareInstruction: data.declare_step,
    goto.DeadInstruction: data.dead_step,
    goto.AssignInstruction: data.assign_step,
    goto.InputInstruction: data.input_step,
    goto.SymbolicInstruction: data.symbolic_step,
    goto.AllocateInstruction: data.allocate_step,
    goto.FreeInstruction: data.free_step,
    goto.ObjectSizeInstruction: data.object_size_step,
    goto.CopyInstruction: data.copy_step,
    goto.FillInstruction: data.fill_step,
    goto.VariableArgumentsInstruction: data.variable_arguments_step,
    goto.AssumeInstruction: control.assume_step,
    goto.AssertInstruction: control.check_step,
    goto.BranchInstruction: control.branch_step,
    goto.JumpInstruction: control.jump_step,
    goto.CallInstruction: calls.call_step,
    goto.ReturnInstruction: calls.return_step,
    goto.ExitInstruction: calls.exit_step,
    goto.OutputInstruction: printing.printing_step,
    goto.ObserveInstruction: printing.observation_step,
    goto.EffectInstruction: printing.side_effect_step,
    goto.RefuseInstruction: refusal_step,
    goto.LeaveInstruction: control.leave_step,
}
"""Compiler of each kind of instruction: a function of (context, number of the instruction, instruction)."""


def compile_function(world: World, name: str, caller: Calls) -> CompiledFunction:
    """The compiled function ``name``, made once."""
    found = world.compiled.get(name)
    if found is not None:
        return found
    source = world.program.start if name == world.program.start.name else world.program.functions[name]
    cells = world.value_cells(source.result)
    variables = FunctionVariables(world, source, cells)
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
    fill_loops(source, result)
    for parameter in source.parameters:
        width = (
            8 * size_of_type(parameter.type, world.program.structs)
            if isinstance(parameter.type, IntType)
            else 0
        )
        slot: Slot | int
        if is_scalar_type(parameter.type) and parameter.key not in world.program.escaping:
            found_slot = variables.find(parameter)
            assert isinstance(found_slot, Slot)
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
        frame = m.activation()
        if frame.came_back:
            frame.came_back = False
        else:
            for back in backs:
                frame.loops[back] = LoopState(older=m.objects.count)
        return step(m)

    return head


def _step(f: StepContext, pc: int, i: goto.Instruction) -> Step:
    """The step of one instruction."""
    step = _STEPS[type(i)](f, pc, i)
    return step if f.world.omissions is None else slicing_step(f, pc, i, step)
