"""SARIF, GitHub annotations, JUnit XML and GNU lines: the same findings for four readers."""

import difflib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from jsonschema.validators import validator_for

from cfrontend.errors import Location
from cfrontend.program import ProgramOptions
from sfo import cli
from sfo.core.dataset import Dataset
from sfo.core.executions import ExecutionNativeCheck
from sfo.core.repairs import DiagnosesFound
from sfo.core.result import Result
from sfo.pipeline.localize import localize_pipeline_checks, run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.report import REPORTS, findings
from sfo.report.junit import junit_xml
from sfo.report.line_reports import github_annotations, gnu_report_lines
from sfo.report.sarif import sarif_document, sarif_report, sarif_uri
from tests.places import DOCS
from tests.sfo.models import execution, unit
from tests.sfo.results import nothing_fails, paper_result

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "sarif-2.1.0.json").read_text())
MINMAX = "benchmarks/programs/minmax.c"
OPTIONS = PipelineOptions(program=ProgramOptions(), passing=20, rank="full", replay=False)
HOSTILE = "a\"b'<i>&amp;</i>]]>%0A::error::\x1b[31m\x00\u202e\n,x:y</script>"


@pytest.fixture(scope="module")
def minmax() -> Result:
    return run_localize_pipeline((MINMAX,), OPTIONS)


@pytest.fixture(scope="module")
def checked() -> Result:
    return localize_pipeline_checks((MINMAX,), OPTIONS)


def hostile_result() -> Result:
    """The paper's example with names and texts that try to break out of every format."""
    result = paper_result()
    place = Location(HOSTILE, 12, 3, 12, 10)
    units = tuple(replace(u, text=HOSTILE, label=HOSTILE, location=place) for u in result.dataset.units)
    runs = tuple(
        replace(
            run, output=HOSTILE, inputs=tuple(replace(v, name=HOSTILE, location=place) for v in run.inputs)
        )
        for run in result.dataset.executions
    )
    found = result.properties[0]
    broken = replace(found, property=replace(found.property, description=HOSTILE, location=place))
    return replace(
        result,
        dataset=Dataset(units=units, executions=runs),
        properties=(broken,),
        files={HOSTILE: (HOSTILE,) * 20},
        notes=(HOSTILE,),
    )


def two_faults() -> Result:
    """The paper's example with two sets of units that could save everything."""
    result = paper_result()
    return replace(
        result,
        diagnoses=DiagnosesFound(runs=result.dataset.failing, sets=((4, 2), (1, 3, 5)), complete=False),
    )


RESULTS: dict[str, Callable[[], Result]] = {
    "paper": paper_result,
    "nothing fails": nothing_fails,
    "hostile": hostile_result,
    "two faults": two_faults,
}


# -- findings ----------------------------------------------------------------------------------------------------


def test_what_no_failing_run_covers_is_no_finding(minmax: Result) -> None:
    ranked = [line.unit for line in minmax.ranking if line.spectrum.ef]
    assert [item.unit.id for item in findings.suspects(minmax)] == ranked
    assert len(ranked) < len(minmax.ranking)


def test_a_score_that_says_nothing_of_the_order_is_left_out(minmax: Result) -> None:
    """By what could save the executions first, a lower score may stand above a higher one."""
    assert all(f"rank {item.place} of 11" in item.message for item in findings.suspects(minmax))
    assert not any("naish2" in item.message for item in findings.suspects(minmax))
    by_measure = run_localize_pipeline((MINMAX,), replace(OPTIONS, rank="coverage"))
    assert all("by naish2 (" in item.message for item in findings.suspects(by_measure))
    turned = replace(by_measure, ranking=by_measure.ranking[::-1])
    assert not any("naish2" in item.message for item in findings.suspects(turned))


