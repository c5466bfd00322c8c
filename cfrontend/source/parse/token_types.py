"""Types of tokens, by what the parser expects beside them, and names that are types everywhere."""

from __future__ import annotations

from typing import Final

from cfrontend.source.parse.gnu import BINARY_FORMATS

_LEVELS: Final = (
    *("LOR", "LAND", "OR", "XOR", "AND", "EQ NE", "GT GE LT LE"),
    *("RSHIFT LSHIFT", "PLUS MINUS", "TIMES DIVIDE MOD"),
)
"""Token types of binary operators, those that bind least first."""

PRECEDENCE: Final = {kind: level for level, kinds in enumerate(_LEVELS) for kind in kinds.split()}

BEHIND_OPERAND: Final = frozenset(
    {*PRECEDENCE, "RPAREN", "RBRACKET", "COMMA", "SEMI", "CONDOP", "COLON", "EQUALS"}
)
"""Token types behind which a name or a number is an operand as it is."""

PREFIX: Final = frozenset({"AND", "TIMES", "PLUS", "MINUS", "NOT", "LNOT", "__REAL__", "__IMAG__"})

BEFORE_TYPE: Final = frozenset(
    {
        "SEMI",
        "LBRACE",
        "RBRACE",
        "LPAREN",
        "COMMA",
        "CONST",
        "VOLATILE",
        "STATIC",
        "EXTERN",
        "TYPEDEF",
        "INLINE",
    }
)

NUMBERS: Final = frozenset({"INT_CONST_DEC", "CHAR_CONST"})
"""Token types of whole numbers."""

PLAIN: Final = NUMBERS | {"ID"}
"""Token types of operands that are one token."""

IN_PARENTHESES: Final = PLAIN | PREFIX | {"LPAREN"}
"""Token types behind a parenthesis that begin an expression and no type."""

PREDECLARED_TYPEDEFS: Final = (
    "__builtin_va_list",
    *BINARY_FORMATS,
    "_Decimal32",
    "_Decimal64",
    "_Decimal128",
    "__auto_type",
    "__int128_t",
    "__uint128_t",
    "__CPROVER_bool",
    "__CPROVER_size_t",
)
"""Typedef names that exist without a declaration; ``elaborate`` knows their types."""
