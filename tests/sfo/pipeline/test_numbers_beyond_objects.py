"""Beside a reference, a number that differs and that no object reaches makes nothing safe."""

import json
from pathlib import Path

import pytest

from sfo.cli import main

BODY = "unsigned long f(const char *s) { unsigned long n = 0; while (s[n] && n < 9) n++; return n; }\n"


@pytest.mark.parametrize(
    ("older", "options", "verdict"),
    [
        (BODY.replace("9", "8"), (), "unknown"),
        (BODY.replace("9", "8"), ("--array-size", "10", "--unwind", "12"), "violated"),
        (BODY.replace("n = 0", "n = 1 - 1"), (), "safe"),
        (BODY.replace("n < 9", "9 > n"), (), "safe"),
    ],
)
def test_what_differs_in_a_number_is_safe_only_where_objects_are_so_large(
    tmp_path: Path, older: str, options: tuple[str, ...], verdict: str
) -> None:
    new, old, out = tmp_path / "new.c", tmp_path / "old.c", tmp_path / "out.json"
    new.write_text(BODY)
    old.write_text(older)
    command = ["check", str(new), "--entry", "f", "--reference", str(old), *options, "--format", "json"]
    assert main([*command, "-o", str(out), "-q"]) == {"safe": 0, "unknown": 5, "violated": 10}[verdict]
    found = json.loads(out.read_text())
    assert found["verdict"] == verdict
    assert ("(8, 9): --array-size 10 makes larger ones" in (found["reason"] or "")) == (verdict == "unknown")
