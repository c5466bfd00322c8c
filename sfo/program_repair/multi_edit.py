"""Program repair with two edits: pairs that together leave no failing execution.

    failing executions 1, 2, 3:   most = input2 -> least = input2  and  -input3 -> input3
        ->  both edits in one file: all three pass, passing ones still pass, and the solver finds no other failure

A compiled program with all edits in it tries every pair on all executions, the likelier ones first; those that do well
are verified. Where there is no such program, as without gcc, an edit counts when it saves some execution and lets no
passing one fail. Two of them are tried together when each failing execution is saved by one. An execution that fails by
both faults at once hides a pair then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, islice
from typing import Final, final

from cfrontend.edit.candidate import Candidate
from cfrontend.effort import SECOND, charge_effort
from cfrontend.errors import SfoError
from cfrontend.record import dataclass
from cfrontend.units import UnitId
from sfo.core.budget import BudgetClock
from sfo.core.executions import Execution, Native
from sfo.core.halt import Halt, Stop
from sfo.core.parallel import work_in_parallel_parts
from sfo.core.policy import policy
from sfo.core.repairs import RepairOfSeveralUnits, is_enough_kept_by_repair, place_of_kept_part
from sfo.execution.native.validate_patches import (
    BEYOND,
    FAILS,
    GOOD,
    LATE,
    STRAYS,
    Pair,
    ValidatePatchesNatively,
    can_validate_patches_natively,
)
from sfo.oracles.protocol import UnknownOracleAnswer
from sfo.program_repair.candidates import repair_search_in_rounds
from sfo.program_repair.native_validation import (
    native_validation_confirmed,
    native_validation_population,
    native_validation_with_places,
)
from sfo.program_repair.passed_trials import repair_search_diff, repair_search_place
from sfo.program_repair.patch_validation import (
    new_patch_validation,
    patch_validation_refutation,
)
from sfo.program_repair.schemata import (
    RepairSchemataMaker,
    RepairSchemataProgram,
    RepairSchemataVariant,
    schemata_candidate_reads,
)
from sfo.program_repair.validation_tests import PatchValidationTests

_FAILING: Final = frozenset({FAILS, BEYOND})
"""Answers for an edit that does not save all executions alone."""

_ENDED_BY_ONE: Final = frozenset({FAILS, LATE, BEYOND})
"""Answers after which the executions that are left are not executed."""


@final
@dataclass(frozen=True, slots=True)
class _Half:
    """A candidate that saves the failing executions with these numbers; ``place``: the earlier the likelier."""

    candidate: Candidate
    place: int
    saves: frozenset[int]


@final
@dataclass(frozen=True, slots=True)
class _Both:
    """Both edits of pairs of numbers: those of ``candidates``, or the ``first`` one in the text and one of these."""

    candidates: Mapping[int, Candidate]
    first: Candidate | None = None

    def of(self, pair: Pair) -> tuple[Candidate, Candidate]:
        """The two edits."""
        one, other = pair
        if self.first is not None:
            return self.first, self.candidates[one]
        return self.candidates[one], self.candidates[other]


@final
@dataclass(frozen=True, slots=True)
class _Saving:
    """Failing executions that candidates save, by their places; ``stop`` is what ended the work from outside."""

    saves: Mapping[int, frozenset[int]]
    stop: Stop | None = None


def find_multi_edit_repairs(
    edits: RepairSchemataMaker,
    candidates: Sequence[Candidate],
    able: Collection[UnitId],
    executions: PatchValidationTests,
    clock: BudgetClock,
    jobs: int = 1,
    native: Native = "sandboxed",
    definitions: Sequence[Candidate] = (),
) -> tuple[RepairOfSeveralUnits, ...]:
    """Pairs of ``candidates`` (the likelier ones first) at different units that are verified together.

    ``able`` are the units that may save some failing execution alone. The first pair of two units is enough; what
    ``clock`` ends has what was found by then. So many ``jobs`` hold candidates against executions. Where ``native``
    executions are off, only the interpreter tries. ``definitions`` are edits of what stands outside of the statements,
    each with the unit that uses it: one of them may be the one of two edits.
    """
    if native != "off":
        trials = _Trials(edits, _tried(candidates), definitions, executions, clock, jobs, native)
        if trials.are_possible():
            with suppress(SfoError):
                return tuple(trials.found())
    small = [c for c in candidates if c.size == "small" and not c.is_odd and c.unit in able]
    search = _Halves(edits, small, executions, clock)
    return tuple(search.found(search.halves(jobs)))


def _tried(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The likelier ones of ``candidates``, and behind them what programmers seldom slip by: the first of each unit.

    Of these none has a call that reads, as what it reads otherwise would not be the inputs that are known.
    """
    likely = [c for c in candidates if not c.is_odd]
    seldom = [c for c in candidates if c.is_odd and not schemata_candidate_reads(c)]
    turns = [seldom[place] for place in repair_search_in_rounds(seldom, small_first=True)]
    return [*likely[: policy().multi_edit.most_tried], *turns[: policy().multi_edit.most_seldom]]


