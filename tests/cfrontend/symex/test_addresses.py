"""What depends on where objects lie in memory is not decided; what does not, is."""

import shutil
import subprocess
from pathlib import Path

import pytest

import sfo
from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.terms import FALSE
from sfo.core.result import Result

HEADER = """#include <stdlib.h>
#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
static char bytes[8];
static int one[4], other[4];
static int by_value(const void *a, const void *b) { return **(int *const *)a - **(int *const *)b; }
static int by_address(const void *a, const void *b) {
  const int *x = *(int *const *)a, *y = *(int *const *)b;
  return (x > y) - (x < y);
}
static uintptr_t argument(int n, ...) {
  va_list list;
  va_start(list, n);
  uintptr_t found = va_arg(list, uintptr_t);
  va_end(list);
  return found;
}
static uintptr_t same(uintptr_t n) { return n; }
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


def assertions(result: Result) -> list[str]:
    return [one.status for one in result.properties if one.property.kind == "assert"]


@pytest.mark.parametrize("statements", SHARED)
def test_natively_the_addresses_are_equal(tmp_path: Path, statements: str) -> None:
    """The premise of this file, where the machine is one that it holds of."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    path = program(tmp_path, statements)
    subprocess.run(["gcc", "-O0", "-w", "-o", str(tmp_path / "p"), str(path)], check=True)
    assert subprocess.run([str(tmp_path / "p")], stderr=subprocess.DEVNULL, check=False).returncode == -6


DEPENDING = [
    "int *p = malloc(4); uintptr_t old = (uintptr_t)p; free(p); int *q = malloc(4); assert((uintptr_t)q != old);",
    (
        "int *p = malloc(4), *old = NULL; memcpy(&old, &p, sizeof p); free(p); p = malloc(4);"
        " assert(memcmp(&old, &p, sizeof p) != 0);"
    ),
    "assert(((uintptr_t)&one[0] >> 4) % 4 == ((uintptr_t)&other[0] >> 4) % 4);",
    "assert((uintptr_t)one > (uintptr_t)other || (uintptr_t)other - (uintptr_t)one < 100);",
    "assert(one < other);",
    "assert(other - one != 8);",
    "assert(&one[4] != other);",
    "assert((uintptr_t)bytes % 8 == 0);",
    "int *p = one; unsigned char b[8]; memcpy(b, &p, 8); assert((b[0] ^ b[1]) != 77);",
    "int *p = one; unsigned char *b = (unsigned char *)&p; assert(b[0] + b[1] != 77);",
    "union { int *p; uintptr_t n; } u, v; u.p = one; v.p = other; assert(u.n < v.n);",
    "int *p = one; uintptr_t n; memcpy(&n, &p, sizeof n); assert(n % 64 == 0);",
    "int *p = one; assert(*(uintptr_t *)&p % 64 == 0);",
    "char text[40]; sprintf(text, \"%p\", (void *)one); assert(text[2] != '5');",
    "int *p[2] = {other, one}; other[0] = 1; qsort(p, 2, sizeof *p, by_address); assert(*p[0] == 0);",
    "int *p[2] = {one, other}; other[0] = 1; qsort(p, 2, sizeof *p, by_address); assert(*p[0] == 1);",
    "int table[4] = {1, 2, 3, 4}; assert(table[((uintptr_t)one >> 4) % 4] != 3);",
    "char *p = (char *)malloc(1); unsigned seed = (unsigned)(uintptr_t)p; assert(seed % 3 != 1);",
    "int n = 0; while (((uintptr_t)&bytes[n]) % 8 != 0) n++; assert(n < 4);",
    "assert(argument(1, one) % 64 == 0);",
    "union { int *p; uintptr_t n; } u; u.p = one; uintptr_t *n = &u.n; assert(*n % 64 == 0);",
    "union { int *p; struct { uintptr_t n : 64; } bits; } u; u.p = one; assert(u.bits.n % 64 == 0);",
    "int *p = one; void *q = &p; assert(*(uintptr_t *)q % 64 == 0);",
    "uintptr_t n; void *q = &n; *(int **)q = one; assert(n % 64 == 0);",
    "void *q = malloc(16); *(int **)q = one; assert(*(uintptr_t *)q % 64 == 0);",
    "int *p[2] = {one, other}; unsigned __int128 n; memcpy(&n, p, 16); assert((unsigned)n % 64 == 0);",
    "uintptr_t (*f)(int *) = (uintptr_t (*)(int *))same; assert(f(one) % 64 == 0);",
    "long (*f)(int) = (long (*)(int))address_of_local; assert(f(1) % 64 == 0);",
    "char text[40]; sprintf(text, \"%lx\", one); assert(text[0] != '5');",
    "assert(((char *)one - (char *)0) % 64 == 0);",
    (
        "struct node n = {1, NULL}; n.next = &n; unsigned i = __VERIFIER_nondet_int();"
        " if (i < sizeof n) assert(((unsigned char *)&n)[i] != 77);"
    ),
    "int *p = one; *(unsigned char *)&p = __VERIFIER_nondet_int(); assert(((uintptr_t)p >> 8) % 16 != 3);",
]
"""Statements whose assertion holds in some placements of the objects only."""

