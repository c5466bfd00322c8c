"""Printer of goto programs: their listing."""

from __future__ import annotations

from typing import assert_never

from cfrontend.goto.conditions import (
    AllFreedCondition,
    Condition,
    FitsCondition,
    FreeableCondition,
    InitialisedCondition,
    ValidPointerCondition,
    ValidRangeCondition,
    ValidStringCondition,
)
from cfrontend.goto.instructions import (
    AllocateInstruction,
    AssertInstruction,
    AssignInstruction,
    AssumeInstruction,
    BranchInstruction,
    CallInstruction,
    CopyInstruction,
    CoverInstruction,
    DeadInstruction,
    DeclareInstruction,
    EffectInstruction,
    ExitInstruction,
    FillInstruction,
    FreeInstruction,
    InputInstruction,
    Instruction,
    JumpInstruction,
    LeaveInstruction,
    ObjectSizeInstruction,
    ObserveInstruction,
    OutputInstruction,
    RefuseInstruction,
    ReturnInstruction,
    SymbolicInstruction,
    VariableArgumentsInstruction,
)
from cfrontend.syntax.printer import print_syntax


def print_goto_instruction(i: Instruction) -> str:
    """One instruction as a line of the listing."""
    match i:
        case CoverInstruction():
            return f"cover U{i.unit}"
        case DeclareInstruction():
            return f"declare {i.symbol.key}: {i.symbol.type}{' = 0' if i.zero else ''}"
        case DeadInstruction():
            return f"dead {i.symbol.key}"
        case AssignInstruction():
            return f"{print_syntax(i.target)} = {print_syntax(i.value)}"
        case InputInstruction():
            return f"{print_syntax(i.target)} = input {i.site.name}"
        case SymbolicInstruction():
            return f"symbolic {print_syntax(i.pointer)}, {print_syntax(i.size)}"
        case (
            AllocateInstruction()
            | FreeInstruction()
            | ObjectSizeInstruction()
            | CopyInstruction()
            | FillInstruction()
            | VariableArgumentsInstruction()
        ):
            return _show_memory(i)
        case AssumeInstruction():
            return f"ASSUME {_show_condition(i.condition)}"
        case AssertInstruction():
            return f"ASSERT {_show_condition(i.condition)} // {i.property}"
        case BranchInstruction():
            condition = print_syntax(i.condition)
            return f"IF {condition if i.when else f'!({condition})'} GOTO {i.target}"
        case JumpInstruction():
            return f"GOTO {i.target}"
        case CallInstruction():
            result = f"{i.result.name} = " if i.result else ""
            return f"CALL {result}{print_syntax(i.callee)}({', '.join(map(print_syntax, i.arguments))})"
        case ReturnInstruction():
            return "RETURN" if i.value is None else f"RETURN {print_syntax(i.value)}"
        case ExitInstruction():
            return "EXIT" if i.status is None else f"EXIT {print_syntax(i.status)}"
        case OutputInstruction():
            return f"OUTPUT {i.format!r} {', '.join(map(print_syntax, i.arguments))}".rstrip()
        case ObserveInstruction():
            return f"OBSERVE {', '.join(map(print_syntax, i.arguments))}"
        case EffectInstruction():
            return f"EFFECT {i.format!r} {', '.join(map(print_syntax, i.arguments))}".rstrip()
        case RefuseInstruction():
            return f"REFUSE {i.message}"
        case LeaveInstruction():
            return "LEAVE THE BOUND BY INPUTS" if i.by_inputs else "LEAVE THE BOUND"
        case _:
            assert_never(i)


def _show_memory(
    i: AllocateInstruction
    | FreeInstruction
    | ObjectSizeInstruction
    | CopyInstruction
    | FillInstruction
    | VariableArgumentsInstruction,
) -> str:
    match i:
        case AllocateInstruction():
            zeroed = ", zero" if i.zero else ""
            return f"{print_syntax(i.target)} = ALLOCATE {print_syntax(i.size)}{zeroed}"
        case FreeInstruction():
            return f"FREE {print_syntax(i.pointer)}"
        case ObjectSizeInstruction():
            return f"{print_syntax(i.target)} = SIZE OF OBJECT {print_syntax(i.pointer)}"
        case CopyInstruction():
            return f"COPY {print_syntax(i.size)} BYTES {print_syntax(i.target)} = {print_syntax(i.source)}"
        case FillInstruction():
            return f"FILL {print_syntax(i.size)} BYTES {print_syntax(i.target)} = {print_syntax(i.byte)}"
        case VariableArgumentsInstruction():
            return f"{print_syntax(i.target)} = VARIABLE ARGUMENTS"
        case _:
            assert_never(i)


def _show_condition(condition: Condition) -> str:
    special = (
        ValidPointerCondition
        | ValidRangeCondition
        | ValidStringCondition
        | FreeableCondition
        | FitsCondition
        | InitialisedCondition
        | AllFreedCondition
    )
    return str(condition) if isinstance(condition, special) else print_syntax(condition)
