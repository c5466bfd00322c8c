"""With ``--native off`` nothing of the program is compiled or executed, and every answer is given."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sfo.cli import main
from sfo.execution.native import execute, fuzz, validate_patches
from tests.conftest import require_tool

MANY = "\n".join(f"    x = (x * {n} + {n + 1}) & 65535;" for n in range(3, 2403, 2))

LARGE = f"""\
#include <assert.h>
#include <stdio.h>
int main(void)
{{
    unsigned x = 1;
    int c, count = 0;
    while ((c = getchar()) != EOF && c != '\\n')
        if (c == '%')
            count++;
        else if (count == 6 && c == '#')
            assert(0);
{MANY}
    return (int)x & count;
}}
"""
"""So large that inputs are tried at once."""

SMALL = """\
#include <assert.h>
int nondet_int(void);
int main(void)
{
    int x = nondet_int(), y = 0;
    if (x > 5)
        y = 1;
    assert(y == 0);
    return 0;
}
"""


@pytest.fixture
def nothing_native(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever compiles the program fails."""

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("the program was compiled")

    for module in (execute, fuzz, validate_patches):
        monkeypatch.setattr(module, "build_natively", refused)


def result_of(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    main([*words, "--format", "json", "-q"])
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


@pytest.mark.usefixtures("nothing_native")
def test_nothing_is_compiled_and_every_answer_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.c"
    path.write_text(SMALL)
    for command in ("check", "localize", "repair"):
        result = result_of(capsys, command, str(path), "--native", "off")
        assert result["verdict"] == "violated"
        assert result["native"] is None
    assert main(["explain", str(path), "4", "--native", "off", "-q"]) == 0
    assert main(["generate", str(path), "-o", str(tmp_path / "tests"), "--native", "off", "-q"]) == 0
    capsys.readouterr()


@pytest.mark.usefixtures("nothing_native")
def test_a_result_says_why_nothing_was_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.c"
    path.write_text(SMALL)
    said = "not replayed: native executions are off (--native off)"
    assert said in result_of(capsys, "localize", str(path), "--native", "off", "--rank", "coverage")["notes"]
    words = ("--native", "off", "--rank", "coverage", "--no-replay")
    assert said not in result_of(capsys, "localize", str(path), *words)["notes"]
    assert said not in result_of(capsys, "check", str(path), "--native", "off")["notes"]


def test_the_ranking_is_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.c"
    path.write_text(SMALL)
    on, off = (result_of(capsys, "localize", str(path), "--native", choice) for choice in ("on", "off"))
    for key in ("verdict", "optimal", "ranking", "executions", "intersection"):
        assert on[key] == off[key]


def test_what_is_native_and_nothing_else_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, vectors = tmp_path / "p.c", tmp_path / "v.csv"
    path.write_text(SMALL)
    vectors.write_text("3\n")
    inputs = ["--inputs", str(vectors), "--native", "off", "-q"]
    for words in (
        ["replay", str(path), *inputs],
        ["localize", str(path), "--replay", "--native", "off", "-q"],
    ):
        assert main(words) == 2
        assert "which --native off rules out" in capsys.readouterr().err


@pytest.mark.usefixtures("nothing_native")
def test_a_configuration_may_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "p.c").write_text(SMALL)
    (tmp_path / "sfo.toml").write_text('native = "off"\n')
    monkeypatch.chdir(tmp_path)
    assert result_of(capsys, "localize", "p.c")["native"] is None


@pytest.mark.parametrize(
    ("name", "choice", "text", "code"), [("localize", "on", SMALL, 0), ("check", "off", LARGE, 10)]
)
def test_a_long_search_starts_nothing_but_the_preprocessor(
    name: str, choice: str, text: str, code: int, tmp_path: Path
) -> None:
    """A replay, which is always compiled, shows that it would be seen."""
    path, log = tmp_path / "p.c", tmp_path / "log"
    path.write_text(text)
    command = [sys.executable, "-m", "sfo", name, str(path), "--native", choice, "--jobs", "2"]
    done = subprocess.run(
        [
            require_tool("strace"),
            "-f",
            "-s",
            "4096",
            "-v",
            "-e",
            "trace=execve,execveat",
            "-o",
            log,
            *command,
            "-q",
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == code, done.stderr
    started = re.findall(r'execve\("([^"]*)", \[(.*?)\], \[', log.read_text())
    assert started
    others = [
        program
        for program, words in started
        if Path(program).name != Path(sys.executable).name and '"-E"' not in words
    ]
    assert bool(others) == (choice == "on"), others
