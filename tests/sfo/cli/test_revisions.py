from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from sfo.cli import main
from tests.conftest import require_tool

OLD = '#include "limit.h"\nint f(int a)\n{\n    int b = a > LIMIT ? LIMIT : a;\n    return b + 1;\n}\n'


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of two revisions, whose function and whose header differ."""
    require_tool("git")
    for name in ("src", "inc"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "a")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.org")
    git("init", "-q")
    commit({"inc/limit.h": "#define LIMIT 5\n", "src/f.c": OLD})
    commit({"inc/limit.h": "#define LIMIT 6\n", "src/f.c": OLD.replace("b + 1", "1 + b")})
    commit({"src/only.c": "int f(int a) { return a; }\n"})
    (tmp_path / "src/f.c").write_text("not C, and not committed")
    return tmp_path


def git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], check=True, capture_output=True)


def commit(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).write_text(text)
    git("add", "--all")
    git("commit", "-q", "-m", "x")


def test_two_revisions_are_compared_with_their_own_headers(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status = subprocess.run(["git", "status", "--porcelain"], capture_output=True, check=True).stdout
    monkeypatch.chdir(repository / "src")
    assert main(["localize", "--git", "HEAD~2..HEAD", "f.c", "--entry", "f", "-I", "../inc", "-q"]) == 0
    shown = capsys.readouterr().out
    assert "violated: f.reference.1 (reference) at f.c:5:5" in shown
    assert "return 1 + b" in shown
    assert "a=6" in shown
    assert Path.cwd() == repository / "src"
    assert subprocess.run(["git", "status", "--porcelain"], capture_output=True, check=True).stdout == status


def test_a_regression_is_checked_and_repaired_too(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit({"src/f.c": OLD.replace("b + 1", "1 - b")})
    arguments = ["src/f.c", "--entry", "f", "-I", "inc", "-q"]
    assert main(["check", "--git", "HEAD..HEAD", *arguments]) == 0
    assert main(["check", "--git", "HEAD~1..HEAD", *arguments]) == 10
    assert "violated: f.reference.1 (reference) at src/f.c:5:5" in capsys.readouterr().out
    assert main(["repair", "--git", "HEAD~1..HEAD", *arguments, "--patches", "patches"]) == 0
    (patch,) = (repository / "patches").iterdir()
    assert "--- a/src/f.c" in patch.read_text()
    assert "+    return 1 + b;" in patch.read_text()


def test_equal_revisions_agree(repository: Path) -> None:  # noqa: ARG001 - it is the current directory
    assert main(["localize", "--git", "HEAD..HEAD", "src/f.c", "--entry", "f", "-I", "inc", "-q"]) == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--git", "HEAD~1..nope", "src/f.c"], "no revision 'nope' in this repository"),
        (["--git", "HEAD~1..HEAD", "src/g.c"], "src/g.c is not in revision HEAD~1"),
        (["--git", "HEAD~1..HEAD", "src/only.c"], "src/only.c is not in revision HEAD~1"),
        (["--git", "HEAD", "src/f.c"], "not of the form OLD..NEW"),
        (["--git", "HEAD...HEAD", "src/f.c"], "not of the form OLD..NEW"),
        (["--git", "HEAD..HEAD", "--reference", "src/f.c", "src/f.c"], "give one of them"),
    ],
)
def test_what_cannot_be_compared_is_one_line_and_exit_code_2(
    arguments: list[str], said: str, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert repository
    assert main(["localize", "--entry", "f", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_no_repository_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    require_tool("git")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert main(["localize", "--git", "a..b", "f.c"]) == 2
    assert "not a git repository" in capsys.readouterr().err
