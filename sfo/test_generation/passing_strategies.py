"""Strategies that choose passing executions on purpose, not just any with new coverage.

split     units that all failing executions cover and none tells apart: one that covers some of them only
nearest   as like as possible to a failing execution
mixed     units that no passing execution covers: one that does; then one of each kind in turns
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias, final

from cfrontend.units import UnitId
from sfo.core.executions import Execution, seen_by_all_executions
from sfo.core.halt import Stop
from sfo.oracles.protocol import Found, GuidedOracleProtocol, UnknownOracleAnswer
from sfo.test_generation.algorithm1 import PASSING_ATTEMPTS, Algorithm1PassingExecutions

Strategy: TypeAlias = Literal["auto", "any", "split", "nearest", "mixed"]
"""Strategy that chooses the passing executions to look for: ``any`` is the paper's, ``auto`` is ``nearest`` or that."""

Guided: TypeAlias = Literal["split", "nearest", "mixed"]
"""Strategies that need to know the failing executions."""


def guided_passing_executions(
    oracle: GuidedOracleProtocol,
    failing: Sequence[Execution],
    strategy: Guided,
    attempts: int = PASSING_ATTEMPTS,
    known: Sequence[Execution] = (),
) -> Algorithm1PassingExecutions:
    """Up to ``attempts`` passing executions with new coverage that separate what all of ``failing`` cover.

    ``split``: units that no execution tells apart so far, those with the fewest passing executions first, get one
    that covers some of them only. ``nearest``: as like as possible to the failing executions in turn. ``mixed``:
    units that no passing execution covers get one first, then one of each kind in turns, ``any`` among them.
    ``never`` of the answer are units for which it is proved that none can cover them.
    """
    search = _Guided(oracle, failing, list(known))
    kinds: list[Callable[[], Found]] = {
        "split": [search.split],
        "nearest": [search.nearest],
        "mixed": [search.cover, search.split, search.nearest, search.new],
    }[strategy]
    found: list[Execution] = []
    stop: Stop | None = None
    turn = 0
    while kinds and len(found) < attempts:
        ask = kinds[turn % len(kinds)]
        match ask():
            case Execution() as execution:
                found.append(execution)
                search.runs.append(execution)
                turn += ask != search.cover
            case None:
                kinds.remove(ask)
            case UnknownOracleAnswer(stop=stop):
                kinds.remove(ask)
    gave_up = not kinds and not search.exhausted and len(found) < attempts
    left = search.uncovered()
    never = left if search.exhausted else left & search.never
    return Algorithm1PassingExecutions(
        executions=tuple(found),
        exhausted=search.exhausted,
        stop=stop if gave_up else None,
        never=tuple(sorted(never)),
    )


@final
class _Guided:
    """Guided search for passing executions, which the strategies share; ``runs`` are those found so far."""

    def __init__(
        self, oracle: GuidedOracleProtocol, failing: Sequence[Execution], executions: list[Execution]
    ) -> None:
        self._oracle = oracle
        self._failing = failing
        self._common = seen_by_all_executions(failing)
        self._inseparable: set[frozenset[UnitId]] = set()
        self._turn = 0
        self.runs = executions
        self.never: set[UnitId] = set()
        self.exhausted = False

    def uncovered(self) -> set[UnitId]:
        """Units of all failing executions that no passing one covers so far."""
        return set(self._common).difference(*(execution.seen for execution in self.runs))

    def _unlike(self) -> list[frozenset[UnitId]]:
        return [execution.seen for execution in self.runs]

    def cover(self) -> Found:
        """Search a passing execution that covers a unit which none covers so far."""
        left = self.uncovered() - self.never
        if not left:
            return None
        found = self._oracle.passing_covering(sorted(left))
        if found is None:
            self.never |= left
        return found

    def split(self) -> Found:
        """Search a passing execution that tells apart a group of units: it covers some of them only."""
        groups: dict[tuple[bool, ...], set[UnitId]] = {}
        for unit in sorted(self._common):
            groups.setdefault(tuple(unit in execution.seen for execution in self.runs), set()).add(unit)
        for _, group in sorted(groups.items(), key=lambda item: (sum(item[0]), min(item[1]))):
            units = frozenset(group)
            if len(units) == 1 or any(units <= known for known in self._inseparable):
                continue
            found = self._oracle.passing_splitting(sorted(units))
            if found is not None:
                return found
            self._inseparable.add(units)
        return None

    def nearest(self) -> Found:
        """Search a passing execution as like as possible to the next failing execution."""
        failing = self._failing[self._turn % len(self._failing)]
        self._turn += 1
        return self._or_exhausted(self._oracle.passing_near(self._unlike(), failing.seen))

    def new(self) -> Found:
        """Search any passing execution with new coverage."""
        return self._or_exhausted(self._oracle.passing(self._unlike()))

    def _or_exhausted(self, found: Found) -> Found:
        self.exhausted = self.exhausted or found is None
        return found
