"""A result in sentences, as a reader needs them: what fails, where first, why, what edit, and how sure that is.

    verdict(result)        ->   "minmax.c:22 fails: least <= most does not hold; for input1=0 input2=-1 input3=0"
    reason(result, line)   ->   "an edit here mends it"
    best_edit(result)      ->   the edit, "verified", "with it no execution fails, whatever the input"
    premises(result)       ->   ("for a with n elements, 4 at most", ...)

Text, pages, editors, notebooks and tables of many programs say it in these words, and have none of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, final

from cfrontend.encoded_program import EXAMPLE
from cfrontend.errors import Location
from cfrontend.goto.product_program import KIND as REFERENCE
from cfrontend.record import dataclass
from cfrontend.syntax.names import joined_names
from sfo.core.dataset import RankedDatasetUnit
from sfo.core.executions import ENDLESS, TEST_COMMAND
from sfo.core.repairs import Repair, RepairOfSeveralUnits, is_enough_kept_by_repair
from sfo.core.result import Result
from sfo.report import inputs, wording

FIRST: Final = 5
"""Units of the ranking that a report shows with why they are suspect."""

_HOW_TO_CHANGE: Final = re.compile(r" \(--[^()]*\)")
"""Pattern of the options that a premise names."""


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
        return f"a test fails (observed, not proved): {inputs.failing(first)}{others}"
    is_of_all = item.id == EXAMPLE or item.kind == REFERENCE  # what is printed is not wrong at one place
    place = item.location.file if is_of_all else f"{item.location.file}:{item.location.line}"
    given = inputs.failing(first)
    if first.ended == ENDLESS:
        return f"{place} {ENDLESS} for {given}{'' if is_of_all else f': {wording.violation(broken)}'}{others}"
    if (found := wording.output_difference(first)) is not None:
        line, printed, wanted = found
        shown = "nothing" if printed is None else wording.quoted_output(printed)
        if printed is not None and wording.output_is_cut_within(first, line):
            shown = f"a line that begins {shown}"
        where = f" in output line {line}" if line > 1 else ""
        return f"{place} prints {shown}{where} for {given}, expected {wording.quoted_output(wanted)}{others}"
    return f"{place} fails: {wording.violation(broken)}; for {given}{others}"


def failing_place(result: Result) -> Location | None:
    """The place in the program at which the first failing execution fails; None where no place is to blame.

    None is where the output ends too early: the place is where the program ends.
    """
    first = next(iter(result.dataset.failing), None)
    differing = None if first is None else wording.output_difference(first)
    if differing is not None and differing[1] is None:
        return None
    found = [p.property for p in result.properties if first is not None and p.property.id == first.property]
    return next((item.location for item in found if item.id not in (EXAMPLE, TEST_COMMAND)), None)


def has_absence(result: Result) -> bool:
    """True if it is known of some bound that no execution within it fails, and a search ended there."""
    apart = result.comparison is not None and result.comparison.differently_read
    searched = result.stopped in {"effort", "timeout", "memory", "unknown", "tried"}
    return result.verdict == "safe" or (
        result.verdict == "unknown" and searched and result.refuted is not None and not apart
    )


def absence(result: Result) -> str:
    """What is known of a program of which no execution is known to fail: within which bound none does."""
    if result.verdict == "safe":
        far = next(iter(premises(result)), "" if _rounds(result) else "whatever the input")
        return f"no execution fails{_rounds(result)}{f', {far}' if far else ''}"
    refuted, reached = result.refuted or 0, result.bound.unwind or 0
    beyond = "beyond" if reached <= refuted else f"as far as unwind {reached}"
    longer = "" if result.bound.complete and reached <= refuted else f", and none was found {beyond}"
    return f"no failure within the effort up to unwind {result.refuted}{longer}"


def shown_suspects(result: Result) -> Sequence[RankedDatasetUnit]:
    """The first lines of the ranking, of units that a failing execution comes to or that may mend it."""
    if not result.dataset.failing:
        return ()
    return [line for line in result.ranking[:FIRST] if line.spectrum.ef or any(line.rank_keys[:1])]


def reason(result: Result, line: RankedDatasetUnit) -> str:
    """What speaks most for a unit of the ranking."""
    return why_suspect(result, line)[0]


def reason_of_first(result: Result) -> str:
    """What speaks most for the first unit of the ranking, and of how many more than are shown as much is known."""
    first, *others = result.ranking
    alike = sum((one.rank_keys, one.score) == (first.rank_keys, first.score) for one in others)
    more = f"; {alike} more are as suspect" if alike >= FIRST else ""
    return f"{reason(result, first)}{more}"


def why_suspect(result: Result, line: RankedDatasetUnit) -> tuple[str, ...]:
    """What speaks for a unit of the ranking, the strongest first."""
    return tuple(_reasons(result, line))


def _reasons(result: Result, line: RankedDatasetUnit) -> Iterator[str]:
    unit, counts, repairs = line.unit, line.spectrum, result.repairs
    is_repaired = repairs is not None and any(
        unit == one.unit and one.behaviour != "changed" for one in repairs.found
    )
    if is_repaired:
        yield "an edit here mends it"
    elif repairs is not None and any(unit in one.units for one in repairs.undecided):
        if repairs.is_partial:
            yield f"an edit here mends {repairs.mended} of {repairs.failing} examples"
        else:
            yield f"an edit here mends {'all examples' if _has_examples(result) else 'what is known to fail'}"
    elif any(unit in pair.units and not pair.strays for pair in _joint(result)):
        yield "edits here and elsewhere mend it"
    saved = 0 if result.angelic is None or unit not in result.angelic.savings else result.angelic.saved(unit)
    if result.angelic is not None and saved and saved == len(result.angelic.runs):
        yield "other values here would mend it"
    elif result.angelic is not None and saved:
        yield f"other values would mend {saved} of {len(result.angelic.runs)}"
    failing, passing = counts.ef + counts.nf, counts.ep + counts.np
    if counts.ef < failing:
        yield f"{counts.ef} of {failing} failing executions come here"
    elif passing and not counts.ep:
        yield "only failing executions come here"
    else:
        yield "every failing execution comes here"
    if counts.ep:
        yield f"so do {counts.ep} of {passing} passing ones"


def _joint(result: Result) -> tuple[RepairOfSeveralUnits, ...]:
    return () if result.diagnoses is None else result.diagnoses.repairs


def _has_examples(result: Result) -> bool:
    return any(item.property.id == EXAMPLE for item in result.properties)


@final
@dataclass(frozen=True, slots=True)
class BestEdit:
    """The edit that reports show first: its ``status``, as *verified* or *plausible*, and what is ``known`` of it."""

    edit: Repair | RepairOfSeveralUnits
    status: str
    known: str

    @property
    def remark(self) -> str:
        """The status, and whether it is a pair of edits."""
        pair = ", two edits together" if isinstance(self.edit, RepairOfSeveralUnits) else ""
        return f"{self.status}{pair}"

    @property
    def said(self) -> str:
        """All of it in a sentence."""
        return f"{self.remark}: {self.known}"


def best_edit(result: Result) -> BestEdit | None:
    """The verified edit that most likely is what was meant, with what it is; None where none is known.

    A pair of edits comes before an edit that likely overfits, and a plausible patch last: but for one of the most
    suspicious unit that keeps executions on their way, where those that are verified do not.
    """
    good, uncompared, straying = (
        ([], [], []) if result.repairs is None else wording.repair_groups(result.repairs)
    )
    joint = _joint(result)
    undecided = () if result.repairs is None else result.repairs.undecided
    no_failure = f"with it {_no_failure(result)}"
    verified, plausible = ("verified", no_failure), _plausible(result)
    overfits = ("likely overfits", f"{no_failure}, but executions only go elsewhere")
    groups: tuple[tuple[Iterable[Repair | RepairOfSeveralUnits], tuple[str, str]], ...] = (
        ((one for one in good if _keeps_enough(result, one)), verified),
        ((one for one in undecided if _is_first(result, one)), plausible),
        (good, verified),
        ((pair for pair in joint if not pair.strays), verified),
        (uncompared, ("verified", f"{no_failure}; no passing execution was there to compare")),
        (straying, overfits),
        (joint, overfits),
        (undecided, plausible),
    )
    found = next((BestEdit(edit, *said) for edits, said in groups for edit in edits), None)
    further = 0 if result.repairs is None else result.repairs.further
    if found is None or found.status != "plausible" or not isinstance(found.edit, Repair) or not further:
        return found
    if found.edit.differing is None:
        return found
    alike = f"on {further - found.edit.differing} of {further} inputs like them it prints what the reference prints"
    return replace(found, known=f"all examples pass with it, and {alike}")


def _no_failure(result: Result) -> str:
    """Clause on what is proved of a verified edit: no execution fails, and how far that goes."""
    left_out = () if result.repairs is None else result.repairs.left_out
    fails = f"violates another property than {joined_names(left_out)}" if left_out else "fails"
    far = ", whatever the input" if result.bound.complete and not result.bound.assumptions else ""
    return f"no execution {fails}{_rounds(result)}{far}"


def _rounds(result: Result) -> str:
    """Clause on how far executions were followed; empty where none is longer."""
    bound = result.bound
    if bound.unwind is None or bound.complete:
        return ""
    most = max(bound.unwind, *bound.unwindset.values(), 1) - 1
    what = "recursion" if bound.unwindset and not any("." in loop for loop in bound.unwindset) else "loops"
    return (
        f", with {what} of up to {most} round{'' if most == 1 else 's'}"
        if most
        else ", as long as no loop is entered"
    )


def followed(result: Result) -> str:
    """Sentence on how far executions were followed; empty without a search."""
    if result.bound.unwind is None:
        return ""
    if result.bound.complete:
        return "executions were followed to their ends"
    longer = "some are longer" if result.bound.complete is False else "whether any is longer is not known"
    return f"executions were followed{_rounds(result)}; {longer}"


def _keeps_enough(result: Result, edit: Repair) -> bool:
    """True if enough of the passing executions are kept on their way by an edit, or none was compared."""
    passing = 0 if result.repairs is None else result.repairs.passing
    return edit.kept is None or is_enough_kept_by_repair(edit.kept, passing)


def _is_first(result: Result, edit: Repair) -> bool:
    """True if an edit is one of the most suspicious unit, and keeps enough of the passing executions on their way."""
    is_compared = edit.kept is not None and _keeps_enough(result, edit)
    return is_compared and bool(result.ranking) and result.ranking[0].unit == edit.unit


def _plausible(result: Result) -> tuple[str, str]:
    """Status of a plausible patch, and what is known of it: beside examples nobody says what else is right."""
    if result.repairs is not None and result.repairs.is_partial:
        return "partial", wording.partial_repairs(result.repairs)
    if _has_examples(result):
        return "plausible", "all examples pass with it; nothing is known of other inputs"
    if result.repairs is not None and result.repairs.one_execution:
        return "plausible", wording.ONE_EXECUTION
    return "plausible", "the known failing executions pass with it; that no other one fails is not proved"


def certificate(result: Result) -> str:
    """Sentence on the units that every failing execution covers, or on why that is not known; empty without any."""
    count = len(result.intersection)
    if result.optimal and count:
        units = (
            "the only unit"
            if len(result.dataset.units) == 1
            else f"{count} of {len(result.dataset.units)} {wording.units(result, 'statements')}"
        )
        return f"proved: every failing execution comes to {units}{_rounds(result)}"
    if result.optimal is False:
        return f"not proved: that every failing execution comes to the suspects ({result.reason})"
    return ""


def premises(result: Result) -> tuple[str, ...]:
    """What is taken for granted where something is proved, or was left out, in a few words each."""
    compared = () if result.comparison is None else result.comparison.left_out
    taken = (*(f"for {one}" for one in result.bound.assumptions), *(f"except for {one}" for one in compared))
    return tuple(_HOW_TO_CHANGE.sub("", one) for one in taken)


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


def _within(result: Result) -> str:
    return "" if result.bound.unwind is None else f" within unwind {result.bound.unwind}"
