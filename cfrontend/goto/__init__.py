"""The goto program: each function as a flat list of instructions over side-effect-free expressions.

    while (i < n) i++;
    ->   3  cover U2
         4  IF !(i < n) GOTO 8
         5  cover U3
         6  i = i + 1
         7  GOTO 3

``str`` of a program is its listing and ``check_goto`` says what is wrong with one.
"""

from __future__ import annotations

from cfrontend.goto.checker import check_goto
from cfrontend.goto.conditions import (
    EFFECTS,
    OBSERVED,
    AllFreedCondition,
    Condition,
    FitsCondition,
    FreeableCondition,
    InitialisedCondition,
    ValidPointerCondition,
    ValidRangeCondition,
    ValidStringCondition,
)
from cfrontend.goto.expressions import direct_goto_subexpressions, goto_expressions_of, goto_subexpressions
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
    InstructionNode,
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
from cfrontend.goto.printer import print_goto_instruction
from cfrontend.goto.program import (
    GotoFunction,
    GotoProgram,
    goto_function_may_lack_value,
    goto_program_single_conditions,
)

__all__ = [
    "EFFECTS",
    "OBSERVED",
    "AllFreedCondition",
    "AllocateInstruction",
    "AssertInstruction",
    "AssignInstruction",
    "AssumeInstruction",
    "BranchInstruction",
    "CallInstruction",
    "Condition",
    "CopyInstruction",
    "CoverInstruction",
    "DeadInstruction",
    "DeclareInstruction",
    "EffectInstruction",
    "ExitInstruction",
    "FillInstruction",
    "FitsCondition",
    "FreeInstruction",
    "FreeableCondition",
    "GotoFunction",
    "GotoProgram",
    "InitialisedCondition",
    "InputInstruction",
    "Instruction",
    "InstructionNode",
    "JumpInstruction",
    "LeaveInstruction",
    "ObjectSizeInstruction",
    "ObserveInstruction",
    "OutputInstruction",
    "RefuseInstruction",
    "ReturnInstruction",
    "SymbolicInstruction",
    "ValidPointerCondition",
    "ValidRangeCondition",
    "ValidStringCondition",
    "VariableArgumentsInstruction",
    "check_goto",
    "direct_goto_subexpressions",
    "goto_expressions_of",
    "goto_function_may_lack_value",
    "goto_program_single_conditions",
    "goto_subexpressions",
    "print_goto_instruction",
]
