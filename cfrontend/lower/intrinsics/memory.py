"""Intrinsics of allocated objects and of whole blocks of memory."""

from __future__ import annotations

from typing import Final

from cfrontend import goto
from cfrontend.elaborate.constants import constant_value
from cfrontend.lower import dialect, evaluation_order
from cfrontend.lower.context import Lowering
from cfrontend.lower.intrinsic_registry import CallSite, intrinsic
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CHAR, SCHAR, UCHAR, CType, PointerType

_BYTES: Final = (CHAR, SCHAR, UCHAR)

_AUTOMATIC: Final = frozenset({"alloca", "__builtin_alloca"})
"""Allocators whose object ends with the function that calls them."""


@intrinsic("malloc", "alloca", "__builtin_alloca", "__sfo_lasting", needs=1)
@intrinsic("calloc", "__CPROVER_allocate", needs=2)
def _allocator(c: CallSite) -> Expression:
    return allocate(c.x, c.e, c.name, None)


def allocation(x: Lowering, e: Expression) -> tuple[tree.Call, str] | None:
    """The call that ``e`` is, through casts, when it makes a new object; with its name."""
    e = queries.syntax_below_conversions(e)
    name = dialect.callee_name_in_dialect(e)
    if not isinstance(e, tree.Call) or name not in dialect.ALLOCATORS or name is None:
        return None
    known = x.program.functions.get(name)
    return None if known is not None and known.body is not None else (e, name)


def allocate(x: Lowering, e: tree.Call, name: str, element: CType | None) -> Expression:
    """A new object, used as an array of ``element`` where that is known.

    A local array of bytes, as long as some element (``char kept[size]``), holds what is copied into it.
    """
    sizes = [x.value(argument) for argument in e.arguments]
    size, zero, automatic = sizes[0], name == "calloc", name in _AUTOMATIC
    if name == "__CPROVER_allocate":
        known = constant_value(sizes[1], x.structs)
        if known is None:
            x.emit.refuse("__CPROVER_allocate of what may be zero or not is not supported yet", e.location)
        zero = bool(known)
    elif len(sizes) > 1:
        size = tree.Binary(type=size.type, location=e.location, op="*", left=size, right=sizes[1])
    result = x.emit.variable(e.type, e.location)
    x.emit.add(
        goto.AllocateInstruction(
            location=e.location,
            target=result,
            size=size,
            element=None if automatic and element in _BYTES else element,
            zero=zero,
            automatic=automatic,
            lasting=name == "__sfo_lasting",
        )
    )
    return result


@intrinsic("free", needs=1)
def _free(c: CallSite) -> None:
    x, e = c.x, c.e
    pointer = x.value(e.arguments[0])
    text = f"free of what is no live allocated object in {x.text(e)}"
    x.emit.check("double-free", goto.FreeableCondition(pointer=pointer), text, e.location)
    unit = x.emit.unit
    x.emit.add(goto.FreeInstruction(location=e.location, pointer=pointer, yields=unit is not None))


@intrinsic("__sfo_object_size")
def _object_size(c: CallSite) -> Expression:
    x, e = c.x, c.e
    size = x.emit.variable(e.type, e.location)
    pointer = x.value(e.arguments[0])
    x.emit.add(goto.ObjectSizeInstruction(location=e.location, target=size, pointer=pointer))
    return size


@intrinsic("__sfo_copy", "__sfo_fill")
def _block(c: CallSite) -> None:
    """``__sfo_copy(target, source, size)`` or ``__sfo_fill(target, byte, size)``, as in models of memcpy and memset."""
    x, e = c.x, c.e
    target, other, size = (x.emit.saved(value) for value in evaluation_order.pure_arguments(x, e.arguments))
    for pointer, write in ((target, True), (other, False)):
        if isinstance(pointer.type, PointerType):
            valid = goto.ValidRangeCondition(pointer=pointer, size=size, write=write)
            x.emit.check("pointer", valid, f"invalid pointer in {x.text(e)}", e.location)
    where = e.location
    x.emit.add(
        goto.CopyInstruction(location=where, target=target, source=other, size=size)
        if c.name == "__sfo_copy"
        else goto.FillInstruction(location=where, target=target, byte=other, size=size)
    )


@intrinsic("__sfo_no_overlap")
def _no_overlap(c: CallSite) -> None:
    """Check that blocks do not overlap, as the models of copying state."""
    x, e = c.x, c.e
    x.emit.check("overlap", x.value(e.arguments[0]), f"{x.text(e)} does not hold", e.location)
