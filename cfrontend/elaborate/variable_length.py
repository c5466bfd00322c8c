"""Arrays whose length is computed: the length in a variable of its own, the elements in an object made for them.

    int a[n][3];   ->   unsigned long <length> = n;  int (*a)[3] = alloca(<length> * 12);

Where ``a`` is used stands what the pointer points to, as an array of ``<length>`` elements.
"""

from __future__ import annotations

from cfrontend.elaborate.conversions import implicit_conversion
from cfrontend.errors import Location
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    VOID,
    ArrayType,
    CType,
    FunctionType,
    PointerType,
    StructTypeTable,
    exact_integer_type,
    size_of_type,
)

LENGTH = "<length>"
"""Name of the variables that hold lengths."""

_WORD = exact_integer_type(64)


def is_variable(ctype: CType) -> bool:
    """True if a type is an array of variable length, whose size is computed during execution."""
    return isinstance(ctype, ArrayType) and (ctype.variable is not None or is_variable(ctype.element))


def length_of(array: ArrayType, structs: StructTypeTable, at: Location) -> Expression:
    """The length of an array as an unsigned long."""
    if array.variable is None:
        return tree.IntConstant(type=structs.model.ulong, location=at, value=array.length or 0)
    symbol = tree.SyntaxSymbol(
        key=array.variable,
        name=LENGTH,
        type=structs.model.ulong,
        storage="auto",
        function=array.variable.rpartition("::")[0],
        location=at,
    )
    return symbol.reference(at)


def size_of(ctype: CType, structs: StructTypeTable, at: Location) -> Expression:
    """``sizeof`` of a type whose size is computed, in a type in which nothing overflows."""
    if not isinstance(ctype, ArrayType) or not is_variable(ctype):
        return tree.IntConstant(type=_WORD, location=at, value=size_of_type(ctype, structs))
    length = implicit_conversion(length_of(ctype, structs, at), _WORD)
    return size_product(length, size_of(ctype.element, structs, at), at)


def size_product(left: Expression, right: Expression, at: Location) -> Expression:
    """A number of elements times their size."""
    return tree.Binary(
        type=_WORD,
        location=at,
        op="*",
        left=implicit_conversion(left, _WORD),
        right=implicit_conversion(right, _WORD),
    )


def size_quotient(left: Expression, right: Expression, at: Location) -> Expression:
    """A number of bytes divided by the size of an element."""
    return tree.Binary(type=_WORD, location=at, op="/", left=implicit_conversion(left, _WORD), right=right)


def fixed_part(ctype: CType) -> CType:
    """The largest element type that has a constant size."""
    while isinstance(ctype, ArrayType) and is_variable(ctype):
        ctype = ctype.element
    return ctype


def storage_of(ctype: CType, structs: StructTypeTable, at: Location) -> Expression:
    """A new object for a variable of the type, as a pointer to its first part of constant size."""
    function = FunctionType(PointerType(VOID), (structs.model.ulong,))
    callee = tree.FunctionRef(type=function, location=at, name="__builtin_alloca")
    size = implicit_conversion(size_of(ctype, structs, at), structs.model.ulong)
    call = tree.Call(type=function.result, location=at, callee=callee, arguments=(size,))
    return implicit_conversion(call, PointerType(fixed_part(ctype)))


def array_behind(pointer: tree.SyntaxSymbol, ctype: CType, at: Location) -> Expression:
    """The array behind the pointer that stands for it."""
    start = pointer.reference(at)
    return tree.Deref(type=ctype, location=at, pointer=implicit_conversion(start, PointerType(ctype)))
