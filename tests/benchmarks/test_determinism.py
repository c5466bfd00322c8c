"""The result of a program does not depend on the processes that work on it, nor on the seed of Python's hashes."""

from __future__ import annotations

import pytest

from benchmarks import determinism
from benchmarks.determinism import ALL, paths_of_differences, without_clocks


def test_the_same_result_with_one_process_and_with_several(capsys: pytest.CaptureFixture[str]) -> None:
    assert len({one.jobs for one in ALL[:3]}) == 3
    assert determinism.main(["--program", "minmax", "--per-program", "1", "--surroundings", "3"]) == 0
    assert "minmax/fault1  same  3 executions" in capsys.readouterr().out


def test_what_differs_is_named() -> None:
    one = {"a": [{"b": 1, "seconds": 2}], "c": 3}
    other = {"a": [{"b": 2, "seconds": 4}], "c": 3, "d": None}
    assert paths_of_differences(without_clocks(one), without_clocks(other)) == ["/a/0/b"]
    assert paths_of_differences([1], [1, 2]) == [""]


def test_a_difference_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(determinism, "result_in", lambda _version, _one, seed: {"ranking": [seed]})
    assert determinism.main(["--program", "minmax", "--per-program", "1", "--surroundings", "2"]) == 1
    out = capsys.readouterr().out
    assert "DIFFERS" in out
    assert "/ranking/0" in out
    assert "1 versions, 1 differ" in out
