"""Columns of the original line for the tokens of a preprocessed line.

The preprocessor collapses white space, drops comments and expands macros. What is equal at the front and at
the back of both lines keeps the original's columns; what lies between came out of a macro and has none.

    original       x =   MAX(a, b); /* C4 */
    preprocessed   x = ((a) > (b) ? (a) : (b));
    -> x and = at the front, ) and ; at the back keep their columns
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TypeAlias, final

from cfrontend.parse.lexemes import Lexeme, lexemes
from cfrontend.preprocess import Quotation, without_comments

Columns: TypeAlias = tuple[int | None, int | None]
"""First and last column, from 1, inclusive; None inside a macro."""

_UNKNOWN: Columns = (None, None)


@final
class OriginalColumns:
    """Answers for each preprocessed line; the comments of a file are taken out once.

    ``quoted`` are lines of code that stand in comments, or in no file at all.
    """

    def __init__(
        self,
        files: Mapping[str, tuple[str, ...]],
        quoted: Mapping[tuple[str, int], Sequence[Quotation]] | None = None,
    ) -> None:
        self._files = files
        self._quoted = quoted or {}
        self._without_comments: dict[str, list[str]] = {}

    def of_line(self, file: str, line: int, pieces: Sequence[str], parts: Sequence[Lexeme]) -> list[Columns]:
        """Columns of each token of the preprocessed ``pieces`` of a line."""
        if (file, line) in self._quoted:
            return _in_quotation(parts, self._quoted[file, line])
        lines = self._files.get(file)
        if lines is None or not 1 <= line <= len(lines) or [lines[line - 1]] == list(pieces):
            return [_own(part) for part in parts]
        return align(parts, lexemes(self._code(file)[line - 1]))

    def _code(self, file: str) -> list[str]:
        if file not in self._without_comments:
            text = "\n".join(self._files[file])
            self._without_comments[file] = without_comments(text).split("\n")
        return self._without_comments[file]


def _in_quotation(parts: Sequence[Lexeme], candidates: Sequence[Quotation]) -> list[Columns]:
    """Columns in the quotation that has the same tokens, else in the first one."""
    words = [part.text for part in parts]
    same = (c for c in candidates if [part.text for part in lexemes(c.text)] == words[c.before :])
    chosen = next(same, candidates[0])
    original = lexemes(chosen.text)
    start = (original[0].start + 1,) * 2 if original else _UNKNOWN
    return [start] * chosen.before + align(parts[chosen.before :], original)


def align(preprocessed: Sequence[Lexeme], original: Sequence[Lexeme]) -> list[Columns]:
    """Columns by equal front, equal back and unmistakable runs between them."""
    shorter = min(len(preprocessed), len(original))
    front = 0
    while front < shorter and preprocessed[front].text == original[front].text:
        front += 1
    back = 0
    while back < shorter - front and preprocessed[-1 - back].text == original[-1 - back].text:
        back += 1
    expanded = _align_around_macros(
        preprocessed[front : len(preprocessed) - back], original[front : len(original) - back]
    )
    ending = original[len(original) - back :]
    return [*map(_own, original[:front]), *expanded, *map(_own, ending)]


def _align_around_macros(preprocessed: Sequence[Lexeme], original: Sequence[Lexeme]) -> list[Columns]:
    """Columns between the equal front and the equal back; what a macro call ends with ends where the call does."""
    columns: list[Columns] = [_UNKNOWN] * len(preprocessed)
    position = 0
    for start, run in _plain_runs(original, {part.text for part in preprocessed}):
        found = _only_occurrence(preprocessed, run, position)
        if found is None:
            continue
        columns[found : found + len(run)] = [_own(part) for part in run]
        if found > position and start > 0:
            columns[found - 1] = None, original[start - 1].end
        position = found + len(run)
    if position < len(columns) and original:
        columns[-1] = None, original[-1].end
    return columns


def _plain_runs(
    original: Sequence[Lexeme], surviving: Container[str]
) -> Iterator[tuple[int, Sequence[Lexeme]]]:
    """The runs of tokens outside of macro calls, with their positions.

    A name that does not survive preprocessing is a macro; parentheses behind it are taken as its arguments.
    """
    start = position = 0
    while position < len(original):
        if original[position].kind != "ID" or original[position].text in surviving:
            position += 1
            continue
        if start < position:
            yield start, original[start:position]
        position = start = _after_arguments(original, position + 1)
    if start < position:
        yield start, original[start:position]


def _after_arguments(original: Sequence[Lexeme], position: int) -> int:
    """The position behind a parenthesis that opens at ``position``, which is returned if none does."""
    if position == len(original) or original[position].text != "(":
        return position
    depth = 0
    for index in range(position, len(original)):
        depth += (original[index].text == "(") - (original[index].text == ")")
        if depth == 0:
            return index + 1
    return len(original)


def _only_occurrence(parts: Sequence[Lexeme], run: Sequence[Lexeme], start: int) -> int | None:
    """Where the texts of a run stand from ``start`` on, None when nowhere or at several places."""
    texts, wanted = [part.text for part in parts], [part.text for part in run]
    places = [i for i in range(start, len(texts) - len(wanted) + 1) if texts[i : i + len(wanted)] == wanted]
    return places[0] if len(places) == 1 else None


def _own(part: Lexeme) -> Columns:
    return part.start + 1, part.end
