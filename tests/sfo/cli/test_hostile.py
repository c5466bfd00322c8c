"""A repository that was written to harm who analyses it: no command of it is run, no file of others read or written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest

from sfo.cli import COMMANDS, _command, main
from sfo.library.option_table import OPTIONS
from tests.conftest import require_tool

ONLY_ON_THE_COMMAND_LINE = {
    flag.lstrip("-") for one in OPTIONS if one.users_own for flag in one.flags.split()
}
PROGRAM = 'int nondet_int(void);\nint main(void) { int x = nondet_int(); __CPROVER_assert(x != 3, ""); return x; }\n'
WRAPPER = "-wrapper sh,-c,touch$IFS$0pwned,./\n"
"""Options by which gcc starts a shell instead of its parts."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.c").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "x").write_text(WRAPPER, encoding="utf-8")
    return tmp_path


def sfo(*arguments: str, seconds: float = 60) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own, with little memory to waste."""
    return subprocess.run(
        [sys.executable, "-m", "sfo", *arguments],
        capture_output=True,
        check=False,
        timeout=seconds,
        stdin=subprocess.DEVNULL,
    )


# -- commands ----------------------------------------------------------------------------------------------------


def test_the_trap_works_where_a_compiler_is_called_without_care(here: Path) -> None:
    require_tool("gcc")
    subprocess.run(["gcc", "-E", "@x", "p.c"], check=False, capture_output=True)
    assert (here / "pwned").exists()


@pytest.mark.parametrize("command", ["check", "localize"])
@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("sfo.toml", 'include = ["@x"]\n'),
        ("sfo.toml", 'I = ["@x", "-wrapper", ""]\n'),
        ("sfo.toml", 'std = "c11 @x"\n'),
        ("sfo.toml", 'D = ["", "@x"]\n'),
        ("pyproject.toml", '[tool.sfo]\ninclude = ["@x"]\n'),
        (
            "compile_commands.json",
            '[{"directory": ".", "file": "p.c", "arguments": ["cc", "-include", "@x"]}]',
        ),
        ("compile_commands.json", '[{"directory": ".", "file": "p.c", "command": "cc -I -D -D@x -std=@x"}]'),
    ],
)
def test_no_option_of_a_repository_starts_a_command(command: str, file: str, text: str, here: Path) -> None:
    (here / file).write_text(text, encoding="utf-8")
    done = sfo(command, "p.c")
    assert not (here / "pwned").exists()
    assert done.returncode in {2, 3}, done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "name", ["@x", "d/@x", "@x.c", "-x.c", "-wrapper", 'a"b.c', "a b.c", "a$(touch pwned).c", "a'b.c", "é.c"]
)
@pytest.mark.sample(3)
def test_a_file_of_any_name_is_a_file(name: str, here: Path) -> None:
    (here / name).parent.mkdir(exist_ok=True)
    (here / name).write_text(PROGRAM, encoding="utf-8")
    done = sfo("check", "--format", "json", "--", name)
    assert done.returncode == 10, done.stderr
    found = json.loads(done.stdout)
    assert {unit["file"] for unit in found["units"]} == {name}
    assert found["units"][0]["text"] == "x = nondet_int()"
    assert sfo("check", f"--reference={name}", "--", name).returncode == 0
    assert sfo("localize", "--rank", "coverage", "--", name).returncode == 0
    assert not (here / "pwned").exists()


def test_a_header_of_any_name_is_a_header(here: Path) -> None:
    for name in ("@h.h", "-h.h"):
        (here / name).write_text("#define LIMIT 3\n", encoding="utf-8")
        (here / "q.c").write_text(PROGRAM.replace("3", "LIMIT"), encoding="utf-8")
        assert sfo("localize", "--rank", "coverage", f"-include={name}", "q.c").returncode in {0, 2}
        assert sfo("localize", "--rank", "coverage", "-include", name, "q.c").returncode == 0
    (here / "@h.h").write_text(WRAPPER, encoding="utf-8")
    sfo("localize", "--rank", "coverage", "-include", "@h.h", "p.c")
    assert not (here / "pwned").exists()


@pytest.mark.parametrize("name", ["a\nb.c", "a\rb.c"])
def test_a_line_break_in_the_name_of_a_program_is_refused(name: str, here: Path) -> None:
    (here / name).write_text(PROGRAM, encoding="utf-8")
    done = sfo("check", name)
    assert done.returncode == 3
    assert b"a line break in the name" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-I", ""], "-I ''"),
        (["-include", ""], "-include ''"),
        (["-D", ""], "-D ''"),
        (["-D", "X=1\n#include </etc/passwd>"], "on one line"),
        (["-D", "-wrapper"], "not of the form"),
        (["-std", "c11 -wrapper"], "not the name of a language standard"),
        (["-std", "@x"], "not the name of a language standard"),
    ],
)
@pytest.mark.usefixtures("here")
def test_options_that_say_nothing_are_refused(arguments: Sequence[str], said: str) -> None:
    done = sfo("check", *arguments, "p.c")
    assert done.returncode == 2
    assert said in done.stderr.decode()


def test_as_many_arguments_as_nobody_has_end_with_the_time(here: Path) -> None:
    (here / "a.c").write_text("int main(int c, char **v) { return v[c - 1][0]; }\n", encoding="utf-8")
    done = sfo("check", "a.c", "--argv", "1000000000", "--timeout", "2", "--native", "off", "-q", seconds=100)
    assert done.returncode == 5
    assert b"the time limit was reached" in done.stderr


@pytest.mark.parametrize("define", ["X", "X=", "X=1", "X=a b;c", "F(a)=a", "F(a,b...)=a", "X=@x", "_x$1=-2"])
@pytest.mark.usefixtures("here")
def test_macros_that_a_compiler_knows_are_taken(define: str) -> None:
    assert sfo("check", "-D", define, "p.c").returncode == 10


def test_nothing_that_git_would_start_is_started(here: Path) -> None:
    require_tool("git")
    pwn = f"touch {here}/pwned"

    def git(*words: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *identity, *words], check=True, capture_output=True)

    (here / ".gitattributes").write_text("*.c filter=evil=x\n", encoding="utf-8")
    git("init", "-q", ".")
    git("add", "p.c", ".gitattributes")
    git("commit", "-q", "-m", "1")
    (here / "p.c").write_text(PROGRAM.replace("3", "4"), encoding="utf-8")
    git("commit", "-q", "-a", "-m", "2")
    git("config", "core.fsmonitor", pwn)
    with (here / ".git/config").open("a", encoding="utf-8") as config:
        config.write(f'[filter "evil=x"]\n smudge = {pwn}; cat\n required = true\n')
    hook = here / ".git/hooks/post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{pwn}\n", encoding="utf-8")
    hook.chmod(0o755)
    done = sfo("check", "--git", "HEAD~1..HEAD", "p.c")
    assert done.returncode in {0, 10}, done.stderr
    assert not (here / "pwned").exists()
    for revisions in ("--upload-pack=x..HEAD", "-x..HEAD", "HEAD..--output=pwned"):
        done = sfo("check", f"--git={revisions}", "p.c")
        assert done.returncode == 2, done.stderr
        assert b"no revision" in done.stderr


# -- what a configuration cannot say -------------------------------------------------------------------------------


@pytest.mark.parametrize("key", sorted(ONLY_ON_THE_COMMAND_LINE))
@pytest.mark.parametrize("file", ["sfo.toml", "pyproject.toml"])
def test_what_is_written_is_said_on_the_command_line_only(
    key: str, file: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    victim = here / "victim"
    victim.write_text("precious", encoding="utf-8")
    table = "[tool.sfo]\n" if file == "pyproject.toml" else "\n"
    (here / file).write_text(f'{table}{key} = "victim"\n', encoding="utf-8")
    assert main(["check", "p.c"]) == 2
    error = capsys.readouterr().err
    assert error == f"sfo: error: {file}:2: {key!r} cannot be set in a file: give it on the command line\n"
    assert victim.read_text(encoding="utf-8") == "precious"


def test_a_foreign_solver_is_said_on_the_command_line_only(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "sfo.toml").write_text('solver = "pysmt:evil"\n', encoding="utf-8")
    assert main(["check", "p.c"]) == 2
    assert "sfo.toml:1: solver 'pysmt:evil' cannot be set in a file" in capsys.readouterr().err


def options_of(command: click.Command) -> list[click.Option]:
    inside = command.commands.values() if isinstance(command, click.Group) else ()
    own = [option for option in command.params if isinstance(option, click.Option)]
    return own + [option for other in inside for option in options_of(other)]


def test_each_option_with_a_file_is_read_or_refused_in_a_configuration() -> None:
    read = {
        "I",
        "include",
        "reference",
        "compile-commands",
        "tests",
        "io",
        "crash",
        "input",
        "inputs",
        "outcomes",
        "harness",
    }
    places = ("FILE", "DIR", ".c", ".csv", ".json", "OUT", "ADDRESS", "VECTORS")
    for name in COMMANDS:
        for option in options_of(_command(name)):
            names = {word.lstrip("-") for word in option.opts}
            if any(place in (option.metavar or "") for place in places):
                assert names & read or names <= ONLY_ON_THE_COMMAND_LINE, names


@pytest.mark.parametrize(
    "key", ["I", "D", "include", "reference", "entry", "requires", "property", "unwindset"]
)
def test_nul_is_no_part_of_an_option(key: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "sfo.toml").write_text(f'{key} = ["a", "b\\u0000c"]\n', encoding="utf-8")
    assert main(["check", "p.c"]) == 2
    assert capsys.readouterr().err == f"sfo: error: sfo.toml:1: {key!r}: a text with a NUL character in it\n"


def test_nul_in_a_compilation_database(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for entry in (
        {"file": "p.c\0"},
        {"file": "p.c", "directory": "\0"},
        {"file": "p.c", "arguments": ["-I\0"]},
    ):
        (here / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
        assert main(["check", "p.c"]) == 2
        assert "compile_commands.json" in capsys.readouterr().err


def test_a_list_of_versions_names_no_file_elsewhere(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    versions = [{"version": "v", "file": "p.c", "faulty_lines": [1]}]
    for subject in ("../../x", "/tmp/x", "a\0b"):
        listed = {"format": 1, "kind": "versions", "subject": subject, "versions": versions}
        (here / "versions.json").write_text(json.dumps(listed), encoding="utf-8")
        assert main(["evaluate", "corpus", "versions.json", "-o", "out"]) == 2
        assert "versions.json: " in capsys.readouterr().err


# -- files of others -----------------------------------------------------------------------------------------------


SECRET = "hunter2 is the word that nobody may see"  # noqa: S105 - of nobody


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "directive",
    ['#line 1 "{}"', '# 1 "{}"', '# 1 "{}" 1', '# 1 "{}" 2', '# 1 "{}" 1 3\n# 2 "p.c" 2\n# 1 "{}" 2'],
)
@pytest.mark.parametrize("suffix", [".c", ".i"])
def test_a_line_directive_shows_no_file(directive: str, suffix: str, here: Path) -> None:
    secret = here / "outside.txt"
    secret.write_text(f"{SECRET}\n" * 9, encoding="utf-8")
    for name in (str(secret), "/proc/self/environ"):
        text = f"{directive.replace('{}', name)}\n{PROGRAM}"
        (here / f"q{suffix}").write_text(text, encoding="utf-8")
        for form in ("text", "html"):
            done = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "sfo",
                    "localize",
                    f"q{suffix}",
                    "--format",
                    form,
                    "-v",
                    "--rank",
                    "coverage",
                ],
                capture_output=True,
                check=False,
                timeout=60,
                env={**os.environ, "SECRET": SECRET},
            )
            assert done.returncode in {0, 5}, done.stderr  # 5: gcc knows no file that such a line could end
            assert SECRET.encode() not in done.stdout + done.stderr
            assert b"nondet_int" in done.stdout or done.returncode == 5


def test_an_included_file_is_shown_as_it_was_written(here: Path) -> None:
    (here / "with space.h").write_text(
        "#define Y x\nstatic int f(int x) { return Y + 1; }\n", encoding="utf-8"
    )
    (here / "#odd$h:.h").write_text("#define Z x\nstatic int g(int x) { return Z + 1; }\n", encoding="utf-8")
    text = PROGRAM.replace("x != 3", "f(x) != 3 && g(x) != 3")
    (here / "q.c").write_text(f'#include "with space.h"\n#include "./#odd$h:.h"\n{text}', encoding="utf-8")
    done = sfo("localize", "q.c", "--rank", "coverage", "--format", "json")
    found = {unit["text"] for unit in json.loads(done.stdout)["units"]}
    assert {"return Y + 1", "return Z + 1"} <= found


READERS = (
    ["check", "{}"],
    ["check", "p.c", "--reference", "{}"],
    ["check", "p.c", "-include", "{}"],
    ["check", "p.c", "--compile-commands", "{}"],
    ["run", "p.c", "--inputs", "{}"],
    ["localize", "p.c", "--tests", "{}"],
    ["localize", "p.c", "--crash", "{}"],
    ["localize", "p.c", "--input", "{}"],
    ["batch", "{}", "-o", "out"],
    ["rank", "{}"],
    ["rank", "{}", "--from", "json"],
    ["rank", "{}", "--from", "csv"],
    ["rank", "{}", "--from", "tcm"],
    ["rank", "{}", "--from", "coverage"],
    ["reduce", "{}"],
    ["convert", "{}", "out.csv"],
    ["mutate", "{}", "-o", "out"],
    ["evaluate", "scores", "{}"],
    ["evaluate", "corpus", "{}", "-o", "d"],
)


@pytest.mark.sample(3)
@pytest.mark.parametrize("arguments", READERS, ids=" ".join)
def test_what_has_no_end_is_not_read(arguments: list[str], here: Path) -> None:
    os.mkfifo(here / "pipe.c")
    (here / "zero.c").symlink_to("/dev/zero")
    for name in ("pipe.c", "zero.c", "/dev/zero"):
        done = sfo(*[name if word == "{}" else word for word in arguments], "--timeout", "20", seconds=100) if (
            arguments[0] in {"check", "run", "localize"}
        ) else sfo(*[name if word == "{}" else word for word in arguments], seconds=100)  # fmt: skip
        assert done.returncode in {2, 3, 5}, (done.returncode, done.stderr)
        assert b"internal" not in done.stderr
        said = [line for line in done.stderr.splitlines() if not line.endswith(b" s  loading")]
        assert len(said) == 1, done.stderr


@pytest.mark.parametrize("name", ["sfo.toml", "pyproject.toml", "compile_commands.json"])
def test_a_configuration_without_end_is_not_read(name: str, here: Path) -> None:
    os.mkfifo(here / name)
    done = sfo("check", "p.c")
    assert done.returncode == 2
    assert f"{name}: not a regular file".encode() in done.stderr
    (here / name).unlink()
    (here / name).symlink_to("/dev/zero")
    assert sfo("check", "p.c").returncode == 2
    (here / name).unlink()
    with (here / name).open("wb") as file:
        file.truncate(1 << 40)
    done = sfo("check", "p.c")
    assert done.returncode == 2
    assert b"larger than" in done.stderr


def test_a_device_that_is_included_ends_within_the_memory_of_the_preprocessor(here: Path) -> None:
    require_tool("gcc")
    (here / "q.c").write_text(f'#include "/dev/zero"\n{PROGRAM}', encoding="utf-8")
    done = sfo("check", "q.c", "--timeout", "60", "--memory", "400", seconds=100)
    assert done.returncode == 3
    assert done.stderr.count(b"\n") == 1
    assert b"more than 1024 MiB of memory" in done.stderr


WRITERS = (
    (["generate", "p.c", "-o", "out"], "vectors.csv"),
    (["generate", "p.c", "-o", "out", "--as", "c"], "c/Makefile"),
    (["mutate", "right.c", "-o", "out", "--limit", "1"], "v1.c"),
    (["localize", "p.c", "--rank", "full", "--patches", "out", "--native", "off"], "repair-1.patch"),
    (["batch", "many", "-o", "out", "--jobs", "1", "--native", "off"], "index.html"),
    (["convert", "m.csv", "out"], "matrix.txt"),
)
"""Commands that write into a directory, each with a file that it writes there."""

WRITTEN = 'int nondet_int(void);\nint f(int x) { if (x > 3) return 1; return 2; }\nint main(void) { int x = nondet_int(); __CPROVER_assert(f(x) == 2 || x < 9, ""); return 0; }\n'


@pytest.mark.parametrize(("arguments", "name"), WRITERS)
def test_nothing_is_written_through_a_link_of_a_directory(
    arguments: list[str], name: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "p.c").write_text(WRITTEN)
    (here / "right.c").write_text(WRITTEN.replace("x < 9", "x > 3"))
    (here / "many").mkdir()
    (here / "many" / "one.c").write_text(WRITTEN)
    (here / "m.csv").write_text("outcome,a\nfail,1\npass,0\n")
    victim, out, elsewhere = here / "victim", here / "out", here / "elsewhere"
    victim.write_text("precious")
    elsewhere.mkdir()
    (out / name).parent.mkdir(parents=True)
    (out / name).symlink_to(victim)
    code = main([*arguments, "-q"] if arguments[0] != "convert" else arguments)
    said = capsys.readouterr()
    assert code == 0, said.err
    assert victim.read_text() == "precious"
    assert not (out / name).is_symlink()
    folder = name.rpartition("/")[0]
    if folder:
        shutil.rmtree(out / folder)
        (out / folder).symlink_to(elsewhere)
        assert main(arguments) == 2
        assert f"out/{folder} is a symbolic link" in capsys.readouterr().err
        assert not list(elsewhere.iterdir())


def test_an_updated_suite_stays_in_its_directory(here: Path) -> None:
    (here / "p.c").write_text(WRITTEN)
    assert main(["generate", "p.c", "-q", "-o", "out"]) == 0
    (here / "victims").mkdir()
    for file in list((here / "out").iterdir()):
        file.rename(here / "victims" / file.name)
        file.symlink_to(here / "victims" / file.name)
    assert main(["generate", "p.c", "-q", "--update", "out"]) == 0
    assert not any(file.is_symlink() for file in (here / "out").iterdir())
