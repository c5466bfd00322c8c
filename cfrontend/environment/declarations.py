"""C text that the surroundings of a function are made of: declarations of a type, calls that give inputs.

PointerType(ArrayType(INT, 4)), "p"  ->  int (*p)[4]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

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
