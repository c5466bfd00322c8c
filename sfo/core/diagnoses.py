"""Minimal diagnoses: sets of units to change together."""

from __future__ import annotations

from typing import final

from cfrontend.record import dataclass
from cfrontend.units import UnitId
from sfo.core.executions import Execution
from sfo.core.halt import Stop
from sfo.core.repairs import RepairOfSeveralUnits


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosesFound:
    """Minimal ``sets`` of several units that save all of ``runs`` together; the best first.

    ``repairs`` are edits of some of them that are verified. ``alone`` are units that may account for all of ``runs`` by
    themselves: none is known that they do not save, or save by other inputs or by no assertion only. ``complete``:
    there are no other sets, else ``stop`` may say what ended the search.
    """

    runs: tuple[Execution, ...]
    sets: tuple[tuple[UnitId, ...], ...]
    complete: bool
    repairs: tuple[RepairOfSeveralUnits, ...] = ()
    stop: Stop | None = None
    alone: tuple[UnitId, ...] = ()
