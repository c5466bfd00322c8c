"""Oracle of Algorithm 1: a failing execution that avoids one of these units, a passing one with new coverage.

    oracle.failing()                    ->  Execution(outcome="fail", covered={1, 3, 4}, ...)
    oracle.failing(not_all_of={1, 3, 4}) ->  Execution(outcome="fail", covered={1, 4, 5}, ...)
    oracle.failing(not_all_of={1, 4})    ->  None: proved, every failing execution covers both
    oracle.failing(not_all_of={2})       ->  Unknown("timeout"): nobody knows

``sfo.oracles.bmc`` asks a solver about an encoded program, ``sfo.oracles.cbmc`` the real CBMC; ``PoolOracle`` chooses
among executions that exist already.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol, TypeAlias, final

from cfrontend.record import dataclass
from cfrontend.terms import Term
from cfrontend.units import UnitId
from sfo.core.executions import Execution
from sfo.core.halt import Stop

Question: TypeAlias = tuple[Term, ...]
"""Booleans that have to hold together."""


@final
@dataclass(frozen=True, slots=True)
class UnknownOracleAnswer:
    """Unknown: no answer, never to be counted as "there is none"."""

    stop: Stop


Found: TypeAlias = Execution | UnknownOracleAnswer | None
"""An execution; None: proved that there is none."""


class OracleProtocol(Protocol):
    """Oracle of Algorithm 1: all that it knows of where executions come from."""

    def failing(self, not_all_of: Collection[UnitId] | None = None) -> Found:
        """A failing execution; with ``not_all_of`` one that does not cover all of these units."""

    def passing(self, unlike: Sequence[frozenset[UnitId]]) -> Found:
        """A passing execution whose covered set is none of ``unlike``."""


class GuidedOracleProtocol(OracleProtocol, Protocol):
    """Oracle that can look for passing executions like failing ones."""

    def passing_near(self, unlike: Sequence[frozenset[UnitId]], covered: frozenset[UnitId]) -> Found:
        """A passing execution whose covered set is none of ``unlike`` and differs little from ``covered``."""


def _unheard(_left: int) -> None:
    """Nobody wants to know."""