def test_places_and_ties() -> None:
    units = tuple(unit(n) for n in (1, 2, 3))
    runs = (execution(1, "fail", (1, 2, 3)), execution(2, "pass", (3,)))
    result = paper_result()
    ranking = tuple(
        replace(line, unit=n, score=score, spectrum=Dataset(units=units, executions=runs).spectrum(n))
        for line, n, score in zip(result.ranking, (1, 2, 3), (1.0, 1.0, 0.5), strict=False)
    )
    found = findings.suspects(replace(result, dataset=Dataset(units=units, executions=runs), ranking=ranking))
    assert [(item.place, item.tie, item.likely, item.importance) for item in found] == [
        (1, 2, True, 100.0),
        (1, 2, True, 100.0),
        (3, 1, False, 33.333),
    ]


def test_a_verified_repair_is_likely(minmax: Result) -> None:
    assert minmax.repairs is not None
    repaired = {repair.unit for repair in minmax.repairs.found}
    assert repaired
    assert repaired <= {item.unit.id for item in findings.suspects(minmax) if item.likely}


# -- SARIF -------------------------------------------------------------------------------------------------------


def problems(log: dict[str, Any]) -> list[str]:
    return [f"{list(e.path)}: {e.message}" for e in validator_for(SCHEMA)(SCHEMA).iter_errors(log)]


@pytest.mark.parametrize("name", RESULTS)
def test_sarif_fits_its_schema(name: str) -> None:
    assert problems(json.loads(sarif_report(RESULTS[name](), everything=False))) == []


def test_the_schema_test_can_fail(minmax: Result) -> None:
    log = sarif_document(minmax)
    log["runs"][0]["results"][1]["rank"] = 101
    assert problems(log)


def test_sarif_of_real_results(minmax: Result, checked: Result) -> None:
    assert problems(sarif_document(minmax)) == []
    assert problems(sarif_document(checked)) == []
    results = sarif_document(minmax)["runs"][0]["results"]
    rules = [rule["id"] for rule in sarif_document(minmax)["runs"][0]["tool"]["driver"]["rules"]]
    assert [rules[item["ruleIndex"]] for item in results] == [item["ruleId"] for item in results]
    ranks = [item["rank"] for item in results if "rank" in item]
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[0] == 100
    assert len({str(item["partialFingerprints"]) for item in results}) == len(results)


def test_a_code_flow_runs_from_the_inputs_to_the_violation(checked: Result) -> None:
    (found,) = sarif_document(checked)["runs"][0]["results"]
    steps = found["codeFlows"][0]["threadFlows"][0]["locations"]
    run = checked.dataset.failing[0]
    assert [step["importance"] for step in steps] == (
        ["important"] * len(run.inputs) + ["unimportant"] * len(run.covered) + ["essential"]
    )
    assert steps[-1]["location"]["physicalLocation"]["region"]["startLine"] == 22


def test_a_code_flow_has_the_steps_with_what_they_write() -> None:
    options = PipelineOptions(program=ProgramOptions(), traces=1)
    result = run_localize_pipeline(("benchmarks/programs/minmax.c",), options)
    log = sarif_document(result)
    assert problems(log) == []
    breach = next(r for r in log["runs"][0]["results"] if r["level"] == "error")
    locations = breach["codeFlows"][0]["threadFlows"][0]["locations"]
    steps = result.traces[result.dataset.failing[0].id].steps
    assert [item["executionOrder"] for item in locations] == list(range(1, len(steps) + 2))
    units = {unit.id: unit for unit in result.dataset.units}
    for item, step in zip(locations, steps, strict=False):
        assert item["location"]["physicalLocation"]["region"]["startLine"] == units[step.unit].location.line
        state = {name: value["text"] for name, value in item.get("state", {}).items()}
        assert state == {write.name: write.value for write in step.writes}
    assert locations[-1]["location"]["message"]["text"] == "violated: least <= most"
    assert len(breach["codeFlows"]) == len(result.dataset.failing)


