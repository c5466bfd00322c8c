"""Code that a directive hides from the analysis, or from gcc, is found, whatever else hides it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.source.compiled_text import only_analysed_or_compiled
from cfrontend.source.preprocess import PreprocessOptions
from sfo.cli import main
from tests.conftest import require_tool

HIDDEN = "#ifdef _STDIO_H\nint f(void) { return 1; }\n#else\nint f(void) { return 0; }\n#endif\n"

CASES = {
    "a condition": (f"#include <stdio.h>\n{HIDDEN}", "", "p.c:3 is compiled natively"),
    "a macro": ("#include <stdio.h>\n#ifdef _STDIO_H\n#define R 1\n#else\n#define R 0\n#endif\n", "", "p.c:3"),
    "a condition of ours": (
        "#include <stdio.h>\n#ifndef _STDIO_H\nint f(void);\n#endif\n", "", "p.c:3 is analysed",
    ),
    "a header": ('#include <stdio.h>\n#include "h.h"\n', HIDDEN, "h.h:2 is compiled natively"),
    "a header of the system, it says": (
        '#include <stdio.h>\n#include "h.h"\n', f"#pragma GCC system_header\n{HIDDEN}", "h.h:3",
    ),
    "another name": (f'#include <stdio.h>\n#line 1 "/usr/include/stdio.h"\n{HIDDEN}', "", "p.c:2"),
    "a forged marker": (f'#include <stdio.h>\n# 1 "/usr/include/stdio.h" 1 3\n{HIDDEN}', "", "line markers"),
    "the compiler's own name": ('int x;\n# 1 "<built-in>"\nint y;\n', "", "line markers"),
    "files that are there": ('#if __has_include("0.c")\nint x;\n#endif\n', "", "which files there are"),
    "a file of any name": (f'#include <stdio.h>\n#include "h.h"\n{HIDDEN}', "int z;\n", "p.c:4"),
}  # fmt: skip

SAME = {
    "nothing": ("int x;\n", ""),
    "usual headers": (
        (
            "#include <assert.h>\n#include <ctype.h>\n#include <errno.h>\n#include <limits.h>\n#include <math.h>\n"
            "#include <stdbool.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
            "#ifndef M_PI\n#define M_PI 3\n#endif\n#ifdef EOF\nint y = INT_MAX;\n#endif\n"
        ),
        "",
    ),
    "own conditions": (
        '#define A 1\n#if A\n#include "h.h"\n#endif\n#line 7 "grammar.y"\nint y;\n',
        "int x;\n",
    ),
    "a comment under a condition": (
        "#include <stddef.h>\n#ifndef __GLIBC__\n/* says\nnothing */\n#endif\n",
        "",
    ),
    "a macro that counts": ("#if defined __COUNTER__ && __COUNTER__ != __COUNTER__\nint x;\n#endif\n", ""),
    "macros of characters": (
        "#include <ctype.h>\n#ifdef isspace\nint x;\n#else\nint y;\n#endif\n",
        "",
    ),
}

OLD_MATHEMATICS = """#include <math.h>
#ifndef isnan
#define isnan(x) ((x) != (x))
#endif
#ifndef M_PI
#define M_PI 3
#endif
#ifndef NAN
int without;
#endif
"""


@pytest.fixture(autouse=True)
def _compiler() -> None:
    require_tool("gcc")


def written(directory: Path, text: str, header: str) -> str:
    (directory / "p.c").write_text(f"{text}int main(void) {{ return 0; }}\n")
    (directory / "h.h").write_text(header)
    return str(directory / "p.c")


@pytest.mark.parametrize("case", CASES)
def test_hidden_code_is_found(case: str, tmp_path: Path) -> None:
    text, header, said = CASES[case]
    found = only_analysed_or_compiled(written(tmp_path, text, header), PreprocessOptions())
    assert found is not None
    assert said in found


@pytest.mark.parametrize("case", SAME)
def test_code_that_nothing_hides_is_the_same(case: str, tmp_path: Path) -> None:
    text, header = SAME[case]
    assert only_analysed_or_compiled(written(tmp_path, text, header), PreprocessOptions()) is None


READ_WITH = {
    "nothing": ("#include <stdio.h>\n", "ours"),
    "which library it is": ("#include <stdio.h>\n#if defined __GLIBC__ && __GLIBC_PREREQ(2, 3)\nint x;\n#endif\n", "ours"),
    "what of it is asked for": ("#include <string.h>\n#ifdef _DEFAULT_SOURCE\nint x;\n#endif\n", "ours"),
    "a guard": ("#ifndef P_H\n#define P_H\n#endif\n#ifdef DEBUG\n#endif\n", "ours"),
    "a limit that ours leave out": (
        "#include <limits.h>\n#ifdef \\\n    RE_DUP_MAX\nint x;\n#endif\n", "machine",
    ),
    "a constant of its own where there is none": (
        "#include <fcntl.h>\n#ifndef O_NOFOLLOW\n#define O_NOFOLLOW 0\n#endif\n", "machine",
    ),
    "a header without text": ('#include <stdio.h>\n#include "h.h"\n', "machine"),
    "a header without text, of a folder": ("#include <stdio.h>\n#include <h.h>\n", "machine"),
    "files that are there": ('#if __has_include("0.c")\nint x;\n#endif\n', "ours"),
}  # fmt: skip


@pytest.mark.parametrize("case", READ_WITH)
def test_conditions_choose_the_headers(case: str, tmp_path: Path) -> None:
    text, headers = READ_WITH[case]
    header = "#ifdef P_tmpdir\n#define FOUND 1\n#endif\n"
    options = ProgramOptions(preprocess=PreprocessOptions(include_dirs=(str(tmp_path),)))
    program = load_c_program([written(tmp_path, text, header)], options)
    assert program.options.preprocess.headers == headers


@pytest.mark.parametrize("standard", ["c89", "gnu89", "c99", "gnu11", None])
@pytest.mark.parametrize("defines", [(), ("_XOPEN_SOURCE=500",), ("_GNU_SOURCE",)])
def test_headers_have_the_macros_of_the_standard(
    standard: str | None, defines: tuple[str, ...], tmp_path: Path
) -> None:
    options = PreprocessOptions(standard=standard, defines=defines)
    assert only_analysed_or_compiled(written(tmp_path, OLD_MATHEMATICS, ""), options) is None


@pytest.mark.parametrize(
    ("wrapper", "is_same"),
    [("#define LLONG_WIDTH 64\n", True), ("int x;\n", False)],
)
def test_macros_of_a_header_before_one_of_the_system_are_the_systems(
    wrapper: str, is_same: bool, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "limits.h").write_text(f"#include_next <limits.h>\n#ifdef PIPE_BUF\n{wrapper}#endif\n")
    options = PreprocessOptions(include_dirs=(str(own),), defines=("_GNU_SOURCE",))
    found = only_analysed_or_compiled(written(tmp_path, "#include <limits.h>\n", ""), options)
    assert (found is None) == is_same


def test_all_programs_of_the_benchmarks_are_the_same() -> None:
    files = sorted(Path("benchmarks/programs").glob("*/correct.c"))
    assert len(files) > 20
    for file in files[::4]:  # they all go the same way
        assert only_analysed_or_compiled(str(file), PreprocessOptions()) is None


def test_what_was_not_analysed_never_agrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        '#include <assert.h>\n#include <stdio.h>\nint nondet_int(void);\n#if __has_include("p.c")\n'
        'static void hidden(void) { fopen("made", "w"); }\n#else\nstatic void hidden(void) { }\n#endif\n'
        "int main(void) { int x = nondet_int(); hidden(); assert(x != 5); return 0; }\n"
    )
    main(["localize", str(path), "-q", "--format", "json", "--rank", "coverage"])
    result = json.loads(capsys.readouterr().out)
    assert {check["status"] for check in result["native"]} == {"impossible"}
    assert (
        "p.c asks which files there are, and others are there natively" in result["native"][0]["problems"][0]
    )
