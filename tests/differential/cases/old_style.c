/* K&R definitions: arguments are promoted, parameters narrow. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);
int later();
half(), count = 3, *place, (*chosen)();

static int add(a, b, c)
char a;
short b;
_Bool c;
{
    a++;
    return a + b + c;
}

long mixed(p, n)
int *p;
unsigned char n;
{
    return p[n & 1] * 2L + n;
}

plain(x)
{
    return x * 2;
}

int main()
{
    int x = nondet_int(), a[2] = { 3, 4 };
    printf("%d\n", add((char)x, (short)x, (_Bool)(x & 1)));
    printf("%d %d\n", add(x, x, 0), add(300, 70000, x & 1));
    printf("%ld %d\n", mixed(a, (unsigned char)x), plain(x));
    printf("%d\n", later(x, 2));
    place = &count;
    *place = 8;
    printf("%d %d\n", half(count), chosen == 0 && half(x) < 1 << 30);
    assert(add(127, 0, 0) == -128 && later(1, x) != 8);
    return 0;
}

half(n) { return n / 2; }

int later(a, b)
int a, b;
{
    return a - b;
}
