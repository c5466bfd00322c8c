"""Program repair with two edits: pairs that together leave no failing execution.

    failing executions 1, 2, 3:   most = input2 -> least = input2  and  -input3 -> input3
        ->  both edits in one file: all three pass, passing ones still pass, and the solver finds no other failure

A compiled program with all edits in it tries every pair on all executions, the likelier ones first; those that do well
are verified. Where there is no such program, as without gcc, none is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice
from typing import Final, final

from cfrontend.edit.candidate import Candidate
from cfrontend.effort import SECOND, charge_effort
from cfrontend.errors import SfoError
from cfrontend.units import UnitId
from sfo.core.budget import BudgetClock
from sfo.core.executions import Execution, Native
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
    schemata_candidate_reads,
)
from sfo.program_repair.validation_tests import PatchValidationTests

_FAILING: Final = frozenset({FAILS, BEYOND})
"""Answers for an edit that does not save all executions alone."""

_ENDED_BY_ONE: Final = frozenset({FAILS, LATE, BEYOND})
"""Answers after which the executions that are left are not executed."""


def find_multi_edit_repairs(
    edits: RepairSchemataMaker,
    candidates: Sequence[Candidate],
    executions: PatchValidationTests,
    clock: BudgetClock,
    jobs: int = 1,
    native: Native = "sandboxed",
) -> tuple[RepairOfSeveralUnits, ...]:
    """Pairs of ``candidates`` (the likelier ones first) at different units that are verified together.

    The first pair of two units is enough; what ``clock`` ends has what was found by then. So many ``jobs`` hold
    candidates against executions. There are none where the program cannot be compiled, or ``native`` executions are
    off.
    """
    if native == "off":
        return ()
    trials = _Trials(edits, _tried(candidates), executions, clock, jobs, native)
    try:
        return tuple(trials.found()) if trials.are_possible() else ()
    except SfoError:
        return ()


def _tried(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The likelier ones of ``candidates``, and behind them what programmers seldom slip by.

    Of these none has a call that reads, as what it reads otherwise would not be the inputs that are known.
    """
    likely = [c for c in candidates if not c.is_odd]
    seldom = [c for c in candidates if c.is_odd and not schemata_candidate_reads(c)]
    return [*likely[: policy().multi_edit.most_tried], *seldom[: policy().multi_edit.most_seldom]]


