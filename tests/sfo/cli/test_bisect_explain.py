"""``sfo bisect-explain``: one commit against its first parent."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from sfo.cli import main
from tests.conftest import require_tool

RIGHT = "static int twice(int a) { return a * 2; }\nint f(int a)\n{\n    return a > 3 ? twice(a) : a;\n}\n"
OTHER = "int other(int a) { return a; }\n"


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(**files: str) -> str:
    """A commit in which the C files have these texts."""
    for name, text in files.items():
        Path(f"{name}.c").write_text(text)
    git("add", "--all")
    git("commit", "-q", "--allow-empty", "-m", "x")
    return git("rev-parse", "HEAD")


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The middle one of three commits, which broke a function."""
    require_tool("git")
    monkeypatch.chdir(tmp_path)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "a")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.org")
    git("init", "-q", "-b", "trunk")
    commit(f=RIGHT, other=OTHER)
    found = commit(f=RIGHT.replace("> 3", ">= 3"))
    commit(other=OTHER.replace("return a;", "return a + 0;"))
    return found


def test_a_commit_is_the_same_as_its_range_without_files(
    broken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    git("update-ref", "refs/bisect/bad", broken)  # as git bisect does
    shown = []
    for words in (["bisect-explain", "bisect/bad"], ["localize", "--git", f"{broken[:7]}~1..{broken[:7]}"]):
        assert main([*words, "-q", "--rank", "coverage", "--no-replay"]) == 0
        shown.append(capsys.readouterr())
    assert "sfo: f of f.c: violated" in shown[0].err
    assert "a >= 3" in shown[0].out
    assert shown[0] == shown[1]


@pytest.mark.usefixtures("broken")
def test_a_commit_that_breaks_nothing_fails_in_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bisect-explain", "HEAD", "-q"]) == 4
    assert "sfo: other of other.c: safe" in capsys.readouterr().err


@pytest.mark.usefixtures("broken")
def test_of_a_merge_the_first_parent_is_the_older_version(capsys: pytest.CaptureFixture[str]) -> None:
    git("checkout", "-q", "-b", "side", "HEAD~2")
    commit(third="int third(void) { return 3; }\n")
    git("merge", "-q", "-m", "m", "trunk")
    assert main(["bisect-explain", "HEAD", "-q", "--rank", "coverage", "--no-replay"]) == 0
    shown = capsys.readouterr()
    first = git("rev-parse", "--short", "HEAD~1")
    assert f"is a merge: compared with its first parent, {first}" in " ".join(shown.out.split())


@pytest.mark.parametrize(
    ("revision", "said"),
    [
        ("HEAD~2", "has no parent that it could be compared with"),
        ("HEAD~3", "no revision 'HEAD~3' in this repository"),
        ("HEAD~1..HEAD", "no revision 'HEAD~1..HEAD' in this repository"),
        ("", "no revision '' in this repository"),
    ],
)
@pytest.mark.usefixtures("broken")
def test_what_is_no_commit_with_a_parent_is_one_line(
    revision: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bisect-explain", revision]) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert len(shown.err.splitlines()) == 1
    assert shown.out == ""


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "no function that both revisions define has changed in a C file"),
        ({"new": "int h(void) { return 1; }\n"}, "has changed in a C file; new.c did not exist before"),
        ({"f": f"/* said */ {RIGHT}"}, "no function that both revisions define has changed in a C file"),
    ],
)
@pytest.mark.usefixtures("broken")
def test_a_commit_that_changes_no_function_is_an_error(
    files: dict[str, str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(**({"f": RIGHT} if files else {}))
    name = git("rev-parse", "--short", commit(**files))
    assert main(["bisect-explain", "HEAD"]) == 2
    shown = capsys.readouterr().err
    assert f"commit {name}: " in shown
    assert said in shown
    assert len(shown.splitlines()) == 1


def test_no_repository_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    require_tool("git")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert main(["bisect-explain", "HEAD"]) == 2
    assert "not a git repository" in capsys.readouterr().err


def test_options_about_one_program_are_refused(broken: str, capsys: pytest.CaptureFixture[str]) -> None:
    for option in (["--entry", "f"], ["--reference", "f.c"], ["--io", "d"]):
        assert main(["bisect-explain", broken, *option]) == 2
        assert f"bisect-explain has no option {option[0]}" in capsys.readouterr().err
