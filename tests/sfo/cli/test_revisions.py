from __future__ import annotations

import re
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
    assert "f.c fails: the result is 7, but 6 in HEAD~2:src/f.c; for a=6" in shown
    assert "return 1 + b" in shown
    assert "a=6" in shown
    assert Path.cwd() == repository / "src"
    assert subprocess.run(["git", "status", "--porcelain"], capture_output=True, check=True).stdout == status


@pytest.mark.parametrize("made", ["config.h", "src/config.h"])
def test_a_header_that_a_build_makes_is_that_of_the_working_tree(
    made: str, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No revision has it; those that a revision has are its own."""
    text = '#include "config.h"\n#include "limit.h"\nint f(int a)\n{\n    return a + SHIFT + LIMIT;\n}\n'
    commit({"src/g.c": text, "inc/limit.h": "#define LIMIT 1\n", ".gitignore": "config.h\n"})
    commit({"inc/limit.h": "#define LIMIT 2\n"})
    (repository / made).write_text("#define SHIFT 3\n")
    command = ["localize", "--git", "HEAD~1..HEAD", "src/g.c", "--entry", "f", "-I", "inc", "-I", ".", "-q"]
    assert main(command) == 0
    assert "src/g.c fails: the result is 6, but 5 in HEAD~1:src/g.c" in capsys.readouterr().out


def test_a_regression_is_checked_and_repaired_too(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit({"src/f.c": OLD.replace("b + 1", "1 - b")})
    arguments = ["src/f.c", "--entry", "f", "-I", "inc", "-q"]
    assert main(["check", "--git", "HEAD..HEAD", *arguments]) == 0
    assert main(["check", "--git", "HEAD~1..HEAD", *arguments]) == 10
    assert "violated: f.reference.1 (reference) at src/f.c:5:5" in capsys.readouterr().out
    assert main(["repair", "--git", "HEAD~1..HEAD", *arguments, "--patches", "patches"]) == 0
    patches = [patch.read_text() for patch in sorted((repository / "patches").iterdir())]
    assert all("--- a/src/f.c" in patch for patch in patches)
    assert "+    return 1 + b;" in patches[0]


DRIVER = "int f(int a);\nint twice(int a) { if (a > 9) return 0; return f(a) + f(a); }\n"


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.usefixtures("repository")
def test_a_driver_that_is_newer_than_the_fault_calls_both_versions(
    kept: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    commit({"src/f.c": OLD.replace("b + 1", "1 - b")})
    if kept:
        commit({"src/driver.c": DRIVER})
    Path("src/driver.c").write_text(DRIVER)
    words = ["src/driver.c", "src/f.c", "--entry", "twice", "-I", "inc"]
    revisions = "HEAD~2..HEAD" if kept else "HEAD~1..HEAD"
    assert main(["localize", "--git", revisions, *words]) == 0
    shown = capsys.readouterr()
    assert "src/driver.c is not in HEAD~" in shown.err
    files = re.findall(r"^  \d+ +(\S+):\d+ ", shown.out, re.MULTILINE)
    assert files[0] == "src/f.c"
    assert files == sorted(files, reverse=True)  # what both versions have alike is no suspect


STRUCTURES = """struct s { int %s; };
int put(struct s *p, int n) { %s return p->n; }
"""


@pytest.mark.usefixtures("repository")
def test_functions_on_a_structure_with_other_members_are_passed_over(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In no state of the newer version it is known what state of the older one that is."""
    commit({"src/s.c": STRUCTURES % ("n", "p->n = n;")})
    commit({"src/s.c": STRUCTURES % ("m, n", "p->n = n; p->m = n;")})
    assert main(["localize", "--git", "HEAD~1..HEAD"]) == 3
    said = capsys.readouterr().err
    assert "put of src/s.c is passed over: what p leads to has other members than in the reference" in said


def test_the_older_version_is_called_as_git_calls_it(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The directory that it was written into is nothing that a user has ever seen."""
    monkeypatch.chdir(repository / "src")
    words = ["--git", "HEAD~2..HEAD~1", "f.c", "--entry", "f", "-I", "../inc", "-q", "--rank", "coverage"]
    for form in ("text", "github", "gnu", "sarif"):
        assert main(["localize", *words, "--format", form]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert "old/" not in shown
        assert "in HEAD~2:src/f.c" in shown
    commit({"f.c": "int f(int a) { return a + ; }\n"})
    commit({"f.c": OLD})
    assert main(["localize", "--git", "HEAD~1..HEAD", "f.c", "--entry", "f", "-I", "../inc", "-q"]) == 2
    assert "the reference cannot be used: HEAD~1:src/f.c:1:27" in capsys.readouterr().err
    monkeypatch.chdir(repository)
    assert main(["localize", "--git", "HEAD~1..HEAD", "src/f.c", "--entry", "f", "-I", "inc", "-q"]) == 2
    assert "the reference cannot be used: HEAD~1:src/f.c:1:27" in capsys.readouterr().err
    assert main(["localize", "--git", "HEAD~1..HEAD", "-I", "inc", "-q"]) == 3
    assert "src/f.c is passed over: HEAD~1:src/f.c:1:27" in capsys.readouterr().err


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


LIBRARY = """#include "limit.h"

/* The larger one. */
int larger(int a, int b)
{
    if (a > b)
        return a;
    return b;
}

static int clipped(int a)
{
    return a > LIMIT ? LIMIT : a;
}

int total(const int *values, unsigned count)
{
    int sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += clipped(values[i]);
    return sum;
}
"""
FAULTS = (
    ("if (a > b)", "if (a < b)", "larger"),
    ("a > LIMIT ? LIMIT : a", "a < LIMIT ? LIMIT : a", "clipped"),
    ("int sum = 0;", "int sum = 1;", "total"),
    ("sum += clipped", "sum -= clipped", "total"),
    ("return b;", "return a;", "larger"),
)


@pytest.fixture
def history(repository: Path) -> Path:
    """Five commits, each of which breaks one function of a library, is followed by one that reverts it."""
    for name in ("f.c", "only.c"):
        (repository / "src" / name).unlink()
    (repository / "compile_commands.json").unlink(missing_ok=True)
    commit({"src/library.c": LIBRARY, "src/limit.h": "#define LIMIT 5\n"})
    for before, after, _ in FAULTS:
        commit({"src/library.c": LIBRARY.replace(before, after)})
        commit({"src/library.c": LIBRARY})
    return repository


@pytest.mark.parametrize("number", range(len(FAULTS)))
def test_a_commit_alone_leads_to_the_function_it_broke(
    number: int, history: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert history
    bad = f"HEAD~{2 * (len(FAULTS) - number) - 1}"
    assert main(["localize", "--git", f"{bad}~1..{bad}", "-q"]) == 0
    shown = capsys.readouterr()
    before, _, function = FAULTS[number]
    line = LIBRARY[: LIBRARY.index(before)].count("\n") + 1
    assert f"{function} of src/library.c: violated" in shown.err
    assert "src/library.c fails: the result is " in shown.out
    assert f"look first: src/library.c:{line}:" in shown.out or f" line {line} " in shown.out


def test_functions_are_tried_until_one_fails(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert history
    moved = LIBRARY.replace("if (a > b)", "if (b < a)").replace("sum += clipped", "sum -= clipped")
    commit({"src/library.c": moved})
    assert main(["localize", "--git", "HEAD~1..", "-q"]) == 0
    shown = capsys.readouterr()
    assert shown.err.splitlines()[:2] == [
        "sfo: larger of src/library.c: safe",
        "sfo: total of src/library.c: violated",
    ]


def test_comments_and_new_functions_are_no_change(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert history
    commit(
        {"src/library.c": "/* The library. */\n" + LIBRARY + "int twice(int a)\n{\n    return a + a;\n}\n"}
    )
    assert capsys.readouterr()
    for command, code in (("localize", 4), ("check", 0), ("repair", 4)):
        assert main([command, "--git", "HEAD~1..HEAD", "-q"]) == code
        said = "sfo: --git HEAD~1..HEAD: no function that both revisions define has changed in a C file\n"
        assert capsys.readouterr() == ("", said)


def test_a_file_that_is_new_in_a_range_is_named(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert history
    commit({"src/twice.c": "int twice(int a)\n{\n    return 2 * a;\n}\n"})
    commit({"src/twice.c": "int twice(int a)\n{\n    return 3 * a;\n}\n"})
    assert main(["check", "--git", "HEAD~2..HEAD", "-q"]) == 0
    assert capsys.readouterr().err.endswith("; src/twice.c did not exist before\n")
    assert main(["check", "--git", "HEAD~1..HEAD", "-q"]) == 10


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({"src/unused.h": "#define UNUSED 7\n"}, "src/unused.h"),
        ({"src/names.def": "X(2)\n"}, "names of src/names.c"),
        ({"src/library.c": LIBRARY + "const int table[] = {1, 3};\n"}, "table of src/library.c"),
    ],
)
def test_what_functions_use_is_no_change_of_their_own(
    files: dict[str, str], named: str, history: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A header, an included file or a variable that changed is an error which names it: something may fail."""
    assert history
    commit({
        "src/library.c": LIBRARY + "const int table[] = {1, 2};\n",
        "src/names.c": '#define X(a) a,\nint names[] = {\n# include "names.def"\n};\n',
        "src/names.def": "X(1)\n",
        "src/unused.h": "#define UNUSED 6\n",
    })  # fmt: skip
    commit({"README": "more\n", **files})
    for command in ("localize", "check", "repair"):
        assert main([command, "--git", "HEAD~1..HEAD", "-q"]) == 2
        (said,) = capsys.readouterr().err.splitlines()
        assert f"what functions may use did: {named};" in said
        assert "give the FILE of a function that uses it, and --entry" in said


def test_functions_behind_a_header_that_changed_are_tried(
    history: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where another header includes it; one that is new changes nothing."""
    assert history
    commit({"src/limit.h": "#define LIMIT 6\n", "src/new.h": "#define NEW 1\n"})
    assert main(["check", "--git", "HEAD~1..HEAD", "-q"]) == 10
    assert "clipped of src/library.c: violated" in capsys.readouterr().err
    commit({"src/limit.h": "#define LIMIT (6)\n"})
    assert main(["check", "--git", "HEAD~1..HEAD", "-q"]) == 0
    assert "no function that both revisions define has changed" in capsys.readouterr().err
    commit({"src/limit.h": '#include "new.h"\n#define LIMIT NEW\n'})
    commit({"src/new.h": "#define NEW 2\n"})
    assert main(["check", "--git", "HEAD~1..HEAD", "-q"]) == 10
    assert "clipped of src/library.c: violated" in capsys.readouterr().err


def test_a_variable_that_a_function_keeps_is_its_own(
    history: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert history
    for first in (0, 1):
        commit({"src/count.c": f"int count(void)\n{{\n    static int n = {first};\n    return ++n;\n}}\n"})
    assert main(["check", "--git", "HEAD~1..HEAD", "-q"]) == 10
    assert "count of src/count.c: violated" in capsys.readouterr().err


def test_changes_are_checked_and_repaired_without_files(
    history: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit({"src/library.c": LIBRARY.replace("if (a > b)", "if (a < b)")})
    assert main(["check", "--git", "HEAD~1..HEAD", "-q"]) == 10
    assert "violated: larger.reference" in capsys.readouterr().out
    for command in ("repair", "localize"):
        assert main([command, "--git", "HEAD~1..HEAD", "-q", "--patches", command]) == 0
        assert any("a > b" in patch.read_text() for patch in (history / command).iterdir())


def test_what_cannot_be_tried_is_named(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert history
    commit({"src/library.c": LIBRARY + "int late(int a)\n{\n    return missing(a);\n}\n"})
    commit({"src/library.c": LIBRARY + "int late(int a)\n{\n    return missing(a) + 1;\n}\n"})
    assert main(["localize", "--git", "HEAD~1..HEAD", "-q"]) == 3
    error = capsys.readouterr().err
    assert "passed over" in error
    assert "none of the functions that changed can be tried" in error


def test_without_files_there_has_to_be_a_change_and_no_entry(
    history: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert history
    assert main(["localize", "-q"]) == 2
    assert "Missing argument 'FILE...'" in capsys.readouterr().err
    assert main(["localize", "--git", "HEAD~1..HEAD", "--entry", "total", "-q"]) == 2
    assert "--entry is about a program" in capsys.readouterr().err
    assert main(["localize", "--git", "HEAD~1..HEAD", "--input", "src/library.c", "-q"]) == 2
    assert "--input is about a program" in capsys.readouterr().err


PLACES = """\
#include <stdio.h>
#define HERE __FILE__, __LINE__
int told(const char *file, int line);
int kept(int n) { printf("%s:%d\\n", HERE); return n; }
int mended(int n) { if (n MARK 9) return told(HERE); printf("%s %s %s\\n", __DATE__, __TIME__, __BASE_FILE__); return n; }
"""


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(("mark", "code", "said"), [(">", 10, "violated"), ("> 8 &&", 0, None)])
def test_what_says_where_code_stands_is_no_change(
    mark: str, code: int, said: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    old = PLACES.replace("MARK", ">=" if said else mark)
    new = PLACES.replace("MARK", mark).replace("int kept", "\n/* moved */\n\nint kept")
    commit({"src/where.c": old})
    commit({"src/where.c": new})
    assert main(["check", "--git", "HEAD~1..HEAD", "-q"]) == code
    told = capsys.readouterr().err
    assert "kept of" not in told
    assert ("mended of src/where.c: violated" in told) == (said is not None)
