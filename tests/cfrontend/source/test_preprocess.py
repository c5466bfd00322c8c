import os
import re
from pathlib import Path

import pytest

from cfrontend.errors import InputError, UsageError
from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.source.preprocess import (
    HEADERS,
    PreprocessOptions,
    preprocess,
    preprocessed_without_prototypes,
)
from tests.conftest import require_tool


def write(path: Path, text: str | bytes) -> str:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_macros_are_expanded_and_the_original_lines_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "a.c", "#define N 4\nint ring[N]; /* C1 */\n")
    result = preprocess(path)
    assert "int ring[4];" in result.text
    assert result.files[path][1] == "int ring[N]; /* C1 */"


def test_options_reach_the_preprocessor(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    write(tmp_path / "include" / "own.h", "int own;\n")
    forced = write(tmp_path / "forced.h", "int forced;\n")
    path = write(tmp_path / "a.c", "#include <own.h>\n#ifdef FLAG\nint flag = VALUE;\n#endif\n")
    options = PreprocessOptions(
        include_dirs=(str(tmp_path / "include"),), defines=("FLAG", "VALUE=7"), forced_includes=(forced,)
    )
    text = preprocess(path, options).text
    assert "int own;" in text
    assert "int forced;" in text
    assert "int flag = 7;" in text


def test_our_headers_come_first(tmp_path: Path) -> None:
    path = write(tmp_path / "a.c", "#include <assert.h>\nvoid f(int x) { assert(x > 0); }\n")
    result = preprocess(path)
    assert "assert(x > 0)" in result.text
    assert not any(name.startswith(str(HEADERS)) for name in result.files)


def test_every_header_can_be_included_with_all_others(tmp_path: Path) -> None:
    names = [str(path.relative_to(HEADERS)) for path in sorted(HEADERS.rglob("*.h"))]
    path = write(tmp_path / "a.c", "".join(f"#include <{name}>\n" for name in names))
    assert "int printf" in preprocess(path).text


def test_included_files_are_named(tmp_path: Path) -> None:
    header = write(tmp_path / "h.h", "int h;\n")
    path = write(tmp_path / "a.c", '#include "h.h"\nint a;\n')
    assert preprocess(path).files[header] == ("int h;", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('int a;\n#include "nosuch.h"\n', "a.c:2:.*nosuch.h: [Nn]o such file"),
        ("#error not today\n", "a.c:1:.*not today"),
    ],
)
def test_what_the_preprocessor_rejects(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path / "a.c", text)
    with pytest.raises(InputError, match=message):
        preprocess(path)


def test_latin_1(tmp_path: Path) -> None:
    path = write(tmp_path / "a.c", b'char *s = "\xe9"; /* \xe9 */\n')
    result = preprocess(path)
    assert result.encoding == "latin-1"
    assert result.files[path][0] == 'char *s = "\xe9"; /* \xe9 */'


def test_preprocessed_files_are_taken_as_they_are(tmp_path: Path) -> None:
    original = write(tmp_path / "a.c", "#define N 3\nint x = N;\n")
    path = write(tmp_path / "a.i", f'# 1 "{original}"\n\nint x = 3;\n')
    result = preprocess(path)
    assert result.text.endswith("int x = 3;\n")
    assert result.files[original][1] == "int x = 3;"  # what a marker names is not read


def test_a_place_of_a_file_that_is_not_there_has_the_first_line_with_a_word(tmp_path: Path) -> None:
    path = tmp_path / "printed.c"
    path.write_text(
        '#line 5 "gone.c"\nvoid f(int x)\n{\n\n  {\n#line 6\n  x = 1;\n  }\n#line 8\n  return;\n}\n}\n'
    )
    lines = preprocess(str(path)).files["gone.c"]
    assert lines[4:9] == ("void f(int x)", "  x = 1;", "  }", "  return;", "}")


def test_comments_in_preprocessed_files(tmp_path: Path) -> None:
    text = '/* two\n   lines */ char *s = "/*//"; // end\nint x; /* C1 */\n'
    result = preprocess(write(tmp_path / "a.i", text))
    kept = 'char *s = "/*//";'
    lines = ["", f"            {kept}", "int x;", ""]
    assert [line.rstrip() for line in result.text.split("\n")] == lines
    assert result.files[result.path] == tuple(text.split("\n"))


