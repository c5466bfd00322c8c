/* gcc's order: arguments right to left, a plain variable of a commutative operator last. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

static int g = 1, a[4] = { 1, 2, 3, 4 };
static unsigned u = 1;
static short s = 1;
static long l = 1;
static struct { int f; } t = { 1 };

static int bump(int by)
{
    g += by;
    u += by;
    s += by;
    l += by;
    t.f += by;
    a[0] += by;
    return by;
}

static int three(int x, int y, int z) { return x * 10000 + y * 100 + z; }

int main(void)
{
    int x = nondet_int() & 15;
    printf("%d %d\n", g + bump(x), g);
    printf("%d\n", g - bump(x));
    printf("%d\n", bump(x) + g);
    printf("%d\n", t.f + bump(x));
    printf("%d\n", a[0] * bump(x));
    printf("%d\n", (int)u + bump(x));
    printf("%ld\n", l + bump(x));
    printf("%d\n", s + bump(x));
    printf("%d %d\n", g < bump(x), bump(x) < g);
    printf("%d\n", three(g, bump(x), g));
    printf("%d\n", three(g++, bump(1), bump(2)));
    s = s + bump(x);
    l = l + bump(x);
    s = g + bump(x);
    printf("%d %ld\n", s, l);
    printf("%d\n", (short)(s + bump(x)));
    printf("%d\n", (int)(l + bump(x)));
    printf("%d\n", bump(x) - bump(1) * bump(2));
    assert(g != 64);
    return 0;
}
