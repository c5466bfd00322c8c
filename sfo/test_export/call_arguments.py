"""Arguments of a call in a unit test: numbers as they are, and objects for pointers and structures, before the call.

    count(const char *text, char c)   text[0] = 120, text[1] = 0, c = 97   ->   char text[3] = "x";
                                                                                count(text, 'a')
    grow(struct box *b)               b->size = 3                          ->   struct box b = {.size = 3};
                                                                                grow(&b)

An object has as many elements as its execution gives values to. One of characters has a null character more.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import Final, final

from cfrontend.record import dataclass
from cfrontend.source.contract import HARNESS_FILE
from cfrontend.syntax.tree import Function
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    StructTypeTable,
)
from cfrontend.units import InputNumber
from sfo.core.executions import Execution
from sfo.test_export.c_literals import c_literal
from sfo.test_export.structured_values import (
    ScalarOfValue,
    initializer_of_value,
    is_word_of_cplusplus,
    scalars_of_value,
    spelled_type,
)
from sfo.test_export.unit_test_frameworks import UnitTestFramework

_NAME: Final = re.compile(r"(\w+)((?:->|[.\[]).*)?")
_ELEMENT: Final = re.compile(r"\[(\d+)\](.*)")
_TAKEN: Final = ("result", "state", "number")
"""Names of variables that tests have besides."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GivenObject:
    """An object of a test, with the ``values`` of its scalars before the call; a parameter may be one ``by_value``."""

    name: str
    type: CType
    scalars: tuple[ScalarOfValue, ...]
    values: tuple[InputNumber, ...]
    by_value: bool = False

    def declaration(self, structs: StructTypeTable, framework: UnitTestFramework | None = None) -> str:
        """The line that makes it."""
        begin = initializer_of_value(self.type, structs, self.values)
        if isinstance(self.type, ArrayType):
            element = spelled_type(framework, self.type.element)
            return f"{element} {self.name}[{self.type.length}] = {begin};"
        return f"{spelled_type(framework, self.type)} {self.name} = {begin};"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CallArguments:
    """The words of a call, one for each parameter, and the objects that stand before it."""

    words: tuple[str, ...]
    objects: tuple[GivenObject, ...] = field(default=())

    def call(self, function: str) -> str:
        """The call as an expression."""
        return f"{function}({', '.join(self.words)})"


def reason_against_giving(type_: CType, structs: StructTypeTable) -> str:
    """Why a test cannot give a parameter of this type; empty for numbers, structures of them, and pointers to these."""
    target = type_.target if isinstance(type_, PointerType) else type_
    if isinstance(target, IntType | FloatType):
        return ""
    found = scalars_of_value(target, structs) if isinstance(target, StructType) else str(target)
    return found if isinstance(found, str) else ""


def call_arguments_of(
    function: Function, structs: StructTypeTable, execution: Execution
) -> CallArguments | str:
    """The arguments that the inputs of an execution are; the name of an input that is no part of them."""
    parts: dict[str, dict[str, InputNumber]] = {parameter.name: {} for parameter in function.parameters}
    for value in execution.inputs:
        found = _NAME.fullmatch(value.name)
        elsewhere = value.function and value.location.file != HARNESS_FILE
        if found is None or found[1] not in parts or value.memory is not None or elsewhere:
            return value.name
        parts[found[1]][found[2] or ""] = value.value
    words: list[str] = []
    objects: list[GivenObject] = []
    for parameter in function.parameters:
        type_, name, given = parameter.type, parameter.name, parts[parameter.name]
        if not isinstance(type_, PointerType | StructType):
            if set(given) != {""}:
                return name
            words.append(c_literal(type_, given[""]))
            continue
        pointed = given.pop("", 1)
        if isinstance(type_, PointerType) and not int(pointed):
            words.append("NULL")
            continue
        own = f"{name}_given" if name in {*_TAKEN, function.name} or is_word_of_cplusplus(name) else name
        found_object = _object(own, type_, structs, given)
        if isinstance(found_object, str):
            return f"{name}{found_object}"
        objects.append(found_object)
        is_one = isinstance(type_, PointerType) and isinstance(found_object.type, StructType)
        words.append(f"&{own}" if is_one else own)
    return CallArguments(words=tuple(words), objects=tuple(objects))


def _object(
    name: str, type_: PointerType | StructType, structs: StructTypeTable, given: dict[str, InputNumber]
) -> GivenObject | str:
    """The object of a parameter; the end of the name of an input that has no place in it."""
    target = type_.target if isinstance(type_, PointerType) else type_
    numbers = [int(found[1]) for path in given if (found := _ELEMENT.fullmatch(path))]
    whole: CType = target
    if isinstance(target, IntType | FloatType):
        if sorted(numbers) != list(range(len(given))):
            return ""
        more = str(target) == "char" or not numbers
        whole = ArrayType(target, len(numbers) + more)
    elif numbers:
        whole = ArrayType(target, max(numbers) + 1)
    scalars = scalars_of_value(whole, structs)
    if isinstance(scalars, str):
        return ""
    pointers = {scalar.path for scalar in scalars if isinstance(scalar.type, PointerType)}
    paths = {scalar.path for scalar in scalars}
    values: dict[str, InputNumber] = {}
    for name_behind, value in given.items():
        path = re.sub(r"^->", ".", name_behind)
        if path not in paths or (path in pointers and int(value)):
            return name_behind
        values[path] = value
    return GivenObject(
        name=name,
        type=whole,
        scalars=scalars,
        values=tuple(values.get(scalar.path, 0) for scalar in scalars),
        by_value=isinstance(type_, StructType),
    )
