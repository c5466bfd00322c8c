"""The compiler calls of builds are recorded, and taken by the commands on their files."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.sfo.test_export.test_unit_tests import check, require_framework

HEADER = "#define LIMIT 3\n"
SOURCE = "#include <limit.h>\nint f(int n) { return 6 / (n > LIMIT ? n : WHEN); }\n"


@pytest.fixture(name="project")
def _project(tmp_path: Path) -> Path:
    require_tool("gcc")
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "limit.h").write_text(HEADER)
    (tmp_path / "a.c").write_text(SOURCE)
    (tmp_path / "main.c").write_text("int f(int); int main(void) { return f(7); }\n")
    return tmp_path


def sfo(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(project / "cache")}
    command = [sys.executable, "-m", "sfo", *words]
    return subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


def recorded(project: Path) -> dict[str, list[str]]:
    entries = json.loads((project / "compile_commands.json").read_text())
    assert all(Path(entry["directory"]).samefile(project) for entry in entries)
    return {entry["file"]: entry["arguments"] for entry in entries}


def test_the_calls_of_a_makefile_are_those_that_commands_use(project: Path) -> None:
    require_tool("make")
    (project / "Makefile").write_text(
        "CFLAGS = -Iinclude -DWHEN=0 -std=c11\nall: a.o main.o\n\tgcc -o all a.o main.o\n"
    )
    done = sfo(project, "capture", "--", "make")
    assert (done.returncode, done.stderr) == (0, "compile_commands.json: 2 files\n")
    assert (project / "all").exists()
    found = recorded(project)
    assert found["a.c"][0] == "cc"
    assert {"-Iinclude", "-DWHEN=0", "-std=c11"} <= set(found["a.c"])
    done = sfo(project, "check", "a.c", "--entry", "f", "-q")
    assert done.returncode == 10, done.stderr
    assert "division by zero" in done.stdout or "div0" in done.stdout


def test_a_script_that_compiles_and_links_at_once_is_seen_and_others_stay(project: Path) -> None:
    (project / "build.sh").write_text(
        "gcc -I include -D WHEN=1 -o all a.c main.c\ngcc -E -I include a.c > /dev/null 2>&1\n"
    )
    assert sfo(project, "capture", "--", "sh", "build.sh").returncode == 0
    assert set(recorded(project)) == {"a.c", "main.c"}
    (project / "again.sh").write_text("gcc -c -I include -D WHEN=2 -o a.o a.c\n")
    assert sfo(project, "capture", "--", "sh", "again.sh").returncode == 0
    found = recorded(project)
    assert set(found) == {"a.c", "main.c"}
    assert "WHEN=2" in found["a.c"]
    assert "WHEN=1" in found["main.c"]


def test_a_configured_build_keeps_its_compiler(project: Path) -> None:
    """What a build remembers is the wrapper, which is there afterwards and records nothing then."""
    (project / "configure.sh").write_text("command -v gcc > compiler; gcc -c -Iinclude -DWHEN=1 a.c\n")
    assert sfo(project, "capture", "--", "sh", "configure.sh").returncode == 0
    remembered = (project / "compiler").read_text().strip()
    assert Path(remembered).is_relative_to(project / "cache")
    (project / "a.o").unlink()
    done = subprocess.run([remembered, "-c", "-Iinclude", "-DWHEN=1", "a.c"], cwd=project, check=False)
    assert done.returncode == 0
    assert (project / "a.o").exists()


def test_a_suite_builds_in_another_checkout(project: Path) -> None:
    """Absolute paths of the database that lie below the current directory are relative ones in the suite."""
    require_framework("cmocka")
    first = project / "first"
    first.mkdir()
    (project / "include").rename(first / "include")
    (first / "a.c").write_text("#include <limit.h>\nint f(int n) { if (n > LIMIT) return n; return WHEN; }\n")
    assert sfo(first, "capture", "--", "gcc", "-c", f"-I{first}/include", "-DWHEN=1", "a.c").returncode == 0
    assert str(first) in (first / "compile_commands.json").read_text()
    done = sfo(first, "generate", "a.c", "--entry", "f", "-o", "suite", "--as", "cmocka", "-q")
    assert done.returncode == 0, done.stderr
    first.rename(project / "second")
    built = check(project / "second" / "suite" / "cmocka")
    assert built.returncode == 0, built.stderr


@pytest.mark.parametrize(
    ("script", "message", "code"),
    [
        ("true\n", "sh called no compiler by its name", 3),
        (
            "gcc -c -Iinclude -DWHEN=1 a.c; exit 7\n",
            "sh ended with exit code 7; compile_commands.json has the 1 file compiled so far",
            3,
        ),
        ("exit 7\n", "sh ended with exit code 7; nothing was compiled before", 3),
    ],
)
def test_builds_that_fail_say_so(project: Path, script: str, message: str, code: int) -> None:
    (project / "build.sh").write_text(script)
    done = sfo(project, "capture", "--", "sh", "build.sh")
    assert done.returncode == code
    assert message in done.stderr


def test_a_build_that_has_nothing_to_do_leaves_what_is_recorded(project: Path) -> None:
    assert sfo(project, "capture", "--", "gcc", "-c", "-Iinclude", "-DWHEN=1", "a.c").returncode == 0
    before = recorded(project)
    done = sfo(project, "capture", "--", "true")
    assert done.returncode == 0
    assert "nothing was compiled; what was recorded before stays" in done.stderr
    assert recorded(project) == before


def test_a_build_that_fails_before_it_compiles_leaves_what_is_recorded(project: Path) -> None:
    assert sfo(project, "capture", "--", "gcc", "-c", "-Iinclude", "-DWHEN=1", "a.c").returncode == 0
    before = recorded(project)
    done = sfo(project, "capture", "--", "false")
    assert done.returncode == 3
    assert "false ended with exit code 1; nothing was compiled before" in done.stderr
    assert recorded(project) == before


def test_a_command_that_is_none_is_an_error_of_usage(project: Path) -> None:
    done = sfo(project, "capture", "--", "no-such-build")
    assert done.returncode == 2
    assert "cannot run no-such-build" in done.stderr


def test_an_earlier_entry_with_an_endless_name_is_dropped(project: Path) -> None:
    known = [{"directory": str(project), "file": "(" * 5000, "arguments": ["cc", "a.c"]}]
    (project / "compile_commands.json").write_text(json.dumps(known))
    assert sfo(project, "capture", "--", "gcc", "-c", "-Iinclude", "-DWHEN=1", "a.c").returncode == 0
    assert set(recorded(project)) == {"a.c"}


def test_what_a_build_writes_among_the_notes_is_no_call(project: Path) -> None:
    junk = r"""printf 'junk\n[]\n{"arguments": 3}\n\377\n' >> "$SFO_CAPTURE"; cc -c main.c"""
    done = sfo(project, "capture", "--", "sh", "-c", junk.replace("\\377", ""))
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert [entry["file"] for entry in json.loads((project / "compile_commands.json").read_text())] == [
        "main.c"
    ]
    done = sfo(project, "capture", "--", "sh", "-c", junk)
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
