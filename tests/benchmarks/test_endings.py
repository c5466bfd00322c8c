"""The campaign that measures whether commands end: what it asks, and what it makes of the answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import endings
from benchmarks.campaign import kept
from benchmarks.endings import EndingQuestion, ending_of, endings_with_limit, endings_without_limit, summary


def test_versions_and_correct_programs_are_asked_without_a_limit(tmp_path: Path) -> None:
    asked = {one.subject: one for one in endings_without_limit(tmp_path, 0)}
    assert {"minmax/fault1", "minmax/correct", "tokens/fault7"} <= asked.keys()
    assert not any(name.startswith(("building/", "batchplant/")) for name in asked)
    assert all("--timeout" not in one.arguments for one in asked.values())


def test_commands_are_asked_with_limits_on_the_large_programs(tmp_path: Path) -> None:
    asked = list(endings_with_limit(tmp_path))
    assert {one.subject for one in asked} == {"building/fault1", "batchplant/fault1"}
    assert {one.arguments[0] for one in asked} == {"check", "localize", "repair", "generate"}
    assert {one.limit for one in asked} == {1.0, 3.0, 10.0}


def test_how_a_command_ends_is_kept_and_not_asked_again(tmp_path: Path) -> None:
    results = tmp_path / "endings.jsonl"
    options = ["--results", str(results), "--only", "minmax/fault1", "--mutants", "0"]
    for _ in range(2):
        ended = CliRunner().invoke(endings.main, options)
        assert ended.exit_code == 0, ended.output
        (found,) = kept(results)
        assert (found["subject"], found["code"]) == ("minmax/fault1", 0)
        assert found["processor"] > 0
        assert "1 without a limit: 1 within 20 s (100%)" in ended.output


def test_a_command_without_end_is_no_good_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endings, "_PATIENCE", 0.01)
    found = ending_of(EndingQuestion("nothing", ("doctor",)))
    assert found["code"] is None
    assert not summary([found])[1]


def test_what_is_late_is_told() -> None:
    ending = {"subject": "a", "command": "check", "code": 5, "processor": 1.0}
    text, is_well = summary(
        [{**ending, "limit": 3.0, "seconds": 3.4}, {**ending, "limit": 3.0, "seconds": 3.6}]
    )
    assert text == "2 with a limit: 1 within 0.5 s of it, the latest 0.60 s behind it"
    assert not is_well
    usual = [{**ending, "limit": None, "seconds": 1.0}] * 19
    assert summary([*usual, {**ending, "limit": None, "seconds": 89.0}])[1]
    assert not summary([*usual, {**ending, "limit": None, "seconds": 91.0}])[1]
    assert not summary([*usual[2:], *[{**ending, "limit": None, "seconds": 21.0}] * 2])[1]
