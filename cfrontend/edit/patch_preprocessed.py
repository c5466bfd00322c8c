"""Preprocessed text of a file after an edit, patched in that of the file before.

    x = a < b;   ->   x = a <= b;      in a line without macros: the line of the preprocessed text is replaced

To start a compiler takes longer than to read a small program.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, final

from cfrontend.source.preprocess import (
    PreprocessedFile,
    PreprocessOptions,
    defined_macros,
    numbered_lines,
    preprocess,
    without_comments,
)

_WORDS: Final = re.compile(r"[A-Za-z_]\w*")


@final
class PreprocessedUneditedFile:
    """A file as it was before edits: ``path`` holds ``text``, preceded by lines that name it ``name``."""

    def __init__(self, path: str, name: str, text: str, options: PreprocessOptions) -> None:
        self._source: Final = preprocess(path, options)
        self._macros: Final = defined_macros(path, options)
        self._lines: Final = without_comments(text).split("\n")
        self._output: Final = self._source.text.split("\n")
        self._places: Final = _places(self._source, name)

    def with_text(self, text: str) -> PreprocessedFile | None:
        """The file preprocessed with another text; None where only the preprocessor can say what it makes of that."""
        lines = without_comments(text).split("\n")
        if self._macros is None or len(lines) != len(self._lines):
            return None
        output = list(self._output)
        for number, (old, new) in enumerate(zip(self._lines, lines, strict=True), start=1):
            if old == new:
                continue
            place = self._places.get(number)
            if place is None or self._output[place].split() != old.split() or not self._is_plain(number, new):
                return None
            output[place] = new
        return replace(self._source, text="\n".join(output))

    def _is_plain(self, number: int, new: str) -> bool:
        """True if the preprocessor leaves a line as it is, and joins it to no other."""
        lines = (self._lines[number - 2] if number > 1 else "", new)
        if any(line.rstrip().endswith("\\") for line in lines) or new.lstrip().startswith(("#", "(")):
            return False
        assert self._macros is not None
        return self._macros.isdisjoint(_WORDS.findall(new))


def _places(source: PreprocessedFile, name: str) -> dict[int, int]:
    """Place of each line of the file ``name`` in preprocessed text, for lines that stand there once."""
    found: dict[int, list[int]] = {}
    for file, number, _, place in numbered_lines(source.path, source.text):
        if file == name:
            found.setdefault(number, []).append(place)
    return {number: places[0] for number, places in found.items() if len(places) == 1}
