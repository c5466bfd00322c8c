"""Policy of one test: the fixture ``tune`` of conftest, which changes tuning constants until the test ends.

def test_fuzzing_begins_at_once(tune: Tune) -> None:
    tune(portfolio={"fuzz_after": 0.0})
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Tune(Protocol):
    """Changes the policy in force: constants by group, as in ``sfo.core.policy``."""

    def __call__(self, **groups: Mapping[str, Any]) -> None: ...
