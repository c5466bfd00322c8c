import json
from pathlib import Path

import pytest

from benchmarks.record import differences, main


def test_a_record_equals_itself_and_names_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    assert main([str(before), "--program", "minmax"]) == 0
    assert main([str(after), "--program", "minmax", "--against", str(before)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "6 results, 0 differ"
    entries = [json.loads(line) for line in before.read_text().splitlines()]
    assert all(entry["result"]["verdict"] == "violated" for entry in entries)
    assert "statistics" not in entries[0]["result"]
    changed = json.loads(json.dumps(entries))
    changed[1]["result"]["intersection"].append(99)
    assert differences(changed, entries) == [f"{entries[1]['version']}: intersection"]
    assert differences(entries[1:], entries) == [
        f"{entries[0]['version']} --solver-only: not recorded before"
    ]
