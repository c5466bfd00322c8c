"""``__builtin_shuffle``, ``__builtin_shufflevector`` and ``__builtin_convertvector``.

__builtin_shuffle(v, w, m)   ->   ({ int both[8] = {v[0], ..., w[3]}; {both[m[0] & 7], ..., both[m[3] & 7]} })
"""

from __future__ import annotations

from typing import Any, Final

from cfrontend.elaborate.context import ElaborationContext
from cfrontend.elaborate.vector_operators import VectorComputation
from cfrontend.elaborate.vectors import vector_as_array, vector_element, vector_type
from cfrontend.errors import InputError, Location
from cfrontend.syntax import tree
from cfrontend.syntax.types import (
    ArrayType,
    IntType,
    StructType,
    size_of_type,
)
from cfrontend.syntax.vectors import CHOICES, elements_of_vector_type, is_vector_type

_ELEMENT: Final = "__builtin_ia32_vec_ext_v"
"""Begin of the names of builtins for one element of a vector."""

_ANY: Final = -1
"""Index of an element that may be anything."""


def vector_builtin(
    context: ElaborationContext, name: str, arguments: list[Any], at: Location
) -> tree.Expression | None:
    """The value of a call of such a builtin; None for any other name or number of arguments."""
    match name, arguments:
        case "__builtin_shuffle", [*vectors, mask] if 1 <= len(vectors) <= 2:
            return _shuffled(context, [*vectors, mask], at)
        case "__builtin_shufflevector", [first, second, *indices] if indices:
            return _chosen(context, [first, second], indices, at)
        case "__builtin_convertvector", [vector, type_name]:
            return _converted(context, vector, type_name, at)
        case _, [vector, number] if name.startswith(_ELEMENT):
            return _element(context, vector, number, name, at)
        case _:
            return None


def _element(context: ElaborationContext, node: Any, number: Any, name: str, at: Location) -> tree.Expression:
    """``v[n]`` as the headers of gcc write it: a value, of which nothing can be changed."""
    (value,), _ = _vectors(context, [node], name)
    element = context.expressions.index(
        vector_as_array(value, context.structs), context.expressions.value(number), at
    )
    return tree.Cast(type=element.type, location=at, operand=element, implicit=True)


def _vectors(
    context: ElaborationContext, nodes: list[Any], name: str
) -> tuple[list[tree.Expression], list[ArrayType]]:
    values = [context.expressions.value(node) for node in nodes]
    arrays = []
    for value in values:
        if not is_vector_type(value.type):
            raise InputError(f"an argument of '{name}' is no vector", value.location)
        arrays.append(elements_of_vector_type(value.type, context.structs))
    return values, arrays


def _shuffled(context: ElaborationContext, nodes: list[Any], at: Location) -> tree.Expression:
    values, arrays = _vectors(context, nodes, "__builtin_shuffle")
    structs, (result, mask) = context.structs, (arrays[0], arrays[-1])
    ctype, word = values[0].type, mask.element
    is_like = mask.length == result.length and isinstance(word, IntType)
    is_like &= size_of_type(word, structs) == size_of_type(result.element, structs)
    if not is_like or any(value.type != ctype for value in values[:-1]):
        raise InputError("the arguments of '__builtin_shuffle' do not go together", at)
    assert isinstance(ctype, StructType)
    assert isinstance(word, IntType)
    made = VectorComputation(context, at)
    held = [made.held(value, is_safe=False) for value in values]
    count = result.length or 0
    parts = [vector_element(vector, n, structs) for vector in held[:-1] for n in range(count)]
    array = _array(made, ArrayType(result.element, len(parts)), parts)
    last = tree.IntConstant(type=word, location=at, value=len(parts) - 1)
    chosen = []
    for n in range(count):
        number = vector_element(held[-1], n, structs)
        within = tree.Binary(type=word, location=at, op="&", left=number, right=last)
        chosen.append(context.expressions.index(array, within, at))
    return made.vector(ctype, chosen)


def _array(made: VectorComputation, ctype: ArrayType, parts: list[tree.Index]) -> tree.Expression:
    """A variable with the elements that a mask chooses from."""
    symbol = made.context.new_local(CHOICES, ctype, made.at)
    array = tree.VariableRef(type=ctype, location=made.at, symbol=symbol)
    items = []
    for n, part in enumerate(parts):
        index = tree.IntConstant(type=made.context.model.ulong, location=made.at, value=n)
        place = tree.Index(type=ctype.element, location=made.at, base=array, index=index)
        items.append(tree.InitItem(target=place, value=part))
    initializer = tree.Initializer(items=tuple(items), zero_fill=False, location=made.at)
    made.declared.append(tree.Declaration(location=made.at, symbol=symbol, initializer=initializer))
    return array


def _chosen(
    context: ElaborationContext, nodes: list[Any], indices: list[Any], at: Location
) -> tree.Expression:
    values, (one, other) = _vectors(context, nodes, "__builtin_shufflevector")
    if one.element != other.element:
        raise InputError("the vectors of '__builtin_shufflevector' have different elements", at)
    numbers = [context.constant(node, "an index of '__builtin_shufflevector'") for node in indices]
    structs, counts = context.structs, (one.length or 0, other.length or 0)
    size = len(numbers) * size_of_type(one.element, structs)
    ctype = vector_type(one.element, size, structs, at)
    made = VectorComputation(context, at)
    held = [made.held(value, is_safe=False) for value in values]
    parts = [
        vector_element(vector, n, structs)
        for vector, count in zip(held, counts, strict=True)
        for n in range(count)
    ]
    if not all(_ANY <= number < len(parts) for number in numbers):
        raise InputError("an index of '__builtin_shufflevector' is outside of the vectors", at)
    return made.vector(ctype, [None if number == _ANY else parts[number] for number in numbers])


def _converted(context: ElaborationContext, node: Any, type_name: Any, at: Location) -> tree.Expression:
    (value,), (array,) = _vectors(context, [node], "__builtin_convertvector")
    ctype, structs = context.types.of(type_name), context.structs
    if not is_vector_type(ctype) or elements_of_vector_type(ctype, structs).length != array.length:
        raise InputError("'__builtin_convertvector' needs a vector type with as many elements", at)
    element = elements_of_vector_type(ctype, structs).element
    made = VectorComputation(context, at)
    held = made.held(value, is_safe=True)
    converted = [
        tree.Cast(type=element, location=at, operand=vector_element(held, n, structs), implicit=False)
        for n in range(array.length or 0)
    ]
    return made.vector(ctype, converted)
