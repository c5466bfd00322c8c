"""Programs of other people: each outcome is told apart, and what is done is not run again."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from benchmarks.corpus import KINDS, main, summary

PROGRAMS = {
    "ends.c": "extern void abort(void); int main(void) { int i = 3; if (i != 3) abort(); return 0; }",
    "part/runs.c": "int main(int argc, char **argv) { return argc > 3 ? argv[3][0] - argv[3][0] : 0; }",
    "wrong.c": "int main(void) { volatile int k = 2; int a[2] = { 0 }; return a[k] * 0; }",
    "strange.c": "typedef long double one __attribute__((vector_size(16)));"
    "int main(void) { one f = { 1 }; return f[0] - 1; }",
    "nothing.c": "int main(void) { return 0; }",
    "no.c": "int main(void) { return 1; }",
    "header.c": "int unfinished(void);",
}


def test_every_outcome_is_told_apart(tmp_path: Path) -> None:
    folder, results = tmp_path / "programs", tmp_path / "corpus.jsonl"
    for name, text in PROGRAMS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    ended = CliRunner().invoke(main, [str(folder), "--results", str(results)])
    items = {item["file"]: item for item in map(json.loads, results.read_text().splitlines())}
    assert {name: item["kind"] for name, item in items.items()} == {
        "ends.c": "safe",
        "part/runs.c": "bounded",
        "nothing.c": "safe",
        "wrong.c": "violated",
        "strange.c": "refused",
        "no.c": "skipped",
        "header.c": "skipped",
    }
    assert ended.exit_code == 0
    assert "index out of bounds" in items["wrong.c"]["text"]
    assert "     2  skipped" in ended.stdout
    before = results.read_text()
    assert "     2  safe" in CliRunner().invoke(main, [str(folder), "--results", str(results)]).stdout
    assert results.read_text() == before


def test_what_breaks_is_no_success(tmp_path: Path) -> None:
    results = tmp_path / "corpus.jsonl"
    item = {"file": "p.c", "kind": "broken", "seconds": 1.5, "text": "internal error"}
    results.write_text(json.dumps(item) + "\n", encoding="utf-8")
    (tmp_path / "programs").mkdir()
    ended = CliRunner().invoke(main, [str(tmp_path / "programs"), "--results", str(results)])
    assert ended.exit_code == 1
    assert f"     1  broken: {KINDS['broken']}" in summary([item])
