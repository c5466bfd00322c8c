"""The report of ``sfo localize`` for whoever has a program to mend: one screen that answers, and no more.

    minmax.c:22 fails: ...; for input1=0 input2=-1 input3=0   what fails, for which input
    look first: minmax.c:18:9 in main                         where, with its line and why
    best edit, verified: with it no execution fails           what edit, and how sure that is
    then look at, of 11 statements:                           further suspects, a line each
    holds for ...; 3 more assumptions: -v                     what is taken for granted

With ``-v`` the whole ranking, all edits and executions, and the numbers follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from sfo.core.dataset import RankedDatasetUnit
from sfo.core.repairs import Repair
from sfo.core.result import Result
from sfo.report import layout, snippets, summary, text, wording

SCREEN: Final = 23
"""Lines of a report: a terminal has 24, and one of them is where the next command is typed."""

_SIZES: Final = ((4, 2), (3, 2), (3, 1), (2, 1), (2, 0), (1, 0), (0, 0))
"""Sizes of a report, the largest first: numbers of further suspects and of other edits."""

_EDITED: Final = 8
"""Lines of an edit that are shown."""

_TEXT: Final = 14
"""Columns that are left for the source of a suspect at least."""


def localization_report(result: Result, *, everything: bool) -> str:
    """The report; ``everything`` lets the whole of it follow."""
    if result.verdict != "violated" or not result.dataset.failing:
        short = layout.joined(text.verdict_lines(result), text.note_lines(result.notes))
    else:
        short = _answer(result, everything=everything)
    return f"{short}\n{text.localization_details(result)}" if everything else short


def _answer(result: Result, *, everything: bool) -> str:
    """The answer, with as many suspects, other edits and notes as fit on a screen."""
    suspects = summary.shown_suspects(result)
    others, (edit, alternatives) = _others(result, suspects[1:]), _edits(result, suspects)
    fails, first, sure = [*_failure(result, suspects)], [*_first(result, suspects)], [*_sure(result)]
    statements = f"{len(result.ranking)} {wording.units(result, 'statements')}"
    notes = len(result.notes)
    sizes = [*((*_SIZES[0], noted) for noted in range(notes, 0, -1)), *((*size, 0) for size in _SIZES)]
    made = ""
    for shown, other_edits, noted in sizes:
        end = () if everything else layout.wrapped(_hint(result, notes - noted))
        made = layout.joined(
            fails,
            first,
            [*edit, *alternatives[:other_edits]],
            layout.titled(f"then look at, of {statements}:", others[:shown]),
            [*sure, *text.note_lines(result.notes[:noted]), *end],
        )
        if made.count("\n") <= SCREEN:
            break
    return made


def _failure(result: Result, suspects: Sequence[RankedDatasetUnit]) -> Iterator[str]:
    """Headline of the failure, its source line unless the first suspect stands there, and what else is to be known."""
    yield from layout.wrapped(summary.verdict(result), hanging=2)
    place = summary.failing_place(result)
    seen = {
        unit.location.line for line in suspects[:1] for unit in result.dataset.units if unit.id == line.unit
    }
    if place is not None and place.line not in seen:
        yield from snippets.source_snippet(result.files.get(place.file, ()), place)
    for said in _besides(result):
        yield from layout.wrapped(said, indent=2)


def _first(result: Result, suspects: Sequence[RankedDatasetUnit]) -> Iterator[str]:
    """The first suspect with its source, and why it is one."""
    for line in suspects[:1]:
        unit = next(unit for unit in result.dataset.units if unit.id == line.unit)
        source = snippets.source_snippet(result.files.get(unit.location.file, ()), unit.location)
        label = f" ({unit.label})" if unit.label else ""
        told = ", ".join(
            [*(() if source and not line.side else (unit.text,)), *((line.side,) if line.side else ())]
        )
        place = f"look first: {unit.location} in {unit.function}{label}{f': {told}' if told else ''}"
        yield from layout.wrapped(place, hanging=2)
        yield from source
        yield from layout.wrapped(f"why: {summary.reason_of_first(result)}", indent=2, hanging=2)


def _besides(result: Result) -> Iterator[str]:
    """What else is to be known of what fails: that there is more than one failure, or that a limit was reached."""
    if result.reason and result.optimal is not False:
        yield f"not complete: {result.reason}"
    if said := summary.several_faults(result):
        yield said
    if result.groups and result.ranking == result.groups[0].ranking:
        yield f"{len(result.groups)} different failures are known; the suspects are those of the first (-v: all)"
    violated = dict.fromkeys(one.property for one in result.dataset.failing if one.property is not None)
    if len(violated) > 1:
        yield f"--property {next(iter(violated))} looks at one of them alone"


def _others(result: Result, shown: Sequence[RankedDatasetUnit]) -> list[str]:
    """A line for each further suspect: its rank, place, source, and what speaks for it."""
    units, places = (
        {unit.id: unit for unit in result.dataset.units},
        layout.spoken_places(result.dataset.units),
    )
    wide = max((len(places[line.unit]) for line in shown), default=0)
    why = {line.unit: summary.reason(result, line) for line in shown}
    room = max(_TEXT, layout.WIDTH - wide - 9 - max(map(len, why.values()), default=0))
    texts = {
        line.unit: layout.clipped(units[line.unit].text + (f", {line.side}" if line.side else ""), room)
        for line in shown
    }
    wide_text = max(map(len, texts.values()), default=0)
    return [
        layout.clipped(
            f"  {line.rank}  {places[line.unit]:<{wide}}  {texts[line.unit]:<{wide_text}}  {why[line.unit]}"
        )
        for line in shown
    ]


def _edits(result: Result, suspects: Sequence[RankedDatasetUnit]) -> tuple[list[str], list[str]]:
    """The best edit with what it is, and others of which as much is known, a line each."""
    found, repairs = summary.best_edit(result), result.repairs
    if found is None:
        return ([] if repairs is None else [*text.without_repair(result)]), []
    edit = found.edit
    first = {line.unit for line in suspects[:1]}
    file = next((unit.location.file for unit in result.dataset.units if unit.id in first), "")
    where = f" in {edit.file}" if isinstance(edit, Repair) and edit.file != file else ""
    lines = [*snippets.edited_lines(edit.diff)]
    if len(lines) > _EDITED:
        lines[_EDITED - 1 :] = [f"       … and {len(lines) - _EDITED + 1} more lines (sfo repair shows all)"]
    known = () if repairs is None or not isinstance(edit, Repair) else repairs.found or repairs.undecided
    others = [one for one in known if one != edit and one.behaviour != "changed"]
    others.sort(key=lambda one: isinstance(edit, Repair) and one.unit == edit.unit)  # other statements first
    listed = text.edit_lines(others, result.dataset.units, None) if others else ()
    return (
        [*layout.wrapped(f"best edit{where}, {found.said}", hanging=2), *lines],
        [layout.clipped(f"  or {' '.join(line.split())}") for line in listed],
    )


def _sure(result: Result) -> Iterator[str]:
    """What is proved of the suspects, what all of it takes for granted, and where native executions disagree."""
    yield from layout.wrapped(summary.certificate(result), hanging=2)
    premises = summary.premises(result)
    if premises:
        more = len(premises) - 1
        counted = f"; {more} more assumption{'' if more == 1 else 's'}: -v" if more else ""
        yield from layout.wrapped(f"holds {premises[0]}{counted}", hanging=2)
    if any(check.status == "disagrees" for check in result.native or ()):
        yield from text.native_lines(result.native)


def _hint(result: Result, notes: int) -> str:
    """Where more is to be had."""
    repairs, best = result.repairs, summary.best_edit(result)
    edits = 0 if repairs is None else len(repairs.found) + len(repairs.undecided) - (best is not None)
    listed = [
        *([f"{edits} other edit{'' if edits == 1 else 's'}"] if edits > 0 else []),
        *([f"{notes} note{'' if notes == 1 else 's'}"] if notes else []),
        "all else",
    ]
    patches = "; --patches DIR: edits as files" if best is not None else ""
    return f"-v: {', '.join(listed)}{patches}"
