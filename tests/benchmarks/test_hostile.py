"""A sample of the campaign of hostile inputs: nothing of it ends in a traceback or with code 1, and nothing is left."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import hostile
from benchmarks.hostile import CLASSES, SECONDS, Ending, Verdict, judged, table, verdicts
from benchmarks.hostile_cases import HostileCase
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
        (Verdict("names", 1, 139, 0.1, False, ()), ("killed",)),
        (Verdict("names", 1, 0, 0.1, False, (), memory=1801.0), ("too much memory",)),
        (Verdict("names", 1, 0, SECONDS + 9, True, ("file x",)), ("traceback", "too long", "left")),
    ],
)
def test_what_is_a_fault(verdict: Verdict, faults: tuple[str, ...]) -> None:
    assert verdict.faults == faults


def test_a_file_that_is_left_is_seen(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp" / "rest").write_text("")
    assert judged("names", 1, tmp_path, lambda: Ending(0, 0.1, "")).left == ("file rest",)


def test_what_is_written_or_changed_unasked_is_seen(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    case = HostileCase(("check",), {b"p.c": b"1", b"q.c": b"2"}, outputs=("asked",))

    def end() -> Ending:
        for name in ("p.c", "asked", "other"):
            (tmp_path / name).write_text("x")
        (tmp_path / "q.c").write_text("2")
        return Ending(0, 0.1, "")

    assert judged("names", 1, tmp_path, end, case).left == ("written other", "changed p.c")


def test_a_process_that_is_left_is_seen_and_ended(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    hostile.adopt_orphans()

    def end() -> Ending:
        subprocess.run(["sh", "-c", "sleep 600 &"], check=True)
        return Ending(0, 0.1, "")

    assert judged("names", 1, tmp_path, end).left == ("process sleep",)
    assert judged("names", 2, tmp_path, lambda: Ending(0, 0.1, "")).left == ()


def test_a_case_without_end_and_one_that_breaks_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def console() -> None:
        if sys.argv[1] == "2":
            while True:
                pass
        raise ValueError("broken in /sfo/")

    def case(_draw: object) -> HostileCase:
        return HostileCase((str(next(turns)),), {})

    turns = iter(range(1, 9))
    monkeypatch.setattr(hostile, "console", console)
    monkeypatch.setattr(hostile, "CASES", {**hostile.CASES, "names": case})
    monkeypatch.setattr(hostile, "_HANGS", -2.0)
    found = list(verdicts("names", [1, 2, 3]))
    assert [one.faults for one in found] == [("exit 1", "traceback"), ("no end",), ("exit 1", "traceback")]
    assert "| names | 3 |" in table(found)