@final
class _Trials:
    """Search for pairs of ``candidates`` in a compiled program that tries them all.

    ``failing`` grows with each execution that refutes an edit; the first ``known`` ones fail without any.
    """

    def __init__(
        self,
        edits: RepairSchemataMaker,
        candidates: Sequence[Candidate],
        executions: PatchValidationTests,
        clock: BudgetClock,
        jobs: int,
        native: Native,
    ) -> None:
        self._edits = edits
        self._native = native
        self._candidates = candidates
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
        self._sieve = new_patch_validation(edits.program, executions, clock)

    def are_possible(self) -> bool:
        """True if the program can be compiled with edits in it, and given the inputs of all executions."""
        return can_validate_patches_natively(self._edits.program, (*self._failing, *self._passing))

    def found(self) -> Iterator[RepairOfSeveralUnits]:
        """The pairs that a compiled program does well with and that are verified, one of any two units.

        None where one edit alone may do. One that saves all failing executions alone, but is no repair, is left out, as
        nothing shows what another one would be for; so is one with which some execution does not end.
        """
        every = self._candidates
        fit = [every[place] for place in sorted(self._edits.fitting(every, range(len(every))))]
        in_one = self._edits.in_one(fit, self._clock)
        if in_one is None:
            return
        numbers, texts = in_one
        candidates = {number: fit[place] for place, number in sorted(numbers.items())}
        with ValidatePatchesNatively.of_pairs(
            self._edits.program, texts, self._jobs, self._seconds, self._native
        ) as self._trial:
            self._learn_population()
            if self._may_do_alone(candidates):
                return
            straying: list[Pair] = []
            for pairs in self._in_order(candidates):
                apart = (pair for pair in pairs if candidates[pair[0]].unit != candidates[pair[1]].unit)
                found = list(self._verified(candidates, self._plausible(apart, straying)))
                yield from found
                if found:
                    return
            left = self._good(straying, self._failing)
            yield from self._verified(candidates, left, may_stray=True)

    def _learn_population(self) -> None:
        """Make known what the program does on other inputs, on ways that differ, where the interpreter says so, too.

        Executions that pass tell edits that keep most of them on their way; those that fail refute others.
        """
        known = (*self._failing, *self._passing)
        most = int(max(0.0, self._clock.left) * SECOND / self._price)
        population = native_validation_population(
            self._trial, self._edits.program, known, most, self._seconds
        )
        for executions, into, number in (
            (population.failing, self._failing, policy().multi_edit.further_failing),
            (population.passing, self._passing, policy().multi_edit.further_passing),
        ):
            found = native_validation_confirmed(
                self._edits.program, population, executions[:number], number, self._clock
            )
            into += [native_validation_with_places(self._edits.program, one) for one in found.values()]
        self._near = (*self._failing, *self._passing, *population.failing, *population.passing)
        self._edges_before = self._trial.reach([(0, 0)], self._near, self._seconds)[0][0]

    def _plausible(self, pairs: Iterable[Pair], strays: list[Pair]) -> list[Pair]:
        """The pairs with which all executions do well.

        First come those with which executions go on the most edges between units: wrong ones mostly take something out.
        Then those that keep most passing executions on their way, those with which all print what they did, and those
        with the most ways. Where few executions pass, those that keep none are added to ``strays``.
        """
        kept: dict[Pair, int] = {}
        self._alike.clear()
        for pair, answer, at in self._asked(pairs, (*self._failing, *self._passing)):
            if answer == GOOD:
                kept[pair] = at
            elif answer == STRAYS and at == 0 and len(self._passing) <= policy().multi_edit.few_passing:
                strays.append(pair)
        most = max(kept.values(), default=0)
        asked = self._asked(kept, self._passing, print_alike=True)
        self._alike.update(pair for pair, answer, _ in asked if answer == GOOD)
        place = {p: (place_of_kept_part(kept[p], most), p not in self._alike) for p in kept}
        reach = self._reach = self._reached(sorted(kept, key=place.__getitem__))
        return sorted(reach, key=lambda p: (-reach[p][0], place[p], -reach[p][1]))

    def _reached(self, pairs: Sequence[Pair]) -> dict[Pair, tuple[int, int]]:
        """Coverage of edges and paths with ``pairs`` of edits, on known inputs and near them, as the effort allows."""
        price = self._price * len(self._near)
        asked = pairs[: int(policy().multi_edit.trying_part * max(0.0, self._clock.left) * SECOND / price)]
        charge_effort(price * len(asked))
        found = zip(asked, self._trial.reach(asked, self._near, self._seconds), strict=True)
        return dict.fromkeys(pairs, (0, 0)) | dict(found)

    def _verified(
        self,
        candidates: Mapping[int, Candidate],
        left: list[Pair],
        *,
        may_stray: bool = False,
    ) -> Iterator[RepairOfSeveralUnits]:
        """Verified repairs by two edits: plausible pairs ``left`` that are proved, one of any two units."""
        closed: set[frozenset[UnitId]] = set()
        while left and not self._clock() and len(closed) < policy().multi_edit.most:
            pair = left.pop(0)
            one, other = (candidates[number] for number in pair)
            units = frozenset((one.unit, other.unit))
            if len(units) == 1 or units in closed:
                continue
            reach = self._reach.get(pair, (0, 0))
            answer = self._verify(one, other, may_stray=may_stray or reach[0] > self._edges_before)
            if isinstance(answer, Execution):
                left = self._good(left, [self._learned(answer)])
            elif isinstance(answer, RepairOfSeveralUnits):
                closed.add(units)
                yield replace(answer, prints_alike=pair in self._alike, reach=reach)

    def _may_do_alone(self, candidates: Mapping[int, Candidate]) -> bool:
        """True if some candidate alone does well on all known executions, and no other execution refutes it."""
        alone = [(number, 0) for number in candidates]
        left = self._good(alone, (*self._failing, *self._passing))
        while left and not self._clock():
            answer = self._verify(candidates[left.pop(0)[0]])
            if isinstance(answer, RepairOfSeveralUnits | UnknownOracleAnswer):
                return True
            if isinstance(answer, Execution):
                left = self._good(left, [self._learned(answer)])
        return False

    def _in_order(self, candidates: Mapping[int, Candidate]) -> Iterator[Iterable[Pair]]:
        """Groups of pairs of ``candidates``, without those that save all executions alone: the likelier ones first.

        Most failing executions fail by one of two faults, so that the edit that undoes it saves them alone. First come
        pairs of which each saves some, those before that together save all; then those of which one does, and others,
        as one of two faults may hide what an edit of the other one does.
        """
        saves: dict[int, frozenset[int]] = {}
        alone = [(number, 0) for number in candidates]
        fit = [n for (n, _), answer, _ in self._asked(alone, self._failing) if answer in _FAILING]
        halves = self._good([(number, 0) for number in fit], self._passing)
        for place, execution in enumerate(self._failing[: self._known]):
            for number, _ in self._good(halves, [execution]):
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

    def _good(self, pairs: Iterable[Pair], executions: Sequence[Execution]) -> list[Pair]:
        """Pairs with which ``executions`` do well; all pairs where the compiled program cannot follow them."""
        if not can_validate_patches_natively(self._edits.program, executions):
            return list(pairs)
        return [pair for pair, answer, _ in self._asked(pairs, executions) if answer == GOOD]

    def _asked(
        self,
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
            answers, last = self._trial.validated(part, executions, self._seconds, print_alike=print_alike)
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
        interpreted = self._sieve.effort_of_an_execution
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

    def _verify(
        self, *candidates: Candidate, may_stray: bool = False
    ) -> RepairOfSeveralUnits | Execution | UnknownOracleAnswer | None:
        """Validate ``candidates`` together: the repair, or an execution that fails with these edits.

        None where they are no repair on the known executions, or send nearly all passing ones another way, unless they
        ``may_stray``.
        """
        if any(
            c.file == d.file and c.start < d.end and d.start < c.end for c, d in combinations(candidates, 2)
        ):
            return None
        edited = self._edits.alone(*candidates)
        fit = None if edited is None else self._sieve.fit(edited)
        if edited is None or fit is None or fit.evades:
            return None
        if not may_stray and not is_enough_kept_by_repair(fit.kept, len(self._runs.passing), len(candidates)):
            return None
        answer = patch_validation_refutation(edited, 0, self._runs, self._clock)
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
