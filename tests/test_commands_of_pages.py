"""Every command of the pages is executed in a directory that has what the page speaks of, in the order of the page.

A page's commands follow each other: what one writes, the next may read. Commands whose output a page shows are executed
by `tests/test_readme.py`, those of ci.md by `tests/sfo/cli/test_ci_page.py`, campaigns of minutes are only read.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from sfo.cli import COMMANDS, cli
from tests.conftest import require_tool
from tests.places import ROOT
from tests.test_readme import EXAMPLES

COMMAND = re.compile(r"^    ((?:\.venv/bin/)?(?:sfo|patch) [a-z-].*\n(?:        .*\n)*)", re.MULTILINE)
CAMPAIGNS = {"evaluation.md"}
"""Pages whose commands take an hour; their options are read, and measures.md has the same on small data."""

ELSEWHERE = {"ci.md", "architecture.md"}
"""Pages whose commands other tests execute, and one whose block that begins with `sfo` is a list of modules."""

SHOWN = {example.command for example in EXAMPLES}
DONE = {0, 10}
"""Codes of a command that has said what it was asked for."""

MATRIX = "outcome,a,b,c,d\nfail,1,1,0,1\npass,0,1,1,0\npass,1,1,0,0\n"
MARKED = {
    "spectra.csv": "name\ncalc.c$calc#f(int):1\ncalc.c$calc#f(int):2:0\n",
    "tests.csv": "name,outcome,runtime,stacktrace\nt1,FAIL,,\nt2,PASS,,\n",
    "matrix.txt": "1 1 -\n1 0 +\n",
}
SEARCH = "int search(const int *a, int n, int key) { for (int i = 0; i < n; i++) if (a[i] == key) return i; return n; }\n"
PARSE = """\
int parse_number(const char *s)
{
    int n = 0;
    while (*s >= '0' && *s <= '%s')
        n = n %% 100 * 10 + (*s++ - '0');
    return n;
}
"""

TABLE = """\
static int table[4];
int at(unsigned n)
{
    return table[n];
}
"""
READER = """\
#include <stdio.h>
int main(void)
{
    int n, table[4] = {1, 2, 3, 4};
    return scanf("%d", &n) == 1 && n >= 0 && n <= 4 ? table[n] : 0;
}
"""
BOUNDED = """\
int clamp_add(int a, int b, int lo, int hi)
{
    int sum = a + b;
    return sum < lo ? lo : sum > hi ? hi : sum;
}
"""
MAIN = 'int parse_number(const char *); int main(void) { return parse_number("42"); }\n'
STACK = """\
#include <stdlib.h>
struct stack { int items[4]; int count; };
struct stack *stack_new(void)
{
    return calloc(1, sizeof(struct stack));
}
void stack_push(struct stack *s, int item)
{
    if (s->count < 4)
        s->items[s->count++] = item;
}
int stack_top(struct stack *s)
{
    return s->items[s->count - 1];
}
"""
LIB = """\
int middle(int a, int b, int c)
{
    return a < b ? b : a < c ? c : a;
}
"""
TESTS = """\
all:
\tcc -c src/parse.c -o parse.o
check-middle check-sort:
\tcc test.c lib.c -o $@ && ./$@
"""
TEST = "int middle(int, int, int); int main(void) { return middle(1, 2, 3) != 2 || middle(3, 1, 2) != 2; }\n"
CALLER = "int at(unsigned); int main(void) { return at(4); }\n"


def commands(page: Path) -> list[list[str]]:
    """The words of each command; what stands behind three blanks or a # says what it does."""
    texts = (
        text.replace("\\\n", " ")
        for text in COMMAND.findall(page.read_text(encoding="utf-8"))
        if f"    {text}" not in SHOWN
    )
    return [shlex.split(re.sub(r"   +(?!-)\S.*", "", text), comments=True) for text in texts]


PAGES = {page.name: found for page in sorted((ROOT / "docs").glob("*.md")) if (found := commands(page))}


