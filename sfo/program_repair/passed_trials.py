"""Candidates that passed the search for repairs, as a report has them: the best first, with places and diffs.

Edited definitions (macros, enumerators, tables) stand in no unit of a program, and become units behind these:

a repair of `#define MOST 3`   ->   unit 27, behind the 26 units of the program, covered where MOST is used
"""

from __future__ import annotations

import difflib
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final, final

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.definition_sites import EditableDefinitionSites
from cfrontend.edit.every_place import EVERY_PLACE, first_of_every_place
from cfrontend.edit.text import SourceText
from cfrontend.edit.written_out import written_out_edits
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.units import UnitId
from sfo.core.dataset import EditedDatasetDefinition
from sfo.core.repairs import (
    Behaviour,
    Repair,
    RepairOfUnit,
    Repairs,
    place_of_kept_part,
    place_of_unchanged_part,
)
from sfo.program_repair.patch_validation import PatchValidationResult

_BEHAVIOURS: Final[tuple[Behaviour, ...]] = ("kept", "unknown", "changed")
"""Effects of edits on passing executions, the best first."""


EDITS_IN_A_ROW: Final = "edits in a row"
"""Template of a patch of several edits, each of which mends some examples of the program that those before it make."""

_LINES_OF_HEAD: Final = 2
"""Lines of a unified diff before its first hunk."""

_HUNK: Final = re.compile(r"@@ -(\d+)(?:,(\d+))? ")


@final
@dataclass(frozen=True, slots=True)
class PassedRepairTrial:
    """A plausible patch: all known executions go right with it.

    ``place`` is the candidate's in the order of trials, ``fit`` the result of its validation.
    """

    candidate: Candidate
    place: int
    fit: PatchValidationResult

    @property
    def unit(self) -> UnitId:
        """The unit that is edited."""
        return self.candidate.unit


def repair_search_trials_best_first(passed: Sequence[PassedRepairTrial]) -> list[PassedRepairTrial]:
    """Trials that ``passed``, the best first; of those that are as good, the one that is tried first."""
    kept = (item.fit.kept or 0 for item in passed if item.fit.behaviour == "kept")
    most = max(kept, default=0)
    likely = (item.fit for item in passed if item.fit.behaviour != "changed")
    unchanged = max((fit.unchanged or 0 for fit in likely), default=0)
    return sorted(
        passed,
        key=lambda item: (
            _BEHAVIOURS.index(item.fit.behaviour),
            not item.candidate.initializes,
            0 if item.fit.kept is None else place_of_kept_part(item.fit.kept, most),
            item.candidate.size != "small",
            place_of_unchanged_part(item.fit.unchanged, unchanged),
            item.place,
        ),
    )


def repair_search_best_first(
    passed: Sequence[PassedRepairTrial], sources: Mapping[str, SourceText]
) -> list[Repair]:
    """Repairs from the candidates that ``passed``, the best first."""
    return repairs_in_order(repair_search_trials_best_first(passed), sources)


def repairs_in_order(passed: Sequence[PassedRepairTrial], sources: Mapping[str, SourceText]) -> list[Repair]:
    """Repairs from the candidates that ``passed``, as a report has them."""
    return [_repair(item.candidate, sources[item.candidate.file], item.fit) for item in passed]


def _repair(candidate: Candidate, source: SourceText, fit: PatchValidationResult) -> Repair:
    edit = repair_search_place(candidate, source)
    return Repair(
        unit=edit.unit,
        size=candidate.size,
        file=edit.file,
        line=edit.line,
        column=edit.column,
        before=edit.before,
        after=edit.after,
        diff=repair_search_diff(candidate.file, source, [candidate]),
        template=candidate.template,
        kept=fit.kept,
        unchanged=fit.unchanged,
        evades=fit.evades,
        differing=fit.differing,
    )


def repair_search_place(candidate: Candidate, source: SourceText) -> RepairOfUnit:
    """Place of the edit ``candidate`` in the file with the text ``source``, with the text before and after."""
    text = source.text
    before, after = text[candidate.start : candidate.end], candidate.edit.text
    if candidate.template == EVERY_PLACE:
        before, after = first_of_every_place(before, after)
    return RepairOfUnit(
        unit=candidate.unit,
        file=candidate.file,
        line=source.line_of(candidate.start),
        column=candidate.start - text.rfind("\n", 0, candidate.start),
        before=" ".join(before.split()),
        after=" ".join(after.split()),
    )


def repair_search_diff(path: str, source: SourceText, candidates: Sequence[Candidate]) -> str:
    """Unified diff of ``candidates`` in the file at ``path``, with its own ends of lines; empty without any.

    Statements that they add have lines of their own, where the text has one for what they are added to.
    """
    return diff_of_texts(path, source.written, source.edited(written_out_edits(source.text, candidates)))


def diff_of_texts(path: str, written: str, edited: str) -> str:
    """Unified diff of the file at ``path`` from its text as it is written to an edited one."""
    name = re.sub(r"^(\.{0,2}/)+", "", path)  # patch refuses what is above its directory
    before, behind = (list(io.StringIO(text, newline="\n")) for text in (written, edited))
    lines = difflib.unified_diff(before, behind, f"a/{name}", f"b/{name}")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def text_after_diff(text: str, diff: str) -> str:
    """``text`` with the changes of a unified diff of it, as ``repair_search_diff`` makes them."""
    lines, after, place = list(io.StringIO(text, newline="\n")), list[str](), 0
    body = list(io.StringIO(diff, newline="\n"))[_LINES_OF_HEAD:]
    for line, following in zip_longest(body, body[1:], fillvalue=""):
        if hunk := _HUNK.match(line):
            begin = int(hunk[1]) - (hunk[2] != "0")
            after += lines[place:begin]
            place = begin
        elif line.startswith("+"):
            after.append(line[1:].removesuffix("\n" if following.startswith("\\") else ""))
        elif not line.startswith("\\"):
            after += lines[place : place + 1] if line.startswith(" ") else []
            place += 1
    return "".join([*after, *lines[place:]])


def repairs_with_edited_definitions(
    repairs: Repairs, program: Program, definitions: Sequence[EditableDefinitionSites]
) -> Repairs:
    """``repairs`` with those of ``definitions`` that some of them edit, as units behind those of ``program``."""
    every = (*repairs.found, *repairs.undecided, *repairs.steps)
    edited = [d for d in definitions if any(repair.unit == d.unit.id for repair in every)]
    new = {d.unit.id: number for number, d in enumerate(edited, start=len(program.units) + 1)}

    def numbered(some: Sequence[Repair]) -> tuple[Repair, ...]:
        return tuple([replace(repair, unit=new.get(repair.unit, repair.unit)) for repair in some])

    return replace(
        repairs,
        found=numbered(repairs.found),
        undecided=numbered(repairs.undecided),
        steps=numbered(repairs.steps),
        definitions=tuple(
            [EditedDatasetDefinition(unit=replace(d.unit, id=new[d.unit.id]), used=d.used) for d in edited]
        ),
    )
