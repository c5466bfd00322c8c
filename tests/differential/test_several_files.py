"""Programs of several files: sfo prints what gcc's program prints, and names the right file in every place."""

import subprocess
from pathlib import Path

import pytest

import sfo
from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.errors import InputError
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.terms.evaluate import evaluate_terms
from sfo.core.decode_model import decode_model_execution, terms_to_decode_model
from tests.conftest import require_tool

MAIN = """\
#include <stdio.h>
#include "shared.h"
struct local { int a; };
enum { SMALL = 3 };
static int count = 1;
static struct local mine = { 4 };
static int helper(int x) { static int calls; return x + count + ++calls; }
int tentative;
int tentative;
extern int table[];
static int (*const operations[])(int) = { helper, other, twice };
int main(void)
{
    int x = helper(2);
    count++;
    for (int i = 0; i < 3; i++)
        printf("%d\\n", operations[i](x + i));
    tentative += 5;
    struct node *list = make(SMALL);
    printf("%d %d %d %d\\n", other(x), shared, tentative, table[2]);
    printf("%d %d %zu %d\\n", list->value, list->next->value, sizeof mine, count_of(list));
    return 0;
}
"""

OTHER = """\
#include "shared.h"
struct local { long b, c; };
enum { SMALL = 7 };
static int count = 10;
static struct local mine = { 1, 2 };
static int helper(int x) { static int calls; calls++; return x * count + calls; }
int shared = 5;
extern int tentative;
int table[3] = { 1, 2, SMALL };
static struct node pool[2];
struct node *make(int value)
{
    pool[0].value = value;
    pool[0].next = &pool[1];
    pool[1].value = value + sizeof mine;
    return pool;
}
int other(int x) { tentative += x; return helper(x) + shared++; }
"""

HEADER = """\
#ifndef SHARED_H
#define SHARED_H
struct node { int value; struct node *next; };
extern int shared;
int other(int x);
struct node *make(int value);
static inline int twice(int x) { return 2 * x; }
static int count_of(struct node *list) { int n = 0; while (list) { n++; list = list->next; } return n; }
#endif
"""


def written(directory: Path, **files: str) -> list[str]:
    for name, text in files.items():
        (directory / name.replace("_", ".")).write_text(text)
    return [str(directory / name.replace("_", ".")) for name in files if name.endswith("_c")]


def loaded(directory: Path, **files: str) -> Program:
    return load_c_program(written(directory, **files), ProgramOptions())


def printed_natively(directory: Path, paths: list[str]) -> str:
    binary = directory / "program"
    subprocess.run([require_tool("gcc"), "-w", *paths, "-o", str(binary)], check=True)
    return subprocess.run([str(binary)], capture_output=True, text=True, check=True).stdout


def printed(program: Program) -> str:
    encoded = encode_program(program, Bound(unwind=None, free=True), inputs=EncodeFixedValues(()))
    values = evaluate_terms(encoded.terms, terms_to_decode_model(encoded), {})
    return decode_model_execution(encoded, values, 1).output


@pytest.mark.parametrize("reverse", [False, True])
def test_gcc_and_sfo_print_the_same(tmp_path: Path, *, reverse: bool) -> None:
    paths = written(tmp_path, main_c=MAIN, other_c=OTHER, shared_h=HEADER)
    native = printed_natively(tmp_path, paths)
    program = load_c_program(list(reversed(paths)) if reverse else paths, ProgramOptions())
    assert printed(program) == native
    places = {(unit.function.rpartition("::")[2], Path(unit.location.file).name) for unit in program.units}
    assert places == {
        ("main", "main.c"),
        ("helper", "main.c"),
        ("helper", "other.c"),
        ("make", "other.c"),
        ("other", "other.c"),
        ("twice", "shared.h"),
        ("count_of", "shared.h"),
    }


