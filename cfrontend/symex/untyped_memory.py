"""Memory without a type: it gets the type that its pointer is converted to, if nobody has used it before.

struct node *p = xmalloc(n);      ->   an array of struct node, if n bytes have room for one
"""

from __future__ import annotations

from cfrontend import terms as T  # noqa: N812 - opcode namespace
from cfrontend.symex.access import Value
from cfrontend.symex.layout import SymexLayout, SymexLayouts
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.syntax.types import CType, FunctionType, VoidType
from cfrontend.terms import Term


def typing_pointer_cast(layouts: SymexLayouts, operand: Value, source: CType, target: CType) -> Value:
    """A cast of a pointer to ``source``: that of ``void *`` says what stands in memory that nobody has used."""
    if not isinstance(source, VoidType) or isinstance(target, VoidType | FunctionType):
        return operand
    element = layouts.of(target)
    if element.size < 2:
        return operand

    def typed(m: SymbolicMachine) -> Term:
        pointer = operand(m)
        _give_elements(m, pointer, element)
        return pointer

    return typed


def _give_elements(m: SymbolicMachine, pointer: Term, element: SymexLayout) -> None:
    """Give an object of unknown type, at whose start ``pointer`` points, as many elements as it has room for.

    Looked at are constant pointers, and those that are one of two constants: an allocation that may fail.
    """
    t = m.t
    for leaf in t.args[pointer][1:] if t.op[pointer] == T.ITE else (pointer,):
        found = None if t.value[leaf] is None else m.objects.at(t.value[leaf] or 0)
        if found is None or not found[0].untyped or found[1] != 0:
            continue
        layout = m.layouts.elements(element, found[0].layout.size)
        if layout is not None:
            found[0].layout, found[0].untyped = layout, False
