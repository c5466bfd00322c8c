"""Program repair by templates: small edits after which no failing execution remains within the bound.

Candidates are the edits of ``cfrontend.edit.unit_sites`` at units that could save every failing execution. They are
all in one program, chosen by a variable, and go through three sieves:

    the failing inputs pass  ->  the passing inputs still pass  ->  no input within the bound fails

The last one is a question to the solver about the edited file itself, asked only of what the concrete executions let
through. It is proof within the bound, not in general; to be less at the mercy of a small bound, a failing execution
is also looked for within a larger one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import field, replace
from typing import final

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.text import SourceText
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.terms import Terms
from cfrontend.units import UnitId
from sfo.core.budget import BudgetClock
from sfo.core.executions import Execution, Native
from sfo.core.halt import Halt, Stop, halt_reason_of
from sfo.core.parallel import work_in_parallel_parts
from sfo.core.policy import policy
from sfo.core.repairs import Repairs, is_enough_kept_by_repair
from sfo.oracles.protocol import Found
from sfo.program_repair.candidates import (
    repair_search_candidates,
    repair_search_definitions,
    repair_search_in_order,
)
from sfo.program_repair.native_validation import NativeValidationVerdicts, native_validation_of_candidates
from sfo.program_repair.passed_trials import (
    PassedRepairTrial,
    repair_search_best_first,
    repair_search_trials_best_first,
    repairs_with_edited_definitions,
)
from sfo.program_repair.patch_validation import (
    PatchValidation,
    PatchValidationBaseline,
    PatchValidationResult,
    new_patch_validation,
    patch_validation_guess,
    patch_validation_has_one_execution,
    patch_validation_is_of_one_execution,
    patch_validation_passes_beyond,
    patch_validation_refutation,
    reachable_units,
)
from sfo.program_repair.schemata import (
    RepairSchemataMaker,
    RepairSchemataProgram,
    RepairSchemataVariant,
    read_texts_for_repair_schemata,
    unit_ids_after_edit_of_schemata,
)
from sfo.program_repair.trials import (
    Evidence,
    RepairTrial,
    repair_search_trials,
    repair_trials_in_order,
)
from sfo.program_repair.validation_tests import PatchValidationTests


def search_repairs(
    program: Program,
    units: Sequence[UnitId],
    elsewhere: Sequence[UnitId],
    executions: PatchValidationTests,
    clock: BudgetClock,
    jobs: int = 1,
    native: Native = "sandboxed",
    *,
    thorough: bool = False,
) -> Repairs:
    """The verified repairs at ``units``, of ``elsewhere`` that act elsewhere or add something, and of definitions.

    The likeliest candidates are tried, those first for which native executions speak, unless these are off; a compiled
    program rejects most. The search ends with a repair that may be all that is wrong, unless it is ``thorough``. So
    many ``jobs`` look for repairs at the same time. What the ``clock``, a limit or Ctrl-C ends has what was found by
    then.
    """
    sources = read_texts_for_repair_schemata(program)
    if sources is None:
        return Repairs(found=(), complete=False, passing=len(executions.passing))
    definitions = repair_search_definitions(program, sources, executions)
    known = (definition.unit.id for definition in definitions)
    places = {unit: place for place, unit in enumerate((*units, *elsewhere, *known))}
    progress, candidates = _Progress(complete=False), list[Candidate]()
    try:
        candidates = repair_search_in_order(
            repair_search_candidates(
                program, sources, units, elsewhere, executions.unwritten, executions.expected
            ),
            definitions,
            sources,
            places,
        )
        edits = RepairSchemataMaker(program, sources)
        _sift(edits, candidates, executions, clock, jobs, native, progress, thorough=thorough)
        _doubt_proofs_of_one_execution(edits, executions, clock, progress)
    except KeyboardInterrupt as error:
        progress.stop = halt_reason_of(error)
    repairs = _repairs(progress, places, sources, executions)
    return repairs_with_edited_definitions(replace(repairs, candidates=len(candidates)), program, definitions)


def _repairs(
    progress: _Progress,
    places: Mapping[UnitId, int],
    sources: Mapping[str, SourceText],
    executions: PatchValidationTests,
) -> Repairs:
    """Repairs of a search as a report has them, without undecided candidates of units that have a verified one."""
    repairs = repair_search_best_first(progress.found, sources)
    without = places.keys() - {repair.unit for repair in repairs}
    undecided = [item for item in progress.undecided if item.unit in without]
    return Repairs(
        found=tuple(repairs),
        complete=progress.complete,
        tried=progress.by_template.total(),
        tried_by_template=dict(sorted(progress.by_template.items())),
        passing=len(executions.passing),
        stop=progress.stop,
        refuting=tuple(progress.learned),
        undecided=tuple(repair_search_best_first(undecided, sources)),
        keep_known=any(_explains(item.fit, len(executions.passing)) for item in progress.found),
        one_execution=progress.one_execution,
        left_out=executions.left_out,
    )


def _explains(fit: PatchValidationResult, passing: int) -> bool:
    """True if what an edit changes may be all that is wrong, as far as the ``passing`` executions show."""
    return fit.behaviour != "changed" and fit.keeps_known and is_enough_kept_by_repair(fit.kept, passing)


@final
@dataclass(slots=True, kw_only=True)
class _Progress:
    """Record of a search: verified candidates, ``undecided`` ones, and the ``learned`` executions that refuted others.

    ``plausible`` are the candidates that do well on all known executions and have no proof yet. ``by_template`` counts
    those that were held against executions; ``complete``: no other one is left, but at units with enough repairs.
    ``one_execution``: none was found but of the program's one execution, and those are ``undecided``.
    """

    found: list[PassedRepairTrial] = field(default_factory=list)
    undecided: list[PassedRepairTrial] = field(default_factory=list)
    learned: list[Execution] = field(default_factory=list)
    plausible: list[_Plausible] = field(default_factory=list)
    by_template: Counter[str] = field(default_factory=Counter)
    complete: bool = True
    stop: Stop | None = None
    one_execution: bool = False

    def copied(self) -> _Progress:
        """Copy of the progress, for a parallel part of the search."""
        return replace(self, **{name: copy(getattr(self, name)) for name in self.__slots__})

    def add(self, part: _Progress, before: _Progress) -> None:
        """Add what a ``part`` of the work found that all began with what was known ``before``."""
        self.found += part.found[len(before.found) :]
        self.undecided += part.undecided[len(before.undecided) :]
        self.learned += part.learned[len(before.learned) :]
        self.plausible += part.plausible[len(before.plausible) :]
        self.by_template += part.by_template - before.by_template
        self.complete = self.complete and part.complete

    def end(self, error: KeyboardInterrupt) -> None:
        """Note an interruption, which leaves the search incomplete."""
        self.stop, self.complete = halt_reason_of(error), False


def _sift(
    edits: RepairSchemataMaker,
    candidates: Sequence[Candidate],
    executions: PatchValidationTests,
    clock: BudgetClock,
    jobs: int,
    native: Native,
    progress: _Progress,
    *,
    thorough: bool,
) -> None:
    """``candidates`` through all sieves."""
    edits.prepare()
    effort, known = clock.left, NativeValidationVerdicts()
    before = new_patch_validation(edits.program, executions, clock)
    if native != "off":
        # What is rejected natively would take many times as long in the interpreter: it has no part in that effort.
        known = native_validation_of_candidates(edits, candidates, executions, clock, jobs, native, before)
        clock.restart(effort)
    if known.confirmed:
        executions = executions.with_further(others=known.confirmed)
    trials = repair_trials_in_order(repair_search_trials(candidates, known))
    progress.by_template.update(candidates[place].template for place in known.rejected)
    progress.complete = True
    whole = RepairSchemataProgram(edits, [trial.candidate for trial in trials])
    search = _Search(edits, executions, clock, progress, whole, trials, None if clock() else before.baseline)
    try:
        search.run(jobs, thorough=thorough)
        search.mark_hollow()
    except KeyboardInterrupt as error:
        progress.end(error)
    finally:
        search.leave_plausible()
    progress.learned[:0] = [execution for execution in known.confirmed if execution.outcome == "fail"]


def _doubt_proofs_of_one_execution(
    edits: RepairSchemataMaker, executions: PatchValidationTests, clock: BudgetClock, progress: _Progress
) -> None:
    """Take verified repairs for plausible patches, where program and edited program have one execution.

    A proof about that execution says no more than a test. Edits that likely overfit to it are none.
    """
    clock.extend(policy().validation.search_seconds)
    if not progress.found or not patch_validation_is_of_one_execution(edits.program, executions, clock):
        return
    verified: list[PassedRepairTrial] = []
    plausible: list[PassedRepairTrial] = []
    for item in progress.found:
        clock.extend(policy().validation.search_seconds)
        edited = edits.alone(item.candidate)
        is_alone = edited is None or patch_validation_has_one_execution(edited, executions, clock)
        if is_alone is False:
            verified.append(item)
        elif item.fit.behaviour != "changed":
            plausible.append(item)
    progress.found, progress.undecided = verified, [*plausible, *progress.undecided]
    progress.one_execution = not verified


@final
@dataclass(frozen=True, slots=True)
class _Plausible:
    """Trial ``number``, that does well on all known executions with ``value`` in its hole: a proof is left.

    ``learned`` is how many executions that refuted others it was held against, -1 where it strays and was not held
    against all that are known.
    """

    number: int
    value: int
    fit: PatchValidationResult
    learned: int


@final
class _Search:
    """``trials`` through all sieves in their order, with what is known in ``progress``."""

    def __init__(
        self,
        edits: RepairSchemataMaker,
        executions: PatchValidationTests,
        clock: BudgetClock,
        progress: _Progress,
        whole: RepairSchemataProgram,
        trials: Sequence[RepairTrial],
        baseline: PatchValidationBaseline | None,
    ) -> None:
        self._edits = edits
        self._runs = executions
        self._clock = clock
        self._whole = whole
        self._trials = trials
        self._baseline = baseline
        self._terms = Terms()
        self._asked = list[PassedRepairTrial]()
        self._reachable: frozenset[UnitId] | None = None
        self.progress = progress
        original = RepairSchemataVariant(edits.program, None)
        self._sieve = PatchValidation(original, executions, progress.learned, self._terms, clock, baseline)

    def run(self, jobs: int, *, thorough: bool) -> None:
        """Validate and prove some trials after the other: all, or until a verified edit may be all that is wrong.

        Edits that likely overfit have their proofs only where there is none of these.
        """
        left, queue = deque(range(len(self._trials))), deque[int]()
        while left and (thorough or not self._explains()):
            queue = deque(left.popleft() for _ in range(min(policy().repair.at_once, len(left))))
            while queue and not self._clock():
                self._validate(queue)
                self._prove(jobs, strays=False)
            if queue:
                break
        self.progress.complete = self.progress.complete and not (left or queue)
        if all(item.fit.behaviour == "changed" for item in self.progress.found):
            self._prove(jobs, strays=True)
            if self.progress.plausible:
                self._is_decided()

    def _explains(self) -> bool:
        """True if a verified edit may be all that is wrong, and leaves no code dead."""
        passing = len(self._runs.passing)
        if any(_explains(item.fit, passing) for item in self.progress.found):
            self.mark_hollow()
        return any(_explains(item.fit, passing) for item in self.progress.found)

    def mark_hollow(self) -> None:
        """Mark hollow edits as ones that likely overfit: code is dead after them that was not before.

        The first one of each unit is asked about: which unit is the first in the ranking is known only behind this.
        """
        firsts: dict[UnitId, PassedRepairTrial] = {}
        for item in repair_search_trials_best_first(self.progress.found):
            if item.fit.behaviour != "changed":
                firsts.setdefault(item.unit, item)
        most = policy().repair.asked_whether_hollow - len(self._asked)
        left = [item for item in firsts.values() if item not in self._asked][:most]
        self._asked += left
        hollow = [item for item in left if self._is_hollow(item.candidate)]
        self.progress.found = [
            replace(item, fit=replace(item.fit, evades=True)) if item in hollow else item
            for item in self.progress.found
        ]

    def _is_hollow(self, candidate: Candidate) -> bool:
        """True if the solver knows units that inputs reach before an edit and none reaches behind it."""
        units, edited = self._edits.program.units, self._edits.alone(candidate)
        if edited is None or self._reachable == frozenset():
            return False
        self._clock.extend(policy().validation.search_seconds)
        if self._reachable is None:
            self._reachable = reachable_units(self._edits.program, self._runs, self._clock) or frozenset()
        self._clock.extend(policy().validation.search_seconds)
        ids = unit_ids_after_edit_of_schemata(edited.program.units, units)
        after = reachable_units(edited.program, self._runs, self._clock, ids, self._reachable)
        return after is not None and not self._reachable & frozenset(ids.values()) <= after

    def _validate(self, queue: deque[int]) -> None:
        """Hold trials of the ``queue`` against the known executions until half of the effort left is spent.

        Some that natively do well have effort of their own: an execution of a large program takes the interpreter long.
        """
        self._whole.prepare()
        surest, enough = policy().repair.surest, self._clock.left * (1.0 - policy().repair.part_before_proofs)
        while queue:
            trial = self._trials[queue[0]]
            if trial.evidence == Evidence.PASSES and surest > 0:
                surest -= 1
                self._clock.extend(policy().repair.seconds_of_surest)
            if self._clock() or self._clock.left < enough:
                break
            self._look(queue.popleft(), trial)

    def _work_in_parts(self, work: Callable[[_Search, int], None], parts: int, jobs: int) -> None:
        """Do so many parts of a ``work``: all begin with what is known here, and none knows what another one finds."""
        before = self.progress.copied()

        def part(number: int) -> _Progress:
            progress = before.copied()
            try:
                work(self._with(progress), number)
            except KeyboardInterrupt as error:
                progress.end(error)
            return progress

        answers, stop = work_in_parallel_parts(part, parts, self._clock, jobs)
        for answer in answers:
            self.progress.add(answer, before)
        if stop is not None:
            raise Halt(stop)

    def _with(self, progress: _Progress) -> _Search:
        """Copy of the search for a parallel part, with a ``progress`` of its own."""
        return _Search(
            self._edits, self._runs, self._clock, progress, self._whole, self._trials, self._baseline
        )

    def _look(self, number: int, trial: RepairTrial) -> None:
        """Validate a candidate: where it does well it is plausible."""
        self._clock.count(number, len(self._trials))
        if self._has_enough(trial.candidate):
            return
        variant = self._variant(number)
        if variant is not None and (trial.refuting is None or self._sieve.does_well(variant, trial.refuting)):
            value, fit = self._filled(trial, variant, only_without_straying=True)
            if fit is not None:
                known = -1 if self._strays(fit) else len(self.progress.learned)
                self.progress.plausible.append(_Plausible(number, value, fit, known))
            elif not self._is_decided():
                return
        self.progress.by_template[trial.candidate.template] += 1

    def _is_decided(self) -> bool:
        """Whether an execution or a question said no: one that had to end for want of effort says nothing."""
        is_decided = not self._clock()
        self.progress.complete = self.progress.complete and is_decided
        return is_decided

    def _variant(self, number: int) -> RepairSchemataVariant | None:
        """The edited program of a trial: with all others in one, else read alone, which takes ten times as long."""
        return self._whole.variant(number) or self._edits.alone(self._trials[number].candidate)

    def _has_enough(self, candidate: Candidate) -> bool:
        """True if the unit of a candidate needs no further repair."""
        most = 1 if candidate.size == "large" else policy().repair.most_for_a_unit
        return sum(item.unit == candidate.unit for item in self.progress.found) >= most

    def _strays(self, fit: PatchValidationResult) -> bool:
        """True if a candidate likely overfits as far as is known, so that others of its unit may be better.

        Where no passing execution is known at all, none can tell one candidate from another. Of one that ``skips`` what
        was violated it is known only when a passing execution that comes there has been looked for.
        """
        if fit.skips:
            return False
        return fit.behaviour == "changed" or (fit.behaviour == "unknown" and bool(self._runs.passing))

    def _prove(self, jobs: int, *, strays: bool) -> None:
        """Verify the plausible candidates that do stray, or do not, the best first and one of a unit at a time."""
        while not self._clock():
            chosen: dict[UnitId, _Plausible] = {}
            for one in self._best_first():
                unit = self._trials[one.number].candidate.unit
                if len(chosen) < policy().repair.parts and self._strays(one.fit) == strays:
                    chosen.setdefault(unit, one)
            batch = list(chosen.values())
            if not batch:
                break
            self.progress.plausible = [one for one in self.progress.plausible if one not in batch]

            def prove(search: _Search, part: int, batch: Sequence[_Plausible] = batch) -> None:
                search._verify(batch[part])

            self._work_in_parts(prove, len(batch), jobs)

    def _best_first(self) -> list[_Plausible]:
        """The plausible candidates of units without enough repairs, the best first."""
        by_item = {self._passed(one): one for one in self.progress.plausible}
        best = repair_search_trials_best_first([*by_item])
        return [by_item[item] for item in best if not self._has_enough(item.candidate)]

    def _passed(self, one: _Plausible) -> PassedRepairTrial:
        trial = self._trials[one.number]
        return PassedRepairTrial(trial.candidate.filled(one.value), trial.place, one.fit)

    def leave_plausible(self) -> None:
        """Take the plausible candidates without a proof for undecided, unless they likely overfit."""
        left = [self._passed(one) for one in self.progress.plausible if one.fit.behaviour != "changed"]
        self.progress.undecided += [one for one in left if self._edits.alone(one.candidate) is not None]
        self.progress.plausible = []

    def _verify(self, one: _Plausible) -> None:
        """Verify a plausible candidate; it is undecided where the effort is not enough."""
        trial, variant = self._trials[one.number], self._variant(one.number)
        if variant is None:
            return
        value, fit, learned = one.value, one.fit, one.learned
        for _ in range(policy().repair.rounds if trial.candidate.has_hole else 1):
            if learned != len(self.progress.learned):
                value, again = self._filled(trial, variant)
                if again is None:
                    self._is_decided()
                    return
                fit, learned = again, len(self.progress.learned)
            if fit.skips or not fit.is_shown:
                beyond = patch_validation_passes_beyond(variant, value, self._runs, self._terms, self._clock)
                if beyond is None and not fit.is_shown:
                    self._is_decided()
                    return
                if fit.skips:
                    is_kept = beyond is not None and self._sieve.keeps(variant, beyond, value)
                    fit = replace(fit, skips=False, evades=not is_kept)
                    if not is_kept:
                        self.progress.plausible.append(replace(one, value=value, fit=fit, learned=learned))
                        return
            filled = trial.candidate.filled(value)
            answer: Found = patch_validation_guess(variant, value, self._runs, self._terms, self._clock)
            if answer is None:
                # Proved about the edited file itself: with all candidates in one program, a loop whose test folds may
                # look as if it did not, so that the bound would mean something else.
                is_alone = variant.number == 0 and not trial.candidate.has_hole
                edited = variant if is_alone else self._edits.alone(filled)
                if edited is None:
                    return
                answer = patch_validation_refutation(edited, value, self._runs, self._clock)
            if isinstance(answer, Execution):
                self._sieve.learn(answer)
                continue
            if answer is None:
                self.progress.found.append(PassedRepairTrial(filled, trial.place, fit))
            elif fit.behaviour != "changed":
                self.progress.undecided.append(PassedRepairTrial(filled, trial.place, fit))
            return

    def _filled(
        self, trial: RepairTrial, variant: RepairSchemataVariant, *, only_without_straying: bool = False
    ) -> tuple[int, PatchValidationResult | None]:
        """Choose a constant for the hole of a candidate of ``trial``, 0 where it has none, and validate it.

        The second answer is the result on the executions; None: the candidate is no repair. ``only_without_straying``:
        where failing executions show that it likely overfits, that is all that is said of it.
        """
        candidate, passes_natively = trial.candidate, trial.passes_natively
        for value in policy().repair.usual if candidate.initializes and candidate.has_hole else ():
            if (fit := self._sieve.fit(variant, value)) is not None:
                return value, fit
        found = self._sieve.fill(variant, self._edits.constant_at(candidate)) if candidate.has_hole else 0
        if found is None:
            return 0, None
        guards = bool(candidate.guard)
        return found, self._sieve.fit(
            variant,
            found,
            guards=guards,
            only_without_straying=only_without_straying,
            passes_natively=passes_natively,
        )
