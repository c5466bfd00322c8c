r"""Layout of an edit that adds a statement: it gets a line of its own where the statement beside it has one.

    i++;  in a block        ->   j++;  before it on a line of its own, in place of  j++, i++;
    return n;               ->   j++;  before it, in place of  return j++, n;
    if (a) i++;             ->   if (a) { j++; i++; }

The program means the same as with the comma expression that is tried.

Parentheses that an edit adds and that change nothing are taken out: ``(a + 1) <= n`` to ``a + 1 <= n``. Those that
help a reader stay, as compilers warn where they are missing: around ``&&`` beside ``||``, comparisons, shifts and
operations on bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final, final

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.file_definitions import file_definitions
from cfrontend.edit.text import NO_CODE, WORD, TextEdit, is_enclosed_text
from cfrontend.source.parse.lexemes import Lexeme, lexemes

_IN_BLOCK: Final = re.compile(r"[;{}]\s*(?:(?:case\b[^;{}?:]*|default\s*):\s*)*\Z")
"""Pattern of what a statement that stands directly in a block has before it, be it behind labels of a ``switch``."""

_BRANCH: Final = re.compile(r"\b(?:else|do)\s*\Z")
"""Pattern of what the statement has before it that is a branch without a condition, or the body of such a loop."""

_HEADER: Final = re.compile(r"\b(?:if|while|for)\s*\Z")
"""Pattern of what stands before the parenthesis of a branch or loop."""

_RETURN: Final = re.compile(r"\breturn\s+\Z")
_END: Final = re.compile(r"\s*;")
_REST_OF_LINE: Final = re.compile(r"[ \t]*(?://[^\n\\]*|/\*(?:(?!\*/)[^\n])*\*/[ \t]*)?(?=\n)")
"""Pattern of what stands behind a statement up to the end of its line: blanks, perhaps a comment."""

_UP_TO_END: Final = re.compile(r"[^;{}]*")
_CLOSES: Final = {")": "(", "}": "{"}

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


def written_out_edits(text: str, candidates: Sequence[Candidate]) -> list[TextEdit]:
    """Edits of ``text`` that mean what the ``candidates`` mean, with added statements where a programmer has them."""
    plain = [candidate.edit for candidate in candidates]
    code = _code_text(text)
    edits = [edit for candidate in candidates for edit in code.written_out(candidate)]
    ordered = sorted(edits)
    apart = all(not one.overlaps(two) and one.end <= two.start for one, two in pairwise(ordered))
    return ordered if apart else plain


@lru_cache(maxsize=4)
def _code_text(text: str) -> _CodeText:
    return _CodeText(text)


@final
class _CodeText:
    """A source text, and the same with neutral signs for what is no code in it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._code = NO_CODE.sub(_neutral, text)

    def written_out(self, candidate: Candidate) -> Iterator[TextEdit]:
        """The edits that a candidate is made by."""
        edit = candidate.edit
        if candidate.form == "before" and edit.start == edit.end:
            yield self._before(edit.start, candidate.whole)
            return
        is_plain = candidate.adds and candidate.is_expression and not candidate.guard and edit.text
        found = self._split(candidate) if is_plain else None
        yield self._tidied(edit) if found is None else found

    def _tidied(self, edit: TextEdit) -> TextEdit:
        """``edit`` without the parentheses that it adds in vain."""
        if self._code[edit.start : edit.end] != self._text[edit.start : edit.end]:
            return edit
        begin = max(self._code.rfind(sign, 0, edit.start) for sign in ";{}")
        following = _UP_TO_END.match(self._code, edit.end)
        end = edit.end if following is None else following.end()
        # With the signs that end the statement before and this one.
        before, behind = self._code[max(0, begin) : edit.start], self._code[edit.end : end + 1]
        if not self._macros.isdisjoint(WORD.findall(f"{before} {edit.text} {behind}")):
            return edit
        text = without_needless_parentheses(edit.text, self._text[edit.start : edit.end], before, behind)
        return replace(edit, text=text)

    @cached_property
    def _macros(self) -> frozenset[str]:
        return macros_that_need_parentheses(self._text)

    def _split(self, candidate: Candidate) -> TextEdit | None:
        """The added expression as a statement; None where it is not all of a statement that is added to."""
        start, end, text = candidate.start, candidate.end, candidate.text
        own, closing = self._text[start:end], _END.match(self._code, end)
        before = text.removesuffix(f", {own}")
        behind = text.removeprefix(f"{own}, ")
        if closing is None or (before == text) == (behind == text):
            return None
        is_first = before != text
        returns = _RETURN.search(self._code, 0, start)
        if returns is not None:
            is_ours = is_first and _IN_BLOCK.search(self._code, 0, returns.start())
            return self._before(returns.start(), before) if is_ours else None
        if self._is_in_header(start, closing.end()):
            return None
        if _IN_BLOCK.search(self._code, 0, start):
            return self._before(start, before) if is_first else self._behind(start, closing.end(), behind)
        if self._is_alone(start):
            both = f"{before}; {own}" if is_first else f"{own}; {behind}"
            return TextEdit(start, closing.end(), f"{{ {both}; }}")
        return None

    def _before(self, at: int, statement: str) -> TextEdit:
        """A statement before what begins ``at``: on the line above, where that begins its line."""
        margin = self._margin(at)
        is_code = self._code[at : at + 1] == self._text[at : at + 1]
        if margin is None or not is_code:
            return TextEdit(at, at, f"{statement}; ")
        if self._code[at : at + 1] != "}":
            return TextEdit(at, at, f"{statement};\n{margin}")
        line = at - len(margin)
        return TextEdit(line, line, f"{self._margin_within(at, margin)}{statement};\n")

    def _behind(self, start: int, end: int, statement: str) -> TextEdit:
        """A statement behind the one from ``start`` up to ``end``: on the line below, where that has its line."""
        margin = self._margin(start)
        rest = _REST_OF_LINE.match(self._text, end)
        if margin is None:
            return TextEdit(end, end, f" {statement};")
        at = end if rest is None else rest.end()
        return TextEdit(at, at, f"\n{margin}{statement};")

    def _margin(self, at: int) -> str | None:
        """The blanks before what begins its line ``at``; None where it does not."""
        before = self._text[self._text.rfind("\n", 0, at) + 1 : at]
        return None if before.strip() else before

    def _margin_within(self, closing: int, margin: str) -> str:
        """The blanks that the first statement of the block begins with whose brace closes there."""
        opening = self._opening(closing)
        first = None if opening is None else re.compile(r"\{[ \t]*\n([ \t]*)\S").match(self._code, opening)
        return first[1] if first is not None and first.end() <= closing else f"{margin}    "

    def _is_in_header(self, start: int, end: int) -> bool:
        """True if what stands there before a semicolon is a part of what a ``for`` has in its parentheses."""
        opened = self._code[max(self._code.rfind(brace, 0, start) for brace in "{}") + 1 : start]
        following = _UP_TO_END.match(self._code, end)
        closed = "" if following is None else following[0]
        return opened.count("(") > opened.count(")") or closed.count(")") > closed.count("(")

    def _is_alone(self, start: int) -> bool:
        """True if the statement that begins there is all of a branch or of the body of a loop."""
        if _BRANCH.search(self._code, 0, start):
            return True
        closing = len(self._code[:start].rstrip()) - 1
        opening = self._opening(closing) if self._code[closing : closing + 1] == ")" else None
        return opening is not None and _HEADER.search(self._code, 0, opening) is not None

    def _opening(self, closing: int) -> int | None:
        """Where the parenthesis or brace is opened that closes there."""
        right = self._code[closing]
        left, depth = _CLOSES[right], 0
        for at in range(closing, -1, -1):
            depth += {right: 1, left: -1}.get(self._code[at], 0)
            if depth == 0:
                return at
        return None


def _neutral(found: re.Match[str]) -> str:
    """As many signs as were found, and the same lines: blanks for a comment, else a sign that no statement has."""
    is_comment = found[0].startswith("/")
    return re.sub(r"[^\n]", " " if is_comment else "#", found[0])


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
