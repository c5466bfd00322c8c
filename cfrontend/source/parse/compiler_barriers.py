"""Compiler barriers: ``asm`` without an instruction, and its effect on the program's variables.

asm volatile ("" : "+r" (x) : : "memory")   ->   nothing
asm ("" : "=r" (x) : "0" (y))               ->   x = (typeof(x))(y)
asm ("" : "+m" (*next()))                   ->   (void)(*next())
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, final

from cfrontend.errors import Location
from cfrontend.record import dataclass
from cfrontend.source.parse.tokens import CToken

_KEPT: Final = re.compile(r'"(\+.*|=[&moV]*)"')
"""Pattern of output constraints whose operands keep their values: read and written, or in memory."""

_EFFECTS: Final = frozenset(
    {
        *(
            "PLUSPLUS",
            "MINUSMINUS",
            "EQUALS",
            "TIMESEQUAL",
            "DIVEQUAL",
            "MODEQUAL",
            "PLUSEQUAL",
            "MINUSEQUAL",
        ),
        *("LSHIFTEQUAL", "RSHIFTEQUAL", "ANDEQUAL", "XOREQUAL", "OREQUAL"),
    }
)

_TYPES: Final = {
    "(": "LPAREN",
    ")": "RPAREN",
    ",": "COMMA",
    "=": "EQUALS",
    "typeof": "TYPEOF",
    "void": "VOID",
}


@final
@dataclass(frozen=True, slots=True)
class _Operand:
    """Operand of an ``asm``: ``[name] "constraint" (expression)``."""

    name: str
    constraint: str
    expression: tuple[CToken, ...]


def barrier_tokens(inside: Sequence[CToken], first: Location, last: Location) -> list[CToken] | None:
    """The tokens of an expression with the effect of an ``asm`` that has this in its parentheses.

    ``first`` and ``last`` are the places of its first and its last token. None where it has an instruction, or
    leaves something unknown in a variable; empty where it does nothing.
    """
    sections = _split(inside, "COLON")
    if any(token.value != '""' for token in sections[0]):
        return None
    outputs, inputs = (
        [_operand(part) for part in _split(section, "COMMA") if part]
        for section in [*sections[1:3], [], []][:2]
    )
    numbers = {f'"{n}"': each for n, each in enumerate(outputs)}
    numbers |= {f'"[{each.name}]"': each for each in outputs if each.name}
    given = [(numbers[each.constraint], each) for each in inputs if each.constraint in numbers]
    set_here = [output for output, _ in given if output.constraint.startswith('"=')]
    if len(set_here) > 1 or any(not _KEPT.fullmatch(o.constraint) for o in outputs if o not in set_here):
        return None
    if len(given) > len(set_here):
        return None
    parts: list[CToken] = []
    for each in (*outputs, *inputs):
        if _has_effects(each.expression) and not any(each in pair for pair in given):
            parts += [*_words("(void)"), *_in_parentheses(each.expression), *_words(",")]
    for output, value in given:
        target = _in_parentheses(output.expression)
        cast = [*_words("(typeof"), *target, *_words(")")]
        parts += [*target, *_words("="), *cast, *_in_parentheses(value.expression), *_words(",")]
    return _spanned(parts[:-1], first, last)


def _operand(tokens: Sequence[CToken]) -> _Operand:
    name = tokens[1].value if tokens[0].type == "LBRACKET" else ""
    rest = tokens[3:] if name else tokens
    return _Operand(name, rest[0].value, tuple(rest[2:-1]))


def _split(tokens: Sequence[CToken], separator: str) -> list[list[CToken]]:
    """The tokens between those of type ``separator`` that stand in no brackets."""
    parts: list[list[CToken]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.type in {"LPAREN", "LBRACKET", "LBRACE"}) - (
            token.type in {"RPAREN", "RBRACKET", "RBRACE"}
        )
        if depth == 0 and token.type == separator:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _has_effects(tokens: Sequence[CToken]) -> bool:
    """Whether an operand has side effects: it assigns, or calls."""
    calls = any(b.type == "LPAREN" and a.type in {"ID", "RPAREN", "RBRACKET"} for a, b in pairwise(tokens))
    return calls or any(token.type in _EFFECTS for token in tokens)


def _in_parentheses(tokens: Sequence[CToken]) -> list[CToken]:
    return [*_words("("), *tokens, *_words(")")]


def _words(text: str) -> list[CToken]:
    """Generated tokens, which have no location yet."""
    return [CToken(_TYPES[word], word, Location("", 0)) for word in re.findall(r"\w+|\W", text)]


def _spanned(tokens: Sequence[CToken], first: Location, last: Location) -> list[CToken]:
    """The tokens with the span of the text from ``first`` to ``last``: only its ends have columns."""
    between = Location(first.file, first.line)
    return [
        CToken(token.type, token.value, first if n == 0 else last if n == len(tokens) - 1 else between)
        for n, token in enumerate(tokens)
    ]
