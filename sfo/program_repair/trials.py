"""Trials of the search for repairs: what is tried of a candidate, in which order, and in which stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias, final

from cfrontend.edit.candidate import Candidate
from cfrontend.record import dataclass
from cfrontend.units import UnitId
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.core.repairs import KeptPart, part_kept_by_repair
from sfo.program_repair.candidates import repair_search_in_rounds
from sfo.program_repair.native_validation import NativeValidationVerdicts

RepairTrialKind: TypeAlias = Literal["plain", "constant", "unknown", "refuted"]
"""Kinds of trials: edits without a hole; with a constant for it, or one that is to be found; with one that is to be
found where the likely ones were tried natively, each of which is a trial of its own if it did well; and those that are
all but refuted, as a native execution on other inputs fails."""


@final
@dataclass(frozen=True, slots=True)
class RepairTrial:
    """Trial of a candidate, which is at ``place`` in the order of trials.

    ``refuting`` is an execution with which it fails natively. ``strays``: natively it seems to overfit.
    ``passes_natively``: all known executions go right natively. ``keeps`` is the part of passing
    executions that it keeps on their way natively; None where that is not seen. ``is_of_first``: it lets
    statements of one of the first suspects stand together otherwise, and nothing is known of it yet.
    """

    candidate: Candidate
    place: int
    kind: RepairTrialKind
    refuting: Execution | None = None
    strays: bool = False
    passes_natively: bool = False
    keeps: KeptPart | None = None
    is_of_first: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RepairStage:
    """A stage of the search for repairs, after which a unit has ``one`` of them or as many as the policy says.

    ``alone``: candidates are compiled one by one. ``strangers`` is how candidates that likely overfit are treated:
    deferred to a later stage, tried alone, or included. It takes trials of one ``kind``: plain ones of all units come
    before unknown constants of any. ``seconds`` is the effort that the stage has in any case, where there is no other
    repair yet. One that does not prove (``proves``) takes what passes natively, of units without a repair or a
    plausible patch: it has its effort always, and what does well on all known executions is a plausible patch. One of
    ``definitions`` takes edits that are no expressions: no likelier edit says anything about these, so that it has its
    effort always, too. One of the ``first`` takes what is ``is_of_first``: all edits of units that stand together
    in one program would come before it else, however late these units come. One with a number of ``surest`` ones tries
    so many that natively keep nearly all executions on their way, whatever effort that takes: an execution of a large
    program takes the interpreter long.
    """

    one: bool
    alone: bool
    strangers: Literal["later", "only", "too"]
    kind: RepairTrialKind
    seconds: float = 0.0
    proves: bool = True
    definitions: bool = False
    first: bool = False
    surest: int = 0

    @property
    def is_always_tried(self) -> bool:
        """True if a stage has its effort whatever other repairs there are."""
        return self.definitions or not self.proves

    def takes(self, trial: RepairTrial) -> bool:
        """True if a trial is one of this stage."""
        is_meant = trial.candidate.is_apart if self.definitions else self.proves or trial.passes_natively
        return trial.kind == self.kind and is_meant and (trial.is_of_first or not self.first)


LIKELIEST_REPAIR_STAGES: Final = (
    RepairStage(one=True, alone=False, strangers="later", kind="plain"),
    RepairStage(one=True, alone=False, strangers="later", kind="constant"),
)
"""The first stages of all units: where a repair comes out of them, no further stage has time in any case."""

REPAIR_STAGES: Final = (
    RepairStage(one=True, alone=True, strangers="later", kind="plain", first=True),
    *LIKELIEST_REPAIR_STAGES,
    RepairStage(one=True, alone=False, strangers="only", kind="plain", seconds=1.0),
    RepairStage(one=True, alone=False, strangers="only", kind="constant"),
    RepairStage(one=True, alone=True, strangers="later", kind="plain", seconds=1.2),
    RepairStage(one=True, alone=True, strangers="later", kind="constant"),
    *LIKELIEST_REPAIR_STAGES,  # once more, with what is left of the time of the stages above
    RepairStage(one=True, alone=False, strangers="too", kind="unknown"),
    RepairStage(one=False, alone=False, strangers="too", kind="plain"),
    RepairStage(one=False, alone=False, strangers="too", kind="constant"),
    RepairStage(one=False, alone=True, strangers="too", kind="plain"),
    RepairStage(one=False, alone=True, strangers="too", kind="constant"),
    RepairStage(one=False, alone=False, strangers="too", kind="unknown"),
    RepairStage(one=True, alone=False, strangers="too", kind="refuted"),
    RepairStage(one=True, alone=True, strangers="too", kind="refuted"),
    RepairStage(one=True, alone=True, strangers="later", kind="plain", seconds=0.5, definitions=True),
    RepairStage(one=True, alone=False, strangers="later", kind="plain", seconds=0.4, proves=False, surest=24),
    RepairStage(one=True, alone=False, strangers="later", kind="constant", seconds=0.2, proves=False),
)

PROOF_OF_FIRST_REPAIRS: Final = RepairStage(one=True, alone=True, strangers="too", kind="plain")
"""The stage behind all others, which tries no edit: the plausible patches of the first units are verified."""

FIRST_REPAIR_STAGES: Final = 1 + len(LIKELIEST_REPAIR_STAGES)
"""Number of stages that all parts of the search have behind them before any goes on."""

_AFTER: Final[Mapping[KeptPart | None, int]] = {"nearly all": 0, None: 1, "many": 1, "few": 2}
"""Place of a trial by what it keeps."""


def repair_trials_in_order(
    trials: Sequence[RepairTrial], beyond: Collection[int], *, small_first: bool
) -> list[RepairTrial]:
    """Trials in rounds, those first that keep nearly all executions on their way, and last those that keep few.

    What changes statements may keep all of them where it does well: its units have no names natively.
    Behind them stands what is all but refuted, or has a constant to be found; it is read last, too.
    """
    order = [
        trials[n] for n in repair_search_in_rounds([one.candidate for one in trials], small_first=small_first)
    ]
    return sorted(
        order,
        key=lambda one: (("unknown", "refuted").count(one.kind), one.place in beyond, _place_by_kept(one)),
    )


def _place_by_kept(trial: RepairTrial) -> int:
    """Place of a trial by what it keeps."""
    return 0 if trial.passes_natively and trial.candidate.is_statement else _AFTER[trial.keeps]


def repair_search_trials(
    candidates: Sequence[Candidate], known: NativeValidationVerdicts
) -> Iterator[RepairTrial]:
    """The trials of ``candidates`` that are not rejected natively, in their order."""
    most = max((kept for kept in known.right.values() if kept is not None), default=0)
    part = {at: part_kept_by_repair(kept, most) for at, kept in known.right.items() if kept is not None}
    first = _restructured_first(candidates, known)
    for place, candidate in enumerate(candidates):
        if place in known.rejected:
            continue
        constants = known.constants.get(place, ())[: policy().repair.likely_constants]
        # A missing first value counts as plain: it is mostly 0 or 1.
        kind: RepairTrialKind = "plain" if candidate.initializes or not candidate.has_hole else "constant"
        for constant in constants:
            at = place, constant
            filled = candidate.filled(constant)
            yield RepairTrial(filled, place, kind, passes_natively=at in known.right, keeps=part.get(at))
        kind = "unknown" if place in known.constants else "refuted" if place in known.refuting else kind
        passes_natively = not candidate.has_hole and (place, 0) in known.right
        yield RepairTrial(
            candidate,
            place,
            kind,
            known.refuting.get(place),
            strays=place in known.straying,
            passes_natively=passes_natively,
            keeps=part.get((place, 0)) if passes_natively else None,
            is_of_first=place in first,
        )


def _restructured_first(candidates: Sequence[Candidate], known: NativeValidationVerdicts) -> frozenset[int]:
    """Places of the first candidates of which nothing is known that restructure statements of the first suspects."""
    suspects = list(dict.fromkeys(c.unit for c in candidates if c.size == "small" and not c.adds))
    first = frozenset(suspects[: policy().repair.restructured_suspects])
    found = [
        place
        for place, one in enumerate(candidates)
        if one.is_statement and one.size == "small" and not (one.adds or one.has_hole) and one.unit in first
        if place not in known.rejected and place not in known.refuting and (place, 0) not in known.right
    ]
    return frozenset(found[: policy().repair.restructured_first])


def repair_trial_shares(
    numbers: Sequence[int], trials: Sequence[RepairTrial], seconds: float
) -> list[list[int]]:
    """The ``numbers`` of the trials of each part, about as many for each, those of one unit together.

    There are as many parts as the ``seconds`` of effort are worth: of little effort, each would try its own first ones
    and none the likeliest of all.
    """
    counts = Counter(trials[number].candidate.unit for number in numbers)
    enough = min(len(numbers) // policy().repair.worth_a_part, seconds // policy().repair.seconds_of_a_part)
    parts = int(min(policy().repair.parts, len(counts), enough))
    shares: list[list[int]] = [[] for _ in range(max(1, parts))]
    chosen: dict[UnitId, list[int]] = {}
    weights = [0] * len(shares)
    for number in numbers:
        unit = trials[number].candidate.unit
        if unit not in chosen:
            lightest = weights.index(min(weights))
            chosen[unit] = shares[lightest]
            weights[lightest] += counts[unit]
        chosen[unit].append(number)
    return shares


def repair_trials_in_turns(numbers: Collection[int], trials: Sequence[RepairTrial]) -> list[int]:
    """The numbers of trials in their order, but the first one of each unit before the second of any."""
    turns: Counter[UnitId] = Counter()
    by_turn: list[tuple[int, int]] = []
    for number in sorted(numbers):
        turns[trials[number].candidate.unit] += 1
        by_turn.append((turns[trials[number].candidate.unit], number))
    return [number for _, number in sorted(by_turn)]


def repair_trial_rounds(numbers: Sequence[int], trials: Sequence[RepairTrial]) -> dict[int, int]:
    """The round of each of these trials: the first few of each unit, the next few, and so on."""
    turns: Counter[UnitId] = Counter()
    found: dict[int, int] = {}
    for number in numbers:
        unit = trials[number].candidate.unit
        found[number] = turns[unit] // policy().repair.first_of_a_unit
        turns[unit] += 1
    return found
