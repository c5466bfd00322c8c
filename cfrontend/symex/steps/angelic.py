"""Angelic steps: relaxed units, which yield any value, and misplaced units, which write to any place."""

from __future__ import annotations

from cfrontend import goto
from cfrontend.symex import memory
from cfrontend.symex.access import Value, Values
from cfrontend.symex.any_value import any_value
from cfrontend.symex.functions import DEAD, Step
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.steps.context import StepContext
from cfrontend.symex.steps.other_targets import write_to_other_targets
from cfrontend.syntax import tree
from cfrontend.syntax.types import CType, PointerType, is_scalar_type
from cfrontend.terms import Term
from cfrontend.units import UnitId


def angelic_step(f: StepContext, i: goto.Instruction, value: Value, ctype: CType) -> Value:
    """The closure of a scalar unit's value: angelic where that unit is relaxed."""
    unit, width = i.unit, f.x.width(ctype)

    def any_or_value(m: SymbolicMachine) -> Term:
        return any_value(m, ctype, width, _name(m, unit)) if unit in m.relax else value(m)

    return any_or_value


def angelic_condition(i: goto.BranchInstruction, condition: Value) -> Value:
    """The closure of a test: an angelic truth value where its unit is relaxed."""
    unit = i.unit
    return lambda m: m.t.var(_name(m, unit), 0) if unit in m.relax else condition(m)


def angelic_structure(i: goto.Instruction, values: Values) -> Values:
    """The closure of a structure value: angelic where its unit is relaxed."""
    unit = i.unit

    def any_values(m: SymbolicMachine) -> list[Term]:
        given = values(m)
        if unit not in m.relax:
            return given
        return [m.t.var(_name(m, unit), m.t.width[v]) for v in given]

    return any_values


def angelic_argument(f: StepContext, i: goto.CallInstruction, values: Values, ctype: CType) -> Values:
    """The closure of a call's argument: angelic where its unit is relaxed.

    Of a call that is a unit of its own, or the value of one, the arguments are what it yields; of any other they are
    where it acts, as the place of an assignment is.
    """
    if not is_scalar_type(ctype):
        return values
    unit, width, yields = i.unit, f.x.width(ctype), i.yields

    def any_or_values(m: SymbolicMachine) -> list[Term]:
        is_any = unit in (m.relax if yields else m.misplaced)
        return [any_value(m, ctype, width, _name(m, unit))] if is_any else values(m)

    return any_or_values


def angelic_misplaced_write_step(f: StepContext, pc: int, i: goto.AssignInstruction, value: Value) -> Step:
    """The step of a misplaced unit: it writes its value to another variable of the type, where it writes one.

    Any other write goes to any place of its type. A value that is computed from what stands at the place is then any
    value. What the unit itself declares, or a temporary, is written where it is: nobody chose that place.
    """
    if _is_given(f, i):
        return _plain(f, i, value)
    unit, pointer = i.unit, PointerType(i.target.type)
    width, size = f.x.width(pointer), f.x.width(i.target.type)
    updates = i.target in goto.goto_subexpressions(i.value)
    others = None
    if isinstance(i.target, tree.VariableRef):
        others = write_to_other_targets(pc, i.target, f.x, f.variables)

    def write(m: SymbolicMachine) -> int | None:
        new = any_value(m, i.target.type, size, _name(m, unit)) if updates else value(m)
        if others is not None:
            if others(m, new, _name(m, unit)):
                return None
        else:
            place = any_value(m, pointer, width, _name(m, unit))
            if m.assume(m.t.not_(m.t.eq(place, m.t.const(0, width)))):
                memory.store_memory_through(m, place, 0, (), new)
                return None
        m.drop()
        return DEAD

    return write


def _is_given(f: StepContext, i: goto.AssignInstruction) -> bool:
    """Whether the place of a write is given: the unit declares the variable, or it is a temporary."""
    if not isinstance(i.target, tree.VariableRef):
        return False
    symbol, code = i.target.symbol, f.variables.function.instructions
    return not symbol.name.isidentifier() or any(
        isinstance(other, goto.DeclareInstruction) and other.unit == i.unit and other.symbol.key == symbol.key
        for other in code
    )


def _plain(f: StepContext, i: goto.AssignInstruction, value: Value) -> Step:
    write_here = f.x.store(i.target)

    def write(m: SymbolicMachine) -> None:
        write_here(m, value(m))

    return write


def _name(m: SymbolicMachine, unit: UnitId | None) -> str:
    assert m.frame is not None
    return m.fresh_name(f"any {unit}@{m.frame.context()}")
