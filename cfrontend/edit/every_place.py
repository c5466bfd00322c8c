"""Multi-location edit: the same change wherever a slip stands, in one statement, in all like it, in a function.

if (x > 0 && y > 0)                          ->   if (x >= 0 && y >= 0)
for (j = 0; j < n; j++) ... for (..; j < n;  ->   for (j = 0; j < m; j++) ... for (..; j < m;
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Final

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.text import WORD, SourceText, common_ends
from cfrontend.units import UnitId

EVERY_PLACE: Final = "the same edit at every place"
"""Name of the rule."""

_MOST_PLACES: Final = 6
"""Places of one slip, at most: what stands everywhere is none."""


def edits_at_every_place(
    edits: Sequence[Candidate], source: SourceText, units: Mapping[UnitId, str]
) -> Iterator[Candidate]:
    """Edits of one function that make the same change at all its places, at those of one unit, and of all like it.

    What changes counts, not what stands around it: ``<`` to ``<=``, or ``n`` to ``m``. ``units`` are the texts of
    units: those with the same text are alike.
    """
    slips: dict[tuple[str, str, str], list[Candidate]] = {}
    for edit in edits:
        if edit.is_expression and not (edit.adds or edit.form == "before" or edit.guard or edit.has_hole):
            slips.setdefault(_slip(edit, source), []).append(edit)
    made: set[tuple[int, int, str]] = set()
    for slip in slips.values():
        for group in (
            slip,
            *_by(slip, lambda edit: edit.unit),
            *_by(slip, lambda edit: units.get(edit.unit, "")),
        ):
            whole = _at_once(group, source)
            if whole is not None and (whole.start, whole.end, whole.text) not in made:
                made.add((whole.start, whole.end, whole.text))
                yield whole


def _by(edits: Iterable[Candidate], key: Callable[[Candidate], object]) -> Iterator[list[Candidate]]:
    groups: dict[object, list[Candidate]] = {}
    for edit in edits:
        groups.setdefault(key(edit), []).append(edit)
    return iter(groups.values())


def _slip(edit: Candidate, source: SourceText) -> tuple[str, str, str]:
    """The rule of an edit, and the words that it takes out and puts in, or all that it replaces, if none."""
    old, new = WORD.findall(edit.replaced(source)), WORD.findall(edit.edit.text)
    begin, end = common_ends(old, new)
    taken = old[begin : len(old) - end] or old
    return edit.template, " ".join(taken), " ".join(new[begin : len(new) - end])


def _at_once(edits: Iterable[Candidate], source: SourceText) -> Candidate | None:
    """All edits as one; None of a single one, of too many, or where one is a part of another."""
    order = sorted(edits, key=lambda edit: (edit.start, edit.end))
    if not 1 < len(order) <= _MOST_PLACES:
        return None
    text, at = "", order[0].start
    for edit in order:
        if edit.start < at:
            return None
        text += source.text[at : edit.start] + edit.edit.text
        at = edit.end
    return replace(
        order[0],
        template=EVERY_PLACE,
        end=at,
        text=text,
        size="large",
        is_odd=True,
        is_operand=False,
        use="value",
        parts=tuple(order),
    )


def first_of_every_place(before: str, after: str) -> tuple[str, str]:
    """The first change of an edit at every place, with the tokens beside it, and how many there are."""
    old, new = WORD.findall(before), WORD.findall(after)
    changes = [
        places
        for kind, *places in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
    i, j, k, m = changes[0] if changes else (0, len(old), 0, len(new))
    one, other = " ".join(old[max(0, i - 2) : j + 1]), " ".join(new[max(0, k - 2) : m + 1])
    return one, f"{other} (at {len(changes)} places)"
