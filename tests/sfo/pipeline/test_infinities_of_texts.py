"""Numbers that are read from a text are infinities and NaNs where some version asks for these, and nowhere else."""

import json
from pathlib import Path
from typing import Any

import pytest

from sfo.cli import main

READING = """\
#include <assert.h>
#include <math.h>
#include <stdio.h>
int within(void)
{
    double x;
    if (scanf("%%lf", &x) != 1)
        return 2;
    %s
}
"""
COMPARED = "if (x < 0 || x > 9) return 0; return 1;"
OUTSIDE = "assert(x <= 0 || x >= 0);"


def answer(tmp_path: Path, new: str, old: str | None = None) -> dict[str, Any]:
    paths = [tmp_path / name for name in ("new.c", "old.c", "out.json")]
    paths[0].write_text(READING % new)
    command = ["check", str(paths[0]), "--entry", "within"]
    if old is not None:
        paths[1].write_text(READING % old)
        command += ["--reference", str(paths[1])]
    main([*command, "--format", "json", "-o", str(paths[2]), "-q"])
    found: dict[str, Any] = json.loads(paths[2].read_text())
    return found


def finite_numbers_are_noted(found: dict[str, Any]) -> bool:
    return any("are finite" in said for said in json.dumps(found).split('"'))


@pytest.mark.parametrize(
    ("old", "verdict"),
    [
        ("if (!isfinite(x) || x < 0 || x > 9) return 0; return 1;", "violated"),
        ("if (x != x || x < 0 || x > 9) return 0; return 1;", "violated"),
        ("if (x > 9 || x < 0) return 0; return 1;", "safe"),
    ],
)
def test_a_reference_that_asks_is_given_them(tmp_path: Path, old: str, verdict: str) -> None:
    found = answer(tmp_path, COMPARED, old)
    assert found["verdict"] == verdict
    assert finite_numbers_are_noted(found) == (verdict == "safe")


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        (f"{OUTSIDE} return 1;", "safe"),
        (f"if (isinf(x)) return 0; {OUTSIDE} return 1;", "violated"),
        (f"if (isnan(x)) return 0; {OUTSIDE} return 1;", "safe"),
    ],
)
def test_a_program_that_asks_is_given_them(tmp_path: Path, code: str, verdict: str) -> None:
    assert answer(tmp_path, code)["verdict"] == verdict