def prepare(directory: Path) -> Path:
    """What pages speak of: programs, a matrix, the repository's programs, a library with a build and a history."""
    (directory / "benchmarks").symlink_to(ROOT / "benchmarks")
    for name in ("program.c", "minmax.c", "clamp.c"):
        shutil.copy(ROOT / "benchmarks/programs/minmax.c", directory / name)
    shutil.copy(ROOT / "benchmarks/programs/minmax/correct.c", directory)
    (directory / "bounded.c").write_text(BOUNDED)
    (directory / "marked").mkdir()
    for name, text in MARKED.items():
        (directory / "marked" / name).write_text(text)
    (directory / "matrix.csv").write_text(MATRIX)
    (directory / "tests.csv").write_text("input1,input2,input3\n1,0,2\n0,1,0\n")
    (directory / "search.c").write_text(SEARCH)
    library = directory / "library"
    (library / "src").mkdir(parents=True)
    (library / "Makefile").write_text(TESTS)
    (library / "src" / "table.c").write_text(TABLE)
    (directory / "caller.c").write_text(CALLER)
    (library / "src" / "reader.c").write_text(READER)
    (library / "src" / "main.c").write_text(MAIN)
    (library / "src" / "stack.c").write_text(STACK)
    (library / "lib.c").write_text(LIB)
    (library / "test.c").write_text(TEST)
    (library / "t3.sh").write_text("#!/bin/sh\nmake check-middle\n")
    (library / "t3.sh").chmod(0o755)
    (library / "crash.txt").write_text("4\n")
    sources = [library / "src" / "table.c", directory / "caller.c"]
    subprocess.run(["gcc", "-g", "-fsanitize=address", *sources, "-o", directory / "crashes"], check=True)
    crash = subprocess.run([directory / "crashes"], capture_output=True, check=False)
    (library / "report.txt").write_bytes(crash.stderr)
    git = ["git", "-C", str(library), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    for last, words in (("9", ["tag", "v1.2"]), ("8", ["log", "-1"])):
        (library / "src" / "parse.c").write_text(PARSE % last)
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", last], check=True)
        subprocess.run([*git, *words], check=True, capture_output=True)
    subprocess.run([*git, "update-ref", "refs/bisect/bad", "HEAD"], check=True)
    return library


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted(set(PAGES) - CAMPAIGNS - ELSEWHERE))
def test_the_commands_of_a_page_do_what_they_say(page: str, tmp_path: Path) -> None:
    for tool in ("git", "make", "gcc", "patch"):
        require_tool(tool)
    library = prepare(tmp_path)
    for words in PAGES[page]:
        if "cbmc" in words:
            require_tool("cbmc")
        done = subprocess.run(
            words if words[0] == "patch" else [sys.executable, "-m", "sfo", *words[1:]],
            cwd=library if page == "projects.md" else tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode in DONE, (words, done.returncode, done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted(PAGES.keys() & CAMPAIGNS))
def test_campaigns_have_options_that_there_are(page: str) -> None:
    for words in PAGES[page]:
        command = [word for word in words[1:3] if re.fullmatch(r"[a-z]+", word)]
        done = subprocess.run([sys.executable, "-m", "sfo", *command[: 2 if command[0] == "evaluate" else 1], "--help"],
                              cwd=ROOT, capture_output=True, text=True, check=True)  # fmt: skip
        for option in (word.partition("=")[0] for word in words if word.startswith("--")):
            assert option in done.stdout, (words, option)


def test_commands_are_found() -> None:
    assert {"tutorial.md", "matrices.md", "verify.md", "projects.md"} <= set(PAGES)
    assert ["sfo", "check", "program.c", "--unwind", "4"] in PAGES["verify.md"]
    assert ["sfo", "mutate", "correct.c", "-o", "versions", "--subject", "ledger"] in PAGES["measures.md"]


def test_the_table_of_commands_has_each() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`sfo .*?) \| ", page, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`sfo ([\w-]+)", row)} == set(COMMANDS)


def test_the_table_of_options_says_which_commands_have_each() -> None:
    commands = ("localize", "repair", "explain", "generate", "check", "run", "replay", "batch")
    context = click.Context(cli)
    options = {
        name: {
            option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)
        }
        for name in commands
        if (command := cli.get_command(context, name)) is not None
    }
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`--.*?) \| (.*?) \| ", page, re.MULTILINE)
    assert len(rows) > 30
    for named, said in rows:
        names = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", named))
        having = {name for name in commands if names <= options[name]}
        assert having == (set(commands) if said == "all" else set(re.findall(r"`(\w+)`", said))), named
