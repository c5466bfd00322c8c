"""Generated programs fail within their bounds, and what was measured becomes tables and curves."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import growth
from benchmarks.__main__ import main as benchmarks
from benchmarks.growing import FAMILIES
from benchmarks.growth import Point, draw, exponent, markdown
from benchmarks.ratios import Measured
from cfrontend.program import ProgramOptions
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from tests.conftest import require_tool


@pytest.mark.parametrize("name", FAMILIES)
def test_the_smallest_program_of_each_family_fails_within_its_bound(name: str, tmp_path: Path) -> None:
    family = FAMILIES[name]
    size = family.sizes[0]
    path = tmp_path / "a.c"
    path.write_text(family.text(size))
    options = ProgramOptions(checks=frozenset({"assert"}))
    found = run_localize_pipeline([str(path)], PipelineOptions(program=options, unwind=family.unwind(size)))
    assert found.verdict == "violated"
    assert found.optimal
    assert found.bound.complete
    assert family.text(size) == path.read_text()
    assert list(family.sizes) == sorted(family.sizes)


def points(*seconds: float, tool: str = "sfo", problem: str = "") -> list[Point]:
    sizes = FAMILIES["lines"].sizes
    return [
        Point(
            family="lines",
            size=size,
            tool=tool,
            run=Measured(seconds=s, mebibytes=50, problem=problem if s > 50 else ""),
        )
        for size, s in zip(sizes, seconds, strict=False)
    ]


def test_tables_and_exponents() -> None:
    measured = [*points(1.0, 3.0, 10.0), *points(0.5, 4.5, 60.0, tool="CBMC", problem="no answer in 50 s")]
    assert exponent(measured, "sfo") == pytest.approx(1.0)
    assert exponent(measured, "CBMC") == pytest.approx(2.0)
    assert exponent(points(1.0), "sfo") is None
    assert markdown("lines", measured).splitlines()[2:] == [
        "| 100 | 1.00 | 50 | - | - | 0.50 | 50 |",
        "| 300 | 3.00 | 50 | - | - | 4.50 | 50 |",
        "| 1,000 | 10.00 | 50 | - | - | no answer in 50 s | - |",
        "",
        "Exponent between the last two sizes: sfo 1.0, CBMC 2.0.",
    ]


def test_curves_are_the_same_file_for_the_same_points(tmp_path: Path) -> None:
    measured = [*points(1.0, 3.0, 10.0), *points(0.5, 60.0, tool="CBMC", problem="no answer in 50 s")]
    for name in ("one.svg", "two.svg"):
        draw("lines", measured, tmp_path / name)
    text = (tmp_path / "one.svg").read_text()
    assert text == (tmp_path / "two.svg").read_text()
    assert all(said in text for said in ("straight lines", "sfo", "CBMC: no answer in 50 s"))


def test_growth_is_measured_kept_drawn_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFO_CBMC", require_tool("cbmc"))
    page = tmp_path / "performance.md"
    page.write_text(f"before\n{growth.BEGIN}\n{growth.END}\nafter\n")
    monkeypatch.setattr(growth, "DOCS", tmp_path)
    monkeypatch.setattr(growth, "PAGE", page)
    options = f"growth --family loop --largest 8 --runs 1 --results {tmp_path / 'r.jsonl'}".split()
    done = CliRunner().invoke(benchmarks, [*options, "--write"])
    assert done.exit_code == 0, done.output
    assert done.stderr.count("loop ") == 6
    assert (tmp_path / "growth-loop.svg").is_file()
    assert "![a loop that an input bounds](growth-loop.svg)" in page.read_text()
    before, _, after = page.read_text().partition("![")
    assert before.startswith("before\n")
    assert after.endswith("after\n")
    again = CliRunner().invoke(benchmarks, options)
    assert (again.exit_code, again.stderr, again.stdout) == (0, "", done.stdout)


def test_whoever_takes_too_long_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFO_CBMC", require_tool("cbmc"))
    monkeypatch.setattr(growth, "measure", lambda *_: Measured(seconds=9.0, problem="no answer in 9 s"))
    done = CliRunner().invoke(
        benchmarks, ["growth", "--family", "ifs", "--results", str(tmp_path / "r.jsonl")]
    )
    assert done.stderr.splitlines() == [f"ifs 10 {tool} 9.00 s no answer in 9 s" for tool in growth.TOOLS]
