"""Failing executions in groups: by the property that they violate, and by the unit that saves them."""

import json
from pathlib import Path
from typing import Final

import pytest

from cfrontend.program import ProgramOptions
from sfo import cli
from sfo.core.result import Result
from sfo.library.results import Localization
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from tests.tuning import Tune

TWO: Final = """\
#include <assert.h>
int nondet_int(void);
int clamp(int x) {
    int r = x;
    if (x > 10) r = 11;
    return r;
}
int sum(int a, int b) {
    int s = a;
    s -= b;
    return s;
}
int main(void) {
    int a = nondet_int(), b = nondet_int();
    if (a < -20 || a > 20 || b < -20 || b > 20) return 0;
    int c = clamp(a);
    int d = sum(a, b);
    if (a > 0) assert(c <= 10);
    assert(d == a + b);
    return 0;
}
"""
"""Line 5 makes the first assertion fail, line 10 the second one."""

ONE: Final = TWO.replace("s -= b", "s += b").replace("a > 0) assert(c <= 10)", "a > 15) assert(c == 10)")
ONE_FOR_BOTH: Final = ONE.replace("assert(d == a + b)", "assert(c <= 10)")
"""Line 5 makes both assertions fail."""

APART: Final = """\
#include <assert.h>
int nondet_int(void);
int main(void) {
    int kind = nondet_int(), n = nondet_int(), out = 0;
    if (kind < 0 || kind > 2 || n < 1 || n > 9) return 0;
    if (kind == 0) out = n * 7 + 3;
    else if (kind == 1) out = n * 5 + 2;
    else out = n;
    assert(out == (kind == 0 ? n * n + 4 : kind == 1 ? n * n * n + 9 : n));
    return 0;
}
"""
"""Lines 6 and 7 are wrong by more than an edit, for inputs that have nothing to do with each other."""


@pytest.fixture(autouse=True)
def more_patience(tune: Tune) -> None:
    """What is found on a quick machine is found on a slow one."""
    tune(diagnoses={"group_seconds": 4.0})


def localized(directory: Path, text: str, properties: tuple[str, ...] = ()) -> Result:
    path = directory / "program.c"
    path.write_text(text, encoding="utf-8")
    chosen = PipelineOptions(
        program=ProgramOptions(), passing=20, rank="full", replay=False, properties=properties
    )
    return run_localize_pipeline([str(path)], chosen)


def lines_of(result: Result, group: int, count: int) -> list[int]:
    units = {unit.id: unit.location.line for unit in result.dataset.units}
    return [units[line.unit] for line in result.groups[group].ranking[:count]]


def test_each_property_has_a_ranking_with_its_own_fault_in_front(tmp_path: Path) -> None:
    result = localized(tmp_path, TWO)
    groups = {group.properties: place for place, group in enumerate(result.groups)}
    assert set(groups) == {("main.assertion.1",), ("main.assertion.2",)}
    assert 5 in lines_of(result, groups["main.assertion.1",], 2)
    assert lines_of(result, groups["main.assertion.2",], 1) == [10]
    for group in result.groups:
        assert {execution.property for execution in group.executions} == set(group.properties)
        assert len({line.unit for line in group.ranking}) == len(result.dataset.units)
        assert group.repairs is not None
        assert group.repairs.found
    assert Localization(result=result).groups == result.groups
    sizes = [len(group.executions) for group in result.groups]
    assert sizes == sorted(sizes, reverse=True)


def test_a_fault_of_both_properties_is_looked_for_in_all_executions(tmp_path: Path) -> None:
    result = localized(tmp_path, ONE_FOR_BOTH)
    units = {unit.id: unit.location.line for unit in result.dataset.units}
    assert 5 in [units[line.unit] for line in result.ranking[:2]]
    assert not any(group.is_alone for group in result.groups)


def test_one_property_is_one_group(tmp_path: Path) -> None:
    assert localized(tmp_path, ONE).groups == ()


@pytest.mark.parametrize(("property_", "line"), [("main.assertion.1", 5), ("main.assertion.2", 10)])
def test_a_property_that_is_chosen_is_all_that_counts(tmp_path: Path, property_: str, line: int) -> None:
    result = localized(tmp_path, TWO, properties=(property_,))
    assert {execution.property for execution in result.dataset.failing} == {property_}
    assert result.groups == ()
    assert result.diagnoses is None
    assert result.angelic is not None
    assert {execution.property for execution in result.angelic.runs} == {property_}
    assert result.repairs is not None
    units = {unit.id: unit.location.line for unit in result.dataset.units}
    assert line in [units[one.unit] for one in result.ranking[:2]]
    assert any(units[repair.unit] == line for repair in result.repairs.found)


def test_faults_that_have_nothing_in_common_are_two_groups(tmp_path: Path) -> None:
    result = localized(tmp_path, APART)
    assert result.diagnoses is not None
    assert len(result.groups) == 2
    units = {unit.id: unit.location.line for unit in result.dataset.units}
    assert {units[group.unit or 0] for group in result.groups} == {6, 7}
    for group in result.groups:
        kinds = {execution.vector[0] for execution in group.executions}
        assert kinds == {{6: 0, 7: 1}[units[group.unit or 0]]}
        assert units[group.ranking[0].unit] == units[group.unit or 0]


def test_what_repairs_one_property_is_shown_where_nothing_repairs_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = TWO.replace("int s = a;\n    s -= b;", "int s = a * b * 3 - 2;")
    path = tmp_path / "program.c"
    path.write_text(text, encoding="utf-8")
    cli.main(["repair", str(path), "--effort", "0.5"])
    said = " ".join(capsys.readouterr().out.split())
    assert "violates main.assertion.1:" in said
    assert "+ if (x > 10) r = 10;" in said


def test_the_report_and_the_json_have_the_groups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.c"
    path.write_text(TWO, encoding="utf-8")
    forms = [f"--report={form}={tmp_path / form}" for form in ("json", "html")]
    assert cli.main(["localize", str(path), "--passing", "--no-replay", "-v", *forms]) == 0
    groups = json.loads((tmp_path / "json").read_text(encoding="utf-8"))["groups"]
    assert sorted(group["properties"][0] for group in groups) == ["main.assertion.1", "main.assertion.2"]
    text = " ".join(capsys.readouterr().out.split())
    assert "each with a ranking of its own (-v): " in text
    for group in groups:
        assert (
            f"of {len(group['executions'])} failing executions that violate {group['properties'][0]}: rank"
            in text
        )
    assert "violates main.assertion.2: line 10:5: s -= b -> s += b" in text
    page = (tmp_path / "html").read_text(encoding="utf-8")
    for group in groups:
        assert f"failing executions that violate {group['properties'][0]}:" in page
