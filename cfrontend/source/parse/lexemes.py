"""Lexer of one line of C text: spelled pieces with their columns, without meaning yet.

The same spelling is used for the preprocessed line and for the original one.

    x = 0x1F;   ->   ID "x" 0-1, PUNCTUATOR "=" 2-3, NUMBER "0x1F" 4-8, PUNCTUATOR ";" 8-9
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple


class Lexeme(NamedTuple):
    """Lexeme inside one line: its text and its columns, from 0, the end exclusive."""

    kind: str
    text: str
    start: int
    end: int


PUNCTUATORS: Final[Mapping[str, str]] = {
    "...": "ELLIPSIS",
    "<<=": "LSHIFTEQUAL",
    ">>=": "RSHIFTEQUAL",
    "==>": "IMPLIES",
    "++": "PLUSPLUS",
    "--": "MINUSMINUS",
    "->": "ARROW",
    "&&": "LAND",
    "||": "LOR",
    "<<": "LSHIFT",
    ">>": "RSHIFT",
    "<=": "LE",
    ">=": "GE",
    "==": "EQ",
    "!=": "NE",
    "*=": "TIMESEQUAL",
    "/=": "DIVEQUAL",
    "%=": "MODEQUAL",
    "+=": "PLUSEQUAL",
    "-=": "MINUSEQUAL",
    "&=": "ANDEQUAL",
    "|=": "OREQUAL",
    "^=": "XOREQUAL",
    "<:": "LBRACKET",
    ":>": "RBRACKET",
    "<%": "LBRACE",
    "%>": "RBRACE",
    "=": "EQUALS",
    "+": "PLUS",
    "-": "MINUS",
    "*": "TIMES",
    "/": "DIVIDE",
    "%": "MOD",
    "|": "OR",
    "&": "AND",
    "~": "NOT",
    "^": "XOR",
    "!": "LNOT",
    "<": "LT",
    ">": "GT",
    "?": "CONDOP",
    "(": "LPAREN",
    ")": "RPAREN",
    "[": "LBRACKET",
    "]": "RBRACKET",
    "{": "LBRACE",
    "}": "RBRACE",
    ",": "COMMA",
    ".": "PERIOD",
    ";": "SEMI",
    ":": "COLON",
}
"""Token type of pycparser by spelling; longer spellings first."""

_UNIVERSAL = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))")
"""Pattern of a universal character name; gcc's preprocessor writes characters beyond ASCII in identifiers so."""

_LEXEME = re.compile(
    r"(?P<SPACE>\s+)"
    r'|(?P<STRING>(?:u8|[LuU])?"(?:[^"\\]|\\.)*")'
    r"|(?P<CHAR>(?:u8|[LuU])?'(?:[^'\\]|\\.)+')"
    r"|(?P<NUMBER>\.?[0-9](?:[eEpP][+-]|'\w|[\w.])*)"
    r"|(?P<ID>(?:[^\W\d]|\$|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})(?:[\w$]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})*)"
    r"|(?P<PUNCTUATOR>" + "|".join([re.escape(p) for p in PUNCTUATORS]) + r")"
    r"|(?P<BAD>.)"
)


def lexemes(line: str) -> list[Lexeme]:
    """The tokens of one line of text without comments."""
    return [
        Lexeme(found.lastgroup or "BAD", _spelling(found), found.start(), found.end())
        for found in _LEXEME.finditer(line)
        if found.lastgroup != "SPACE"
    ]


def _spelling(found: re.Match[str]) -> str:
    if found.lastgroup != "ID" or "\\" not in found[0]:
        return found[0]
    return _UNIVERSAL.sub(lambda name: chr(int(name[1] or name[2], 16)), found[0])
