from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.manifest import load_manifest, select
from benchmarks.reference import main, record, run_all, run_version, table

SAMPLE = ("minmax", "bsearch/fault1", "thermostat/fault1", "tokens/fault1", "recursion/fault1")


def test_faults_are_located_without_assertions_from_the_correct_version() -> None:
    programs = load_manifest()
    records = list(run_all(programs, select(programs, SAMPLE), 120, 1))
    assert [item["version"] for item in records if not item["located"]] == []
    assert all(item["failing"] for item in records)
    assert "| 7 | 7 |" in table(records)


def test_the_correct_version_agrees_with_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to a small bound: the search for one that fails would go on until the time is over."""
    monkeypatch.setattr("benchmarks.reference.MAX_UNWIND", 2)
    for program in load_manifest():
        if program.name in {"minmax", "thermostat", "vending"}:
            version = program.versions[0]
            same = type(version)(
                **{name: getattr(version, name) for name in version.__slots__} | {"path": program.correct}
            )
            row = run_version(same, program.correct, 10)
            assert row.failing == 0


def test_what_is_done_is_kept(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    arguments = ["--only", "minmax/fault1", "--results", str(kept)]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    [item] = [json.loads(line) for line in kept.read_text().splitlines()]
    kept.write_text(json.dumps({**item, "located": False, "problem": "made up"}) + "\n")
    again = CliRunner().invoke(main, arguments)
    assert again.exit_code == 1
    assert "minmax/fault1: made up" in again.output


def test_a_crash_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("benchmarks.reference.run_localize_pipeline", fail)
    [version] = select(load_manifest(), ["minmax/fault1"])
    assert record(run_version(version, version.path, None))["problem"] == "RuntimeError: broken"
