"""Inputs: calls whose results or whose objects are chosen freely."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cfrontend import goto
from cfrontend.lower import calls, dialect
from cfrontend.lower.intrinsic_registry import CallSite, intrinsic
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.syntax import queries, tree
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

if TYPE_CHECKING:
    from cfrontend.lower.expressions import ExpressionLowering


def named_input(x: ExpressionLowering, source: Expression, name: str) -> Expression | None:
    """The value of ``source`` when it is just a call for an input, which is called after what it is assigned to.

    So is a call that decides which of two values is assigned.
    """
    call = queries.syntax_below_implicit_conversions(source)
    if isinstance(call, tree.Conditional):
        chosen = named_input(x, call.condition, name)
        return None if chosen is None else x.value(_rewrapped(source, call, replace(call, condition=chosen)))
    function = dialect.callee_name_in_dialect(call)
    if (
        not isinstance(call, tree.Call)
        or function is None
        or not (dialect.is_nondet_in_dialect(function) or function in dialect.READ_ONE)
    ):
        return None
    known = x.program.functions.get(function)
    is_defined = known is not None and known.body is not None
    if function in dialect.READ_ONE:
        if known is None or not is_defined or not is_preprocessed_foreign_file(known.location.file):
            return None
        value = calls.ordinary(x, call, wanted=True, result_name=name)
        return None if value is None else _rewrapped(source, call, value)
    return None if is_defined else _rewrapped(source, call, nondet(x, call, name))


def place_name(target: Expression) -> str:
    """Name of an input that is assigned to ``target``: the place without casts that change its qualifiers only.

    ``*(int *)&p->id`` is p->id, an int.
    """
    match target:
        case tree.Deref(
            pointer=tree.Cast(operand=tree.AddressOf(operand=place), type=PointerType(target=ctype))
        ) if ctype == place.type:
            return print_syntax(place)
        case _:
            return print_syntax(target)


def _rewrapped(source: Expression, call: Expression, value: Expression) -> Expression:
    """The casts around ``call`` put around ``value``."""
    if source is call:
        return value
    assert isinstance(source, tree.Cast)
    return replace(source, operand=_rewrapped(source.operand, call, value))


def nondet(x: ExpressionLowering, e: tree.Call, name: str) -> Expression:
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
        return calls.placeholder(e)
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
    name = calls.literal_text(e.arguments[2]) if len(e.arguments) > 2 else None
    x.emit.add(
        goto.SymbolicInstruction(
            location=e.location, pointer=pointer, size=size, name=name or print_syntax(pointer)
        )
    )
