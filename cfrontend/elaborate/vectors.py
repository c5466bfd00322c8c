"""GNU vector types and what is no arithmetic on them: the attribute, elements, conversions.

int *p __attribute__((vector_size(16)))   ->   a pointer to vectors of four ints
(v2df)v                                   ->   ({ v4si reread = v; *(v2df *)&reread; })
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from cfrontend.elaborate.attributes import attribute_named
from cfrontend.elaborate.context import ElaborationContext
from cfrontend.elaborate.held_values import behind_declarations, hold_value
from cfrontend.elaborate.side_effects import has_side_effects
from cfrontend.elaborate.vector_truths import bits_as_type
from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.syntax import tree
from cfrontend.syntax.printer import printed_type_in_words
from cfrontend.syntax.types import (
    BOOL,
    LONG_DOUBLE,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    StructTypeTable,
    size_of_type,
)
from cfrontend.syntax.vectors import (
    REREAD,
    VECTOR_ELEMENTS,
    add_vector_type,
    elements_of_vector_type,
    is_vector_type,
)

_LARGEST_ALIGNMENT: Final = 16
"""The largest alignment that ``_Alignof`` says of what is not declared with one."""

_LARGEST: Final = 1 << 16
"""Elements of the largest vector."""


# -- types ---------------------------------------------------------------------------------------------------


def type_with_vector_attribute(ctype: CType, node: Any, context: ElaborationContext) -> CType:
    """The type of a declarator after ``vector_size``, which is about the numbers that it leads to."""
    attribute = attribute_named(node, "vector_size")
    if attribute is None:
        return ctype
    if attribute.argument is None:
        raise InputError("attribute 'vector_size' has no size", attribute.location)
    size = context.constant(attribute.argument, "the size of a vector")
    return _with_vectors(ctype, size, context.structs, attribute.location)


def _with_vectors(ctype: CType, size: int, structs: StructTypeTable, at: Location) -> CType:
    match ctype:
        case PointerType(target=target):
            return PointerType(_with_vectors(target, size, structs, at))
        case ArrayType(element=element):
            return replace(ctype, element=_with_vectors(element, size, structs, at))
        case FunctionType(result=result):
            return replace(ctype, result=_with_vectors(result, size, structs, at))
        case IntType() | FloatType() if ctype != BOOL:
            return vector_type(ctype, size, structs, at)
        case _:
            raise InputError(f"'vector_size' of {printed_type_in_words(ctype)}", at)


def vector_type(element: CType, size: int, structs: StructTypeTable, at: Location) -> StructType:
    """The vector type of ``size`` bytes. Raises InputError for sizes that gcc rejects."""
    if element == LONG_DOUBLE:
        raise UnsupportedError("a vector of long double is not supported yet", at)
    assert isinstance(element, IntType | FloatType)
    count, rest = divmod(size, size_of_type(element, structs))
    if rest or count <= 0:
        raise InputError(f"a vector of {size} bytes does not hold elements of type '{element}'", at)
    if count & (count - 1):
        raise InputError(f"the number {count} of elements of a vector is not a power of two", at)
    if count > _LARGEST:
        raise UnsupportedError(f"a vector of {count} elements is not supported yet", at)
    return add_vector_type(element, size, structs)


def refuse_two_alignments(ctype: CType, structs: StructTypeTable, at: Location) -> None:
    """Raise UnsupportedError where ``_Alignof`` says less than what gcc aligns objects to, and ``__alignof__`` does."""
    while isinstance(ctype, ArrayType):
        ctype = ctype.element
    if not isinstance(ctype, StructType):
        return
    layout = structs[ctype.key]
    is_word = is_vector_type(ctype) and layout.align < layout.size
    if is_word or (layout.align > _LARGEST_ALIGNMENT and _has_vector(ctype, structs)):
        raise UnsupportedError("the alignment of such a vector is not supported yet", at)


def _has_vector(ctype: CType, structs: StructTypeTable) -> bool:
    match ctype:
        case ArrayType(element=element):
            return _has_vector(element, structs)
        case StructType(key=key):
            return is_vector_type(ctype) or any(_has_vector(m.type, structs) for m in structs[key].members)
        case _:
            return False


# -- elements ------------------------------------------------------------------------------------------------


def vector_as_array(base: tree.Expression, structs: StructTypeTable) -> tree.Expression:
    """The array of a vector's elements, which subscripts see; any other expression as it is."""
    if not is_vector_type(base.type):
        return base
    array = elements_of_vector_type(base.type, structs)
    return tree.MemberAccess(
        type=array, location=base.location, base=base, struct_key=base.type.key, member=VECTOR_ELEMENTS
    )


def vector_element(vector: tree.Expression, number: int, structs: StructTypeTable) -> tree.Index:
    """An element of a vector by its number."""
    array = vector_as_array(vector, structs)
    assert isinstance(array.type, ArrayType)
    at = vector.location
    index = tree.IntConstant(type=structs.model.ulong, location=at, value=number)
    return tree.Index(type=array.type.element, location=at, base=array, index=index)


def refuse_vector_found_twice(target: tree.Expression) -> None:
    """Raise UnsupportedError where gcc evaluates the place of a vector twice: in ``b[i++][1] += 1``."""
    if not isinstance(target, tree.Index) or not isinstance(target.base, tree.MemberAccess):
        return
    if target.base.member == VECTOR_ELEMENTS and has_side_effects(target.base.base):
        message = "a compound assignment to an element of a vector whose place has side effects"
        raise UnsupportedError(f"{message} is not supported yet", target.location)


# -- conversions ---------------------------------------------------------------------------------------------


def vector_cast(
    context: ElaborationContext, value: tree.Expression, ctype: CType, at: Location
) -> tree.Expression | None:
    """``(ctype)value`` where one of both is a vector and the bits stay what they are; None for other casts."""
    source = value.type
    if source == ctype or not (is_vector_type(source) or is_vector_type(ctype)):
        return None
    kinds = [t for t in (source, ctype) if not is_vector_type(t)]
    if not all(isinstance(t, IntType) and t != BOOL for t in kinds):
        return None
    if size_of_type(source, context.structs) != size_of_type(ctype, context.structs):
        raise InputError(
            f"conversion of {printed_type_in_words(source)} to {printed_type_in_words(ctype)}, of another size",
            at,
        )
    declared: list[tree.Statement] = []
    held = hold_value(context, REREAD, value, declared)
    return behind_declarations(declared, bits_as_type(held, ctype), at)
