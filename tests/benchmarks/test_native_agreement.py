"""Native rejections of edits beside the interpreter, on a fixed sample of the benchmark programs."""

from __future__ import annotations

import pytest

from benchmarks.manifest import load_manifest
from benchmarks.native_agreement import BOTH, NATIVE, NEITHER, main, verdicts_on
from tests.conftest import require_tool


@pytest.mark.parametrize(("name", "beside"), [("hashtable", False), ("triangle", False), ("triangle", True)])
def test_nothing_is_rejected_natively_that_the_interpreter_finds_right(name: str, beside: bool) -> None:
    require_tool("gcc")
    program = next(program for program in load_manifest() if program.name == name)
    reference = (str(program.correct),) if beside else ()
    found, wrong = verdicts_on(program.versions[0], 30, seed=1, reference=reference)
    assert wrong == []
    assert found[NATIVE] == 0
    assert found[BOTH]
    assert found[NEITHER]


def test_the_command_says_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    require_tool("gcc")
    assert main(["--pairs", "10", "--program", "trim"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("trim/fault1  1")
    assert said[-1].endswith("}")
