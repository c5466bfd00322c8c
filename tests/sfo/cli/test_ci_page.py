"""The commands of docs/ci.md, taken from the page: on its program, which has a fault, and on the mended one."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from tests.conftest import require_tool
from tests.places import ROOT
from tests.sfo.test_export.test_unit_tests import require_framework

WHOLE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
LIBRARY = WHOLE.partition("## A library\n")[2].partition("\n## ")[0]
STRUCTURES = WHOLE.partition("## A library of structures\n")[2].partition("\n## ")[0]
PAGE = WHOLE.replace(LIBRARY, "").replace(STRUCTURES, "")
SHELL = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c")
"""How the runners of GitHub call the shell for ``run``."""


def block(language: str, page: str = PAGE) -> str:
    (text,) = re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)
    return str(text)


def indented(page: str) -> list[str]:
    """The blocks of lines that four blanks indent, without these."""
    found = re.findall(
        r"(?:^    .*\n|^\n(?=    ))+", re.sub(r"```.*?```", "", page, flags=re.DOTALL), re.MULTILINE
    )
    return [re.sub(r"^    ", "", text.strip("\n") + "\n", flags=re.MULTILINE) for text in found]


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


# -- a library ------------------------------------------------------------------------------------------------------

MAKEFILE = """\
all: datecheck.o
datecheck.o: src/datecheck.c
\t$(CC) -Iinclude -c src/datecheck.c -o datecheck.o
clean:
\trm -f datecheck.o
"""
FAULT = ("month == 11", "month == 12")


def run_shell(text: str, directory: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SHELL, text], cwd=directory, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the library of each test is, one after the other: what is compiled is known by its whole path."""
    return tmp_path_factory.mktemp("libraries")


@pytest.fixture(name="library")
def fixture_library(libraries: Path, environment: dict[str, str]) -> Path:
    """The library of the page in a repository, where the commands were called that it says to call once."""
    for name in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{name}_NAME": "a", f"GIT_{name}_EMAIL": "a@example.org"}
    kept, directory = libraries / "kept", libraries / "library"
    if not kept.exists():
        make_library(directory, environment)
        directory.rename(kept)
    shutil.rmtree(directory, ignore_errors=True)
    return shutil.copytree(kept, directory)


def make_library(directory: Path, environment: dict[str, str]) -> None:
    require_framework("cmocka")
    require_tool("git")
    source, once, *_ = indented(LIBRARY)
    for name, text in {
        "src/datecheck.c": source,
        "include/datecheck.h": "#define MONTHS 12\nint days_in_month(int month, int leap);\n",
        "Makefile": MAKEFILE,
        ".gitignore": "compile_commands.json\n*.o\n",
    }.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    done = run_shell(
        f"git init --quiet\n{once}git add .\ngit commit --quiet -m first", directory, environment
    )
    assert done.returncode == 0, done.stdout + done.stderr


def job_of_library(
    library: Path, environment: dict[str, str], before: str = ""
) -> tuple[bool, dict[str, str], int]:
    """The steps on a checkout: whether one failed, what each printed, the last one's code."""
    workflow = yaml.safe_load(block("yaml", LIBRARY))
    steps = workflow["jobs"]["library"]["steps"]
    assert steps[0]["with"]["fetch-depth"] == 0
    assert workflow["env"]["DRIVER"] == ""
    clone = library.with_name("checkout")
    run_shell(f"rm -rf {clone}; git clone --quiet file://{library} {clone}", library, environment)
    given = {**environment, "GITHUB_WORKSPACE": str(clone), "DRIVER": "", "BEFORE": before}
    failed, printed, code = False, {}, 0
    for step in steps:
        if "run" in step and step["name"] != "Install" and (step.get("if") == "failure()") == failed:
            done = run_shell(step["run"], clone, given)
            printed[step["name"]] = done.stdout + done.stderr
            failed, code = failed or done.returncode != 0, done.returncode
    return failed, printed, code


def test_the_job_of_a_library_shows_the_line_of_the_commit_that_broke_it(
    library: Path, environment: dict[str, str]
) -> None:
    file = library / "src" / "datecheck.c"
    right = file.read_text()
    failed, printed, _ = job_of_library(library, environment)
    assert not failed, printed
    assert list(printed) == ["Build", "Run the suites"]
    file.write_text(right.replace(*FAULT))
    run_shell("git commit --quiet -a -m fault", library, environment)
    failed, printed, code = job_of_library(library, environment)
    assert (failed, code) == (True, 0)
    assert list(printed) == ["Build", "Run the suites", "Localise the change"]
    line = next(n for n, text in enumerate(right.splitlines(), 1) if FAULT[0] in text)
    assert f"::warning file=src/datecheck.c,line={line}," in printed["Localise the change"]
    assert re.search(r"but \d+ in \w+~1:src/datecheck.c; for ", printed["Localise the change"])
    checks, update = indented(LIBRARY)[2:]
    check = checks.splitlines()[0]
    assert run_shell(check, library, environment).returncode == 10
    shown = run_shell(update, library, environment).stdout
    assert re.search(r"expects another result now: (when|kills|reaches)_\w+: ", shown)
    assert "mutation score" in shown
    (library / "README").write_text("more\n")
    run_shell("git checkout --quiet tests; git add .; git commit --quiet -m more", library, environment)
    assert run_shell(check, library, environment).returncode == 0
    failed, printed, code = job_of_library(library, environment)
    assert (failed, code) == (True, 0)
    assert "no function that both revisions define has changed" not in printed["Localise the change"]
    failed, printed, code = job_of_library(library, environment, before="HEAD~2")
    assert (failed, code) == (True, 0)
    assert f"::warning file=src/datecheck.c,line={line}," in printed["Localise the change"]


