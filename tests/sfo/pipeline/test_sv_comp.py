"""The conventions of SV-COMP: what ``abort`` is beside names that begin with ``__VERIFIER_``."""

import json
from pathlib import Path
from typing import Any

import pytest

from sfo.cli import main

HEAD = "#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\n"
NOTE = "abort() ends executions that do not count, as the program has names of SV-COMP"


def checked(tmp_path: Path, text: str, code: int, *options: str) -> dict[str, Any]:
    source = tmp_path / "p.c"
    source.write_text(text)
    out = tmp_path / "r.json"
    assert main(["check", str(source), *options, "--format", "json", "-o", str(out), "-q"]) == code
    found: dict[str, Any] = json.loads(out.read_text())
    return found


def test_aborting_is_assuming(tmp_path: Path) -> None:
    text = HEAD + (
        "void reach_error(void) { abort(); }\n"
        "static void need(int c) { if (!c) { abort(); } }\n"
        "int main(void) { int x = __VERIFIER_nondet_int(); need(x > 3); if (x < 3) { reach_error(); abort(); } }\n"
    )
    result = checked(tmp_path, text, 0)
    assert result["verdict"] == "safe"
    assert result["notes"] == []
    assert checked(tmp_path, text.replace("x < 3", "x < 5"), 10)["verdict"] == "violated"


def test_it_is_said_where_abort_may_have_been_the_property(tmp_path: Path) -> None:
    text = HEAD + (
        "int main(void) { int a[4], x = __VERIFIER_nondet_int(); if (x < 0 || x > 3) abort(); return a[x] * 0; }\n"
    )
    result = checked(tmp_path, text, 0)
    assert result["verdict"] == "safe"
    assert NOTE in result["notes"]


def test_nothing_is_left_to_violate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "p.c"
    source.write_text(HEAD + "int main(void) { if (__VERIFIER_nondet_int()) abort(); }\n")
    assert main(["check", str(source), "-q"]) == 3
    assert "abort() is none beside names of SV-COMP" in capsys.readouterr().err


def test_native_runs_that_abort_are_left_out_too(tmp_path: Path) -> None:
    source, vectors = tmp_path / "p.c", tmp_path / "v.csv"
    source.write_text(
        HEAD
        + "void reach_error(void);\n"
        + "int main(void) { int x = __VERIFIER_nondet_int(); if (x < 4) abort(); if (x > 6) reach_error(); }\n"
    )
    vectors.write_text("x\n1\n5\n7\n")
    out = tmp_path / "r.json"
    assert (
        main(["replay", str(source), "--inputs", str(vectors), "--format", "json", "-o", str(out), "-q"]) == 0
    )


@pytest.mark.parametrize(("text", "code"), [("", 10), ("int __VERIFIER_nondet_int(void);", 0)])
def test_the_library_reads_its_inputs_as_sv_comp_does_but_is_not_the_program(
    text: str, code: int, tmp_path: Path
) -> None:
    source = tmp_path / "p.c"
    source.write_text(
        f"#include <stdio.h>\n#include <stdlib.h>\n{text}\n"
        'int main(void) { int c = getchar(), n; if (c == 3 && scanf("%d", &n) == 1) abort(); return 0; }\n'
    )
    assert main(["check", str(source), "-q"]) == code


ABORTING = """#include <stdlib.h>
int half(int n)
{
    if (n % 2)
        abort();
    return n / 2;
}
"""


def test_the_harness_around_a_function_does_not_speak_for_it(tmp_path: Path) -> None:
    """Its inputs have names of SV-COMP; the program has none, so that it fails where it aborts."""
    assert checked(tmp_path, ABORTING, 10, "--entry", "half")["verdict"] == "violated"
    harness = tmp_path / "harness.c"
    assert main(["harness", "half", str(tmp_path / "p.c"), "-o", str(harness)]) == 0
    out = tmp_path / "r.json"
    assert main(["check", str(harness), "--format", "json", "-o", str(out), "-q"]) == 10
    assert json.loads(out.read_text())["notes"] == []
