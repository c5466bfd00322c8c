"""Values in a unit test: literals, structures, and the arguments of a call, with the objects that stand before it.

    struct item {char name[4]; int count;}   ->   struct item it = {.name = "ab", .count = 3};
                                                  assert_string_equal(it.name, "ab");
    count(const char *text, char c)          ->   char text[3] = "x";   count(text, 'a')

A value is the list of its scalars, in the order of the members; pointers in structures are null. An object has as
many elements as its execution gives values to, one of characters a null character more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import islice
from typing import Final, TypeAlias, final

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
    alignment_of_type,
    size_of_type,
)
from cfrontend.units import InputNumber
from sfo.core.executions import Execution
from sfo.test_export.unit_test_frameworks import UnitTestFramework

Number: TypeAlias = IntType | FloatType
"""Type of a number."""

_MOST_SCALARS: Final = 200
"""Scalars of the largest structure that a test gives."""

_KEY: Final = re.compile(r"(?:struct )?[A-Za-z_]\w*")

_CPLUSPLUS_WORDS: Final = re.compile(
    "and|and_eq|asm|bitand|bitor|bool|catch|class|compl|const_cast|constexpr|decltype|delete|dynamic_cast|explicit|"
    "export|false|friend|mutable|namespace|new|noexcept|not|not_eq|nullptr|operator|or|or_eq|private|protected|public|"
    "reinterpret_cast|static_assert|static_cast|template|this|throw|true|try|typeid|typename|using|virtual|wchar_t|"
    "xor|xor_eq"
)
"""Names that a program in C may have, and a test in C++ cannot say."""


def is_word_of_cplusplus(name: str) -> bool:
    """Whether C++ has another meaning for a name that a program in C may have."""
    return _CPLUSPLUS_WORDS.fullmatch(name) is not None


@final
@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar of a value: what stands behind the name of the value to reach it, and its type."""

    path: str
    type: CType


def spelled_type(framework: UnitTestFramework | None, type_: CType) -> str:
    """The type in the language of the framework's tests; None: in C."""
    text = str(type_)
    return re.sub(r"\b_Bool\b", "bool", text) if framework is not None and framework.cplusplus else text


def scalars(type_: CType, structs: StructTypeTable) -> tuple[Scalar, ...] | str:
    """The scalars of a value of a type; why a test cannot give such a value, where that is so."""
    if isinstance(type_, StructType) and (reason := _reason_against(type_, structs)):
        return reason
    if isinstance(type_, StructType) and _number_of_scalars(type_, structs) > _MOST_SCALARS:
        return f"{type_} has more than {_MOST_SCALARS} numbers"
    return tuple(_scalars(type_, structs, ""))


def _number_of_scalars(type_: CType, structs: StructTypeTable) -> int:
    if isinstance(type_, ArrayType):
        return (type_.length or 0) * _number_of_scalars(type_.element, structs)
    if isinstance(type_, StructType):
        return sum(_number_of_scalars(member.type, structs) for member in structs[type_.key].members)
    return 1


