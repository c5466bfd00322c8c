"""The files of a project that a function needs, from the compilation database of its build."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from cfrontend.errors import UsageError
from cfrontend.source.preprocess import PreprocessOptions
from cfrontend.source.unreached_declarations import text_definitions
from sfo.cli import main
from sfo.library.projects import files_of_project, outer_words_of_text

API = """int scale(int a); int offset(int a); int elsewhere(int a); int nobody(int a);
extern int counter;
struct box { int elsewhere; };
"""
PROJECT = {
    "alt/offset.c": "int offset(int a) { return 7; }\n",
    "src/parse.c": """#include "config.h"
#include "api.h"
static int unused(int a) { return elsewhere(a); }
static int own(int a) { return a; }
int parse(int a) { struct box b = { a }; return a < LIMIT ? scale(own(b.elsewhere)) + counter : a; }
""",
    "src/scale.c": """#include "api.h"
#include <assert.h>
int counter = 3;
static int own(int a) { assert(a != 4); return a * offset(a); }
int scale(int a) { return own(a); }
""",
    "src/offset.c": """#include "api.h"
int offset(int a) { return a == 1 ? nobody(a) : 2; }
""",
    "tests/t.c": """#include "api.h"
int parse(int a);
int elsewhere(int a) { return a; }
int offset(int a) { return 9; }
int main(void) { return parse(2); }
""",
}


def build(files: dict[str, str], order: Sequence[str] = ()) -> None:
    """A project whose build has made a header, with its database."""
    for name, text in {**files, "gen/config.h": "#define LIMIT 10\n", "src/api.h": API}.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    here = str(Path.cwd())
    commands = [
        {"directory": here, "file": name, "arguments": ["cc", "-Igen", "-Isrc", "-c", name]}
        for name in order or files
        if name.endswith(".c")
    ]
    Path("compile_commands.json").write_text(json.dumps(commands))


def taken(entry: str, *files: str) -> tuple[str, ...]:
    return files_of_project(".", entry, files, PreprocessOptions()).paths


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    build(PROJECT)


def test_files_are_taken_that_the_entry_needs_and_the_nearest_of_two() -> None:
    assert taken("parse") == ("src/parse.c", "src/scale.c", "src/offset.c")
    note = files_of_project(".", "parse", (), PreprocessOptions()).note
    assert "src/scale.c (counter, scale)" in note
    assert "offset is that of src/offset.c, not of alt/offset.c, tests/t.c" in note
    assert "no file defines nobody" in note
    assert "elsewhere" not in note  # only what no execution reaches calls it


def test_a_file_that_was_given_stands_first_and_its_definitions_count() -> None:
    assert taken("main", "tests/t.c") == taken("main") == ("tests/t.c", "src/parse.c", "src/scale.c")
    assert taken("parse", "src/parse.c", "alt/offset.c") == ("src/parse.c", "alt/offset.c", "src/scale.c")


def test_a_program_of_its_own_is_never_linked() -> None:
    build({**PROJECT, "src/parse.c": PROJECT["src/parse.c"].replace("return a;", "return elsewhere(a);")})
    assert "tests/t.c" not in taken("parse")
    assert (
        "elsewhere of tests/t.c is left out" in files_of_project(".", "parse", (), PreprocessOptions()).note
    )


def test_a_file_that_defines_anew_what_is_linked_is_left_out() -> None:
    """Linked, it would be an error: two definitions of ``scale``."""
    build({**PROJECT, "src/offset.c": PROJECT["src/offset.c"] + "int scale(int a) { return a; }\n"})
    assert taken("parse", "src/parse.c", "src/scale.c") == ("src/parse.c", "src/scale.c", "alt/offset.c")


def test_of_equally_near_files_the_first_of_the_build_counts() -> None:
    files = {**PROJECT, "src/offset2.c": PROJECT["src/offset.c"]}
    for first, second in (("src/offset.c", "src/offset2.c"), ("src/offset2.c", "src/offset.c")):
        build(files, [first, second, "src/parse.c", "src/scale.c"])
        assert taken("parse") == ("src/parse.c", "src/scale.c", first)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("own", "several files of compile_commands.json define 'own': src/parse.c, src/scale.c; name one"),
        (
            "offset",
            "several files of compile_commands.json define 'offset': alt/offset.c, src/offset.c; name",
        ),
        ("nowhere", "no file of compile_commands.json defines 'nowhere'"),
        ("nobody", "no file of compile_commands.json defines 'nobody'"),
    ],
)
def test_an_entry_has_one_file(entry: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        taken(entry)


def test_a_static_function_is_that_of_the_file_that_is_named() -> None:
    assert taken("own", "src/scale.c") == ("src/scale.c", "src/offset.c")


@pytest.mark.parametrize(
    ("text", "external", "own", "lacking"),
    [
        ("int g(int);\nint f(int a) { return g(a); }", {"f"}, set(), {"g"}),
        ("int g(int);\nint f(int a) { return a; }", {"f"}, set(), set()),
        ("extern int v, *w[];\nint f(void) { return v + *w[0]; }", {"f"}, set(), {"v", "w"}),
        ("int g(int);\nint (*t[])(int) = { g };\nint f(int a) { return t[0](a); }", {"f", "t"}, set(), {"g"}),
        (
            "int g(int);\nstatic int h(int a) { return g(a); }\nint f(int a) { return h(a); }",
            {"f"},
            {"h"},
            {"g"},
        ),
        ("struct s { int g; };\nint g(void);\nint f(struct s *p) { return p->g; }", {"f"}, set(), set()),
        ("static inline int h(void) { return 1; }\nint f(void) { return h(); }", {"f"}, {"h"}, set()),
        ("int g(a) int a; { return a; }\nint f(void) { return g(1); }", {"f", "g"}, set(), set()),
        ("extern int v; int v = 1;\nint f(void) { return v; }", {"f", "v"}, set(), set()),
        ('__attribute__((weak, section("a"))) int f(int (*cb)(int)) { return cb(1); }', {"f"}, set(), set()),
        ("extern int (*h)(int);\nint f(void) { return h(1); }", {"f"}, set(), {"h"}),
        ("enum e { A };\nstruct s { int a; } v;\nint f(void) { return A; }", {"f", "v"}, set(), set()),
        ("typedef int t;\nt f(void) { return (t)1; }", {"f"}, set(), set()),
    ],
)
def test_what_a_text_defines_and_lacks(
    text: str, external: set[str], own: set[str], lacking: set[str]
) -> None:
    found = text_definitions(text, ["f"])
    assert found is not None
    assert found.external == external
    assert found.own == own
    assert found.lacking == lacking


def test_words_outside_of_braces() -> None:
    text = '#define M(x) {\n/* c */ int f(int a) { g(a); } static char *s = "{ in"; extern "C" {\nint h(void);\n}\n'
    assert outer_words_of_text(text) >= {"f", "s", "h"}
    text = "int g(int b);\nint k(a) int a; { }\nDEFINE(m);\nint (*t)(int c);\nint v = h(1);"
    assert outer_words_of_text(text) >= {"k", "m", "t", "v"}
    assert "g" not in outer_words_of_text(text)
    plain = outer_words_of_text('int f(int a) { g(a); }\n#if A\nchar *s = "{ in"; /* { c */')
    assert plain == {"int", "f", "a", "char", "s"}


def test_a_large_database_is_looked_through_quickly() -> None:
    """Only the files whose text may define what is needed are preprocessed."""
    many = {f"lib/u{n}.c": f"int scale(int);\nint u{n}(int a) {{ return scale(a); }}\n" for n in range(100)}
    build({**PROJECT, **many})
    begin = time.process_time()
    assert taken("parse") == ("src/parse.c", "src/scale.c", "src/offset.c")
    assert time.process_time() - begin < 5


def test_commands_take_the_files_and_name_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--project", ".", "--entry", "parse", "-q", "--native", "off"]) == 10
    shown = " ".join(capsys.readouterr().out.split())
    assert "at src/scale.c:4:25" in shown
    assert (
        "files from compile_commands.json: src/parse.c, src/scale.c (counter, scale), src/offset.c" in shown
    )
    assert main(["harness", "parse", "--project", "."]) == 0
    assert '#include "src/parse.c"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "--project", "src"], "src has no compile_commands.json: 'sfo capture -- make' writes one"),
        (["check", "--project", ".", "--compile-commands", "c.json"], "leave out --compile-commands"),
        (["check", "--project", ".", "--each", "src/parse.c"], "leave out --project"),
        (["repair", "--project", ".", "--git", "HEAD~1..HEAD"], "give --entry FUNCTION"),
        (["explain", ":3"], "FILE... and behind it UNIT are wanted"),
        (["harness", "parse"], "Missing argument 'FILE', or --project"),
        (["explain", "--project", ".", "--entry", "parse", ":99"], ":99"),
    ],
)
def test_what_makes_no_sense_is_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) in (2, 3)
    shown = capsys.readouterr().err
    assert said in shown
    assert len(shown.splitlines()) == 1