DECIDED = [
    "int *p = one + 1, *q = &one[1]; assert((uintptr_t)p == (uintptr_t)q && (uintptr_t)(p + 1) - (uintptr_t)p == 4);",
    "assert((uintptr_t)one != 0 && (uintptr_t)one != (uintptr_t)other && one != other);",
    "int *p = (int *)((uintptr_t)one + 4); *p = 5; assert(one[1] == 5 && p > one && p - one == 1);",
    (
        "struct node *n = calloc(1, sizeof *n); uintptr_t tagged = (uintptr_t)n | 1;"
        " assert(tagged & 1); assert(((struct node *)(tagged & ~(uintptr_t)1))->value == 0);"
    ),
    "struct node *n = malloc(sizeof *n); assert((size_t)n % _Alignof(struct node) == 0);",
    "long *p = malloc(8), *q = malloc(8); assert((uintptr_t)p != (uintptr_t)q); assert((uintptr_t)p % 16 == 0);",
    (
        "uintptr_t both = (uintptr_t)one ^ (uintptr_t)other; other[2] = 9;"
        " assert(((int *)(both ^ (uintptr_t)one))[2] == 9);"
    ),
    (
        "int *p = one, *q; unsigned char b[sizeof p]; memcpy(b, &p, sizeof p); memcpy(&q, b, sizeof q);"
        " assert(q == one && memcmp(&p, &q, sizeof p) == 0);"
    ),
    (
        "static long pool[16]; uintptr_t at = ((uintptr_t)pool + 3 + 7) & ~(uintptr_t)7;"
        " struct node *n = (struct node *)at; n->value = 7; assert(at - (uintptr_t)pool == 8 && n->value == 7);"
    ),
    "int *p[2] = {one, other}; one[0] = 2; qsort(p, 2, sizeof *p, by_value); assert(*p[0] == 0);",
    (
        "void *slot[4] = {0}; unsigned k = ((uintptr_t)one >> 4) % 4; slot[k] = one;"
        " k = ((uintptr_t)other >> 4) % 4; assert(slot[k] != other);"
    ),
    "_Alignas(64) static char line[64]; assert((uintptr_t)line % 64 == 0);",
    "int n = __VERIFIER_nondet_int(); if (n > 0 && n < 4) assert(&one[n] > one && &one[n] - one == n);",
    "one[1] = 4; assert(((int *)argument(1, one))[1] == 4 && argument(1, 1L << 40) == 1L << 40);",
    (
        "uint64_t power[64]; for (int i = 0; i < 64; i++) power[i] = (uint64_t)1 << i;"
        " int n = __VERIFIER_nondet_int() & 63; assert(power[n] >> n == (uintptr_t)one % 4 + 1);"
    ),
    (
        "struct { int *p; uint64_t n; } a = {one, 7}, b; uint64_t *to = (void *)&b, *from = (void *)&a;"
        " to[0] = from[0]; to[1] = from[1]; b.p[1] = 3; assert(one[1] == 3 && b.n == 7);"
    ),
]
"""Statements whose assertion holds in every placement."""


@pytest.mark.parametrize("statements", [*SHARED, *DEPENDING])
def test_nothing_is_decided_that_depends_on_where_objects_lie(tmp_path: Path, statements: str) -> None:
    path = program(tmp_path, statements)
    result = sfo.check(path).result
    assert result.verdict == "unknown"
    assert result.reason is not None
    assert result.reason.endswith("depends on where objects lie in memory")
    assert assertions(result) == ["unknown"]


@pytest.mark.parametrize("statements", DECIDED)
def test_what_holds_wherever_objects_lie_is_safe(tmp_path: Path, statements: str) -> None:
    assert sfo.check(program(tmp_path, statements)).verdict == "safe"


def test_another_property_is_violated_all_the_same(tmp_path: Path) -> None:
    body = "int n = __VERIFIER_nondet_int(); assert(one < other); assert((uintptr_t)bytes % 8 == 0); assert(n != 3);"
    result = sfo.check(program(tmp_path, body)).result
    assert assertions(result) == ["unknown", "unknown", "violated"]


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
    assert not encoded.addresses
