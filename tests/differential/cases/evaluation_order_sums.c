/* gcc's order in sums: what is subtracted is evaluated where it stands in the sum that gcc makes of them. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

static int g, s[2], *p = s;
static unsigned u;
static long l;
static double d;
static char order[8];
static int calls;

static void all(int value)
{
    g = s[0] = value;
    u = value;
    l = value;
    d = value;
}

static int f(void)
{
    order[calls++] = 'f';
    all(5);
    return 10;
}

static int h(void)
{
    order[calls++] = 'h';
    all(7);
    return 20;
}

static double r(void)
{
    order[calls++] = 'r';
    all(9);
    return 0.5;
}

static int start;

#define SHOW(form, e) \
    calls = 0; \
    all(start); \
    printf(form, e); \
    order[calls] = 0; \
    printf(" %s\n", order)

static void negatives(void)
{
    SHOW("%d", -g + f());
    SHOW("%d", f() + -g);
    SHOW("%d", -h() + f());
    SHOW("%d", -h() + g);
    SHOW("%d", g + -h());
    SHOW("%d", g - -f());
    SHOW("%d", -g - -f());
    SHOW("%d", -g - f());
    SHOW("%d", -h() - f());
    SHOW("%d", -g * -f());
    SHOW("%d", -*p + f());
    SHOW("%d", -s[0] + f());
    SHOW("%d", -g + f() + g);
    SHOW("%d", -g + f() - h());
    SHOW("%d", -g + (f() + h()));
    SHOW("%ld", -(long)g + f());
    SHOW("%ld", (long)-g + f());
    SHOW("%u", (unsigned)-g + f());
    SHOW("%u", -u + f());
    SHOW("%ld", -l + f());
    SHOW("%g", -d + r());
    SHOW("%g", d - -r());
    SHOW("%g", d + -r());
    SHOW("%g", -d * -r());
    SHOW("%g", -(d - r()));
}

static void differences(void)
{
    SHOW("%d", -(g - f()));
    SHOW("%d", -(h() - f()));
    SHOW("%d", -(h() - g));
    SHOW("%d", -(-g + f()));
    SHOW("%d", -(h() - f()) + g);
    SHOW("%d", -(g - f()) + h());
    SHOW("%d", ~(g - h()));
    SHOW("%d", 3 - (g - f()));
    SHOW("%d", g - (g - h()));
    SHOW("%d", g - -(f() - h()));
    SHOW("%d", f() - (h() - g));
    SHOW("%d", (g | 4) - (f() - h()));
}

static void constants(void)
{
    SHOW("%d", g + 1 + f());
    SHOW("%d", 1 + g + f());
    SHOW("%d", g - 1 + f());
    SHOW("%d", 1 - g + f());
    SHOW("%d", 1 - h() + f());
    SHOW("%d", -g - 1 + f());
    SHOW("%d", ~g + f());
    SHOW("%d", ~h() + f());
    SHOW("%d", -(g - 1) + f());
    SHOW("%d", (g + 1) + (f() + 2));
    SHOW("%d", (g + 1) - f());
    SHOW("%d", (g - 1) - -f());
    SHOW("%d", g + (1 - f()));
    SHOW("%d", g - (1 - f()));
    SHOW("%d", s[0] + 1 + f());
    SHOW("%u", u + 1 + f());
    SHOW("%u", (u + 2) + (f() + h() + 0u));
    SHOW("%u", u - (1u - f()));
    SHOW("%ld", l + 1 + f());
    SHOW("%d", 2 * g + f());
    SHOW("%d", ~g ^ f());
    SHOW("%d", ~g & ~f());
    SHOW("%d", ~g | f());
}

int main(void)
{
    start = nondet_int();
    negatives();
    differences();
    constants();
    all(start);
    assert(-g + f() != -2147483642);
    return 0;
}
