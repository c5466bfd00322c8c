"""A result in sentences, as a reader needs them: what fails, why a unit is suspect, what is proved and what is not.

    verdict_sentence(result)   ->   "minmax.c:22 fails for input1=0 input2=-1 input3=0: least <= most"
    why_suspect(result)[8]     ->   ("an edit of it is a verified repair", "every failing execution covers it")

Text, pages, notebooks and tables of many programs say it in these words.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfrontend.encoded_program import EXAMPLE
from cfrontend.goto.product_program import KIND as REFERENCE
from cfrontend.syntax.names import joined_names
from cfrontend.units import UnitId
from sfo.core.dataset import RankedDatasetUnit
from sfo.core.executions import ENDLESS
from sfo.core.repairs import Repair, RepairOfSeveralUnits, is_enough_kept_by_repair
from sfo.core.result import Result
from sfo.core.savings import AngelicSavings
from sfo.report import inputs, wording


def verdict(result: Result) -> str:
    """The verdict in one sentence: what fails, for which input, and where; or within which bound nothing does."""
    if result.verdict == "unknown":
        return f"unknown: {result.reason}"
    if result.verdict == "safe":
        return f"no execution fails{_within(result)}"
    failing = result.dataset.failing
    if not failing:
        return "some execution fails"
    first = failing[0]
    broken = next(p for p in result.properties if p.property.id == first.property)
    item = broken.property
    more = sum(p.status == "violated" for p in result.properties) - 1
    others = f" ({more} more propert{'y fails' if more == 1 else 'ies fail'})" if more > 0 else ""
    if first.command:
        return f"{inputs.failing(first)} (observed, not proved){others}"
    place, given = f"{item.location.file}:{item.location.line}", inputs.failing(first)
    if first.ended == ENDLESS:
        if item.kind == REFERENCE:  # where it does not end, and what it then lacks of the output, says little
            return f"{item.location.file} {ENDLESS} for {given}{others}"
        return f"{place} {ENDLESS} for {given}: {item.description}{others}"
    if (found := wording.output_difference(first)) is not None:
        line, printed, wanted = found
        shown = wording.quoted_output(printed)
        if printed is not None and wording.output_is_cut_within(first, line):
            shown = f"a line that begins {shown}"
        return f"{place} prints {shown} for {given}, expected {wording.quoted_output(wanted)}{others}"
    return f"{place} violates {item.kind} for {given}: {wording.violation(broken)}{others}"


def has_absence(result: Result) -> bool:
    """True if it is known of some bound that no execution within it fails, and a search ended there."""
    apart = result.comparison is not None and result.comparison.differently_read
    searched = result.stopped in {"effort", "timeout", "memory", "unknown", "tried"}
    return result.verdict == "safe" or (
        result.verdict == "unknown" and searched and result.refuted is not None and not apart
    )


def absence(result: Result) -> str:
    """What is known of a program of which no execution is known to fail: within which bound none does."""
    if result.verdict == "safe" and result.bound.complete and not result.bound.assumptions:
        return f"no execution fails, and none is longer than{_within(result).removeprefix(' within')}"
    if result.verdict == "safe":
        return f"no failure up to unwind {result.bound.unwind}; {next(iter(_beyond(result)), '')}".rstrip(
            "; "
        )
    refuted, reached = result.refuted or 0, result.bound.unwind or 0
    beyond = "beyond" if reached <= refuted else f"as far as unwind {reached}"
    longer = "" if result.bound.complete and reached <= refuted else f", and none was found {beyond}"
    return f"no failure within the effort up to unwind {result.refuted}{longer}"


def why_suspect(result: Result) -> dict[UnitId, tuple[str, ...]]:
    """By unit of the ranking: what speaks for it, and what against it, the strongest first."""
    return {line.unit: tuple(_reasons(result, line)) for line in result.ranking}


def _reasons(result: Result, line: RankedDatasetUnit) -> Iterator[str]:
    unit, counts = line.unit, line.spectrum
    if result.repairs is not None:
        good, uncompared, straying = wording.repair_groups(result.repairs)
        if any(repair.unit == unit for repair in good):
            yield "an edit of it is a verified repair"
        elif any(repair.unit == unit for repair in uncompared):
            yield "after an edit of it nothing fails"
        elif any(repair.unit == unit for repair in straying):
            yield "after an edit of it nothing fails, but the edit likely overfits"
        elif any(unit in repair.units for repair in result.repairs.undecided):
            yield f"an edit of it is a {wording.undecided_kind(result.repairs)} patch"
        elif pair := next((pair for pair in _joint(result) if unit in pair.units), None):
            overfits = ", but likely overfit" if pair.strays else ""
            yield f"edits of it and of another one together are verified{overfits}"
    if result.angelic is not None and unit in result.angelic.savings:
        yield from _saving(result.angelic, unit)
    failing = counts.ef + counts.nf
    if counts.ef == failing:
        yield "every failing execution covers it"
    else:
        yield f"{counts.ef} of {failing} failing executions cover it"
    if counts.ep + counts.np and not counts.ep:
        yield "no passing one does"
    elif counts.ep + counts.np:
        yield f"so do {counts.ep} of {counts.ep + counts.np} passing ones"


def _joint(result: Result) -> tuple[RepairOfSeveralUnits, ...]:
    return () if result.diagnoses is None else result.diagnoses.repairs


def _saving(angelic: AngelicSavings, unit: UnitId) -> Iterator[str]:
    """What other values of the unit would do."""
    runs = len(angelic.runs)
    some = "the failing execution" if runs == 1 else f"all {runs} failing executions"
    if angelic.may_save_all(unit) and angelic.saved(unit) == runs:
        yield f"another value here would save {some}"
    elif angelic.saved(unit):
        yield f"another value here would save {angelic.saved(unit)} of {runs} failing executions"
    elif not angelic.may_save_all(unit):
        yield "no other value here would save " + ("it" if runs == 1 else "all of them")


def best_edit(result: Result) -> tuple[Repair | RepairOfSeveralUnits, str] | None:
    """The verified edit that most likely is what was meant, with what it is; None where none is known.

    A pair of edits comes before an edit that likely overfits, and a plausible patch last: but for one of the most
    suspicious unit that keeps executions on their way, where those that are verified do not.
    """
    good, uncompared, straying = (
        ([], [], []) if result.repairs is None else wording.repair_groups(result.repairs)
    )
    joint = _joint(result)
    undecided = () if result.repairs is None else result.repairs.undecided
    groups: tuple[tuple[tuple[Repair | RepairOfSeveralUnits, ...], str], ...] = (
        (tuple(one for one in good if _keeps_enough(result, one)), f"verified{_within(result)}"),
        (tuple(one for one in undecided if _is_first(result, one)), _plausible(result)),
        (tuple(good), f"verified{_within(result)}"),
        (tuple(pair for pair in joint if not pair.strays), f"two edits, verified together{_within(result)}"),
        (tuple(uncompared), f"verified{_within(result)}; no passing execution was compared"),
        (tuple(straying), f"verified{_within(result)}, but it likely overfits: executions only go elsewhere"),
        (tuple(joint), f"two edits, verified together{_within(result)}, but likely overfitting"),
        (tuple(undecided), _plausible(result)),
    )
    return next(((edits[0], said) for edits, said in groups if edits), None)


def _keeps_enough(result: Result, edit: Repair) -> bool:
    """True if enough of the passing executions are kept on their way by an edit, or none was compared."""
    passing = 0 if result.repairs is None else result.repairs.passing
    return edit.kept is None or is_enough_kept_by_repair(edit.kept, passing)


def _is_first(result: Result, edit: Repair) -> bool:
    """True if an edit is one of the most suspicious unit, and keeps enough of the passing executions on their way."""
    is_compared = edit.kept is not None and _keeps_enough(result, edit)
    return is_compared and bool(result.ranking) and result.ranking[0].unit == edit.unit


def _plausible(result: Result) -> str:
    """What a plausible patch is: beside examples nobody says what else is right."""
    if any(item.property.id == EXAMPLE for item in result.properties):
        if result.repairs is not None and result.repairs.is_partial:
            return f"a partial patch: {wording.partial_repairs(result.repairs)}"
        return "a plausible patch: all examples pass with it, and it may overfit them"
    if result.repairs is not None and result.repairs.one_execution:
        return f"a plausible patch: {wording.ONE_EXECUTION}"
    return f"a plausible patch: that nothing fails{_within(result)} was not proved"


def several_faults(result: Result) -> str:
    """Sentence that says so where more than one fault is likely; empty otherwise."""
    found = result.diagnoses
    if found is None or not found.sets or result.verdict != "violated":
        return ""
    if any(not pair.strays for pair in found.repairs):
        likely = "there may be more than one fault" if found.alone else "more than one fault is likely"
        return f"{likely}: no edit of one statement is proved to repair it, edits of two together are"
    proved = () if result.repairs is None else result.repairs.found
    if found.alone or any(repair.behaviour != "changed" for repair in proved):
        return ""
    size = min(map(len, found.sets))
    return f"more than one fault is likely: no single statement accounts for every failing execution, {size} together do"


def proved(result: Result) -> Iterator[str]:
    """Sentences on what is proved."""
    if result.verdict == "safe":
        yield f"no execution fails{_within(result)}"
    if result.optimal and result.intersection:
        count = len(result.intersection)
        units = "this unit" if count == 1 else f"any of {count} {wording.units(result, 'units')}"
        yield f"no failing execution{_within(result)} avoids {units} (single-fault optimal)"
    if result.repairs is not None and result.repairs.found:
        count, best = len(result.repairs.found), best_edit(result)
        the = "the edit" if best is not None and best[0] in result.repairs.found else "the other edit"
        edits = the if count == 1 else f"each of {count} edits"
        left_out = result.repairs.left_out
        fails = f"violates another property than {joined_names(left_out)}" if left_out else "fails"
        yield f"after {edits} no execution{_within(result)} {fails}"


def unproved(result: Result) -> Iterator[str]:
    """Sentences on what is not proved."""
    if result.bound.complete is not True or result.bound.assumptions:
        yield from _beyond(result)
    if result.optimal is False:
        yield f"that every failing execution covers the suspects: {result.reason}"
    if result.repairs is not None and result.repairs.undecided:
        count = len(result.repairs.undecided)
        known = "the known executions go right, no more is known"
        if result.repairs.one_execution:
            known = wording.ONE_EXECUTION
        if result.repairs.is_partial:
            known = "some examples still fail with them, no more is known"
        yield f"{count} {wording.undecided_kind(result.repairs)} patch{'' if count == 1 else 'es'}: {known}"
    if result.repairs is not None and not result.repairs.complete and result.verdict == "violated":
        yield "that there are no other edits: not all candidates were tried"


def _beyond(result: Result) -> Iterator[str]:
    for taken in result.bound.assumptions:
        yield f"anything for other inputs than {taken}"
    if result.bound.unwind is None:
        yield "anything for other inputs than those that were tried"
    elif result.bound.complete is False:
        yield f"anything of executions beyond unwind {result.bound.unwind}, which there are"
    elif result.bound.complete is None:
        yield f"anything of executions beyond unwind {result.bound.unwind}, if there are any"


def _within(result: Result) -> str:
    return "" if result.bound.unwind is None else f" within unwind {result.bound.unwind}"
