"""Tests of the variant selector: computed once for each variant, as a meta-program comes to one at every edited place.

__sfo_variant == 3          __sfo_variant - 4u < 9u
"""

from __future__ import annotations

from cfrontend.settings import VARIANT
from cfrontend.symex.access import Value
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.syntax import tree
from cfrontend.terms import Term, Terms


def variant_selector_of_test(e: object) -> tree.VariableRef | None:
    """The variant selector where ``e`` compares it, and nothing else, with constants."""
    if not isinstance(e, tree.Binary):
        return None
    found: tree.VariableRef | None = None
    stack: list[object] = [e.left, e.right]
    while stack:
        match stack.pop():
            case tree.IntConstant():
                continue
            case tree.VariableRef(symbol=symbol) as variable if symbol.key == VARIANT:
                found = variable
            case tree.Cast(operand=operand):
                stack.append(operand)
            case tree.Binary(op="-", left=left, right=right):
                stack += [left, right]
            case _:
                return None
    return found


def once_for_each_variant(t: Terms, selector: Value, test: Value) -> Value:
    """``test``, whose value is kept as long as that of the ``selector`` is the same constant."""
    known: dict[Term, Term] = {}

    def value(m: SymbolicMachine) -> Term:
        chosen = selector(m)
        found = known.get(chosen)
        if found is None:
            found = test(m)
            if t.value[chosen] is not None:
                known.clear()
                known[chosen] = found
        return found

    return value
