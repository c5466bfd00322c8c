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
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import partial
from typing import final

from cfrontend.edit.candidate import Candidate
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
from sfo.program_repair.edited_definitions import repairs_with_edited_definitions
from sfo.program_repair.native_validation import NativeValidationVerdicts, native_validation_of_candidates
from sfo.program_repair.passed_trials import (
    PassedRepairTrial,
    repair_search_best_first,
    repair_search_trials_best_first,
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
    FIRST_REPAIR_STAGES,
    PROOF_OF_FIRST_REPAIRS,
    REPAIR_STAGES,
    RepairStage,
    RepairTrial,
    repair_search_trials,
    repair_trial_rounds,
    repair_trial_shares,
    repair_trials_in_order,
    repair_trials_in_turns,
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
    later_part: float = 1.0,
) -> Repairs:
    """The verified repairs at ``units``, of ``elsewhere`` that act elsewhere or add something, and of definitions.

    Those with which failing executions read their inputs as before come first, among them first values that are
    missing, then small ones. Else the order is that of the units, and for one unit by how many passing executions go on
    as before, then by how likely such a slip is. So many ``jobs`` look for them at the same time. What the ``clock``, a
    limit or Ctrl-C ends has what was found by then. Unless ``native`` executions are off, a compiled program rejects
    most candidates first. What stands behind the first stages has ``later_part`` of the effort left, where these found
    a repair with which executions go on as before.
    """
    sources = read_texts_for_repair_schemata(program)
    if sources is None:
        return Repairs(found=(), complete=False, passing=len(executions.passing))
    unwritten = executions.unwritten
    covered = [execution.covered for execution in executions.failing]
    definitions = repair_search_definitions(program, sources, covered, unwritten)
    known = (definition.unit.id for definition in definitions)
    places = {unit: place for place, unit in enumerate((*units, *elsewhere, *known))}
    sifted = _Sifted(complete=False)
    candidates: list[Candidate] = []
    try:
        candidates = repair_search_in_order(
            repair_search_candidates(program, sources, units, elsewhere, unwritten, executions.expected),
            definitions,
            sources,
            places,
            small_first=program.reference is None,
        )
        edits = RepairSchemataMaker(program, sources)
        sifted = _sifted(edits, candidates, executions, clock, jobs, native, later_part)
        sifted = _first_proved(edits, executions, clock, sifted, jobs)
        sifted = _hollow_last(edits, executions, clock, sifted)
        sifted = _plausible_of_one_execution(edits, executions, clock, sifted)
    except KeyboardInterrupt as error:
        sifted = replace(sifted, stop=halt_reason_of(error))
    repairs = repair_search_best_first(sifted.found, sources)
    without = places.keys() - {repair.unit for repair in repairs}
    undecided = [item for item in sifted.undecided if item.unit in without]
    made = Repairs(
        found=tuple(repairs),
        complete=sifted.complete,
        tried=sifted.tried,
        tried_by_template=dict(sorted(sifted.by_template.items())),
        candidates=len(candidates),
        passing=len(executions.passing),
        stop=sifted.stop,
        refuting=sifted.learned,
        undecided=tuple(repair_search_best_first(undecided, sources)),
        keep_known=any(_explains(item.fit, len(executions.passing)) for item in sifted.found),
        one_execution=sifted.one_execution,
        left_out=executions.left_out,
    )
    return repairs_with_edited_definitions(made, program, definitions)


