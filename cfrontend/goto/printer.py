"""Printer of goto programs: their listing."""

from __future__ import annotations

from typing import assert_never

from cfrontend.goto.conditions import (
    AllFreed,
    Condition,
    Fits,
    Freeable,
    Initialised,
    ValidPointer,
    ValidRange,
    ValidString,
)
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
from cfrontend.syntax.printer import printed_text_of


def show_instruction(i: Instruction) -> str:
    """One instruction as a line of the listing."""
    match i:
        case Cover():
            return f"cover U{i.unit}"
        case Declare():
            return f"declare {i.symbol.key}: {i.symbol.type}{' = 0' if i.zero else ''}"
        case Dead():
            return f"dead {i.symbol.key}"
        case Assign():
            return f"{printed_text_of(i.target)} = {printed_text_of(i.value)}"
        case Input():
            return f"{printed_text_of(i.target)} = input {i.site.name}"
        case Symbolic():
            return f"symbolic {printed_text_of(i.pointer)}, {printed_text_of(i.size)}"
        case Allocate() | Free() | ObjectSize() | Copy() | Fill() | VariableArguments():
            return _show_memory(i)
        case Assume():
            return f"ASSUME {_show_condition(i.condition)}"
        case Assert():
            return f"ASSERT {_show_condition(i.condition)} // {i.property}"
        case Branch():
            condition = printed_text_of(i.condition)
            return f"IF {condition if i.when else f'!({condition})'} GOTO {i.target}"
        case Jump():
            return f"GOTO {i.target}"
        case Call():
            result = f"{i.result.name} = " if i.result else ""
            return f"CALL {result}{printed_text_of(i.callee)}({', '.join(map(printed_text_of, i.arguments))})"
        case Return():
            return "RETURN" if i.value is None else f"RETURN {printed_text_of(i.value)}"
        case Exit():
            return "EXIT" if i.status is None else f"EXIT {printed_text_of(i.status)}"
        case Output():
            return f"OUTPUT {i.format!r} {', '.join(map(printed_text_of, i.arguments))}".rstrip()
        case Observe():
            return f"OBSERVE {', '.join(map(printed_text_of, i.arguments))}"
        case Refuse():
            return f"REFUSE {i.message}"
        case Leave():
            return "LEAVE THE BOUND BY INPUTS" if i.by_inputs else "LEAVE THE BOUND"
        case _:
            assert_never(i)


def _show_memory(i: Allocate | Free | ObjectSize | Copy | Fill | VariableArguments) -> str:
    match i:
        case Allocate():
            zeroed = ", zero" if i.zero else ""
            return f"{printed_text_of(i.target)} = ALLOCATE {printed_text_of(i.size)}{zeroed}"
        case Free():
            return f"FREE {printed_text_of(i.pointer)}"
        case ObjectSize():
            return f"{printed_text_of(i.target)} = SIZE OF OBJECT {printed_text_of(i.pointer)}"
        case Copy():
            return f"COPY {printed_text_of(i.size)} BYTES {printed_text_of(i.target)} = {printed_text_of(i.source)}"
        case Fill():
            return f"FILL {printed_text_of(i.size)} BYTES {printed_text_of(i.target)} = {printed_text_of(i.byte)}"
        case VariableArguments():
            return f"{printed_text_of(i.target)} = VARIABLE ARGUMENTS"
        case _:
            assert_never(i)


def _show_condition(condition: Condition) -> str:
    special = ValidPointer | ValidRange | ValidString | Freeable | Fits | Initialised | AllFreed
    return str(condition) if isinstance(condition, special) else printed_text_of(condition)
