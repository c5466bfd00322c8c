from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfo.cli import main

TEXT = """#include <assert.h>
int nondet_int(void);
int twice(int x) { return x + x + 1; }
int doubled(int x) { return 2 * x; }
int main(void)
{
    int x = nondet_int();
    if (x > 0 && x < 5)
        assert(twice(x) == doubled(x));
    return 0;
}
"""


def ranked(tmp_path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[tuple[str, str]]:
    """The units in order, and the edits that repair the program."""
    path = tmp_path / "program.c"
    path.write_text(TEXT, encoding="utf-8")
    main(["localize", str(path), "--passing", "--format", "json", "-q", *options])
    result = json.loads(capsys.readouterr().out)
    units = {unit["id"]: unit["text"] for unit in result["units"]}
    order = [units[line["unit"]] for line in result["ranking"]]
    return [(text, "") for text in order] + [
        ("repair", f"{one['before']} -> {one['after']}") for one in result["repairs"]["found"]
    ]


def test_a_trusted_function_is_last_and_never_edited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ranked(tmp_path, capsys, "--trust", "doubled")
    assert lines[0][0] == "return x + x + 1"
    assert [text for text, edit in lines if not edit][-1] == "return 2 * x"
    edits = [edit for _, edit in lines if edit]
    assert edits
    assert not any("doubled" in edit for edit in edits)
    other = ranked(tmp_path, capsys, "--trust", "twice")
    assert other[0][0] == "return 2 * x"


def test_an_unknown_function_cannot_be_trusted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.c"
    path.write_text(TEXT, encoding="utf-8")
    assert main(["localize", str(path), "--trust", "halved"]) == 2
    assert "no function 'halved' to trust" in capsys.readouterr().err