@pytest.mark.parametrize(
    ("one", "two", "message"),
    [
        ("int f(void) { return 1; }", "int f(void) { return 2; }", "b.c:1:5: redefinition of 'f'; the other one is at a.c:1:5"),
        ("int x = 1;", "int x = 1;", "b.c:1:5: multiple definition of 'x'; the other one is at a.c:1:5"),
        ("int x;", "long x;", "b.c:1:6: conflicting types for 'x'; the other one is at a.c:1:5"),
        ("int f(int);", "int f(char *);", "b.c:1:5: conflicting types for 'f'; the other one is at a.c:1:5"),
        ("int x; int x = 1; int x = 2;", "", "a.c:1:23: redefinition of 'x'; the other one is at a.c:1:5"),
        ("struct s { int a; }; extern struct s x;", "struct s { char a; }; struct s x;", "conflicting types for 'x'"),
    ],
)  # fmt: skip
def test_clashes_name_both_places(one: str, two: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        loaded(tmp_path, a_c=f"{one}\nint main(void) {{ return 0; }}\n", b_c=two)
    assert message in str(error.value).replace(f"{tmp_path}/", "")


WEAK = """\
int f(void) __attribute__((weak));
int f(void) { return 1; }
__attribute__((weak)) int g(void) { return %d; }
int *__attribute__((weak)) h(void) { return 0; }
int v __attribute__((weak)) = %d, w __attribute__((weak));
"""

STRONG = """\
static int mine;
int f(void) { return 2; }
int *h(void) { return &mine; }
int v = 4;
"""

ABSENT = """\
#include <stdio.h>
#include <pthread.h>
#pragma GCC diagnostic ignored "-Waddress"
extern void f(void) __attribute__((weak));
#pragma weak g
extern int g(int);
int h(int);
_Pragma("weak h")
int h(int n) { return n + 1; }
extern int puts(const char *) __attribute__((weak));
extern int pthread_mutex_lock(pthread_mutex_t *) __attribute__((weak));
extern int table[] __attribute__((weak)), value __attribute__((weak));
int (*hook)(int) __attribute__((weak));
int k(int n);
#pragma weak k = h
static int (*const functions[])(int) = { g, h };
static int *where = &value;
int main(void)
{
    if (f)
        f();
    printf("%d %d %d %d ", f == 0, &f != 0, g ? g(1) : -1, h ? h(1) : -1);
    printf("%d %d ", puts != 0, pthread_mutex_lock != 0);
    printf("%d %d %d %d %d ", table == 0, &value == 0, hook == 0, where == 0, k != 0);
    printf("%d %d\\n", functions[0] == 0, functions[1](4));
}
"""
"""Weak names of which some have no definition."""


def test_what_is_weak_and_nobody_defines_has_the_address_null(tmp_path: Path) -> None:
    paths = written(tmp_path, a_c=ABSENT)
    said = printed(load_c_program(paths, ProgramOptions()))
    assert said == printed_natively(tmp_path, paths)
    defining = "int g(int n) { return 2 * n; }\nint value = 3;\n"
    paths = written(tmp_path, a_c=ABSENT, b_c=defining)
    assert said != printed(load_c_program(paths, ProgramOptions())) == printed_natively(tmp_path, paths)


def test_to_call_what_is_weak_and_not_there_is_to_call_null(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("extern void f(void) __attribute__((weak));\nint main(void) { f(); }\n")
    found = sfo.check(path, native=False)
    assert [one.property.id for one in found.properties if one.status == "violated"] == ["main.pointer.1"]


USER = """\
#include <stdio.h>
int f(void), g(void), *h(void);
extern int v, w;
int main(void) { printf("%d %d %d %d %d\\n", f(), g(), h() == 0, v, w); return 0; }
"""


@pytest.mark.parametrize("order", ["muwx", "mwux", "mwxu", "mxw", "wm"])
def test_a_weak_definition_gives_way_to_that_of_another_file(tmp_path: Path, order: str) -> None:
    texts = {"m": USER, "u": STRONG, "w": WEAK % (7, 3), "x": WEAK % (8, 5)}
    paths = written(tmp_path, **{f"{name}_c": texts[name] for name in order})
    assert printed(load_c_program(paths, ProgramOptions())) == printed_natively(tmp_path, paths)