def _explains(fit: PatchValidationResult, passing: int) -> bool:
    """True if what an edit changes may be all that is wrong, as far as the ``passing`` executions show."""
    return fit.behaviour != "changed" and fit.keeps_known and is_enough_kept_by_repair(fit.kept, passing)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Sifted:
    """Result of a search: verified candidates, ``undecided`` ones, and the executions that refuted others.

    ``by_template`` counts the candidates that were held against executions; ``complete``: none is left. ``decided``,
    ``deferred`` and ``counted`` are the numbers of trials; ``goes_on``: executions go on as before after some repair.
    ``one_execution``: none was found but of the program's one execution, and those are ``undecided``.
    """

    found: tuple[PassedRepairTrial, ...] = ()
    undecided: tuple[PassedRepairTrial, ...] = ()
    learned: tuple[Execution, ...] = ()
    by_template: Counter[str] = field(default_factory=Counter)
    complete: bool = True
    stop: Stop | None = None
    decided: frozenset[int] = frozenset()
    deferred: frozenset[int] = frozenset()
    counted: frozenset[int] = frozenset()
    goes_on: bool = False
    one_execution: bool = False

    @property
    def tried(self) -> int:
        """Candidates that were held against executions."""
        return self.by_template.total()


def _sifted(
    edits: RepairSchemataMaker,
    candidates: Sequence[Candidate],
    executions: PatchValidationTests,
    clock: BudgetClock,
    jobs: int,
    native: Native,
    later_part: float,
) -> _Sifted:
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
    rejected = Counter(candidates[place].template for place in known.rejected)
    small_first = edits.program.reference is None
    trials = list(repair_search_trials(candidates, known))
    trials = repair_trials_in_order(trials, known.beyond, small_first=small_first)
    whole = RepairSchemataProgram(edits, [trial.candidate for trial in trials])
    baseline = None if clock() else before.baseline
    search, stop = _Search(edits, executions, clock, _Sifted(by_template=rejected), baseline), None
    try:
        search.sift(trials, whole, jobs, later_part)
        # Two faults are less likely than one that was not come to: sets of units are looked for behind this.
        if search.may_find_more(len(executions.passing)):
            clock.extend(min(policy().repair.again_seconds, effort))
            if not clock():
                search.complete = True
                search.sift(trials, whole, jobs, later_part)
    except KeyboardInterrupt as error:
        stop, search.complete = halt_reason_of(error), False
    failing = [execution for execution in known.confirmed if execution.outcome == "fail"]
    sifted = search.sifted(stop)
    return replace(sifted, learned=(*failing, *sifted.learned))


def _first_proved(
    edits: RepairSchemataMaker,
    executions: PatchValidationTests,
    clock: BudgetClock,
    sifted: _Sifted,
    jobs: int,
) -> _Sifted:
    """The result with the plausible patches of the first units verified, which has effort of its own.

    What is shown first should be proved; which edits are the first is known only when all were tried.
    """
    if sifted.stop is not None or not sifted.undecided:
        return sifted
    clock.extend(policy().repair.proof_seconds)
    search, stop = _Search(edits, executions, clock, sifted), sifted.stop
    try:
        search.prove_first(repair_search_trials_best_first((*sifted.found, *sifted.undecided)), jobs)
    except KeyboardInterrupt as error:
        stop = halt_reason_of(error)
    return search.sifted(stop)


def _hollow_last(
    edits: RepairSchemataMaker, executions: PatchValidationTests, clock: BudgetClock, sifted: _Sifted
) -> _Sifted:
    """The result with hollow edits among those that likely overfit: code is dead after them that was not before.

    The first one of each unit is asked about: which unit is the first in the ranking is known only behind this.
    """
    firsts: dict[UnitId, PassedRepairTrial] = {}
    for item in repair_search_trials_best_first(sifted.found):
        if item.fit.behaviour != "changed":
            firsts.setdefault(item.unit, item)
    if not firsts:
        return sifted
    clock.extend(policy().validation.search_seconds)
    before = reachable_units(edits.program, executions, clock)
    if not before:
        return sifted
    hollow: list[PassedRepairTrial] = []
    for item in list(firsts.values())[: policy().repair.asked_whether_hollow]:
        clock.extend(policy().validation.search_seconds)
        edited = edits.alone(item.candidate)
        if edited is None:
            break
        ids = unit_ids_after_edit_of_schemata(edited.program.units, edits.program.units)
        after = reachable_units(edited.program, executions, clock, ids, before)
        if after is not None and not before & frozenset(ids.values()) <= after:
            hollow.append(item)
    found = [replace(i, fit=replace(i.fit, evades=True)) if i in hollow else i for i in sifted.found]
    return replace(sifted, found=tuple(found))


