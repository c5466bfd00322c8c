"""What is put into the copy of a program for a native execution: where, and that nothing else changes."""

import re
import subprocess
from pathlib import Path

import pytest

from cfrontend.environment.arguments import EnvironmentArguments
from cfrontend.errors import InputError
from cfrontend.instrument import (
    instrument,
    instrument_entry_call,
    instrument_model_files,
    instrument_nondet_functions,
    variables_to_instrument,
)
from cfrontend.program import ProgramOptions, load_c_program
from tests.conftest import require_tool


def instrumented(tmp_path: Path, text: str) -> tuple[str, frozenset[str]]:
    source = tmp_path / "program.c"
    source.write_text(text)
    program = load_c_program([str(source)], ProgramOptions())
    made = instrument(str(source), text, variables_to_instrument(program.goto))
    return made.text, made.without


@pytest.mark.parametrize(
    ("declarations", "filled"),
    [
        ("int a;", ["a = "]),
        ("int a = 1, b, c = 2;", ["b = "]),
        ("int a, *b = &a;", ["a = "]),  # before b's initialiser
        ("int a[2], b;", ["; sfo_fill((void *)a", "b = "]),
        ("int a[2][3] /* , ; */, *b[2] // ;\n, c;", ["(void *)a", "(void *)b", "c = "]),
        ("int a[1'0], b = ',', c[2'0], d;", ["(void *)a", "(void *)c", "d = "]),
        ("int (*a)[3], (b), *(c[2]);", ["(*a)[3] = ", "(b) = ", "(void *)c"]),
        ("int (*f)(int, int), (*t[2])(int , int);", ["(*f)(int, int) = ", "(void *)t"]),
        ("struct s { int x; } a, *b;", ["a = ", "b = "]),
        ("for (int i, j = 0; j < 1; j++) i = 0;", ["i = "]),
        ("int a __attribute__((unused)), b = 0;", ["(unused)) = "]),
        ("const int a; register int b;", ["a = ", "b = "]),
        ("static int a; extern int e; int b = 0;", []),
    ],
)
def test_declarations_are_filled(declarations: str, filled: list[str], tmp_path: Path) -> None:
    text = f"int e;\nint main(void)\n{{\n    {declarations}\n    return 1 / 1;\n}}\n"
    copy, without = instrumented(tmp_path, text)
    assert without == frozenset()
    for part in filled:
        assert part in copy
    assert copy.count("sfo_fill(") == len(filled) + 1  # and its prototype
    head, line, body = copy.partition(f'# 1 "{tmp_path / "program.c"}"\n')
    assert line
    assert head.count("\n") == 1
    assert body.count("\n") == text.count("\n")
    (tmp_path / "copy.c").write_text(copy)
    gcc = [require_tool("gcc"), "-std=gnu2x", "-w", "-fsyntax-only"]
    subprocess.run([*gcc, str(tmp_path / "copy.c")], check=True)


def test_a_declaration_in_a_macro_is_left_alone(tmp_path: Path) -> None:
    text = "#define V int a, b\nint main(void) { V; int c; return 1 / (a + b + c); }\n"
    copy, without = instrumented(tmp_path, text)
    assert without == {"main::a", "main::b"}
    assert copy.count("sfo_fill(") == 2


def test_nondet_functions_are_defined_with_their_types(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "typedef unsigned short port;\nport nondet_port(void);\n_Bool __VERIFIER_nondet_flag(void);\n"
        "int main(void) { port p = nondet_port(); return 1 / (p + __VERIFIER_nondet_flag()); }\n"
    )
    text = instrument_nondet_functions(load_c_program([str(source)], ProgramOptions()).goto)
    assert re.findall(r"weak\)\) (.*?)\(void\)", text) == [
        "_Bool __VERIFIER_nondet_flag",
        "unsigned short nondet_port",
    ]
    assert "sfo_next(16, 0" in text
    assert "sfo_next(1, 0" in text


@pytest.mark.parametrize("ctype", ["struct s", "__int128"])
def test_an_entry_whose_parameter_has_no_native_value_is_an_error(ctype: str, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(f"struct s {{ int *x; }};\nint f({ctype} p) {{ return 1 / 1; }}\n")
    program = load_c_program([str(source)], ProgramOptions(entry="f")).goto
    with pytest.raises(InputError, match=f"an input of type {ctype} has no native value"):
        instrument_entry_call(program.functions["f"], EnvironmentArguments(), program.structs)


def test_models_stand_in_for_what_reads_and_no_more(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "#include <ctype.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
        "int main(void) { char s[9]; return fgets(s, 9, stdin) ? 1 / (int)strlen(s) + atoi(s) + isdigit(s[0])"
        " : system(s); }\n"
    )
    files = instrument_model_files(
        load_c_program([str(source)], ProgramOptions()).goto, "main", keeps_files=False
    )
    assert [(file.path.name, file.taken) for file in files] == [
        ("stdio.c", ("__sfo_taken", "fgets")),
        ("stdlib.c", ("system",)),
    ]
    assert "getchar" in files[0].other
