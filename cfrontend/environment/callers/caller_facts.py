"""Facts on the arguments of all call sites, as the options that say them of an entry function.

f(a, 1); f(b, 3);     ->   --requires 'p != 0' --requires 'n == 1 || n == 3' --extent p:n
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Final, final

from cfrontend.environment.callers.call_sites import CallSites
from cfrontend.environment.callers.value_sets import (
    Integers,
    Pointer,
    ValueSet,
    all_integers_of,
    is_within,
    joined_values,
)
from cfrontend.environment.extents import find_parameter_extents
from cfrontend.environment.surroundings import Surroundings
from cfrontend.record import dataclass
from cfrontend.syntax.tree import Function
from cfrontend.syntax.types import (
    BOOL,
    CType,
    IntType,
    PointerType,
    StructTypeTable,
    VoidType,
    is_complete_object_type,
    size_of_type,
)

_MOST_ELEMENTS: Final = 64
"""Largest array of a caller that an object has the size of."""

_MOST_OF_SEVERAL: Final = 16
"""Largest of several lengths that an object has room for, unless all are larger."""


@final
@dataclass(frozen=True, slots=True)
class CallerFacts:
    """Conditions in C, and how far pointers lead, that hold at every call site."""

    requires: tuple[str, ...]
    extents: Mapping[str, str]
    sizes: Mapping[str, int]

    @property
    def options(self) -> tuple[str, ...]:
        """The facts as options of the command line."""
        given = [
            *(f"--extent {pointer}:{length}" for pointer, length in self.extents.items()),
            *(["--array-size " + ",".join(f"{p}:{n}" for p, n in self.sizes.items())] if self.sizes else []),
        ]
        return (*(f"--requires '{each}'" for each in self.requires), *given)


def facts_of_call_sites(
    function: Function, sites: CallSites, environment: Surroundings, structs: StructTypeTable
) -> CallerFacts:
    """Preconditions that hold at all of the call sites, one at least; none on sizes that the user has given."""
    joined = [functools.reduce(joined_values, values) for values in zip(*sites.calls, strict=True)]
    requires = [
        said
        for parameter, known in zip(function.parameters, joined, strict=True)
        if parameter.name.isidentifier()
        for said in _conditions(parameter.name, parameter.type, known)
    ]
    extents = dict(_extents(function, sites, environment, structs))
    sizes = dict(_sizes(function, joined, extents, environment, structs))
    return CallerFacts(tuple(requires), extents, sizes)


# -- conditions --------------------------------------------------------------------------------------------------


def _conditions(name: str, ctype: CType, known: ValueSet) -> Iterator[str]:
    if isinstance(known, Pointer) and isinstance(ctype, PointerType) and known.is_never_null:
        yield f"{name} != 0"
    if not isinstance(known, Integers) or not isinstance(ctype, IntType):
        return
    every = all_integers_of(ctype)
    if not is_within(known, every) or (known.low, known.high) == (every.low, every.high):
        return
    if known.low == known.high:
        yield f"{name} == {_constant(known.low, ctype)}"
    elif known.values is not None and len(known.values) <= known.high - known.low:
        yield " || ".join(f"{name} == {_constant(value, ctype)}" for value in sorted(known.values))
    else:
        low = [f"{name} >= {_constant(known.low, ctype)}"] if known.low > every.low else []
        high = [f"{name} <= {_constant(known.high, ctype)}"] if known.high < every.high else []
        yield " && ".join([*low, *high])


def _constant(value: int, ctype: IntType) -> str:
    """A constant of C that has the value in the type or, of small types, in int."""
    suffix = ("" if ctype.signed or ctype.width < 32 else "u") + ("ll" if ctype.width > 32 else "")
    if abs(value) < 1 << 31:
        suffix = "u" if "u" in suffix and value >= 1 << 31 else ""
    if value < 0 and value == -(1 << (ctype.width - 1)):
        return f"({value + 1}{suffix} - 1)"
    return f"{value}{suffix}"


# -- objects -----------------------------------------------------------------------------------------------------


def _elements(known: ValueSet, ctype: CType, structs: StructTypeTable) -> int | None:
    """The number of elements behind a pointer of a type, if that is known."""
    if not isinstance(known, Pointer) or known.room is None or not isinstance(ctype, PointerType):
        return None
    if isinstance(ctype.target, VoidType):
        return known.room
    if not is_complete_object_type(ctype.target, structs):
        return None
    size = size_of_type(ctype.target, structs)
    return known.room // size if size else None


def _extents(
    function: Function, sites: CallSites, environment: Surroundings, structs: StructTypeTable
) -> Iterator[tuple[str, str]]:
    """The pointers to which every call gives as many elements as the number beside it says."""
    parameters = function.parameters
    for number, parameter in enumerate(parameters):
        if not isinstance(parameter.type, PointerType) or parameter.name in environment.extents:
            continue
        elements = [_elements(call[number], parameter.type, structs) for call in sites.calls]
        if None in elements or not parameter.name.isidentifier():
            continue
        lengths = [
            (abs(other - number), length.name)
            for other, length in enumerate(parameters)
            if isinstance(length.type, IntType)
            and length.type.width >= 16
            and length.type != BOOL
            and length.name.isidentifier()
            and [_only(call[other]) for call in sites.calls] == elements
        ]
        if lengths:
            name = min(lengths)[1]
            given = find_parameter_extents(function, {parameter.name: name}, recognised=False)
            if not any(extent.ends_in_zero for extent in given):
                yield parameter.name, name


def _only(known: ValueSet) -> int | None:
    return known.low if isinstance(known, Integers) and known.low == known.high else None


def _sizes(
    function: Function,
    joined: list[ValueSet],
    extents: Mapping[str, str],
    environment: Surroundings,
    structs: StructTypeTable,
) -> Iterator[tuple[str, int]]:
    """Array sizes of objects: as many elements as each call gives, or as the least length that there can be."""
    given = {**extents, **environment.extents}
    found = find_parameter_extents(function, given, recognised=environment.finds_extents)
    measured = {extent.pointer: extent.factors for extent in found}
    for number, parameter in enumerate(function.parameters):
        name = parameter.name
        if (
            not isinstance(parameter.type, PointerType)
            or name in environment.sizes
            or not name.isidentifier()
        ):
            continue
        if number in measured:
            least = _least_product([joined[factor] for factor in measured[number]])
            if least is not None and least > environment.array_size:
                yield name, least
            continue
        elements = _elements(joined[number], parameter.type, structs)
        is_object = parameter.type.target != VoidType() and not re.search(
            r"\bchar\b", str(parameter.type.target)
        )
        if elements is not None and is_object and 0 < elements <= _MOST_ELEMENTS:
            yield name, elements


def _least_product(factors: list[ValueSet]) -> int | None:
    """The least number of elements that an object needs room for, or of several a larger one that is not large."""
    if len(factors) == 1 and isinstance(factors[0], Integers) and factors[0].values is not None:
        few = [value for value in factors[0].values if value <= _MOST_OF_SEVERAL]
        return max(few, default=factors[0].low)
    product = 1
    for factor in factors:
        if not isinstance(factor, Integers):
            return None
        product *= max(factor.low, 0)
    return product if factors else None