def test_fixes_are_the_repairs(minmax: Result) -> None:
    assert minmax.repairs is not None
    lines = Path(MINMAX).read_text().splitlines(keepends=True)
    fixes = [fix for item in sarif_document(minmax)["runs"][0]["results"] for fix in item.get("fixes", ())]
    diffs = {applied(fix, lines) for fix in fixes}
    assert diffs == {repair.diff for repair in minmax.repairs.found}


def test_sets_of_units_are_results_with_related_locations() -> None:
    result = two_faults()
    log = sarif_document(result)
    assert problems(log) == []
    found = [item for item in log["runs"][0]["results"] if item["ruleId"] == "suspicious-set"]
    assert [item["properties"]["units"] for item in found] == [[4, 2], [1, 3, 5]]
    lines = {unit.id: unit.location.line for unit in result.dataset.units}
    for item in found:
        places = [*item["locations"], *item["relatedLocations"]]
        shown = [place["physicalLocation"]["region"]["startLine"] for place in places]
        assert shown == [lines[unit] for unit in item["properties"]["units"]]
        assert "there may be others" in item["message"]["text"]
    assert len({item["partialFingerprints"]["sfoSet/v1"] for item in found}) == 2


def applied(fix: dict[str, Any], lines: list[str]) -> str:
    """The unified diff of what a SARIF reader makes of the file with this fix."""
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == MINMAX
    starts = [sum(map(len, lines[:k])) for k in range(len(lines) + 1)]
    text = "".join(lines)
    for item in reversed(change["replacements"]):
        region = item["deletedRegion"]
        begin = starts[region["startLine"] - 1] + region["startColumn"] - 1
        end = starts[region["endLine"] - 1] + region["endColumn"] - 1
        text = text[:begin] + item["insertedContent"]["text"] + text[end:]
    new = text.splitlines(keepends=True)
    return "".join(difflib.unified_diff(lines, new, f"a/{MINMAX}", f"b/{MINMAX}"))


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("a.c", "a.c"),
        ("dir/a b.c", "dir/a%20b.c"),
        ("c:d.c", "c%3Ad.c"),
        ("/usr/a#.c", "file:///usr/a%23.c"),
        ("ä.c", "%C3%A4.c"),
    ],
)
def test_uri(file: str, expected: str) -> None:
    assert sarif_uri(file) == expected


# -- GitHub ------------------------------------------------------------------------------------------------------

COMMAND = re.compile(r"::(error|warning|notice) ((?:[A-Za-z]+=[^:,\r\n]*,?)+)::([^\r\n]*)")


@pytest.mark.parametrize("name", RESULTS)
def test_annotations_are_commands(name: str) -> None:
    result = RESULTS[name]()
    lines = github_annotations(result, everything=False).split("\n")
    assert lines.pop() == ""
    assert all(COMMAND.fullmatch(line) for line in lines)
    assert len(lines) == len(findings.violations(result)) + len(findings.suspects(result)) + len(result.notes)


def test_annotations_give_names_and_messages_back() -> None:
    match = COMMAND.fullmatch(github_annotations(hostile_result(), everything=False).split("\n")[0])
    assert match is not None
    fields = dict(field.split("=", 1) for field in match[2].split(","))
    unescape = {"%3A": ":", "%2C": ",", "%0A": "\n", "%0D": "\r", "%25": "%"}
    found = re.sub("%3A|%2C|%0A|%0D|%25", lambda m: unescape[m[0]], fields["file"])
    assert found == HOSTILE


def test_paths_are_from_the_root_of_the_repository(minmax: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(Path("benchmarks").absolute()))
    assert "file=programs/minmax.c," in github_annotations(minmax, everything=False)


def test_only_what_github_shows_is_written() -> None:
    result = paper_result()
    ranking = tuple(replace(result.ranking[0], rank=k) for k in range(1, 31))
    crowded = replace(result, ranking=ranking)
    assert github_annotations(crowded, everything=False).count("::warning") == 5
    assert github_annotations(crowded, everything=True).count("::warning") == 30


