"""Text of a value in an execution on given inputs: a number as C spells it, a pointer as what it points to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cfrontend.symex import pointers
from cfrontend.syntax.types import CType, FloatType, IntType, PointerType
from cfrontend.terms import Term, Terms
from cfrontend.terms.floats import FORMATS
from cfrontend.terms.floats.text import show_float_text

if TYPE_CHECKING:
    from cfrontend.symex.machine import SymbolicMachine


def value_text(m: SymbolicMachine, ctype: CType, value: Term) -> str:
    """A value in C's spelling; a pointer as its target, ``?`` for what is not known."""
    number = m.t.value[value]
    if number is None:
        return "?"
    if isinstance(ctype, FloatType):
        return show_float_text(FORMATS[ctype.width], number)
    if isinstance(ctype, PointerType):
        return "NULL" if number == 0 else _place(m, value, number)
    if isinstance(ctype, IntType) and ctype.signed:
        return str(Terms.signed(number, ctype.width))
    return str(number)


def _place(m: SymbolicMachine, pointer: Term, number: int) -> str:
    for _, obj, offset in pointers.pointer_targets(m, pointer):
        if obj.number in m.functions:
            return m.functions[obj.number]
        distance = m.t.value[offset]
        if distance is not None:
            signed = Terms.signed(distance, m.t.width[offset])
            if 0 <= signed < obj.layout.size:
                return f"&{obj.name}{obj.layout.cell(signed).name}"
            return f"&{obj.name}{signed:+}"
    return hex(number)
