"""Human fixes among the candidate edits, ``candidates_of(program, fixed)``: nothing is executed.

    for (i = 0; i < 9; i++)   ->   for (i = 0; i < 10; i++)      is "constant off by one", and "any other constant"

A candidate is the fix where it makes the same words and signs of the program. Parentheses and braces, and whether a
comma or a semicolon stands between two statements, make no difference; a constant that is still to be found is any.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Final, final

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.definition_sites import find_definition_sites
from cfrontend.edit.likelihood import edit_features
from cfrontend.edit.text import SourceText, common_ends
from cfrontend.edit.unit_sites import find_candidates_at_units
from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.settings import HOLE

_TOKEN: Final = re.compile(
    r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[A-Za-z_]\w*|\d[\w.]*'
    r"|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<=?|>>=?|->|\S"
)
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_NUMBER: Final = re.compile(r"\d[\w.]*|'.*'")


@final
@dataclass(frozen=True, slots=True)
class FixAmongEdits:
    """The candidates of a program by their features, and those of them that are the fix."""

    edits: Counter[tuple[str, ...]]
    fixes: Counter[tuple[str, ...]]


def candidates_of(program: Path, fixed: str) -> FixAmongEdits:
    """All edits of ``program`` and which of them are the human's, whose whole text is ``fixed``.

    Raises InputError for a program that is not read.
    """
    found = load_c_program([str(program)], ProgramOptions())
    text = program.read_text("utf-8", "replace")
    source = SourceText(text)
    sources = {
        unit.location.file: source for unit in found.units if unit.location.file.endswith(program.name)
    }
    units = [unit.id for unit in found.units]
    edits = [*find_candidates_at_units(found.tree, found.table, sources, units)]
    for definition in find_definition_sites(found.tree, found.table, sources, [set(units)]):
        edits += definition.candidates
    fix = Fix(text, fixed)
    features = [edit_features(edit, source) for edit in edits]
    made = [fix.is_made_by(edit) for edit in edits]
    return FixAmongEdits(Counter(features), Counter(compress(features, made)))


@final
class Fix:
    """A program and its fix, as words and signs."""

    def __init__(self, text: str, fixed: str) -> None:
        self._text = text
        self._old, self._new = tokens(text), tokens(fixed)
        self._before, self._behind = common_ends(self._old, self._new)
        self._counts: dict[tuple[int, int], int] = {}

    def is_made_by(self, edit: Candidate) -> bool:
        """True if the edit makes the fix of the program."""
        if self._old == self._new:
            return False  # another layout, or other parentheses
        made = edit.edit
        before = self._count(0, made.start)
        behind = self._count(made.end, len(self._text))
        if before > self._before + 1 or behind > self._behind + 1:
            return False
        whole = tokens(f"{self._text[: made.start]} {made.text} {self._text[made.end :]}")
        return whole != self._old and _is_filled(whole, self._new)

    def _count(self, start: int, end: int) -> int:
        """Number of tokens between two offsets."""
        known = self._counts.get((start, end))
        if known is None:
            known = self._counts[start, end] = len(tokens(self._text[start:end]))
        return known


def tokens(text: str) -> list[str]:
    """Words and signs of a text, without what makes no difference for a fix."""
    found: list[str] = []
    for token in _TOKEN.findall(_COMMENT.sub(" ", text)):
        one = token.replace(",", ";") if len(token) == 1 else token
        if one not in "(){}" and not (one == ";" and found[-1:] == [";"]):
            found.append(one)
    return found


def _is_filled(holed: Sequence[str], wanted: Sequence[str]) -> bool:
    """True if some constants in the place of its holes make the tokens ``wanted`` of the others."""
    rest = iter(_without_signs(wanted, _holes(holed)))
    return (
        all(
            (other := next(rest, None)) is not None
            and (_NUMBER.fullmatch(other) is not None if one.startswith(HOLE) else one == other)
            for one in holed
        )
        and next(rest, None) is None
    )


def _holes(holed: Sequence[str]) -> frozenset[int]:
    return frozenset(place for place, one in enumerate(holed) if one.startswith(HOLE))


def _without_signs(wanted: Sequence[str], holes: frozenset[int]) -> Iterator[str]:
    """The tokens without the minus of a number where a hole is."""
    place = 0
    skipped = False
    for one in wanted:
        if one == "-" and place in holes and not skipped:
            skipped = True
            continue
        skipped = False
        place += 1
        yield one
