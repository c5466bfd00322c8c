"""What is made of measured runs, and one real comparison of the backends."""

import json
import math
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import backends
from benchmarks.compare import Compared, Measured, as_json, fallen, geometric_mean, measure, table
from tests.conftest import require_tool


def run(seconds: float, problem: str = "") -> Measured:
    return Measured(seconds=seconds, calls=3, mebibytes=50.0, stages={"parse": seconds / 2}, problem=problem)


ROWS = (
    Compared(version="a/fault1", runs={"sfo": run(2.0), "process": run(8.0)}),
    Compared(version="b/fault1", runs={"sfo": run(1.0), "process": run(16.0)}),
    Compared(version="c/fault1", runs={"sfo": run(1.0), "process": run(60.0, "no answer in 60 s")}),
)


def test_ratios_and_their_mean() -> None:
    assert [row.ratio("process") for row in ROWS] == [4.0, 16.0, None]
    assert geometric_mean([4.0, 16.0]) == pytest.approx(8.0)
    assert math.isnan(geometric_mean([]))
    shown = table(ROWS, ("process",))
    assert "geometric mean of sfo against process: 8.0 (2 versions)" in shown
    assert "no answer in 60 s" in shown
    assert "parse 50%" in shown


def test_a_ratio_that_fell_by_a_third_is_flagged() -> None:
    before = {
        "a/fault1": {"process": 6.1},
        "b/fault1": {"process": 20.0},
        "c/fault1": {"process": 90.0},
        "d": {"process": 1.0},
    }
    assert list(fallen(ROWS, before)) == ["a/fault1: the ratio to process fell from 6.1 to 4.0"]
    again = json.loads(json.dumps(as_json(ROWS, ("process",))))["ratios"]
    assert not list(fallen(ROWS, again))


def test_a_run_is_measured_and_one_without_an_answer_is_said(tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text(
        "import json, sys\nsys.exit(int(sys.argv[1])) if sys.argv[1] != '0' else None\n"
        "print(json.dumps({'statistics': {'calls': 7, 'seconds': {'total': 1.0, 'bound': 0.5}}}))\n"
    )
    done = measure([sys.executable, str(script), "0"], 5)
    assert (done.calls, done.stages["bound"], done.problem) == (7, 0.5, "")
    assert done.seconds > 0
    assert done.mebibytes > 1
    assert measure([sys.executable, str(script), "5"], 5).problem == "no answer in 5 s"
    assert measure([sys.executable, str(script), "3"], 5).problem == "exit code 3"


def test_the_backends_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFO_CBMC", require_tool("cbmc"))
    done = CliRunner().invoke(backends.main, ["--only", "minmax/fault1", "--only", "rle/fault4"])
    assert done.output == "2 of 2 versions agree, 0 differ\n"
    assert done.exit_code == 0


def test_a_backend_that_differs_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFO_CBMC", "/no/such/cbmc")
    done = CliRunner().invoke(backends.main, ["--only", "minmax/fault1", "--backend", "process"])
    assert "minmax/fault1: process: UsageError" in done.output
    assert "0 of 1 versions agree, 1 differ" in done.output
    assert done.exit_code == 1
