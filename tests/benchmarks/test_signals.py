"""A sample of the campaign of signals, without what depends on the clock; and its table."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.signals import ending_of, signal_trials, summary


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["check", "localize", "generate", "repair", "mutate", "batch", "evaluate"]
)
@pytest.mark.parametrize("signal", [0, 1])
def test_interrupted_commands_end_well(command: str, signal: int, tmp_path: Path) -> None:
    trials = [trial for trial in signal_trials(tmp_path) if trial.command == command and trial.count == 1]
    ending = ending_of(trials[signal])
    assert [fault for fault in ending["wrong"] if not fault.startswith("late")] == []


def test_the_table_counts_what_is_late_and_wrong() -> None:
    good = {"command": "check", "seconds": 0.5, "known": True, "wrong": []}
    late = {"command": "check", "seconds": 3.5, "known": False, "wrong": ["late: 3.5 s"]}
    other = {**good, "command": "repair"}
    table, is_well = summary([good, late, other])
    assert table.splitlines()[2:] == [
        "| check | 2 | 1 | 2.00 | 3.50 | 1 | 1 |",
        "| repair | 1 | 1 | 0.50 | 0.50 | 1 | 0 |",
    ]
    assert not is_well
    assert summary([good, other])[1]
