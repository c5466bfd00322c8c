/* Arguments that are nothing but a variable in a register, or a structure, are read by the call, behind all effects. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

struct pair { int a, b; };
struct large { long a[5]; };

static struct pair both = { 1, 2 };
static int global = 1;

static int first(struct pair *p) { return p->a = 9; }
static int longest(struct large *p) { return (int)(p->a[0] = 9); }
static int all(void) { return both.a = 9; }
static int two(int x, int y) { return x * 100 + y; }
static int other(int x, unsigned y) { return x * 100 + (int)y; }
static long wide(long x, long long y) { return x * 100 + y; }
static int pair(int x, struct pair y) { return x * 100 + y.a; }
static int large(int x, struct large y) { return x * 100 + (int)y.a[0]; }
static int apart(char *x, void *y) { return (int)((char *)y - x); }
static double real(double x, double y) { return x * 100 + y; }

int main(void)
{
    int k = nondet_int() & 15;
    static int kept = 1;
    int taken = 1, *to = &taken, here[2] = { 1, 1 };
    struct pair l = { 1, 1 }, *p = &l;
    struct large b = { { 1 } };
    char *c = "abc";
    double z = 1;
    float f = 1;
    char small = 1;
    long q = 1;
    printf("%d\n", two(k++, k));
    printf("%d\n", two((k = 5, k), k));
    printf("%d\n", two(k += 2, k));
    printf("%d %d %d %d\n", k, k++, k, k++);
    printf("%d %d\n", k++, -k);
    printf("%d\n", other(k++, k));
    printf("%ld %ld\n", wide(k++, k), wide(q++, q));
    printf("%d\n", apart(c++, c));
    printf("%g %g %g\n", real(z++, z), f++, f);
    printf("%d %d\n", small++, small);
    printf("%d %d\n", two(global++, global), two(kept++, kept));
    printf("%d %d\n", two(taken++, taken), two(here[0]++, here[0]));
    printf("%d\n", two(l.b++, l.b));
    printf("%d\n", pair(first(&l), l));
    l.a = 1;
    printf("%d\n", pair(first(&l), *p));
    printf("%d\n", pair(all(), both));
    printf("%d\n", large(longest(&b), b));
    printf("%d\n", two(k ? k++ : 0, k));
    printf("%d %d %d\n", two(k++, ++k), two(k++, k += 2), two(k++, k = 3));
    printf("%d %d\n", two(k++, (k++, k)), two(k++, k > 0 ? ++k : 0));
    printf("%d %d\n", other(k++, ++k), two(k = 9, q = k));
    printf("%ld %d\n", wide(q++, q = ++k), two(small++, small = 4));
    assert(*to + k != 20);
    return 0;
}
