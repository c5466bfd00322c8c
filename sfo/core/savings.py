"""Savings: which failing executions another value of a unit could save, as the angelic filter finds it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias, final

from cfrontend.record import dataclass
from cfrontend.units import UnitId
from sfo.core.executions import Execution
from sfo.core.halt import Stop

Saving: TypeAlias = Literal["saved", "lost", "undecided", "skipped"]
"""Answer of the angelic filter: some values at the unit let the failing execution pass, none do, nobody knows, or not
asked because another execution is lost for the unit."""


def savings_miss_some_execution(savings: Iterable[Saving]) -> bool:
    """True if the unit is known not to save some execution: one is ``lost``, or was ``skipped`` for a lost one."""
    return not {"lost", "skipped"}.isdisjoint(savings)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AngelicSavings:
    """Result of the angelic filter: the failing ``runs`` that each unit could save.

    ``savings`` has an entry for each execution, in the order of ``runs``. ``complete``: no entry was left undecided for
    want of time, or because of what ended the search, ``stop``.

    ``evading`` are units that may save executions by other inputs or fewer only. They are the ``asserting`` ones, which
    only decide what is asserted, those that read an input themselves, and those with which the first execution passes
    only where it reads less than before. ``printing`` are those that print, where what is
    printed has to be right: they can save every execution by printing something else.
    """

    runs: tuple[Execution, ...]
    savings: Mapping[UnitId, tuple[Saving, ...]]
    complete: bool
    stop: Stop | None = None
    evading: frozenset[UnitId] = frozenset()
    asserting: frozenset[UnitId] = frozenset()
    printing: frozenset[UnitId] = frozenset()

    def saved(self, unit: UnitId) -> int:
        """Number of executions that some values at ``unit`` let pass."""
        return self.savings.get(unit, ()).count("saved")

    def may_save_all(self, unit: UnitId) -> bool:
        """True if no execution is known that another value of ``unit`` cannot save."""
        return unit in self.savings and not savings_miss_some_execution(self.savings[unit])

    def may_save_some(self, unit: UnitId) -> bool:
        """True if some execution is known that another value of ``unit`` can save, or may."""
        return set(self.savings.get(unit, ())) != {"lost"}

    @property
    def may_account_alone(self) -> bool:
        """True if right values at one unit may save all executions, and not by other inputs only."""
        return any(self.may_save_all(unit) for unit in self.savings if unit not in self.evading)

    def undecided(self, unit: UnitId) -> int:
        """Number of executions of which it is not decided whether ``unit`` saves them."""
        return self.savings.get(unit, ()).count("undecided")
