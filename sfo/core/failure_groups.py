"""Groups of failing executions that may have one cause each, with a ranking of their own."""

from __future__ import annotations

from typing import final

from cfrontend.record import dataclass
from cfrontend.units import UnitId
from sfo.core.dataset import RankedDatasetUnit
from sfo.core.executions import Execution
from sfo.core.repairs import Repairs
from sfo.core.savings import AngelicSavings


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FailureGroup:
    """Failing ``executions`` that have something in common, and the ``ranking`` that is about them and nothing else.

    They violate a property of ``properties``, or, where that is empty, right values at ``unit`` alone save each of
    them. ``angelic`` says which of them other values could save, and ``repairs`` after which edits no execution
    violates these properties; None where none was looked for. ``is_alone``: no unit accounts for the executions of all
    groups, so that those of one property are best looked at alone.
    """

    properties: tuple[str, ...] = ()
    unit: UnitId | None = None
    executions: tuple[Execution, ...]
    ranking: tuple[RankedDatasetUnit, ...]
    angelic: AngelicSavings
    repairs: Repairs | None = None
    is_alone: bool = False
