"""Angelic steps: relaxed units, which yield any value of their type.

An integer is a fresh variable. A pointer is null or points to a place that exists, of the type it points to: a
pointer out of thin air could never be followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cfrontend import goto
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.symex.access import ObjectOf, Value, Values
from cfrontend.symex.layout import Layout
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.steps.context import StepContext
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    VoidType,
    is_scalar_type,
)
from cfrontend.terms import Term
from cfrontend.terms.floats.format import X87
from cfrontend.units import UnitId

_MOST_PLACES = 64
"""Maximum number of places that an angelic pointer chooses from, those in the youngest objects first."""

_MOST_ELEMENTS = 16
"""Maximum number of elements of one array that an angelic pointer chooses from."""


def angelic_step(f: StepContext, i: goto.Instruction, value: Value, ctype: CType) -> Value:
    """The closure of a scalar unit's value: angelic where that unit is relaxed."""
    unit, any_value = i.unit, _any_value(f, ctype)
    return lambda m: any_value(m, _name(m, unit)) if unit in m.relax else value(m)


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
    unit, any_value = i.unit, _any_value(f, ctype)
    return lambda m: [any_value(m, _name(m, unit))] if unit in m.relax else values(m)


def _name(m: SymbolicMachine, unit: UnitId | None) -> str:
    return m.fresh_name(f"any {unit}@{m.activation().context()}")


def _any_value(f: StepContext, ctype: CType) -> Callable[[SymbolicMachine, str], Term]:
    """The closure of an unconstrained value of scalar type ``ctype``, by its name."""
    width, statics = f.x.width(ctype), f.world.static_objects
    match ctype:
        case IntType(width=1):
            return lambda m, name: m.t.zext(m.t.var(name, 1), width)
        case FloatType() if width == X87.width:
            return lambda m, name: m.floats.spelled(X87, m.t.var(name, width))
        case PointerType(target=target):
            return lambda m, name: _any_pointer(m, statics, target, name)
        case _:
            return lambda m, name: m.t.var(name, width)


def _any_pointer(m: SymbolicMachine, statics: Sequence[ObjectOf], target: CType, name: str) -> Term:
    t = m.t
    places = list(dict.fromkeys(_addresses(m, statics, target)))[:_MOST_PLACES]
    # Within another bound there are other places: the name says how many.
    which = t.var(f"{name} of {len(places)}", max(1, len(places).bit_length()))
    result = t.const(0, m.word)
    for number, address in enumerate(places, start=1):
        chosen = t.eq(which, t.const(number, t.width[which]))
        result = t.ite(chosen, t.const(address, m.word), result)
    return result


def _addresses(m: SymbolicMachine, statics: Sequence[ObjectOf], target: CType) -> Iterator[int]:
    """Candidate targets of an angelic pointer: where something of type ``target`` lives now.

    A static object lives although nothing has named it yet. Those of the library come last: hardly any pointer of the
    program is meant to point there.
    """
    for made in statics:
        made(m)
    if isinstance(target, FunctionType):
        yield from (m.objects.address(obj) for obj in m.objects.youngest_first() if obj.number in m.functions)
        return
    living = (o for o in m.objects.youngest_first() if not o.ended and o.number not in m.functions)
    for obj in sorted(living, key=lambda o: is_preprocessed_foreign_file(o.location.file)):
        if isinstance(target, VoidType) or obj.untyped:
            yield m.objects.address(obj)
        else:
            yield from (m.objects.address(obj, offset) for offset in _offsets(obj.layout, target))


def _offsets(layout: Layout, target: CType) -> Iterator[int]:
    """The offsets in an object at which something of type ``target`` begins."""
    if layout.type == target:
        yield 0
    if isinstance(layout.type, ArrayType) and layout.element is not None:
        length = layout.type.length or 0
        for index in range(min(length, _MOST_ELEMENTS)):
            yield from (index * layout.stride + offset for offset in _offsets(layout.element, target))
    elif isinstance(layout.type, StructType):
        for start, _, _, inner, scalar in layout.parts:
            if inner is not None:
                yield from (start + offset for offset in _offsets(inner, target))
            elif scalar == target:
                yield start
