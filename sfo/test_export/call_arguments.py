"""Arguments of a call in a unit test: numbers as they are, and objects for the pointers, before and behind the call.

    count(const char *text, char c)   text[0] = 120, text[1] = 0, c = 97   ->   char text[3] = "x";
                                                                                count(text, 'a')

An object has as many elements as its execution gives values to. One of characters has a null character more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Final, final

from cfrontend.record import dataclass
from cfrontend.source.contract import HARNESS_FILE
from cfrontend.syntax.tree import Function
from cfrontend.syntax.types import CType, FloatType, IntType, PointerType
from cfrontend.units import InputNumber
from sfo.core.executions import Execution
from sfo.test_export.c_literals import c_literal, c_text_literal
from sfo.test_export.unit_test_frameworks import UnitTestFramework

Element = IntType | FloatType
"""Type of an element of an object."""

_NAME: Final = re.compile(r"(\w+)\[(\d+)\]")
_TAKEN: Final = ("result", "state", "number")
"""Names of variables that tests have besides."""


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


def spelled_type(framework: UnitTestFramework | None, type_: CType) -> str:
    """The type in the language of the framework's tests; None: in C."""
    text = str(type_)
    return re.sub(r"\b_Bool\b", "bool", text) if framework is not None and framework.cplusplus else text


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GivenObject:
    """An object that a pointer leads to, with the ``values`` of its elements before the call."""

    name: str
    element: Element
    values: tuple[InputNumber, ...]

    def declaration(self, framework: UnitTestFramework | None = None) -> str:
        """The line that makes it."""
        text = _text_of(self.element, self.values)
        literals = ", ".join(c_literal(self.element, value) for value in self.values)
        spelled = spelled_type(framework, self.element)
        return f"{spelled} {self.name}[{len(self.values)}] = {text or f'{{{literals}}}'};"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CallArguments:
    """The words of a call, one for each parameter, and the objects that stand before it."""

    words: tuple[str, ...]
    objects: tuple[GivenObject, ...] = field(default=())

    def call(self, function: str) -> str:
        """The call as an expression."""
        return f"{function}({', '.join(self.words)})"


def is_given_in_call(type_: CType) -> bool:
    """Whether a test can give a parameter of this type: a number, or a pointer to some."""
    return isinstance(type_, IntType | FloatType) or (
        isinstance(type_, PointerType) and isinstance(type_.target, IntType | FloatType)
    )


def call_arguments_of(function: Function, execution: Execution) -> CallArguments | str:
    """The arguments that the inputs of an execution are; the name of an input that is no part of them."""
    given: dict[str, InputNumber] = {}
    elements: dict[str, dict[int, InputNumber]] = {}
    names = {parameter.name for parameter in function.parameters}
    for value in execution.inputs:
        found = _NAME.fullmatch(value.name)
        name = found[1] if found else value.name
        elsewhere = value.function and value.location.file != HARNESS_FILE
        if name not in names or value.memory is not None or elsewhere:
            return value.name
        if found is None:
            given[name] = value.value
        else:
            elements.setdefault(name, {})[int(found[2])] = value.value
    words: list[str] = []
    objects: list[GivenObject] = []
    for parameter in function.parameters:
        type_, name = parameter.type, parameter.name
        if not isinstance(type_, PointerType):
            if name not in given:
                return name
            words.append(c_literal(type_, given[name]))
        elif name in given and not int(given[name]):
            words.append("NULL")
        else:
            assert isinstance(type_.target, IntType | FloatType)
            found_values = elements.get(name, {})
            if sorted(found_values) != list(range(len(found_values))):
                return name
            own = f"{name}_given" if name in {*_TAKEN, function.name} or is_word_of_cplusplus(name) else name
            objects.append(_object(own, type_.target, [found_values[n] for n in sorted(found_values)]))
            words.append(own)
    return CallArguments(words=tuple(words), objects=tuple(objects))


def _object(name: str, element: Element, values: list[InputNumber]) -> GivenObject:
    if str(element) == "char" or not values:
        values.append(0)
    return GivenObject(name=name, element=element, values=tuple(values))


def _text_of(element: Element, values: Sequence[InputNumber]) -> str:
    """The values as a string literal; empty where they are no text with null characters behind it only."""
    data = bytes(int(value) & 255 for value in values) if str(element) == "char" else b""
    text = data.rstrip(b"\0")
    return c_text_literal(text) if data and len(text) < len(data) and 0 not in text else ""


# -- what is seen behind the call --------------------------------------------------------------------------------


def lines_that_show(object_: GivenObject) -> Iterator[str]:
    """Statements of C that print the elements of an object, each behind a blank."""
    form, cast = printed_form(object_.element)
    count, place = len(object_.values), f"place_in_{object_.name}"
    yield f'for (int {place} = 0; {place} < {count}; {place}++) printf(" {form}", ({cast}){object_.name}[{place}]);'


def printed_form(type_: CType) -> tuple[str, str]:
    """A form of printf that shows every value of a number, and the type that it is for."""
    if isinstance(type_, FloatType):
        return "%La", "long double"
    if isinstance(type_, IntType) and not type_.signed:
        return "%llu", "unsigned long long"
    return "%lld", "long long"


def number_read_back(type_: CType, shown: str) -> InputNumber:
    """The number that was printed in ``printed_form``."""
    if isinstance(type_, IntType):
        return int(shown)
    return shown if str(type_) == "long double" or "nan" in shown else repr(float.fromhex(shown))


def number_assertion(framework: UnitTestFramework, type_: CType, seen: str, value: InputNumber) -> str:
    """The assertion that an expression is a number."""
    if isinstance(type_, IntType):
        return framework.number.format(seen=seen, expected=c_literal(type_, value))
    if "nan" in str(value):
        return framework.truth.format(seen=f"{seen} != {seen}")
    return framework.truth.format(seen=f"{seen} == {c_literal(type_, value)}")


def object_assertions(
    framework: UnitTestFramework, object_: GivenObject, values: Sequence[InputNumber]
) -> Iterator[str]:
    """Assertions that an object holds ``values``: as a text where it is one, otherwise element by element."""
    text = _text_of(object_.element, values)
    if text:
        yield framework.text.format(seen=object_.name, expected=text)
        return
    for place, value in enumerate(values):
        yield number_assertion(framework, object_.element, f"{object_.name}[{place}]", value)
