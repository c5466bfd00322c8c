"""Static slices of small programs: which units they keep, said by the text of those that they leave out."""

from pathlib import Path

import pytest

from cfrontend.goto import check_goto
from cfrontend.program import Program, ProgramOptions, load_c_program, program_with_static_slice

PROTOTYPES = """
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int input(void);
extern int __VERIFIER_nondet_int(void);
"""

CASES = {
    "what nothing uses": (
        "int main(void) { int x = __VERIFIER_nondet_int(), y;\n y = x + 1;\n x++;\n assert(x); }",
        {"y = x + 1"},
    ),
    "a chain of definitions, and one that is replaced": (
        "int main(void) { int x, y, z;\n x = 7;\n x = __VERIFIER_nondet_int();\n y = x;\n z = y;\n assert(z); }",
        {"x = 7"},
    ),
    "a decision about what is used": (
        (
            "int main(void) { int c = __VERIFIER_nondet_int(), d = 0, x = 0, y = 0;\n"
            "if (c) x = 1;\n if (d)\n y = 1;\n assert(x); }"
        ),
        {"y = 0", "d = 0", "d", "y = 1"},
    ),
    "what decides whether the function goes on": (
        (
            "int f(int n) {\n if (n > 3)\n return 1;\n int m = n;\n assert(n < 3);\n return 0;\n}\n"
            "int main(void) { f(__VERIFIER_nondet_int());\n return 5;\n }"
        ),
        {"m = n", "return 0", "return 5"},
    ),
    "an exit": (
        "int main(void) { int c = __VERIFIER_nondet_int();\n if (c)\n exit(1);\n c = 4;\n return 0;\n }",
        {"c = 4", "return 0"},
    ),
    "pointers that can be equal": (
        (
            "int main(void) { int a = 0, b = 0, c = __VERIFIER_nondet_int();\n"
            "int *p = &a, *q = &b;\n if (c) p = &b;\n *p = 1;\n int *r = &c;\n *q = 2;\n *r = 8;\n assert(b); }"
        ),
        {"a = 0"},
    ),
    "what a function is called for": (
        (
            "int g;\n int twice(int n, int m) {\n g = m;\n return 2 * n; }\n"
            "int main(void) { int x = __VERIFIER_nondet_int();\n int y = 4;\n x = twice(x, y);\n assert(x); }"
        ),
        {"g = m", "y = 4"},
    ),
    "a function called for its effect": (
        (
            "int g, h;\n int set(int n) {\n g = n;\n h = n;\n return 3;\n }\n"
            "int main(void) { int r;\n r = set(__VERIFIER_nondet_int());\n assert(g); }"
        ),
        {"h = n", "return 3"},
    ),
    "one of several functions": (
        (
            "int g, h;\n void one(int n) {\n g = n;\n }\n void two(int n) {\n h = n;\n }\n"
            "int main(void) { void (*f)(int) = __VERIFIER_nondet_int() ? one : two;\n f(3);\n assert(g); }"
        ),
        {"h = n"},
    ),
    "how often a loop is run": (
        (
            "int main(void) { int n = __VERIFIER_nondet_int(), s = 0, i;\n"
            "for (i = 0; i < n; i++)\n s += i;\n assert(n < 9); }"
        ),
        {"s = 0", "s += i"},
    ),
    "a goto over an assignment": (
        "int main(void) { int c = __VERIFIER_nondet_int(), x = 1;\n if (c)\n goto end;\n x = 0;\n end: assert(x); }",
        set(),
    ),
    "a case that falls through": (
        (
            "int main(void) { int c = __VERIFIER_nondet_int(), x = 1, y;\n"
            "switch (c) { case 1: y = 3;\n case 2: x = 0; break;\n default: y = 4;\n }\n assert(x); }"
        ),
        {"y = 3", "y = 4"},
    ),
    "a recursion": (
        (
            "int depth(int n) {\n if (n <= 0)\n return 0;\n return 1 + depth(n - 1);\n }\n"
            "int main(void) { int n = __VERIFIER_nondet_int();\n int d; d = depth(n);\n int e = d;\n assert(n < 4); }"
        ),
        {"e = d"},
    ),
    "bytes that are copied": (
        (
            "int main(void) { int a[2] = {0}, b[2] = {0}, c[2] = {0};\n a[0] = __VERIFIER_nondet_int();\n"
            "memcpy(b, a, sizeof a);\n c[1] = 3;\n assert(b[1] == 0); }"
        ),
        {"c[2] = {0}", "c[1] = 3"},
    ),
    "memory that is allocated": (
        (
            "int main(void) { int *p = malloc(8), *q = malloc(8);\n p[0] = __VERIFIER_nondet_int();\n"
            "q[0] = 5;\n assert(p[0]); }"
        ),
        set(),
    ),
    "what is printed": (
        'int main(void) { int x = __VERIFIER_nondet_int();\n int y = x;\n printf("%d", y);\n assert(x); }',
        {"y = x", 'printf("%d", y)'},
    ),
    "a structure as a whole": (
        (
            "struct s { int a, b; };\n int main(void) { struct s one = {0}, two = {0}, three = {0};\n"
            "one.b = __VERIFIER_nondet_int();\n two = one;\n three.a = 1;\n assert(two.a == 0); }"
        ),
        {"three = {0}", "three.a = 1"},
    ),
    "an index, whatever is stored": (
        "int main(void) { int a[3] = {0};\n int i = __VERIFIER_nondet_int();\n int v = 8;\n a[i] = v;\n return 0;\n }",
        {"a[3] = {0}", "v = 8", "return 0"},
    ),
}


def program(text: str, directory: Path) -> Program:
    source = directory / "program.c"
    source.write_text(PROTOTYPES + text, encoding="utf-8")
    return load_c_program([str(source)], ProgramOptions())


@pytest.mark.parametrize("name", CASES)
def test_a_slice_leaves_out_what_can_influence_nothing(name: str, tmp_path: Path) -> None:
    text, wanted = CASES[name]
    loaded = program(text, tmp_path)
    reduced, units = program_with_static_slice(loaded)
    assert {unit.text for unit in loaded.units if unit.id not in units} == wanted
    assert check_goto(reduced.goto) == []


def test_a_slice_has_the_loops_of_the_program(tmp_path: Path) -> None:
    text = (
        "int main(void) { int a[9][9], s = 0;\n for (int i = 0; i < 3; i++) {\n s = 0;\n"
        " for (int j = 0; j < 3; j++) a[i][j] = s++; }\n do { s--; } while (s > 0); assert(a[0][0] == 0); }"
    )
    loaded = program(text, tmp_path)
    reduced, _ = program_with_static_slice(loaded)
    before, after = (p.goto.functions["main"].loops() for p in (loaded, reduced))
    assert [name for name, _, _ in before] == [name for name, _, _ in after]
    heads = [head for _, head, _ in after]
    assert len(set(heads)) == len(heads)
