"""An oracle that chooses among existing executions: Algorithm 1 then reduces a test suite."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import final

from cfrontend.units import UnitId
from sfo.core.executions import Execution
from sfo.oracles.protocol import Found


@final
class PoolOracle:
    """Chooses among existing executions, in their order: Algorithm 1 then reduces a test suite.

    A None answer means that there is none in the pool, nothing more.
    """

    def __init__(self, executions: Sequence[Execution]) -> None:
        self._failing = [e for e in executions if e.outcome == "fail"]
        self._passing = [e for e in executions if e.outcome == "pass"]

    def failing(self, not_all_of: Collection[UnitId] | None = None) -> Found:
        """The first failing execution that does not cover all of ``not_all_of``."""
        if not_all_of is None:
            return next(iter(self._failing), None)
        wanted = frozenset(not_all_of)
        return next((e for e in self._failing if not wanted <= e.seen), None)

    def passing(self, unlike: Sequence[frozenset[UnitId]]) -> Found:
        """The first passing execution whose covered set is none of ``unlike``."""
        return next((e for e in self._passing if e.seen not in unlike), None)