def test_separators_of_digits_begin_no_character_constant(tmp_path: Path) -> None:
    text = "int x = 1'000; /* it's */ int y = 0x1'f + u'a'; // 'b'\n"
    result = preprocess(write(tmp_path / "a.i", text))
    assert result.text.rstrip() == text.replace("/* it's */", " " * 10).split("//")[0].rstrip()


@pytest.mark.parametrize(
    ("name", "message"), [("nosuch.c", "No such file"), (".", "is a directory"), ("", "empty name")]
)
def test_what_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        preprocess(name)


def test_a_compiler_that_does_not_exist(tmp_path: Path) -> None:
    path = write(tmp_path / "a.c", "int x;\n")
    with pytest.raises(UsageError, match="nosuchcc"):
        preprocess(path, PreprocessOptions(compiler="nosuchcc"))


def test_without_a_compiler_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    path = write(tmp_path / "a.c", "int x;\n")
    with pytest.raises(
        UsageError, match=r"no C compiler is installed .*: install gcc or clang, or name one in CC"
    ):
        preprocess(path)


def test_standard_is_passed_on(tmp_path: Path) -> None:
    require_tool("cc")
    path = write(tmp_path / "a.c", "long v = __STDC_VERSION__;\n")
    assert "199901L" in preprocess(path, PreprocessOptions(standard="c99")).text


def test_the_environment_names_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = require_tool("cc")
    monkeypatch.setenv("CC", f"{compiler} -DFROM_CC=1")
    monkeypatch.setenv("PATH", os.defpath + os.pathsep + os.environ["PATH"])
    path = write(tmp_path / "a.c", "int x = FROM_CC;\n")
    assert "int x = 1;" in preprocess(path).text


OURS = "".join(
    f"#include <{name}.h>\n" for name in ("errno", "signal", "stdio", "stdlib", "string", "time", "unistd")
)


@pytest.mark.parametrize("ours_first", [True, False])
@pytest.mark.parametrize(
    "header",
    ["sys/stat.h", "fcntl.h", "poll.h", "sched.h", "netdb.h", "sys/socket.h", "dirent.h", "termios.h"],
)
def test_headers_of_the_system_go_with_ours(header: str, ours_first: bool, tmp_path: Path) -> None:
    theirs = f"#include <{header}>\n"
    source = tmp_path / "a.c"
    source.write_text(
        "#define _GNU_SOURCE\n"
        + (OURS + theirs if ours_first else theirs + OURS)
        + "int main(void) { return 0; }\n"
    )
    assert "main" in load_c_program([str(source)], ProgramOptions()).goto.functions


# -- prototypes that nobody needs --------------------------------------------------------------------------------


def test_prototypes_of_our_headers_that_nothing_names_are_left_out(tmp_path: Path) -> None:
    program = tmp_path / "a.c"
    program.write_text(
        "#include <stdio.h>\n#include <stdlib.h>\nint own(int);\n"
        "int main(void) { qsort(0, 0, 1, 0); return puts(getenv); }\n"
    )
    whole = preprocess(str(program))
    short = preprocessed_without_prototypes(whole)
    assert [
        n
        for n, (a, b) in enumerate(zip(whole.text.split("\n"), short.text.split("\n"), strict=True))
        if b not in ("", a)
    ] == []
    left = set(re.findall(r"\b(\w+)\(", short.text))
    assert left >= {"own", "main", "puts", "getenv", "qsort"}
    assert left.isdisjoint({"printf", "fopen", "malloc", "atoi"})
    assert "typedef struct _IO_FILE FILE;" in short.text


def test_a_text_without_our_headers_stays_as_it_is(tmp_path: Path) -> None:
    program = tmp_path / "a.c"
    program.write_text("int unused(int a);\nint main(void) { return 0; }\n")
    source = preprocess(str(program))
    assert preprocessed_without_prototypes(source) is source


@pytest.mark.parametrize("name", ["elevator", "menu", "trim", "grades", "newton"])
def test_a_program_is_the_same_without_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"benchmarks/programs/{name}/fault1.c"
    short = load_c_program([path], ProgramOptions())
    monkeypatch.setattr("cfrontend.front_end.preprocessed_without_prototypes", lambda source: source)
    monkeypatch.setattr("cfrontend.stdlib.models.preprocessed_without_prototypes", lambda source: source)
    whole = load_c_program([path], ProgramOptions())
    assert short.goto == whole.goto