# -- JUnit -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RESULTS)
def test_junit_counts_what_it_holds(name: str) -> None:
    root = ET.fromstring(junit_xml(RESULTS[name](), everything=False))  # noqa: S314 - our own text
    assert root.tag == "testsuites"
    for part in (root, *root):
        cases = list(part.iter("testcase"))
        assert int(part.get("tests", "")) == len(cases)
        for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(part.get(key, "")) == sum(case.find(tag) is not None for case in cases)


def test_junit_of_properties_and_executions(minmax: Result, checked: Result) -> None:
    def suites(result: Result) -> list[tuple[str | None, str | None, str | None]]:
        root = ET.fromstring(junit_xml(result, everything=False))  # noqa: S314 - our own text
        return [(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in root]

    runs = len(minmax.dataset.executions)
    failing = len(minmax.dataset.failing)
    assert suites(checked) == [("properties", "1", "1")]
    assert suites(minmax) == [("properties", "1", "1"), ("executions", str(runs), str(failing))]


def test_a_native_run_that_disagrees_is_an_error(minmax: Result) -> None:
    native = (
        ExecutionNativeCheck(
            execution=minmax.dataset.executions[0].id, status="disagrees", problems=("exit 1",)
        ),
    )
    root = ET.fromstring(junit_xml(replace(minmax, native=native), everything=False))  # noqa: S314 - our own text
    assert root.get("errors") == "1"
    assert "exit 1" in (root.findtext(".//error") or "")


def test_an_undecided_property_is_skipped() -> None:
    result = paper_result()
    open_ = replace(result.properties[0], status="unknown")
    root = ET.fromstring(  # noqa: S314 - our own text
        junit_xml(replace(result, properties=(open_,), reason="the time limit was reached"), everything=False)
    )
    skipped = root.find(".//skipped")
    assert skipped is not None
    assert skipped.get("message") == "not decided: the time limit was reached"


# -- GNU ---------------------------------------------------------------------------------------------------------


def test_gnu_lines(minmax: Result) -> None:
    lines = gnu_report_lines(minmax, everything=False).splitlines()
    assert lines[0].startswith(f"{MINMAX}:22:5: error: least <= most does not hold; for ")
    assert lines[1].startswith(f"{MINMAX}:18:9: warning: rank 1 of 11: ")
    assert all(re.match(r"(sfo|[^:]+:\d+(:\d+)?): (error|warning|note): ", line) for line in lines)


def test_gnu_lines_are_lines() -> None:
    result = hostile_result()
    text = gnu_report_lines(result, everything=False)
    assert (
        len(text.split("\n"))
        == len(findings.violations(result)) + len(findings.suspects(result)) + len(result.notes) + 1
    )
    assert all(c.isprintable() or c == "\n" for c in text)


# -- command line ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["localize", "check"])
@pytest.mark.parametrize(
    ("form", "begin"),
    [
        ("sarif", "{"),
        ("html", "<!DOCTYPE html>"),
        ("github", "::error file="),
        ("junit", "<?xml"),
        ("gnu", MINMAX),
    ],
)
@pytest.mark.sample(3)
def test_commands_write_every_form(
    command: str, form: str, begin: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.main([command, MINMAX, "--format", form])
    said = capsys.readouterr().out
    assert code == (10 if command == "check" else 0)
    assert said.startswith(begin)
    path = tmp_path / "report"
    assert cli.main([command, MINMAX, "--format", form, "-o", str(path)]) == code
    assert path.read_text().startswith(begin)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", REPORTS)
def test_the_same_result_gives_the_same_text(name: str, minmax: Result) -> None:
    assert REPORTS[name].write(minmax, everything=False) == REPORTS[name].write(minmax, everything=False)


@pytest.mark.parametrize("name", REPORTS)
def test_every_form_is_documented(name: str) -> None:
    assert re.search(rf"^\| `{name}` \|", (DOCS / "formats.md").read_text(encoding="utf-8"), re.MULTILINE)