def _plausible_of_one_execution(
    edits: RepairSchemataMaker, executions: PatchValidationTests, clock: BudgetClock, sifted: _Sifted
) -> _Sifted:
    """The result with verified repairs as plausible patches, where program and edited program have one execution.

    A proof about that execution says no more than a test. Edits that likely overfit to it are none.
    """
    clock.extend(policy().validation.search_seconds)
    if not sifted.found or not patch_validation_is_of_one_execution(edits.program, executions, clock):
        return sifted
    verified: list[PassedRepairTrial] = []
    plausible: list[PassedRepairTrial] = []
    for item in sifted.found:
        clock.extend(policy().validation.search_seconds)
        edited = edits.alone(item.candidate)
        is_alone = edited is None or patch_validation_has_one_execution(edited, executions, clock)
        if is_alone is False:
            verified.append(item)
        elif item.fit.behaviour != "changed":
            plausible.append(item)
    return replace(
        sifted,
        found=tuple(verified),
        undecided=(*plausible, *sifted.undecided),
        one_execution=not verified,
    )


@final
@dataclass(frozen=True, slots=True)
class _Plausible:
    """A trial, and its number, that does well on all known executions with ``value`` in its hole: a proof is left.

    ``learned`` is how many executions that refuted others it was held against.
    """

    number: int
    trial: RepairTrial
    variant: RepairSchemataVariant
    value: int
    fit: PatchValidationResult
    learned: int


def _prove_one_of(batch: Sequence[PassedRepairTrial], search: _Search, place: int) -> None:
    """Verify the plausible patch of a part of the work."""
    search.prove_plausible(batch[place])


