"""Columns of the original line for the tokens of a preprocessed line.

The preprocessor collapses white space, drops comments and expands macros. What is equal at the front and at
the back of both lines keeps the original's columns; what lies between came out of a macro and has none.

    original       x =   MAX(a, b); /* C4 */
    preprocessed   x = ((a) > (b) ? (a) : (b));
    -> x and = at the front, ) and ; at the back keep their columns
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias, final

from cfrontend.parse.lexemes import Lexeme, lexemes

Columns: TypeAlias = tuple[int | None, int | None]
"""First and last column, from 1, inclusive; None inside a macro."""

_UNKNOWN: Columns = (None, None)
_COMMENT_OR_LITERAL = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""",
    re.DOTALL,
)
_NOT_NEWLINE = re.compile(r"[^\n]")


@final
class OriginalColumns:
    """Answers for each preprocessed line; the comments of a file are taken out once."""

    def __init__(self, files: Mapping[str, tuple[str, ...]]) -> None:
        self._files = files
        self._without_comments: dict[str, list[str]] = {}

    def of_line(self, file: str, line: int, text: str, parts: Sequence[Lexeme]) -> list[Columns]:
        """Columns of each token of the preprocessed ``text`` of a line."""
        lines = self._files.get(file)
        if lines is None or not 1 <= line <= len(lines) or lines[line - 1] == text:
            return [_own(part) for part in parts]
        return align(parts, lexemes(self._code(file)[line - 1]))

    def _code(self, file: str) -> list[str]:
        if file not in self._without_comments:
            text = "\n".join(self._files[file])
            self._without_comments[file] = _COMMENT_OR_LITERAL.sub(_blank_comment, text).split("\n")
        return self._without_comments[file]


def align(preprocessed: Sequence[Lexeme], original: Sequence[Lexeme]) -> list[Columns]:
    """Columns by equal front and equal back of two token sequences."""
    shorter = min(len(preprocessed), len(original))
    front = 0
    while front < shorter and preprocessed[front].text == original[front].text:
        front += 1
    back = 0
    while back < shorter - front and preprocessed[-1 - back].text == original[-1 - back].text:
        back += 1
    unknown = [_UNKNOWN] * (len(preprocessed) - front - back)
    ending = original[len(original) - back :]
    return [*map(_own, original[:front]), *unknown, *map(_own, ending)]


def _own(part: Lexeme) -> Columns:
    return part.start + 1, part.end


def _blank_comment(found: re.Match[str]) -> str:
    """Spaces for a comment, so that the columns behind it stay; literals as they are."""
    return _NOT_NEWLINE.sub(" ", found[0]) if found[0].startswith("/") else found[0]
