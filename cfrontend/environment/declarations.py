"""C text that the surroundings of a function are made of: declarations of a type, calls that give inputs.

PointerType(ArrayType(INT, 4)), "p"  ->  int (*p)[4]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never, final

from cfrontend.record import dataclass
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    VoidType,
)

NONDET: Final[Mapping[str, str]] = {
    "_Bool": "bool",
    "char": "char",
    "signed char": "schar",
    "unsigned char": "uchar",
    "short": "short",
    "unsigned short": "ushort",
    "int": "int",
    "unsigned int": "uint",
    "long": "long",
    "unsigned long": "ulong",
    "long long": "longlong",
    "unsigned long long": "ulonglong",
    "__int128": "int128",
    "unsigned __int128": "uint128",
    "float": "float",
    "double": "double",
    "long double": "longdouble",
}
"""Suffix of the function ``__VERIFIER_nondet_…`` that returns an input of a type, by type."""


def environment_input_declaration(ctype: CType, name: str) -> str:
    """``name`` declared with a type as a programmer writes it, without the semicolon."""
    match ctype:
        case PointerType(target=ArrayType() | FunctionType() as target):
            return environment_input_declaration(target, f"(*{name})")
        case PointerType(target=target):
            return environment_input_declaration(target, f"*{name}")
        case ArrayType(element=element, length=length):
            return environment_input_declaration(element, f"{name}[{'' if length is None else length}]")
        case FunctionType():
            inside = ", ".join(
                [environment_input_declaration(p, "") for p in ctype.parameters] + ["..."] * ctype.variadic
            )
            return environment_input_declaration(
                ctype.result, f"{name}({inside or ('void' if ctype.prototyped else '')})"
            )
        case StructType(key=key):
            return f"{key.partition('#')[0]} {name}".rstrip()
        case IntType() | FloatType() | VoidType():
            return f"{ctype} {name}".rstrip()
        case _:
            assert_never(ctype)


@final
@dataclass(frozen=True, slots=True)
class EnvironmentPlace:
    """An lvalue as C text; ``is_constant`` and ``leads_to_constant``: it is ``const``, or what it points to.

    ``is_compared``: the program compares it with null. What points to void is ``taken`` as a pointer to that. A pointer
    to a file leads to the standard file ``stream``, where that is known.
    """

    text: str
    is_constant: bool = False
    leads_to_constant: bool = False
    is_compared: bool = False
    taken: CType | None = None
    stream: str = ""

    def written(self, ctype: CType) -> str:
        """The left side of an assignment to the place; the initial value of a constant is assigned through a cast."""
        return (
            f"*({environment_input_declaration(ctype, '*')})&{self.text}" if self.is_constant else self.text
        )

    def at(self, n: int) -> EnvironmentPlace:
        """The text of an element of the array that it is or points to."""
        return EnvironmentPlace(
            f"{self.text}[{n}]", self.is_constant, self.leads_to_constant, self.is_compared
        )

    def then(self, operator: str) -> EnvironmentPlace:
        """The text before the name of a member."""
        return EnvironmentPlace(self.text + operator, self.is_constant)

    def whole(self) -> EnvironmentPlace:
        """The structure whose members have this text before their names."""
        whole, arrow, _ = self.text.rpartition("->")
        text = f"(*{whole})" if arrow and self.text.endswith("->") else self.text.removesuffix(".")
        return EnvironmentPlace(text, self.is_constant)

    @property
    def last_word(self) -> str:
        """The name of the variable or member that the text ends with."""
        words = "".join(c if c.isalnum() or c == "_" else " " for c in self.text).split()
        return next((word for word in reversed(words) if not word.isdigit()), self.text)