@final
class _Trials:
    """Search for pairs of ``candidates`` in a compiled program that tries them all.

    ``failing`` grows with each execution that refutes an edit; the first ``known`` ones fail without any.
    """

    def __init__(
        self,
        edits: RepairSchemataMaker,
        candidates: Sequence[Candidate],
        definitions: Sequence[Candidate],
        executions: PatchValidationTests,
        clock: BudgetClock,
        jobs: int,
        native: Native,
    ) -> None:
        self._edits = edits
        self._native = native
        self._candidates = candidates
        self._definitions = definitions
        self._runs = executions
        self._clock = clock
        self._jobs = jobs
        self._failing = [native_validation_with_places(edits.program, one) for one in executions.failing]
        self._known = len(self._failing)
        self._alike: set[Pair] = set()
        self._near: tuple[Execution, ...] = ()
        self._reach: dict[Pair, tuple[int, int]] = {}
        self._edges_before = 0
        self._passing = [native_validation_with_places(edits.program, one) for one in executions.passing]
        self._verifier = _Verifier(edits, executions, clock)
        self._verify = self._verifier.answer

    def are_possible(self) -> bool:
        """True if the program can be compiled with edits in it, and given the inputs of all executions."""
        return can_validate_patches_natively(self._edits.program, (*self._failing, *self._passing))

    def found(self) -> Iterator[RepairOfSeveralUnits]:
        """The pairs that a compiled program does well with and that are verified, one of any two units.

        None where one edit alone may do. One that saves all failing executions alone, but is no repair, is left out, as
        nothing shows what another one would be for; so is one with which some execution does not end.
        """
        every = self._candidates
        fit = [every[place] for place in self._edits.fitting(every, range(len(every)))]
        in_one = self._edits.in_one(fit, self._clock)
        if in_one is None:
            return
        numbers, texts = in_one
        candidates = {number: fit[place] for place, number in sorted(numbers.items())}
        with ValidatePatchesNatively.of_pairs(
            self._edits.program, texts, self._jobs, self._seconds, self._native
        ) as trial:
            self._learn_population(trial)
            if self._may_do_alone(trial, candidates):
                return
            straying: list[Pair] = []
            for number, pairs in enumerate(self._in_order(trial, candidates)):
                apart = (pair for pair in pairs if candidates[pair[0]].unit != candidates[pair[1]].unit)
                left = self._plausible(trial, apart, straying)
                found = list(self._verified(trial, _Both(candidates), left))
                if not found and number == 0:
                    found = list(self._beside_definitions(fit))
                yield from found
                if found:
                    return
            left = self._good(trial, straying, self._failing)
            found = list(self._verified(trial, _Both(candidates), left, may_stray=True))
            yield from found or self._with_definitions(trial, candidates)

    def _learn_population(self, trial: ValidatePatchesNatively) -> None:
        """Make known what the program does on other inputs, on ways that differ, where the interpreter says so, too.

        Executions that pass tell edits that keep most of them on their way; those that fail refute others.
        """
        known = (*self._failing, *self._passing)
        most = int(max(0.0, self._clock.left) * SECOND / self._price)
        population = native_validation_population(trial, self._edits.program, known, most, self._seconds)
        for executions, into, number in (
            (population.failing, self._failing, policy().multi_edit.further_failing),
            (population.passing, self._passing, policy().multi_edit.further_passing),
        ):
            found = native_validation_confirmed(
                self._edits.program, population, executions[:number], number, self._clock
            )
            into += [native_validation_with_places(self._edits.program, one) for one in found.values()]
        self._near = (*self._failing, *self._passing, *population.failing, *population.passing)
        self._edges_before = trial.reach([(0, 0)], self._near, self._seconds)[0][0]

    def _beside_definitions(self, fit: Sequence[Candidate]) -> Iterator[RepairOfSeveralUnits]:
        """Pairs of an edit of a definition and one of the ``fit`` candidates, which are verified.

        The first one has to save some failing execution, not all of them, and to let no passing one fail. It is made in
        the text that holds the others, as no variable can choose the value of a constant.
        """
        further = self._runs.with_further(
            failing=self._failing[self._known :], passing=self._passing[len(self._runs.passing) :]
        )
        halves = _Halves(self._edits, self._definitions, further, self._clock).halves(self._jobs)
        some = [half for half in halves if len(half.saves) < len(further.failing)]
        for half in sorted(some, key=lambda half: -len(half.saves))[: policy().multi_edit.definitions]:
            edits, moved = self._edits.with_edit(half.candidate, fit)
            in_one = edits.in_one(list(moved.values()), self._clock)
            if in_one is None:
                return
            numbers, texts = in_one
            places = list(moved)
            candidates = {number: fit[places[n]] for n, number in sorted(numbers.items())}
            with ValidatePatchesNatively.of_pairs(
                self._edits.program, texts, self._jobs, self._seconds, self._native
            ) as trial:
                left = self._plausible(trial, ((number, 0) for number in candidates), [])
                found = list(self._verified(trial, _Both(candidates, half.candidate), left))
            yield from found
            if found:
                return

    def _with_definitions(
        self, trial: ValidatePatchesNatively, candidates: Mapping[int, Candidate]
    ) -> Iterator[RepairOfSeveralUnits]:
        """A verified pair of one of ``candidates``, those first that save the most, and an edit of a definition.

        No execution need fail by the definition alone. The interpreter tries these edits, with effort of its own.
        """
        if not self._definitions:
            return
        self._clock.extend(policy().multi_edit.definitions_seconds)
        saves: defaultdict[int, set[int]] = defaultdict(set)
        halves = self._good(trial, ((number, 0) for number in candidates), self._passing)
        for place, execution in enumerate(self._failing):
            for number, _ in self._good(trial, halves, [execution]):
                saves[number].add(place)
        some = [number for number, saved in saves.items() if len(saved) < len(self._failing)]
        first = sorted(some, key=lambda n: (-len(saves[n]), n))
        for number in first[: policy().multi_edit.beside_definitions]:
            known = [e for place, e in enumerate(self._failing) if place not in saves[number]]
            known += (*self._passing, *self._failing)
            if self._clock():
                return
            edits, moved = self._edits.with_edit(candidates[number], self._definitions)
            whole = RepairSchemataProgram(edits, list(moved.values()))
            for definition, place in enumerate(moved):
                variant = None if self._clock() else whole.variant(definition)
                if variant and all(self._verifier.sieve.does_well(variant, e) for e in known):
                    answer = self._verify(self._definitions[place], candidates[number], is_patient=True)
                    if isinstance(answer, RepairOfSeveralUnits):
                        yield answer
                        return

    def _plausible(
        self, trial: ValidatePatchesNatively, pairs: Iterable[Pair], strays: list[Pair]
    ) -> list[Pair]:
        """The pairs with which all executions do well.

        First come those with which executions go on the most edges between units: wrong ones mostly take something out.
        Then those that keep most passing executions on their way, those with which all print what they did, and those
        with the most ways. Where few executions pass, those that keep none are added to ``strays``.
        """
        kept: dict[Pair, int] = {}
        self._alike.clear()
        for pair, answer, at in self._asked(trial, pairs, (*self._failing, *self._passing)):
            if answer == GOOD:
                kept[pair] = at
            elif answer == STRAYS and at == 0 and len(self._passing) <= policy().multi_edit.few_passing:
                strays.append(pair)
        most = max(kept.values(), default=0)
        asked = self._asked(trial, kept, self._passing, print_alike=True)
        self._alike.update(pair for pair, answer, _ in asked if answer == GOOD)
        place = {p: (place_of_kept_part(kept[p], most), p not in self._alike) for p in kept}
        reach = self._reach = self._reached(trial, sorted(kept, key=place.__getitem__))
        return sorted(reach, key=lambda p: (-reach[p][0], place[p], -reach[p][1]))

    def _reached(self, trial: ValidatePatchesNatively, pairs: Sequence[Pair]) -> dict[Pair, tuple[int, int]]:
        """Coverage of edges and paths with ``pairs`` of edits, on known inputs and near them, as the effort allows."""
        price = self._price * len(self._near)
        asked = pairs[: int(policy().multi_edit.trying_part * max(0.0, self._clock.left) * SECOND / price)]
        charge_effort(price * len(asked))
        found = zip(asked, trial.reach(asked, self._near, self._seconds), strict=True)
        return dict.fromkeys(pairs, (0, 0)) | dict(found)

    def _verified(
        self,
        trial: ValidatePatchesNatively,
        both: _Both,
        left: list[Pair],
        *,
        may_stray: bool = False,
    ) -> Iterator[RepairOfSeveralUnits]:
        """Verified repairs by two edits: plausible pairs ``left`` that are proved, one of any two units.

        Beside a first edit in the text only some are tried that are refused: then this one is likely wrong.
        """
        is_beside, refused = both.first is not None, 0
        closed: set[frozenset[UnitId]] = set()
        while left and not self._clock() and len(closed) < policy().multi_edit.most:
            if is_beside and refused == policy().multi_edit.most_refused:
                return
            pair = left.pop(0)
            one, other = both.of(pair)
            units = frozenset((one.unit, other.unit))
            if len(units) == 1 or units in closed:
                continue
            reach = self._reach.get(pair, (0, 0))
            may = may_stray or reach[0] > self._edges_before
            answer = self._verify(one, other, may_stray=may, is_patient=is_beside)
            refused += answer is None
            if isinstance(answer, Execution):
                left = self._good(trial, left, [self._learned(answer)])
            elif isinstance(answer, RepairOfSeveralUnits):
                closed.add(units)
                yield replace(answer, prints_alike=pair in self._alike, reach=reach)

    def _may_do_alone(self, trial: ValidatePatchesNatively, candidates: Mapping[int, Candidate]) -> bool:
        """True if some candidate alone does well on all known executions, and no other execution refutes it."""
        alone = [(number, 0) for number in candidates]
        left = self._good(trial, alone, (*self._failing, *self._passing))
        while left and not self._clock():
            answer = self._verify(candidates[left.pop(0)[0]])
            if isinstance(answer, RepairOfSeveralUnits | UnknownOracleAnswer):
                return True
            if isinstance(answer, Execution):
                left = self._good(trial, left, [self._learned(answer)])
        return False

    def _in_order(
        self, trial: ValidatePatchesNatively, candidates: Mapping[int, Candidate]
    ) -> Iterator[Iterable[Pair]]:
        """Groups of pairs of ``candidates``, without those that save all executions alone: the likelier ones first.

        Most failing executions fail by one of two faults, so that the edit that undoes it saves them alone. First come
        pairs of which each saves some, those before that together save all; then those of which one does, and others,
        as one of two faults may hide what an edit of the other one does.
        """
        saves: dict[int, frozenset[int]] = {}
        alone = [(number, 0) for number in candidates]
        fit = [n for (n, _), answer, _ in self._asked(trial, alone, self._failing) if answer in _FAILING]
        halves = self._good(trial, [(number, 0) for number in fit], self._passing)
        for place, execution in enumerate(self._failing[: self._known]):
            for number, _ in self._good(trial, halves, [execution]):
                saves[number] = saves.get(number, frozenset()) | {place}
        pairs = _by_sum([number for number, _ in halves if number in saves])
        yield sorted(pairs, key=lambda p: len(saves[p[0]] | saves[p[1]]) < self._known)
        yield (p for p in _by_sum(fit) if (p[0] in saves) != (p[1] in saves))
        yield (p for p in _by_sum(fit) if p[0] not in saves and p[1] not in saves)

    def _learned(self, refuting: Execution) -> Execution:
        """An execution that refuted an edit, as one more that fails."""
        learned = native_validation_with_places(self._edits.program, refuting)
        if can_validate_patches_natively(self._edits.program, (learned,)):
            self._failing.append(learned)
        return learned

    def _good(
        self, trial: ValidatePatchesNatively, pairs: Iterable[Pair], executions: Sequence[Execution]
    ) -> list[Pair]:
        """Pairs with which ``executions`` do well; all pairs where the compiled program cannot follow them."""
        if not can_validate_patches_natively(self._edits.program, executions):
            return list(pairs)
        return [pair for pair, answer, _ in self._asked(trial, pairs, executions) if answer == GOOD]

    def _asked(
        self,
        trial: ValidatePatchesNatively,
        pairs: Iterable[Pair],
        executions: Sequence[Execution],
        *,
        print_alike: bool = False,
    ) -> Iterator[tuple[Pair, int, int]]:
        """As many of the first ``pairs`` as a part of the effort allows, with the answers of the compiled program.

        The number behind an answer is that of the last execution, or how many passing ones go on as before.

        Most pairs fail with the first execution. So parts of them are asked about until what they took is spent.
        """
        most = policy().multi_edit.trying_part * max(0.0, self._clock.left) * SECOND
        left = iter(pairs)
        while most > 0 and (part := list(islice(left, policy().multi_edit.asked_at_once))):
            answers, last = trial.validated(part, executions, self._seconds, print_alike=print_alike)
            count = sum(
                at + 1 if answer in _ENDED_BY_ONE else len(executions)
                for answer, at in zip(answers, last, strict=True)
            )
            charge_effort(self._price * count)
            most -= self._price * count
            yield from zip(part, answers, last, strict=True)

    @property
    def _price(self) -> int:
        """Effort of one native execution: a part of what the interpreter takes for a known one without an edit."""
        interpreted = self._verifier.sieve.effort_of_an_execution
        return policy().multi_edit.price + int(policy().multi_edit.native_part * interpreted)

    @property
    def _seconds(self) -> float:
        """Seconds that the compiler or the compiled program may take: the effort says how much is asked of them."""
        seconds = self._clock.seconds
        return (
            policy().multi_edit.most_seconds
            if seconds is None
            else min(seconds, policy().multi_edit.most_seconds)
        )


