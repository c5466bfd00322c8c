"""The commands of docs/ci.md, taken from the page: on its program, which has a fault, and on the mended one."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from tests.conftest import require_tool
from tests.places import ROOT

PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
SHELL = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c")
"""How the runners of GitHub call the shell for ``run``."""


def block(language: str) -> str:
    (text,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(text)


def program() -> str:
    section = PAGE.partition("## The program\n")[2].partition("\n## ")[0]
    return "".join(f"{line[4:]}\n" for line in section.splitlines() if line.startswith("    "))


def mended() -> str:
    wrong = "if (value > high)\n        return low;"
    assert wrong in program()
    return program().replace(wrong, wrong.replace("return low", "return high"))


@pytest.fixture(name="environment")
def fixture_environment(tmp_path: Path) -> dict[str, str]:
    """A shell in which ``sfo`` is this one."""
    require_tool("gcc")
    require_tool("make")
    command = tmp_path / "bin" / "sfo"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sfo "$@"\n')
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "PROGRAM": "clamp.c"}


def workspace(tmp_path: Path, text: str) -> Path:
    directory = tmp_path / "clone"
    directory.mkdir()
    (directory / "clamp.c").write_text(text)
    return directory


def run_job(directory: Path, environment: dict[str, str]) -> tuple[bool, dict[str, str]]:
    """The steps with ``run`` as a runner takes them: whether one failed, and what each that ran has printed."""
    workflow: dict[str, Any] = yaml.safe_load(block("yaml"))
    given = {**environment, **workflow["env"], "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(directory)}
    printed: dict[str, str] = {}
    failed = False
    for step in workflow["jobs"]["sfo"]["steps"]:
        assert step.get("if") in {None, "failure()"}
        if "run" not in step or step["name"] == "Install" or (step.get("if") == "failure()") != failed:
            continue
        done = subprocess.run(
            [*SHELL, step["run"]], cwd=directory, env=given, capture_output=True, text=True, check=False
        )
        printed[step["name"]] = done.stdout
        assert step["name"] == "Check" or done.returncode == 0, done.stdout + done.stderr
        failed |= done.returncode != 0
    return failed, printed


def check_outputs(directory: Path) -> None:
    out = directory / "sfo-out"
    log = json.loads((out / "sfo.sarif").read_text())
    assert log["version"] == "2.1.0"
    assert {result["level"] for result in log["runs"][0]["results"]} >= {"error", "warning"}
    assert ET.parse(out / "sfo.xml").getroot().find(".//failure") is not None  # noqa: S314 - our own
    assert (out / "sfo.html").read_text().startswith("<!DOCTYPE html>")
    assert list((out / "tests" / "c" / "vectors").glob("fail-*.txt"))


def test_the_job_annotates_generates_and_runs(tmp_path: Path, environment: dict[str, str]) -> None:
    directory = workspace(tmp_path, program())
    failed, printed = run_job(directory, environment)
    assert failed
    assert list(printed) == ["Check", "Localise", "Generate tests", "Run the tests"]
    line = next(n for n, text in enumerate(program().splitlines(), 1) if "value > high" in text) + 1
    assert (
        f"::error file=clamp.c,line={program().splitlines().index('    assert(value < 100 || result == 100);') + 1}"
        in printed["Localise"]
    )
    assert f"::warning file=clamp.c,line={line}," in printed["Localise"]
    assert "as predicted" in printed["Run the tests"]
    assert "NOT as predicted" not in printed["Run the tests"]
    check_outputs(directory)


def test_the_job_of_the_mended_program_ends_with_the_check(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    directory = workspace(tmp_path, mended())
    failed, printed = run_job(directory, environment)
    assert not failed
    assert list(printed) == ["Check"]
    assert not (directory / "sfo-out").exists()


@pytest.mark.parametrize(("text", "code"), [(program(), 10), (mended(), 0), ("int main(void) {", 3)])
def test_the_script_ends_with_the_code_of_the_check(
    tmp_path: Path, environment: dict[str, str], text: str, code: int
) -> None:
    directory = workspace(tmp_path, text)
    done = subprocess.run(
        ["sh", "-c", block("sh")], cwd=directory, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    if code == 10:
        assert "clamp.c:" in done.stdout
        check_outputs(directory)
