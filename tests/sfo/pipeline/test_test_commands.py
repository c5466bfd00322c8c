"""Test commands: a project's own tests are executions, and its tree stays as it is."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from sfo.cli import main
from sfo.execution.native.sandbox import find_sandbox

FOUND = find_sandbox()
IS_BOXED = not isinstance(FOUND, str) and FOUND.kind == "boxed"

pytestmark = pytest.mark.skipif(
    not IS_BOXED or not all(map(shutil.which, ("gcc", "gcov", "make"))), reason="no bubblewrap, gcc or make"
)

LIBRARY = """\
#include "lib.h"
int middle(int a, int b, int c)
{
    int m = c;
    if (b < c) {
        if (a < b)
            m = b;
        else if (a < c)
            m = b;
    } else {
        if (a > b)
            m = b;
        else if (a > c)
            m = a;
    }
    return m;
}
int other(int a)
{
    return a + 1;
}
"""
FAULTY = 9
TESTS = {"t1": "middle(5, 3, 4) == 4", "t2": "middle(1, 2, 3) == 2", "t3": "middle(2, 1, 3) == 2"}
MAKEFILE = """\
check: check-t1 check-t2 check-t3
check-%: %
\t./$<
t%: t%.c lib.o
\t$(CC) -O2 -o $@ $^
lib.o: lib.c lib.h
\t$(CC) -O2 -c -o $@ $<
"""
EACH = [word for name in TESTS for word in ("--test-command", f"make check-{name}")]


@pytest.fixture(name="project")
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "a project"
    folder.mkdir()
    (folder / "lib.c").write_text(LIBRARY)
    (folder / "lib.h").write_text("int middle(int a, int b, int c);\nint other(int a);\n")
    for name, condition in TESTS.items():
        text = f'#include <assert.h>\n#include "lib.h"\nint main(void)\n{{\n    assert({condition});\n    return 0;\n}}\n'
        (folder / f"{name}.c").write_text(text)
    (folder / "Makefile").write_text(MAKEFILE)
    monkeypatch.chdir(folder)
    return folder


def localized(*words: str) -> tuple[int, dict[str, Any]]:
    """Exit code and result of a localisation."""
    code = main(["localize", "-q", *words, "--report", "json=../r.json"])
    return code, json.loads(Path("../r.json").read_text())


def first_line(result: dict[str, Any]) -> int:
    unit = {unit["id"]: unit for unit in result["units"]}[result["ranking"][0]["unit"]]
    return int(unit["line"])


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_line_that_only_the_failing_test_executes_is_first(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tree(project)
    code, result = localized("lib.c", *EACH)
    said = " ".join(capsys.readouterr().out.split())
    assert code == 0
    assert first_line(result) == FAULTY
    rows = {row["command"]: (row["outcome"], row["property"]) for row in result["executions"]}
    assert rows == {
        "make check-t1": ("pass", None),
        "make check-t2": ("pass", None),
        "make check-t3": ("fail", "test-command.1"),
    }
    assert (
        "a test fails (observed, not proved): the test command make check-t3, which ends with exit code 2"
        in said
    )
    assert "sfo localize t3.c lib.c starts in this test" in said
    assert "proved:" not in said.replace("not proved:", "")
    assert tree(project) == before


@pytest.mark.usefixtures("project")
def test_all_tests_in_one_command_are_one_row() -> None:
    code, result = localized("lib.c", "--test-command", "make check")
    assert code == 0
    assert [(row["command"], row["outcome"]) for row in result["executions"]] == [("make check", "fail")]


@pytest.mark.usefixtures("project")
def test_rows_stand_beside_generated_executions() -> None:
    code, result = localized(
        "lib.c",
        "--entry",
        "middle",
        "--ensures",
        "!(b <= a && a <= c) || __sfo_result == a",
        "--passing=2",
        *EACH,
    )
    commands = [row["command"] for row in result["executions"]]
    assert code == 0
    assert len({row["id"] for row in result["executions"]}) == len(commands)
    assert commands[-3:] == [f"make check-{name}" for name in TESTS]
    assert None in commands
    assert result["repairs"]["found"] or result["repairs"]["undecided"]
    assert any(note.startswith("edits were not tried on the test commands") for note in result["notes"])


def test_what_was_built_before_is_built_again_in_the_copy(project: Path) -> None:
    subprocess.run(["make", "-s", "t1", "t2", "t3"], check=True)
    before = tree(project)
    code, result = localized("lib.c", *EACH)
    assert (code, first_line(result)) == (0, FAULTY)
    assert tree(project) == before


@pytest.mark.parametrize("end", ["abort()", "*(volatile int *)0 = 1", "raise(SIGTERM)", "exit(3)"])
def test_what_ends_a_program_does_not_lose_its_coverage(project: Path, end: str) -> None:
    includes = "#include <signal.h>\n#include <stdlib.h>\n"
    body = f"int main(void) {{ if (middle(2, 1, 3) != 2) {end}; return 0; }}\n"
    (project / "t3.c").write_text(f'{includes}#include "lib.h"\n{body}')
    code, result = localized("lib.c", *EACH)
    assert (code, first_line(result)) == (0, FAULTY)


def test_a_failing_test_of_other_code_is_no_passing_one(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "t3.c").write_text("int main(void) { return 1; }\n")
    code, result = localized("lib.c", *EACH)
    said = " ".join(capsys.readouterr().out.split())
    assert (code, result["verdict"]) == (4, "unknown")
    assert "all test commands pass" not in said
    assert "no failing test command executes a statement of the files (make check-t3)" in said


@pytest.mark.usefixtures("project")
def test_without_a_failing_test_it_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    code, result = localized("lib.c", *EACH[:4])
    assert (code, result["verdict"]) == (4, "unknown")
    assert "all test commands pass: make check-t1, make check-t2" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--test-command", "no-such-program x"], "command not found"),
        (["--test-command", "true"], "no coverage was written"),
        (["--test-command", "make t1"], "execute nothing of lib.c"),
        (["--test-command", "cc -c nothing.c"], "a compiler call in it fails"),
        (["--test-command", "make check", "--native", "off"], "--native off"),
        (["--test-command", "make check", "--slice", "static"], "--slice static"),
        (["--test-command", "make check", "--git", "HEAD~1..HEAD"], "--git"),
    ],
)
@pytest.mark.usefixtures("project")
def test_errors_are_one_line(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    code = main(["localize", "-q", "lib.c", *words])
    error = capsys.readouterr().err
    assert code in (2, 3)
    assert error.count("\n") == 1
    assert said in error


def test_a_file_of_options_names_no_command(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "sfo.toml").write_text('tests = ["make check"]\n')
    assert main(["localize", "-q", "lib.c"]) == 2
    assert "cannot read make check" in capsys.readouterr().err
    (project / "sfo.toml").write_text('test-command = "make check"\n')
    assert main(["localize", "-q", "lib.c"]) == 2
    assert "cannot be set in a file" in capsys.readouterr().err


def test_the_sandbox_writes_nothing_elsewhere(project: Path) -> None:
    mark = project.parent / "mark"
    (project / "Makefile").write_text(MAKEFILE.replace("\t./$<", f"\ttouch '{mark}'; ./$<"))
    code, result = localized("lib.c", *EACH)
    assert (code, first_line(result)) == (0, FAULTY)
    assert not mark.exists()


def test_a_program_with_main_and_headers_with_code_are_counted(project: Path) -> None:
    (project / "include").mkdir()
    (project / "include" / "sign.h").write_text(
        "static int sign(int a)\n{\n    if (a < 0)\n        return 1;\n    return a > 0;\n}\n"
    )
    (project / "prog.c").write_text(
        "#include <sign.h>\n#include <stdlib.h>\n"
        "int main(int argc, char **argv)\n{\n    return argc > 1 && sign(atoi(argv[1])) != atoi(argv[2]);\n}\n"
    )
    (project / "Makefile").write_text("prog: prog.c\n\tgcc -Iinclude -o prog prog.c\n")
    commands = [f"make -s prog && ./prog {words}" for words in ("3 1", "0 0", "-3 -1")]
    code, result = localized(
        "./prog.c",
        "-I",
        "include",
        "--check",
        "assert",
        *(w for c in commands for w in ("--test-command", c)),
    )
    units = {unit["id"]: unit for unit in result["units"]}
    first = units[result["ranking"][0]["unit"]]
    assert code == 0
    assert (Path(first["file"]).name, first["line"]) == ("sign.h", 4)
    assert [row["outcome"] for row in result["executions"]] == ["pass", "pass", "fail"]


def test_a_command_that_takes_too_long_fails_and_keeps_its_coverage(project: Path) -> None:
    (project / "t3.c").write_text(
        '#include "lib.h"\nint main(void)\n{\n    while (middle(2, 1, 3) != 2)\n        ;\n    return 0;\n}\n'
    )
    code, result = localized("lib.c", "--policy", "given_tests.command_seconds=5", *EACH)
    assert (code, first_line(result)) == (0, FAULTY)
