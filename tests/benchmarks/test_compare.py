"""What is made of measured runs, and one real comparison of the backends."""

import json
import math
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import backends, compare
from benchmarks.__main__ import main as benchmarks
from benchmarks.campaign import first_of_each
from benchmarks.compare import kind_of, measure
from benchmarks.manifest import load_manifest, select
from benchmarks.ratios import Compared, Kind, Measured, fallen, geometric_mean, markdown, read_rows, report
from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from tests.conftest import require_tool


def run(seconds: float, problem: str = "") -> Measured:
    stages = {"total": 0.75 * seconds, "parse": seconds / 4, "solve": seconds / 2}
    return Measured(seconds=seconds, calls=3, mebibytes=50.0, stages=stages, problem=problem)


def row(version: str, ours: float, theirs: float, problem: str = "", kind: Kind = "control") -> Compared:
    """A version whose check takes half as long as the whole method, and one call of CBMC a quarter of all."""
    runs = {
        "sfo": run(ours),
        "process": run(theirs, problem),
        "check": run(ours / 2),
        "cbmc": run(theirs / 4),
    }
    return Compared(version=version, lines=100, kind=kind, loop_free=version < "b", runs=runs)


ROWS = (
    row("a/fault1", 2.0, 8.0),
    row("b/fault1", 1.0, 16.0),
    row("b/fault2", 1.0, 4.0),
    row("c/fault1", 1.0, 60.0, "no answer in 60 s"),
    row("d/fault1", 4.0, 2.0, kind="float"),
)


def test_ratios_and_their_mean() -> None:
    assert [r.ratio("process") for r in ROWS] == [4.0, 16.0, 4.0, None, 0.5]
    assert ROWS[0].ratios == {"process": 4.0, "one call": 1.0, "check": 2.0}
    assert geometric_mean([4.0, 16.0]) == pytest.approx(8.0)
    assert math.isnan(geometric_mean([]))


def test_the_report_has_programs_apart_by_kind_with_shares_and_the_worst() -> None:
    control, floats, shares, said = report(ROWS).split("\n\n")
    assert [line.split()[0] for line in control.splitlines()[2:]] == ["a", "b", "c", "all"]
    assert control.splitlines()[3].split()[:9] == ["b", "2", "100", "1.00", "3", "50", "10.00", "3", "8.00"]
    assert "(1 none)" in control.splitlines()[4]
    assert "Programs dominated by float" in floats
    assert shares.splitlines()[-1].split() == ["all", "25", "25", "0", "0", "0", "50", "0"]
    assert "geometric mean of process 6.35 (least 4.00, 0 of 3 below 1)" in said
    assert "those without loops below 200 lines: geometric mean of process 4.00" in said
    assert "dominated by float: geometric mean of process 0.50 (least 0.50, 1 of 1 below 1)" in said
    assert "the worst of process: d/fault1 0.50, a/fault1 4.00, b/fault2 4.00" in said
    assert "c/fault1: process: no answer in 60 s" in said
    assert markdown(ROWS).count("\n| --- |") == 2


def test_a_ratio_that_fell_by_a_third_is_flagged() -> None:
    before = (
        row("a/fault1", 2.0, 12.2),
        row("b/fault1", 1.0, 20.0),
        row("c/fault1", 1.0, 90.0),
        row("x/fault1", 1.0, 1.0),
    )
    assert [said for said in fallen(ROWS, before) if "process" in said] == [
        "a/fault1: process: the ratio fell from 6.1 to 4.0"
    ]
    again = read_rows([json.loads(json.dumps(asdict(r))) for r in ROWS])
    assert tuple(again) == ROWS
    assert not list(fallen(ROWS, again))
    silent = replace(ROWS[0], runs={**ROWS[0].runs, "sfo": run(600.0, "no answer in 600 s")})
    assert "a/fault1: process: there was a ratio of 4.0, and now sfo has no answer" in list(
        fallen((silent,), ROWS)
    )


def test_what_dominates_a_formula(tmp_path: Path) -> None:
    def kind(text: str, *features: str) -> Kind:
        version = select(load_manifest(), ["minmax/fault1"])[0]
        path = tmp_path / "a.c"
        path.write_text(text)
        program = load_c_program([str(path)], ProgramOptions())
        return kind_of(
            replace(version, path=path, features=features), encode_program(program, Bound(unwind=1))
        )

    head = "#include <assert.h>\nint main(void){int x, y;"
    assert kind(head + "assert(x * y != 77); return x / y;}") == "multiplication and division"
    assert kind(head + "assert(x + y != 77); return 0;}") == "control"
    assert kind(head + "assert(x + y != 77); return 0;}", "float") == "float"


def test_one_real_comparison_is_kept_and_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SFO_CBMC", require_tool("cbmc"))
    results = tmp_path / "results.jsonl"
    options = ["compare", "--only", "minmax/fault1", "--runs", "1", "--results", str(results)]
    done = CliRunner().invoke(benchmarks, options)
    assert done.exit_code == 0, done.output
    assert "minmax/fault1" in done.stderr
    (kept,) = read_rows([json.loads(line) for line in results.read_text().splitlines()])
    assert set(kept.runs) == {"sfo", "process", "encode-once", "check", "cbmc"}
    assert not any(r.problem for r in kept.runs.values())
    assert kept.runs["process"].calls > kept.runs["cbmc"].calls == 1
    assert (kept.kind, kept.loop_free) == ("control", True)
    again = CliRunner().invoke(benchmarks, [*options, "--against", str(results)])
    assert (again.exit_code, again.stderr, again.stdout) == (0, "", done.stdout)
    better = replace(kept, runs={**kept.runs, "cbmc": replace(kept.runs["cbmc"], seconds=1000.0)})
    before = tmp_path / "before.jsonl"
    before.write_text(json.dumps(asdict(better)) + "\n")
    worse = CliRunner().invoke(benchmarks, [*options, "--against", str(before)])
    assert worse.exit_code == 1
    assert "minmax/fault1: check: the ratio fell from" in worse.output


def test_versions_of_each_program() -> None:
    versions = first_of_each(select(load_manifest(), ["minmax", "matrix"]), 2)
    assert [v.id for v in versions] == ["minmax/fault1", "minmax/fault2", "matrix/fault1", "matrix/fault2"]


def test_a_run_is_measured_and_one_without_an_answer_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "run.py"
    script.write_text(
        "import json, sys\nsys.exit(int(sys.argv[1])) if sys.argv[1] != '0' else None\n"
        "print(json.dumps({'statistics': {'calls': 7, 'seconds': {'total': 1.0, 'bound': 0.5}}}))\n"
    )
    done = measure([sys.executable, str(script), "0"], 5)
    assert (done.calls, done.stages["bound"], done.problem) == (7, 0.5, "")
    assert done.seconds > 0
    assert 1 < done.mebibytes < 60, "the memory of whoever measures does not count"
    assert measure([sys.executable, str(script), "5"], 5).problem == "undecided"
    assert measure([sys.executable, str(script), "0"], 0.001).problem == "no answer in 0.001 s"
    sleeper = [sys.executable, "-c", "import time; time.sleep(60)"]
    monkeypatch.setattr(compare, "_GRACE", 0.1)
    assert measure(sleeper, 0.1).problem == "no answer in 0.1 s"
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
