"""Lifetimes of automatic objects: compound literals and arrays end with a block, temporaries with an expression."""

from pathlib import Path

import pytest

import sfo

HEAD = """#include <assert.h>
struct t { int a[2]; };
static struct t mk(void) { struct t r = {{1, 2}}; return r; }
"""

SAFE = {
    "while cond": "int main(void) { int *p = 0, *q = 0, n = 0; while ((p = &(int) { n}), n < 3) { if (q) assert(q == p && *q == n); q = p; n++; } return n - 3; }",
    "do cond": "int main(void) { int *p = 0, n = 0; do { if (p) assert(*p == n); } while ((p = &(int) { n + 1}), n++ < 3); return 0; }",
    "for step": "int main(void) { int *p = 0; for (int i = 0; i < 3; p = &(int) { i}, i++) if (p) assert(*p == i - 1); return 0; }",
    "for init": "int main(void) { int s = 0; for (int *p = (int[]) {1, 2, 0}; *p; p++) s += *p; assert(s == 3); return 0; }",
    "goto into": "int main(void) { int *p = 0; goto in; { int y; p = &(int) {5}; in: y = 1; if (p) ; p = &y; if (*p != 1) return 1; } return 0; }",
    "stmt expr val": "int main(void) { int x = ({ int *p = &(int) {3}; *p; }); return x - 3; }",
    "arg": "static int f(int *p) { return *p; } int main(void) { return f(&(int) {0}) + f((int[]) {0, 1}); }",
    "file scope": "struct s{ int *p; }; struct s g = { &(int) {0} }; int *h = (int[]) {0, 2}; int main(void) { return *g.p + *h; }",
    "init": "int main(void) { int *a[2] = {&(int) {1}, &(int) {2}}; return *a[0] + *a[1] - 3; }",
    "loop redecl": "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int *p = &(int) { i}; s += *p; *p = 7; } return s - 3; }",
    "loop struct": "struct s{ int a, b; }; int main(void) { int s = 0; for (int i = 0; i < 3; i++) { struct s *p = &(struct s) { i}; assert(p->b == 0); p->b = 9; s += p->a; } return s - 3; }",
    "macro arg": "static int sum(int n, const int *a) { int s = 0; for (int i = 0; i < n; i++)s += a[i]; return s; } int main(void) { if (sum(3, (int[]) {1, 2, 3}) != 6) return 1; while (sum(1, (int[]) {0})) ; return 0; }",
    "recursion": "struct n{ int v; struct n *next; }; static int len(struct n *l, int d) { if (d == 0) { int n = 0; for (; l; l = l->next)n++; return n; } return len(&(struct n) { d, l}, d - 1); } int main(void) { assert(len(0, 3) == 3); return 0; }",
    "temp star": "int main(void) { assert(*mk().a == 1); return 0; }",
    "temp call": "static int f(int *p) { return p[1]; } int main(void) { return f(mk().a) - 2; }",
    "temp and": "int main(void) { int *p; if ((p = mk().a) && *p == 1 && p[1] == 2) return 0; return 1; }",
    "temp while": "int main(void) { int *p = 0, n = 0; while (n < 2 && *(p = mk().a) == 1) { n++; } return n - 2; }",
    "temp switch ok": "int main(void) { int *p; switch (*(p = mk().a)) { case 1: return 0; } return 1; }",
    "temp ptr": "static struct t g; static struct t *gp(void) { return &g; } int main(void) { int *p = gp()->a; return *p; }",
    "temp return ok": "static int f(void) { return *mk().a; } int main(void) { assert(f() == 1); return 0; }",
    "temp loop": "int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += mk().a[i%2]; return s - 4; }",
    "vla loop": "int main(void) { int s = 0; for (int n = 1; n < 4; n++) { int a[n]; for (int i = 0; i < n; i++) a[i] = i; s += a[n - 1]; } return s - 3; }",
    "vla goto in": "int main(void) { int *p = 0, n = 2, k = 0; int a[n]; a[0] = 1; p = a; again:; if (!k++) goto again; return *p - 1; }",
    "vla func": "static int f(int n) { int a[n]; for (int i = 0; i < n; i++)a[i] = i; return a[n - 1]; } int main(void) { return f(3) - 2 + f(1); }",
    "vla frame reuse": "static int g(int n) { int a[n]; a[0] = 4; return a[0]; } int main(void) { int n = 3; int s = 0; for (int i = 0; i < 3; i++) { int a[n]; a[0] = g(2); s += a[0]; } return s - 12; }",
    "vla typeof": "int main(void) { int n = 3; int a[n]; __typeof__(a) b; b[0] = 1; { __typeof__(a) c; c[0] = 2; b[1] = c[0]; } return b[1] - 2; }",
}

