"""`sfo explain`: every sentence is what the result says."""

from dataclasses import replace
from pathlib import Path

import pytest

from cfrontend.errors import UsageError
from cfrontend.program import ProgramOptions
from sfo import cli
from sfo.core.dataset import Dataset
from sfo.core.repairs import Repairs
from sfo.core.result import Result
from sfo.core.savings import AngelicSavings
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.report.explain import explain_report, units_of_explain_report
from tests.sfo.models import execution, unit
from tests.sfo.results import nothing_fails, paper_result

MINMAX = "benchmarks/programs/minmax.c"

PAPER = """\
unit C3 at minmax.c:17:3 in main: most = input3

It has rank 3 of 5 by naish2 (0.750).
1 of 3 failing and 2 of 7 passing executions cover it.
It is not needed for a failure: execution 2 fails without it. If one unit is at
fault, it is not this one.

executions that cover it: 3
  1  violates main.assertion.1; inputs: input1=1 input2=0 input3=2
  4  passes; inputs: input1=0 input2=1 input3=0
"""


def explain(result: Result, name: str, *, everything: bool = False) -> str:
    return explain_report(result, units_of_explain_report(result.dataset.units, name), everything=everything)


def test_a_unit_that_some_failing_run_avoids() -> None:
    text = explain(paper_result(), "C3")
    assert text.splitlines()[:7] == PAPER.splitlines()[:7]
    result = paper_result()
    for run in result.dataset.executions:
        line = next(line for line in text.splitlines() if line.startswith(f"  {run.id}  "))
        after = text.index(line) > text.index("executions that do not")
        assert after == (3 not in run.covered)
    assert max(map(len, text.splitlines())) <= 80


def test_what_was_seen_at_a_unit(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", MINMAX, "C4", "--no-replay", "-q", "--rank", "coverage"]) == 0
    text = capsys.readouterr().out
    covering = text[text.index("executions that cover it") : text.index("executions that do not")]
    lines = covering.splitlines()[1:]
    for line, below in zip(lines[::2], lines[1::2], strict=False):
        value = line.split("input2=")[1].split()[0]
        assert below == f"     there: most = {value}"
    assert "there:" not in text[text.index("executions that do not") :]


def test_each_evaluation_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "loop.c"
    source.write_text(
        "#include <assert.h>\nint nondet_int(void);\nint main(void)\n{\n    int n = nondet_int(), sum = 0;\n"
        "    for (int i = 0; i < 3; i++)\n        sum += n;\n    assert(sum != 9);\n    return 0;\n}\n"
    )
    assert cli.main(["explain", str(source), ":7", "--no-replay", "-q", "--rank", "coverage"]) == 0
    assert "there: sum = 3; then sum = 6; then sum = 9" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("optimal", "reason", "said"),
    [
        (True, None, "No failing execution within the bound avoids it; this is proved."),
        (False, "the time limit was reached", "is not proved (the time limit was reached)."),
        (None, None, "is not proved."),
    ],
)
def test_a_proof_is_claimed_only_where_there_is_one(
    optimal: bool | None, reason: str | None, said: str
) -> None:
    text = explain(replace(paper_result(), optimal=optimal, reason=reason), "C4")
    assert said in " ".join(text.split())
    assert ("proved." in text and "not proved" not in " ".join(text.split())) == (optimal is True)


def test_units_that_coverage_cannot_tell_apart() -> None:
    units = tuple(unit(n) for n in (1, 2, 3))
    runs = (execution(1, "fail", (1, 2)), execution(2, "pass", (1, 2, 3)))
    result = replace(paper_result(), dataset=Dataset(units=units, executions=runs), ranking=())
    assert "The same executions cover 2 (line 2)." in explain(result, "1")
    assert "The same executions" not in explain(result, "3")


def test_what_other_values_do() -> None:
    result = paper_result()
    runs = result.dataset.failing
    savings = {4: ("saved", "lost", "skipped"), 1: ("undecided", "saved", "saved")}
    result = replace(result, angelic=AngelicSavings(runs=runs, savings=savings, complete=False))  # type: ignore[arg-type]
    said = " ".join(explain(result, "C4").split())
    assert "would pass if it yielded other values; inputs: input1=1 input2=0 input3=2" in said
    assert "fails whatever it yields; inputs: input1=2 input2=0 input3=1" in said
    assert "not asked, because another one fails whatever it yields" in said
    assert "not decided; inputs: input1=1" in " ".join(explain(result, "C1").split())
    assert "other values: not asked of this unit" in explain(result, "C2")


def test_repairs_of_the_unit_and_no_other() -> None:
    result = run_localize_pipeline(
        (MINMAX,), PipelineOptions(program=ProgramOptions(), passing=20, rank="full", replay=False)
    )
    assert result.repairs is not None
    found = [repair for repair in result.repairs.found if repair.unit == 8]
    said = explain(result, "C4", everything=True)
    assert f"verified repairs: {len(found)};" in said
    assert found[0].diff.rstrip("\n") in said
    for repair in found:
        assert f"{repair.before}  ->  {repair.after or 'nothing'}" in said
    assert "verified repairs of it: none found" in explain(result, "C3")
    hasty = replace(result, repairs=Repairs(found=(), complete=False, passing=1))
    assert "verified repairs of it: none found in time" in explain(hasty, "C4")


def test_nothing_fails() -> None:
    assert "No failing execution is known." in explain(nothing_fails(), "C1")


@pytest.mark.parametrize(
    ("name", "ids"),
    [("C4", [4]), ("4", [4]), (":19", [4]), ("minmax.c:19", [4]), ("C1", [1])],
)
def test_names_of_units(name: str, ids: list[int]) -> None:
    assert [u.id for u in units_of_explain_report(paper_result().dataset.units, name)] == ids


def test_a_file_is_known_by_the_end_of_its_path() -> None:
    units = tuple(
        replace(u, location=replace(u.location, file=f"src/{u.location.file}"))
        for u in paper_result().dataset.units
    )
    assert [u.id for u in units_of_explain_report(units, "minmax.c:19")] == [4]
    for name in ("ax.c:19", "99", ":1", "C9", "", ":", "²"):
        with pytest.raises(UsageError, match="no unit"):
            units_of_explain_report(units, name)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", MINMAX, ":11", "--no-replay"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"unit 1 at {MINMAX}:11:9 in main: least = input1\n")
    assert f"\nunit C1 at {MINMAX}:11:29 in main: most = input1\n" in said
    assert cli.main(["explain", MINMAX, "C4", "--no-replay", "-o", str(tmp_path / "x")]) == 0
    assert (tmp_path / "x").read_text().startswith("unit C4 ")
    capsys.readouterr()
    assert cli.main(["explain", MINMAX, "C77"]) == 2
    assert capsys.readouterr().err.startswith("sfo: error: no unit 'C77'")


def test_a_safe_program(tmp_path: Path) -> None:
    path = tmp_path / "safe.c"
    path.write_text(
        "#include <assert.h>\nint main(void) {\n  int x = 1;\n  assert(x == 1);\n  return 0;\n}\n"
    )
    assert cli.main(["explain", str(path), ":3"]) == 4