def _reason_against(type_: CType, structs: StructTypeTable) -> str:
    """Why a test cannot give a value of a type: what a definition of it would lay out otherwise, or unions."""
    match type_:
        case IntType() | FloatType() | PointerType():
            return ""
        case ArrayType(element=element, length=length) if length is not None:
            return _reason_against(element, structs)
        case StructType(key=key) if key in structs and not structs[key].is_union and _KEY.fullmatch(key):
            layout = structs[key]
            end = 0
            for member in layout.members:
                if reason := _reason_against(member.type, structs):
                    return reason
                align = alignment_of_type(member.type, structs)
                if member.bit_width is not None or not member.name:
                    return f"{key} has bit-fields, or members without a name"
                if member.offset != -(-end // align) * align:
                    return f"{key} is packed or aligned"
                end = member.offset + size_of_type(member.type, structs)
            align = max((alignment_of_type(member.type, structs) for member in layout.members), default=1)
            padded = -(-end // align) * align
            return (
                ""
                if layout.members and (layout.size, layout.align) == (padded, align)
                else f"{key} is packed or aligned"
            )
        case _:
            return f"{type_} is no structure of numbers"


def _scalars(type_: CType, structs: StructTypeTable, path: str) -> Iterator[Scalar]:
    match type_:
        case ArrayType(element=element, length=length):
            for n in range(length or 0):
                yield from _scalars(element, structs, f"{path}[{n}]")
        case StructType(key=key):
            for member in structs[key].members:
                yield from _scalars(member.type, structs, f"{path}.{member.name}")
        case _:
            yield Scalar(path, type_)


def structures(types: Sequence[CType], structs: StructTypeTable) -> list[StructType]:
    """The structures that values of ``types`` are made of, each behind those that it needs."""
    found: dict[str, StructType] = {}

    def find(type_: CType) -> None:
        if isinstance(type_, ArrayType):
            find(type_.element)
        elif isinstance(type_, StructType) and type_.key not in found:
            for member in structs[type_.key].members:
                find(member.type)
            found[type_.key] = type_

    for type_ in types:
        find(type_.target if isinstance(type_, PointerType) else type_)
    return list(found.values())


def structure_definition(
    framework: UnitTestFramework | None, type_: StructType, structs: StructTypeTable
) -> list[str]:
    """The lines that define a structure. A pointer in it is a pointer to anything, as tests give null only."""
    opening, ending = (f"{type_} {{", "};")
    if not type_.key.startswith("struct "):
        opening, ending = ("typedef struct {", f"}} {type_};")
    return [
        opening,
        *(f"    {_member(framework, m.name, m.type)};" for m in structs[type_.key].members),
        ending,
    ]


def _member(framework: UnitTestFramework | None, name: str, type_: CType) -> str:
    lengths = ""
    while isinstance(type_, ArrayType):
        lengths += f"[{type_.length}]"
        type_ = type_.element
    return (
        f"void *{name}"
        if isinstance(type_, PointerType)
        else f"{spelled_type(framework, type_)} {name}{lengths}"
    )


def initializer(type_: CType, structs: StructTypeTable, values: Iterator[InputNumber]) -> str:
    """The initializer of a value whose scalars are ``values``; members of a structure that are zero are left out."""
    match type_:
        case ArrayType(element=element, length=length):
            if str(element) == "char":
                given = list(islice(values, length or 0))
                literals = ", ".join(literal(element, value) for value in given)
                return text_of_characters(element, given) or f"{{{literals}}}"
            return f"{{{', '.join(initializer(element, structs, values) for _ in range(length or 0))}}}"
        case StructType(key=key):
            parts = []
            for member in structs[key].members:
                own = list(islice(values, _number_of_scalars(member.type, structs)))
                if any(str(value) not in {"0", "0.0"} for value in own):
                    parts.append(f".{member.name} = {initializer(member.type, structs, iter(own))}")
            return f"{{{', '.join(parts) or '0'}}}"
        case PointerType():
            next(values)
            return "NULL"
        case _:
            return literal(type_, next(values))


def text_of_characters(element: CType, values: Sequence[InputNumber]) -> str:
    """The values as a string literal; empty where they are no text with null characters behind it only."""
    data = bytes(int(value) & 255 for value in values) if str(element) == "char" else b""
    text = data.rstrip(b"\0")
    return text_literal(text) if data and len(text) < len(data) and 0 not in text else ""


# -- what is seen ------------------------------------------------------------------------------------------------


def printed_form(type_: CType) -> tuple[str, str]:
    """A form of printf that shows every value of a number, and the type that it is for."""
    if isinstance(type_, FloatType):
        return "%La", "long double"
    if isinstance(type_, IntType) and not type_.signed:
        return "%llu", "unsigned long long"
    return "%lld", "long long"


def lines_that_show(name: str, scalars: Sequence[Scalar]) -> Iterator[str]:
    """Statements of C that print the scalars of a value, each behind a blank; a pointer as 0."""
    for scalar in scalars:
        form, cast = printed_form(scalar.type)
        seen = "0" if isinstance(scalar.type, PointerType) else f"{name}{scalar.path}"
        yield f'printf(" {form}", ({cast}){seen});'


def number_read_back(type_: CType, shown: str) -> InputNumber:
    """The number that was printed in ``printed_form``."""
    if not isinstance(type_, FloatType):
        return int(shown)
    return shown if str(type_) == "long double" or "nan" in shown else repr(float.fromhex(shown))


def number_assertion(framework: UnitTestFramework, type_: CType, seen: str, value: InputNumber) -> str:
    """The assertion that an expression is a number."""
    if isinstance(type_, IntType):
        return framework.number.format(seen=seen, expected=literal(type_, value))
    if "nan" in str(value):
        return framework.truth.format(seen=f"{seen} != {seen}")
    return framework.truth.format(seen=f"{seen} == {literal(type_, value)}")


def assertions(
    framework: UnitTestFramework,
    type_: CType,
    structs: StructTypeTable,
    seen: str,
    values: Iterator[tuple[InputNumber, bool]],
) -> Iterator[str]:
    """Assertions that an expression has those of its ``values`` that are wanted; a text is asserted as a whole."""
    match type_:
        case ArrayType(element=element, length=length) if str(element) == "char":
            given = [next(values) for _ in range(length or 0)]
            text = text_of_characters(element, [value for value, _ in given])
            if text and any(wanted for _, wanted in given):
                yield framework.text.format(seen=seen, expected=text)
                return
            for n, (value, wanted) in enumerate(given):
                if wanted:
                    yield number_assertion(framework, element, f"{seen}[{n}]", value)
        case ArrayType(element=element, length=length):
            for n in range(length or 0):
                yield from assertions(framework, element, structs, f"{seen}[{n}]", values)
        case StructType(key=key):
            for member in structs[key].members:
                yield from assertions(framework, member.type, structs, f"{seen}.{member.name}", values)
        case _:
            value, wanted = next(values)
            if wanted and not isinstance(type_, PointerType):
                yield number_assertion(framework, type_, seen, value)


def literal(type_: CType, value: InputNumber) -> str:
    """The value as a person writes it in C or C++: 7, 'a', 7u, (-2147483647 - 1), 0.5f, INFINITY."""
    if isinstance(type_, FloatType):
        text = str(value)
        if "nan" in text:
            return "NAN"
        if "inf" in text:
            return "-INFINITY" if text.startswith("-") else "INFINITY"
        if re.fullmatch(r"-?[0-9]+", text):
            text += ".0"
        return text + {"float": "f", "long double": "L"}.get(type_.name, "")
    assert isinstance(type_, IntType)
    number = int(value)
    if type_.name == "char" and 32 <= number < 127:
        return "'" + _escaped(bytes([number]), quote="'") + "'"
    suffix = ""
    if type_.width >= 32 and not type_.signed:
        suffix = "u"
    if type_.width >= 64:
        suffix += "LL" if "long long" in type_.name else "L"
    if type_.signed and type_.width >= 32 and number == -(1 << (type_.width - 1)):
        return f"({number + 1}{suffix} - 1)"
    return f"{number}{suffix}"


def text_literal(data: bytes) -> str:
    """Bytes as a literal of C and C++, whatever they are."""
    return '"' + _escaped(data, quote='"') + '"'


def _escaped(data: bytes, quote: str) -> str:
    special = {
        ord(quote): f"\\{quote}",
        ord("\\"): "\\\\",
        ord("\n"): "\\n",
        ord("\t"): "\\t",
        ord("?"): "\\?",
    }
    if quote == "'":
        del special[ord("?")]
    return "".join(special.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data)


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
    scalars: tuple[Scalar, ...]
    values: tuple[InputNumber, ...]
    by_value: bool = False

    def declaration(self, structs: StructTypeTable, framework: UnitTestFramework | None = None) -> str:
        """The line that makes it."""
        begin = initializer(self.type, structs, iter(self.values))
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
    found = scalars(target, structs) if isinstance(target, StructType) else str(target)
    return found if isinstance(found, str) else ""


def call_arguments(function: Function, structs: StructTypeTable, execution: Execution) -> CallArguments | str:
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
            words.append(literal(type_, given[""]))
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
    parts = scalars(whole, structs)
    if isinstance(parts, str):
        return ""
    pointers = {scalar.path for scalar in parts if isinstance(scalar.type, PointerType)}
    paths = {scalar.path for scalar in parts}
    values: dict[str, InputNumber] = {}
    for name_behind, value in given.items():
        path = re.sub(r"^->", ".", name_behind)
        if path not in paths or (path in pointers and int(value)):
            return name_behind
        values[path] = value
    return GivenObject(
        name=name,
        type=whole,
        scalars=parts,
        values=tuple(values.get(scalar.path, 0) for scalar in parts),
        by_value=isinstance(type_, StructType),
    )
