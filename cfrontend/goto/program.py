"""Goto program and goto functions: flat lists of instructions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from typing import final

from cfrontend.errors import Location
from cfrontend.goto.instructions import (
    BranchInstruction,
    ExitInstruction,
    InputInstruction,
    Instruction,
    JumpInstruction,
    ReturnInstruction,
)
from cfrontend.goto.printer import print_goto_instruction
from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import CType, StructTypeTable, VoidType
from cfrontend.units import Property, Unit, UnitId


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GotoFunction:
    """Instructions in order; a jump to ``len(instructions)`` is the end of the function.

    A ``foreign`` function is a library model or stands in a system header: whatever happens in it is reported
    at the call in the program's own code. ``takes_infinities``: one that is not asks whether a floating-point number
    is infinite or a NaN.
    """

    name: str
    result: CType
    parameters: tuple[SyntaxSymbol, ...]
    variadic: bool
    instructions: tuple[Instruction, ...]
    location: Location = field(compare=False)
    foreign: bool = False
    takes_infinities: bool = False

    def loops(self) -> tuple[tuple[str, int, int], ...]:
        """(id, head, back edge) of each loop; ids are ``function.n`` in the order of the back edges."""
        found: list[tuple[str, int, int]] = []
        for pc, instruction in enumerate(self.instructions):
            if isinstance(instruction, JumpInstruction | BranchInstruction) and instruction.target <= pc:
                found.append((f"{self.name}.{len(found)}", instruction.target, pc))
        return tuple(found)

    def __str__(self) -> str:
        lines = [f"{self.name}({', '.join(p.name for p in self.parameters)})"]
        lines += [f"{pc:6}  {print_goto_instruction(i)}" for pc, i in enumerate(self.instructions)]
        lines.append(f"{len(self.instructions):6}  END")
        return "\n".join(lines)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GotoProgram:
    """Goto program: all functions with a body, the static objects, and the names found on the way.

    ``start`` initialises the static objects; ``escaping`` holds the keys of the variables whose address is
    used, which therefore need an object of their own. Calls of what is ``assumed`` end an execution that does not
    count; to reach ``failing_label`` violates ``reach``. ``takes_infinities``: the program's own code asks whether a
    floating-point number is infinite or a NaN, so that the numbers of a text that it reads may be.
    """

    functions: Mapping[str, GotoFunction]
    start: GotoFunction
    variables: tuple[tree.GlobalVariableSyntax, ...]
    structs: StructTypeTable
    units: tuple[Unit, ...]
    properties: tuple[Property, ...]
    escaping: frozenset[str]
    assumed: frozenset[str] = frozenset()
    failing_label: str | None = None
    takes_infinities: bool = False

    @property
    def size(self) -> int:
        """Number of instructions of all functions."""
        return sum(len(function.instructions) for function in self.functions.values())

    @property
    def reads_finite_numbers(self) -> bool:
        """Whether floating-point numbers are read from a text, and none of them is an infinity or a NaN."""
        code = (i for function in self.functions.values() for i in function.instructions)
        return not self.takes_infinities and any(
            isinstance(i, InputInstruction) and i.site.is_of_text for i in code
        )

    @property
    def own_size(self) -> int:
        """Number of instructions of the functions that are not of the library."""
        own = (function for function in self.functions.values() if not function.foreign)
        return sum(len(function.instructions) for function in own)

    def __str__(self) -> str:
        return "\n\n".join(str(f) for f in (self.start, *self.functions.values())) + "\n"


def goto_program_single_conditions(function: GotoFunction) -> frozenset[UnitId]:
    """Conditions decided by a single branch; those with ``&&`` and ``||`` may take several."""
    branches = Counter(i.unit for i in function.instructions if isinstance(i, BranchInstruction) and i.yields)
    return frozenset(unit for unit, count in branches.items() if unit is not None and count == 1)


def goto_function_may_lack_value(function: GotoFunction) -> bool:
    """Whether the end of a function that promises a value can be reached, as far as jumps show, without one.

    ``main`` gives 0 there (C11 5.1.2.2.3).
    """
    code = function.instructions
    if isinstance(function.result, VoidType) or function.name.rpartition("::")[2] == "main":
        return False
    falls = not code or not isinstance(code[-1], ReturnInstruction | ExitInstruction | JumpInstruction)
    return falls or any(
        i.target == len(code)
        if isinstance(i, JumpInstruction | BranchInstruction)
        else isinstance(i, ReturnInstruction) and i.value is None
        for i in code
    )
