"""Comparisons of a pointer to an object that has ended with one to a later object: natively they may be equal."""

import shutil
import subprocess
from pathlib import Path

import pytest

import sfo
from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.terms import FALSE

HEADER = """#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int *address_of_local(int n) { int local = n; int *p = &local; return p; }
static int *address_of_other(int n) { int other = n; int *p = &other; return p; }
"""

FREED = "int *p = malloc(4); free(p); int *q = malloc(4); assert(p != q);"

SHARED = [
    FREED,
    "char *p = malloc(40); char *old = p; p = realloc(p, 41); assert(p != old);",
    "int *p = address_of_local(1); int *q = address_of_other(2); assert(p != q);",
]
"""Statements whose assertion fails natively with gcc and glibc, without optimisation."""

APART = [
    "int *p = malloc(4), *q = malloc(4); free(p); assert(p != q);",
    "int *p = malloc(4); free(p); assert(p != NULL); p = NULL; int *q = malloc(4); assert(p != q);",
    "int *p = malloc(4); free(p); int *q = p; assert(p == q);",
    "int local = 1, *p = malloc(4); free(p); int *q = malloc(4); assert(p != &local && q != &local);",
    (
        "int *p = malloc(4), *r = malloc(4); if (__VERIFIER_nondet_int()) { free(p); p = r; }"
        " int *q = malloc(4); assert(p != q);"
    ),
    "static int known; int *p = address_of_local(1); assert(p != &known);",
]
"""Statements that never compare an object that has ended with a later one in its place."""


def program(tmp_path: Path, statements: str) -> Path:
    path = tmp_path / "p.c"
    path.write_text(f"{HEADER}int main(void) {{ {statements} return 0; }}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("statements", SHARED)
def test_natively_the_addresses_are_equal(tmp_path: Path, statements: str) -> None:
    """The premise of this file, where the machine is one that it holds of."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    path = program(tmp_path, statements)
    subprocess.run(["gcc", "-O0", "-w", "-o", str(tmp_path / "p"), str(path)], check=True)
    assert subprocess.run([str(tmp_path / "p")], stderr=subprocess.DEVNULL, check=False).returncode == -6


@pytest.mark.parametrize("statements", SHARED)
def test_nothing_is_safe_that_natively_fails(tmp_path: Path, statements: str) -> None:
    path = program(tmp_path, statements)
    result = sfo.localize(path, native=False)
    assert result.verdict == "unknown"
    assert result.reason is not None
    assert f"{path}:6:" in result.reason
    assert "natively these may be equal" in result.reason


@pytest.mark.parametrize("statements", APART)
def test_what_never_has_one_address_is_safe(tmp_path: Path, statements: str) -> None:
    assert sfo.localize(program(tmp_path, statements), native=False).verdict == "safe"


def test_a_failing_execution_is_found_behind_the_comparison(tmp_path: Path) -> None:
    body = f"{FREED} assert(__VERIFIER_nondet_int() != 3);"
    assert sfo.localize(program(tmp_path, body), native=False, rank="coverage").verdict == "violated"


def test_it_counts_only_where_an_execution_comes_to_it(tmp_path: Path) -> None:
    """The condition is that of the path, of the end of the object, and of the operand of ``&&``."""
    body = """int n = __VERIFIER_nondet_int(), *p = malloc(4), *q = p;
    if (n > 3) { free(p); q = malloc(4); }
    if (n < 3 && p != q) return 1;
    """
    assert sfo.localize(program(tmp_path, body), native=False).verdict == "safe"


def test_programs_that_compare_no_such_pointers_have_no_condition(tmp_path: Path) -> None:
    body = """struct node { struct node *next; } *head = NULL;
    for (int i = 0; i < 4; i++) { struct node *n = malloc(sizeof *n); n->next = head; head = n; }
    for (struct node *n = head; n != NULL; n = n->next) assert(n != n->next);
    while (head != NULL) { struct node *n = head; head = n->next; free(n); }
    """
    loaded = load_c_program([str(program(tmp_path, body))], ProgramOptions())
    encoded = encode_program(loaded, Bound(unwind=6, free=True))
    assert encoded.passing != FALSE
    assert not encoded.reused
