"""Minimal diagnoses for several faults: sets of units that save every failing execution together.

Where no edit of one unit repairs a program, more than one may be wrong. A set of units saves an execution when the
execution passes with right values at all of them. The minimal sets that save every execution are the diagnoses of
model-based diagnosis (Reiter 1987; de Kleer and Williams 1987). They are the minimal hitting sets of its conflicts,
where a conflict is a set of units one of which has to yield another value.

    execution 1 is saved by a or b,  execution 2 by c,  neither by the other's   ->   {a, c},  {b, c}

Most programs have few faults. So single units come first, then pairs, the likeliest ones before the others, each asked
about by itself. What is left of the time goes to the rest. Conflicts come out of refutations: where ``S`` does not save
an execution it is made as large as possible without saving it, and what is left over is a conflict. Hitting sets and
conflicts take turns, so that few of the sets of units are asked about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from operator import itemgetter
from typing import Final, TypeAlias, final

from cfrontend.units import UnitId
from sfo.core.executions import Execution, covered_by_any_execution
from sfo.core.halt import Stop, halt_reason_of
from sfo.core.policy import policy
from sfo.core.repairs import DiagnosesFound, RepairOfSeveralUnits, place_of_kept_part
from sfo.core.savings import Saving
from sfo.solvers.hitting_sets import HittingSets

_RepairedPlace: TypeAlias = tuple[int, int, bool, int, bool]

Place: TypeAlias = Callable[[Collection[UnitId]], tuple[int, _RepairedPlace, int, float, list[int]]]
"""Sort key of sets of units: the best first."""

_UNREPAIRED: Final[_RepairedPlace] = (1, 0, False, 0, False)
"""Place in the order of a set without repair, behind all that have one."""

Saves: TypeAlias = Callable[[Collection[UnitId], Execution], Saving]
"""Oracle of the search: do these units, when they yield the right values, let the execution pass?"""


def search_minimal_diagnoses(
    executions: Sequence[Execution],
    passing: Sequence[Execution],
    known: Mapping[UnitId, Sequence[Saving]],
    ranks: Mapping[UnitId, int],
    saves: Saves,
    is_over: Callable[[], bool],
    evading: Collection[UnitId] = (),
    repairs: Sequence[RepairOfSeveralUnits] = (),
) -> DiagnosesFound:
    """Search minimal sets of several units in ``ranks`` that together save each of ``executions``.

    Some of ``executions`` evaluates each unit of a set. ``known`` says of single units which of the first executions
    they save, in the order of ``executions``; what is undecided is asked again.

    Small sets come first, then those of ``repairs``: by how many edges executions go on with these, how many passing
    ones they keep on their way, whether all of them print what they did, on how many ways executions go, and by small
    edits before others. Next come those with few units that may save by other inputs only (``evading``), then those
    that explain better which executions fail and which are ``passing``, then by ``ranks``. What ``is_over``, a limit
    or Ctrl-C ends has what was found by then; so has a search that reaches ``MOST_SETS``.
    """
    suspected = covered_by_any_execution(executions).intersection(ranks)
    search = _Search(executions, suspected, saves, known, is_over)

    others = frozenset(evading)
    repaired = _places_of_repaired(repairs)
    likely = _Likelihood(executions, passing)

    def place(units: Collection[UnitId]) -> tuple[int, _RepairedPlace, int, float, list[int]]:
        """Small sets come first, then repaired ones, then likely ones, then those of units that are ranked high."""
        by_rank = sorted(units, key=ranks.__getitem__)
        unlikely = -round(likely.of(by_rank), 6)
        evaded = len(others.intersection(units))
        unrepaired = repaired.get(frozenset(units), _UNREPAIRED)
        return len(by_rank), unrepaired, evaded, unlikely, [ranks[u] for u in by_rank]

    found = list(repaired)
    stop: Stop | None = None
    try:
        for units in search.sets(place):
            if units is not None and len(units) > 1 and units not in repaired:
                found.append(units)
            if search.is_over or len(found) == policy().diagnoses.most_sets:
                search.complete = False
                break
    except KeyboardInterrupt as error:
        stop, search.complete = halt_reason_of(error), False
    sets = tuple(tuple(sorted(units, key=ranks.__getitem__)) for units in sorted(found, key=place))
    verified = sorted(repairs, key=lambda repair: place(repair.units))
    return DiagnosesFound(
        runs=tuple(executions),
        sets=sets,
        complete=search.complete,
        repairs=tuple(verified),
        stop=stop,
        alone=tuple(sorted(suspected - search.insufficient)),
    )


def _places_of_repaired(
    repairs: Sequence[RepairOfSeveralUnits],
) -> dict[frozenset[UnitId], _RepairedPlace]:
    """Sort keys of the sets with a repair: by how far executions reach with it, by what it keeps, then by its size."""
    most = max((repair.kept or 0 for repair in repairs), default=0)
    return {
        repair.units: (
            -repair.reach[0],
            place_of_kept_part(repair.kept or 0, most),
            not repair.prints_alike,
            -repair.reach[1],
            repair.size != "small",
        )
        for repair in repairs
    }


@final
class _Likelihood:
    """Cache of ``minimal_diagnosis_likelihood``, computed once for all units that the same executions evaluate."""

    def __init__(self, failing: Sequence[Execution], passing: Sequence[Execution]) -> None:
        self._runs = (failing, passing)
        self._spectra: dict[tuple[bool, ...], int] = {}
        self._of_unit: dict[UnitId, int] = {}
        self._known: dict[tuple[int, ...], float] = {}

    def of(self, units: Sequence[UnitId]) -> float:
        """The likelihood that ``units``, and no others, are wrong."""
        spectra = tuple(sorted([self._spectrum(unit) for unit in units]))
        if (known := self._known.get(spectra)) is None:
            known = self._known[spectra] = minimal_diagnosis_likelihood(units, *self._runs)
        return known

    def _spectrum(self, unit: UnitId) -> int:
        """Number of the spectrum of ``unit``, that is of the set of executions that evaluate it."""
        if (known := self._of_unit.get(unit)) is None:
            spectrum = tuple(
                unit in execution.covered for executions in self._runs for execution in executions
            )
            known = self._of_unit[unit] = self._spectra.setdefault(spectrum, len(self._spectra))
        return known


def minimal_diagnosis_likelihood(
    units: Sequence[UnitId], failing: Sequence[Execution], passing: Sequence[Execution]
) -> float:
    """The logarithm of how likely these executions fail and pass when ``units``, and no others, are wrong.

    Each wrong unit lets an execution that evaluates it pass with a probability of its own, independently of the others.
    The probabilities are those that make the executions most likely, on a grid (Abreu, Zoeteweij and van Gemund 2009,
    section 4).
    """
    # Most programs have no set to weigh, and do not pay for the import.
    import numpy as np

    grid = np.linspace(policy().diagnoses.least, 1 - policy().diagnoses.least, policy().diagnoses.grid)
    by_unit = np.meshgrid(*([grid] * len(units)), indexing="ij")
    total = np.zeros_like(by_unit[0])
    for executions, fails in ((failing, True), (passing, False)):
        for evaluated, count in Counter(
            tuple(unit in execution.covered for unit in units) for execution in executions
        ).items():
            # An execution that fails without any of them has nearly no chance.
            passes = np.full_like(total, 1 - policy().diagnoses.least)
            for probability, is_evaluated in zip(by_unit, evaluated, strict=True):
                if is_evaluated:
                    passes = passes * probability
            total += count * np.log(1 - passes if fails else passes)
    return float(total.max())


@final
class _Search:
    """Hitting sets and conflicts in turns; each question is asked once, and none when the time is over."""

    def __init__(
        self,
        executions: Sequence[Execution],
        units: Collection[UnitId],
        saves: Saves,
        known: Mapping[UnitId, Sequence[Saving]],
        is_over: Callable[[], bool],
    ) -> None:
        self.is_over = False
        self._clock = is_over
        self._runs = executions
        self._order = list(range(len(executions)))
        self._units = frozenset(units)
        self._saves = saves
        self._known: dict[tuple[frozenset[UnitId], int], Saving] = {
            (frozenset([unit]), number): answer
            for unit, answers in known.items()
            for number, answer in enumerate(answers)
            if answer in ("saved", "lost")
        }
        self.complete = True
        self.insufficient: set[UnitId] = set()
        """Units for each of which an execution is known that it does not save alone."""

    def sets(self, place: Place) -> Iterator[frozenset[UnitId] | None]:
        """The minimal sets, those of one and two units by ``place``.

        None in between where there was something to learn only.
        """
        hitting = HittingSets()
        single: set[UnitId] = set()
        for unit in sorted(self._units, key=lambda unit: place((unit,))):
            answer, _ = self._first_not_saved(frozenset([unit]))
            if answer == "lost":
                self.insufficient.add(unit)
            elif answer == "saved":
                single.add(unit)
                hitting.exclude([unit])
                yield frozenset([unit])
            yield None
        others = sorted(self._units - single)
        for pair in self._pairs(others, place):
            if self._first_not_saved(pair)[0] == "saved":
                hitting.exclude(pair)
                yield pair
            yield None
        yield from self._larger(hitting)

    def _pairs(self, units: Sequence[UnitId], place: Place) -> Sequence[frozenset[UnitId]]:
        """All pairs by ``place``; none where there are so many that the time is over before they are sorted."""
        keyed = []
        for number, pair in enumerate(combinations(units, 2)):
            if number % policy().diagnoses.pairs_at_once == 0 and self._clock():
                self.is_over = True
                return ()
            keyed.append((place(pair), frozenset(pair)))
        keyed.sort(key=itemgetter(0))
        return [pair for _, pair in keyed]

    def _larger(self, hitting: HittingSets) -> Iterator[frozenset[UnitId] | None]:
        """The minimal sets that are not excluded yet, the smallest first."""
        while (units := hitting.smallest()) is not None:
            if len(units) > policy().diagnoses.largest:
                self.complete = False
                return
            answer, number = self._first_not_saved(units)
            if answer == "saved":
                hitting.exclude(units)
                yield units
                continue
            if answer == "lost":
                conflict = self._units - self._grown(units, number)
                if not conflict:
                    return
                hitting.demand(conflict)
            else:
                self.complete = False
                if not units:
                    return
                hitting.exclude(units)
            yield None

    def _first_not_saved(self, units: frozenset[UnitId]) -> tuple[Saving, int]:
        """``saved`` if ``units`` save all executions, else the answer and number of the first not saved."""
        for place, number in enumerate(self._order):
            answer = self._saving(units, number)
            if answer != "saved":
                # What one set does not save is a good question about the next.
                self._order.insert(0, self._order.pop(place))
                return answer, number
        return "saved", 0

    def _saving(self, units: frozenset[UnitId], number: int) -> Saving:
        """The answer for one execution: of a subset that saves it, a superset that does not, or the oracle."""
        if (answer := self._known.get((units, number))) is not None:
            return answer
        if units.isdisjoint(self._runs[number].covered):
            return "lost"
        for (others, execution), answer in self._known.items():
            if execution == number and (
                (answer == "saved" and others <= units) or (answer == "lost" and units <= others)
            ):
                return answer
        self.is_over = self.is_over or self._clock()
        if self.is_over:
            return "undecided"
        answer = self._saves(sorted(units), self._runs[number])
        self._known[units, number] = answer
        return answer

    def _grown(self, units: frozenset[UnitId], number: int) -> frozenset[UnitId]:
        """``units`` and as many more as together do not save an execution that ``units`` do not save.

        First all that do not save it alone: mostly that is the largest set already.
        """
        others = sorted(self._units - units)
        alone = [unit for unit in others if self._saving(frozenset([unit]), number) == "lost"]
        grown = self._with(units, alone, number)
        return self._with(grown, [unit for unit in others if unit not in grown and unit not in alone], number)

    def _with(self, units: frozenset[UnitId], more: Sequence[UnitId], number: int) -> frozenset[UnitId]:
        """``units`` and what of ``more`` can be added, by halves."""
        if not more:
            return units
        together = units | frozenset(more)
        answer = self._saving(together, number)
        if answer == "lost":
            return together
        if answer == "undecided" or len(more) == 1:
            return units
        half = len(more) // 2
        return self._with(self._with(units, more[:half], number), more[half:], number)
