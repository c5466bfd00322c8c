"""The order in which edits are tried: what the effort is spent on first."""

from __future__ import annotations

import pytest

from cfrontend.edit.candidate import Candidate
from sfo.core.executions import Execution
from sfo.program_repair.native_validation import NativeValidationVerdicts
from sfo.program_repair.search import _STAGES, RepairTrial, _shares, repair_search_trials


def candidate(unit: int, text: str = "1") -> Candidate:
    return Candidate(template="any", unit=unit, file="f.c", start=unit, end=unit + 1, text=text, size="small")


@pytest.mark.parametrize(("seconds", "parts"), [(0.3, 1), (0.99, 1), (2.5, 2), (60.0, 4), (float("inf"), 4)])
def test_little_effort_is_not_shared(seconds: float, parts: int) -> None:
    trials = [RepairTrial(candidate(n % 50), n, "plain") for n in range(200)]
    shares = _shares(trials, seconds)
    assert len(shares) == parts
    assert sorted(number for share in shares for number in share) == list(range(200))
    units = [{trials[number].candidate.unit for number in share} for share in shares]
    assert sum(map(len, units)) == len(set().union(*units))


def test_what_a_native_execution_refutes_is_tried_last() -> None:
    refuting = {0: Execution(id=1, outcome=None, property=None, inputs=(), covered=frozenset())}
    trials = list(
        repair_search_trials([candidate(1), candidate(2)], NativeValidationVerdicts(refuting=refuting))
    )
    assert [trial.kind for trial in trials] == ["refuted", "plain"]
    kinds = [stage.kind for stage in _STAGES]
    assert kinds.index("refuted") == len(kinds) - kinds.count("refuted")
