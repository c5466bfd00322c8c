"""GNU extensions, removed from the token sequence before pycparser sees it.

What does not change the meaning is dropped; what changes the layout or is not modelled stays with the token before
it; assembly that is no mere barrier becomes one token that is refused where an execution comes to it. CBMC's
contracts are dropped, as CBMC itself does, which leaves them to another tool.

    static int f(int) __attribute__((noreturn)) __asm__("g");   ->   static int f(int);
    struct __attribute__((packed)) s { ... };                   ->   struct s { ... }, "struct" carries packed
    [[nodiscard]] int f(int);                                   ->   int f(int);
    while (i < n) __CPROVER_loop_invariant(i <= n) i++;         ->   while (i < n) i++;
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from cfrontend.errors import InputError, UnsupportedError
from cfrontend.source.parse.compiler_barriers import barrier_tokens
from cfrontend.source.parse.newer_words import take_fixed_type, token_of_newer_word
from cfrontend.source.parse.tokens import CToken, TokenAttribute

UNCALLED: Final = frozenset({"constructor", "destructor"})
"""Attributes of functions that every execution calls, before its entry or at its end."""

UNSUPPORTED_ATTRIBUTES: Final = frozenset(
    {
        "ifunc",
        "ms_struct",
        "scalar_storage_order",
        "transparent_union",
        "vector_size",
        "weakref",
    }
)
"""Attributes that change what they stand on in ways sfo does not know: it is refused where it is used."""

_LAYOUT_ATTRIBUTES: Final = frozenset({"aligned", "mode", "packed"})

LINKING_ATTRIBUTE: Final = "weak"
"""Attribute of what gives way to a definition in another file."""

ENDING_ATTRIBUTE: Final = "noreturn"
"""Attribute of functions that never return."""

NAMING_ATTRIBUTES: Final = frozenset({"alias", "cleanup", "mode"})
"""Attributes whose argument is one word."""

_KEPT: Final = (
    _LAYOUT_ATTRIBUTES
    | NAMING_ATTRIBUTES
    | UNSUPPORTED_ATTRIBUTES
    | UNCALLED
    | {LINKING_ATTRIBUTE, ENDING_ATTRIBUTE}
)

REFUSED: Final = "REFUSED"
"""Token type of an unmodelled construct; the token's value names it."""

_ASM: Final = frozenset({"asm", "__asm", "__asm__"})

_CONTRACTS: Final = frozenset(
    {
        *("__CPROVER_requires", "__CPROVER_ensures", "__CPROVER_assigns", "__CPROVER_frees"),
        *("__CPROVER_loop_invariant", "__CPROVER_decreases"),
    }
)
"""Clauses of CBMC behind the head of a function or of a loop, with parentheses."""

BINARY_FORMATS: Final = (
    *("_Float16", "_Float32", "_Float32x", "_Float64", "_Float64x", "_Float128"),
    *("__bf16", "__float80", "__float128", "__ibm128"),
)
"""Names of the compiler's own floating types; with ``_Complex`` they are put first, where a parser looks for them."""

_OF_ANY_WIDTH: Final = frozenset({"__CPROVER_bitvector", "__CPROVER_fixedbv", "__CPROVER_floatbv", "_BitInt"})
"""Names of types with their width in brackets: CBMC's, and the one of C23."""


def tokens_without_gnu_words(tokens: Sequence[CToken]) -> list[CToken]:
    """The tokens that pycparser can read. Raises UnsupportedError for GNU constructs sfo does not model."""
    kept: list[CToken] = []
    position = 0
    depth = 0
    while position < len(tokens):
        token = tokens[position]
        if token.value in {"__attribute__", "__attribute"} and token.type == "ID":
            if not kept:
                kept.append(CToken("SEMI", ";", token.location))
            position = _take_attribute(tokens, position, kept[-1])
        elif _is_attribute_of_the_standard(tokens, position):
            if not kept:
                kept.append(CToken("SEMI", ";", token.location))
            position = _take_attribute_of_the_standard(tokens, position, kept[-1])
        elif token.value in _ASM and token.type == "ID":
            opening, end = _parentheses_of_asm(tokens, position)
            if depth > 0 and not _is_in_declarator(kept, depth):
                done = barrier_tokens(tokens[opening + 1 : end], token.location, tokens[end].location)
                kept += [CToken(REFUSED, "inline assembly", token.location)] if done is None else done
            position = end + 1
        elif token.value == "__extension__":
            position += 1
        elif token.value in _CONTRACTS and token.type == "ID":
            position = _closing(tokens, position + 1) + 1
        elif token.type == "_COMPLEX" and _names_binary_format(tokens, position + 1):
            kept += [tokens[position + 1], token]
            position += 2
        elif token.value in _OF_ANY_WIDTH and token.type == "ID":
            raise UnsupportedError(f"the type '{token.value}' is not supported yet", token.location)
        elif (behind := take_fixed_type(tokens, position, kept)) > position:
            position = behind
        else:
            depth += (token.type == "LBRACE") - (token.type == "RBRACE")
            kept.append(token_of_newer_word(tokens, position) or token)
            position += 1
    return kept