VIOLATED = {
    "if cond": "int main(void) { int *p = 0; if ((p = &(int) {3}) != 0) { if (*p != 3) return 1; } return *p; }",
    "if sub": "int main(int c, char **v) { int *p = &(int) {1}; if (c) p = &(int) {3}; return *p; }",
    "else sub": "int main(int c, char **v) { int *p = &(int) {1}; if (c > 5) ; else p = &(int) {3}; return *p; }",
    "while cond after": "int main(void) { int *p = 0, n = 0; while ((p = &(int) { n}), n < 3) n++; return *p; }",
    "do cond after": "int main(void) { int *p = 0, n = 0; do { n++; } while ((p = &(int) { n}), n < 3); return *p; }",
    "for step after": "int main(void) { int *p = 0; for (int i = 0; i < 3; p = &(int) { i}, i++) ; return *p; }",
    "for init after": "int main(void) { int *q; for (q = (int[]) {1, 2, 0}; *q; q++) ; return *q; }",
    "for goto out": "int main(void) { int *p = 0; for (;; p = &(int) {1}) { if (p) goto out; } out: return *p; }",
    "break out": "int main(void) { int *p = 0; for (;;) { p = &(int) {1}; break; } return *p; }",
    "continue": "int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { if (p) return *p; p = &(int) {1}; continue; } return 0; }",
    "goto in head": "int main(void) { int *p = 0; int k = 0; { again:; if (k) goto out; int x = 3; p = &x; k = 1; goto again; } out: return *p; }",
    "goto in head lit": "int main(void) { int *p = 0; int k = 0; { again:; if (k) goto out; p = &(int) {3}; k = 1; goto again; } out: return *p; }",
    "stmt expr": "int main(void) { int *p = ({ &(int) {3}; }); return *p; }",
    "nested out": "struct s{ int *p; }; int main(void) { struct s q; { q = (struct s) { &(int) {3} }; } return *q.p - 3; }",
    "switch sel after": "int main(void) { int *p; switch (*(p = &(int) {1})) { case 1: break; } return *p; }",
    "switch nobrace": "int main(int c, char **v) { int *p = 0; switch (c) case 1: p = &(int) {1}; return *p; }",
    "cond lit2": "int main(int c, char **v) { int *p; { p = c > 0 ? &(int) {1} : 0; } return *p - 1; }",
    "temp call ret": "static int *f(int *p) { return p; } int main(void) { int *p = f(mk().a); return *p; }",
    "temp cond then": "int main(void) { int *p; if (*(p = mk().a) == 1) return *p; return 0; }",
    "temp cond else": "int main(void) { int *p; if (*(p = mk().a) != 1) return 0; return *p; }",
    "temp while in": "int main(void) { int *p = 0, n = 0; while (n < 2 && *(p = mk().a) == 1) { n += *p; } return n - 2; }",
    "temp do": "int main(void) { int *p = 0, n = 0; do { if (p) return *p; n++; } while (n < 2 && *(p = mk().a) == 1); return 0; }",
    "temp for step": "int main(void) { int *p = 0; for (int i = 0; i < 2; i++, p = mk().a) if (p) return *p; return 0; }",
    "temp switch": "int main(void) { int *p; switch (*(p = mk().a)) { case 1: return *p; } return 0; }",
    "temp tern": "int main(int c, char **v) { struct t a = {{1, 2}}, b = {{3, 4}}; int *p = (c > 1?a:b).a; return *p; }",
    "temp comma": "int main(void) { struct t a = {{1, 2}}; int *p = (0, a).a; return *p; }",
    "temp assign": "int main(void) { struct t a = {{1, 2}}, b; int *p = (b = a).a; return *p; }",
    "temp stmtexpr": "int main(void) { struct t g = {{1, 2}}; int *p = ({ g; }).a; return *p; }",
    "temp union": "union u{ int a[2]; long l; }; static union u one(void) { union u x = {{1, 2}}; return x; } int main(void) { int *p = one().a; return *p; }",
    "temp gnuassign": "int main(void) { int *p, n = 0; if (({ p = mk().a; *p; })) n = 1; return n - 1; }",
    "temp goto out": "int main(void) { int *p; (void)(*(p = mk().a) + ({ if (*p == 1) goto out; 0; })); out: return *p; }",
    "vla loop out": "int main(void) { int *p = 0; for (int n = 1; n < 4; n++) { int a[n]; a[0] = 1; if (p && *p != 1) return 1; p = a; } return 0; }",
    "vla goto back": "int main(void) { int *p = 0, n = 2; again:; if (p) return *p; int a[n]; a[0] = 1; p = a; goto again; }",
    "vla goto fwd": "int main(void) { int *p = 0, n = 2; { int a[n]; a[0] = 1; p = a; if (n) goto out; p = &n; } out: return *p; }",
    "vla 2d": "int main(void) { int n = 2; int (*q)[2]; { int a[n][2]; a[1][1] = 3; q = a; } return q[1][1]; }",
    "vla cont": "int main(void) { int *p = 0, n = 2; for (int i = 0; i < 2; i++) { if (p) return *p; int a[n]; a[0] = 1; p = a; continue; } return 0; }",
    "vla stmtexpr": "int main(void) { int n = 2; int *p = ({ int a[n]; a[0] = 1; &a[0]; }); return *p; }",
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
    ("text", "name"),
    [
        ("int main(void) { int *p; { int x = 1; p = &x; } return *p; }", "x"),
        ("int main(void) { int *p; { p = &(int){ 1 }; } return *p; }", "a compound literal"),
        ("int main(void) { int *p = mk().a; return *p; }", "a temporary"),
        (
            "int main(void) { int *p, n = 2; { int a[n]; a[0] = 1; p = a; } return p[0]; }",
            "a variable-length array",
        ),
    ],
)
def test_the_report_names_what_has_ended(text: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(f"{HEAD}{text}\n", encoding="utf-8")
    result = sfo.check(tmp_path / "p.c", native=False)
    (violated,) = [one for one in result.properties if one.status == "violated"]
    assert violated.property.description.endswith(f": the lifetime of {name} has ended")