@final
class _Halves:
    """Search for pairs of ``candidates`` of which each saves some executions.

    ``failing`` grows with each execution that refutes a pair.
    """

    def __init__(
        self,
        edits: RepairSchemataMaker,
        candidates: Sequence[Candidate],
        executions: PatchValidationTests,
        clock: BudgetClock,
    ) -> None:
        self._edits = edits
        self._candidates = candidates
        self._runs = executions
        self._clock = clock
        self._failing = list(executions.failing)
        verifier = _Verifier(edits, executions, clock)
        self._verify, self._sieve = verifier.answer, verifier.sieve
        self._whole = RepairSchemataProgram(edits, candidates)

    def halves(self, jobs: int) -> list[_Half]:
        """The candidates that save some failing execution and leave the passing ones alone."""
        self._edits.prepare()
        shares = [
            range(part, len(self._candidates), policy().multi_edit.parts)
            for part in range(policy().multi_edit.parts)
        ]
        parts, stop = work_in_parallel_parts(
            lambda part: self._halves(shares[part]), policy().multi_edit.parts, self._clock, jobs
        )
        if stop is not None:
            raise Halt(stop)
        found = {place: saves for part in parts for place, saves in part.saves.items()}
        return [_Half(self._candidates[place], place, found[place]) for place in sorted(found)]

    def _halves(self, places: Sequence[int]) -> _Saving:
        """Validate the candidates at ``places`` one by one.

        Whatever a candidate saves is of no use if a passing execution fails with it.
        """
        whole = RepairSchemataProgram(self._edits, [self._candidates[place] for place in places])
        found: dict[int, frozenset[int]] = {}
        for number, place in enumerate(places):
            if self._clock():
                break
            candidate = self._candidates[place]
            if (variant := whole.variant(number)) is None:
                continue
            saves = self._saved(candidate, variant, 0)
            touched = (execution for execution in self._runs.passing if candidate.unit in execution.covered)
            if saves and all(self._sieve.does_well(variant, execution) for execution in touched):
                found[place] = saves
        return _Saving(found)

    def found(self, halves: Sequence[_Half]) -> Iterator[RepairOfSeveralUnits]:
        """The pairs of them that are verified, one of any two units; the likeliest ones are tried first."""
        closed: set[frozenset[UnitId]] = set()
        pairs = sorted(
            combinations(range(len(halves)), 2), key=lambda pair: sum(halves[n].place for n in pair)
        )
        current = list(halves)
        for one, other in pairs:
            if self._clock() or len(closed) == policy().multi_edit.most:
                return
            both = current[one], current[other]
            units = frozenset(half.candidate.unit for half in both)
            if len(units) == 1 or units in closed or not self._save_all(*both):
                continue
            answer = self._verify(*(half.candidate for half in both))
            if isinstance(answer, Execution):
                self._failing.append(answer)
                current = [self._saving(half, len(self._failing) - 1) for half in current]
            elif isinstance(answer, RepairOfSeveralUnits):
                closed.add(units)
                yield answer

    def _saving(self, half: _Half, first: int) -> _Half:
        """``half`` with what it saves of the failing executions from ``first`` on, too."""
        variant = self._whole.variant(half.place)
        more = frozenset() if variant is None else self._saved(half.candidate, variant, first)
        return replace(half, saves=half.saves | more)

    def _saved(self, candidate: Candidate, variant: RepairSchemataVariant, first: int) -> frozenset[int]:
        """The failing executions from ``first`` on that ``candidate`` saves."""
        return frozenset(
            n
            for n, execution in enumerate(self._failing)
            if n >= first and candidate.unit in execution.covered and self._sieve.saves(variant, execution)
        )

    def _save_all(self, one: _Half, other: _Half) -> bool:
        """True if both together save every failing execution, and neither does so alone."""
        alone = max(len(one.saves), len(other.saves))
        return alone < len(self._failing) == len(one.saves | other.saves)


