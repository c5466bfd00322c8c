"""Preprocessed text of a file after an edit, patched in that of the file before.

    x = a < b;     ->   x = a <= b;      the line of the preprocessed text is replaced
    x = a[SIZE];   ->   x = a[6 + 1];    macros that stand for plain constants or expressions are replaced first

To start a compiler takes longer than to read a small program. What other macros become only the preprocessor knows.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, final

from cfrontend.settings import HOLE, VARIANT
from cfrontend.source.parse import IncrementalParser
from cfrontend.source.parse.lexemes import lexemes
from cfrontend.source.preprocess import (
    PreprocessedFile,
    PreprocessOptions,
    preprocessed_numbered_lines,
    preprocessed_without_comments,
    preprocessor_macros,
)

_WORDS: Final = re.compile(r"[A-Za-z_]\w*")

_TOKENS: Final = re.compile(
    r"""(?P<other>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\.?\d(?:[eEpP][+-]|[\w.])*)|(?P<name>[A-Za-z_]\w*)"""
)
"""String literals, character constants and numbers, in which nothing is replaced; and names."""

_ENDED: Final = re.compile(
    r"\s*(?:(?:[^#\s].*)?[;{}]|(?:}\s*)?(?:else\b)?\s*(?:(?:if|while|for|switch)\b.*\))?)\s*"
)
"""A line behind which a statement begins, if its brackets are balanced."""

_SELF_CONTAINED: Final = re.compile(r"\w+|\([\w\s()+*/%<>&|^!~.,-]*\)")
"""A replacement that joins to no character around it."""

_DIRECTIVE: Final = re.compile(r"\s*#\s*(include|define|undef)\b\s*(\w*)")


@final
class PreprocessedUneditedFile:
    """A file as it was before edits: what ``options`` make of ``text``, preceded by lines that name it ``name``.

    Where declarations were left out of ``source`` that nothing reaches, an edit may need them.
    """

    def __init__(self, source: PreprocessedFile, name: str, text: str, options: PreprocessOptions) -> None:
        # What stands in comments, as clauses of a contract do, is parsed with the whole file.
        self._source: Final = source if source.quoted else replace(source, parser=IncrementalParser(source))
        self._macros: Final = preprocessor_macros(source.path, options)
        self._words: Final = {VARIANT, HOLE, *_WORDS.findall(source.text)} if options.reached_from else None
        self._lines: Final = preprocessed_without_comments(text).split("\n")
        self._output: Final = self._source.text.split("\n")
        self._places: Final = _places(self._source, name)
        self._bodies: Final = _constant_bodies(self._macros)
        self._usable_from: Final = _first_lines_of_use(self._lines)

    def with_text(self, text: str) -> PreprocessedFile | None:
        """The file preprocessed with another text; None where only the preprocessor can say what it makes of that."""
        lines = preprocessed_without_comments(text).split("\n")
        if len(lines) != len(self._lines):
            return None
        output = list(self._output)
        for number, (old, new) in enumerate(zip(self._lines, lines, strict=True), start=1):
            if old == new:
                continue
            before, after = self._expanded(number, old), self._expanded(number, new)
            places = self._places.get(number)
            if not places or not self._is_plain(number, after):
                return None
            if _spellings(before) != _spellings(*(self._output[place] for place in places)):
                return None
            for place in places:
                output[place] = after if place == places[0] else ""
        return replace(self._source, text="\n".join(output))

    def _expanded(self, number: int, line: str) -> str:
        """A line with the macros replaced that are known to be defined there and stand for constants."""

        def replacement(token: re.Match[str]) -> str:
            body = self._bodies.get(token["name"] or "")
            if body is None or number < self._usable_from.get(token["name"], self._usable_from[""]):
                return token[0]
            return body

        return _TOKENS.sub(replacement, line)

    def _is_plain(self, number: int, new: str) -> bool:
        """True if the preprocessor leaves a line as it is, and joins it to no other."""
        assert self._macros is not None
        lines = (self._lines[number - 2] if number > 1 else "", new)
        if any(line.rstrip().endswith("\\") for line in lines) or new.lstrip().startswith("#"):
            return False
        if new.lstrip().startswith("(") and not self._ends_before(number):
            return False
        if self._words is not None and not self._words.issuperset(_WORDS.findall(new)):
            return False
        return self._macros.keys().isdisjoint(token["name"] for token in _TOKENS.finditer(new))

    def _ends_before(self, number: int) -> bool:
        """True if no macro that is named before a line may take what is in brackets there for its arguments."""
        assert self._macros is not None
        line = next((line for line in reversed(self._lines[: number - 1]) if line.strip()), "")
        if not _ENDED.fullmatch(line) or line.count("(") != line.count(")"):
            return False
        return self._macros.keys().isdisjoint(_WORDS.findall(line))


def _constant_bodies(macros: Mapping[str, str | None]) -> dict[str, str]:
    """What macros become that stand for constants or for expressions in brackets, with the macros in them replaced."""
    found: dict[str, str] = {}
    waiting = {name: body for name, body in macros.items() if body and _SELF_CONTAINED.fullmatch(body)}
    while ready := {n: b for n, b in waiting.items() if found.keys() >= macros.keys() & {*_WORDS.findall(b)}}:
        for name, body in ready.items():
            found[name] = _WORDS.sub(lambda word: found.get(word[0], word[0]), body)
            del waiting[name]
    return found


def _first_lines_of_use(lines: Sequence[str]) -> dict[str, int]:
    """The number of the first line behind the definition of a macro; with ``""`` behind those of the headers.

    A macro that the file speaks of more than once is never used.
    """
    found = {"": 1}
    for number, line in enumerate(lines, start=1):
        if directive := _DIRECTIVE.match(line):
            name = "" if directive[1] == "include" else directive[2]
            found[name] = sys.maxsize if name and name in found else number + 1
    return found


def _spellings(*pieces: str) -> list[str]:
    """The spelled tokens of the pieces of a line."""
    return [lexeme.text for piece in pieces for lexeme in lexemes(piece)]


def _places(source: PreprocessedFile, name: str) -> dict[int, list[int]]:
    """Places of each line of the file ``name`` in preprocessed text, for lines that stand there once.

    A line comes in pieces, with line markers between, where a macro of a system header stands in it.
    """
    found: dict[int, list[int]] = {}
    repeated: set[int] = set()
    before = 0, -1
    for file, number, _, place in preprocessed_numbered_lines(source.path, source.text):
        if file == name:
            if number in found and before != (number, place - 2):
                repeated.add(number)
            found.setdefault(number, []).append(place)
            before = number, place
    return {number: places for number, places in found.items() if number not in repeated}