def _names_binary_format(tokens: Sequence[CToken], position: int) -> bool:
    return position < len(tokens) and tokens[position].value in BINARY_FORMATS


def _take_attribute(tokens: Sequence[CToken], position: int, before: CToken) -> int:
    """The position behind ``__attribute__((...))``; what matters goes to the token before it."""
    end = _closing(tokens, position + 1)
    _keep_what_matters(_attributes(tokens[position + 3 : end - 1]), before)
    return end + 1


def _is_attribute_of_the_standard(tokens: Sequence[CToken], position: int) -> bool:
    """Whether ``[[`` stands here, which begins nothing else in C."""
    return all(token.type == "LBRACKET" for token in tokens[position : position + 2]) and (
        position + 1 < len(tokens)
    )


def _take_attribute_of_the_standard(tokens: Sequence[CToken], position: int, before: CToken) -> int:
    """The position behind ``[[...]]`` of C23; those of GNU in it (``gnu::packed``) are as in ``__attribute__``.

    Of the standard's own attributes only ``noreturn`` says something of executions.
    """
    end = _closing(tokens, position, "BRACKET")
    inside = tokens[position + 2 : end - 1]
    words = [token for token in inside if token.value.strip("_").lower() == ENDING_ATTRIBUTE]
    _keep_what_matters([TokenAttribute(ENDING_ATTRIBUTE, (), token.location) for token in words], before)
    for n, token in enumerate(inside[:-3]):
        if token.value.strip("_") == "gnu" and [t.type for t in inside[n + 1 : n + 3]] == ["COLON", "COLON"]:
            _keep_what_matters(islice(_attributes(inside[n + 3 :]), 1), before)
    return end + 1


def _keep_what_matters(attributes: Iterable[TokenAttribute], before: CToken) -> None:
    for attribute in attributes:
        if attribute.name in UNCALLED and attribute.argument:
            message = f"attribute '{attribute.name}' with a priority is not supported yet"
            raise UnsupportedError(message, attribute.location)
        if attribute.name in _KEPT:
            before.attributes += (attribute,)


def _attributes(tokens: Sequence[CToken]) -> Iterator[TokenAttribute]:
    """The single attributes between the double parentheses."""
    position = 0
    while position < len(tokens):
        token = tokens[position]
        argument: Sequence[CToken] = ()
        position += 1
        if position < len(tokens) and tokens[position].type == "LPAREN":
            end = _closing(tokens, position)
            argument = tokens[position + 1 : end]
            position = end + 1
        if token.type != "COMMA":
            yield TokenAttribute(token.value.strip("_"), tuple(argument), token.location)


def _closing(tokens: Sequence[CToken], position: int, kind: str = "PAREN") -> int:
    """The position of the parenthesis (or other bracket) that closes the one at ``position``."""
    if position >= len(tokens) or tokens[position].type != f"L{kind}":
        place = tokens[min(position, len(tokens) - 1)]
        raise InputError(f"syntax error before '{place.value}'", place.location)
    depth = 0
    for index in range(position, len(tokens)):
        depth += (tokens[index].type == f"L{kind}") - (tokens[index].type == f"R{kind}")
        if depth == 0:
            return index
    raise InputError("parenthesis is never closed", tokens[position].location)


def _is_in_declarator(before: Sequence[CToken], depth: int) -> bool:
    """Whether an ``asm`` here names the symbol of a declaration instead of being a statement."""
    if not before or before[-1].type not in {"ID", "TYPEID", "RPAREN", "RBRACKET"}:
        return False
    return depth == 0 or before[-1].type != "RPAREN"


def _parentheses_of_asm(tokens: Sequence[CToken], position: int) -> tuple[int, int]:
    """Positions at which the parentheses of ``asm [volatile] (...)`` open and close.

    Assembly outside of functions is left out: what it defines is then undefined where it is called.
    """
    opening = position + 1
    while opening < len(tokens) and tokens[opening].value in {"volatile", "goto", "inline"}:
        opening += 1
    return opening, _closing(tokens, opening)
