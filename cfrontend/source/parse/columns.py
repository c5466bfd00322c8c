"""Columns of the original line for the tokens of a preprocessed line.

The preprocessor collapses white space, drops comments and expands macros. What is equal at the front and at
the back of both lines keeps the original's columns. What lies between came out of a macro: its first token begins
where the use of the macro does, its last one ends there, and those between have no columns, but for arguments that
stand in parentheses there: whatever expression they are a part of is a part of the argument.

    original       x =   MAX(a, b); /* C4 */
    preprocessed   x = ((a) > (b) ? (a) : (b));
    -> x and = at the front, ; at the back keep their columns; the first ( begins with MAX, the last ) ends behind it;
       both a and both b stand where the arguments do
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, final

from cfrontend.source.parse.lexemes import Lexeme, lexemes
from cfrontend.source.preprocess import PreprocessedQuotation, preprocessed_without_comments

Columns: TypeAlias = tuple[int | None, int | None]
"""First and last column, from 1, inclusive; None inside a macro."""

_UNKNOWN: Columns = (None, None)

_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")

_STATES = re.compile(
    r"abort|assert|assume|check|ensure|error|exit|expect|fail|panic|raise|require|throw|trap|verify",
    re.IGNORECASE,
)
"""Names of what a macro does where a condition does not hold."""


@final
class OriginalColumns:
    """Column mapping of each preprocessed line; the comments of a file are taken out once.

    ``quoted`` are lines of code that stand in comments, or in no file at all.
    """

    def __init__(
        self,
        files: Mapping[str, tuple[str, ...]],
        quoted: Mapping[tuple[str, int], Sequence[PreprocessedQuotation]] | None = None,
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
        return align_source_columns(parts, lexemes(self._code(file)[line - 1]))

    def _code(self, file: str) -> list[str]:
        if file not in self._without_comments:
            text = "\n".join(self._files[file])
            self._without_comments[file] = preprocessed_without_comments(text).split("\n")
        return self._without_comments[file]


def _in_quotation(parts: Sequence[Lexeme], candidates: Sequence[PreprocessedQuotation]) -> list[Columns]:
    """Columns in the quotation that has the same tokens, else in the first one."""
    words = [part.text for part in parts]
    same = (c for c in candidates if [part.text for part in lexemes(c.text)] == words[c.before :])
    chosen = next(same, candidates[0])
    original = lexemes(chosen.text)
    start = (original[0].start + 1,) * 2 if original else _UNKNOWN
    return [start] * chosen.before + align_source_columns(parts[chosen.before :], original)


def align_source_columns(preprocessed: Sequence[Lexeme], original: Sequence[Lexeme]) -> list[Columns]:
    """Alignment of tokens: columns by equal front, equal back and unmistakable runs between them."""
    shorter = min(len(preprocessed), len(original))
    front = 0
    while front < shorter and preprocessed[front].text == original[front].text:
        front += 1
    back = 0
    while back < shorter - front and preprocessed[-1 - back].text == original[-1 - back].text:
        back += 1
    back = _without_ends_of_calls(original[front:], back)
    expanded = _align_around_macros(
        preprocessed[front : len(preprocessed) - back], original[front : len(original) - back]
    )
    ending = original[len(original) - back :]
    return [*map(_own, original[:front]), *expanded, *map(_own, ending)]


def _without_ends_of_calls(original: Sequence[Lexeme], back: int) -> int:
    """Number of the last ``back`` tokens that remain when a macro call before them keeps its closing parenthesis."""
    depth = _depth(original[: len(original) - back])
    for fewer in range(back, 0, -1):
        if depth == 0:
            return fewer
        depth += _depth(original[-fewer : len(original) - fewer + 1])
    return back if depth else 0


def _depth(parts: Sequence[Lexeme]) -> int:
    """Net depth: how many more parentheses ``parts`` open than they close."""
    return sum((part.text == "(") - (part.text == ")") for part in parts)


def _align_around_macros(preprocessed: Sequence[Lexeme], original: Sequence[Lexeme]) -> list[Columns]:
    """Columns between the equal front and the equal back; what a macro became begins and ends where its use does."""
    columns: list[Columns] = [_UNKNOWN] * len(preprocessed)
    surviving = {part.text for part in preprocessed}
    position = begin = 0
    placed = _placed(preprocessed, _plain_runs(original, surviving))
    for place, start, run in [*placed, (len(preprocessed), len(original), ())]:
        _span(columns, position, place, original[begin:start])
        _arguments(columns, preprocessed, range(position, place), original[begin:start])
        columns[place : place + len(run)] = [_own(part) for part in run]
        position, begin = place + len(run), start + len(run)
    return columns


def _span(columns: list[Columns], first: int, end: int, use: Sequence[Lexeme]) -> None:
    """The tokens from ``first`` to before ``end`` came out of ``use``, which may go on in the next line."""
    if first == end or not use:
        return
    columns[end - 1] = None, use[-1].end
    if _depth(use) == 0:
        columns[first] = use[0].start + 1, columns[first][1]


def _arguments(
    columns: list[Columns], preprocessed: Sequence[Lexeme], places: range, use: Sequence[Lexeme]
) -> None:
    """Columns of the arguments in ``use`` wherever they stand in parentheses at ``places``.

    There are none for two arguments of the same tokens, and none for a condition that the use may be there to check.
    """
    texts = [preprocessed[place].text for place in places]
    if any(_STATES.search(text) for text in texts):
        return
    found: dict[tuple[str, ...], list[Sequence[Lexeme]]] = {}
    for argument in _arguments_of_calls(use):
        found.setdefault(tuple([part.text for part in argument]), []).append(argument)
    for wanted, alike in found.items():
        if len(alike) > 1 or not wanted:
            continue
        place = _first_place(texts, [*wanted], 1)
        while place is not None:
            behind = place + len(wanted)
            if behind < len(texts) and texts[place - 1] + texts[behind] in {"()", "[]"}:
                first = places.start + place
                columns[first : first + len(wanted)] = [_own(part) for part in alike[0]]
            place = _first_place(texts, [*wanted], place + 1)


def _arguments_of_calls(use: Sequence[Lexeme]) -> Iterator[Sequence[Lexeme]]:
    """The arguments of all that looks like a call in ``use``, those of calls within others, too."""
    for name in range(len(use) - 1):
        if use[name].kind != "ID" or use[name + 1].text != "(":
            continue
        begin, depth = name + 2, 0
        for at in range(name + 1, len(use)):
            text = use[at].text
            depth += (text in _OPENING) - (text in _CLOSING)
            if (text == "," and depth == 1) or depth == 0:
                yield use[begin:at]
                begin = at + 1
            if depth == 0:
                break


def _placed(
    preprocessed: Sequence[Lexeme], runs: Iterable[tuple[int, Sequence[Lexeme]]]
) -> list[tuple[int, int, Sequence[Lexeme]]]:
    """The ``runs`` of the original that fit in one place only, with their positions there: (place, ...).

    They keep their order, so that is where both the first places from the left and the last ones from the right are.
    """
    texts = [part.text for part in preprocessed]
    position, leftmost = 0, []
    for start, run in runs:
        found = _first_place(texts, [part.text for part in run], position)
        if found is not None:
            leftmost.append((found, start, run))
            position = found + len(run)
    texts.reverse()
    position, placed = 0, []
    for place, start, run in reversed(leftmost):
        found = _first_place(texts, [part.text for part in reversed(run)], position)
        assert found is not None, "the places from the left are possible ones"
        position = found + len(run)
        if place == len(texts) - position:
            placed.append((place, start, run))
    return placed[::-1]


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


def _first_place(texts: Sequence[str], wanted: Sequence[str], start: int) -> int | None:
    """Where ``wanted`` stands first in ``texts`` from ``start`` on."""
    for place in range(start, len(texts) - len(wanted) + 1):
        if texts[place] == wanted[0] and texts[place : place + len(wanted)] == wanted:
            return place
    return None


def _own(part: Lexeme) -> Columns:
    return part.start + 1, part.end
