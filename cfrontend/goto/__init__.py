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
    OBSERVED,
    AllFreed,
    Condition,
    Fits,
    Freeable,
    Initialised,
    ValidPointer,
    ValidRange,
    ValidString,
)
from cfrontend.goto.expressions import direct_subexpressions, expressions_of, subexpressions
from cfrontend.goto.instructions import (
    Allocate,
    Assert,
    Assign,
    Assume,
    Branch,
    Call,
    Copy,
    Cover,
    Dead,
    Declare,
    Exit,
    Fill,
    Free,
    Input,
    Instruction,
    InstructionNode,
    Jump,
    Leave,
    ObjectSize,
    Observe,
    Output,
    Refuse,
    Return,
    Symbolic,
    VariableArguments,
)
from cfrontend.goto.printer import show_instruction
from cfrontend.goto.program import GotoFunction, GotoProgram, may_end_without_value, tested_once

__all__ = [
    "OBSERVED",
    "AllFreed",
    "Allocate",
    "Assert",
    "Assign",
    "Assume",
    "Branch",
    "Call",
    "Condition",
    "Copy",
    "Cover",
    "Dead",
    "Declare",
    "Exit",
    "Fill",
    "Fits",
    "Free",
    "Freeable",
    "GotoFunction",
    "GotoProgram",
    "Initialised",
    "Input",
    "Instruction",
    "InstructionNode",
    "Jump",
    "Leave",
    "ObjectSize",
    "Observe",
    "Output",
    "Refuse",
    "Return",
    "Symbolic",
    "ValidPointer",
    "ValidRange",
    "ValidString",
    "VariableArguments",
    "check_goto",
    "direct_subexpressions",
    "expressions_of",
    "may_end_without_value",
    "show_instruction",
    "subexpressions",
    "tested_once",
]
