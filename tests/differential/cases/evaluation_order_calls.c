/* gcc's order: the arguments of a call before the place its result goes to, what stands before a comma before both
   operands, and a variable in a register read by the operator, also where it has been assigned to just before. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

static int order;
static int t(int x)
{
    order = order * 10 + x;
    return x;
}

static int g;
static int same(int x) { return x; }
static int two(int x, int y) { return x * 10 + y; }
static int next(void) { return g += 3; }
static int *at(int *p, int k)
{
    t(k);
    return p;
}

struct pair { int a[4]; struct pair *next; };
static struct pair made(int x)
{
    t(8);
    return (struct pair){ { x } };
}

static int (*chosen(int k))(int)
{
    t(k);
    return same;
}

static void done(const char *what)
{
    printf("%s %d\n", what, order);
    order = 0;
}

static void places(int a[10])
{
    struct pair s[3];
    int *p = a, m[3][3], i;
    char bytes[4] = "";
    a[t(1)] = same(t(2)), done("element");
    *at(a, 3) = same(t(4)), done("pointer");
    a[t(1)] = two(t(2), t(3)), done("two");
    a[t(1)] = t(2) + same(t(3)), done("sum");
    s[t(1)] = made(t(2)), done("structure");
    s[0].a[t(1)] = chosen(2)(t(3)), done("callee");
    a[t(1)] = a[t(2)] = same(t(3)), done("chain");
    (&s[0])[t(1)].a[t(2)] = two(t(3), same(t(4))), done("member");
    m[t(1)][t(2)] = same(t(0)), done("rows");
    (t(1) ? a : a + 1)[0] = same(t(2)), done("conditional");
    a[t(1)] = (t(2), same(t(3))), done("comma");
    bytes[t(1)] = same(t(2)), done("narrow");
    g = 0, a[g++] = same(g), printf("%d %d\n", a[0], g);
    i = 0, a[i++] = same(i), printf("%d %d\n", a[0], i);
    *p++ = same(*p + 5), printf("%d %d\n", a[0], (int)(p - a));
    i = 2, a[i] = same(i++), printf("%d %d\n", a[2], a[3]);
    g = 1, a[g] = same(g = 2), printf("%d %d\n", a[1], a[2]);
    g = 1, a[g & 7] = next(), printf("%d %d\n", a[1], a[4]);
}

static void registers(int x)
{
    int i = x, r, *p, a[12];
    long l;
    double d;
    char c;
    r = i - i++, printf("%d ", r);
    r = i - (i = 7), printf("%d ", r);
    r = (i = 4) - (i = 7), printf("%d ", r);
    r = (i = 4) + (i = 9) + (i = 2), printf("%d ", r);
    r = ++i - ++i, printf("%d ", r);
    r = (l = 4) - (l = 9), printf("%d ", r);
    l = (l = 4) - (l = 9), printf("%ld ", l);
    r = (d = 5) - (d = 2), printf("%d ", r);
    r = (c = 4) - (c = 9), printf("%d ", r);
    r = (g = 4) - (g = 9), printf("%d ", r);
    r = (p = a + 4) - (p = a + 9), printf("%d ", r);
    r = i - (i += 4) + i, printf("%d ", r);
    r = (i = 5) == (i = 6), printf("%d\n", r);
}

static void commas(int a[10])
{
    int r;
    r = t(1) + (t(2), t(3)), done("sum");
    r = (t(1), t(2)) * (t(3), t(4)), done("product");
    r = t(1) < (t(2), t(3)), done("comparison");
    r = t(1) + -(t(2), t(3)), done("negated");
    r = a[t(1)] + (t(2), t(3)) * 2, done("element");
    r = t(1) + t(2) + (t(3), (t(4), t(5))), done("nested");
    r = t(1) && (t(2), t(3)), done("and");
    r = t(1) + (t(2) ? t(3) : t(4)), done("conditional");
    assert(r != -1);
}

static void constants(void)
{
    g = 11, printf("%d ", g * 2 + next() * 2);
    g = 11, printf("%d ", (1 - g) - next());
    g = 11, printf("%d ", (g ^ 1) ^ next());
    g = 11, printf("%d ", (g | 1) | next());
    g = 11, printf("%d ", (g & 6) & next());
    g = 11, printf("%d ", g * 2 * next());
    g = 11, printf("%d ", 2 * g - next() * 2);
    g = 11, printf("%d\n", (g ^ 1) ^ (next() + 1));
}

int main(void)
{
    int a[10] = { 0 }, x = nondet_int();
    places(a);
    registers(x);
    commas(a);
    constants();
    assert(a[4] != x);
    return 0;
}
