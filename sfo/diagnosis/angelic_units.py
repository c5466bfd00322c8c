"""Units by what they do, as far as it says something of the values that would save an execution at them."""

from __future__ import annotations

from cfrontend import goto
from cfrontend.lower.intrinsics.formatted_input import TEXT_SCANNERS
from cfrontend.program import Program
from cfrontend.syntax import tree
from cfrontend.units import UnitId


def angelic_printing_units(program: Program) -> frozenset[UnitId]:
    """The units that print themselves: where output has to be right, some other output saves any execution."""
    return frozenset(
        i.unit
        for function in program.goto.functions.values()
        for i in function.instructions
        if isinstance(i, goto.OutputInstruction) and i.unit is not None
    )


def angelic_scanning_units(program: Program) -> frozenset[UnitId]:
    """The units that take characters of a text by ``scanf``."""
    return frozenset(
        i.unit
        for function in program.goto.functions.values()
        for i in function.instructions
        if isinstance(i, goto.CallInstruction)
        and i.unit is not None
        and isinstance(i.callee, tree.FunctionRef)
        and i.callee.name in TEXT_SCANNERS
    )


def angelic_input_reading_units(program: Program) -> frozenset[UnitId]:
    """The units that read an input themselves: another value there may be no more than another input."""
    return frozenset(
        i.unit
        for function in program.goto.functions.values()
        for i in function.instructions
        if isinstance(i, goto.InputInstruction | goto.SymbolicInstruction) and i.unit is not None
    )
