from __future__ import annotations

import pytest

from benchmarks.entry_pairs import judged_entry_pair
from tests.conftest import require_tool


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.sample(4)
def test_a_pair_is_safe_exactly_where_no_caller_sees_a_difference(seed: int) -> None:
    require_tool("gcc")
    _, differs, verdict = judged_entry_pair(seed)
    assert verdict == ("violated" if differs else "safe")