@final
class _Verifier:
    """Validation of candidates as one patch, up to the proof within the bound."""

    def __init__(
        self, edits: RepairSchemataMaker, executions: PatchValidationTests, clock: BudgetClock
    ) -> None:
        self.sieve: Final = new_patch_validation(edits.program, executions, clock)
        self._edits = edits
        self._runs = executions
        self._clock = clock

    def answer(
        self, *candidates: Candidate, may_stray: bool = False, is_patient: bool = False
    ) -> RepairOfSeveralUnits | Execution | UnknownOracleAnswer | None:
        """Validate ``candidates`` together: the repair, or an execution that fails with these edits.

        None where they are no repair on the known executions, or send nearly all passing ones another way, unless they
        ``may_stray``. A proof ``is_patient`` that may take as many conflicts as there is effort for.
        """
        if any(
            c.file == d.file and c.start < d.end and d.start < c.end for c, d in combinations(candidates, 2)
        ):
            return None
        edited = self._edits.alone(*candidates)
        fit = None if edited is None else self.sieve.fit(edited)
        if edited is None or fit is None or fit.evades:
            return None
        if not may_stray and not is_enough_kept_by_repair(fit.kept, len(self._runs.passing), len(candidates)):
            return None
        conflicts = policy().multi_edit.patient_conflicts if is_patient else None
        answer = patch_validation_refutation(edited, 0, self._runs, self._clock, conflicts)
        if answer is not None:
            return answer
        sources = self._edits.sources
        return RepairOfSeveralUnits(
            edits=tuple(repair_search_place(candidate, sources[candidate.file]) for candidate in candidates),
            diff="".join(
                repair_search_diff(path, source, [c for c in candidates if c.file == path])
                for path, source in sources.items()
            ),
            size="small" if all(candidate.size == "small" for candidate in candidates) else "large",
            kept=fit.kept,
        )


def _by_sum(numbers: Sequence[int]) -> Iterator[Pair]:
    """All pairs of ``numbers``, those whose places have a smaller sum first."""
    count = len(numbers)
    for total in range(1, 2 * count - 2):
        for place in range(max(0, total - count + 1), (total + 1) // 2):
            yield numbers[place], numbers[total - place]
