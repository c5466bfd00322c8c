"""A call of ``abort`` is an end of the reference, which the program has to have, too."""

import json
from pathlib import Path

import pytest

from sfo.cli import main

HEADER = "#include <stdlib.h>\nint seen;\n"


@pytest.mark.parametrize(
    ("new", "old", "verdict", "kind"),
    [
        ("{ return n; }", "{ if (n == 3) abort(); return n; }", "violated", "reference"),
        ("{ if (n == 3) exit(134); return n; }", "{ if (n == 3) abort(); return n; }", "violated", "reference"),
        ("{ if (n == 3) abort(); return n; }", "{ return n; }", "violated", "reach"),
        ("{ if (n == 3) abort(); return n; }", "{ if (n == 4) abort(); return n; }", "violated", "reach"),
        ("{ if (n > 2 && n < 4) abort(); return n; }", "{ if (n == 3) abort(); return n; }", "safe", ""),
        ("{ if (n == 3) { seen = 1; abort(); } return n; }", "{ if (n == 3) abort(); return n; }", "safe", ""),
        ("{ while (n > 7) n <<= 1; return n; }", "{ if (n > 7) abort(); while (n > 7) n <<= 1; return n; }", "violated", "reference"),
    ],
)  # fmt: skip
def test_where_the_reference_aborts_the_program_has_to(
    tmp_path: Path, new: str, old: str, verdict: str, kind: str
) -> None:
    paths = [tmp_path / name for name in ("new.c", "old.c")]
    for path, body in zip(paths, (new, old), strict=True):
        path.write_text(f"{HEADER}int f(unsigned n) {body}\n")
    out = tmp_path / "out.json"
    command = ["check", str(paths[0]), "--entry", "f", "--reference", str(paths[1]), "--format", "json"]
    assert main([*command, "-o", str(out), "-q"]) == {"safe": 0, "violated": 10}[verdict]
    found = json.loads(out.read_text())
    assert found["verdict"] == verdict
    if kind:
        assert kind in {run["property"].split(".")[1] for run in found["executions"]}
