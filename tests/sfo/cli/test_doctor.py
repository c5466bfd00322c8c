"""What `sfo doctor` finds, and what it says of what is missing."""

import os
from pathlib import Path

import pytest

from sfo.cli import main
from sfo.cli.doctor import DoctorFinding, doctor_report
from tests.conftest import require_tool


def test_everything_that_tests_need_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SFO_CBMC", require_tool("cbmc"))
    require_tool("dot")
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    lines = {line.split()[1]: line for line in shown.splitlines() if line.split()[0] != "nothing"}
    assert set(lines) >= {
        "sfo",
        "python",
        "cc",
        "gcc",
        "gcov",
        "glucose",
        "bitwuzla",
        "z3",
        "cvc5",
        "pysmt",
        "cbmc",
        "dot",
    }
    assert not any("missing" in line for line in lines.values())
    assert all(any(c.isdigit() for c in line) or line.startswith("sandbox") for line in lines.values())
    assert any(line.split()[0] == "sandbox" and " in use" in line for line in lines.values())


def test_what_is_missing_is_said_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SFO_CBMC", raising=False)
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert (
        "gcc        missing: without it executions are not replayed natively; on Debian: apt-get install"
        in shown
    )
    assert "cbmc       missing: CBMC is not installed: install CBMC 6, or run scripts/get-cbmc" in shown
    assert "nothing is missing" not in shown


@pytest.mark.parametrize("body", ["exit 1", "kill -9 $$", "printf '\\377'"])
def test_tools_that_do_not_run_do_no_harm(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("cc", "gcc", "gcov", "cbmc", "dot"):
        tool = tmp_path / name
        tool.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("SFO_CBMC", str(tmp_path / "cbmc"))
    assert main(["doctor"]) == 0
    assert "backend   cbmc       missing: " in capsys.readouterr().out


def test_a_report_has_a_line_for_each_finding() -> None:
    text = doctor_report(
        [DoctorFinding("solver", "one", "1.2", ""), DoctorFinding("solver", "two", None, "pip install two")]
    )
    assert text == "solver    one        1.2\nsolver    two        missing: pip install two\n"
