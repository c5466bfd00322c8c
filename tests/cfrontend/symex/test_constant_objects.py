"""Writes to objects that are defined const violate pointer (C11 6.7.3p6); a pointer to const may lead to others."""

from pathlib import Path

import pytest

import sfo

HEAD = """#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""

SAFE = {
    "read": "static const int k = 3; int main(void) { int *p = (int *)&k; return *p - 3; }",
    "member": "struct s{ const int a; int b; }; int main(void) { struct s x = {1, 2}; int *p = (int *)&x.b; *p = 3; return x.b - 3; }",
    "member malloc": "struct s{ const int a; int b; }; int main(void) { struct s i = {1, 2}; struct s *x = malloc(sizeof*x); if (!x) return 0; memcpy(x, &i, sizeof i); int r = x->a - 1; free(x); return r; }",
    "ptr": "int main(void) { int k = 3; const int *p = &k; *(int *)p = 4; return k - 4; }",
    "param": "static void f(const int *p) { *(int *)p = 4; } int main(void) { int k = 3; f(&k); return k - 4; }",
    "malloc": "int main(void) { const int *p = malloc(4); if (!p) return 0; *(int *)p = 1; int r = *p - 1; free((void*)p); return r; }",
    "typedef ptr": "typedef int *P; int g; static const P k = &g; int main(void) { *k = 4; int **q = (int **)&k; **q = 5; return g - 5; }",
    "local loop": "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { const int k = i; const int *p = &k; s += *p; } return s - 3; }",
    "local static": "static int f(void) { static const int t[3] = {1, 2, 3}; const int *p = t; return p[2]; } int main(void) { return f() - 3; }",
    "init order": "static int g(int *p) { return p != 0; } int main(void) { const int a[2] = {1, g((int *)a)}; const int *p = a; return p[1] - 1; }",
    "big": """static const struct { int k; const char *n; int v[4]; } t[] = {{1, "a", {1, 2}}, {2, "b", {3, 4, 5}}}; int main(void) { int s = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < 4; j++) s += t[i].v[j]; return s - 15; }""",
    "cond": "static const int k = 3; int main(int c, char **v) { int x = 0; int *p = c > 1?(int *)&k:&x; *p = 4; return x - 4; }",
    "noescape writes": "int main(void) { const int n = 3; int a[3]; for (int i = 0; i < n; i++) a[i] = i; return a[2] - 2; }",
    "strchr": """int main(void) { char b[4] = "abc"; const char *s = b; char *p = strchr(s, 98); *p = 0; return b[1]; }""",
    "zero memcpy": """static const char s[4]; int main(int c, char **v) { memcpy((char *)s, "a", c - 1); return 0; }""",
    "member direct": "struct s{ const int a; }; int main(void) { struct s x = {1}; *(int *)&x.a = 2; return 0; }",
    "vararg": "static int f(const int n, ...) { va_list l; va_start(l, n); int s = 0; for (int i = 0; i < n; i++) s += va_arg(l, int); va_end(l); return s; } int main(void) { return f(2, 1, 2) - 3; }",
    "cleanup": "static void c(const int *p) { } int main(void) { const int k __attribute__((cleanup(c))) = 3; const int *q = &k; return *q - 3; }",
    "goto": "int main(void) { int n = 0; const int *p; again:; const int k = n; p = &k; if (n++ < 2) goto again; return *p - 2; }",
}

VIOLATED = {
    "static": "static const int k = 3; int main(void) { int *p = (int *)&k; *p = 4; return 0; }",
    "auto": "int main(void) { const int k = 3; int *p = (int *)&k; *p = 4; return 0; }",
    "arr": """static const char s[] = "abc"; int main(void) { char *p = (char *)s; p[0] = 1; return 0; }""",
    "memcpy": """static const char s[] = "abc"; int main(void) { memcpy((char *)s, "x", 1); return 0; }""",
    "strcpy": """static const char s[] = "abc"; int main(void) { strcpy((char *)s, "x"); return 0; }""",
    "scanf": """static const int k = 1; int main(void) { if (scanf("%d", (int *)&k) == 1) return 1; return 0; }""",
    "scanfs": """static const char s[8] = "abc"; int main(void) { if (scanf("%3s", (char *)s) == 1) return 1; return 0; }""",
    "sprintf": """static const char s[8] = "abc"; int main(void) { sprintf((char *)s, "%d", 1); return 0; }""",
    "qsort": "static int c(const void*a, const void*b) { return *(int *)a - *(int *)b; } static const int a[3] = {3, 2, 1}; int main(void) { qsort((int *)a, 3, sizeof*a, c); return 0; }",
    "struct": "struct s{ int a, b; }; static const struct s g = {1, 2}; int main(void) { struct s *p = (struct s *)&g; p->b = 3; return 0; }",
    "param obj": "static int f(const int k) { *(int *)&k = 4; return k; } int main(void) { return f(3); }",
    "typedef": "typedef const int T; static T k = 3; int main(void) { *(int *)&k = 4; return 0; }",
    "typedef arr": "typedef int A[2]; static const A k = {3}; int main(void) { int *p = (int *)k; *p = 4; return 0; }",
    "typedef ptr2": "typedef int *P; int g; static const P k = &g; int main(void) { int **q = (int **)&k; *q = 0; return 0; }",
    "constptr": "int g; int *const k = &g; int main(void) { *(int **)&k = 0; return 0; }",
    "lit": "int main(void) { int *p = (int *)&(const int) {3}; *p = 4; return 0; }",
    "extern": "extern const int k; const int k = 3; int main(void) { *(int *)&k = 4; return 0; }",
    "union": "union u{ int a; char c[4]; }; static const union u g = {1}; int main(void) { ((union u*)&g)->c[0] = 2; return 0; }",
    "strchr const": """int main(void) { const char s[4] = "abc"; char *p = strchr(s, 98); *p = 0; return 0; }""",
    "bitfield": "struct b{ unsigned a:3, b:5; }; static const struct b g = {1, 2}; int main(void) { ((struct b *)&g)->b = 1; return 0; }",
}


def verdict(directory: Path, text: str) -> str:
    path = directory / "p.c"
    path.write_text(f"{HEAD}{text}\n", encoding="utf-8")
    return sfo.check(path, unwind=8, native=False).verdict


@pytest.mark.parametrize("case", SAFE)
def test_safe(case: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, SAFE[case]) == "safe"


@pytest.mark.parametrize("case", VIOLATED)
def test_violated(case: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, VIOLATED[case]) == "violated"


@pytest.mark.parametrize(
    "statement", ["*(int *)&k = 4", "memset((int *)&k, 0, sizeof k)", "scanf('%d', (int *)&k)"]
)
def test_the_report_says_what_is_constant(statement: str, tmp_path: Path) -> None:
    text = f"static const int k = 3; int main(void) {{ {statement}; return k; }}\n".replace("'", '"')
    (tmp_path / "p.c").write_text(f"{HEAD}{text}", encoding="utf-8")
    result = sfo.check(tmp_path / "p.c", native=False)
    (violated,) = [one for one in result.properties if one.status == "violated"]
    assert violated.property.kind == "pointer"
    assert violated.property.description.endswith(": k is const")
