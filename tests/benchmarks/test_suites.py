"""The campaign that lets other tools run what sfo writes, on a few versions.

`python -m benchmarks.suites` runs them all.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import suites
from benchmarks.manifest import load_manifest, select
from benchmarks.publish import RESULTS
from tests.conftest import require_tool

SAMPLE = ("minmax/fault1", "rle/fault6", "wordcount/fault1", "newton/fault1")


@pytest.fixture(autouse=True)
def tools() -> None:
    for tool in ("gcc", "make", "cmake", "ctest", "testcov", "flitsr"):
        require_tool(tool)


@pytest.mark.parametrize("name", SAMPLE)
@pytest.mark.sample(2)
def test_every_tool_takes_what_is_written(name: str) -> None:
    (version,) = select(load_manifest(), [name])
    record = suites.try_version(version, timeout=60)
    assert record["problems"] == []
    assert 0 < record["c"] <= record["executions"]
    assert record["flitsr"]
    assert record["added"] == 0


def test_the_sample_has_every_form() -> None:
    """What single versions have is in the published table; here the programs are looked at."""
    texts = [version.path.read_text() for version in select(load_manifest(), SAMPLE)]
    assert any("__VERIFIER_nondet" in text for text in texts)
    assert any("getchar" in text or "scanf" in text or "fgets" in text for text in texts)


def test_a_wrong_prediction_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    real = suites.run_localize_pipeline

    def wrong(*arguments: Any, **options: Any) -> Any:
        result = real(*arguments, **options)
        passing = [run for run in result.dataset.executions if run.outcome == "pass"]
        failing = result.dataset.failing[0]
        lie = replace(failing, inputs=passing[0].inputs)
        return replace(result, dataset=replace(result.dataset, executions=(lie, *passing)))

    monkeypatch.setattr(suites, "run_localize_pipeline", wrong)
    (version,) = select(load_manifest(), ["minmax/fault1"])
    record = suites.try_version(version, timeout=60)
    assert any(problem.startswith("ctest: ") for problem in record["problems"])


def test_an_error_is_a_problem(tmp_path: Path) -> None:
    (version,) = select(load_manifest(), ["minmax/fault1"])
    (tmp_path / "broken.c").write_text("int main(void) {")
    record = suites.try_version(replace(version, path=tmp_path / "broken.c"))
    assert record["problems"][0].startswith("InputError: ")


def test_the_table_adds_up() -> None:
    records = [
        {"version": "a/one", "executions": 3, "c": 3, "stdin": None, "testcomp": 2, "flitsr": True, "problems": []},
        {"version": "a/two", "executions": 2, "c": 1, "stdin": None, "testcomp": None, "flitsr": False, "problems": ["x"]},
    ]  # fmt: skip
    assert suites.table(records).splitlines()[2:] == [
        "| 2 | 5 | 4 | 0 | 2 | 1 | 1 |",
        "",
        "* a/two: x",
    ]


def test_the_page_has_a_place_for_the_table() -> None:
    text = RESULTS.read_text(encoding="utf-8")
    assert text.count(suites.BEGIN) == text.count(suites.END) == 1
