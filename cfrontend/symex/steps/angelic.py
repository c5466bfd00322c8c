"""Angelic steps: relaxed units, which yield any value."""

from __future__ import annotations

from cfrontend import goto
from cfrontend.symex.access import Value, Values
from cfrontend.symex.any_value import any_value
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.steps.context import StepContext
from cfrontend.syntax.types import CType, is_scalar_type
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

    Of a call that is a unit of its own, or the value of one, the arguments are what it yields.
    """
    if not (i.yields and is_scalar_type(ctype)):
        return values
    unit, width = i.unit, f.x.width(ctype)

    def any_or_values(m: SymbolicMachine) -> list[Term]:
        return [any_value(m, ctype, width, _name(m, unit))] if unit in m.relax else values(m)

    return any_or_values


def _name(m: SymbolicMachine, unit: UnitId | None) -> str:
    assert m.frame is not None
    return m.fresh_name(f"any {unit}@{m.frame.context()}")
