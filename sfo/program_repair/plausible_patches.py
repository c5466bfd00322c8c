"""Plausible patches: small edits after which all examples of input and output pass (test-suite based repair).

    for (i = 1; i < n; i++)   ->   for (i = 0; i < n; i++)        all of 5 examples pass, of which 2 failed

Nobody says what is right on other inputs, so that nothing is verified: any of them may overfit to the examples. Those
after which passing examples evaluate what they did before come first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Protocol, TypeAlias

from cfrontend.edit.candidate import Candidate
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
from sfo.program_repair.native_validation import NativeValidationVerdicts, native_validation_of_candidates
from sfo.program_repair.passed_trials import (
    PassedRepairTrial,
    repairs_in_order,
    repairs_with_edited_definitions,
)
from sfo.program_repair.patch_validation import PatchValidationResult
from sfo.program_repair.schemata import (
    RepairSchemataMaker,
    RepairSchemataProgram,
    RepairSchemataVariant,
    read_texts_for_repair_schemata,
)
from sfo.program_repair.trials import RepairTrial, repair_search_trials
from sfo.program_repair.validation_tests import PatchValidationTests

Gain: TypeAlias = tuple[int, int]
"""Gain of a partial patch: how many failing examples pass, and of how many more of the output is right."""

_ENOUGH_FOR_MANY: Final = 0.9
"""Part of the effort that the first edit leaves where there is enough for many."""


_FAR: Final = 1 << 30
"""More further examples than there are."""

_MOST_UNCONFIRMED: Final = 12
"""Edits that are taken where no effort is left to execute each of them, or that gain as much."""


class JudgeOfPatches(Protocol):
    """Test oracle of edited programs, by examples."""

    @property
    def further_count(self) -> int:
        """Number of further examples, for which a reference says what is to be printed."""

    def judged(self, variant: RepairSchemataVariant) -> int | None:
        """Plausibility: the number of passing examples that cover the same; None where some example does not pass."""

    def differing(self, variant: RepairSchemataVariant, most: int) -> int | None:
        """On how many further examples the edited program prints something else than a reference, up to ``most``.

        None where there are none.
        """

    def gained(self, variant: RepairSchemataVariant) -> tuple[Gain, int] | None:
        """Gain of a partial patch, and the number of passing examples that cover the same; None where any is worse."""


def search_plausible_patches(
    program: Program,
    units: Sequence[UnitId],
    examples: PatchValidationTests,
    judge: JudgeOfPatches,
    clock: BudgetClock,
    jobs: int = 1,
    native: Native = "sandboxed",
) -> Repairs:
    """The plausible patches at ``units``, the likeliest first, and of definitions.

    Where there are none, the edits that mend most examples, and ``steps`` with which most of what is printed is right:
    further edits may go on there. ``examples`` are their executions in the program as it is. A compiled program rejects
    most candidates, unless ``native`` executions are off; ``judge`` decides on the others. What the ``clock`` ends has
    what was found by then.
    """
    sources = read_texts_for_repair_schemata(program)
    if sources is None:
        return Repairs(found=(), complete=False, passing=len(examples.passing))
    definitions = repair_search_definitions(program, sources, examples)
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
    trials = [*_usual_first_values(candidates), *trials]
    tried = Counter(candidates[place].template for place in verdicts.rejected)
    passed, refuted, complete = _judged(edits, trials, judge, examples, clock, tried)
    if not complete:
        known = {one.place for one in passed}.union(refuted)
        passed += _right_natively(
            edits, [one for one in trials if one.place not in known], verdicts, examples
        )
    mended, steps = len(examples.failing), list[PassedRepairTrial]()
    if not passed:
        clock.restart(left)
        gains = _gains(edits, candidates, verdicts, judge, examples, clock)
        mended, passed, steps = _partial(edits, gains)
    found = Repairs(
        found=(),
        complete=complete,
        tried=tried.total(),
        tried_by_template=dict(sorted(tried.items())),
        candidates=len(candidates),
        passing=len(examples.passing),
        undecided=_different(repairs_in_order(_likeliest_first(passed), sources)),
        further=judge.further_count,
        mended=mended,
        failing=len(examples.failing),
        steps=_different(repairs_in_order(_likeliest_first(steps), sources)),
    )
    return repairs_with_edited_definitions(found, program, definitions)


def _usual_first_values(candidates: Sequence[Candidate]) -> Iterator[RepairTrial]:
    """The candidates that give a variable its first value, with each usual one: declarations do not run natively."""
    for place, candidate in enumerate(candidates):
        if candidate.initializes and candidate.has_hole:
            for value in policy().repair.usual:
                yield RepairTrial(candidate.filled(value), place)


def _judged(
    edits: RepairSchemataMaker,
    trials: Sequence[RepairTrial],
    judge: JudgeOfPatches,
    examples: PatchValidationTests,
    clock: BudgetClock,
    tried: Counter[str],
) -> tuple[list[PassedRepairTrial], set[int], bool]:
    """Plausible patches among ``trials``, the places of refuted ones, and whether the clock left all to be judged.

    How many of each template were judged is added to ``tried``.
    """
    passed: list[PassedRepairTrial] = []
    counted: set[int] = set()
    refuted: set[int] = set()

    def is_wanted(number: int) -> bool:
        return not _has_enough(trials[number].candidate.unit, passed)

    variants = _variants(edits, [trial.candidate for trial in trials], is_wanted)
    for done, (number, variant) in enumerate(variants):
        trial = trials[number]
        clock.count(done, len(trials))
        if clock():
            return passed, refuted, False
        if trial.place not in counted:
            counted.add(trial.place)
            tried[trial.candidate.template] += 1
        kept = None if variant is None else judge.judged(variant)
        if kept is not None and variant is not None and edits.alone(trial.candidate) is not None:
            differing = judge.differing(variant, most=_least_differing(passed) + 1)
            passed.append(_passed(trial.candidate, trial.place, kept, examples, differing))
        elif not clock():
            refuted.add(trial.place)
    return _enough_of_each(passed), refuted, True


def _enough_of_each(passed: Sequence[PassedRepairTrial]) -> list[PassedRepairTrial]:
    """Of each unit the likeliest patches."""
    found: list[PassedRepairTrial] = []
    for one in _likeliest_first(passed):
        if sum(other.unit == one.unit for other in found) < policy().repair.most_for_a_unit:
            found.append(one)
    return found


def _likeliest_first(passed: Sequence[PassedRepairTrial]) -> list[PassedRepairTrial]:
    """Patches in the order of trials, behind those of first values; what keeps no passing execution on its way is last.

    How many it keeps says nothing beside the likelihood: of 83 faults of Codeflaws the first patch is right for 56, and
    for 49 where what keeps more comes first.
    """
    return sorted(
        passed,
        key=lambda item: (
            _FAR if item.fit.differing is None else item.fit.differing,
            item.fit.behaviour == "changed",
            not item.candidate.initializes,
            item.place,
        ),
    )


def _passed(
    candidate: Candidate,
    place: int,
    kept: int | None,
    examples: PatchValidationTests,
    differing: int | None = None,
) -> PassedRepairTrial:
    """A plausible or partial patch; how many passing examples it has ``kept`` says nothing where there are none."""
    fit = PatchValidationResult(kept if examples.passing else None, evades=False, differing=differing)
    return PassedRepairTrial(candidate, place, fit)


def _gains(
    edits: RepairSchemataMaker,
    candidates: Sequence[Candidate],
    verdicts: NativeValidationVerdicts,
    judge: JudgeOfPatches,
    examples: PatchValidationTests,
    clock: BudgetClock,
) -> list[tuple[Gain, PassedRepairTrial]]:
    """Gains of partial patches: of the edits that mend some example natively, and of the likeliest.

    A native execution that reads on behind the values of an example may print anything there: it is no gain yet.
    """
    mended = sorted(verdicts.mended.items(), key=lambda item: (-item[1], item[0]))
    most = policy().given_tests.partial_alone
    natively = [(at, candidates[at[0]].filled(at[1]), count) for at, count in mended[:most]]
    known = {at[0] for at, _, _ in natively}
    filled = [one.filled(0) if one.initializes else one for one in candidates]
    likely = [(place, one) for place, one in enumerate(filled) if not one.has_hole and place not in known]
    order = [(at[0], one) for at, one, _ in natively] + likely[: policy().given_tests.partial_edits]
    found: dict[int, tuple[Gain, int]] = {}
    seconds = clock.left

    def is_read_alone(place: int, number: int) -> bool:
        return number < len(natively) or place < policy().given_tests.partial_alone

    every = [one for _, one in order]
    for done, (number, variant) in enumerate(_variants(edits, every, is_read_alone=is_read_alone)):
        clock.count(done, len(every))
        if clock() or (number == 1 and clock.left < _ENOUGH_FOR_MANY * seconds):
            break
        gain = None if variant is None else judge.gained(variant)
        if gain is not None:
            found[number] = gain
    return [(gain, _passed(order[n][1], order[n][0], kept, examples)) for n, (gain, kept) in found.items()]


def _partial(
    edits: RepairSchemataMaker, gains: Sequence[tuple[Gain, PassedRepairTrial]]
) -> tuple[int, list[PassedRepairTrial], list[PassedRepairTrial]]:
    """Partial patches that mend most examples, behind how many these are, and the edits to go on from."""
    mended, best = _gaining_most(edits, gains, lambda gain: gain)
    _, growing = _gaining_most(edits, gains, lambda gain: gain[::-1])
    return mended, best if mended else [], [*best[:1], *growing[:1]]


def _gaining_most(
    edits: RepairSchemataMaker,
    gains: Sequence[tuple[Gain, PassedRepairTrial]],
    measure: Callable[[Gain], tuple[int, ...]],
) -> tuple[int, list[PassedRepairTrial]]:
    """The edits that gain most by a ``measure``, the best first, and how many failing examples pass with each."""
    most = max((gain for gain, _ in gains), key=measure, default=(0, 0))
    return most[0], _first_that_compile(edits, [trial for gain, trial in gains if gain == most])


def _first_that_compile(
    edits: RepairSchemataMaker, trials: Sequence[PassedRepairTrial]
) -> list[PassedRepairTrial]:
    """The best of ``trials`` that are programs by themselves, a few of each unit and not many of all."""
    found: list[PassedRepairTrial] = []
    for trial in _likeliest_first(trials):
        if len(found) == _MOST_UNCONFIRMED:
            break
        if not _has_enough(trial.unit, found) and edits.alone(trial.candidate) is not None:
            found.append(trial)
    return found


def _right_natively(
    edits: RepairSchemataMaker,
    trials: Sequence[RepairTrial],
    verdicts: NativeValidationVerdicts,
    examples: PatchValidationTests,
) -> list[PassedRepairTrial]:
    """Trials with which all examples pass natively, where no effort was left to execute them otherwise."""
    right = [
        _passed(one.candidate, one.place, verdicts.right.get((one.place, 0)), examples)
        for one in trials
        if one.passes_natively
    ]
    return _first_that_compile(edits, right)


def _different(repairs: Iterable[Repair]) -> tuple[Repair, ...]:
    """``repairs`` without those after which the text is the same as after an earlier one."""
    found: dict[str, Repair] = {}
    for repair in repairs:
        found.setdefault(repair.diff, repair)
    return tuple(found.values())


def _variants(
    edits: RepairSchemataMaker,
    candidates: Sequence[Candidate],
    is_wanted: Callable[[int], bool] = lambda _: True,
    is_read_alone: Callable[[int, int], bool] = lambda *_: True,
) -> Iterator[tuple[int, RepairSchemataVariant | None]]:
    """The number of each candidate that ``is_wanted`` with its program, None where it is none.

    What can be read together comes first, as what is read alone takes ten times as long: that ``is_read_alone`` by its
    place among these and its number.
    """
    whole = RepairSchemataProgram(edits, candidates)
    alone: list[int] = []
    for number in filter(is_wanted, range(len(candidates))):
        variant = whole.variant(number)
        if variant is None:
            alone.append(number)
        else:
            yield number, variant
    for place, number in enumerate(alone):
        if is_wanted(number) and is_read_alone(place, number):
            yield number, edits.alone(candidates[number])


def _has_enough(unit: UnitId, passed: Sequence[PassedRepairTrial]) -> bool:
    """True if as many of a unit as a report has are as near to the reference as any."""
    least = _least_differing(passed)
    near = sum(one.unit == unit and (one.fit.differing or 0) <= least for one in passed)
    return near >= policy().repair.most_for_a_unit


def _least_differing(passed: Sequence[PassedRepairTrial]) -> int:
    """On how many further examples the patch differs from a reference that is nearest to it."""
    return min((one.fit.differing for one in passed if one.fit.differing is not None), default=_FAR)
