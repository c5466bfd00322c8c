"""Parentheses that an edit adds and that change nothing are taken out: ``(a + 1) <= n`` to ``a + 1 <= n``.

Those that help a reader stay, as compilers warn where they are missing: around ``&&`` beside ``||``, comparisons,
shifts and operations on bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from cfrontend.edit.file_definitions import file_definitions
from cfrontend.edit.text import is_enclosed_text
from cfrontend.source.parse.lexemes import Lexeme, lexemes

_ARITHMETIC: Final = frozenset({"+", "-", "*", "/", "%", ".", "->", "(", ")", "[", "]", "!"})
"""Operators that bind tighter than comparisons, and what groups operands."""

_OPERANDS: Final = frozenset({"ID", "NUMBER", "CHAR"})

_LOOSER: Final = frozenset({"<", "<=", ">", ">=", "==", "!=", "&&", "||", "?", ":", ","})
"""Operators that bind looser than arithmetic."""

_LEFT: Final = _LOOSER | {"(", "[", "=", "+=", "-=", "*=", "/=", "return", ";", "{", "}"}
_RIGHT: Final = _LOOSER | {")", "]", ";"}

_SUMS: Final = frozenset({"+", "-"})
_BINARY: Final = _SUMS | {"*", "/", "%"}

_LAST: Final = re.compile(r"(?:\breturn|&&|\|\||<<|>>|[-+*/%&|^<>=!]=|->|\w+|[^\w\s])\Z")
_FIRST: Final = re.compile(r"&&|\|\||<<|>>|[-+*/%&|^<>=!]=|->|\w+|[^\w\s]")


def macros_that_need_parentheses(text: str) -> frozenset[str]:
    """The macros that ``text`` defines with parameters, or by more than one token without parentheses around it."""
    return frozenset(
        macro.name
        for macro in file_definitions(text).macros
        if macro.parameters is not None
        or (len(macro.body) > 1 and not is_enclosed_text(text[macro.body[0].start : macro.body[-1].end]))
    )


def without_needless_parentheses(text: str, original: str, before: str, behind: str) -> str:
    """``text``, which replaces ``original`` between the code ``before`` and ``behind`` it, with fewer parentheses.

    Those that stand in ``original`` are the programmer's, and stay.
    """
    tokens = lexemes(text)
    last, first = _LAST.search(before.rstrip()), _FIRST.match(behind.lstrip())
    needless: set[int] = set()
    for opening, closing in _pairs(tokens):
        begin, end = tokens[opening], tokens[closing]
        left = tokens[opening - 1].text if opening else last[0] if last else ""
        right = tokens[closing + 1].text if closing + 1 < len(tokens) else first[0] if first else ""
        inner = tokens[opening + 1 : closing]
        is_added = text[begin.start : end.end] not in original
        ends = right in _RIGHT or (right in _SUMS and _has_operator(inner))
        if is_added and inner and left in _LEFT and ends and _is_arithmetic(inner):
            needless |= {begin.start, end.start}
    return "".join(sign for at, sign in enumerate(text) if at not in needless)


def _pairs(tokens: Sequence[Lexeme]) -> Iterator[tuple[int, int]]:
    """The numbers of tokens that are a parenthesis and the one that closes it."""
    opened: list[int] = []
    for number, token in enumerate(tokens):
        if token.text == "(":
            opened.append(number)
        elif token.text == ")" and opened:
            yield opened.pop(), number


def _has_operator(inner: Sequence[Lexeme]) -> bool:
    """True if ``inner`` has an operator between two operands, so that it is no type of a cast: ``(T) + 1``."""
    depth = 0
    for before, token, behind in zip(inner, inner[1:], inner[2:], strict=False):
        depth += (before.text in {"(", "["}) - (token.text in {")", "]"})
        is_between = before.kind in _OPERANDS or before.text in {")", "]"}
        if (
            depth == 0
            and is_between
            and token.text in _BINARY
            and (behind.kind in _OPERANDS or behind.text == "(")
        ):
            return True
    return False


def _is_arithmetic(inner: Sequence[Lexeme]) -> bool:
    """True if all that ``inner`` does outside of calls and elements binds tighter than a comparison."""
    depth = 0
    for token in inner:
        depth -= token.text in {")", "]"}
        if depth == 0 and token.kind not in _OPERANDS and token.text not in _ARITHMETIC:
            return False
        depth += token.text in {"(", "["}
    return True
