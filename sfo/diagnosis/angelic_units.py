"""Units by what they do, as far as it says something of the values that would save an execution at them."""

from __future__ import annotations

from collections.abc import Collection

from cfrontend import goto
from cfrontend.lower.formatted_input import TEXT_SCANNERS
from cfrontend.program import Program
from cfrontend.syntax import queries, tree
from cfrontend.units import UnitId


def angelic_placing_units(program: Program) -> frozenset[UnitId]:
    """The units that act at a place that was chosen: they write there, or hand it to a function of the program.

    They write neither what they declare nor a temporary.
    """
    functions = program.goto.functions
    code = [i for function in functions.values() for i in function.instructions]
    declared = {(i.unit, i.symbol.key) for i in code if isinstance(i, goto.DeclareInstruction)}
    found: set[UnitId] = set()
    for i in code:
        if i.unit is None:
            continue
        match i:
            case goto.AssignInstruction(yields=True, target=tree.VariableRef(symbol=symbol)):
                if not _is_given(i.unit, symbol, declared):
                    found.add(i.unit)
            case goto.AssignInstruction(yields=True):
                found.add(i.unit)
            case goto.CallInstruction(yields=False, callee=tree.FunctionRef(name=name), arguments=arguments):
                if arguments and name in functions and not functions[name].foreign:
                    found.add(i.unit)
            case _:
                pass
    return frozenset(found)


def _is_given(
    unit: UnitId, symbol: tree.SyntaxSymbol, declared: Collection[tuple[UnitId | None, str]]
) -> bool:
    """True if ``symbol`` is a temporary, or declared in ``unit``: no choice of the programmer."""
    return not symbol.name.isidentifier() or (unit, symbol.key) in declared


def angelic_printing_units(program: Program) -> frozenset[UnitId]:
    """The units that print themselves: where output has to be right, some other output saves any execution."""
    return frozenset(
        i.unit
        for function in program.goto.functions.values()
        for i in function.instructions
        if isinstance(i, goto.OutputInstruction) and i.unit is not None
    )


def angelic_plain_units(program: Program) -> frozenset[UnitId]:
    """The units that only hand on a variable or a constant: ``x = n``, ``return 0``."""
    passive = goto.CoverInstruction | goto.DeclareInstruction | goto.DeadInstruction
    found: dict[UnitId, bool] = {}
    for function in program.goto.functions.values():
        for i in function.instructions:
            if i.unit is not None and not isinstance(i, passive):
                found[i.unit] = found.get(i.unit, True) and _hands_on(i)
    return frozenset([unit for unit, is_plain in found.items() if is_plain])


def _hands_on(instruction: goto.Instruction) -> bool:
    """True if an instruction gives a variable, a member or the caller the value of a variable or a constant."""
    match instruction:
        case goto.AssignInstruction(target=tree.VariableRef() | tree.MemberAccess(), value=value):
            pass
        case goto.ReturnInstruction(value=tree.SyntaxTreeNode() as value):
            pass
        case _:
            return False
    plain = tree.VariableRef | tree.IntConstant | tree.FloatConstant
    return isinstance(queries.syntax_below_conversions(value), plain)


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
