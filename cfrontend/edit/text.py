"""Replacements in a source text, by offsets; spans of the tree as offsets.

apply_edits("x = a < b;", [Edit(6, 7, "<=")])   ->   "x = a <= b;"
"""

from __future__ import annotations

import io
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import takewhile
from operator import eq
from typing import Final, final

from cfrontend.errors import InternalError, Location
from cfrontend.host.regular_files import BYTE_ORDER_MARK
from cfrontend.record import dataclass
from cfrontend.syntax.queries import syntax_below_implicit_conversions
from cfrontend.syntax.tree import Expression

WORD: Final = re.compile(r"\w+|[^\w\s]+")
"""A token of a text: a word, or signs that stand together."""

NO_CODE: Final = re.compile(
    r"""//(?:\\\n|[^\n])*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|^[ \t]*\#(?:\\\n|[^\n])*""",
    re.DOTALL | re.MULTILINE,
)
"""Pattern of a comment, a literal, or a directive."""

INTEGER: Final = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*|'(?:[^'\\]|\\.)'")
"""An integer constant as it is written."""

_WORD: Final = re.compile(r"\b[A-Za-z_]\w*")

_COMPARED_WITH_CHARACTER: Final = re.compile(r"\b([A-Za-z_]\w*)(?:\[[^][]*\])?\s*(?:[=!<>]=|[<>])\s*'")
"""Pattern of a variable, or an element of an array, which is compared with a character; its name is its group."""

_ESCAPES: Final = {0: "\\0", 9: "\\t", 10: "\\n", 39: "\\'", 92: "\\\\"}
"""By code: characters that are written otherwise in C."""

_SIMPLE: Final = re.compile(r"'(?:[^'\\]|\\.)+'|(?:[\w.]|->|\[[^\[\]]*\])+|\w+\([^()]*\)|-?\d+")
"""Pattern of an expression that needs no parentheses beside an operator."""

_LOOSER_THAN_OR: Final = re.compile(r"[?,]|(?<![=!<>])=(?!=)")
"""Operators that bind less tightly than ``||``, or look so."""

_PARENTHESIS: Final = re.compile(r"[()]|'(?:[^'\\]|\\.)+'|\"(?:[^\"\\]|\\.)*\"")
"""A parenthesis, or a literal with those in it that are none."""

