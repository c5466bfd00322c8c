"""Inputs: calls whose results or whose objects are chosen freely."""

from __future__ import annotations

from dataclasses import replace

from cfrontend import goto
from cfrontend.lower import dialect, pure
from cfrontend.lower.context import Lowering
from cfrontend.lower.intrinsic_registry import CallSite, intrinsic
from cfrontend.syntax import tree
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    CType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    StructTypeTable,
    bit_width_of_type,
    size_of_type,
)
from cfrontend.units import InputSite


def nondet(x: Lowering, e: tree.Call, name: str) -> Expression:
    """The next input value, of the type the call returns."""
    for argument in e.arguments:
        x.effect(argument)
    result = x.emit.variable(e.type, e.location)
    if isinstance(e.type, StructType):
        pointer = tree.AddressOf(type=PointerType(e.type), location=e.location, operand=result)
        amount = size_of_type(e.type, x.program.structs)
        size = tree.IntConstant(type=x.structs.model.size, location=e.location, value=amount)
        x.emit.add(
            goto.SymbolicInstruction(
                location=e.location,
                pointer=pointer,
                size=size,
                name=name,
                function=dialect.callee_name_in_dialect(e),
            )
        )
        return result
    if not isinstance(e.type, IntType | FloatType | PointerType):
        x.emit.refuse(f"an input of type {e.type} is not supported yet", e.location)
        return pure.placeholder(e)
    site = replace(input_site(name, e.type, e, x.structs), function=dialect.callee_name_in_dialect(e) or "")
    x.emit.add(goto.InputInstruction(location=e.location, target=result, site=site))
    return result


def input_site(name: str, ctype: CType, e: Expression, structs: StructTypeTable) -> InputSite:
    """Description of an input read at ``e``, for reports."""
    signed = isinstance(ctype, IntType) and ctype.signed
    return InputSite(
        name=name,
        type=str(ctype),
        width=bit_width_of_type(ctype, structs),
        signed=signed,
        location=e.location,
    )


@intrinsic("klee_make_symbolic", "__VERIFIER_nondet_memory")
def _symbolic(c: CallSite) -> None:
    """Lower ``klee_make_symbolic`` and ``__VERIFIER_nondet_memory``: the memory that they are given becomes inputs."""
    x, e = c.x, c.e
    if len(e.arguments) < 2:
        x.emit.refuse(f"{c.name} needs an address and a size", e.location)
        return
    pointer, size = x.value(e.arguments[0]), x.value(e.arguments[1])
    name = pure.literal_text(e.arguments[2]) if len(e.arguments) > 2 else None
    x.emit.add(
        goto.SymbolicInstruction(
            location=e.location, pointer=pointer, size=size, name=name or print_syntax(pointer)
        )
    )
