"""A test command that leaves links, pipes and monsters where sfo reads reaches nothing outside of its sandbox."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cfrontend.errors import InputError, UsageError
from sfo.execution.native.sandbox import Sandbox, find_sandbox
from sfo.execution.test_commands import ExecutedTestCommands, box, execute_test_commands

FOUND = find_sandbox()
IS_BOXED = not isinstance(FOUND, str) and FOUND.kind == "boxed"

pytestmark = pytest.mark.skipif(
    not IS_BOXED or not all(map(shutil.which, ("gcc", "gcov"))), reason="no bubblewrap or gcc"
)

PRIVATE = "private words"

COUNTED = '"$GCOV_PREFIX$PWD"'
"""Where the counts of the project's object files are."""

REFUSED = {
    "notes": (f"ln -s $OLDPWD/../secret {COUNTED}/lib.gcno", "a symbolic link"),
    "json": (f"ln -s $OLDPWD/../secret {COUNTED}/lib.gcov.json", "a symbolic link"),
    "counts": (f"rm {COUNTED}/lib.gcda && ln -s $OLDPWD/../secret {COUNTED}/lib.gcda", "a symbolic link"),
    "folder": ("ln -s / $GCOV_PREFIX/root", "a symbolic link"),
    "all": ("mv $GCOV_PREFIX x && ln -s $PWD/x $GCOV_PREFIX", "a symbolic link"),
    "pipe": ("mkfifo $GCOV_PREFIX/pipe.gcda", "a pipe"),
    "call": ("mkfifo $GCOV_PREFIX/../calls/1", "a pipe"),
    "calls": ("cd $GCOV_PREFIX/.. && rm -r calls && ln -s / calls", "a symbolic link"),
    "failed": ("ln -s $OLDPWD/../secret $GCOV_PREFIX/../failed/1", "a symbolic link"),
    "own notes": ("ln -sf $OLDPWD/../secret lib.gcno", "a symbolic link"),
    "size": (f"truncate -s 1G {COUNTED}/lib.gcda", "is too large"),
    "depth": (
        "cd $GCOV_PREFIX && mkdir -p $(printf 'd/%.0s' $(seq 200))",
        "too many files or directories",
    ),
    "junk": (f"echo junk > {COUNTED}/lib.gcda", "gcov cannot read the counts of lib"),
    "junk notes": ("echo $PWD/lib.c | tr '\\n' '\\0' > lib.gcno", "gcov cannot read the counts of lib"),
}

HARMLESS = {
    "nothing": "true",
    "directory": "mkdir $GCOV_PREFIX/../calls/1",
    "no calls": "rm -r $GCOV_PREFIX/../calls",
    "locked": "mkdir -p locked/in && chmod 000 locked/in locked",
    "tools": 'mkdir "${PATH%%:*}/new"; rm "${PATH%%:*}/gcc"; true',
    "escape": f"printf '%s\\0' $PWD gcc $PWD/../../secret.c > $GCOV_PREFIX/../calls/0 && cp {COUNTED}/lib.gcda {COUNTED}/other.gcda",
    "deep": "mkdir -p $(printf 'd/%.0s' $(seq 1100))",
}


@pytest.fixture(name="project")
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (tmp_path / "secret").write_text(PRIVATE)
    (folder / "lib.c").write_text("int twice(int a)\n{\n    return a + a + (a > 3);\n}\n")
    (folder / "t.c").write_text("int twice(int);\nint main(void) { return twice(4) != 8; }\n")
    monkeypatch.chdir(folder)
    return folder


def attacked(attack: str) -> ExecutedTestCommands:
    command = (
        f"gcc -c lib.c && gcc -o t t.c lib.o || exit 0; OLDPWD=$PWD; ./t; code=$?; ({attack}); exit $code"
    )
    return execute_test_commands(["lib.c"], [command], "sandboxed")


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_file_is_refused_in_one_line(
    project: Path, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    attack, said = REFUSED[name]
    with pytest.raises(InputError) as caught:
        attacked(attack)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert PRIVATE not in str(caught.value)
    assert (project.parent / "secret").read_text() == PRIVATE
    assert not list(temporary.iterdir())


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_harmless_does_not_matter(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, project: Path
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    (run,) = attacked(HARMLESS[name]).runs
    assert (run.outcome, run.lines) == ("fail", {str(project / "lib.c"): {1: 1, 3: 1}})
    assert (project.parent / "secret").read_text() == PRIVATE
    assert not list(temporary.iterdir())


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    "attack",
    [
        "fallocate -l 1100M /tmp/big && exit 0",
        "fallocate -l 1100M /dev/shm/big && exit 0",
    ],
)
def test_files_in_memory_are_limited(attack: str) -> None:
    ran = execute_test_commands(["lib.c"], [f"gcc -o t lib.c t.c && ./t; {attack}; exit 7"], "sandboxed")
    assert ran.runs[0].ended == "ends with exit code 7"


@pytest.mark.usefixtures("project")
def test_processes_are_limited() -> None:
    many = "for n in $(seq 600); do sleep 9 & done; wait"
    ran = execute_test_commands(["lib.c"], [f"gcc -o t lib.c t.c && ./t; {many}"], "sandboxed")
    assert ran.runs[0].ended == "is killed, as by the limits of its sandbox: 4 GiB of memory, 512 processes"


@pytest.mark.usefixtures("project")
def test_without_bubblewrap_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for found in ("bubblewrap is not installed, and the kernel's Landlock is not there", Sandbox("landlock")):
        monkeypatch.setattr(box, "find_sandbox", lambda found=found: found)
        with pytest.raises(UsageError, match="apt-get install bubblewrap"):
            attacked("true")


def test_the_temporary_directory_may_be_in_the_project(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(project / "tmp"))
    assert [run.outcome for run in attacked("true").runs] == ["fail"]
    assert not list((project / "tmp").iterdir())
