"""Help, suggestions, completion by real shells, and the manual page."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from sfo import cli
from sfo.cli import output
from tests.conftest import require_tool
from tests.places import ROOT


@pytest.fixture
def command(tmp_path: Path) -> dict[str, str]:
    """An environment in which ``sfo`` is this one."""
    path = tmp_path / "bin" / "sfo"
    path.parent.mkdir()
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sfo "$@"\n')
    path.chmod(0o755)
    return {
        **os.environ, "PATH": f"{path.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "TERM": "dumb",
    }  # fmt: skip


def test_the_bare_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main([])
    out, err = capsys.readouterr()
    assert all(f"  {name} " in out + err for name in cli.COMMANDS)


@pytest.mark.parametrize(
    ("word", "like"),
    [
        ("localise", "localize"),
        ("Check", "check"),
        ("rpair", "repair"),
        ("generat", "generate"),
        ("batsh", "batch"),
    ],
)
def test_a_mistyped_command_gets_a_suggestion(
    word: str, like: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([word, "x.c"]) == 2
    assert re.search(rf"Did you mean (\w+ or )?{like}\b", capsys.readouterr().err)


def test_a_word_like_no_command_leads_to_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["xyzzy"]) == 2
    assert "'sfo --help' lists the commands" in capsys.readouterr().err


def test_bash_completes(command: dict[str, str]) -> None:
    require_tool("bash")
    script = """
      eval "$(sfo completion bash)"
      declare -F _sfo_completion > /dev/null || exit 3
      COMP_WORDS=(sfo lo); COMP_CWORD=1
      _sfo_completion sfo lo sfo
      echo "${COMPREPLY[@]}"
      COMP_WORDS=(sfo localize --passi); COMP_CWORD=2; COMPREPLY=()
      _sfo_completion sfo --passi localize
      echo "${COMPREPLY[@]}"
    """
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", script],
        env=command,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["localize", "--passing"]


@pytest.mark.parametrize(("shell", "check"), [("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])])
def test_other_shells_can_read_their_script(
    shell: str, check: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert f"_SFO_COMPLETE={shell}_complete" in script
    path = tmp_path / "script"
    path.write_text(script)
    if shutil.which(shell):
        subprocess.run([*check, str(path)], check=True)


def test_the_manual_has_every_command_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["man"]) == 0
    page = capsys.readouterr().out.replace("\\-", "-")
    context = click.Context(cli.cli, info_name="sfo")
    for name in cli.COMMANDS:
        assert f".SS sfo {name}\n" in page
        found = cli.cli.get_command(context, name)
        assert found is not None
        for parameter in found.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert parameter.opts[0] in page
    codes = re.findall(r"^\\fB(\d+)\\fR$", page, re.MULTILINE)
    assert [int(code) for code in codes] == list(output.EXIT_CODES)


def test_the_manual_can_be_formatted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    groff = require_tool("groff")
    assert cli.main(["man"]) == 0
    path = tmp_path / "sfo.1"
    path.write_text(capsys.readouterr().out)
    done = subprocess.run(
        [groff, "-man", "-Tascii", "-ww", str(path)], capture_output=True, text=True, check=True
    )
    assert "warning" not in done.stderr
    assert "EXIT STATUS" in re.sub(".\x08", "", done.stdout)


PROGRAM = "#include <assert.h>\nint nondet_int(void);\nint main(void) { int x = nondet_int(); assert(x != 3); return 0; }\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["localize", "a.c", "--report", "json=a.c"], "--report would write over a.c, which is read"),
        (["localize", "a.c", "-o", "./link.c"], "--output would write over ./link.c, which is read"),
        (["localize", "-o", "a.c", "b.c"], "--output would write over a.c, a C file"),
        (
            ["export", "a.c", "--unwind", "1", "-o", "a.c"],
            "--output would write over a.c, which is read",
        ),
        (
            ["run", "a.c", "--inputs", "v.csv", "-o", "v.csv"],
            "--output would write over v.csv, which is read",
        ),
        (["check", "a.c", "--reference", "b.c", "-o", "b.c"], "--output would write over b.c, which is read"),
        (["harness", "main", "a.c", "-o", "a.c"], "--output would write over a.c, which is read"),
        (["localize", "a.c", "--report", "json=r", "--report", "html=./r"], "./r is to be written twice"),
    ],
)
def test_no_command_writes_over_what_it_reads(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.c", "b.c"):
        Path(name).write_text(PROGRAM)
    Path("link.c").symlink_to("a.c")
    Path("v.csv").write_text("x\n3\n")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert cli.main(words) == 2
    assert f"sfo: error: {said}" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_harness_of_a_function_that_is_not_there_names_those_that_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.c").write_text(PROGRAM)
    assert cli.main(["harness", "nope", str(tmp_path / "a.c")]) == 3
    said = capsys.readouterr().err
    assert "a.c: no function 'nope' (defined here: main)" in said
    assert "--entry" not in said


def test_a_report_may_replace_an_older_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(PROGRAM)
    for _ in range(2):
        assert (
            cli.main(
                ["check", "a.c", "--report", "json=r.json", "--report", "gnu=/dev/null", "-o", "/dev/null"]
            )
            == 10
        )
    assert Path("r.json").stat().st_size > 100