@final
class _Search:
    """Candidates through all sieves, from what was found ``before`` on, as one of so many ``parts`` of a stage.

    ``found`` is verified, ``undecided`` small and not, ``learned`` are executions that refuted one. ``by_template``
    counts those that were held against the known executions, ``complete``: none is left but at units with enough
    repairs.
    """

    def __init__(
        self,
        edits: RepairSchemataMaker,
        executions: PatchValidationTests,
        clock: BudgetClock,
        before: _Sifted,
        baseline: PatchValidationBaseline | None = None,
        parts: int = 1,
    ) -> None:
        self._edits = edits
        self._runs = executions
        self._clock = clock
        self._baseline = baseline
        self._parts = parts
        self._terms = Terms()
        self.goes_on = before.goes_on
        self.found = [*before.found]
        self.undecided = [*before.undecided]
        self.learned = [*before.learned]
        self.by_template = Counter(before.by_template)
        self.complete = before.complete
        self._decided = {*before.decided}
        self._deferred = {*before.deferred}
        self._counted = {*before.counted}
        self._surest = 0
        original = RepairSchemataVariant(edits.program, None)
        self._sieve = PatchValidation(original, executions, self.learned, self._terms, clock, baseline)

    def may_find_more(self, passing: int) -> bool:
        """True if candidates are left, and nothing that was found may be all that is wrong: it seems to overfit."""
        return not self.complete and not any(
            _explains(item.fit, passing) for item in (*self.found, *self.undecided)
        )

    def sifted(self, stop: Stop | None) -> _Sifted:
        """What was found so far, and what ended it from outside."""
        return _Sifted(
            found=tuple(self.found),
            undecided=tuple(self.undecided),
            learned=tuple(self.learned),
            by_template=self.by_template,
            complete=self.complete,
            stop=stop,
            decided=frozenset(self._decided),
            deferred=frozenset(self._deferred),
            counted=frozenset(self._counted),
            goes_on=self.goes_on,
        )

    def sift(
        self, trials: Sequence[RepairTrial], whole: RepairSchemataProgram, jobs: int, later_part: float
    ) -> None:
        """Try ``trials``: first until each unit has one repair, as the ranking needs.

        ``whole`` has their candidates. Then further ones of the same units. Those with which no execution goes on wait
        for the others. What is read alone takes ten times as long, and waits, too; it has some time in any case where
        the others gave nothing. What stands behind the first stages has ``later_part`` of the effort left where these
        found a repair with which executions go on as before.
        """
        for place, stage in enumerate(REPAIR_STAGES):
            numbers = (
                repair_trials_in_turns(self._deferred, trials)
                if stage.strangers == "only"
                else range(len(trials))
            )
            asked = [n for n in numbers if n not in self._decided and stage.takes(trials[n])]
            if asked and (not self.goes_on or stage.is_always_tried):
                self._clock.extend(stage.seconds)
            elif self.goes_on and place == FIRST_REPAIR_STAGES:
                self._clock.restart(later_part * max(0.0, self._clock.left))
            shares = repair_trial_shares(asked, trials, self._clock.left)
            if len(shares) > 1:
                self._sift_in_parts(trials, whole, shares, stage, jobs)
            else:
                self._sift(trials, whole, asked, stage)

    def _sift_in_parts(
        self,
        trials: Sequence[RepairTrial],
        whole: RepairSchemataProgram,
        shares: Sequence[Sequence[int]],
        stage: RepairStage,
        jobs: int,
    ) -> None:
        """One stage in parts, each of which tries its share of the trials."""
        whole.prepare()  # once for all parts

        def sift(search: _Search, part: int) -> None:
            search._sift(trials, whole, shares[part], stage)

        self._work_in_parts(sift, len(shares), jobs)

    def _work_in_parts(self, work: Callable[[_Search, int], None], parts: int, jobs: int) -> None:
        """Do so many parts of a ``work``: all begin with what is known here, and none knows what another one finds."""
        before = self.sifted(None)

        def part(number: int) -> _Sifted:
            search = _Search(self._edits, self._runs, self._clock, before, self._baseline, parts)
            stop: Stop | None = None
            try:
                work(search, number)
            except KeyboardInterrupt as error:
                stop, search.complete = halt_reason_of(error), False
            return search.sifted(stop)

        answers, stop = work_in_parallel_parts(part, parts, self._clock, jobs)
        for answer in answers:
            self.found += answer.found[len(before.found) :]
            self.undecided += answer.undecided[len(before.undecided) :]
            self.learned += answer.learned[len(before.learned) :]
            self.by_template += answer.by_template - before.by_template
            self.goes_on = self.goes_on or answer.goes_on
            self.complete = self.complete and answer.complete
            self._decided |= answer.decided
            self._deferred |= answer.deferred
            self._counted |= answer.counted
        if stop is not None:
            raise Halt(stop)

    def _sift(
        self,
        trials: Sequence[RepairTrial],
        whole: RepairSchemataProgram,
        asked: Sequence[int],
        stage: RepairStage,
    ) -> None:
        """One stage: the plausible edits of a round have their proofs behind it, as these can take all of the effort.

        Where a unit has a plausible one that waits, its others wait for the proof.
        """
        rounds, queue = repair_trial_rounds(asked, trials), deque(asked)
        waiting: list[int] = []
        plausible: list[_Plausible] = []
        self._surest = 0
        this, enough = 0, self._clock.left * (1.0 - policy().repair.part_before_proofs)
        while queue or plausible:
            if plausible and (not queue or rounds[queue[0]] != this or self._clock.left < enough):
                self._prove(plausible, stage)
                queue.extendleft(reversed(waiting))
                waiting.clear()
                continue
            number = queue.popleft()
            trial, this = trials[number], rounds[number]
            if self._has_enough(trial.candidate, stage):
                continue
            if trial.strays and stage.strangers == "later":
                self._deferred.add(number)
            elif any(one.trial.candidate.unit == trial.candidate.unit for one in plausible):
                waiting.append(number)
            elif not self._begin(trial, stage):
                self.complete = False
                queue.clear()
            elif ((variant := whole.variant(number)) is None) == stage.alone or trial.passes_natively:
                variant = variant or self._edits.alone(trial.candidate)
                is_decided = variant is None or self._look(number, trial, variant, stage, plausible)
                if trial.place not in self._counted:
                    self._counted.add(trial.place)
                    self.by_template[trial.candidate.template] += 1
                (self._decided if is_decided else self._deferred).add(number)

    def _begin(self, trial: RepairTrial, stage: RepairStage) -> bool:
        """Begin a trial, with effort of its own where a stage makes it in any case; false where there is none left."""
        if trial.keeps == "nearly all" and self._surest * self._parts < stage.surest:
            self._surest += 1
            self._clock.extend(policy().repair.seconds_of_surest)
        return not self._clock()

    def prove_first(self, order: Sequence[PassedRepairTrial], jobs: int) -> None:
        """Verify plausible patches in this ``order``, one of a unit, until so many units have a verified one."""
        asked: set[PassedRepairTrial] = set()
        while not self._clock():
            verified = {one.unit for one in self.found}
            chosen: dict[UnitId, PassedRepairTrial | None] = {}
            for item in order:
                if len(chosen) >= policy().repair.proved_first:
                    break
                if item.unit not in chosen and (item.unit in verified or item not in asked):
                    chosen[item.unit] = None if item.unit in verified else item
            batch = [item for item in chosen.values() if item is not None]
            if not batch:
                break
            asked.update(batch)
            self.undecided = [item for item in self.undecided if item not in batch]
            self._work_in_parts(partial(_prove_one_of, batch), len(batch), jobs)

    def prove_plausible(self, item: PassedRepairTrial) -> None:
        """Verify one plausible patch with all the effort there is; it is undecided where that is not enough."""
        variant = self._edits.alone(item.candidate)
        trial = RepairTrial(item.candidate, item.place, "plain", passes_natively=True)
        is_decided = False
        try:
            if variant is not None:
                one = _Plausible(0, trial, variant, 0, item.fit, learned=0)
                is_decided = self._is_proved(one, 1, PROOF_OF_FIRST_REPAIRS)
        finally:  # also where something ends the proof
            if not is_decided:
                self.undecided.append(item)

    def _has_enough(self, candidate: Candidate, stage: RepairStage) -> bool:
        """True if the unit of a candidate needs no further repair in a stage."""
        most = 1 if stage.one or candidate.size == "large" else policy().repair.most_for_a_unit
        if not stage.proves and any(item.unit == candidate.unit for item in self.undecided):
            return True
        own = (item for item in self.found if item.unit == candidate.unit)
        return sum(stage.strangers != "later" or not self._strays(item.fit) for item in own) >= most

    def _strays(self, fit: PatchValidationResult) -> bool:
        """True if a candidate likely overfits as far as is known, so that others of its unit may be better.

        Where no passing execution is known at all, none can tell one candidate from another.
        """
        return fit.behaviour == "changed" or (fit.behaviour == "unknown" and bool(self._runs.passing))

    def _look(
        self,
        number: int,
        trial: RepairTrial,
        variant: RepairSchemataVariant,
        stage: RepairStage,
        plausible: list[_Plausible],
    ) -> bool:
        """Validate a candidate; false where it waits: it likely overfits, or effort was short.

        Where it does well it is one of ``plausible``, which have their proofs later.
        """
        if trial.refuting is not None and not self._sieve.does_well(variant, trial.refuting):
            return True
        value, fit = self._filled(trial, variant, stage)
        if fit is None:
            return self._is_decided()
        if self._strays(fit) and stage.strangers == "later":
            return False
        plausible.append(_Plausible(number, trial, variant, value, fit, len(self.learned)))
        return True

    def _is_decided(self) -> bool:
        """Whether an execution or a question said no: one that had to end for want of effort says nothing."""
        is_decided = not self._clock()
        self.complete = self.complete and is_decided
        return is_decided

    def _prove(self, plausible: list[_Plausible], stage: RepairStage) -> None:
        """Verify the ``plausible`` candidates, each with its part of the effort left, and have none of them left."""
        while plausible:
            one = plausible.pop(0)
            if self._has_enough(one.trial.candidate, stage):
                self._decided.discard(one.number)
            elif not stage.proves:
                filled = one.trial.candidate.filled(one.value)
                if self._edits.alone(filled) is not None:
                    self.undecided.append(PassedRepairTrial(filled, one.trial.place, one.fit))
            elif not self._is_proved(one, 1 + len(plausible), stage):
                self._decided.discard(one.number)
                self._deferred.add(one.number)

    def _is_proved(self, one: _Plausible, waiting: int, stage: RepairStage) -> bool:
        """Verify a candidate, the first one of so many; false where it waits, as for ``_look``."""
        trial, variant, candidate = one.trial, one.variant, one.trial.candidate
        value, fit, learned = one.value, one.fit, one.learned
        for _ in range(policy().repair.rounds if candidate.has_hole else 1):
            if learned != len(self.learned):
                again = self._filled(trial, variant, stage)
                if again[1] is None:
                    return self._is_decided()
                value, fit, learned = again[0], again[1], len(self.learned)
            if self._strays(fit) and stage.strangers == "later":
                return False
            if fit.skips or not fit.is_shown:
                beyond = patch_validation_passes_beyond(variant, value, self._runs, self._terms, self._clock)
                if beyond is None and not fit.is_shown:
                    return self._is_decided()
                if fit.skips and beyond is not None and self._sieve.keeps(variant, beyond, value):
                    fit = replace(fit, evades=False)
            filled = candidate.filled(value)
            answer: Found = patch_validation_guess(variant, value, self._runs, self._terms, self._clock)
            if answer is None:
                # Proved about the edited file itself: with all candidates in one program, a loop whose test folds may
                # look as if it did not, so that the bound would mean something else.
                is_alone = variant.number == 0 and not candidate.has_hole
                edited = variant if is_alone else self._edits.alone(filled)
                if edited is None:
                    return True
                with self._clock.within(self._clock.left / waiting):
                    answer = patch_validation_refutation(edited, value, self._runs, self._clock)
            if isinstance(answer, Execution):
                self._sieve.learn(answer)
                continue
            if answer is None:
                self.found.append(PassedRepairTrial(filled, trial.place, fit))
                if not self._strays(fit):
                    self.goes_on = True
            elif fit.behaviour != "changed":
                self.undecided.append(PassedRepairTrial(filled, trial.place, fit))
            return True
        return True

    def _filled(
        self, trial: RepairTrial, variant: RepairSchemataVariant, stage: RepairStage
    ) -> tuple[int, PatchValidationResult | None]:
        """Choose a constant for the hole of a candidate of ``trial``, 0 where it has none, and validate it.

        The second answer is the result on the executions; None: the candidate is no repair. A ``stage`` that defers
        those that likely overfit has no more of these than that.
        """
        candidate, passes_natively = trial.candidate, trial.passes_natively
        defers = stage.strangers == "later"
        for value in policy().repair.usual if candidate.initializes and candidate.has_hole else ():
            if (fit := self._sieve.fit(variant, value, only_without_straying=defers)) is not None:
                return value, fit
        found = self._sieve.fill(variant, self._edits.constant_at(candidate)) if candidate.has_hole else 0
        if found is None:
            return 0, None
        guards = bool(candidate.guard)
        return found, self._sieve.fit(
            variant, found, guards=guards, only_without_straying=defers, passes_natively=passes_natively
        )
