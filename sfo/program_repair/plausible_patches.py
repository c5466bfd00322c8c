"""Plausible patches: small edits after which all examples of input and output pass (test-suite based repair).

    for (i = 1; i < n; i++)   ->   for (i = 0; i < n; i++)        all of 5 examples pass, of which 2 failed

Nobody says what is right on other inputs, so that nothing is verified: any of them may overfit to the examples. Those
after which passing examples evaluate what they did before come first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

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

JudgedOnExamples: TypeAlias = Callable[[RepairSchemataVariant], tuple[int, int] | None]
"""Test oracle: how many passing examples a variant leaves on their way, and how many failing ones pass with it.

None where some example does not pass that has to.
"""


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
    covered = [execution.covered for execution in examples.failing]
    definitions = repair_search_definitions(program, sources, covered, examples.unwritten)
    candidates = repair_search_in_order(
        repair_search_candidates(program, sources, units, (), examples.unwritten, examples.expected),
        definitions,
        sources,
        {unit: place for place, unit in enumerate(units)},
    )
    edits = RepairSchemataMaker(program, sources)
    edits.prepare()
    left, verdicts = clock.left, NativeValidationVerdicts()
    if native != "off":
        verdicts = native_validation_of_candidates(edits, candidates, examples, clock, jobs, native)
        clock.restart(left)
    trials = [trial for trial in repair_search_trials(candidates, verdicts) if not trial.candidate.has_hole]
    tried = Counter(candidates[place].template for place in verdicts.rejected)
    passed: list[PassedRepairTrial] = []
    mended: dict[int, int] = {}
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
            fit = PatchValidationResult(goes[0] if examples.passing else None, evades=False)
            passed.append(PassedRepairTrial(trial.candidate, trial.place, fit))
            mended[trial.place] = goes[1]
    most = max(mended.values(), default=0)
    best = [trial for trial in passed if mended[trial.place] == most]
    found = Repairs(
        found=(),
        complete=complete,
        tried=tried.total(),
        tried_by_template=dict(sorted(tried.items())),
        candidates=len(candidates),
        passing=len(examples.passing),
        undecided=_different(repair_search_best_first(best, sources)),
        mended=most,
    )
    return repairs_with_edited_definitions(found, program, definitions)


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
