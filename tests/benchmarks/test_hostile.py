"""A sample of the campaign of hostile inputs: nothing of it ends in a traceback or with code 1, and nothing is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import hostile
from benchmarks.hostile import CLASSES, SECONDS, Verdict, judged, table, verdicts
from tests.conftest import require_tool


@pytest.mark.parametrize("kind", CLASSES)
def test_a_sample_has_no_faults(kind: str) -> None:
    require_tool("gcc")
    found = list(verdicts(kind, range(500, 502 if kind in ("signals", "limits") else 512)))
    assert [one.number for one in found] == list(range(500, 500 + len(found)))
    assert not [(one, one.faults) for one in found if one.faults]


@pytest.mark.parametrize(
    ("verdict", "faults"),
    [
        (Verdict("names", 1, 2, 0.1, False, ()), ()),
        (Verdict("names", 1, 1, 0.1, False, ()), ("exit 1",)),
        (Verdict("names", 1, None, 0.1, False, ()), ("no end",)),
        (Verdict("names", 1, 0, SECONDS + 9, True, ("file x",)), ("traceback", "too long", "left")),
    ],
)
def test_what_is_a_fault(verdict: Verdict, faults: tuple[str, ...]) -> None:
    assert verdict.faults == faults


def test_a_file_that_is_left_is_seen(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp" / "rest").write_text("")
    assert judged("names", 1, tmp_path, lambda: (0, 0.1, "")).left == ("file rest",)


def test_a_case_without_end_and_one_that_breaks_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def inside(place: Path, _case: object) -> tuple[int | None, float, str]:
        if place.exists() and next(turns) == 1:
            while True:
                pass
        return 1, 0.1, "Traceback: in /sfo/"

    turns = iter(range(9))
    monkeypatch.setattr(hostile, "inside", inside)
    monkeypatch.setattr(hostile, "_HANGS", -2.5)
    found = list(verdicts("names", [1, 2, 3]))
    assert [one.faults for one in found][:2] == [("exit 1", "traceback"), ("no end",)]
    assert len(found) == 3
    assert "| names | 3 |" in table(found)
