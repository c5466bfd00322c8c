"""Words of C23 as tokens of C11, read as such where a program of C11 could not have them.

constexpr int n = 4;                  ->   const int n = 4;        "const" carries constexpr
alignas(8) char a[n];                 ->   _Alignas(8) char a[n];
enum color : unsigned char { RED };   ->   enum color { RED };     "color" carries the type
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pycparser import c_ast

from cfrontend.source.parse.tokens import KEYWORDS, CToken, TokenAttribute

CONSTEXPR: Final = "constexpr"
"""Attribute of a ``const`` that was written as ``constexpr``."""

FIXED_TYPE: Final = "a fixed underlying type"
"""Attribute of an enumeration whose argument is the type behind the colon."""

NEWER_TYPES: Final = frozenset({"bool", "nullptr_t"})
"""Names that are types where the program declares nothing of the name."""

_BEFORE_PARENTHESIS: Final = {
    "alignas": "_Alignas",
    "alignof": "_Alignof",
    "static_assert": "_Static_assert",
    "typeof_unqual": "typeof",  # types keep no qualifiers here
}

_BEFORE_SPECIFIER: Final = {"constexpr": "const", "thread_local": "_Thread_local"}

_TYPE_WORDS: Final = frozenset(
    {"CHAR", "SHORT", "INT", "LONG", "SIGNED", "UNSIGNED", "_BOOL", "__INT128", "CONST", "VOLATILE"}
)


def token_of_newer_word(tokens: Sequence[CToken], position: int) -> CToken | None:
    """The token of C11 that a word of C23 stands for; None where it is none."""
    token = tokens[position]
    if position + 1 == len(tokens) or token.type != "ID":
        return None
    follower = tokens[position + 1]
    if follower.type == "LPAREN":
        plain = _BEFORE_PARENTHESIS.get(token.value)
    elif follower.type == "ID" or follower.value in KEYWORDS:
        plain = _BEFORE_SPECIFIER.get(token.value)
    else:
        return None
    if plain is None:
        return None
    found = CToken(*KEYWORDS[plain], token.location)
    if token.value == CONSTEXPR:
        found.attributes = (TokenAttribute(CONSTEXPR, (), token.location),)
    return found


def take_fixed_type(tokens: Sequence[CToken], position: int, kept: Sequence[CToken]) -> int:
    """The position behind ``: type`` of an enumeration, which goes to the token before; ``position`` for others."""
    if tokens[position].type != "COLON" or not kept:
        return position
    is_enumeration = kept[-1].type == "ENUM" or (len(kept) > 1 and kept[-2].type == "ENUM")
    end = position + 1
    while end < len(tokens) and tokens[end].type in _TYPE_WORDS:
        end += 1
    if end == position + 1 and [token.type for token in tokens[end : end + 2]] == ["ID", "LBRACE"]:
        end += 1
    if not is_enumeration or end == position + 1:
        return position
    kept[-1].attributes += (
        TokenAttribute(FIXED_TYPE, tuple(tokens[position + 1 : end]), tokens[position].location),
    )
    return end


def has_fixed_type(token: CToken | None) -> bool:
    """Whether a token carries the type of an enumeration."""
    return token is not None and any(attribute.name == FIXED_TYPE for attribute in token.attributes)


def is_inferred_declaration(specifiers: Any, declared: Any) -> bool:
    """Whether values tell the types: ``auto x = 2.5;``, of which C11 would make an int that nobody means."""
    return "auto" in specifiers["storage"] and all(
        isinstance(one["decl"], c_ast.TypeDecl) and one.get("init") is not None for one in declared
    )
