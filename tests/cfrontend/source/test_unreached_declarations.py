"""Unreached declarations: what a function can need stays, and lowers to the same instructions."""

from pathlib import Path

import pytest

from cfrontend.errors import SfoError
from cfrontend.goto import Instruction
from cfrontend.program import Program, ProgramOptions, load_c_program
from cfrontend.slice.reachable_definitions import definitions_reachable_from
from cfrontend.source.preprocess import PreprocessOptions
from cfrontend.source.unreached_declarations import text_without_unreached

PROGRAMS = sorted((Path(__file__).parents[3] / "benchmarks" / "programs").glob("*/correct.c"))

UNPRUNED = PreprocessOptions(reached_from=("no such function",))


def _kept(text: str, root: str = "f") -> list[str]:
    pruned = text_without_unreached(text, [root])
    assert pruned.count("\n") == text.count("\n")
    return [line for line in pruned.split("\n") if line]


@pytest.mark.parametrize(
    "needed",
    [
        "int g(void) { return 1; }",
        "static int g(a, b) int a; char *b; { return a; }",
        "int (g)(void) { return 1; }",
        "int *(*g(int a))(int) { return 0; }",
        "int g(void) __attribute__((noinline));",
        "typedef int (*g)(void);",
        "typedef struct { int g_member; } h, g;",
        "enum { a_value, g = 3 };",
        "enum __attribute__((packed)) t { g };",
        "struct outer { struct g { int x; } inner; };",
        "struct { enum { g } kind; } v;",
        "union g { int x; };",
        "int h = 1, *g[3] = {0}, i;",
        "extern int h, g __attribute__((aligned(8)));",
        "int h(int), g(int);",
        "__extension__ typedef long g;",
        "struct __attribute__((packed)) g { char c; };",
        'void set(void) __attribute__((constructor)); void set(void) { x("g"); }',
        'extern int other(void) __attribute__((alias("x")));',
    ],
)
def test_what_a_word_may_mean_stays(needed: str) -> None:
    text = f'{needed}\nint unused(void) {{ return "}}"[0] + g; }}\nint f(void) {{ return g; }}\nlong other_variable;'
    assert _kept(text) == [needed, "int f(void) { return g; }"]


def test_what_is_not_understood_stays_whole() -> None:
    for text in (
        "int f(void) { return 1; }\nint g(void) { (] }",
        "int g;\nint h(void) { }",
        "int f(void) { }\n}",
    ):
        assert text_without_unreached(text, ["f"]) == text


def test_lines_and_markers_stay_where_they_are() -> None:
    text = (
        '# 1 "a.c"\nint g(void)\n{\n# 7 "b.c" 1\n return 1;\n}\n#pragma pack(1)\nint f(void) { return 2; }\n'
    )
    assert text_without_unreached(text, ["f"]) == (
        '# 1 "a.c"\n\n\n# 7 "b.c" 1\n\n\n#pragma pack(1)\nint f(void) { return 2; }\n'
    )


def test_what_stands_in_the_place_of_a_library_function_stays() -> None:
    text = '# 1 "sys.h"\nvoid *malloc(unsigned long);\n# 1 "a.c"\nvoid *malloc(unsigned long n) { return 0; }\nint f(void) { return 2; }'
    kept = text_without_unreached(text, ["f"], lambda file: file == "sys.h")
    assert "return 0" in kept


def _listing(program: Program, name: str) -> list[tuple[type[Instruction], object]]:
    return [(type(i), i.location) for i in program.goto.functions[name].instructions]


@pytest.mark.parametrize("path", PROGRAMS[::6], ids=lambda path: path.parent.name)
def test_the_same_is_executed(path: Path) -> None:
    whole = load_c_program([str(path)], ProgramOptions())
    own = [
        f.name for f in whole.tree.functions.values() if f.location.file == str(path) and f.body is not None
    ]
    compared = 0
    for name in own[:3]:
        try:
            unpruned = load_c_program([str(path)], ProgramOptions(entry=name, preprocess=UNPRUNED))
        except SfoError:
            continue
        pruned = load_c_program([str(path)], ProgramOptions(entry=name))
        if name != "main":
            assert pruned.options.preprocess.reached_from
            assert len(pruned.goto.functions) <= len(unpruned.goto.functions)
        reached = definitions_reachable_from(unpruned.goto, unpruned.start)
        assert definitions_reachable_from(pruned.goto, pruned.start) == reached
        for function in reached.functions - {unpruned.start}:
            assert _listing(pruned, function) == _listing(unpruned, function)
        compared += 1
    assert compared


def test_what_is_not_modelled_elsewhere_refuses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(
        "__float128 z;\nint g(int n) { int inner(int k) { return k + n; } return inner(n); }\n"
        "int f(int n) { return n / 2; }\n"
    )
    assert set(load_c_program([str(file)], ProgramOptions(entry="f")).goto.functions) == {"f"}