_LITERAL: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_BLANKS: Final = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\s+""")
"""Pattern of a literal, which is its group, or of blanks outside of any."""

_SHARED: Final = re.compile(
    r"(?:\w\w|--|\+\+|&&|\|\||<<|>>|->|//|/\*|\#\#|<[:%]|%[:>]|:>|[-+*/%&|^<>=!]=|\d\.|\.\d"
    r"|(?<![\w.])\.?\d[\w.]*[eEpP][-+])\Z"
)
"""Pattern of a text whose last two signs are of one token, or begin a comment."""

_LONGEST_NUMBER: Final = 64
"""Characters before a place that are looked at for a number that ends there."""

_DIRECTIVE: Final = re.compile(r"^[ \t]*#.*$", re.MULTILINE)


@final
@dataclass(frozen=True, slots=True, order=True)
class TextEdit:
    """``text`` in place of the characters from ``start`` to before ``end``."""

    start: int
    end: int
    text: str

    def overlaps(self, other: TextEdit) -> bool:
        """True if two edits change a common character, or insert at one place."""
        return (self.start < other.end and other.start < self.end) or self.start == other.start


def character_constant_text(code: int) -> str:
    """``'u'``: the character constant with this value, where it can be seen or is often written; else the number."""
    if code in _ESCAPES:
        return f"'{_ESCAPES[code]}'"
    return f"'{chr(code)}'" if ord(" ") <= code <= ord("~") else str(code)


def apply_text_edits(text: str, edits: Sequence[TextEdit]) -> str:
    """``text`` with all edits made. Raises InternalError when two of them overlap.

    A blank keeps tokens apart that were so before: ``n-3`` with ``-3`` for ``3`` is ``n- -3``.
    """
    pieces: list[str] = []
    position, last = 0, ""

    def add(piece: str, place: int) -> None:
        nonlocal last
        pieces.extend((_blank_between(last, piece, text, place), piece))
        last = (last + piece)[-_LONGEST_NUMBER:]

    for edit in sorted(edits):
        if edit.start < position:
            raise InternalError("two edits of a source text overlap")
        add(text[position : edit.start], position)
        add(edit.text, edit.start)
        position = edit.end
    add(text[position:], position)
    return "".join(pieces)


def _blank_between(before: str, behind: str, text: str, place: int) -> str:
    """A blank where ``before`` and ``behind`` would share a token that nothing around ``place`` of ``text`` shares."""
    is_shared = _SHARED.search(before + behind[:1], max(0, len(before) - _LONGEST_NUMBER))
    return " " if is_shared and not _SHARED.search(text[max(0, place - _LONGEST_NUMBER) : place + 1]) else ""


def text_with_insertions(text: str, insertions: Sequence[tuple[int, str]]) -> str:
    """``text`` with all ``insertions``, those at one place in their order."""
    pieces: list[str] = []
    position = 0
    for place, inserted in insertions:
        pieces += [text[position:place], inserted]
        position = place
    return "".join((*pieces, text[position:]))


@final
class SourceText:
    """A text with its lines, to turn locations into offsets, and where its words stand.

    It has plain ends of lines, whatever those of the file are, as it is ``written``.
    """

    def __init__(self, written: str) -> None:
        self.written = written
        self.text = written.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
        self._starts = [0]
        for line in io.StringIO(self.text, newline="\n"):
            self._starts.append(self._starts[-1] + len(line))

    def edited(self, edits: Sequence[TextEdit]) -> str:
        """The text as it is written after ``edits`` of the plain text, whose lines end as those of the file."""
        mark = len(self.written) - len(self.written.removeprefix(BYTE_ORDER_MARK))
        double = [at.start() - n - mark for n, at in enumerate(re.finditer("\r\n", self.written))]
        newline = "\r\n" if 2 * len(double) > len(self._starts) - 1 else "\n"

        def place(offset: int) -> int:
            return mark + offset + bisect_left(double, offset)

        return apply_text_edits(
            self.written,
            [TextEdit(place(e.start), place(e.end), e.text.replace("\n", newline)) for e in edits],
        )

    def span(self, location: Location) -> tuple[int, int] | None:
        """Offsets of the first character and behind the last; None for text that begins or ends within a macro."""
        if location.column is None or location.end_column is None:
            return None
        last = max(location.line, location.end_line)
        if last >= len(self._starts):
            return None
        return self._starts[location.line - 1] + location.column - 1, self._starts[
            last - 1
        ] + location.end_column

    def span_of(self, e: Expression) -> tuple[int, int] | None:
        """Source range of an expression without its implicit conversions, as offsets; None as for ``span``."""
        return self.span(syntax_below_implicit_conversions(e).location)

    def text_of(self, e: Expression) -> str | None:
        """The text of an expression as it is written; None as for ``span``."""
        span = self.span_of(e)
        return None if span is None else self.text[slice(*span)]

    def location(self, file: str, start: int, end: int) -> Location:
        """The span from ``start`` to before ``end`` as a location in ``file``."""
        first, last = self.line_of(start), self.line_of(end - 1)
        return Location(file, first, start - self._starts[first - 1] + 1, last, end - self._starts[last - 1])

    def line_start(self, line: int) -> int:
        """The offset of the first character of a line that is no blank."""
        begin, end = self._starts[line - 1], self._starts[line]
        text = self.text[begin:end]
        return begin + len(text) - len(text.lstrip())

    def line_of(self, offset: int) -> int:
        """The line, from 1, of a character."""
        return bisect_right(self._starts, offset)

    @cached_property
    def compared_with_characters(self) -> frozenset[str]:
        """The variables and arrays that the text compares with a character constant."""
        return frozenset(_COMPARED_WITH_CHARACTER.findall(self.text))

    def distance(self, name: str, offset: int) -> int:
        """Characters from ``offset`` to where ``name`` begins nearest by; the length of the text where it does not."""
        places = self._words.get(name, ())
        after = bisect_right(places, offset)
        return min((abs(at - offset) for at in places[max(0, after - 1) : after + 1]), default=len(self.text))

    @cached_property
    def _words(self) -> dict[str, list[int]]:
        """Offsets of each word, in order."""
        found: dict[str, list[int]] = {}
        for match in _WORD.finditer(self.text):
            found.setdefault(match[0], []).append(match.start())
        return found


def operand_text(text: str) -> str:
    """``text`` where it can stand beside any operator."""
    return text if _SIMPLE.fullmatch(text) or is_enclosed_text(text) else f"({text})"


def negated_test_text(text: str) -> str:
    """The opposite of a test where only its truth counts: ``x`` for ``!x``, ``!(a < b)`` for ``a < b``."""
    inner = text[1:].lstrip() if text.startswith("!") else ""
    if _SIMPLE.fullmatch(inner):
        return inner
    if not inner or not is_enclosed_text(inner):
        return f"!({text})"
    return inner if _LOOSER_THAN_OR.search(inner) else inner[1:-1].strip()


def is_enclosed_text(text: str) -> bool:
    """True if the parenthesis that ``text`` begins with ends it, as in ``(a + f(b))`` but not in ``(a) + (b)``."""
    depth = 0
    for match in _PARENTHESIS.finditer(text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return match[0] == ")" and match.end() == len(text) and text[0] == "("
    return False


def without_blanks_of_text(text: str) -> str:
    """A text without its blanks, but for those in string literals and character constants."""
    if '"' not in text and "'" not in text:
        return "".join(text.split())
    return _BLANKS.sub(lambda found: found[1] or "", text)


def common_ends(one: Sequence[str], two: Sequence[str]) -> tuple[int, int]:
    """Numbers of tokens with which two texts both begin and, behind these, both end."""
    begin = sum(takewhile(bool, map(eq, one, two)))
    return begin, sum(takewhile(bool, map(eq, reversed(one[begin:]), reversed(two[begin:]))))


def string_literal_text(text: str) -> str:
    """Escaped contents of a string literal that prints ``text`` as a format."""
    return text.replace("\\", r"\\").replace('"', r"\"").replace("%", "%%")


def string_literals_of_text(text: str) -> list[str]:
    """The string literals in a text as they are written, but for names of headers."""
    return [found for found in _LITERAL.findall(_DIRECTIVE.sub("", text)) if len(found) > len('""')]
