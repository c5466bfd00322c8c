"""The result of a program does not depend on the processes that work on it, nor on the seed of Python's hashes."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import determinism
from benchmarks.determinism import ALL, DeterminismFinding, paths_of_differences, without_clocks
from benchmarks.manifest import Version


def test_the_same_result_with_one_process_and_with_several(tmp_path: Path) -> None:
    assert len({one.jobs for one in ALL[:3]}) == 3
    results = tmp_path / "same.jsonl"
    arguments = ["--only", "minmax/fault1", "--results", str(results), "--surroundings", "3"]
    done = CliRunner().invoke(determinism.main, arguments)
    assert done.exit_code == 0, done.output
    assert "minmax/fault1  --jobs 1  same" in done.output
    assert "1 versions, 3 executions, 0 versions differ" in done.output
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert [line["surroundings"] for line in lines] == ["--jobs 2", "--jobs 1", "--jobs 4"]
    assert all(line["processor"] > 0 and not line["differing"] for line in lines)
    assert (tmp_path / "same.first" / "minmax" / "fault1.json").exists()


def test_what_differs_is_named() -> None:
    one = {"a": [{"b": 1, "seconds": 2}], "c": 3}
    other = {"a": [{"b": 2, "seconds": 4}], "c": 3, "d": None}
    assert paths_of_differences(without_clocks(one), without_clocks(other)) == ["/a/0/b"]
    assert paths_of_differences([1], [1, 2]) == [""]


def test_a_difference_is_told_and_what_is_done_is_not_done_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    executed: list[tuple[str, int]] = []

    def finding(version: Version, _one: object, seed: int, _processor: int) -> DeterminismFinding:
        executed.append((version.id, seed))
        document = {"ranking": [seed]}
        return DeterminismFinding(
            version=version.id, document=document, problem="", seconds=1.0, processor=1.0
        )

    monkeypatch.setattr(determinism, "determinism_finding", finding)
    results = tmp_path / "same.jsonl"
    arguments = ["--only", "minmax", "--per-program", "1", "--results", str(results), "--surroundings"]
    done = CliRunner().invoke(determinism.main, [*arguments, "2"])
    assert done.exit_code == 1
    assert "DIFFERS" in done.output
    assert "/ranking/0" in done.output
    assert "1 versions, 2 executions, 1 versions differ" in done.output
    assert CliRunner().invoke(determinism.main, [*arguments, "2"]).exit_code == 1
    assert executed == [("minmax/fault1", 0), ("minmax/fault1", 1)]
    assert len(results.read_text().splitlines()) == 2


def test_no_result_is_told() -> None:
    broken = replace(determinism.chosen_versions(["minmax/fault1"], None)[0], entry="no_such_function")
    one = determinism.determinism_finding(broken, ALL[0], 0, 0)
    assert not one.document
    assert "no_such_function" in one.problem


def test_under_load_all_work_at_once_until_the_last_one_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    loops: list[int] = []
    monkeypatch.setattr(
        determinism,
        "determinism_finding",
        lambda version, _one, _seed, _processor: DeterminismFinding(
            version=version.id, document={}, problem="", seconds=0.0, processor=0.0
        ),
    )
    popen = subprocess.Popen

    def started(command: list[str]) -> subprocess.Popen[bytes]:
        loops.append(len(command))
        return popen(command)

    monkeypatch.setattr(subprocess, "Popen", started)
    versions = determinism.chosen_versions(["minmax"], None)
    found = [*determinism.determinism_findings(versions, ALL[-1], 0)]
    assert sorted(one.version for one in found) == sorted(one.id for one in versions)
    assert len(loops) == ALL[-1].at_once
