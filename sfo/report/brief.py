"""The report of ``sfo localize`` for whoever has a program to mend: the answer, and what is known of it.

    violated: ... for input1=0 input2=-1 input3=0         what fails, where, for which input
    most suspicious of 11 statements                      five, each with why
    best edit (verified within unwind 1)                  as a diff
    proved, not proved                                    in sentences

With ``-v`` the whole ranking, all edits and executions, and the numbers follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sfo.core.repairs import Repair, RepairOfSeveralUnits
from sfo.core.result import Result
from sfo.report import inputs, layout, summary, text, wording

FIRST: Final = 5
"""Units of the ranking that are shown with why they are suspect."""

_OTHERS: Final = 3
"""Other edits that are shown."""

_LINES: Final = 40
"""Lines of a diff that are shown."""


def localization_report(result: Result, *, everything: bool) -> str:
    """The report; ``everything`` lets the whole of it follow."""
    short = layout.joined(
        _answer(result),
        _suspects(result),
        _groups(result),
        _edit(result),
        _known(result),
        _replay(result),
        text.note_lines(result.notes),
        _more(result, everything=everything),
    )
    return f"{short}\n{text.localization_details(result)}" if everything else short


def _more(result: Result, *, everything: bool) -> Iterator[str]:
    """Where more is to be had: the whole report, and the edits as files."""
    edits = "; --patches DIR writes the edits" if summary.best_edit(result) else ""
    if result.ranking and not everything:
        yield from layout.wrapped(
            f"-v shows the whole ranking, all edits and executions, and numbers{edits}", hanging=2
        )


def _answer(result: Result) -> Iterator[str]:
    yield from text.verdict_lines(result, with_input=True)
    failing = result.dataset.failing
    if failing and (instead := wording.printed_instead(failing[0])):
        is_one = sum(item.status == "violated" for item in result.properties) == 1
        given = "" if is_one else f"for {inputs.failing(failing[0])}: "
        yield from layout.wrapped(f"{given}{instead}", indent=2, hanging=2)
    if result.verdict == "violated" and result.reason and result.optimal is not False:
        yield from layout.wrapped(f"not complete: {result.reason}", hanging=2)
    yield from layout.wrapped(summary.several_faults(result), hanging=2)


def _suspects(result: Result) -> Iterator[str]:
    if not result.ranking or not result.dataset.failing:
        return
    shown = [line for line in result.ranking[:FIRST] if line.spectrum.ef or any(line.rank_keys[:1])]
    if not shown:  # a note says that no failing execution evaluates a unit
        return
    why = summary.why_suspect(result)
    by_id = {unit.id: unit for unit in result.dataset.units}
    places, names = (
        layout.spoken_places(result.dataset.units),
        text.unit_labels(result.dataset.units),
    )
    wide = max(len(places[line.unit]) for line in shown)
    first = result.groups[0] if result.groups else None
    alone = ""
    if first is not None and result.ranking == first.ranking:
        alone = f", for {wording.failure_group(first, result.dataset.units)}"
    count = len(result.ranking)
    statements = (
        "the only statement"
        if count == 1
        else f"most suspicious of {count} {wording.units(result, 'statements')}"
    )
    yield from layout.wrapped(f"{statements}{alone}:", hanging=2)
    for line in shown:
        label = f"  ({names[line.unit]})" if by_id[line.unit].label else ""
        side = f", {line.side}" if line.side else ""
        yield layout.clipped(
            f"  {line.rank}  {places[line.unit]:<{wide}}  {by_id[line.unit].text}{side}{label}"
        )
        yield from layout.wrapped("; ".join(why[line.unit]), indent=5)


def _groups(result: Result) -> Iterator[str]:
    """The groups of failing executions that have a ranking of their own."""
    if result.groups:
        said = "; ".join(wording.failure_group(group, result.dataset.units) for group in result.groups)
        yield from layout.wrapped(f"each with a ranking of its own (-v): {said}", hanging=2)
    executions = (*(one for group in result.groups for one in group.executions), *result.dataset.failing)
    violated = dict.fromkeys(one.property for one in executions if one.property is not None)
    if len(violated) > 1 and result.ranking:
        first = next(iter(violated))
        yield from layout.wrapped(
            f"{len(violated)} properties are violated: --property {first} looks at one alone", hanging=2
        )


def _edit(result: Result) -> Iterator[str]:
    found = summary.best_edit(result)
    if found is None:
        if result.repairs is not None and result.verdict == "violated":
            yield from text.without_repair(result)
        return
    edit, said = found
    if result.repairs is not None and result.repairs.one_execution and edit in result.repairs.undecided:
        yield from text.plausible_repair_lines(result.repairs, result, FIRST)
        return
    yield from layout.wrapped(f"best edit: {said}", hanging=2)
    lines = edit.diff.rstrip().replace("\r\n", "\n").split("\n")
    for line in lines[:_LINES]:  # what is changed may stand at the end of a line
        yield f"  {line}" if line[:1] in ("+", "-") else layout.clipped(f"  {line}")
    if len(lines) > _LINES:
        yield f"  … and {len(lines) - _LINES} more lines (sfo repair shows all)"
    yield from _other_edits(result, edit)


def _other_edits(result: Result, best: Repair | RepairOfSeveralUnits) -> Iterator[str]:
    """Edits of which as much is known as of the best one, the first of each statement first."""
    repairs = result.repairs
    if repairs is None or not isinstance(best, Repair):
        return
    is_verified = best in repairs.found
    known = repairs.found or repairs.undecided
    others = [repair for repair in known if repair != best]
    if not others:
        return
    first = {repair.unit: repair for repair in reversed(others)}
    shown = sorted(others, key=lambda repair: (first[repair.unit] is not repair, repair.unit == best.unit))
    what = "verified" if repairs.found else wording.undecided_kind(repairs)
    count = len(others)
    too = (
        ", too"
        if is_verified or not repairs.found
        else f", but keep{'s' if count == 1 else ''} few of the passing executions on their way"
    )
    yield ""
    yield from layout.wrapped(f"{count} other edit{' is' if count == 1 else 's are'} {what}{too}:", hanging=2)
    yield from text.edit_lines(shown, result.dataset.units, _OTHERS, repairs)


def _known(result: Result) -> Iterator[str]:
    for said in summary.proved(result) if result.verdict == "violated" else ():
        yield from layout.wrapped(f"proved: {said}", hanging=2)
    for said in summary.unproved(result):
        yield from layout.wrapped(f"not proved: {said}", hanging=2)


def _replay(result: Result) -> Iterator[str]:
    """What native executions say, where they disagree."""
    if any(check.status == "disagrees" for check in result.native or ()):
        yield from text.native_lines(result.native)
