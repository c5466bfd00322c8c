"""Plausible patches: small edits after which all examples of input and output pass (test-suite based repair).

    for (i = 1; i < n; i++)   ->   for (i = 0; i < n; i++)        all of 5 examples pass, of which 2 failed

Nobody says what is right on other inputs, so that nothing is verified: any of them may overfit to the examples. Those
after which passing examples evaluate what they did before come first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.definition_sites import EditableDefinitionSites
from cfrontend.edit.text import SourceText
from cfrontend.program import Program
from cfrontend.units import UnitId
from sfo.core.budget import BudgetClock
from sfo.core.executions import Native
from sfo.core.policy import policy
from sfo.core.repairs import Repair, Repairs
from sfo.program_repair.candidates import (
    repair_search_candidates,
    repair_search_definitions,
    repair_search_in_order,
)
from sfo.program_repair.edited_definitions import repairs_with_edited_definitions
from sfo.program_repair.native_validation import NativeValidationVerdicts, native_validation_of_candidates
from sfo.program_repair.passed_trials import PassedRepairTrial, repair_search_best_first
from sfo.program_repair.patch_validation import PatchValidationResult
from sfo.program_repair.schemata import (
    RepairSchemataMaker,
    RepairSchemataProgram,
    RepairSchemataVariant,
    read_texts_for_repair_schemata,
)
from sfo.program_repair.trials import RepairTrial, repair_search_trials
from sfo.program_repair.validation_tests import PatchValidationTests

JudgedOnExamples: TypeAlias = Callable[[RepairSchemataVariant], int | None]
"""Test oracle: how many passing examples a variant leaves on their way; None where one does not pass that has to."""

Gain: TypeAlias = tuple[int, int]
"""Gain of a partial patch: how many failing examples pass, and of how many more of the output is right."""


def search_plausible_patches(
    program: Program,
    units: Sequence[UnitId],
    examples: PatchValidationTests,
    judged: JudgedOnExamples,
    clock: BudgetClock,
    jobs: int = 1,
    native: Native = "sandboxed",
) -> Repairs:
    """The plausible patches at ``units``, the likeliest first, and of definitions.

    ``examples`` are their executions in the program as it is. A compiled program rejects most candidates, unless
    ``native`` executions are off; ``judged`` decides on the others. What the ``clock`` ends has what was found by then.
    """
    sources = read_texts_for_repair_schemata(program)
    if sources is None:
        return Repairs(found=(), complete=False, passing=len(examples.passing))
    candidates, definitions = _candidates(program, sources, units, examples)
    edits = RepairSchemataMaker(program, sources)
    edits.prepare()
    left, verdicts = clock.left, NativeValidationVerdicts()
    if native != "off":
        verdicts = native_validation_of_candidates(edits, candidates, examples, clock, jobs, native)
        clock.restart(left)
    trials = [trial for trial in repair_search_trials(candidates, verdicts) if not trial.candidate.has_hole]
    tried = Counter(candidates[place].template for place in verdicts.rejected)
    passed: list[PassedRepairTrial] = []
    counted: set[int] = set()
    complete = True
    for trial, variant in _variants(edits, trials, passed):
        if clock():
            complete = False
            break
        if trial.place not in counted:
            counted.add(trial.place)
            tried[trial.candidate.template] += 1
        goes = None if variant is None else judged(variant)
        if goes is not None and edits.alone(trial.candidate) is not None:
            fit = PatchValidationResult(goes if examples.passing else None, evades=False)
            passed.append(PassedRepairTrial(trial.candidate, trial.place, fit))
    found = Repairs(
        found=(),
        complete=complete,
        tried=tried.total(),
        tried_by_template=dict(sorted(tried.items())),
        candidates=len(candidates),
        passing=len(examples.passing),
        undecided=_different(repair_search_best_first(passed, sources)),
    )
    return repairs_with_edited_definitions(found, program, definitions)


def search_partial_patches(
    program: Program,
    units: Sequence[UnitId],
    examples: PatchValidationTests,
    gained: Callable[[RepairSchemataVariant], tuple[Gain, int] | None],
    clock: BudgetClock,
) -> Repairs:
    """The likeliest edits at ``units`` that gain most, and break nothing; of those that gain as much the best first.

    ``gained`` is what an edit gains, with the number of passing examples that it leaves on their way; None where it
    gains nothing. ``mended`` of the answer may be 0: the right beginning of some outputs is longer then.
    """
    sources = read_texts_for_repair_schemata(program)
    if sources is None:
        return Repairs(found=(), complete=False, passing=len(examples.passing))
    candidates, definitions = _candidates(program, sources, units, examples)
    plain = [one for one in candidates if not one.has_hole][: policy().given_tests.partial_edits]
    edits = RepairSchemataMaker(program, sources)
    edits.prepare()
    whole = RepairSchemataProgram(edits, plain)
    gains: dict[int, Gain] = {}
    passed: list[PassedRepairTrial] = []
    complete = True
    for place, candidate in enumerate(plain):
        if clock():
            complete = False
            break
        variant = whole.variant(place)
        gain = None if variant is None else gained(variant)
        if gain is not None:
            gains[place] = gain[0]
            fit = PatchValidationResult(gain[1] if examples.passing else None, evades=False)
            passed.append(PassedRepairTrial(candidate, place, fit))
    most = max(gains.values(), default=(0, 0))
    best = [
        trial for trial in passed if gains[trial.place] == most and edits.alone(trial.candidate) is not None
    ]
    found = Repairs(
        found=(),
        complete=complete,
        tried=len(plain),
        tried_by_template=dict(sorted(Counter(one.template for one in plain).items())),
        candidates=len(candidates),
        passing=len(examples.passing),
        undecided=_different(repair_search_best_first(best, sources)),
        mended=most[0],
    )
    return repairs_with_edited_definitions(found, program, definitions)


def _candidates(
    program: Program,
    sources: Mapping[str, SourceText],
    units: Sequence[UnitId],
    examples: PatchValidationTests,
) -> tuple[list[Candidate], Sequence[EditableDefinitionSites]]:
    """Candidates in the order of trials, and the definitions that some of them edit."""
    covered = [execution.covered for execution in examples.failing]
    definitions = repair_search_definitions(program, sources, covered, examples.unwritten)
    candidates = repair_search_in_order(
        repair_search_candidates(program, sources, units, (), examples.unwritten, examples.expected),
        definitions,
        sources,
        {unit: place for place, unit in enumerate(units)},
    )
    return candidates, definitions


def _different(repairs: Iterable[Repair]) -> tuple[Repair, ...]:
    """``repairs`` without those after which the text is the same as after an earlier one."""
    found: dict[str, Repair] = {}
    for repair in repairs:
        found.setdefault(repair.diff, repair)
    return tuple(found.values())


def _variants(
    edits: RepairSchemataMaker, trials: Sequence[RepairTrial], passed: Sequence[PassedRepairTrial]
) -> Iterator[tuple[RepairTrial, RepairSchemataVariant | None]]:
    """Each trial with its program, None where it is none, but for trials of units with enough that have ``passed``.

    What can be read together comes first, as what is read alone takes ten times as long.
    """
    whole = RepairSchemataProgram(edits, [trial.candidate for trial in trials])
    alone: list[RepairTrial] = []
    for number, trial in enumerate(trials):
        if _has_enough(trial, passed):
            continue
        variant = whole.variant(number)
        if variant is None:
            alone.append(trial)
        else:
            yield trial, variant
    for trial in alone:
        if not _has_enough(trial, passed):
            yield trial, edits.alone(trial.candidate)


def _has_enough(trial: RepairTrial, passed: Sequence[PassedRepairTrial]) -> bool:
    return sum(one.unit == trial.candidate.unit for one in passed) >= policy().repair.most_for_a_unit