def test_the_first_commit_has_nothing_to_be_compared_with(library: Path, environment: dict[str, str]) -> None:
    file = library / "src" / "datecheck.c"
    file.write_text(file.read_text().replace(*FAULT))
    run_shell("git commit --quiet -a --amend -m first", library, environment)
    failed, printed, code = job_of_library(library, environment)
    assert (failed, code) == (True, 0)
    assert printed["Localise the change"] == ""


def test_a_suite_for_branches_does_not_notice_the_fault(library: Path, environment: dict[str, str]) -> None:
    """What the page says of the goals."""
    text = indented(LIBRARY)[1].replace("--goal mutants", "--goal branches")
    assert run_shell(f"rm -r tests\n{text}", library, environment).returncode == 0
    file = library / "src" / "datecheck.c"
    file.write_text(file.read_text().replace(*FAULT))
    done = run_shell("make -C tests/days_in_month/cmocka -B check", library, environment)
    assert done.returncode == 0, done.stdout


# -- a library of structures ----------------------------------------------------------------------------------------

RING = """\
#include <ring.h>
static unsigned next(unsigned p) { return p + 1 == 4 ? 0 : p + 1; }
void ring_init(struct ring *r) { r->head = 0; r->tail = 0; r->count = 0; }
void ring_push(struct ring *r, int sample)
{
    r->data[r->head] = sample;
    r->head = next(r->head);
    if (r->count < 4)
        r->count++;
    else
        r->tail = next(r->tail);
}
int ring_pop(struct ring *r, int *out)
{
    if (r->count == 0)
        return 0;
    *out = r->data[r->tail];
    r->tail = next(r->tail);
    r->count--;
    return 1;
}
"""
OLDER = (
    RING.replace(" r->tail = 0;", "")
    .replace("    else\n        r->tail = next(r->tail);\n", "")
    .replace(
        "    *out = r->data[r->tail];\n    r->tail = next(r->tail);\n",
        "    *out = r->data[(r->head + 4 - r->count) % 4];\n",
    )
)
HEADER = """\
struct ring { int data[4]; unsigned head%s, count; };
void ring_init(struct ring *r);
void ring_push(struct ring *r, int sample);
int ring_pop(struct ring *r, int *out);
"""


def test_a_driver_finds_the_line_and_its_suite_fails_until_it_is_mended(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    """The commit gave the structure a member, and set it wrong; what the page says to do then."""
    require_framework("cmocka")
    require_tool("git")
    driver, localise, suite = indented(STRUCTURES)
    directory = tmp_path / "ring"
    for name in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{name}_NAME": "a", f"GIT_{name}_EMAIL": "a@example.org"}

    def commit(files: dict[str, str]) -> None:
        for name, text in files.items():
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            (directory / name).write_text(text)
        done = run_shell("git init --quiet; git add .; git commit --quiet -m x", directory, environment)
        assert done.returncode == 0, done.stderr

    make = MAKEFILE.replace("datecheck", "ring")
    ignored = "compile_commands.json\n*.o\n"
    commit({"src/ring.c": OLDER, "include/ring.h": HEADER % "", "Makefile": make, ".gitignore": ignored})
    wrong = RING.replace("else\n        r->tail = next(r->tail)", "else\n        r->tail = next(r->head)")
    commit({"src/ring.c": wrong, "include/ring.h": HEADER % ", tail"})
    (directory / "tests").mkdir()
    (directory / "tests" / "driver.c").write_text(driver)
    done = run_shell(localise, directory, environment)
    assert done.returncode == 0, done.stderr
    line = next(n for n, text in enumerate(wrong.splitlines(), 1) if "next(r->head);" in text and n > 8)
    assert f"look first: src/ring.c:{line}:" in done.stdout
    done = run_shell(suite, directory, environment)
    assert done.returncode == 0, done.stdout + done.stderr
    check = "make -C tests/driver/cmocka check"
    assert run_shell(check, directory, environment).returncode != 0
    commit({"src/ring.c": RING})
    done = run_shell(check, directory, environment)
    assert done.returncode == 0, done.stdout
