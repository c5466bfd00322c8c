/* _Generic: by types, and by the qualifiers of what pointers point to. */
#include <assert.h>
#include <stdio.h>
typedef const char *text; typedef int number; typedef const number fixed; struct s { const char *n; char *m; };
int nondet_int(void);

#define KIND(x) _Generic((x), char *: "char *", const char *: "const char *", int *: "int *", const int *: "const int *", \
    int *const *: "int *const *", int **: "int **", volatile int *: "volatile int *", struct s *: "struct s *", const struct s *: "const struct s *", int (*)(int): "function", default: "other")
#define ONLY(x) _Generic((x), int *: 1, char *: 2, default: 3)
#define PART(x) _Generic((x), int: 1, unsigned: 2, default: 3)
struct t { char text[4]; int grid[2][2]; struct t *next; struct s inside; struct { const int *deep; }; unsigned low : 5, all : 32; };
static const char *got(void);
static const char *got(void) { return "got"; }
/* The value of a const object is not const. */
#define UNQUALIFIED(x) _Generic((x), const int: 1, int: 2, volatile int: 3)
static int f(int x) { return x; }
static const char *named(const char *p, char q[], const int r[static 2], text t) { printf("%s %s %s %s\n", KIND(p), KIND(q), KIND(r), KIND(t)); return p; }
int main(void) {
    int i = 1, *p = &i, *const cp = &i, **pp = &p, *const *cpp = &cp; const int c = 2, *pc = &c; fixed fx = 3; volatile int v = 4; char buf[4] = "abc"; const char fixed_buf[] = "xyz"; struct s s = { "n", buf }; const struct s cs = s; int (*fp)(int) = f; const char *list[2] = { "a", "b" }; int grid[2][2] = { { 0 } };
    printf("%s %s %s %s %s\n", KIND(&i), KIND(p), KIND(cp), KIND(pp), KIND(cpp));
    printf("%s %s %s %s\n", KIND(&c), KIND(pc), KIND(&fx), KIND(&v));
    printf("%s %s %s %s\n", KIND(buf), KIND(fixed_buf), KIND("lit"), KIND((const char *)buf));
    printf("%s %s %s %s %s\n", KIND(&s), KIND(&cs), KIND(f), KIND(fp), KIND(*fp));
    printf("%s %s %s %s %s\n", KIND(&buf[1]), KIND(fixed_buf + 1), KIND(list[0]), KIND(*list), KIND(grid[1]));
    printf("%d %d %d %d\n", ONLY(&i), ONLY(&c), ONLY(buf), ONLY(fixed_buf));
    printf("%s %s %s\n", KIND(p++), KIND(p = &i), KIND((i, pc)));
    named("x", buf, &c, "y");
    printf("%d %d %d %d\n", UNQUALIFIED(i), UNQUALIFIED(c), UNQUALIFIED(v), UNQUALIFIED(fx));
    printf("%d %d\n", _Generic(cp, int *: 1, int *const: 2, default: 3), _Generic(s, const struct s: 1, struct s: 2));
    struct t t = { 0 }, *tp = &t; const struct t *ct = tp;
    printf("%s %s %s %s %s\n", KIND(s.n), KIND(s.m), KIND(cs.n), KIND(t.text), KIND(ct->text));
    printf("%s %s %s %s %s\n", KIND(ct->grid[1]), KIND(tp->grid[1]), KIND(tp->next->inside.n), KIND(t.deep), KIND(&ct->text[1]));
    printf("%d %d %d %d\n", ONLY(s.n), ONLY(s.m), ONLY(ct->text), ONLY(ct->next->text));
    printf("%s %s %s %s\n", KIND(i ? p : pc), KIND(i ? s.m : s.n), KIND(i ? p : 0), KIND(i ? (void *)0 : pc));
    printf("%d %s %s\n", ONLY(i ? pc : p), KIND(got()), KIND(i ? buf : got()));
    printf("%d %d %d\n", PART(t.low), PART(t.low = 1), PART(t.all));
    assert(nondet_int() != 3);
    return 0;
}
